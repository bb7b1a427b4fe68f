"""One matrix with printed confidence intervals: what fits, and proofs that nothing does.

NoMatrix      the figures alone admit no matrix, whatever their intervals
NoInterval    of the matrices that give the figures none has the printed intervals; the
              verifier goes through them one by one
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof import one_matrix
from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.confidence import fits, proportion_fits
from scoreproof.proof.decision import Witness
from scoreproof.question.question import Limits, WithIntervals
from scoreproof.scores import Matrix

#: Counts of one class whose intervals are computed, and matrices gone through, at most.
MOST_COUNTS = 20_000
MOST_MATRICES = 100_000
#: Work of comparing one share, and of computing one interval.
ONE_SHARE = 1_000
ONE_INTERVAL = 100_000


class TooMany(Exception):
    """More matrices than can be gone through."""


@dataclass(frozen=True, slots=True)
class NoInterval:
    """No matrix that gives the figures has the printed intervals."""

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "no-interval"}


Certificate = NoMatrix | NoInterval


def from_dict(data: Mapping[str, Any]) -> Certificate:
    kind = data.get("kind")
    if isinstance(kind, str) and kind == "no-interval":
        return NoInterval()
    return NoMatrix.from_dict(data)


def replay(question: WithIntervals, certificate: Certificate, budget: Budget) -> bool:
    """Whether the certificate proves that no matrix gives the figures and the intervals."""
    if isinstance(certificate, NoMatrix):
        return one_matrix.replay(question.problem, certificate, budget)
    try:
        return next(fitting(question, budget), None) is None
    except TooMany:
        return False


def confirms(question: WithIntervals, witness: Witness) -> bool:
    """Whether the matrix gives the figures and their intervals."""
    if len(witness.parts) != 1:
        return False
    (matrix,) = witness.parts
    return one_matrix.confirms(question.problem, matrix) and has(question, matrix, question.limits)


def has(question: WithIntervals, matrix: Matrix, limits: tuple[Limits, ...]) -> bool:
    """Whether the intervals of this matrix can have been printed so."""
    return all(
        fits(question.method, each.score.name, matrix, (each.lower, each.upper), each.level) for each in limits
    )


def count(question: WithIntervals, budget: Budget) -> int | None:
    """How many matrices give the figures and their intervals; None if too many may."""
    try:
        return sum(1 for _ in fitting(question, budget))
    except TooMany:
        return None


def fitting(question: WithIntervals, budget: Budget) -> Iterator[Matrix]:
    """Every matrix that gives the figures and their intervals, by tp, then tn."""
    (sample,) = question.problem.parts
    columns = hits(question, "sens", sample.p, budget)
    rows = set(hits(question, "spec", sample.n, budget))
    others = tuple(each for each in question.limits if each.score.name not in ("sens", "spec"))
    candidates = one_matrix.fitting(question.problem, columns, rows.__contains__)
    for seen, matrix in enumerate(candidates, 1):
        if seen > MOST_MATRICES:
            raise TooMany
        budget.spend(ONE_INTERVAL * (1 + len(others)))
        if has(question, matrix, others):
            yield matrix


def hits(question: WithIntervals, name: str, size: int, budget: Budget) -> list[int]:
    """The hits of one class that its printed figure and interval leave possible."""
    if size > MOST_COUNTS:
        raise TooMany
    printed = [target.interval for target in question.problem.targets if target.score.name == name]
    limits = [each for each in question.limits if each.score.name == name]
    budget.spend(ONE_SHARE * (size + 1))
    found = [x for x in range(size + 1) if all(_share(x, size, interval) for interval in printed)]
    for each in limits:
        kept = []
        for x in found:
            budget.spend(ONE_INTERVAL)
            if proportion_fits(question.method, x, size, (each.lower, each.upper), each.level):
                kept.append(x)
        found = kept
    return found


def _share(x: int, size: int, interval: Interval) -> bool:
    return size == 0 or Fraction(x, size) in interval
