"""What a score is: one row of the table in ``binary`` (with its naming law), and traits that engines build on.

A polynomial is the tuple (a, b, c, d, e, f) of ``a·tp² + b·tp·tn + c·tn² + d·tp + e·tn + f``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from scoreproof.exact import Surd, sign, surd

Exact = Fraction | Surd
Terms = tuple[int, int]
Polynomial = tuple[int, int, int, int, int, int]
Zones = frozenset[tuple[int, int]]  # by their numbers along tp and tn


class Matrix(NamedTuple):
    """A confusion matrix: how many items of each kind were called what.

    >>> Matrix(tp=8, fp=1, fn=2, tn=9).p
    10
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @staticmethod
    def of(tp: int, tn: int, p: int, n: int) -> Matrix:
        return Matrix(tp, n - tn, p - tp, tn)

    @property
    def p(self) -> int:
        return self.tp + self.fn

    @property
    def n(self) -> int:
        return self.tn + self.fp

    @property
    def pp(self) -> int:
        return self.tp + self.fp

    @property
    def pn(self) -> int:
        return self.tn + self.fn


class Betas(NamedTuple):
    """The squared betas of the two F-measures."""

    positive: Fraction = Fraction(1)
    negative: Fraction = Fraction(1)


ONE = Betas()
ZERO, PLUS, MINUS = Fraction(0), Fraction(1), Fraction(-1)


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """One row of the table below."""

    name: str
    title: str
    formula: str
    terms: Callable[[Matrix, Betas], Terms]
    holes: Zones = frozenset()  # undefined zones when p, n >= 1
    lowest: Fraction | None = Fraction(0)
    highest: Fraction | None = Fraction(1)
    rises: bool = True
    squared: bool = False  # the terms give the square of the score
    signed: bool = False  # ... and the score has the sign of tp/p + tn/n - 1
    threshold: bool = False  # the score is 1/(1+√r), r the ratio of the terms
    means: tuple[str, str] | None = None  # an F-measure: the precision and the recall it is made of
    beta: Callable[[Betas], Fraction] = lambda _: PLUS  # ... and its squared beta
    ratio: Callable[[Matrix, Betas], Terms] | None = None  # ``terms`` without their exceptions, if any

    def value(self, matrix: Matrix, betas: Betas = ONE) -> Exact | None:
        """The exact value; None where the score is undefined (0/0 or x/0)."""
        up, down = self.terms(matrix, betas)
        if self.threshold:
            return threshold(up, down)
        if not down:
            return None
        if not self.squared:
            return Fraction(up, down)
        return surd(ZERO, PLUS if up > 0 else MINUS, Fraction(abs(up), down))

    def order(self, matrix: Matrix, v: Fraction, betas: Betas = ONE) -> int | None:
        """-1, 0 or 1 as the score is below, equal to or above v; None where it is undefined.

        The same as comparing :meth:`value` with v, without building fractions.
        """
        up, down = self.terms(matrix, betas)
        vn, vd = v.numerator, v.denominator
        if self.threshold:
            if not up and not down:
                return None
            if not 0 < vn <= vd:
                return (1 if vn < 0 or down else 0) if vn <= 0 else -1
            # 1/(1+√r) against v  ⟺  ((1-v)/v)² against r
            rest = vd - vn
            return sign(rest * rest * down - vn * vn * up)
        if not down:
            return None
        if self.squared:
            vn, vd = vn * abs(vn), vd * vd
        return sign(up * vd - vn * down)

    def polynomials(self, p: int, n: int, betas: Betas) -> tuple[Polynomial, Polynomial]:
        """The upper term (without its sign, if the score is signed) and the lower one, as polynomials of tp
        and tn; for whole arrays of counts as well, which are not remembered."""
        if not isinstance(p, int):
            return _polynomials(self.ratio or self.terms, self.signed, p, n, betas)
        # fractions take long to look up, and betas are seldom others than one
        return _remembered(self.ratio or self.terms, self.signed, p, n, None if betas is ONE else betas)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], Score], tuple[str]]:
        from scoreproof.scores.rows import by_name

        return by_name, (self.name,)

    # Traits that engines build on, all read off the polynomials, so that a new row has them too.

    @property
    def linear(self) -> bool:
        """Whether a bound on the score is a straight line in the (tp, tn) plane."""
        return _trait(self)[0]

    @property
    def affine(self) -> bool:
        """Whether the score itself is: a number, a count times tp and a count times tn."""
        return _trait(self)[1]

    @property
    def straight_by_calls(self) -> bool:
        """Whether it is a straight line in tp as long as the number of items called positive is fixed.

        Then tp and tn rise together.  It holds for most scores of one class against the rest, and with
        it a score of summed classes is a straight line in the number of correct items.
        """
        return _trait(self)[2]

    def line(self, p: int, n: int, betas: Betas = ONE) -> tuple[Fraction, Fraction, Fraction] | None:
        """The factors of tp and of tn and the constant of an affine score; None if it is undefined.

        >>> from scoreproof.scores import SCORES
        >>> SCORES["bm"].line(4, 5)
        (Fraction(1, 4), Fraction(1, 5), Fraction(-1, 1))
        """
        (*_, a, b, c), (*_, down) = self.polynomials(p, n, betas)
        if not down:
            return None
        return Fraction(a, down), Fraction(b, down), Fraction(c, down)

    def concave_in_tp(self, p: int, n: int, betas: Betas = ONE) -> bool | None:
        """True if the score is concave along tp and convex along tn, False for the reverse.

        Along a line (a·x + b)/(c·x + d) has a second derivative of the sign of -c·(a·d - b·c), and a
        rising score has a·d >= b·c.  None where neither holds, or the polynomials are not linear.
        """
        if not self.linear or self.squared or self.threshold:
            return None
        _, down = self.polynomials(p, n, betas)
        along_tp, along_tn = (down[k] if self.rises else -down[k] for k in (3, 4))
        if along_tp >= 0 >= along_tn:
            return True
        return False if along_tp <= 0 <= along_tn else None

    def top(self, p: int, n: int, betas: Betas = ONE) -> Fraction:
        """No value of the score lies farther from 0, whatever the matrix."""
        if self.lowest is not None and self.highest is not None:
            return max(abs(self.lowest), abs(self.highest))
        # a ratio of whole numbers, the lower one at least 1: no larger than the upper one can get
        a, b, c, d, e, f = map(abs, self.polynomials(p, n, betas)[0])
        return Fraction(a * p * p + b * p * n + c * n * n + d * p + e * n + f)


