"""Shares of beta distributions below a rate, enclosed in whole numbers of units 2^-BITS.

The probability of x or more of m items at a rate is the share of the beta distribution with x and
m - x + 1 below that rate; Jeffreys' interval is made of that with x + 1/2 and m - x + 1/2.  With a and b
the share below t is

    t^a·(1-t)^b / (a·B(a, b)) · Σ (a+b)…(a+b+k-1)/((a+1)…(a+k))·t^k,

where 1/(a·B(a, b)) is C(a+b-1, a) for whole numbers, and with a = x + 1/2, b = y + 1/2, m = x + y

    B = π·C(2x,x)·C(2y,y)/(4^m·C(m,x)).
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache, reduce
from math import ceil, comb, floor, isqrt

BITS = 128
#: Between which two whole numbers of units 10^-60 the number π lies.
PI = 3141592653589793238462643383279502884197169399375105820974944
PI_UNIT = 10**60
#: Logarithms of factorials are taken to so many digits, from this number on, with these terms of Stirling's
#: series, which is off by less than the next one: below 1e-46.
_DIGITS, LARGE, MANY = Context(prec=55), 1_000, 10**12
STIRLING = (1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)
#: As a share of it, more than a number of choices among up to MANY items can be off that comes from logarithms.
OFF = 10**36


def tail_order(x: int, m: int, rate: Fraction, share: Fraction) -> int:
    """-1, 0, 1 as the probability of x or more of m, x > 0, at this rate is below, at or above the share."""
    found = order(2 * x, 2 * (m - x + 1), rate, share)
    if found:
        return found
    a, d = rate.numerator, rate.denominator
    whole = sum(comb(m, k) * a**k * (d - a) ** (m - k) for k in range(x, m + 1))
    difference: int = whole * share.denominator - share.numerator * d**m
    return (difference > 0) - (difference < 0)


def beta_order(x: int, m: int, rate: Fraction, share: Fraction) -> int:
    """The same of the beta distribution with x + 1/2 and m - x + 1/2; 0 if 128 digits do not tell."""
    return order(2 * x + 1, 2 * (m - x) + 1, rate, share)


def order(a: int, b: int, rate: Fraction, share: Fraction) -> int:
    """-1 or 1 as the share of the beta distribution with a/2 and b/2 below the rate, in (0, 1), is below
    or above this one; 0 if 128 digits do not tell them apart."""
    if (a + b) * rate >= a + 2 or (2 * rate > 1 and (a + b) * (1 - rate) < b + 2):
        # the terms of the series rise at first, or fall faster seen from the other end
        return -_series_order(b, a, 1 - rate, 1 - share)
    return _series_order(a, b, rate, share)


def _series_order(a: int, b: int, rate: Fraction, share: Fraction) -> int:
    n, d = rate.numerator, rate.denominator
    low, high = first_term(a, b, rate)
    total_low, total_high = low, high
    wanted = share.numerator << BITS
    k = 0
    while True:
        if total_low * share.denominator > wanted:
            return 1
        up, down = (a + b + 2 * k) * n, (a + 2 + 2 * k) * d
        if k % 4 == 0:
            # each later term is at most this share of the one before it
            top, bottom = (up, down) if up * d >= n * down else (n, d)
            rest = high * top // (bottom - top) + 1
            if (total_high + rest) * share.denominator < wanted:
                return -1
            if not low:  # no later term adds anything
                return 0
        low, high = low * up // down, high * up // down + 1
        total_low, total_high, k = total_low + low, total_high + high, k + 1


def first_term(a: int, b: int, rate: Fraction) -> tuple[int, int]:
    x, y, up, whole = a // 2, b // 2, rate.numerator, rate.denominator
    term = _product(_power(up, whole, x), _power(whole - up, whole, y))
    if a % 2 == 0:
        term = _product(term, _choices(x + y - 1, x))
    else:
        term = _product(_product(term, _root(rate * (1 - rate))), _choices(x + y, x))
        term = _product(term, (2 * PI_UNIT, 2 * PI_UNIT, 2 * (x + y)))
        halves = _product(_choices(2 * x, x), _choices(2 * y, y))
        term = _quotient(term, _product(halves, (a * PI, a * (PI + 1), 0)))
    low, high, exponent = term
    shift = exponent + BITS
    return (low << shift, high << shift) if shift > 0 else (low >> -shift, _up(high, -shift))


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
    if min(x, m - x) < LARGE or m > MANY:
        whole = comb(m, x)
        return _trimmed(whole, whole, 0)
    two = _DIGITS.ln(Decimal(2))
    parts = _log_factorial(m, 1) + _log_factorial(x, -1) + _log_factorial(m - x, -1)
    parts.append(_DIGITS.divide(_DIGITS.ln(_DIGITS.divide(Decimal(2 * PI), Decimal(PI_UNIT))), Decimal(-2)))
    binary = int(_DIGITS.divide(reduce(_DIGITS.add, parts), two))
    parts.append(_DIGITS.multiply(two, Decimal(-binary)))
    found = Fraction(_DIGITS.exp(reduce(_DIGITS.add, parts)))
    low, high = (found * Fraction(OFF + sign, OFF) * 4**BITS for sign in (-1, 1))
    return _trimmed(floor(low), ceil(high), binary - 2 * BITS)


def _log_factorial(m: int, sign: int) -> list[Decimal]:
    """What ln m! - ln(2π)/2, with this sign, is the sum of, by Stirling's formula."""
    parts = [
        _DIGITS.multiply(Decimal(sign * (2 * m + 1)), _DIGITS.divide(_DIGITS.ln(Decimal(m)), Decimal(2))),
        Decimal(-sign * m),
    ]
    series = enumerate(STIRLING)
    return parts + [
        _DIGITS.divide(Decimal(sign * up), Decimal(down * m ** (2 * k + 1))) for k, (up, down) in series
    ]


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
