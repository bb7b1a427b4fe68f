"""Exact intervals over the rationals, each end open or closed, either end missing.

>>> from fractions import Fraction
>>> Fraction(1, 3) in Interval(Fraction(1, 3), None, lo_closed=False)
False
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from scoreproof.exact import Real, compare


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers between ``lo`` and ``hi``; ``None`` means unbounded on that side."""

    lo: Fraction | None
    hi: Fraction | None
    lo_closed: bool = True
    hi_closed: bool = True

    @property
    def empty(self) -> bool:
        """Whether no number at all lies inside."""
        if self.lo is None or self.hi is None:
            return False
        return self.lo > self.hi or (not (self.lo_closed and self.hi_closed) and self.lo == self.hi)

    def side(self, value: Real) -> int:
        """Where ``value`` lies: -1 below the interval, 0 inside, 1 above."""
        lo, hi = self.lo, self.hi
        if lo is not None:
            order = compare(value, lo)
            if order < 0 or (order == 0 and not self.lo_closed):
                return -1
        if hi is not None:
            order = compare(value, hi)
            if order > 0 or (order == 0 and not self.hi_closed):
                return 1
        return 0

    def __contains__(self, value: Real) -> bool:
        return self.side(value) == 0

    def moved(self, times: Fraction | int, plus: Fraction | int) -> Interval:
        """The interval of ``times·x + plus``."""
        lo = None if self.lo is None else times * self.lo + plus
        hi = None if self.hi is None else times * self.hi + plus
        if times < 0:
            return Interval(hi, lo, self.hi_closed, self.lo_closed)
        return Interval(lo, hi, self.lo_closed, self.hi_closed)

    def reflected(self) -> Interval:
        """The interval of ``1 - x``: what a complement says about its score."""
        return self.moved(-1, 1)

    def whole(self) -> tuple[int | None, int | None]:
        """The first and the last whole number inside; None where there is no end."""
        first = None if self.lo is None else ceil(self.lo)
        last = None if self.hi is None else floor(self.hi)
        return (
            first if first is None or first != self.lo or self.lo_closed else first + 1,
            last if last is None or last != self.hi or self.hi_closed else last - 1,
        )

    def among(self, least: int, most: int) -> tuple[int, int]:
        """The first and the last of these whole numbers that lie inside; none does if they are in no order."""
        first, last = self.whole()
        return least if first is None else max(least, first), most if last is None else min(most, last)

    def intersect(self, *others: Interval) -> Interval:
        """The numbers in all of them."""
        lo, hi, lo_closed, hi_closed = self.lo, self.hi, self.lo_closed, self.hi_closed
        for other in others:
            if lo is None or (other.lo is not None and other.lo > lo):
                lo, lo_closed = other.lo, other.lo_closed
            elif other.lo == lo:
                lo_closed = lo_closed and other.lo_closed
            if hi is None or (other.hi is not None and other.hi < hi):
                hi, hi_closed = other.hi, other.hi_closed
            elif other.hi == hi:
                hi_closed = hi_closed and other.hi_closed
        if lo is self.lo and hi is self.hi and lo_closed == self.lo_closed and hi_closed == self.hi_closed:
            return self
        return Interval(lo, hi, lo_closed, hi_closed)
