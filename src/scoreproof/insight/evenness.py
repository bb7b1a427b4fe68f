"""How plausible a fit is: whether means over folds need folds that are further apart than chance puts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.interval import Interval
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import Matrix
from scoreproof.verdict import Verdict
from scoreproof.writing import show

if TYPE_CHECKING:
    pass

#: Standard deviations within which chance leaves nearly all folds: about one in 16 000 is further out.
DEVIATIONS = 4
#: Wider bands, to say how far apart the folds must be at least.
WIDER = (5, 6, 8, 10, 12)
#: Shares of items, and whose.
ITEMS = {"acc": (1, 1), "sens": (1, 0), "spec": (0, 1)}
#: Work for the search for folds that are more alike.
WORK = 3_000_000_000


def unevenness(verdict: Verdict) -> str:
    """What is unusual about the folds that a consistent claim needs, in words; mostly empty."""
    problem = verdict.decisive.problem
    if verdict.status != CONSISTENT or not isinstance(problem, Problem) or problem.foldings or problem.matrices:
        return ""
    node = verdict.claim.counted.get("experiment")
    folded = isinstance(node, Mapping) and "folds" in node  # datasets may well be unlike
    if not folded or not isinstance(verdict.witness, Witness) or len(verdict.witness.parts) < 2:
        return ""
    bands = _bands(problem, DEVIATIONS)
    far = _left(bands, verdict.witness.parts)
    if not far:
        return ""
    from scoreproof.solve.sums.linear import soon_found

    budget = verdict.budget().at_most(WORK)
    if soon_found(_banded(problem, bands), budget) is not None:
        return ""
    found = _within(problem, bands, budget)
    if found == CONSISTENT:
        return ""
    return _unlike(problem, far[0], verdict.witness, found, budget)


def _left(bands: list[Target], parts: Sequence[Matrix]) -> list[Target]:
    """The bands that some of the parts lie outside of."""
    return [band for band in bands if any(_value(band, part) not in band.interval for part in parts)]


def _unlike(problem: Problem, band: Target, witness: Witness, found: str, budget: Budget) -> str:
    """How far the folds of a witness are apart, and how far they must be."""
    values = sorted(_value(band, part) for part in witness.parts)
    low, high = show(values[0], 2), show(values[-1], 2)
    apart = f"{band.score.name} runs from {low} to {high} over the folds of the example"
    usual = f"chance alone leaves nearly all folds between {_ends(band)}"
    if found != INCONSISTENT:
        return (
            f"the example has folds that are very unlike: {apart}, while {usual}; whether such fit is not known"
        )
    widest = band
    for deviations in WIDER:
        wider = _bands(problem, deviations)
        if _within(problem, wider, budget) != INCONSISTENT:
            break
        widest = next(each for each in wider if each.label == band.label)
    even = f"; even between {_ends(widest)} none do" if widest is not band else ""
    return f"these figures need folds that are very unlike: {apart}, while {usual}, and no such folds fit{even}"


def _within(problem: Problem, bands: list[Target], budget: Budget) -> str:
    """Whether the figures fit with every fold within the bands."""
    from scoreproof.insight.trial import settled

    return settled(_banded(problem, bands), budget)


def _banded(problem: Problem, bands: list[Target]) -> Problem:
    return replace(problem, targets=(*problem.targets, *bands))


def _ends(band: Target) -> str:
    return f"{show(band.interval.lo or Fraction(0), 2)} and {show(band.interval.hi or Fraction(1), 2)}"


def _bands(problem: Problem, deviations: int) -> list[Target]:
    return [band for target in problem.targets if (band := _band(problem, target, deviations)) is not None]


def _band(problem: Problem, target: Target, deviations: int) -> Target | None:
    """That every part's share lies where chance puts it, given the mean; in hundredths, outwards."""
    lo, hi = target.interval.lo, target.interval.hi
    if (
        target.kind is not Kind.MEAN
        or target.score.name not in ITEMS
        or target.clusters
        or lo is None
        or hi is None
    ):
        return None
    of_p, of_n = ITEMS[target.score.name]
    meant = [part for part, weight in zip(problem.parts, target.weights, strict=True) if weight]
    size = min(of_p * part.p + of_n * part.n for part in meant)
    mean = min(max((lo + hi) / 2, Fraction(0)), Fraction(1))
    if not size or len(meant) < 2:
        return None
    reach = deviations * Fraction(isqrt(int(mean * (1 - mean) / size * 10**12)) + 1, 10**6)
    low, high = max((mean - reach) * 100 // 1, 0), min(-(-(mean + reach) * 100 // 1), 100)
    return replace(target, kind=Kind.EACH, interval=Interval(Fraction(low, 100), Fraction(high, 100)))


def _value(band: Target, matrix: Matrix) -> Fraction:
    value = band.score.value(matrix)
    return value if isinstance(value, Fraction) else (band.interval.lo or Fraction(0))
