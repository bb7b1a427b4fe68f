"""Confusion matrices of two classes as witnesses: read from data, and compared with several parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.claim.folds import Sample
from scoreproof.errors import UnreadableVerdict
from scoreproof.proof import one_matrix
from scoreproof.proof.codec import read
from scoreproof.proof.decision import Witness
from scoreproof.question.question import Problem
from scoreproof.scores import Matrix


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


def give_averages(problem: Problem, witness: Witness) -> bool:
    """Whether there is one matrix per known part, and together they hit every target."""
    from scoreproof.proof import averages

    if any(min(matrix) < 0 for matrix in witness.parts):
        return False
    if tuple(Sample(matrix.p, matrix.n) for matrix in witness.parts) != problem.parts:
        return False
    return averages.confirms(problem, [(matrix.tp, matrix.tn) for matrix in witness.parts])


def give_folded(loose: Problem, witness: Witness) -> bool:
    """The same where the folds are not known: the matrices say how the items fell."""
    from scoreproof.proof import foldings

    if any(min(matrix) < 0 for matrix in witness.parts):
        return False
    samples = [Sample(matrix.p, matrix.n) for matrix in witness.parts]
    fixed = len(loose.parts)
    if tuple(samples[:fixed]) != loose.parts or len(samples) != loose.size:
        return False
    folds = []
    for folding in loose.foldings:
        folds.append(tuple(samples[fixed : fixed + folding.k]))
        fixed += folding.k
    pairs = tuple((matrix.tp, matrix.tn) for matrix in witness.parts)
    return foldings.confirms(loose, tuple(folds), pairs)
