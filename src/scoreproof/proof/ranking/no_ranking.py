"""Proofs that no rankings give the figures.

A certificate names its argument:

    undefined     a test set without positives or without negatives has no AUC
    areas         no numbers 2·U of the parts give the figures of AUC: a proof about counts
    range         a mean, or the deviation beside it, of numbers that lie between two ends
    matrix        no matrices fit once AUC confines sens·spec and (1-sens)·(1-spec)
    parts         the same for means over parts, where AUC confines sens + spec - 1
    chains        every chain of thresholds was looked at (``chains``); replay looks again
    cases         one proof for each folding, or for each divisor of the deviations
    relation      sens·spec <= AUC <= 1 - (1-sens)·(1-spec), whatever the counts
    counts        the figures of the matrix clash whatever the counts
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Literal, TypeGuard

from scoreproof.budget import Budget, TooMuch
from scoreproof.exact import ONE, ZERO, root_below
from scoreproof.interval import Interval
from scoreproof.proof import kinds
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.ranking.chains import area, candidates, of_all, precision_bounds
from scoreproof.proof.recount import Recount
from scoreproof.question.evaluate import divisors
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Ranked, TableFigure, Target, TwoByTwo, WithoutCounts
from scoreproof.scores import LEAST_AUC, MOST_AUC, SCORES

#: Foldings that are looked at one by one.
FEW = 60


@node("no-ranking")
class NoRanking(Proof):
    """No rankings give the figures; ``proof`` is the proof about the matrices, where it needs one."""

    why: str
    proof: Proof | None = None
    cases: tuple[NoRanking, ...] = ()


def replay(question: Ranked, certificate: NoRanking, budget: Budget) -> bool:
    """Whether the certificate proves that no rankings give the figures."""
    proof = certificate.proof
    match certificate.why:
        case "undefined":
            return lacking(question)
        case "areas":
            return kinds.replays(alone(question), proof, budget)
        case "range":
            return out_of_range(question)
        case "matrix":
            return kinds.replays(closely_confined(question), proof, budget)
        case "parts" if isinstance(question.plain, Problem):
            return question.averaged and kinds.replays(confined(question), proof, budget)
        case "chains":
            return _no_chain(question, budget)
        case "cases":
            ways, cases = divided(question), certificate.cases
            both = zip(ways, cases, strict=False)
            return len(ways) == len(cases) > 0 and all(replay(*each, budget) for each in both)
        case "relation":
            return broken_bound(question) is not None
        case "counts" if isinstance(question.base, WithoutCounts):
            return kinds.replays(question.base, proof, budget)
    return False


def _known(base: Problem | WithoutCounts) -> TypeGuard[Problem]:
    return isinstance(base, Problem) and not base.foldings


def lacking(question: Ranked) -> bool:
    """Whether some test set has one class only, so that its AUC is undefined."""
    return (
        bool(question.areas or question.precisions)
        and _known(question.plain)
        and any(not (part.p and part.n) for part in question.plain.parts)
    )


def confined(question: Ranked) -> Problem:
    """The question about the matrices of parts with what their mean AUC says about them.

    In every part sens + spec - 1 <= sens·spec <= AUC and AUC <= sens + spec, so the same
    holds between the means, in which it is linear.
    """
    base, printed = question.plain, area(question)
    assert isinstance(base, Problem)
    limits = replace(printed.moved(1, -1), hi=printed.hi)
    targets = [replace(each, score=SCORES["bm"], interval=limits) for each in question.areas if of_all(each)]
    return replace(base, targets=(*base.targets, *targets[:1]))


def closely_confined(question: Ranked) -> Problem | TwoByTwo | None:
    """The question about matrices with what AUC says about products; None where they are not known.

    In every part sens·spec <= AUC <= 1 - (1-sens)·(1-spec), and so it is between means.  Of one
    ranking both ends are multiples of 1/(2·p·n), and every multiple between them is an AUC.  None of K
    numbers is farther from their mean than √((1 - 1/K)·Σ(x-m)²), since the others make up for it.
    """
    base = question.base
    if isinstance(base, TwoByTwo):
        narrow = closely_confined(replace(question, base=base.plain))
        if not isinstance(narrow, Problem):
            return None
        plain = tuple(TableFigure(each.label, each.score, each.interval) for each in narrow.targets)
        return replace(base, figures=plain + base.limited)
    if isinstance(base, WithoutCounts) or lacking(question):
        return None
    more, mean = [], area(question)
    for each in question.areas:
        kind, limits = each.kind if question.averaged else Kind.MEAN, each.interval
        if limits.hi is not None and (ways := _ways(base, each)):
            far = root_below(max(ways) * limits.hi**2 * (1 - Fraction(1, base.size))) + Fraction(1, 1 << 48)
            kind, limits = Kind.EACH, Interval(mean.moved(1, -far).lo, mean.moved(1, far).hi)
        if kind in (Kind.MEAN, Kind.EACH):
            below, above = Interval(None, limits.hi, True, limits.hi_closed), replace(limits, hi=None)
            more.append(replace(each, kind=kind, score=LEAST_AUC, interval=below))
            more.append(replace(each, kind=kind, score=MOST_AUC, interval=above))
    return replace(base, targets=(*base.targets, *more))


def recounted(question: Ranked, budget: Budget, enough: int | None = None) -> Recount:
    """How many matrices a ranking with these figures can have; counted where one threshold is spoken of."""
    matrices = closely_confined(question)
    silent = isinstance(question.base, Problem) and not question.base.targets
    if question.averaged or question.points or question.precisions or matrices is None or silent:
        return Recount(0, True)
    count = kinds.kind_of(matrices).count
    return Recount(0, False) if count is None else count(matrices, budget, enough)


def alone(question: Ranked) -> Problem | None:
    """The question about the AUCs of known parts without their matrices: of 2·p·n half pairs so many."""
    base = question.plain
    if not (question.averaged and _known(base)) or lacking(question):
        return None
    pairs = tuple(Sample(2 * part.p * part.n, 1) for part in base.parts)
    return replace(base, parts=pairs, targets=question.areas)


def divided(question: Ranked) -> list[Ranked]:
    """The question for each folding, if they are few, or for each divisor, if one holds for all deviations."""
    base = question.base
    if not isinstance(base, Problem) or not question.averaged:
        return []
    if base.foldings:
        from scoreproof.proof.sums.listing import every_folding

        every = list(islice(every_folding(replace(base, targets=base.targets + question.areas)) or (), FEW + 1))
        return [replace(question, base=base.with_folds(folds)) for folds in every] if len(every) <= FEW else []
    ways = [replace(base, spread="sample"), replace(base, spread="population")]
    return [replace(question, base=way) for way in ways] if base.spread == "either" else []


def _ways(base: Problem, each: Target) -> list[int]:
    """By what squares are divided if the figure is the deviation of all areas, as many as there are parts."""
    # folds that lack a class may be left out, and of how many the deviation is then is not known
    left_out = bool(base.foldings) and base.undefined == "skip"
    alone = each.kind is Kind.SD and len(each.clusters) == base.size and not left_out
    return divisors(base.spread, base.size) if alone else []


def out_of_range(question: Ranked) -> bool:
    """Whether a mean area over parts, known or not, or the deviation beside it, is beyond its range.

    Numbers x between a and 1 have (1-x)·(x-a) >= 0, so with K of them around their mean m
    Σ(x-m)² <= K·(1-m)·(m-a), which is the larger the nearer m is to the middle.  What they lack of 1, T in all,
    has Σ(1-x)² <= T², so Σ(x-m)² <= T²·(1-1/K).
    """
    base = question.plain
    if not question.averaged or isinstance(base, WithoutCounts) or lacking(question):
        return False
    known = set(base.parts) if question.precisions and not base.foldings else ()
    worst = [precision_bounds((), part.p, part.n)[0] for part in known]
    for own, least in ((question.areas, ZERO), (question.precisions, min(worst, default=ZERO))):
        mean = Interval(least, ONE).intersect(*(each.interval for each in own if of_all(each)))
        if mean.empty:
            return True
        assert mean.lo is not None and mean.hi is not None
        m, lacked = min(max((least + 1) / 2, mean.lo), mean.hi), base.size * (1 - mean.lo)
        most = min(base.size * (1 - m) * (m - least), lacked * lacked * (1 - Fraction(1, base.size)))
        if any(min(_ways(base, sd), default=0) * max(sd.interval.lo or ZERO, ZERO) ** 2 > most for sd in own):
            return True
    return False


def broken_bound(question: Ranked) -> Literal["least", "most", "range"] | None:
    """Which bound on AUC, by its range or by sensitivity and specificity, is broken whatever the counts."""
    base = question.base
    if not isinstance(base, WithoutCounts):
        return None
    every = {name: [i for _, score, i in base.figures if score.name == name] for name in ("sens", "spec")}
    sens, spec = (Interval(ZERO, ONE).intersect(*every[name]) for name in ("sens", "spec"))
    printed = area(question)
    if sens.empty or spec.empty or printed.empty:
        return "range" if printed.empty else None
    assert sens.lo is not None and spec.lo is not None and sens.hi is not None and spec.hi is not None
    assert printed.lo is not None and printed.hi is not None
    least = sens.lo + spec.lo - 1 if base.averaged else sens.lo * spec.lo
    most = min(ONE, sens.hi + spec.hi) if base.averaged else 1 - (1 - sens.hi) * (1 - spec.hi)
    return "least" if printed.hi < least else "most" if printed.lo > most else None


def _no_chain(question: Ranked, budget: Budget) -> bool:
    if question.averaged or not isinstance(question.plain, Problem) or lacking(question):
        return False
    try:
        return next(candidates(question, budget), None) is None
    except TooMuch:
        return False
