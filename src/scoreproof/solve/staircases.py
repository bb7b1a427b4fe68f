"""The first x of m items whose lower confidence limit is at least t, walked along growing sizes m.

Each step is decided in whole numbers:

    wald, agresti-coull     a convex parabola in x that is not above 0 at the limit, so it is crossed once
    wilson                  x against m·t + z·√(m·t(1-t))
    clopper-pearson,        the share of a beta distribution below t, carried from (a, b) to (a+1, b) and
    jeffreys                (a, b+1) by their difference, in units of 2^-BITS, every step's error counted

Where that error does not tell, the method itself is asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.proof.confidence import METHODS
from scoreproof.proof.tails import BITS, beta_order, first_term, tail_order

#: Work of one step, and of beginning a staircase.
STEP, BEGIN = 4_000, 100_000
#: Sizes at which a step is looked for anew rather than walked to.
FAR = 16


class Stairs(ABC):
    """For sizes that grow: the first x whose lower limit is at least t (above t, if strict); m + 1 for none."""

    at_zero = True  # whether being above 0 is more than being of one item or more

    def __init__(self, t: Fraction, strict: bool, budget: Budget) -> None:
        self.t, self.strict, self.budget = t, strict, budget
        self.x, self.m = 0, -FAR
        #: Where the step is known without walking: from none, from one, or at most for all of the items.
        self.from_none = t < 0 or (t == 0 and not strict)
        self.from_one = t == 0 and not self.at_zero
        self.all_at_most = t >= 1

    @abstractmethod
    def enough(self, x: int, m: int) -> bool:
        """Whether the limit of x of m, 0 < t < 1, is as wanted."""

    def first(self, m: int, a: int, b: int) -> int:
        """The first such x from a to b; b + 1 if there is none."""
        if self.from_none:
            return a
        if self.from_one:
            return max(a, 1)
        if self.all_at_most:
            return m if self.t == 1 and not self.strict and b == m and self.enough(m, m) else b + 1
        self.budget.spend(STEP)
        if m - self.m >= FAR:
            self.budget.spend(STEP * (b - a + 2).bit_length())
            self.x = bisect_left(range(a, b + 1), True, key=lambda x: self.enough(x, m)) + a
        else:
            self.x = min(max(self.x, a), b + 1)
            while self.x <= b and not self.enough(self.x, m):
                self.x += 1
            while self.x > a and self.enough(self.x - 1, m):
                self.x -= 1
        self.m = m
        return self.x


class RootStairs(Stairs):
    """The limits made of a normal quantile."""

    def __init__(self, method: str, z: Fraction, t: Fraction, strict: bool, budget: Budget) -> None:
        super().__init__(t, strict, budget)
        (a, b), (z_up, k) = t.as_integer_ratio(), z.as_integer_ratio()
        z2, k2 = z_up * z_up, k * k

        def wald(x: int, m: int) -> tuple[int, int]:
            d = x * b - m * a
            return d, d * d * m * k2 - z2 * b * b * x * (m - x)

        def wald_cc(x: int, m: int) -> tuple[int, int]:
            d = (2 * x - 1) * b - 2 * m * a
            return d, d * d * m * k2 - 4 * z2 * b * b * x * (m - x)

        def wilson(x: int, m: int) -> tuple[int, int]:
            d = x * b - m * a
            return d, d * d * k2 - z2 * m * a * (b - a)

        def wilson_cc(x: int, m: int) -> tuple[int, int]:
            d = (2 * x - 1) * b - 2 * m * a
            return d, d * d * k2 - 4 * z2 * m * a * (b - a)

        def agresti_coull(x: int, m: int) -> tuple[int, int]:
            up, down = 2 * k2 * x + z2, 2 * (m * k2 + z2)
            d = up * b - down * a
            return d, d * d * down - 2 * z2 * b * b * up * (down - up)

        ways = {"wald": wald, "wald-cc": wald_cc, "wilson": wilson, "wilson-cc": wilson_cc}
        self.above = ways.get(method, agresti_coull)
        #: Wilson's parabola is that of the limit, whose other root it is that reaches 1.
        self.below_one = method in ("wilson", "wilson-cc")

    def enough(self, x: int, m: int) -> bool:
        if self.t == 1 and self.below_one:
            return False
        d, difference = self.above(x, m)
        return d >= 0 and (difference > 0 if self.strict else difference >= 0)


class TailStairs(Stairs):
    """The limits made of tails: t is at most the limit of x if no more than the share lies below t.

    For Clopper and Pearson's a = x and b = m - x + 1, for Jeffreys' a = x + 1/2 and b = m - x + 1/2; both are
    kept in halves.  ``below`` is the share I(a, b) below t, and ``step`` is I(a, b) - I(a + 1, b), each in
    units of 2^-BITS and off by no more than the errors beside them.
    """

    at_zero = False

    def __init__(self, halves: bool, share: Fraction, t: Fraction, strict: bool, budget: Budget) -> None:
        super().__init__(t, strict, budget)
        self.halves, self.share, self.ratio = halves, share, t.as_integer_ratio()
        self.wanted = (share.numerator << BITS) // share.denominator
        self.a = self.b = self.below = self.step = self.below_error = self.step_error = 0

    def enough(self, x: int, m: int) -> bool:
        if x == 0 and not self.halves:
            return False  # the limit of none is 0
        self.go_to(*((2 * x + 1, 2 * (m - x) + 1) if self.halves else (2 * x, 2 * (m - x + 1))))
        if abs(self.below - self.wanted) > self.below_error + 1:
            return self.below < self.wanted
        self.budget.spend(METHODS["jeffreys"].work(m))
        found = (beta_order if self.halves else tail_order)(x, m, self.t, self.share)
        return found < 0 or (found == 0 and not self.strict)

    def go_to(self, a: int, b: int) -> None:
        """Carry the share along to other a and b, or begin anew where that is shorter."""
        if self.a < 1 or abs(a - self.a) + abs(b - self.b) > 8 * FAR:
            self.budget.spend(BEGIN + 20 * (a + b))
            self.a, self.b = a, b
            self.step, high = first_term(a, b, self.t)
            self.step_error = high - self.step
            self.below, high = _share_below(a, b, self.t)
            self.below_error = high - self.below
        t, d = self.ratio
        while self.b < b:
            self.add(1, self.a, self.b)
            self.times((d - t) * (self.a + self.b), d * self.b)
            self.b += 2
        while self.a < a:
            self.add(-1, 1, 1)
            self.times(t * (self.a + self.b), d * (self.a + 2))
            self.a += 2
        while self.a > a:
            self.a -= 2
            self.times(d * (self.a + 2), t * (self.a + self.b))
            self.add(1, 1, 1)
        while self.b > b:
            self.b -= 2
            self.times(d * self.b, (d - t) * (self.a + self.b))
            self.add(-1, self.a, self.b)

    def add(self, sign: int, up: int, down: int) -> None:
        self.below += sign * (self.step * up // down)
        self.below_error += self.step_error * up // down + 2

    def times(self, up: int, down: int) -> None:
        self.step = self.step * up // down
        self.step_error = self.step_error * up // down + 2


def _share_below(a: int, b: int, t: Fraction) -> tuple[int, int]:
    """The share of the beta distribution with a/2 and b/2 below t, enclosed in units."""
    if (a + b) * t >= a + 2:  # the terms would rise at first
        low, high = _share_below(b, a, 1 - t)
        return (1 << BITS) - high, (1 << BITS) - low
    n, d = t.as_integer_ratio()
    low, high = first_term(a, b, t)
    total_low, total_high, k = low, high, 0
    while low:
        up, down = (a + b + 2 * k) * n, (a + 2 + 2 * k) * d
        low, high = low * up // down, high * up // down + 1
        total_low, total_high, k = total_low + low, total_high + high, k + 1
    up, down = (a + b + 2 * k) * n, (a + 2 + 2 * k) * d
    # each later term is at most this share of the one before it
    top, bottom = (up, down) if up * d >= n * down else (n, d)
    return total_low, total_high + high * top // (bottom - top) + 1
