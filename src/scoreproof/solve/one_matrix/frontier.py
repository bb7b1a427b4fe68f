"""A bound on a score as a frontier in the (tp, tn) plane.

"The score is at least v" holds on an *up-set*: with a point it contains every point with
larger tp or tn, because each score is monotone in both.  A frontier answers, for one tp,
from which tn on the up-set begins (``column``), and the same for one tn (``row``).  All of
it is integer arithmetic.

The caller promises that the score is defined on the whole rectangle it asks about; there
``denominator > 0`` (see ``scores.binary``), so the integer polynomial G has the sign of
``score - v``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from scoreproof.interval import Interval
from scoreproof.scores import Betas, Polynomial, Score, inequality, sign_of


class Frontier(ABC):
    """An up-set: where ``a·tp² + b·tp·tn + c·tn² + d·tp + e·tn + f >= 0``."""

    __slots__ = ("_flipped", "polynomial")

    linear = False

    def __init__(self, polynomial: Polynomial) -> None:
        self.polynomial = polynomial
        self._flipped: Frontier | None = None

    @property
    def flipped(self) -> Frontier:
        """The same up-set with the roles of tp and tn exchanged."""
        if self._flipped is None:
            self._flipped = self._flip()
            self._flipped._flipped = self
        return self._flipped

    def _flip(self) -> Frontier:
        a, b, c, d, e, f = self.polynomial
        return type(self)((c, b, a, e, d, f))

    def row(self, tn: int, low: int, high: int) -> int:
        """The smallest tp in low..high with (tp, tn) in the up-set; high + 1 if there is none."""
        return self.flipped.column(tn, low, high)

    @abstractmethod
    def column(self, tp: int, low: int, high: int) -> int:
        """The smallest tn in low..high with (tp, tn) in the up-set; high + 1 if there is none."""


class Line(Frontier):
    """A frontier of a score whose bounds are straight lines."""

    __slots__ = ()

    linear = True

    def column(self, tp: int, low: int, high: int) -> int:
        _, _, _, d, e, f = self.polynomial
        if e > 0:
            first = -((d * tp + f) // e)
            return low if first < low else (first if first <= high else high + 1)
        # An up-set that does not grow with tn holds the whole column or nothing of it.
        return low if d * tp + e * low + f >= 0 else high + 1


class Conic(Frontier):
    """A frontier of a score whose bounds are curves of second degree."""

    __slots__ = ()

    def column(self, tp: int, low: int, high: int) -> int:
        if low > high:
            return high + 1
        a, b, c, d, e, f = self.polynomial
        q1 = b * tp + e
        q0 = (a * tp + d) * tp + f
        if (c * low + q1) * low + q0 >= 0:
            return low
        if (c * high + q1) * high + q0 < 0:
            return high + 1
        # Between low and high the sign changes once, upwards; of the two roots that is
        # the one where the derivative 2·c·t + q1 = √discriminant is positive.
        if c:
            guess = (isqrt(q1 * q1 - 4 * c * q0) - q1) // (2 * c)
        else:
            guess = -(q0 // q1)
        guess = low + 1 if guess <= low else (high if guess > high else guess)
        while (c * guess + q1) * guess + q0 < 0:
            guess += 1
        while (c * (guess - 1) + q1) * (guess - 1) + q0 >= 0:
            guess -= 1
        return guess


class SignedConic(Frontier):
    """A bound on a score that was squared but can be negative (mcc).

    With M = n·tp + p·tn - n·p (or the like) the sign of the score, and the square compared by a conic:
    for v > 0 the up-set is ``M > 0 and conic``; for v < 0 it is ``M >= 0 or conic``.
    """

    __slots__ = ("conic", "sign", "union")

    def __init__(self, sign: Line, conic: Conic, union: bool) -> None:
        super().__init__(conic.polynomial)
        self.sign = sign
        self.conic = conic
        self.union = union

    def _flip(self) -> Frontier:
        sign, conic = self.sign.flipped, self.conic.flipped
        assert isinstance(sign, Line) and isinstance(conic, Conic)
        return SignedConic(sign, conic, self.union)

    def column(self, tp: int, low: int, high: int) -> int:
        # The conic is below zero at M = 0 if v > 0, and above zero there if v < 0, so its one
        # upward crossing is the frontier itself; only at the ends does the sign matter.
        a, b, c, d, e, f = self.polynomial
        q1 = b * tp + e
        q0 = (a * tp + d) * tp + f
        discriminant = q1 * q1 - 4 * c * q0
        if c and discriminant >= 0:
            guess = (isqrt(discriminant) - q1) // (2 * c)
            for first in (guess + 1, guess, guess + 2):
                if low < first <= high and (c * first + q1) * first + q0 >= 0:
                    before = first - 1
                    if (c * before + q1) * before + q0 < 0:
                        return first
        border = self.sign.column(tp, low, high)
        if self.union:
            return self.conic.column(tp, low, border - 1)
        return self.conic.column(tp, border, high)


#: Bounds that no point, or every point, satisfies.
NEVER = Line((0, 0, 0, 0, 0, -1))
ALWAYS = Line((0, 0, 0, 0, 0, 0))


def at_least(score: Score, v: Fraction, strict: bool, p: int, n: int, betas: Betas) -> Frontier:
    """The up-set ``score >= v`` (``> v`` if strict) of a rising score; for a falling one
    ``score <= v`` (``< v``), which is an up-set as well."""
    polynomial = inequality(score, v, strict, p, n, betas)
    if polynomial is True:
        return ALWAYS
    if polynomial is False:
        return NEVER
    if score.linear:
        return Line(polynomial)
    if not score.signed:
        return Conic(polynomial)
    (*_, d, e, f), _ = sign_of(score).polynomials(p, n, betas)
    above_zero = Line((0, 0, 0, d, e, f - 1))
    from_zero = Line((0, 0, 0, d, e, f))
    if v == 0:
        return above_zero if strict else from_zero
    if v > 0:
        return SignedConic(above_zero, Conic(polynomial), union=False)
    return SignedConic(from_zero, Conic(polynomial), union=True)


class Bound(NamedTuple):
    """One end of a printed figure: the points must lie in (or outside) an up-set."""

    label: int  # index of the target
    frontier: Frontier


def bounds_of(
    score: Score, interval: Interval, label: int, p: int, n: int, betas: Betas
) -> tuple[list[Bound], list[Bound]]:
    """(floors, ceilings): up-sets the points must lie in, and up-sets they must avoid."""
    floors: list[Bound] = []
    ceilings: list[Bound] = []
    lo, hi, lo_closed, hi_closed = interval.lo, interval.hi, interval.lo_closed, interval.hi_closed
    if not score.rises:
        lo, hi, lo_closed, hi_closed = hi, lo, hi_closed, lo_closed
    if lo is not None:
        floors.append(Bound(label, at_least(score, lo, not lo_closed, p, n, betas)))
    if hi is not None:
        # score <= v is "not score > v"
        ceilings.append(Bound(label, at_least(score, hi, hi_closed, p, n, betas)))
    return floors, ceilings
