"""Confusion matrices of several classes as witnesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.proof.codec import read
from scoreproof.question import evaluate
from scoreproof.question.matrix import Grid
from scoreproof.question.question import Problem


@dataclass(frozen=True, slots=True)
class ClassWitness:
    """Confusion matrices that give the figures, one per evaluation set; rows are the true classes."""

    names: tuple[str, ...]
    matrices: tuple[Grid, ...]
    reading: int = 0

    @property
    def matrix(self) -> Grid:
        """The summed matrix; the only one where there is a single evaluation set."""
        return tuple(
            tuple(sum(cells) for cells in zip(*rows, strict=True)) for rows in zip(*self.matrices, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "reading": self.reading,
            "classes": list(self.names),
            "matrix": [list(row) for row in self.matrix],
        }
        if len(self.matrices) > 1:
            found["parts"] = [[list(row) for row in each] for each in self.matrices]
        return found


def read_witness(data: Mapping[str, Any]) -> ClassWitness | None:
    """The witness its ``to_dict`` wrote; None if its matrices do not belong together."""
    grids = read(tuple[Grid, ...], data.get("parts", [data.get("matrix")]), "witness.parts")
    names = read(tuple[str, ...], data.get("classes"), "witness.classes")
    if not grids or any(len(each) != len(names) for grid in grids for each in (grid, *grid)):
        return None
    witness = ClassWitness(names, grids)
    return witness if data.get("matrix") == [list(row) for row in witness.matrix] else None


def confirms(problem: Problem, witness: ClassWitness) -> bool:
    """Whether the matrices have the counts of the claim and give every figure."""
    size = len(problem.names)
    if witness.names != problem.names or len(witness.matrices) != len(problem.matrices):
        return False
    points = []
    for grid, members in zip(witness.matrices, problem.matrices, strict=True):
        if len(grid) != size or any(len(row) != size or min(row) < 0 for row in grid):
            return False
        total = sum(map(sum, grid))
        for c, i in enumerate(members):
            items, called = sum(grid[c]), sum(row[c] for row in grid)
            part = problem.parts[i]
            if items != part.p or total != part.p + part.n:
                return False
            points.append((grid[c][c], total - items - called + grid[c][c]))
    return evaluate.confirms(problem, points)
