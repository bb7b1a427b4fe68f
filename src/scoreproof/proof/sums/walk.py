"""Walking a proof: states, cuts and leaves, all checked in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache
from itertools import product

from scoreproof.budget import Budget
from scoreproof.proof.sums import nodes
from scoreproof.proof.sums.bounds import State, Table, errors_of, separates, trim
from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.choice import fitting
from scoreproof.proof.sums.corners import Wide
from scoreproof.proof.sums.folds import MOST_LOOKED_AT, Listed, Straight
from scoreproof.proof.sums.grid import MOST_ITEMS, MOST_POINTS, Box, Grid, Tabulated
from scoreproof.proof.sums.join import Join
from scoreproof.proof.sums.listing import MOST_LISTED, every_choice, listable, listed
from scoreproof.proof.sums.model import TN, TP, ZERO, Model, Shape
from scoreproof.proof.sums.ranges import out_of_range
from scoreproof.proof.sums.replay import replay
from scoreproof.proof.sums.rows import build
from scoreproof.question.question import PER_PART, Problem
from scoreproof.scores import JOINTLY, ROWS

#: Work of following a node, of tabulating a point, of one bound per listed point, and of a choice.
NODE = 100_000
TABULATED, OPTION, NARROWED = 150, 600_000, 40  # ... of folds of unknown make-up
COLUMN, LISTED = 150, 50  # ... of a known fold: a column of it, and what else there is to it
POINT = 5
#: Tables that solver and replay ask for in turn; trimming a copy leaves the arrays as they are.
kept = lru_cache(maxsize=4)(Listed)
FEW_POINTS = 10_000  # of a grid with more, what single figures rule out is not listed
CHOICE = 100_000


def all_defined(problem: Problem) -> Problem:
    """The question in which no score is undefined: one that leaves parts out for others' sake does not."""
    scores = [ROWS[target.score.name.removesuffix(JOINTLY)] for target in problem.targets]
    targets = (replace(t, score=score) for t, score in zip(problem.targets, scores, strict=True))
    return replace(problem, undefined="impossible", targets=tuple(targets))


