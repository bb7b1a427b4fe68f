"""Binomial tails and their continuous likes, enclosed in whole numbers of units 2^-BITS.

The probability of x or more of m items at a rate is the share of the beta distribution with x and
m - x + 1 below that rate.  Jeffreys' interval is made of that with x + 1/2 and m - x + 1/2, whose share
below t is

    t^(x+1/2)·(1-t)^(y+1/2) / ((x+1/2)·B) · Σ (m+1)…(m+k)/((x+3/2)…(x+k+1/2))·t^k,   y = m - x,
    B = π·C(2x,x)·C(2y,y)/(4^m·C(m,x)).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, isqrt

BITS = 128
#: Between which two whole numbers of units 10^-60 the number π lies.
PI = 3141592653589793238462643383279502884197169399375105820974944
PI_UNIT = 10**60


def tail_order(x: int, m: int, rate: Fraction, share: Fraction) -> int:
    """-1, 0, 1 as the probability of x or more of m at this rate is below, at or above the share."""
    low, high = tail(x, m, rate)
    if high * share.denominator < share.numerator << BITS:
        return -1
    if low * share.denominator > share.numerator << BITS:
        return 1
    a, d = rate.numerator, rate.denominator
    whole = sum(comb(m, k) * a**k * (d - a) ** (m - k) for k in range(x, m + 1))
    difference: int = whole * share.denominator - share.numerator * d**m
    return (difference > 0) - (difference < 0)


def tail(x: int, m: int, rate: Fraction) -> tuple[int, int]:
    """The probability of x or more of m, between two whole numbers of units 2^-BITS."""
    a, d = rate.numerator, rate.denominator
    b = d - a
    if x * d >= m * a:  # above the mean: terms fall from here on
        return _sum_up(x, m, a, b)
    below = _sum_up(m - x + 1, m, b, a)  # x - 1 or fewer are m - x + 1 or more of the others
    return (1 << BITS) - below[1], (1 << BITS) - below[0]


def _sum_up(x: int, m: int, a: int, b: int) -> tuple[int, int]:
    """The probability of x or more at rate a/(a+b), with x at or above the mean."""
    first = _product(_product(_choices(m, x), _power(a, a + b, x)), _power(b, a + b, m - x))
    shift = first[2] + BITS
    low, high = (
        (first[0] << shift, first[1] << shift) if shift > 0 else (first[0] >> -shift, _up(first[1], -shift))
    )
    total_low, total_high = low, high
    for k in range(x, m):
        up, down = (m - k) * a, (k + 1) * b
        low = low * up // down
        high = high * up // down + 1
        total_low += low
        total_high += high
        if high == 1:  # what is left is below one unit a term
            total_high += m - k
            break
    return total_low, total_high


#: A number between the first and the second times 2 to the third; both of about twice BITS digits.
Enclosed = tuple[int, int, int]


def _up(value: int, shift: int) -> int:
    return -(-value >> shift)


def _trimmed(low: int, high: int, exponent: int) -> Enclosed:
    shift = max(0, high.bit_length() - 2 * BITS)
    return low >> shift, _up(high, shift), exponent + shift


def _product(one: Enclosed, two: Enclosed) -> Enclosed:
    return _trimmed(one[0] * two[0], one[1] * two[1], one[2] + two[2])


@lru_cache(maxsize=1 << 10)
def _choices(m: int, x: int) -> Enclosed:
    whole = comb(m, x)
    return _trimmed(whole, whole, 0)


def _power(a: int, d: int, exponent: int) -> Enclosed:
    """(a/d) to a whole number, by squaring."""
    found: Enclosed = (1, 1, 0)
    scale = 2 * BITS + d.bit_length() - a.bit_length()
    base = _trimmed((a << scale) // d, -((-a << scale) // d), -scale)
    while exponent:
        if exponent & 1:
            found = _product(found, base)
        base, exponent = _product(base, base), exponent >> 1
    return found


def _quotient(one: Enclosed, two: Enclosed) -> Enclosed:
    shift = 2 * BITS + two[1].bit_length()
    low, high = (one[0] << shift) // two[1], -((-one[1] << shift) // two[0])
    return _trimmed(low, high, one[2] - two[2] - shift)


def _root(value: Fraction) -> Enclosed:
    whole = (value.numerator << 4 * BITS) // value.denominator
    return _trimmed(isqrt(whole), isqrt(whole + 1) + 1, -2 * BITS)


def beta_order(x: int, m: int, rate: Fraction, share: Fraction) -> int:
    """-1 or 1 as the share of the beta distribution with x + 1/2 and m - x + 1/2 below the rate, in (0, 1),
    is below or above this one; 0 if 128 digits do not tell them apart."""
    if (m + 1) * rate >= x + Fraction(3, 2) or (
        rate > Fraction(1, 2) and (m + 1) * (1 - rate) < m - x + Fraction(3, 2)
    ):
        # the terms of the series rise at first, or fall faster seen from the other end
        return -_series_order(m - x, m, 1 - rate, 1 - share)
    return _series_order(x, m, rate, share)


def _series_order(x: int, m: int, rate: Fraction, share: Fraction) -> int:
    a, d = rate.numerator, rate.denominator
    low, high = _first_term(x, m, rate)
    total_low, total_high = low, high
    wanted = share.numerator << BITS
    for k in range(1 << 24):
        if total_low * share.denominator > wanted:
            return 1
        up, down = 2 * (m + 1 + k) * a, (2 * x + 3 + 2 * k) * d
        if k % 4 == 0:
            # each later term is at most this share of the one before it
            top, bottom = (up, down) if up * d >= a * down else (a, d)
            rest = high * top // (bottom - top) + 1
            if (total_high + rest) * share.denominator < wanted:
                return -1
            if high <= 2:
                return 0
        low, high = low * up // down, high * up // down + 1
        total_low, total_high = total_low + low, total_high + high
    return 0


def _first_term(x: int, m: int, rate: Fraction) -> tuple[int, int]:
    a, d = rate.numerator, rate.denominator
    y = m - x
    above = _product(_product(_power(a, d, x), _power(d - a, d, y)), _root(rate * (1 - rate)))
    above = _product(_product(above, _choices(m, x)), (2 * PI_UNIT, 2 * PI_UNIT, 2 * m))
    below = _product(
        _product(_choices(2 * x, x), _choices(2 * y, y)), ((2 * x + 1) * PI, (2 * x + 1) * (PI + 1), 0)
    )
    low, high, exponent = _quotient(above, below)
    shift = exponent + BITS
    return (low << shift, high << shift) if shift > 0 else (low >> -shift, _up(high, -shift))
