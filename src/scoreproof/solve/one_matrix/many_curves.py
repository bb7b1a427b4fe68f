"""The ends of many rows' figures as frontiers in the (tp, tn) plane: ``frontier``, for arrays.

A bound is ``a·x² + b·x·y + c·y² + d·x + e·y + f >= 0``, in whole numbers held by floats.  A float only proposes
where an up-set begins; the proposal t is accepted where the bound surely holds at t and surely fails at t-1.

Surely means: by more than ``slack``.  Where all terms together are below 2^52, every number on the way is whole
and exact, and the slack is 0.  Elsewhere a coefficient is the difference of two products of factors that were
rounded once, so it is off by at most 4 units of 2^-53 of the sum of their sizes; each term passes through at
most two products and six sums, twice for the value at t-1: together less than 2^-48 of the sum of all sizes.
The doubtful few are asked one by one in Python's integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from scoreproof.scores import ONE, Score, sign_of
from scoreproof.solve.one_matrix.frontier import at_least
from scoreproof.solve.one_matrix.many_rows import Flags, Ints

Floats = NDArray[np.float64]

GUARD = 2.0**-48
EXACT = 2.0**52


@dataclass(frozen=True, slots=True)
class End:
    """A score that is to be at least up/down, or more, in each of some rows."""

    score: Score
    up: Ints
    down: Ints
    strict: Flags
    p: Ints
    n: Ints

    def column(self, row: int, flipped: bool, x: int, low: int, high: int) -> int:
        """Where the up-set of one row begins, in Python's integers."""
        v = Fraction(int(self.up[row]), int(self.down[row]))
        one = at_least(self.score, v, bool(self.strict[row]), int(self.p[row]), int(self.n[row]), ONE)
        return (one.flipped if flipped else one).column(x, low, high)


@dataclass(frozen=True, slots=True)
class Curve:
    """An end in some rows (``at``), as the coefficients of its bound."""

    end: End
    at: Ints
    terms: tuple[Floats, ...]  # a, b, c, d, e and f; without the squares if all is straight
    slack: Floats
    sign: tuple[Floats, ...] = ()  # of a score whose square is bounded: d, e and f of its sign
    either: Flags | None = None  # ... and whether the sign alone is enough
    flipped: bool = False  # tp and tn exchanged

    def of(self, at: NDArray[np.intp]) -> Curve:
        """The same in some of the rows."""
        terms, sign = (tuple(each[at] for each in some) for some in (self.terms, self.sign))
        either = None if self.either is None else self.either[at]
        return Curve(self.end, self.at[at], terms, self.slack[at], sign, either, self.flipped)

    def flip(self) -> Curve:
        """The same up-set with tp and tn exchanged."""
        *squares, d, e, f = self.terms
        terms = (*squares[::-1], e, d, f)
        sign = (self.sign[1], self.sign[0], self.sign[2]) if self.sign else ()
        return Curve(self.end, self.at, terms, self.slack, sign, self.either, not self.flipped)

    def without(self, rows: Flags, constant: float) -> Curve:
        """The same, with a constant bound in some rows: 0 holds everywhere, -1 nowhere."""
        if not rows.any():
            return self
        terms, sign = ([np.where(rows, 0.0, each) for each in some] for some in (self.terms, self.sign))
        for some in filter(None, (terms, sign)):
            some[-1] = np.where(rows, constant, some[-1])
        either = None if self.either is None else self.either & ~rows
        slack = np.where(rows, 0.0, self.slack)
        return Curve(self.end, self.at, tuple(terms), slack, tuple(sign), either, self.flipped)

    def column(self, x: Floats, low: Floats, high: Floats) -> Floats:
        """The smallest y in low..high in the up-set; high + 1 if there is none."""
        with np.errstate(all="ignore"):
            guess = self._guess(x, low, high)
            np.ceil(guess, out=guess)
            t: Floats = np.fmax(np.fmin(guess, high + 1.0), low)
            sure = self._sure(x, t, low, high)
            if not sure.all():
                self._mend(x, t, low, high, np.flatnonzero(~sure))
        return t

    def _guess(self, x: Floats, low: Floats, high: Floats) -> Floats:
        *squares, d, e, f = self.terms
        if not squares:
            rest = d * x
            rest += f
            guess: Floats = rest / -e
            if (e <= 0).any():
                # an up-set that does not grow with y holds the whole column or nothing of it
                guess = np.where(e > 0, guess, np.where(rest + e * low >= 0, low, high + 1.0))
            return guess
        a, b, c = squares
        q1 = b * x
        q1 += e
        q0 = a * x
        q0 += d
        q0 *= x
        q0 += f
        root = q1 * q1
        root -= 4.0 * c * q0
        np.sqrt(np.maximum(root, 0.0, out=root), out=root)
        # the root where the curve rises; each form where it does not cancel
        found: Floats = np.where((q1 > 0) | (c == 0), q0 * -2.0 / (root + q1), (root - q1) / (2.0 * c))
        return found

    def _sure(self, x: Floats, t: Floats, low: Floats, high: Floats) -> Flags:
        """Whether t is surely the first of low..high in the up-set, or surely beyond them all."""
        *squares, d, e, f = self.terms
        if squares:
            a, b, c = squares
            q0 = a * x
            q0 += d
            q0 *= x
            q0 += f
            step = c * t
            here = b * x
            here += e
            here += step
            step += here
            step -= c  # the value at t less that at t-1 is c·(2t-1) + b·x + e
            here *= t
            here += q0
        else:
            here = d * x
            here += f
            here += e * t
            step = e
        inside, outside = here >= self.slack, here - step < -self.slack
        if self.either is not None:
            d, e, f = self.sign
            sign = d * x + e * t + f
            right, wrong = sign >= 0, sign - e < 0
            inside = np.where(self.either, right | inside, right & inside)
            outside = np.where(self.either, wrong & outside, wrong | outside)
        sure: Flags = (inside | (t > high)) & (outside | (t <= low))
        return sure

    def _mend(self, x: Floats, t: Floats, low: Floats, high: Floats, at: NDArray[np.intp]) -> None:
        """Put in what could not be told at once: a neighbour, one of the ends, or what integers say."""
        for shift in (-1.0, 1.0, -np.inf, np.inf):
            part, lowest, highest = self.of(at), low[at], high[at]
            other = np.maximum(np.minimum(t[at] + shift, highest + 1.0), lowest)
            sure = part._sure(x[at], other, lowest, highest)
            t[at[sure]] = other[sure]
            at = at[~sure]
            if not len(at):
                return
        for i in at.tolist():
            t[i] = self.end.column(int(self.at[i]), self.flipped, int(x[i]), int(low[i]), int(high[i]))