class Walker:
    """A model with the tables of its groups: all that it takes to follow a proof.

    Without ``listing``, known folds are bounded by corners however small they are.
    """

    def __init__(
        self,
        problem: Problem,
        choice: tuple[str, ...] | None = None,
        *,
        budget: Budget,
        listing: bool = True,
        trimming: bool = True,
    ) -> None:
        self.budget = budget
        self.model: Model = build(problem, choice, budget)
        self.tables = [self._table(g, MOST_POINTS if listing else 0) for g in range(len(self.model.groups))]
        for row, sign in self.trims() if trimming else ():
            trim(self.model, self.tables, row, sign)
        self.listable = listable(problem)
        self._join: Join | None = None
        self._plain: dict[nodes.Known, bool] = {}

    def _table(self, g: int, most: int) -> Table:
        """The points of a group: listed unless figures leave a known fold more than ``most``."""
        group, problem = self.model.groups[g], self.model.problem
        of = problem.undefined, problem.betas
        self.budget.spend(20_000)
        if group.shape is Shape.FOLD:
            rows = {r: row.shares[g] for r, row in enumerate(self.model.rows) if g in row.shares}
            if all(option.columns == (TP, TN) and not option.keeps for option in group.options):
                return Straight(group, rows, *of)
            points = sum(option.points for option in group.options)
            self.budget.spend((OPTION * len(group.options) + NARROWED * points) * (points <= MOST_LOOKED_AT))
            table = copy(kept(group, tuple(rows.items()), *of))
            self.budget.spend(TABULATED * len(rows) * len(table.all))
            return table
        (option,) = group.options
        if group.shape is Shape.CLASS:
            return Calls(option, *of)
        window: Box = (0, option.p, 0, option.n)
        points = option.points
        if points > min(most, FEW_POINTS):
            wide = Wide(option, *of)
            root = wide.root()
            if root is None or wide.count(root) > most or max(option.p, option.n) > MOST_ITEMS:
                return wide
            window, points = root, wide.count(root)
        for column in option.columns[2:]:  # they are kept
            what = column, option.p, option.n, problem.undefined == "zero", problem.betas, window
            self.budget.spend_once(what, COLUMN * points)
        self.budget.spend(LISTED * points)
        return Grid(option, *of, window)

    @property
    def points(self) -> int:
        """How many points the tables list, about."""
        roots = [(table, table.root()) for table in self.tables]
        return sum(min(table.count(root), 10**6) for table, root in roots if root is not None)

    def join(self) -> Join | None:
        """Joins over this model, if all its points can be listed and parts of a group exchanged."""
        if self._join is None and self.listable:
            self._join = Join(self.model, self.tables, self.budget)
        return self._join

    def trims(self) -> Iterator[tuple[int, int]]:
        """Rows with a sign by which points are dropped; the squares of an sd first, which rule out most."""
        squares = {curve.two for curve in self.model.curves}
        rows = sorted(range(len(self.model.rows)), key=lambda r: r not in squares)
        work = 20_000 + 10 * self.points
        for r, sign in product(rows * 2, (-1, 1)) if any(isinstance(t, Tabulated) for t in self.tables) else ():
            self.budget.spend(work)
            yield r, sign

    def defined(self, state: State) -> bool:
        """Whether what an undefined score counts as is no matter: every part has all scores, and a figure
        of the summed counts or of means that counts as 0 would not fit."""
        problem = self.model.problem
        others = [t for t in problem.targets if t.kind not in PER_PART and ZERO in t.interval]
        if others and problem.undefined == "zero":
            return False
        return all(self.defines(g, box) for g, cells in enumerate(state.cells) for box, _ in cells)

    def defines(self, g: int, box: Box) -> bool:
        """Whether all scores are defined at every point of a box."""
        table, targets = self.tables[g], self.model.problem.targets
        names = {name for t in targets for name in (t.score.name, *(t.score.means or ()))}
        return isinstance(table, (Grid, Wide, Listed)) and not any(table.undefined(name, box) for name in names)

    def root(self) -> State | None:
        """Every group on all its points; None if a group has none, or a row has no value."""
        intervals = [row.interval for row in self.model.rows] + [curve.interval for curve in self.model.curves]
        if any(interval.empty for interval in intervals):
            return None
        cells = []
        for group, table in zip(self.model.groups, self.tables, strict=True):
            box = table.root()
            if box is None:
                return None
            cells.append(((box, len(group.parts)),))
        return State(tuple(cells))

    # -- branches ----------------------------------------------------------------------------------

    def children(self, state: State, at: tuple[int, int, int, int]) -> list[State | None] | None:
        """The states after a cut, None for one with an empty cell; None if there is no such cut."""
        g, k, axis, cut = at
        if not (0 <= g < len(state.cells) and 0 <= k < len(state.cells[g])):
            return None
        table = self.tables[g]
        box, count = state.cells[g][k]
        if not 0 <= axis < table.axes or not box[2 * axis] <= cut < box[2 * axis + 1]:
            return None
        low = table.shrunk((*box[: 2 * axis + 1], cut, *box[2 * axis + 2 :]))
        high = table.shrunk((*box[: 2 * axis], cut + 1, *box[2 * axis + 1 :]))
        result: list[State | None] = []
        for j in range(count + 1):
            if (j and low is None) or (j < count and high is None):
                result.append(None)
                continue
            new = [(b, m) for b, m in ((low, j), (high, count - j)) if m and b is not None]
            cells = state.cells[g][:k] + tuple(new) + state.cells[g][k + 1 :]
            result.append(State((*state.cells[:g], cells, *state.cells[g + 1 :]), state.counts))
        return result

    def errors_range(self, state: State, g: int, which: int) -> tuple[int, int]:
        """Between what the fn (0), fp (1) or errors (2) of a group lie, as far as the state tells."""
        for group, known, lo, hi in state.counts:
            if (group, known) == (g, which):
                return lo, hi
        return errors_of(self.tables[g], state.cells[g], which)

    def halves(self, state: State, g: int, which: int, value: int) -> tuple[State, State] | None:
        """The states with a count of a group at most, and above, a value."""
        if not 0 <= g < len(self.model.groups) or which not in (0, 1, 2):
            return None
        lo, hi = self.errors_range(state, g, which)
        if not lo <= value < hi:
            return None
        return _counted(state, (g, which, lo, value)), _counted(state, (g, which, value + 1, hi))

    # -- leaves ------------------------------------------------------------------------------------

    def holds(self, state: State, leaf: nodes.Leaf) -> bool:
        """Whether a leaf proves that nothing in the state fits."""
        match leaf:
            case nodes.Separating(weights):
                return len(dict(weights)) == len(weights) and separates(
                    self.model, self.tables, state, dict(weights)
                )
            case nodes.OutOfRange(target):
                return 0 <= target < len(self.model.problem.targets) and out_of_range(
                    self.model, self.tables, state, target
                )
            case nodes.Exhausted():
                if not self.listable:
                    return False
                many = listed(self.model, self.tables, state)
                self.budget.spend(CHOICE * min(many, MOST_LISTED))
                return many <= MOST_LISTED and not any(
                    fitting(self.model.problem, choice)
                    for choice in every_choice(self.model, self.tables, state)
                )
            case nodes.Joined():
                join = self.join()
                return join is not None and join.search(state) == (True, None)
            case nodes.Defined(proof):
                if proof not in self._plain:  # one proof may serve many leaves
                    self._plain[proof] = replay(all_defined(self.model.problem), proof, self.budget)
                return self.defined(state) and self._plain[proof]
            case nodes.Vacant():
                return False  # a state that is vacant is never walked to

    def below(self, state: State, node: nodes.Branch) -> Sequence[State | None] | None:
        """The states of a branch's children; None if there is no such branch."""
        match node:
            case nodes.Split(group, cell, axis, cut, _):
                return self.children(state, (group, cell, axis, cut))
            case nodes.Halve(group, count, value, _, _):
                return self.halves(state, group, count, value)

    def refutes(self, node: nodes.Node) -> bool:
        """Whether a tree proves that nothing fits, from its root."""
        start = self.root()
        if start is None:
            return True
        price = NODE + POINT * self.points
        todo: list[tuple[State, nodes.Node]] = [(start, node)]
        while todo:
            state, here = todo.pop()
            self.budget.spend(price)
            if not isinstance(here, nodes.Branch):
                if not self.holds(state, here):
                    return False
                continue
            states = self.below(state, here)
            proofs = (here.below, here.above) if isinstance(here, nodes.Halve) else here.children
            if states is None or len(states) != len(proofs):
                return False
            todo.extend((s, n) for s, n in zip(states, proofs, strict=True) if s is not None)
        return True


def _counted(state: State, count: tuple[int, int, int, int]) -> State:
    """The state with a count of a group known to lie in a range, in place of what was known before."""
    counts = tuple(each for each in state.counts if each[:2] != count[:2])
    return State(state.cells, (*counts, count))
