"""Walking a proof about several classes: boxes, cuts and ends, all checked exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from scoreproof.budget import Budget
from scoreproof.proof.classes import Cut, Exhausted, Leaf, Node, Separating, Vacant
from scoreproof.proof.classes.bounds import separates
from scoreproof.proof.classes.figures import figure, fits, hits
from scoreproof.proof.classes.matrices import Grid, build, exists
from scoreproof.proof.classes.model import Box, Cell, Model, Range, Row, shrunk
from scoreproof.question.classes import ClassProblem

#: Choices one end of a proof may list.
MOST_LISTED = 4000
#: Work of following one node.
NODE = 1_000_000

Picks = tuple[tuple[int, int], ...]


class Replayer:
    """A model, and what it takes to follow a proof about it."""

    def __init__(self, problem: ClassProblem) -> None:
        self.problem = problem
        self.model = Model(problem)

    def empty(self, row: int) -> bool:
        """Whether no value is left for the sum of a row."""
        return 0 <= row < len(self.model.rows) and self.model.rows[row].interval.empty

    def children(self, box: Box, cell: int, axis: int, at: int) -> tuple[Box | None, Box | None] | None:
        """Both sides of a cut, None for one with nothing in it; None if there is no such cut."""
        if not 0 <= cell < len(box) or axis not in (0, 1):
            return None
        a, b, c, d = box[cell]
        low, high = (a, b) if axis == 0 else (c, d)
        if not low <= at < high:
            return None
        below: Range = (a, at, c, d) if axis == 0 else (a, b, c, at)
        above: Range = (at + 1, b, c, d) if axis == 0 else (a, b, at + 1, d)
        return self.placed(box, cell, below), self.placed(box, cell, above)

    def placed(self, box: Box, cell: int, own: Range) -> Box | None:
        smaller = shrunk(self.model.cells[cell], own)
        return None if smaller is None else (*box[:cell], smaller, *box[cell + 1 :])

    def holds(self, box: Box, leaf: Leaf, rows: list[Row] | None = None) -> bool:
        """Whether a leaf proves that nothing in the box fits."""
        match leaf:
            case Vacant():
                return self.model.vacant or self.model.rows_at(box) is None
            case Exhausted():
                return listed(self.model.of_set, box) <= MOST_LISTED and self.first_fit(box) is None
            case Separating(weights):
                if rows is None:
                    rows = self.model.rows_at(box)
                return rows is None or separates(self.model, box, rows, dict(weights))

    def refutes(self, node: Node, budget: Budget) -> bool:
        """Whether a tree proves that nothing fits at all."""
        if self.model.root is None or self.model.vacant:
            return True
        todo: list[tuple[Box, Node]] = [(self.model.root, node)]
        while todo:
            box, here = todo.pop()
            budget.spend(NODE)
            if not isinstance(here, Cut):
                if not self.holds(box, here):
                    return False
                continue
            sides = self.children(box, here.cell, here.axis, here.at)
            if sides is None:
                return False
            todo += [(side, proof) for side, proof in zip(sides, (here.below, here.above), strict=True) if side]
        return True

    def first_fit(self, box: Box) -> tuple[Grid, ...] | None:
        """The first choice in a box that fits.

        What every matrix adds to the figures is worked out once, however the sets are combined.
        """
        found: list[list[Grid]] = []
        for members, items in zip(self.model.of_set, self.problem.sets, strict=True):
            every = summing(self.model.cells, box, members, sum(items))
            found.append([grid for picks in every if (grid := _grid(items, picks)) is not None])
        if len(found) == 1:
            return next(((grid,) for grid in found[0] if fits(self.problem, (grid,))), None)
        values = [
            [[figure(self.problem, target, grid) for target in self.problem.targets] for grid in grids]
            for grids in found
        ]
        for picks in product(*(range(len(grids)) for grids in found)):
            chosen = [own[k] for own, k in zip(values, picks, strict=True)]
            if all(
                hits(self.problem, target, [chosen[s][t] for s in target.sets])
                for t, target in enumerate(self.problem.targets)
            ):
                return tuple(grids[k] for grids, k in zip(found, picks, strict=True))
        return None

    def grids(self, picks: Picks) -> tuple[Grid, ...] | None:
        """Matrices with these tp and m, if there are any."""
        found = []
        for members, items in zip(self.model.of_set, self.problem.sets, strict=True):
            grid = _grid(items, [picks[i] for i in members])
            if grid is None:
                return None
            found.append(grid)
        return tuple(found)


def _grid(items: Sequence[int], picks: Sequence[tuple[int, int]]) -> Grid | None:
    correct, called = [tp for tp, _ in picks], [m for _, m in picks]
    return build(items, correct, called) if exists(items, correct, called) else None


def summing(cells: list[Cell], box: Box, members: list[int], total: int) -> Iterator[list[tuple[int, int]]]:
    """The choices of the cells of one set whose predictions add up."""
    last = max(members, key=lambda i: box[i][3] - box[i][2])
    others = [i for i in members if i != last]
    for picks in product(*(list(points(cells[i], box[i])) for i in others)):
        m = total - sum(called for _, called in picks)
        least, most, low, high = box[last]
        if low <= m <= high:
            rest = cells[last].total - cells[last].n
            known = dict(zip(others, picks, strict=True))
            for tp in range(max(least, m - rest), min(most, m) + 1):
                known[last] = (tp, m)
                yield [known[i] for i in members]


def points(cell: Cell, box: Range) -> Iterator[tuple[int, int]]:
    """The choices of one cell."""
    least, most, low, high = box
    rest = cell.total - cell.n
    for tp in range(least, most + 1):
        for m in range(max(low, tp), min(high, tp + rest) + 1):
            yield tp, m


def listed(of_set: list[list[int]], box: Box) -> int:
    """How many choices a box has, at most: in every set one number of predictions follows."""
    total = 1
    for members in of_set:
        total *= prod((box[i][1] - box[i][0] + 1) * (box[i][3] - box[i][2] + 1) for i in members)
        total //= max(box[i][3] - box[i][2] + 1 for i in members)
    return total
