"""Confidence intervals by their textbook formulas, to fifty digits; tails as plain sums.

Jeffreys' quantiles are scipy's, Wilson's interval with continuity correction is written as in R's prop.test.
"""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext
from fractions import Fraction as F
from functools import cache
from math import comb

from scipy.stats import beta

METHODS = (
    "wilson",
    "wald",
    "clopper-pearson",
    "agresti-coull",
    "jeffreys",
    "wilson-cc",
    "wald-cc",
    "logit",
)
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


@cache
def jeffreys_lower(x: int, m: int) -> Decimal:
    return Decimal(float(beta.ppf(0.025, x + 0.5, m - x + 0.5)))


def prop_test(x: int, m: int, z: Decimal) -> tuple[Decimal, Decimal]:
    """R's prop.test(x, m)$conf.int"""
    n, estimate, half = Decimal(m), Decimal(x) / Decimal(m), Decimal("0.5")
    yates = min(half, abs(Decimal(x) - n * half))
    z22n = z * z / (2 * n)

    def end(p: Decimal, side: int) -> Decimal:
        return (p + z22n + side * z * (p * (1 - p) / n + z22n / (2 * n)).sqrt()) / (1 + 2 * z22n)

    upper, lower = estimate + yates / n, estimate - yates / n
    return Decimal(0) if lower <= 0 else end(lower, -1), Decimal(1) if upper >= 1 else end(upper, 1)


def newcombe_cc(x: int, m: int, z: Decimal) -> tuple[Decimal, Decimal]:
    """Newcombe (1998), method 4."""
    n, p = Decimal(m), Decimal(x) / Decimal(m)
    q, z2 = 1 - p, z * z
    low = (2 * n * p + z2 - 1 - z * (z2 - 2 - 1 / n + 4 * p * (n * q + 1)).sqrt()) / (2 * (n + z2)) if x else 0
    high = (
        (2 * n * p + z2 + 1 + z * (z2 + 2 - 1 / n + 4 * p * (n * q - 1)).sqrt()) / (2 * (n + z2))
        if x < m
        else 1
    )
    return Decimal(low), Decimal(high)


def limits(method: str, x: int, m: int, z: Decimal) -> tuple[Decimal, Decimal]:
    """Lower and upper limit, not cut off."""
    with localcontext() as context:
        context.prec = 50
        n, q = Decimal(m), Decimal(x) / Decimal(m)
        if method == "jeffreys":
            return jeffreys_lower(x, m), 1 - jeffreys_lower(m - x, m)
        if method == "wilson-cc":
            return prop_test(x, m, z)
        if method == "logit":
            centre, half = (q / (1 - q)).ln(), z * (1 / Decimal(x) + 1 / Decimal(m - x)).sqrt()
            return tuple(1 / (1 + (-each).exp()) for each in (centre - half, centre + half))
        if method == "wald-cc":
            half = z * (q * (1 - q) / n).sqrt() + 1 / (2 * n)
            return q - half, q + half
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
    if method == "logit" and x in (0, m):
        return found
    every = [limits(method, x, m, z) for z in ZS]
    if method == "jeffreys" and x in (0, m):
        every += [(Decimal(0), every[0][1]) if x == 0 else (every[0][0], Decimal(1))]
    if method == "wilson-cc":
        with localcontext() as context:
            context.prec = 50
            every += [newcombe_cc(x, m, z) for z in ZS]
    for low, high in every:
        lows = printed_as(low, decimals) | printed_as(max(low, Decimal(0)), decimals)
        highs = printed_as(high, decimals) | printed_as(min(high, Decimal(1)), decimals)
        found |= {(a, b) for a in lows for b in highs}
    return found


assert getcontext().prec >= 28
