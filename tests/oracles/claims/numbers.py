"""Exact numbers: fractions, and sums of square roots such as 1/2 + 3/4·√6.

A sum of roots is kept as {radicand: factor} with square-free radicands.  Roots of different
square-free numbers are linearly independent over the fractions, so two sums are equal exactly
when they are written alike, and a sum with a root left in it is never a fraction.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd, isqrt


class Roots:
    """A number a + b·√r + c·√s + …, at least one root among them."""

    __slots__ = ("terms",)

    def __init__(self, terms: tuple[tuple[int, Fraction], ...]) -> None:
        self.terms = terms  # ascending radicands; radicand 1 is the fraction

    def __hash__(self) -> int:
        return hash(self.terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Roots) and self.terms == other.terms

    def __repr__(self) -> str:
        return " + ".join(f"{factor}·√{radicand}" for radicand, factor in self.terms)

    def __add__(self, other: Number) -> Number:
        total = dict(self.terms)
        for radicand, factor in terms_of(other):
            total[radicand] = total.get(radicand, Fraction(0)) + factor
        return number(total)

    __radd__ = __add__

    def __neg__(self) -> Number:
        return self * Fraction(-1)

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    def __mul__(self, other: Number) -> Number:
        total: dict[int, Fraction] = {}
        for r, a in self.terms:
            for s, b in terms_of(other):
                common = gcd(r, s)  # √r·√s = common·√(rs/common²)
                rest = (r // common) * (s // common)
                total[rest] = total.get(rest, Fraction(0)) + a * b * common
        return number(total)

    __rmul__ = __mul__

    def __truediv__(self, other: int | Fraction) -> Number:
        return self * (1 / Fraction(other))


Number = Fraction | Roots


def terms_of(x: Number | int) -> tuple[tuple[int, Fraction], ...]:
    return x.terms if isinstance(x, Roots) else ((1, Fraction(x)),)


def number(terms: dict[int, Fraction]) -> Number:
    kept = tuple(sorted((radicand, factor) for radicand, factor in terms.items() if factor))
    if not kept:
        return Fraction(0)
    return kept[0][1] if len(kept) == 1 and kept[0][0] == 1 else Roots(kept)


@lru_cache(maxsize=100_000)
def root(x: Fraction) -> Number:
    """The square root of a fraction that is not negative."""
    # √(a/b) = √(a·b)/b, and squares are taken out of a·b
    rest, outside, free, d = x.numerator * x.denominator, 1, 1, 2
    while d * d <= rest:
        if rest % (d * d) == 0:
            rest //= d * d
            outside *= d
        elif rest % d == 0:
            rest //= d
            free *= d
        else:
            d += 1
    if not rest:
        return Fraction(0)
    return number({free * rest: Fraction(outside, x.denominator)})


@lru_cache(maxsize=200_000)
def sign(x: Number) -> int:
    """-1, 0 or 1."""
    if not isinstance(x, Roots):
        return (x > 0) - (x < 0)
    digits = 10**20
    while True:  # ends: the number is not 0
        low = high = Fraction(0)
        for radicand, factor in x.terms:
            below = isqrt(radicand * digits * digits)
            ends = (factor * below / digits, factor * (below + (radicand != 1)) / digits)
            low, high = low + min(ends), high + max(ends)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        digits *= digits


def below(x: Number, y: Number) -> bool:
    return x < y if isinstance(x, Fraction) and isinstance(y, Fraction) else sign(x - y) < 0


def nearly(x: Number) -> float:
    """A float, for a first guess only."""
    return float(sum(float(factor) * radicand**0.5 for radicand, factor in terms_of(x)))
