"""Means and deviations of exact numbers, and how they are rounded for show.

A mean of fractions is a fraction, a mean of roots is a sum of roots, a standard deviation
is the root of such a sum.  None of them is ever turned into a float to be rounded: an
irrational number is enclosed by two fractions, closer and closer, until both round to the
same digits.  Only a number that lies exactly on a tie could keep that from ending; such a
number is rational, and the exact form is then asked whether it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from math import isqrt, lcm

from scoreproof.exact import RootSum, Surd, compare, show, surd
from scoreproof.question.question import Undefined

#: From this many bits on, a number that no enclosure tells from a tie is asked for its exact form.
SUSPICIOUS = 1000


@dataclass(frozen=True, slots=True, repr=False)
class RootTerms:
    """The number ``a + Σ b·√q``, at least two different q: a :class:`RootSum` whose roots are not
    gathered yet, which takes long where there are many."""

    a: Fraction
    roots: tuple[tuple[Fraction, Fraction], ...]  # (b, q)

    def __repr__(self) -> str:
        return f"about {shown(self, 12)} ({len(self.roots)} roots)"

    def __float__(self) -> float:
        return float(self.enclosure(80)[0])

    def enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two rationals around the number, closer for more bits."""
        ends = [Surd(Fraction(0), b, q).enclosure(bits) for b, q in self.roots]
        return self.a + _total([low for low, _ in ends]), self.a + _total([high for _, high in ends])


