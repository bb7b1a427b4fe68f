"""Rankings as witnesses: read from data, and compared with the figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.errors import UnreadableVerdict
from scoreproof.proof import kinds
from scoreproof.proof.codec import read
from scoreproof.proof.ranking.no_ranking import divided
from scoreproof.proof.witness import Witness
from scoreproof.question import evaluate
from scoreproof.question.folds import Sample
from scoreproof.question.question import Problem, Ranked, WithoutCounts
from scoreproof.scores import Matrix

#: Groups of a ranking, at most, if it is to be believed: sums of precisions of more are long.
MOST = 1_000


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
        total = Fraction(0)
        for more_a, more_b in self.groups:
            a, b = a + more_a, b + more_b
            total += Fraction(more_a * a, max(a + b, 1))
        return total / self.p

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
    groups = [read(tuple[tuple[int, int], ...], row.get("groups"), f"{place}.groups") for row in rows]
    cuts = [read(tuple[int, ...], row.get("thresholds"), f"{place}.thresholds") for row in rows]
    return Rankings(tuple(map(Ordering, groups, cuts)))


def confirms(question: Ranked, witness: Rankings) -> bool:
    """Whether the rankings belong to the test sets and give every figure."""
    rankings, plain = witness.rankings, question.plain
    if not all(_sound(question, each) for each in rankings):
        return False
    if not question.averaged and isinstance(plain, Problem):
        return _confirms_one(question, plain, rankings) and _hits(question, rankings)
    matrices = tuple(each.matrix(each.thresholds[0]) for each in rankings if len(each.thresholds) == 1)
    if len(matrices) < len(rankings) or not kinds.confirms(question.base, Witness(matrices)):
        return False
    if isinstance(plain, WithoutCounts):
        return len(rankings) == 1 and _hits(question, rankings)
    known = replace(plain, parts=tuple(Sample(m.p, m.n) for m in matrices), foldings=())
    asked = replace(question, base=known)
    return any(  # one divisor for matrices and areas alike
        kinds.confirms(way.base, Witness(matrices)) and _hits(way, rankings)
        for way in divided(asked) or [asked]
    )


def _sound(question: Ranked, ranking: Ordering) -> bool:
    """Whether counts are no less than 0, thresholds lie between groups, and the areas exist."""
    groups, asked = ranking.groups, question.areas or question.precisions
    counted = all(min(group) >= 0 for group in groups)
    between = all(0 <= cut <= len(groups) for cut in ranking.thresholds)
    short = not question.precisions or len(groups) <= MOST
    return counted and between and short and (not asked or (ranking.p > 0 and ranking.n > 0))


def _confirms_one(question: Ranked, base: Problem, rankings: tuple[Ordering, ...]) -> bool:
    if len(rankings) != 1 or base.parts != (Sample(rankings[0].p, rankings[0].n),):
        return False
    asked = [*([question.base] if base.targets else []), *question.points]
    (ranking,) = rankings
    return len(ranking.thresholds) == len(asked) and all(
        kinds.confirms(each, Witness((ranking.matrix(cut),)))
        for each, cut in zip(asked, ranking.thresholds, strict=True)
    )


def _hits(question: Ranked, rankings: tuple[Ordering, ...]) -> bool:
    """Whether the areas of the rankings give every figure about them.

    An area is the sensitivity of a part with as many positives as its denominator.
    """
    known = question.plain if isinstance(question.plain, Problem) else Problem((), ())
    for areas, name in ((question.areas, "auc"), (question.precisions, "average_precision")):
        values = [getattr(each, name) for each in rankings] if areas else []
        parts = tuple(Sample(value.denominator, 1) for value in values)
        points = [(value.numerator, 0) for value in values]
        if not evaluate.confirms(replace(known, parts=parts, targets=areas), points):
            return False
    return True
