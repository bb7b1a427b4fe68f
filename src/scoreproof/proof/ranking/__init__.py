"""Proofs about rankings: a ranking that gives the figures, or why there is none.

A certificate names its argument:

    undefined     a test set without positives or without negatives has no AUC
    granularity   2·U is whole, and no such value is printed (for means: multiples of a unit)
    matrix        no matrix fits once AUC confines sens·spec and (1-sens)·(1-spec)
    parts         the same for means over parts, where AUC confines sens + spec - 1
    products      the same, where mean AUC confines the means of sens·spec and (1-sens)·(1-spec)
    chains        every chain of thresholds was looked at (``chains``); replay looks again
    relation      sens·spec <= AUC <= 1 - (1-sens)·(1-spec), whatever the counts
    counts        the figures of the matrix clash whatever the counts
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any, TypeGuard

from scoreproof.budget import Budget
from scoreproof.claim.folds import Sample
from scoreproof.errors import UnreadableVerdict
from scoreproof.interval import Interval
from scoreproof.proof import kinds, one_matrix
from scoreproof.proof.decision import Witness
from scoreproof.proof.ranking.chains import TooMuch, candidates, doubled, of_auc, thresholds, whole_numbers
from scoreproof.question.question import Kind, Problem, Ranked, Target, WithoutCounts
from scoreproof.scores import LEAST_AUC, MOST_AUC, SCORES, Matrix

ZERO, ONE = Fraction(0), Fraction(1)
WHYS = ("undefined", "granularity", "matrix", "parts", "products", "chains", "relation", "counts")


@dataclass(frozen=True, slots=True)
class NoRanking:
    """No rankings give the figures; ``proof`` is the proof about the matrices, where it needs one."""

    why: str
    proof: Any = None

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": "no-ranking", "why": self.why}
        if self.proof is not None:
            found["proof"] = self.proof if isinstance(self.proof, Mapping) else self.proof.to_dict()
        return found


def from_dict(data: Mapping[str, Any]) -> NoRanking:
    kind, why = data.get("kind"), data.get("why")
    if not isinstance(kind, str) or kind != "no-ranking" or not isinstance(why, str) or why not in WHYS:
        raise UnreadableVerdict(
            f"certificate: expected one of kind 'no-ranking' with why one of {', '.join(WHYS)}"
        )
    proof = data.get("proof")
    if proof is not None and not isinstance(proof, Mapping):
        raise UnreadableVerdict("certificate.proof: expected an object")
    return NoRanking(why, proof)


def replay(question: Ranked, certificate: NoRanking, budget: Budget) -> bool:
    """Whether the certificate proves that no rankings give the figures."""
    proof = certificate.proof
    match certificate.why:
        case "undefined":
            return lacking(question)
        case "granularity":
            return no_multiple(question)
        case "relation":
            return bool(broken(question))
        case "chains":
            return _no_chain(question, budget)
        case "counts":
            base = question.base
            return isinstance(base, WithoutCounts) and kinds.replays(base, proof, budget)
        case "products":
            return kinds.replays(closely_confined(question), proof, budget)
    matrices = confined(question)
    if matrices is None or (certificate.why == "matrix") != matrices.single:
        return False
    return kinds.replays(matrices, proof, budget)


def _known(base: Problem | WithoutCounts) -> TypeGuard[Problem]:
    return isinstance(base, Problem) and not base.foldings


def lacking(question: Ranked) -> bool:
    """Whether some test set has one class only, so that its AUC is undefined."""
    return (
        bool(question.areas)
        and _known(question.base)
        and any(not (part.p and part.n) for part in question.base.parts)
    )


def no_multiple(question: Ranked) -> bool:
    """Whether no value of AUC that these counts can give is printed.

    For a mean over K parts with m = p·n pairs each, 2·K·(mean AUC) is a sum of multiples of
    1/m, so a multiple of 1/lcm(m).
    """
    if not _known(question.base) or lacking(question):
        return False
    if not question.averaged:
        if not question.base.single:
            return False
        first, last = doubled(question)
        return first > last
    unit = 2 * len(question.base.parts) * lcm(*(part.p * part.n for part in question.base.parts))
    first, last = whole_numbers(area(question), unit)
    return first > last


def area(question: Ranked) -> Interval:
    """The values of AUC that are printed."""
    found = Interval(ZERO, ONE)
    for _, score, interval in question.areas:
        if score.name in ("auc", "gini"):
            found = found.intersect(of_auc(score.name, interval))
    return found


def confined(question: Ranked) -> Problem | None:
    """The question about the matrices with what the areas say about them; None without counts.

    One ranking: sens·spec <= AUC <= 1 - (1-sens)·(1-spec), with AUC at a multiple of 1/(2·p·n).
    Means: in every part sens + spec - 1 <= sens·spec <= AUC and AUC <= sens + spec, so the same
    holds between the means, in which it is linear.
    """
    base = question.base
    if isinstance(base, WithoutCounts) or not question.areas or lacking(question):
        return base if not isinstance(base, WithoutCounts) and not question.areas else None
    label = question.areas[0][0]
    if question.averaged:
        printed = area(question)
        count = base.size
        if printed.lo is None or printed.hi is None:
            return None
        limits = Interval(printed.lo - 1, printed.hi, printed.lo_closed, printed.hi_closed)
        weights = (Fraction(1, count),) * count
        target = Target(label, Kind.MEAN, SCORES["bm"], limits, weights)
        return replace(base, targets=(*base.targets, target))
    if not isinstance(base, Problem) or not base.single:
        return None
    (sample,) = base.parts
    first, last = doubled(question)
    pairs = 2 * sample.p * sample.n
    more = (
        Target(label, Kind.MEAN, LEAST_AUC, Interval(None, Fraction(last, pairs)), (ONE,)),
        Target(label, Kind.MEAN, MOST_AUC, Interval(Fraction(first, pairs), None), (ONE,)),
    )
    return replace(base, targets=(*base.targets, *more))


def closely_confined(question: Ranked) -> Problem | None:
    """The question about known parts with what a mean AUC says about products in every one.

    In every part sens·spec <= AUC <= 1 - (1-sens)·(1-spec), so the same holds between the means.
    """
    base, printed = question.base, area(question)
    if not (question.averaged and question.areas and _known(base)) or base.single:
        return None
    if lacking(question) or printed.lo is None or printed.hi is None:
        return None
    label, weights = question.areas[0][0], (Fraction(1, len(base.parts)),) * len(base.parts)
    more = (
        Target(label, Kind.MEAN, LEAST_AUC, Interval(None, printed.hi, True, printed.hi_closed), weights),
        Target(label, Kind.MEAN, MOST_AUC, Interval(printed.lo, None, printed.lo_closed), weights),
    )
    return replace(base, targets=(*base.targets, *more))


def broken(question: Ranked) -> str:
    """Which bound on AUC by sensitivity and specificity is broken whatever the counts, in words."""
    base = question.base
    if not isinstance(base, WithoutCounts):
        return ""
    ranges = {"sens": Interval(ZERO, ONE), "spec": Interval(ZERO, ONE)}
    for _, score, interval in base.figures:
        if score.name in ranges:
            ranges[score.name] = ranges[score.name].intersect(interval)
    sens, spec, printed = ranges["sens"], ranges["spec"], area(question)
    if any(each.empty or each.lo is None or each.hi is None for each in (sens, spec, printed)):
        return "AUC lies between 0 and 1" if printed.empty else ""
    assert sens.lo is not None and spec.lo is not None and sens.hi is not None and spec.hi is not None
    assert printed.lo is not None and printed.hi is not None
    least = sens.lo + spec.lo - 1 if base.averaged else sens.lo * spec.lo
    most = min(ONE, sens.hi + spec.hi) if base.averaged else 1 - (1 - sens.hi) * (1 - spec.hi)
    if printed.hi < least:
        return (
            "a mean AUC is at least mean sensitivity + mean specificity - 1"
            if base.averaged
            else "AUC is at least sensitivity times specificity"
        )
    if printed.lo > most:
        return (
            "a mean AUC is at most mean sensitivity + mean specificity"
            if base.averaged
            else "1 - AUC is at least (1 - sensitivity) times (1 - specificity)"
        )
    return ""


def _no_chain(question: Ranked, budget: Budget) -> bool:
    if question.averaged or not isinstance(question.base, Problem) or not question.base.single:
        return False
    if lacking(question):
        return False
    try:
        return next(candidates(question, budget), None) is None
    except TooMuch:
        return False


# -- witnesses ----------------------------------------------------------------------------------


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
    rows = data.get("rankings")
    if not isinstance(rows, list) or not rows:
        raise UnreadableVerdict("witness.rankings: expected a list")
    found = []
    for row in rows:
        groups = row.get("groups") if isinstance(row, Mapping) else None
        cuts = row.get("thresholds") if isinstance(row, Mapping) else None
        if not isinstance(groups, list) or not isinstance(cuts, list):
            raise UnreadableVerdict("witness.rankings: expected groups and thresholds")
        pairs = [group for group in groups if isinstance(group, list) and len(group) == 2]
        numbers = [number for pair in pairs for number in pair] + cuts
        if len(pairs) < len(groups) or any(type(number) is not int for number in numbers):
            raise UnreadableVerdict("witness.rankings: expected pairs of whole numbers")
        found.append(Ordering(tuple((a, b) for a, b in pairs), tuple(cuts)))
    return Rankings(tuple(found))


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
    if not question.averaged and isinstance(base, Problem):
        return _confirms_one(question, rankings)
    matrices = [each.matrix(each.thresholds[0]) for each in rankings if len(each.thresholds) == 1]
    if len(matrices) < len(rankings):
        return False
    return kinds.confirms(base, Witness(tuple(matrices)))


def _confirms_one(question: Ranked, rankings: tuple[Ordering, ...]) -> bool:
    assert isinstance(question.base, Problem)
    if len(rankings) != 1 or question.base.parts != (Sample(rankings[0].p, rankings[0].n),):
        return False
    asked = thresholds(question)
    (ranking,) = rankings
    return len(ranking.thresholds) == len(asked) and all(
        one_matrix.confirms(point, ranking.matrix(cut))
        for point, cut in zip(asked, ranking.thresholds, strict=True)
    )


def _hits(rankings: tuple[Ordering, ...], name: str, interval: Interval) -> bool:
    if name == "ap":
        return all(each.average_precision in interval for each in rankings) and len(rankings) == 1
    mean = sum((each.auc for each in rankings), ZERO) / len(rankings)
    return (mean if name == "auc" else 2 * mean - 1) in interval


__all__ = ["NoRanking", "Ordering", "Rankings", "confirms", "from_dict", "read_witness", "replay"]
