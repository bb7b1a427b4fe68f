"""Exact numbers and intervals as people write them."""

from __future__ import annotations

from fractions import Fraction

from scoreproof.exact import Surd
from scoreproof.interval import Interval


def show(value: Fraction | Surd, digits: int | None = None) -> str:
    """The number as people write it: a short decimal if exact, else a fraction.

    With ``digits`` it is always a decimal, rounded to that many places.

    >>> show(Fraction(17889, 20000)), show(Fraction(1, 3)), show(Fraction(1, 3), 4)
    ('0.89445', '1/3', '0.3333')
    """
    if digits is not None:
        if isinstance(value, Surd):
            value = value.enclosure(4 * digits + 70)[0]
        scaled = round(value * 10**digits)
        sign = "-" if scaled < 0 else ""
        whole, rest = divmod(abs(scaled), 10**digits)
        return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"
    if isinstance(value, Surd):
        return f"{show(value.a)} + {show(value.b)}·√{show(value.q)}"
    places = next((k for k in range(41) if 10**k % value.denominator == 0), None)
    return str(value) if places is None else show(value, places)


def span(interval: Interval) -> str:
    """The interval in brackets, square where an end belongs to it.

    >>> span(Interval(Fraction(1, 4), None))
    '[0.25, ∞)'
    """
    left = "[" if interval.lo_closed and interval.lo is not None else "("
    right = "]" if interval.hi_closed and interval.hi is not None else ")"
    lo = "-∞" if interval.lo is None else show(interval.lo)
    hi = "∞" if interval.hi is None else show(interval.hi)
    return f"{left}{lo}, {hi}{right}"
