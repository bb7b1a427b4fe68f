"""Mean, deviation and median of exact numbers: what these words mean in a claim.

A mean of fractions is a fraction, a mean of roots is a sum of roots, a standard deviation is the root
of such a sum, or of products of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import TypeVar

from scoreproof.exact import Real, RootSum, added, enclosed, order
from scoreproof.interval import Interval
from scoreproof.question.question import Undefined

ZERO = Fraction(0)
Key = TypeVar("Key", bound=Hashable)


def settled(values: Mapping[Key, Real | None], undefined: Undefined) -> dict[Key, Real] | None:
    """The numbers that count, by the convention for undefined ones; None where no figure exists."""
    found = {key: value for key, value in values.items() if value is not None}
    if undefined == "zero":
        found = {key: ZERO if value is None else value for key, value in values.items()}
    elif undefined == "impossible" and len(found) < len(values):
        return None
    return found or None


def mean(values: Sequence[Real]) -> Real:
    """The arithmetic mean.

    >>> mean([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 12)
    """
    fractions = [value for value in values if isinstance(value, Fraction)]
    if len(fractions) == len(values):
        return added(fractions) / len(values)
    return RootSum.of(*values).over(len(values)).plain


def mean_of(values: Sequence[Real | None], undefined: Undefined) -> Real | None:
    """The mean of the scores of parts, None where one is undefined; None where it does not exist."""
    found = settled(dict(enumerate(values)), undefined)
    return None if found is None else mean(list(found.values()))


def median(values: Sequence[Real]) -> Real:
    """The middle one; of an even number of values the mean of the middle two."""
    ordered = sorted(values, key=cmp_to_key(order))
    return mean([ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]])


@dataclass(frozen=True, slots=True)
class Deviation:
    """The standard deviation √(Σ(x-mean)²/divisor) of some numbers."""

    values: tuple[Real, ...]
    divisor: int

    def variance(self) -> RootSum:
        """Its square, exactly; slow for many different roots."""
        count = len(self.values)
        if all(isinstance(x, Fraction) for x in self.values):
            fractions: Sequence[Fraction] = self.values  # type: ignore[assignment]
            whole = added(fractions)
            return RootSum((added([x * x for x in fractions]) - whole * whole / count) / self.divisor)
        total, squares = RootSum.of(*self.values), RootSum()
        for each in map(RootSum.of, self.values):
            squares.add(each.times(each))
        return squares.plus(total.times(total), Fraction(-1, count)).over(self.divisor)

    def variance_between(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two rationals around its square, closer for more bits."""
        ends = [enclosed(x, bits) for x in self.values]
        below, above = (added(side) / len(ends) for side in zip(*ends, strict=True))
        least, most = [], []
        for low, high in ends:
            near, far = sorted((abs(low - above), abs(high - below)))
            least.append(ZERO if low - above <= 0 <= high - below else near * near)
            most.append(far * far)
        return added(least) / self.divisor, added(most) / self.divisor

    def squared_in(self, window: Interval) -> bool:
        """Whether its square lies in the window."""
        rational = all(isinstance(x, Fraction) for x in self.values)
        for bits in () if rational else (80, 200):  # first, since multiplying out many roots is slow
            low, high = self.variance_between(bits)
            if low in window and high in window:
                return True
            if (window.lo is not None and high < window.lo) or (window.hi is not None and low > window.hi):
                return False
        return within(self.variance(), window)


def within(value: RootSum, interval: Interval) -> bool:
    """Whether the number lies in the interval."""
    for end, closed, sign in ((interval.lo, interval.lo_closed, 1), (interval.hi, interval.hi_closed, -1)):
        if end is not None:
            side = sign * value.compare(end)
            if side < 0 or (side == 0 and not closed):
                return False
    return True
