"""Walking a proof about several classes: boxes, cuts and ends, all checked exactly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from scoreproof.experiment.classes_problem import ClassProblem
from scoreproof.proof.classes import Cut, Exhausted, Leaf, Node, Separating, Vacant
from scoreproof.proof.classes.bounds import separates
from scoreproof.proof.classes.figures import fits
from scoreproof.proof.classes.matrices import Grid, build, exists
from scoreproof.proof.classes.model import Box, Cell, Model, Range, Row, shrunk

#: Choices one end of a proof may list.
MOST_LISTED = 4000

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
                return listed(self.model.cells, box) <= MOST_LISTED and self.first_fit(box) is None
            case Separating(weights):
                if rows is None:
                    rows = self.model.rows_at(box)
                return rows is None or separates(self.model, box, rows, dict(weights))

    def refutes(self, node: Node) -> bool:
        """Whether a tree proves that nothing fits at all."""
        if self.model.root is None or self.model.vacant:
            return True
        todo: list[tuple[Box, Node]] = [(self.model.root, node)]
        while todo:
            box, here = todo.pop()
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
        """The first choice in a box that fits."""
        for picks in self.every(box):
            grids = self.grids(picks)
            if grids is not None and fits(self.problem, grids):
                return grids
        return None

    def grids(self, picks: Picks) -> tuple[Grid, ...] | None:
        """Matrices with these tp and m, if there are any."""
        found = []
        for members, items in zip(self.model.of_set, self.problem.sets, strict=True):
            correct = [picks[i][0] for i in members]
            called = [picks[i][1] for i in members]
            if not exists(items, correct, called):
                return None
            found.append(build(items, correct, called))
        return tuple(found)

    def every(self, box: Box) -> Iterator[Picks]:
        pools = [list(points(cell, own)) for cell, own in zip(self.model.cells, box, strict=True)]
        return product(*pools)


def points(cell: Cell, box: Range) -> Iterator[tuple[int, int]]:
    """The choices of one cell."""
    least, most, low, high = box
    rest = cell.total - cell.n
    for tp in range(least, most + 1):
        for m in range(max(low, tp), min(high, tp + rest) + 1):
            yield tp, m


def listed(cells: list[Cell], box: Box) -> int:
    """How many choices a box has, at most."""
    return prod((b - a + 1) * (d - c + 1) for a, b, c, d in box[: len(cells)])
