"""Walking a proof tree: states, cuts and leaves, all checked in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb

from scoreproof.proof.averages import Exhausted, Joined, Leaf, Node, OutOfRange, Separating, Split, Tree, Vacant
from scoreproof.proof.averages.bounds import State, empty_row, out_of_range, separates, trim
from scoreproof.proof.averages.figures import confirms
from scoreproof.proof.averages.join import Join
from scoreproof.proof.averages.model import Model, build, choices
from scoreproof.proof.averages.tables import WIDE, Rect, Small
from scoreproof.proof.averages.wide import Grid, grid
from scoreproof.question.question import Problem

MOST_LISTED = 20_000  # choices one Exhausted leaf may list


def replay_tree(problem: Problem, certificate: Tree) -> bool:
    """Whether the cases cover every choice of divisors and each tree proves its case."""
    open_ = set(choices(problem))
    for case in certificate.cases:
        covered = {c for c in open_ if covers(problem, case.sd, c)}
        if covered:
            replayer = Replayer(problem, case.sd)
            if all(replayer.trim(d) for d in case.trims) and refutes(replayer, case.tree):
                open_ -= covered
    return not open_


def covers(problem: Problem, choice: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return len(choice) == len(wanted) and all(
        a in ("either", b) and (a != "either" or problem.spread == "either")
        for a, b in zip(choice, wanted, strict=True)
    )


class Replayer:
    """A model with its grids, as needed to walk a tree."""

    def __init__(self, problem: Problem, choice: tuple[str, ...], most: int = WIDE) -> None:
        self.model: Model = build(problem, choice)
        self.grids: list[Grid] = [
            grid(group, problem.undefined, problem.betas, most) for group in self.model.groups
        ]
        self._join: Join | None = None

    def trim(self, direction: tuple[int, ...]) -> bool:
        """Drop the points that a direction rules out; False if there are none."""
        return len(direction) == len(self.model.rows) and trim(
            self.model, self.grids, [Fraction(w) for w in direction]
        )

    def join(self) -> Join | None:
        """Joins over this model, if all its grids are listed."""
        if self._join is None and all(isinstance(table, Small) for table in self.grids):
            self._join = Join(self)
        return self._join

    def root(self) -> State | None:
        """Every group on its whole grid; None if a group has no admissible point."""
        state = []
        for group, table in zip(self.model.groups, self.grids, strict=True):
            rect = table.shrunk((0, group.p, 0, group.n))
            if rect is None:
                return None
            state.append(((rect, len(group.parts)),))
        return tuple(state)

    def children(self, state: State, at: tuple[int, int, int, int]) -> list[State | None] | None:
        """The states after a cut, None for one with an empty cell; None if no such cut."""
        g, k, axis, cut = at
        if not (0 <= g < len(state) and 0 <= k < len(state[g]) and axis in (0, 1)):
            return None
        (a, b, c, d), count = state[g][k]
        if not (a <= cut < b if axis == 0 else c <= cut < d):
            return None
        lower: Rect = (a, cut, c, d) if axis == 0 else (a, b, c, cut)
        upper: Rect = (cut + 1, b, c, d) if axis == 0 else (a, b, cut + 1, d)
        low, high = self.grids[g].shrunk(lower), self.grids[g].shrunk(upper)
        result: list[State | None] = []
        for j in range(count + 1):
            if (j and low is None) or (j < count and high is None):
                result.append(None)
                continue
            new = [(r, m) for r, m in ((low, j), (high, count - j)) if m and r is not None]
            cells = state[g][:k] + tuple(new) + state[g][k + 1 :]
            result.append((*state[:g], cells, *state[g + 1 :]))
        return result

    def listed(self, state: State) -> int:
        """How many choices a state leaves, as far as exchanging equal parts goes."""
        total = 1
        for cells, table in zip(state, self.grids, strict=True):
            for rect, count in cells:
                a, b, c, d = rect
                points = (b - a + 1) * (d - c + 1)
                if isinstance(table, Small) and not table.whole:
                    points = int(table.mask[a : b + 1, c : d + 1].sum())
                total *= comb(points + count - 1, count) if count < 60 or points < 3 else MOST_LISTED + 1
                if total > MOST_LISTED:
                    return total
        return total

    def every(self, state: State) -> Iterator[list[tuple[int, int]]]:
        """Every choice a state leaves, as a witness."""
        pools = []
        owners: list[list[int]] = []
        for group, cells, table in zip(self.model.groups, state, self.grids, strict=True):
            i = 0
            for (a, b, c, d), count in cells:
                points = [
                    (tp, tn)
                    for tp in range(a, b + 1)
                    for tn in range(c, d + 1)
                    if not isinstance(table, Small) or table.mask[tp, tn]
                ]
                pools.append(list(combinations_with_replacement(points, count)))
                owners.append(list(group.parts[i : i + count]))
                i += count
        size = len(self.model.problem.parts)
        for picks in product(*pools):
            witness = [(0, 0)] * size
            for owner, points_ in zip(owners, picks, strict=True):
                for i, point in zip(owner, points_, strict=True):
                    witness[i] = point
            yield witness

    def holds(self, state: State, node: Leaf) -> bool:
        """Whether a leaf proves that nothing in the state fits."""
        match node:
            case Separating(direction):
                return len(direction) == len(self.model.rows) and separates(
                    self.model, self.grids, state, [Fraction(w) for w in direction]
                )
            case OutOfRange(target):
                return 0 <= target < len(self.model.problem.targets) and out_of_range(
                    self.model, self.grids, state, target
                )
            case Exhausted():
                return self.listed(state) <= MOST_LISTED and not any(
                    confirms(self.model.problem, witness) for witness in self.every(state)
                )
            case Joined():
                join = self.join()
                return join is not None and join.search(state) == (True, None)
            case Vacant():
                return empty_row(self.model)


def refutes(replayer: Replayer, node: Node) -> bool:
    """Whether a tree proves that nothing fits, from its root."""
    start = replayer.root()
    if start is None:
        return True
    todo: list[tuple[State, Node]] = [(start, node)]
    while todo:
        state, here = todo.pop()
        if not isinstance(here, Split):
            if not replayer.holds(state, here):
                return False
            continue
        below = replayer.children(state, (here.group, here.cell, here.axis, here.cut))
        if below is None or len(below) != len(here.children):
            return False
        todo.extend(
            (child, proof) for child, proof in zip(below, here.children, strict=True) if child is not None
        )
    return True
