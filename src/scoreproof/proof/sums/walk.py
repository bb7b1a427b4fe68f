"""Walking a proof: states, cuts and leaves, all checked in exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoreproof.budget import Budget
from scoreproof.proof.sums import nodes
from scoreproof.proof.sums.bounds import State, Table, errors_of, separates, straight, table_of, trim
from scoreproof.proof.sums.choice import fitting
from scoreproof.proof.sums.folds import MOST_POINTS as MOST_FOLD_POINTS
from scoreproof.proof.sums.grid import MOST_POINTS, Box, Grid
from scoreproof.proof.sums.join import Join
from scoreproof.proof.sums.lines import unit_of
from scoreproof.proof.sums.listing import MOST_LISTED, every_choice, listable, listed
from scoreproof.proof.sums.model import ZERO, Model, Shape
from scoreproof.proof.sums.ranges import out_of_range
from scoreproof.proof.sums.rows import build
from scoreproof.question.question import PER_PART, Kind, Problem

MOST_TOTALS = 400  # combinations of error counts that one node may branch over
MOST_STEPS = 200_000  # numbers of errors looked at to find them

#: Work of following a node, of tabulating a point, of one bound per listed point, and of a choice.
NODE = 100_000
TABULATED = 800
COLUMN, LISTED = 400, 50  # ... of a known fold: a column of it, and what else there is to it
POINT = 5
CHOICE = 100_000


class Walker:
    """A model with the tables of its groups: all that it takes to follow a proof.

    Without ``listing``, known folds are bounded by corners however small they are.
    """

    def __init__(
        self, problem: Problem, choice: tuple[str, ...] | None = None, *, budget: Budget, listing: bool = True
    ) -> None:
        self.budget = budget
        self.model: Model = build(problem, choice, budget)
        self.tables: list[Table] = []
        for g, group in enumerate(self.model.groups):
            # what is listed is tabulated in Python's own integers
            points = sum(option.points for option in group.options)
            listed = group.shape is not Shape.CLASS and points <= MOST_FOLD_POINTS and not straight(group)
            if listed and group.shape is Shape.KNOWN:
                (own,) = group.options
                for column in own.columns:  # they are kept
                    what = column, own.p, own.n, problem.undefined == "zero", problem.betas
                    budget.spend_once(what, COLUMN * points)
            budget.spend(20_000 + (LISTED if group.shape is Shape.KNOWN else TABULATED) * points * listed)
            self.tables.append(table_of(self.model, g, MOST_POINTS if listing else 0))
        self.listable = listable(problem)
        self._join: Join | None = None

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

    def trim(self, weights: Mapping[int, int]) -> bool:
        """Drop the points that weights of rows rule out; False if there are none."""
        return trim(self.model, self.tables, weights)

    def defined(self) -> bool:
        """Whether what an undefined score counts as is no matter: every part has all scores, and a figure
        of the summed counts or of means that counts as 0 would not fit."""
        problem = self.model.problem
        others = [t for t in problem.targets if t.kind not in PER_PART and ZERO in t.interval]
        if problem.foldings or (others and problem.undefined == "zero"):
            return False
        names = {name for t in problem.targets for name in (t.score.name, *(t.score.means or ()))}
        return all(isinstance(table, Grid) and table.defines(names) for table in self.tables)

    def root(self) -> State | None:
        """Every group on all its points; None if a group has none, or a row has no value."""
        if any(row.interval.empty for row in self.model.rows) or any(
            c.interval.empty for c in self.model.curves
        ):
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
        low = table.shrunk(_with(box, axis, box[2 * axis], cut))
        high = table.shrunk(_with(box, axis, cut + 1, box[2 * axis + 1]))
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

    def with_errors(self, state: State, totals: Sequence[int | None]) -> State | None:
        """The state with the errors of every group fixed; None if that contradicts it."""
        for g, errors in enumerate(totals):
            if errors is not None:
                lo, hi = self.errors_range(state, g, 2)
                if not lo <= errors <= hi:
                    return None
                state = _counted(state, (g, 2, errors, errors))
        return state

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
            case nodes.Vacant():
                return False  # a state that is vacant is never walked to

    def below(self, state: State, node: nodes.Branch) -> Sequence[State | None] | None:
        """The states of a branch's children; None if there is no such branch."""
        match node:
            case nodes.Split(group, cell, axis, cut, _):
                return self.children(state, (group, cell, axis, cut))
            case nodes.Halve(group, count, value, _, _):
                return self.halves(state, group, count, value)
            case nodes.Errors(target, _):
                totals = error_totals(self.model, target)
                return None if totals is None else [self.with_errors(state, each) for each in totals]

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


def _with(box: Box, axis: int, lo: int, hi: int) -> Box:
    return (*box[: 2 * axis], lo, hi, *box[2 * axis + 2 :])


def _counted(state: State, count: tuple[int, int, int, int]) -> State:
    """The state with a count of a group known to lie in a range, in place of what was known before."""
    counts = tuple(each for each in state.counts if each[:2] != count[:2])
    return State(state.cells, (*counts, count))


def error_totals(model: Model, target: int) -> list[tuple[int | None, ...]] | None:
    """The numbers of errors per group that a mean accuracy allows (None: group not meant).

    The result is None where the target is no mean accuracy, or allows too many to list.
    """
    # cc: a counted walk whose every exit is a reason not to list
    problem = model.problem
    if not 0 <= target < len(problem.targets):
        return None
    said = problem.targets[target]
    if (said.kind, said.score.name) != (Kind.MEAN, "acc") or said.clusters or problem.matrices:
        return None
    weights = [said.weights[group.parts[0]] for group in model.groups]
    meant = [g for g, w in enumerate(weights) if w]
    if not meant or any(model.groups[g].size == 0 or weights[g] < 0 for g in meant):
        return None
    counts = [len(group.parts) for group in model.groups]
    total = sum((weights[g] * counts[g] for g in meant), ZERO)
    shares = [weights[g] / total / model.groups[g].size for g in meant]
    unit = unit_of(shares)
    sizes = [int(share / unit) for share in shares]
    tops = [model.groups[g].size * counts[g] for g in meant]
    reach = sum(a * b for a, b in zip(sizes, tops, strict=True))
    lo, hi = said.interval.reflected().moved(1 / unit, 0).among(0, reach)
    found: list[tuple[int | None, ...]] = []
    work = 0
    todo: list[tuple[tuple[int, ...], int, int]] = [((), lo, hi)]
    while todo:
        chosen, low, high = todo.pop()
        depth = len(chosen)
        if depth == len(meant):
            errors = dict(zip(meant, chosen, strict=True))
            found.append(tuple(errors.get(g) for g in range(len(model.groups))))
            if len(found) > MOST_TOTALS:
                return None
            continue
        step = sizes[depth]
        after = sum(a * b for a, b in zip(sizes[depth + 1 :], tops[depth + 1 :], strict=True))
        first, last = max(0, -((after - low) // step)), min(tops[depth], high // step)
        work += max(0, last - first + 1)
        if work > MOST_STEPS:
            return None
        todo.extend(((*chosen, e), low - e * step, high - e * step) for e in range(last, first - 1, -1))
    return found
