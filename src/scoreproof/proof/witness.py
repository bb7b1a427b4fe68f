"""Confusion matrices of two classes as witnesses: plain data, read and compared with the figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.errors import UnreadableVerdict
from scoreproof.proof import one_matrix
from scoreproof.proof.codec import read
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.folds import Sample
from scoreproof.question.question import Problem
from scoreproof.scores import Matrix


@dataclass(frozen=True, slots=True)
class Witness:
    """Confusion matrices that give the printed figures, one per evaluation set.

    ``tp``, ``fp``, ``fn`` and ``tn`` are those of the summed matrix.
    """

    parts: tuple[Matrix, ...]
    reading: int = 0

    @property
    def matrix(self) -> Matrix:
        """The summed matrix; the only one where there is a single evaluation set."""
        return Matrix(*(sum(column) for column in zip(*self.parts, strict=True)))

    tp = property(lambda self: self.matrix.tp)
    fp = property(lambda self: self.matrix.fp)
    fn = property(lambda self: self.matrix.fn)
    tn = property(lambda self: self.matrix.tn)

    def __getitem__(self, key: str) -> int:
        return int(self.matrix._asdict()[key])

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"reading": self.reading, **self.matrix._asdict()}
        if len(self.parts) > 1:
            found["parts"] = [part._asdict() for part in self.parts]
        return found


def read_witness(data: Mapping[str, Any]) -> Witness | None:
    """The witness its ``to_dict`` wrote; None if its parts do not add up."""
    total = _matrix(data)
    parts = data.get("parts", [data])
    if not isinstance(parts, list) or not parts:
        raise UnreadableVerdict("witness.parts: expected a list of matrices")
    witness = Witness(tuple(_matrix(part) for part in parts))
    return witness if witness.matrix == total else None


def _matrix(data: object) -> Matrix:
    if not isinstance(data, Mapping):
        raise UnreadableVerdict("witness: expected tp, fp, fn and tn")
    return Matrix(*(read(int, data.get(name), f"witness.{name}") for name in Matrix._fields))


def give_one(problem: Problem, witness: Witness) -> bool:
    """Whether there is one matrix, and it hits every target."""
    return len(witness.parts) == 1 and one_matrix.confirms(problem, witness.parts[0])


def confirms_parts(problem: Problem, witness: Witness) -> bool:
    """Whether there is one matrix per part, and together they hit every target.

    Where folds are not known the matrices say how the items fell.
    """
    if any(min(matrix) < 0 for matrix in witness.parts):
        return False
    samples = [Sample(matrix.p, matrix.n) for matrix in witness.parts]
    points = [(matrix.tp, matrix.tn) for matrix in witness.parts]
    known = len(problem.parts)
    if tuple(samples[:known]) != problem.parts or len(samples) != problem.size:
        return False
    folds = [samples[parts.start : parts.stop] for _, parts in problem.spans]
    return confirms_folded(problem, folds, points)
