"""Straight lines and intervals that follow from printed figures, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from math import gcd, lcm

from scoreproof.interval import Interval
from scoreproof.proof.one_matrix import first_true
from scoreproof.proof.sums.model import ONE, ZERO, Curve
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Betas, Matrix, Score


def f_box(one: Interval, two: Interval, curve: Curve) -> tuple[Interval, Interval]:
    """The intervals of mean precision and mean recall that an F-measure of them leaves.

    F >= lo means 1/P + β²/R <= (1+β²)/lo, where the other term is least at its top; F <= hi
    turns both round.
    """
    # cc: four ends, each with its own inequality and its own way to be missing
    beta, lo, hi = curve.centre, curve.interval.lo, curve.interval.hi
    if one.lo is None or one.hi is None or two.lo is None or two.hi is None:
        return one, two
    p_lo, p_hi, r_lo, r_hi = one.lo, one.hi, two.lo, two.hi
    if lo is not None and lo > 0:
        room = (1 + beta) / lo
        if r_hi > 0 and room > beta / r_hi:
            p_lo = max(p_lo, 1 / (room - beta / r_hi))
        elif r_hi <= 0 or room < beta / r_hi:
            p_lo = p_hi + 1  # even P = 1 is not enough: empty
        if p_hi > 0 and room > 1 / p_hi:
            r_lo = max(r_lo, beta / (room - 1 / p_hi))
        elif p_hi <= 0 or room < 1 / p_hi:
            r_lo = r_hi + 1
    if hi is not None and hi > 0:
        room = (1 + beta) / hi
        if r_lo > 0 and room > beta / r_lo:
            p_hi = min(p_hi, 1 / (room - beta / r_lo))
        if p_lo > 0 and room > 1 / p_lo:
            r_hi = min(r_hi, beta / (room - 1 / p_lo))
    return (
        Interval(p_lo, p_hi, one.lo_closed or p_lo > one.lo, one.hi_closed or p_hi < one.hi),
        Interval(r_lo, r_hi, two.lo_closed or r_lo > two.lo, two.hi_closed or r_hi < two.hi),
    )


def pooled_lines(
    score: Score, interval: Interval, p: int, n: int, betas: Betas
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Half-planes a·tp + b·tn + c >= 0 that hold where the score lies in the interval."""
    up, down = score.polynomials(p, n, betas)
    lo, hi = interval.lo, interval.hi
    if score.threshold:
        # the score is 1/(1+√r): at least v > 0 means r <= ((1-v)/v)², and so on
        top = ((1 - lo) / lo) ** 2 if lo is not None and 0 < lo <= 1 else None
        bottom = ((1 - hi) / hi) ** 2 if hi is not None and 0 < hi <= 1 else None
        lo, hi = bottom, top
    lines = []
    for bound, sign in ((lo, 1), (hi, -1)):
        if bound is not None:
            # denominators are not negative, so cross-multiplying keeps the inequality
            a, b, c = (sign * (up[k] - bound * down[k]) for k in (3, 4, 5))
            lines.append((a, b, c))
    return lines


def unit_of(factors: Collection[Fraction]) -> Fraction:
    """All sums of factors times counts are multiples of this, since counts are whole; 0 without factors."""
    down = lcm(*(f.denominator for f in factors))
    return Fraction(gcd(*(f.numerator * (down // f.denominator) for f in factors)), down)


def reachable(interval: Interval, constant: Fraction, factors: list[Fraction]) -> Interval:
    """The interval shrunk to its first and last value that such a sum can have."""
    unit = unit_of(factors)
    if not unit:
        return Interval(constant, constant) if constant in interval else Interval(ONE, ZERO)
    steps = interval.moved(1 / unit, -constant / unit).whole()
    lo, hi = (None if k is None else constant + k * unit for k in steps)
    return Interval(lo, hi)


def micro_interval(
    target: Target, problem: Problem, summed: Callable[[int, int], Matrix], total: int
) -> Interval:
    """The numbers of correct items for which a monotone score of summed classes may fit."""

    def side(correct: int) -> int | None:
        value = target.score.value(summed(correct, total), problem.betas)
        if value is None and problem.undefined == "zero":
            value = ZERO
        return None if value is None else target.interval.side(value)

    def first(reached: int) -> int:
        """The least of 1 … total-1 from which on the score is inside, or above."""

        def holds(correct: int) -> bool:
            at = side(correct)
            return at is not None and (at if target.score.rises else -at) >= reached

        return first_true(1, total - 1, holds)

    few, many = first(0), first(1) - 1
    # the ends may be undefined, or counted as 0; whether they fit is said by themselves
    ends = [end for end in (0, total) if side(end) == 0]
    found = [*ends, few, many] if few <= many else ends
    return Interval(Fraction(min(found)), Fraction(max(found))) if found else Interval(ONE, ZERO)


def most_called(counts: Sequence[int], errors: int) -> int:
    """The largest Σ n·m with so many errors or fewer, for counts in order; the smallest for falling ones.

    An item of a class of n items that is called another, of n', moves it by n' - n.

    >>> most_called([1, 2, 5], 2), most_called([5, 2, 1], 2)
    (37, 22)
    """
    found = sum(n * n for n in counts)
    for n in counts[:-1]:
        moved = min(n, errors)
        found, errors = found + moved * (counts[-1] - n), errors - moved
    return found