@dataclass(frozen=True, slots=True, repr=False)
class Deviation:
    """The standard deviation of numbers not all of them rational: √(Σ(x-mean)²/divisor)."""

    values: tuple[Fraction | Surd | RootTerms, ...]
    divisor: int

    def __repr__(self) -> str:
        return f"about {shown(self, 12)} (sd of {len(self.values)})"

    def __float__(self) -> float:
        return float(self.enclosure(80)[0])

    def enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two rationals around the number, closer for more bits."""
        ends = [_enclosed(x, bits) for x in self.values]
        count = len(ends)
        below, above = _total([low for low, _ in ends]) / count, _total([high for _, high in ends]) / count
        least, most = [], []
        for low, high in ends:
            near, far = sorted((abs(low - above), abs(high - below)))
            least.append(Fraction(0) if low - above <= 0 <= high - below else near * near)
            most.append(far * far)
        return (
            _root(_total(least) / self.divisor, bits)[0],
            _root(_total(most) / self.divisor, bits)[1],
        )

    def squared(self) -> RootSum:
        """The variance, times the divisor."""
        total, squares = RootSum(), RootSum()
        for each in map(_gathered, self.values):
            total, squares = total.plus(each, Fraction(1)), squares.plus(each.times(each), Fraction(1))
        return squares.plus(total.times(total), Fraction(-1, len(self.values)))


Value = Fraction | Surd | RootTerms
Real = Fraction | Surd | RootTerms | Deviation


def combined(terms: Iterable[tuple[Fraction, Value]]) -> Value:
    """``Σ times·value`` over the pairs (times, value)."""
    rational: list[Fraction] = []
    roots: dict[Fraction, Fraction] = {}
    for times, value in terms:
        (plain, _), *rest = _roots(value)
        rational.append(times * plain)
        for b, q in rest:
            roots[q] = roots.get(q, Fraction(0)) + times * b
    a = _total(rational)
    left = tuple((b, q) for q, b in roots.items() if b)
    if len(left) > 1:
        return RootTerms(a, left)
    return surd(a, *left[0]) if left else a


def mean(values: Sequence[Value]) -> Value:
    """The arithmetic mean.

    >>> mean([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 12)
    """
    share = Fraction(1, len(values))
    if all(isinstance(x, Fraction) for x in values):
        return _total(values) * share  # type: ignore[arg-type]
    return combined((share, x) for x in values)


def settled(values: Sequence[Value | None], undefined: Undefined) -> list[Value]:
    """The numbers a mean is taken over, by the convention for 0/0; none where it does not exist."""
    defined = [value for value in values if value is not None]
    match undefined:
        case "zero":
            return [Fraction(0) if value is None else value for value in values]
        case "skip":
            return defined
        case "impossible":
            return defined if len(defined) == len(values) else []


def mean_of(values: Sequence[Value | None], undefined: Undefined) -> Value | None:
    """The mean of the scores of parts, None where one is undefined; None where it does not exist."""
    found = settled(values, undefined)
    return mean(found) if found else None


def deviation(values: Sequence[Value], divisor: int) -> Real | None:
    """The standard deviation; None for the sample deviation (divisor 0) of a single number.

    >>> deviation([Fraction(1), Fraction(3)], 2)
    Fraction(1, 1)
    """
    if divisor < 1:
        return None
    if all(isinstance(x, Fraction) for x in values):
        fractions: Sequence[Fraction] = values  # type: ignore[assignment]
        common = lcm(*(x.denominator for x in fractions))
        whole = [x.numerator * (common // x.denominator) for x in fractions]
        count, total = len(whole), sum(whole)
        squares = sum(x * x for x in whole)
        variance = Fraction(count * squares - total * total, count * divisor * common * common)
        return surd(Fraction(0), Fraction(1), variance)
    if all(_order(x, values[0]) == 0 for x in values):
        return Fraction(0)
    return Deviation(tuple(values), divisor)


def extremes(values: Sequence[Value]) -> tuple[Value, Value]:
    """The smallest and the largest of the numbers."""
    different = list(dict.fromkeys(values))
    return min(different, key=cmp_to_key(_order)), max(different, key=cmp_to_key(_order))


def complement(value: Value) -> Value:
    """One minus the number."""
    return combined([(Fraction(1), Fraction(1)), (Fraction(-1), value)])


def shown(value: Real, decimals: int, rule: str = "nearest") -> str:
    """The number correctly rounded to so many decimals, by the rule (a tie goes to the even digit).

    >>> shown(mean([surd(Fraction(0), Fraction(1), Fraction(k)) for k in (2, 3)]), 6)
    '1.573132'
    >>> shown(Fraction(2, 3), 2, "down")
    '0.66'
    """
    scale = 10**decimals
    bits = 64 + 4 * decimals
    while True:
        low, high = (_whole(end * scale, rule) for end in _enclosed(value, bits))
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


def as_fraction(value: Real) -> Fraction | None:
    """The number as a fraction if it is one, else None."""
    match value:
        case Fraction():
            return value
        case Surd():
            return None
        case RootTerms():
            gathered = _gathered(value)
            return None if gathered.roots else gathered.a
        case Deviation():
            square = value.squared()
            root = surd(Fraction(0), Fraction(1), square.a / value.divisor)
            return None if square.roots or isinstance(root, Surd) else root


def _order(x: Value, y: Value) -> int:
    """-1, 0 or 1 as x is below, equal to or above y, exactly."""
    if not isinstance(x, RootTerms) and not isinstance(y, RootTerms):
        return compare(x, y)
    gap = combined([(Fraction(1), x), (Fraction(-1), y)])
    for bits in (64, 256, SUSPICIOUS):
        low, high = _enclosed(gap, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
    return _gathered(gap).compare(Fraction(0))


def _gathered(value: Value) -> RootSum:
    """The same number with roots that are rational multiples of each other added up."""
    total = RootSum()
    for b, q in _roots(value):
        total.add_root(b, q)
    return total


def _roots(value: Value) -> list[tuple[Fraction, Fraction]]:
    """The number as pairs (b, q) of ``Σ b·√q``."""
    if isinstance(value, Fraction):
        return [(value, Fraction(1))]
    roots = ((value.b, value.q),) if isinstance(value, Surd) else value.roots
    return [(value.a, Fraction(1)), *roots]


def _enclosed(x: Real, bits: int) -> tuple[Fraction, Fraction]:
    return (x, x) if isinstance(x, Fraction) else x.enclosure(bits)


def _root(square: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Two rationals around the root of a number."""
    whole = isqrt((square.numerator << (2 * bits)) // square.denominator)
    return Fraction(whole, 1 << bits), Fraction(whole + 1, 1 << bits)


def _total(fractions: Sequence[Fraction]) -> Fraction:
    """The sum over one common denominator, which is much faster than one by one."""
    common = lcm(*(x.denominator for x in fractions))
    return Fraction(sum(x.numerator * (common // x.denominator) for x in fractions), common)
