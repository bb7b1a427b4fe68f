"""What a median or quartile that stands between two scores says about either of them.

The median of ten accuracies on 20 items each is half-way between the fifth and the sixth, which are
multiples of 1/20: few pairs have a mean that was printed so.  What holds for all of these pairs is asked
as well.  It follows from the figure, so no matrices are lost.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from scoreproof.interval import Interval
from scoreproof.question.evaluate import value_at
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Target
from scoreproof.question.statistics import place
from scoreproof.scores import ROWS, Betas

#: Matrices of all different parts that are looked at.
MOST = 20_000
BETWEEN = (Kind.MEDIAN, Kind.Q1, Kind.Q3)
ZERO, ONE = Fraction(0), Fraction(1)


def neighbours(target: Target, parts: Sequence[Sample], betas: Betas) -> Iterator[Target]:
    """The scores on both sides of the place where the figure stands, each with what it can be."""
    meant = [part for part, weight in zip(parts, target.weights, strict=True) if weight]
    curved = target.score.squared or target.score.threshold or target.score.name not in ROWS
    if target.kind not in BETWEEN or curved:
        return
    at = place(target.kind, len(meant), target.quartiles)
    if at == floor(at) or sum((s.p + 1) * (s.n + 1) for s in set(meant)) > MOST:
        return
    values = possible(target.score.name, set(meant), betas)
    for interval, where in zip(
        around(values, target.interval, at - floor(at)), (floor(at), ceil(at)), strict=True
    ):
        yield Target(target.label, Kind.Q1, target.score, interval, target.weights, (), (0, 4 * where))


def possible(score: str, sizes: Collection[Sample], betas: Betas) -> list[Fraction]:
    """Every value of a score without roots on such parts; 0/0 may count as 0."""
    points = ((s, tp, tn) for s in sizes for tp in range(s.p + 1) for tn in range(s.n + 1))
    found = {value_at(score, tp, tn, s.p, s.n, betas) for s, tp, tn in points}
    return sorted({value if isinstance(value, Fraction) else ZERO for value in found})


def around(values: Sequence[Fraction], printed: Interval, up: Fraction) -> tuple[Interval, Interval]:
    """Where the lower and the upper of two values lie between which, so far up, a printed figure stands.

    >>> shares, printed = [Fraction(k, 20) for k in range(21)], Interval(Fraction(87, 100), Fraction(88, 100))
    >>> lower, upper = around(shares, printed, Fraction(1, 2))
    >>> lower.lo, lower.hi, upper.lo, upper.hi
    (Fraction(3, 4), Fraction(17, 20), Fraction(9, 10), Fraction(1, 1))
    """
    lo, hi = printed.lo, printed.hi
    if lo is None or hi is None:
        return Interval(None, None), Interval(None, None)
    pairs = []
    for low in values:
        first = bisect_left(values, max(low, (lo - (1 - up) * low) / up))
        last = bisect_right(values, (hi - (1 - up) * low) / up)
        if first < last:
            pairs.append((low, values[first], values[last - 1]))
    if not pairs:
        return Interval(ONE, ZERO), Interval(ONE, ZERO)
    upper = min(first for _, first, _ in pairs), max(last for *_, last in pairs)
    return Interval(pairs[0][0], pairs[-1][0]), Interval(*upper)