def curve(score: Score, up: Ints, down: Ints, strict: Flags, p: Ints, n: Ints) -> Curve:
    """The up-set of a rising score that is at least up/down (above it, if strict), in every row.

    It is ``scores.inequality`` for arrays; ``frontier.SignedConic`` says what the sign is for.
    """
    end = End(score, up, down, strict, p, n)
    every = np.arange(len(p))
    one, other = score.polynomials(p, n, ONE)  # type: ignore[arg-type]
    times, against = down.astype(float), up.astype(float)
    negative = up < 0
    if score.squared:
        times, against = times * times, against * against
    if score.signed:
        times, against = (np.where(negative, -each, each) for each in (times, against))
    pairs = list(zip(one, other, strict=True))
    if score.linear:
        pairs = pairs[3:]
    minus = np.where(up == 0, 0.0, strict) if score.signed else strict.astype(float)
    products = [(times * left, against * right) for left, right in pairs]
    terms = [left - right for left, right in products]
    sizes = [np.abs(left) + np.abs(right) for left, right in products]
    terms[-1] = terms[-1] - minus
    x, y = p + 1.0, n + 1.0
    powers = (x * x, x * y, y * y, x, y, 1.0)[-len(pairs) :]
    size = sum(each * power for each, power in zip(sizes, powers, strict=True)) + 1.0
    if score.squared and not score.signed and negative.any():
        # nothing is below zero: all is at least that
        terms = [np.where(negative, 0.0, each) for each in terms]
        size = np.where(negative, 0.0, size)
    slack = np.where(size < EXACT, 0.0, GUARD * size)
    found = tuple(np.broadcast_to(each, p.shape).astype(float) for each in terms)
    if not score.signed:
        return Curve(end, every, found, slack)
    (*_, d, e, f), _ = sign_of(score).polynomials(p, n, ONE)  # type: ignore[arg-type]
    above = (up > 0) | ((up == 0) & strict)
    sign = tuple(np.broadcast_to(each, p.shape).astype(float) for each in (d, e, f - above))
    return Curve(end, every, found, slack, sign, negative)