@lru_cache(maxsize=1 << 12)
def _remembered(
    terms: Callable[[Matrix, Betas], Terms], signed: bool, p: int, n: int, betas: Betas | None
) -> tuple[Polynomial, Polynomial]:
    return _polynomials(terms, signed, p, n, ONE if betas is None else betas)


def _polynomials(
    terms: Callable[[Matrix, Betas], Terms], signed: bool, p: int, n: int, betas: Betas
) -> tuple[Polynomial, Polynomial]:
    """The polynomials of degree two, at most, that six points leave of the terms."""
    points = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2))
    values = [terms(Matrix(tp, n - tn, p - tp, tn), betas) for tp, tn in points]
    up, down = zip(*values, strict=True)
    return _through(*map(abs, up)) if signed else _through(*up), _through(*down)


def _through(f: int, right: int, up: int, both: int, further: int, higher: int) -> Polynomial:
    a, c = (further - 2 * right + f) // 2, (higher - 2 * up + f) // 2
    return a, both - right - up + f, c, right - f - a, up - f - c, f


_TRAITS: dict[str, tuple[bool, bool, bool]] = {}


def _trait(score: Score) -> tuple[bool, bool, bool]:
    """(linear, affine, straight by calls) of a row, seen at one pair of counts like at any other."""
    if score.name not in _TRAITS:
        up, down = score.polynomials(5, 7, ONE)
        linear = not any(up[:3]) and not any(down[:3])
        plain = not (score.squared or score.threshold or score.holes)
        affine = linear and plain and not any(down[3:5])
        # along (1, 1) neither may have a square, and the denominator must not change at all
        a, b, c, d, e, _ = down
        constant = d + e == 0 and 2 * a + b == 0 and 2 * c + b == 0
        straight = constant and sum(up[:3]) == 0 and not (score.squared or score.threshold)
        _TRAITS[score.name] = linear, affine, straight
    return _TRAITS[score.name]


def threshold(up: int, down: int) -> Exact | None:
    """1/(1+√r) = √fpr/(√sens+√fpr) with r = up/down: also defined where r = 1 (there it is 1/2)."""
    if not up and not down:
        return None
    if not down:
        return ZERO
    ratio = Fraction(up, down)
    if ratio == 1:
        return Fraction(1, 2)
    return surd(1 / (1 - ratio), -1 / (1 - ratio), ratio)


def zones_undefined(score: Score, p: int, n: int, betas: Betas = ONE) -> Zones:
    """The zones of the box in which the score is undefined.

    With both classes present they stand in the table; an empty class moves the borders
    onto each other, so there the definition is asked at one point of every zone.
    """
    if p and n:
        return score.holes
    return frozenset(
        (i, j)
        for i, tp in zones(p)
        for j, tn in zones(n)
        if score.value(Matrix.of(tp[0], tn[0], p, n), betas) is None
    )


@lru_cache(maxsize=1024)
def zones(size: int) -> list[tuple[int, tuple[int, int]]]:
    """The pieces {0}, {1..size-1}, {size} of the range 0..size, numbered, empty ones left out."""
    pieces = ((0, (0, 0)), (1, (1, size - 1)), (2, (size, size)))
    return [(i, (a, b)) for i, (a, b) in pieces if a <= b and not (i == 2 and size == 0)]


def inequality(
    score: Score, v: Fraction, strict: bool, p: int, n: int, betas: Betas = ONE
) -> Polynomial | bool:
    """``score >= v`` (``> v`` if strict) as an integer polynomial that must be at least 0.

    For a falling score it is ``score <= v`` (``< v``) instead, so that the polynomial says
    where the matrix is *good enough* either way.  True or False where that does not depend
    on the matrix.  For a signed score the squares are compared; the caller settles signs.
    """
    up, down = v.numerator, v.denominator
    if score.threshold:
        # 1/(1+√r) <= v  ⟺  √r >= (1-v)/v  ⟺  v²·r >= (1-v)², for 0 <= v <= 1
        if not 0 <= up <= down:
            return up > down
        times, against = up * up, (down - up) * (down - up)
    elif score.squared:
        if up < 0 and not score.signed:
            return True
        times, against = down * down, up * up
    else:
        times, against = down, up
    if (not score.rises and not score.threshold) or (score.signed and up < 0):
        # A falling score, or a score below zero, where a larger score is a smaller square.
        times, against = -times, -against
    one, other = score.polynomials(p, n, betas)
    a, b, c, d, e, f = [times * x - against * y for x, y in zip(one, other, strict=True)]
    return a, b, c, d, e, f - strict  # integers: G > 0 is G - 1 >= 0
