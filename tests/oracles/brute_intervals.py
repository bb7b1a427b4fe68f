"""Confidence intervals by their textbook formulas, to fifty digits; tails as plain sums."""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext
from fractions import Fraction as F
from functools import cache
from math import comb

METHODS = ("wilson", "wald", "clopper-pearson", "agresti-coull")
ZS = (Decimal("1.96"), Decimal("1.959963984540054235524594430520551"))


def decimal(x: F) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


@cache
def exact_lower(x: int, m: int) -> Decimal:
    """The rate at which x or more of m have probability 1/40, by halving."""
    if x == 0:
        return Decimal(0)

    def tail(rate: F) -> F:
        return sum(comb(m, k) * rate**k * (1 - rate) ** (m - k) for k in range(x, m + 1))

    low, high = F(0), F(1)
    for _ in range(34):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) < F(1, 40) else (low, middle)
    return decimal(low)


def limits(method: str, x: int, m: int, z: Decimal) -> tuple[Decimal, Decimal]:
    """Lower and upper limit, not cut off."""
    with localcontext() as context:
        context.prec = 50
        n, q = Decimal(m), Decimal(x) / Decimal(m)
        if method == "clopper-pearson":
            return exact_lower(x, m), 1 - exact_lower(m - x, m)
        if method == "wald":
            half = z * (q * (1 - q) / n).sqrt()
            return q - half, q + half
        centre = (Decimal(x) + z * z / 2) / (n + z * z)
        if method == "wilson":
            half = z / (n + z * z) * (n * q * (1 - q) + z * z / 4).sqrt()
        else:
            half = z * (centre * (1 - centre) / (n + z * z)).sqrt()
        return centre - half, centre + half


def printed_as(value: Decimal, decimals: int) -> set[int]:
    """The whole numbers of last digits the value rounds to: two if it is all but a tie."""
    scaled = value * 10**decimals
    return {
        int((scaled + shift).to_integral_value(rounding="ROUND_HALF_EVEN"))
        for shift in (Decimal("-1e-8"), Decimal(0), Decimal("1e-8"))
    }


def all_printed(method: str, x: int, m: int, decimals: int) -> set[tuple[int, int]]:
    """Every pair of limits, in last digits, a paper can print for x of m."""
    found = set()
    for z in ZS:
        low, high = limits(method, x, m, z)
        lows = printed_as(low, decimals) | printed_as(max(low, Decimal(0)), decimals)
        highs = printed_as(high, decimals) | printed_as(min(high, Decimal(1)), decimals)
        found |= {(a, b) for a in lows for b in highs}
    return found


assert getcontext().prec >= 28
