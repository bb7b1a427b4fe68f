"""Proofs that no rankings give the figures.

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

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Literal, TypeGuard

from scoreproof.budget import Budget, TooMuch
from scoreproof.interval import Interval
from scoreproof.proof import kinds
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.ranking.chains import area, candidates, doubled, multiples
from scoreproof.proof.recount import Recount
from scoreproof.question.question import Kind, Problem, Ranked, Target, WithIntervals, WithoutCounts
from scoreproof.scores import LEAST_AUC, MOST_AUC, SCORES

ZERO, ONE = Fraction(0), Fraction(1)


@node("no-ranking")
class NoRanking(Proof):
    """No rankings give the figures; ``proof`` is the proof about the matrices, where it needs one."""

    why: str
    proof: Proof | None = None


def replay(question: Ranked, certificate: NoRanking, budget: Budget) -> bool:
    """Whether the certificate proves that no rankings give the figures."""
    proof = certificate.proof
    match certificate.why:
        case "undefined":
            return lacking(question)
        case "granularity":
            return no_multiple(question)
        case "relation":
            return broken_bound(question) is not None
        case "chains":
            return _no_chain(question, budget)
        case "counts":
            base = question.base
            return isinstance(base, WithoutCounts) and kinds.replays(base, proof, budget)
        case "products":
            return kinds.replays(closely_confined(question), proof, budget)
        case "matrix" | "parts":
            matrices = confined(question)
            if matrices is None or (certificate.why == "matrix") != one_matrix(matrices):
                return False
            return kinds.replays(matrices, proof, budget)
    return False


def _known(base: Problem | WithoutCounts) -> TypeGuard[Problem]:
    return isinstance(base, Problem) and not base.foldings


def one_matrix(matrices: Problem | WithIntervals) -> bool:
    """Whether the question about matrices is about one."""
    return isinstance(matrices, WithIntervals) or matrices.single


def lacking(question: Ranked) -> bool:
    """Whether some test set has one class only, so that its AUC is undefined."""
    return (
        bool(question.areas)
        and _known(question.plain)
        and any(not (part.p and part.n) for part in question.plain.parts)
    )


def no_multiple(question: Ranked) -> bool:
    """Whether no value of AUC that these counts can give is printed.

    For a mean over K parts with m = p·n pairs each, 2·K·(mean AUC) is a sum of multiples of
    1/m, so a multiple of 1/lcm(m).
    """
    base = question.plain
    if not _known(base) or lacking(question) or not (question.averaged or base.single):
        return False
    unit = 2 * len(base.parts) * lcm(*(part.p * part.n for part in base.parts))
    first, last = multiples(area(question), unit)
    return first > last


def confined(question: Ranked) -> Problem | WithIntervals | None:
    """The question about the matrices with what the areas say about them; None without counts.

    One ranking: sens·spec <= AUC <= 1 - (1-sens)·(1-spec), with AUC at a multiple of 1/(2·p·n).
    Means: in every part sens + spec - 1 <= sens·spec <= AUC and AUC <= sens + spec, so the same
    holds between the means, in which it is linear.
    """
    if isinstance(question.base, WithIntervals):
        narrow = confined(replace(question, base=question.base.problem))
        return replace(question.base, problem=narrow) if isinstance(narrow, Problem) else None
    base = question.base
    if isinstance(base, WithoutCounts) or not question.areas or lacking(question):
        return base if not isinstance(base, WithoutCounts) and not question.areas else None
    if question.averaged:
        printed = area(question)
        limits = replace(printed.moved(1, -1), hi=printed.hi)
        weights = (Fraction(1, base.size),) * base.size
        target = Target(question.areas[0][0], Kind.MEAN, SCORES["bm"], limits, weights)
        return replace(base, targets=(*base.targets, target))
    if not isinstance(base, Problem) or not base.single:
        return None
    (sample,) = base.parts
    first, last = doubled(question)
    pairs = 2 * sample.p * sample.n
    return _with_area(question, base, Interval(Fraction(first, pairs), Fraction(last, pairs)))


def recounted(question: Ranked, budget: Budget, enough: int | None = None) -> Recount:
    """How many matrices a ranking with these figures can have; counted where one threshold is spoken of."""
    matrices = confined(question)
    several = question.averaged or question.points or any(score.name == "ap" for _, score, _ in question.areas)
    silent = isinstance(question.base, Problem) and not question.base.targets
    if several or matrices is None or not one_matrix(matrices) or silent:
        return Recount(0, True)
    count = kinds.kind_of(matrices).count
    return Recount(0, False) if count is None else count(matrices, budget, enough)


def closely_confined(question: Ranked) -> Problem | None:
    """The question about known parts with what a mean AUC says about products in every one.

    In every part sens·spec <= AUC <= 1 - (1-sens)·(1-spec), so the same holds between the means.
    """
    base = question.plain
    if not (question.averaged and question.areas and _known(base)) or base.single or lacking(question):
        return None
    return _with_area(question, base, area(question))


def _with_area(question: Ranked, base: Problem, area: Interval) -> Problem:
    """The question about matrices whose least AUC is not above this area, and whose largest not below."""
    label, weights = question.areas[0][0], (Fraction(1, len(base.parts)),) * len(base.parts)
    more = (
        Target(label, Kind.MEAN, LEAST_AUC, Interval(None, area.hi, True, area.hi_closed), weights),
        Target(label, Kind.MEAN, MOST_AUC, Interval(area.lo, None, area.lo_closed), weights),
    )
    return replace(base, targets=(*base.targets, *more))


def broken_bound(question: Ranked) -> Literal["least", "most", "range"] | None:
    """Which bound on AUC, by its range or by sensitivity and specificity, is broken whatever the counts."""
    base = question.base
    if not isinstance(base, WithoutCounts):
        return None
    ranges = {"sens": Interval(ZERO, ONE), "spec": Interval(ZERO, ONE)}
    for _, score, interval in base.figures:
        if score.name in ranges:
            ranges[score.name] = ranges[score.name].intersect(interval)
    sens, spec, printed = ranges["sens"], ranges["spec"], area(question)
    if sens.empty or spec.empty or printed.empty:
        return "range" if printed.empty else None
    assert sens.lo is not None and spec.lo is not None and sens.hi is not None and spec.hi is not None
    assert printed.lo is not None and printed.hi is not None
    least = sens.lo + spec.lo - 1 if base.averaged else sens.lo * spec.lo
    most = min(ONE, sens.hi + spec.hi) if base.averaged else 1 - (1 - sens.hi) * (1 - spec.hi)
    if printed.hi < least:
        return "least"
    return "most" if printed.lo > most else None


def _no_chain(question: Ranked, budget: Budget) -> bool:
    base = question.base
    if question.averaged or not isinstance(base, Problem) or not base.single or lacking(question):
        return False
    try:
        return next(candidates(question, budget), None) is None
    except TooMuch:
        return False
