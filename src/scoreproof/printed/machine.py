"""Figures a program printed as they were in memory: the digits of a 32- or 64-bit number.

Such digits look far more exact than the computation behind them: 0.9908000230789185 is what 9908/10000
becomes in 32 bits, 0.7000000000000001 an F1 score of 7/10.  They stand for a few units in the last
binary place, never for less than their rounding gives.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

#: Significant digits from which a figure may be a 32-bit number (as short as it can be written, or
#: rounded further down) or a 64-bit one, and beyond which it is one only if it is its exact expansion.
SHORT, LONG, LONGEST = 7, 15, 17
#: ... and from which a mean of 32-bit numbers is told from others.
TELLING = 13
#: Bits of the mantissa.
MANTISSA = {32: 24, 64: 53}
#: Units in the last binary place that a few operations can be off by.
UNITS = 8
#: Means of up to so many 32-bit numbers are known by their digits, too.
MOST_MEANT = 10

Slack = tuple[int, Fraction]
NONE: Slack = (0, Fraction(0))


def place(value: Fraction, bits: int) -> Fraction:
    """What the last binary place of a number that is not zero is worth."""
    up, down = abs(value.numerator), value.denominator
    exponent = up.bit_length() - down.bit_length()
    if up << max(0, -exponent) < down << max(0, exponent):
        exponent -= 1
    exponent += 1 - MANTISSA[bits]
    return Fraction(1 << max(0, exponent), 1 << max(0, -exponent))


def _nearest(value: Fraction, step: Fraction) -> Fraction:
    return round(value / step) * step


def slack(value: Fraction, unit: Fraction, significant: int, percent: bool = False) -> Slack:
    """The bits of the machine number, and how far the figure may be from the truth; (0, 0) if it is none.

    >>> slack(Fraction("0.7000000000000001"), Fraction(1, 10**16), 16)[0]
    64
    >>> slack(Fraction("0.9908000230789185"), Fraction(1, 10**16), 16)[0]
    32
    """
    if significant < SHORT or unit >= 1 or not value:
        return NONE
    if significant == SHORT:  # each is the shortest text of a 32-bit number, and may be no other number's
        return 32, unit / 2 + 2 * place(value, 32)
    bits = 32 if _single(value, unit, significant) else 64 if _double(value, unit, significant) else 0
    if not bits:
        return NONE
    # 1 - x is as exact as the number 1, and a percentage a hundred times as inexact
    largest = max(abs(value), Fraction(1))
    least = 100 if bits == 64 or percent or abs(value) > 1 else 1
    return bits, unit / 2 + max(UNITS * place(largest, bits), least * place(Fraction(1), bits))


def _double(value: Fraction, unit: Fraction, significant: int) -> bool:
    if significant <= LONGEST:
        return significant >= LONG
    return abs(_nearest(value, place(value, 64)) - value) <= unit / 2


def _single(value: Fraction, unit: Fraction, significant: int) -> bool:
    """Whether the digits are those of a 32-bit number, of its percentage, or of a mean of a few of them."""
    means = MOST_MEANT if significant >= TELLING else 1
    for scale in (1, 100):
        share, off = value / scale, unit / 2 / scale
        fine, coarse = place(share, 32), place(share, 32) * 2**16
        if significant >= TELLING:
            fine, off = fine / 64, off + 2 * place(share, 64)
        # all in units of one common part, which takes no more than whole numbers
        whole = lcm(share.denominator, off.denominator, fine.denominator, coarse.denominator)
        one, apart, near, far = (int(each * whole) for each in (share, off, fine, coarse))
        for count in range(1, means + 1):
            # a sum of 32-bit numbers, and not one such as 1/2 or 7 that needs far fewer bits
            if _off(count * one, near) <= count * apart < _off(count * one, far):
                return True
    return False


def _off(number: int, step: int) -> int:
    """How far a number is from the nearest multiple of the step."""
    rest = number % step
    return min(rest, step - rest)
