"""Deviations and extremes in their simplest form, and how exact numbers are rounded for show.

None of them is ever turned into a float to be rounded: an irrational number is enclosed by two
fractions, closer and closer, until both round to the same digits.  Only a number that lies exactly on a
tie could keep that from ending; such a number is rational, and the exact form is then asked whether it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from math import isqrt

from scoreproof.exact import Real, RootSum, Surd, compare, enclosed, surd
from scoreproof.question import statistics
from scoreproof.writing import show

#: From this many bits on, a number that no enclosure tells from a tie is asked for its exact form.
SUSPICIOUS = 1000


class Deviation(statistics.Deviation):
    """A standard deviation that can be shown."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"about {float(self):.12g} (sd of {len(self.values)})"

    def __float__(self) -> float:
        return float(self.enclosure(80)[0])

    def enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two rationals around the number, closer for more bits."""
        low, high = (
            isqrt((square.numerator << (2 * bits)) // square.denominator)
            for square in self.variance_between(bits)
        )
        return Fraction(low, 1 << bits), Fraction(high + 1, 1 << bits)


#: What is shown: a mean of scores, or a deviation.
Shown = Real | Deviation


def deviation(values: Sequence[Real], divisor: int) -> Fraction | Surd | Deviation | None:
    """The standard deviation; None for the sample deviation (divisor 0) of a single number.

    >>> deviation([Fraction(1), Fraction(3)], 2)
    Fraction(1, 1)
    """
    if divisor < 1:
        return None
    found = Deviation(tuple(values), divisor)
    if all(isinstance(x, Fraction) for x in values):
        return surd(Fraction(0), Fraction(1), found.variance().a)
    return Fraction(0) if all(compare(x, values[0]) == 0 for x in values) else found


def extremes(values: Sequence[Real]) -> tuple[Real, Real]:
    """The smallest and the largest of the numbers."""
    return min(values, key=cmp_to_key(compare)), max(values, key=cmp_to_key(compare))


def complement(value: Real) -> Real:
    """One minus the number."""
    return RootSum(Fraction(1)).plus(value, -1).plain


def shown(value: Shown, decimals: int, rule: str = "nearest") -> str:
    """The number correctly rounded to so many decimals, by the rule (a tie goes to the even digit).

    >>> shown(surd(Fraction(1), Fraction(1), Fraction(2)), 6)
    '2.414214'
    >>> shown(Fraction(2, 3), 2, "down")
    '0.66'
    """
    scale = 10**decimals
    bits = 64 + 4 * decimals
    while True:
        ends = value.enclosure(bits) if isinstance(value, Deviation) else enclosed(value, bits)
        low, high = (_whole(end * scale, rule) for end in ends)
        if low == high:
            return show(Fraction(low, scale), decimals)
        if bits > SUSPICIOUS and (exact := as_fraction(value)) is not None:
            value = exact
        bits *= 2  # ends: what is left is irrational, and a tie is not


def _whole(x: Fraction, rule: str) -> int:
    """The whole number x is rounded to; "down" and "up" mean towards and away from zero."""
    size, sign = abs(x), -1 if x < 0 else 1
    match rule:
        case "down":
            return sign * (size.numerator // size.denominator)
        case "up":
            return sign * -(-size.numerator // size.denominator)
        case "half-up":
            return sign * ((2 * size.numerator + size.denominator) // (2 * size.denominator))
        case _:
            return round(x)  # ties to the even digit


def as_fraction(value: Shown) -> Fraction | None:
    """The number as a fraction if it is one, else None."""
    match value:
        case Fraction():
            return value
        case Surd():
            return None
        case RootSum():
            return None if value.roots else value.a
        case Deviation():
            square = as_fraction(value.variance())
            root = None if square is None else surd(Fraction(0), Fraction(1), square)
            return None if isinstance(root, Surd) else root
