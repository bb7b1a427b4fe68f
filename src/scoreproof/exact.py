"""Exact real numbers of the form ``a + b·√q`` with rational a, b, q.

The value of every score of one confusion matrix has this form: most are fractions, the
geometric mean, the Fowlkes-Mallows index and the Matthews coefficient are single roots,
and the prevalence threshold ``1/(1+√L)`` becomes ``(1-√L)/(1-L)``.  Comparisons are made
in integers; a float only ever serves to show a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Surd:
    """The number ``a + b·√q`` with ``q >= 0`` not the square of a rational."""

    a: Fraction
    b: Fraction
    q: Fraction

    def __float__(self) -> float:
        return float(self.enclosure(70)[0])

    def enclosure(self, bits: int = 64) -> tuple[Fraction, Fraction]:
        """Two rationals around the number, about ``2**-bits`` apart relative to √q."""
        q = self.q
        scale = max(0, bits + (q.denominator.bit_length() - q.numerator.bit_length()) // 2 + 2)
        root = isqrt((q.numerator << (2 * scale)) // q.denominator)
        low, high = Fraction(root, 1 << scale), Fraction(root + 1, 1 << scale)
        ends = self.a + self.b * low, self.a + self.b * high
        return min(ends), max(ends)


def root_below(square: Fraction) -> Fraction:
    """A fraction just under √square, by at most 2⁻⁴⁸."""
    return Fraction(isqrt((square.numerator << 96) // square.denominator), 1 << 48)


def surd(a: Fraction, b: Fraction, q: Fraction) -> Fraction | Surd:
    """``a + b·√q``, as a plain fraction whenever it is one."""
    if b == 0 or q == 0:
        return a
    n, d = q.numerator, q.denominator
    if n & 3 in (0, 1) and d & 3 in (0, 1):  # no other remainder is that of a square
        up, down = isqrt(n), isqrt(d)
        if up * up == n and down * down == d:
            return a + b * Fraction(up, down)
    return Surd(a, b, q)


def _sign_of_sum(x: Fraction, y: Fraction, q: Fraction) -> int:
    """The sign of ``x + y·√q``, q > 0, in integers throughout."""
    xn, yn = x.numerator, y.numerator
    if xn == 0 or yn == 0 or (xn > 0) == (yn > 0):
        return sign(xn) or sign(yn)
    xd, yd = x.denominator, y.denominator
    # opposite signs: the larger square wins
    larger = xn * xn * yd * yd * q.denominator - yn * yn * q.numerator * xd * xd
    return sign(larger) * sign(xn)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def compare(value: Real, other: Real) -> int:
    """-1, 0 or 1 as ``value`` is below, equal to or above ``other``, exactly.

    >>> compare(surd(Fraction(0), Fraction(1), Fraction(2)), Fraction(141421, 100000))
    1
    """
    if isinstance(value, RootSum):
        if isinstance(other, Fraction):
            return value.compare(other)
        return value.plus(other, -1).compare(Fraction(0))
    if isinstance(other, (Surd, RootSum)):
        if not isinstance(value, Surd) or isinstance(other, RootSum):
            return -compare(other, value)
        # a1 - a2 + b1√q1 against b2√q2: compare signs, then squares, where the square of
        # the left side is again of the form x + y√q1.
        a, b, q = value.a - other.a, value.b, value.q
        left = _sign_of_sum(a, b, q)
        right = 1 if other.b > 0 else -1
        if left != right:
            return 1 if left > right else -1
        if not a:  # two plain roots: b1²·q1 against b2²·q2
            c, r = other.b, other.q
            mine = b.numerator**2 * q.numerator * c.denominator**2 * r.denominator
            other_square = c.numerator**2 * r.numerator * b.denominator**2 * q.denominator
            return left * sign(mine - other_square)
        squares = _sign_of_sum(a * a + b * b * q - other.b * other.b * other.q, 2 * a * b, q)
        return squares if left > 0 else -squares
    if isinstance(value, Surd):
        shift = value.a - other if value.a else -other
        return _sign_of_sum(shift, value.b, value.q)
    return sign(value.numerator * other.denominator - other.numerator * value.denominator)


class RootSum:
    """An exact number ``a + Σ b·√q``.

    Roots that are rational multiples of each other are added up only where nothing less will do,
    since that takes long where there are many.  Square roots of rationals no two of which differ by
    the square of a rational are linearly independent over the rationals, so a sum gathered like that
    with any root left in it is irrational: it never equals a fraction, and refining an enclosure
    always ends.
    """

    __slots__ = ("a", "gathered", "terms")

    def __init__(self, a: Fraction = Fraction(0)) -> None:
        self.a = a
        self.terms: dict[Fraction, Fraction] = {}  # b by q
        self.gathered = True

    def __repr__(self) -> str:
        return f"about {float(self):.12g} ({len(self.terms)} roots)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Fraction, Surd, RootSum)):
            return NotImplemented
        return compare(self, other) == 0

    __hash__ = None  # type: ignore[assignment]  # one number has many forms until it is gathered

    def __float__(self) -> float:
        return float(self.enclosure(80)[0])

    @classmethod
    def of(cls, *values: Real) -> RootSum:
        """The sum of some numbers."""
        total = cls()
        for value in values:
            total.add(value)
        return total

    def add(self, value: Real, times: Fraction | int = 1) -> None:
        if isinstance(value, Fraction):
            self.a += times * value
            return
        self.a += times * value.a
        for q, b in value.terms.items() if isinstance(value, RootSum) else ((value.q, value.b),):
            self.add_root(times * b, q)

    def add_root(self, b: Fraction, q: Fraction) -> None:
        self.terms[q] = self.terms[q] + b if q in self.terms else b
        self.gathered = False

    @property
    def roots(self) -> list[tuple[Fraction, Fraction]]:
        """The pairs (b, q), no two radicands differing by a square factor."""
        self.gather()
        return [(b, q) for q, b in self.terms.items()]

    def gather(self) -> None:
        """Add up the roots that are rational multiples of each other, or of 1."""
        if self.gathered:
            return
        found = {Fraction(1): self.a}
        for q, b in self.terms.items():
            for radicand in found:
                ratio = surd(Fraction(0), Fraction(1), q / radicand)
                if isinstance(ratio, Fraction):
                    found[radicand] += b * ratio
                    break
            else:
                found[q] = b
        self.a = found.pop(Fraction(1))
        self.terms = {q: b for q, b in found.items() if b}
        self.gathered = True

    def times(self, other: RootSum) -> RootSum:
        result = RootSum(self.a * other.a)
        for b, q in self.roots:
            result.add_root(b * other.a, q)
        for c, r in other.roots:
            result.add_root(c * self.a, r)
            for b, q in self.roots:
                result.add_root(b * c, q * r)
        return result

    def plus(self, other: Real, times: Fraction | int = 1) -> RootSum:
        result = RootSum.of(self)
        result.add(other, times)
        return result

    def enclosure(self, bits: int = 64) -> tuple[Fraction, Fraction]:
        """Two rationals around the number, closer for more bits."""
        ends = [Surd(Fraction(0), b, q).enclosure(bits) for q, b in self.terms.items()]
        return self.a + added([low for low, _ in ends]), self.a + added([high for _, high in ends])

    def compare(self, other: Fraction) -> int:
        """-1, 0 or 1 as the number is below, at or above a fraction."""
        bits = 64
        while self.terms:
            low, high = self.enclosure(bits)
            if low > other:
                return 1
            if high < other:
                return -1
            bits *= 2  # ends: what is left once it is gathered is irrational, and the fraction is not
            if bits > SUSPICIOUS:
                self.gather()
        return (self.a > other) - (self.a < other)

    def over(self, divisor: Fraction | int) -> RootSum:
        """The number divided by a fraction."""
        result = RootSum(self.a / divisor)
        result.terms = {q: b / divisor for q, b in self.terms.items()}
        result.gathered = self.gathered
        return result

    @property
    def plain(self) -> Real:
        """The same number as a fraction or a single root where it is one at first sight."""
        left = [(b, q) for q, b in self.terms.items() if b]
        return self if len(left) > 1 else surd(self.a, *left[0]) if left else self.a


#: Any number that a mean of scores can be.
Real = Fraction | Surd | RootSum
#: From this many bits on, a number that no enclosure tells from a fraction may well be one.
SUSPICIOUS = 512


def added(fractions: Sequence[Fraction]) -> Fraction:
    """Their sum over one common denominator, which is much faster than one by one."""
    common = lcm(*(x.denominator for x in fractions))
    return Fraction(sum(x.numerator * (common // x.denominator) for x in fractions), common)


def enclosed(value: Real, bits: int) -> tuple[Fraction, Fraction]:
    """Two rationals around any of these numbers."""
    return (value, value) if isinstance(value, Fraction) else value.enclosure(bits)
