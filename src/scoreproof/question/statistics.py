"""Mean, deviation, median and quartiles of exact numbers: what these words mean in a claim.

A mean of fractions is a fraction, a mean of roots is a sum of roots, a standard deviation is the root
of such a sum, or of products of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from math import ceil, floor
from typing import TypeVar

from scoreproof.exact import ONE, ZERO, Real, RootSum, added, compare, enclosed
from scoreproof.interval import Interval
from scoreproof.question.question import Kind, Undefined

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
    """The arithmetic mean."""
    fractions = [value for value in values if isinstance(value, Fraction)]
    if len(fractions) == len(values):
        return added(fractions) / len(values)
    return RootSum.of(*values).over(len(values)).plain


def place(kind: Kind, count: int, quartiles: tuple[int, int]) -> Fraction:
    """Where a statistic of so many numbers in order stands, counted from 1: one of them, or between two."""
    times, plus = (2, 2) if kind is Kind.MEDIAN else quartiles if kind in (Kind.Q1, Kind.Q3) else (0, 4)
    first = min(max(Fraction(times * count + plus, 4), ONE), Fraction(count))
    return count + 1 - first if kind in (Kind.MAX, Kind.Q3) else first


def ordered(values: Sequence[Real], place: Fraction) -> Real:
    """What stands at a place among the values in order; between two of them in proportion."""
    found = sorted(values, key=cmp_to_key(compare))
    quarters = int(4 * (place - floor(place)))
    return mean([found[floor(place) - 1]] * (4 - quarters) + [found[ceil(place) - 1]] * quarters)


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
        return self.variance() in window
