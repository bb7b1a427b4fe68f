"""The question about the residuals of predicted numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from scoreproof.claim.claim import Reading
from scoreproof.claim.tree import Regression
from scoreproof.interval import Interval
from scoreproof.printed import Rounding
from scoreproof.question.question import Residuals

ZERO = Fraction(0)
#: Taken so, R² is a bound only.
CORRELATION = ("r2", "squared correlation")


def question(reading: Reading, node: Regression) -> tuple[Residuals, tuple[str, ...]]:
    """The question about residuals, and remarks about what could not be used."""
    variance = _variance(node, reading.rounding)
    notes: list[str] = []
    partial = CORRELATION in reading.takes and not _any_correlation(node)
    if partial:
        notes.append("taken as a squared correlation, R² was used as a bound only")
    figures = []
    varying = variance is not None and variance.lo is not None and variance.lo > 0
    for printed in node.told.scores:
        needs_spread = printed.name.score.name in ("r2", "explained_variance")
        if needs_spread and not varying and reading.conventions.undefined != "impossible":
            notes.append(f"{printed.label} was left out: targets that do not vary leave it undefined")
            partial = True
            continue
        figures.append((printed.label, printed.name.score, printed.interval(reading.rounding)))
        if printed.figure.confidence is not None:
            notes.append(f"the confidence interval of {printed.label} was not used")
        if printed.figure.spread is not None and node.averaged:
            notes.append(f"the ± of {printed.label} was left out: deviations over folds of a regression")
            partial = True
        elif printed.figure.spread is not None:
            notes.append(f"the ± of {printed.label} was not used: one test set has no spread over parts")
    count = len(node.sizes) if node.known_count else None
    averaged = node.averaged and count != 1
    found = Residuals(tuple(figures), node.sizes, variance, averaged, count, node.repeats, partial)
    return found, tuple(notes)


def _any_correlation(node: Regression) -> bool:
    """Whether predictions with such an mse can have every squared correlation from 1 - mse / variance on.

    They can from three samples on (a share of the targets, a constant, noise), unless other errors are told.
    """
    alone = all(printed.name.score.name in ("mse", "rmse", "r2") for printed in node.told.scores)
    return alone and not node.averaged and all(size is None or size > 2 for size in node.sizes)


def _variance(node: Regression, rounding: Rounding) -> Interval | None:
    """The population variances the printed spread allows."""
    if node.spread is None:
        return None
    found = node.spread.interval(rounding).intersect(Interval(ZERO, None))
    if node.spread_kind in ("sd", "sample sd"):
        found = _each_end(found, lambda end: end * end)
    if node.spread_kind in ("sd", "variance"):
        return found
    if None in node.sizes:  # at least two samples: (N - 1)/N is at least one half, and below one
        return Interval((found.lo or ZERO) / 2, found.hi)
    whole = sum(size or 0 for size in node.sizes) // node.repeats
    if whole == 1:
        return Interval(ZERO, ZERO)
    return _each_end(found, lambda end: end * Fraction(whole - 1, whole))


def _each_end(interval: Interval, change: Callable[[Fraction], Fraction]) -> Interval:
    lo, hi = (None if end is None else change(end) for end in (interval.lo, interval.hi))
    return replace(interval, lo=lo, hi=hi)
