"""Rankings as witnesses: read from data, and compared with the figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.errors import UnreadableVerdict
from scoreproof.interval import Interval
from scoreproof.proof import intervals, kinds, one_matrix
from scoreproof.proof.codec import read
from scoreproof.proof.ranking.chains import thresholds
from scoreproof.proof.witness import Witness
from scoreproof.question.folds import Sample
from scoreproof.question.question import Problem, Ranked, WithIntervals
from scoreproof.scores import Matrix

ZERO = Fraction(0)
#: Groups of a ranking whose precisions are added as fractions, and the binary digits kept of more.
FEW, BITS = 500, 256


@dataclass(frozen=True, slots=True)
class Ordering:
    """A ranking: groups (positives, negatives) of tied items from the top score down.

    ``thresholds`` says for each operating point how many groups lie above it.
    """

    groups: tuple[tuple[int, int], ...]
    thresholds: tuple[int, ...] = ()

    @property
    def p(self) -> int:
        return sum(a for a, _ in self.groups)

    @property
    def n(self) -> int:
        return sum(b for _, b in self.groups)

    @property
    def auc(self) -> Fraction:
        """The share of pairs of a positive and a negative in order, ties half."""
        above = pairs = 0
        for a, b in self.groups:
            pairs += b * (2 * above + a)
            above += a
        return Fraction(pairs, 2 * self.p * self.n)

    @property
    def average_precision(self) -> Fraction:
        a = b = 0
        total = ZERO
        for more_a, more_b in self.groups:
            a, b = a + more_a, b + more_b
            if more_a:
                total += Fraction(more_a * a, a + b)
        return total / self.p

    def has_precision(self, interval: Interval) -> bool:
        """Whether the average precision lies in the interval; long rankings are added up in whole numbers."""
        if len(self.groups) <= FEW:
            return self.average_precision in interval
        a = b = low = high = 0
        for more_a, more_b in self.groups:
            a, b = a + more_a, b + more_b
            if more_a:
                low += (more_a * a << BITS) // (a + b)
                high -= -(more_a * a << BITS) // (a + b)
        return all(Fraction(end, self.p << BITS) in interval for end in (low, high))

    def matrix(self, threshold: int) -> Matrix:
        """The confusion matrix if the groups above the threshold are called positive."""
        tp = sum(a for a, _ in self.groups[:threshold])
        fp = sum(b for _, b in self.groups[:threshold])
        return Matrix(tp, fp, self.p - tp, self.n - fp)

    def to_dict(self) -> dict[str, Any]:
        return {"groups": [list(group) for group in self.groups], "thresholds": list(self.thresholds)}


@dataclass(frozen=True, slots=True)
class Rankings:
    """Rankings that give the printed figures, one per test set."""

    rankings: tuple[Ordering, ...]
    reading: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {"reading": self.reading, "rankings": [each.to_dict() for each in self.rankings]}


def read_witness(data: Mapping[str, Any]) -> Rankings:
    rows, place = data.get("rankings"), "witness.rankings"
    if not isinstance(rows, list) or not rows or not all(isinstance(row, Mapping) for row in rows):
        raise UnreadableVerdict(f"{place}: expected a list of groups and thresholds")
    return Rankings(
        tuple(
            Ordering(
                read(tuple[tuple[int, int], ...], row.get("groups"), f"{place}.groups"),
                read(tuple[int, ...], row.get("thresholds"), f"{place}.thresholds"),
            )
            for row in rows
        )
    )


def confirms(question: Ranked, witness: Rankings) -> bool:
    """Whether the rankings belong to the test sets and give every figure."""
    rankings = witness.rankings
    for each in rankings:
        if any(min(group) < 0 for group in each.groups) or (question.areas and not (each.p and each.n)):
            return False
        if any(not 0 <= cut <= len(each.groups) for cut in each.thresholds):
            return False
    if not all(_hits(rankings, score.name, interval) for _, score, interval in question.areas):
        return False
    base = question.base
    if not question.averaged and isinstance(question.plain, Problem):
        return _confirms_one(question, question.plain, rankings)
    matrices = [each.matrix(each.thresholds[0]) for each in rankings if len(each.thresholds) == 1]
    if len(matrices) < len(rankings):
        return False
    return kinds.confirms(base, Witness(tuple(matrices)))


def _confirms_one(question: Ranked, base: Problem, rankings: tuple[Ordering, ...]) -> bool:
    if len(rankings) != 1 or base.parts != (Sample(rankings[0].p, rankings[0].n),):
        return False
    asked = thresholds(question)
    (ranking,) = rankings
    if isinstance(question.base, WithIntervals) and not (
        ranking.thresholds and intervals.has(question.base, ranking.matrix(ranking.thresholds[0]))
    ):
        return False
    return len(ranking.thresholds) == len(asked) and all(
        one_matrix.confirms(point, ranking.matrix(cut))
        for point, cut in zip(asked, ranking.thresholds, strict=True)
    )


def _hits(rankings: tuple[Ordering, ...], name: str, interval: Interval) -> bool:
    if name == "ap":
        return len(rankings) == 1 and rankings[0].has_precision(interval)
    mean = sum((each.auc for each in rankings), ZERO) / len(rankings)
    return (mean if name == "auc" else 2 * mean - 1) in interval
