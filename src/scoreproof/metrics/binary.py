"""The scores of one binary confusion matrix, one row each.

Naming law: ``p`` and ``n`` count the positive and negative items, ``tp``, ``tn``, ``fp``,
``fn`` are the usual outcomes, ``pp`` and ``pn`` the items *called* positive and negative.

Every score is described twice, independently:

* ``value`` is its textbook definition, evaluated exactly; the verifier uses only this.
* ``numerator`` and ``denominator`` are polynomials in (tp, tn) for fixed p and n; the
  engines turn "the score is at least v" into one integer inequality with them.

A polynomial is the tuple (a, b, c, d, e, f) of ``a·tp² + b·tp·tn + c·tn² + d·tp + e·tn + f``.

Three facts carry everything built on this table; ``tests/laws`` checks them:

* each score is monotone in tp and in tn, in the same direction for both (``rises``);
* where a denominator vanishes, the score is undefined on a whole *zone*: one of the nine
  pieces that tp ∈ {0}, {1..p-1}, {p} and tn ∈ {0}, {1..n-1}, {n} cut the box into;
* on the rest, ``denominator > 0``, so cross-multiplying keeps an inequality.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scoreproof.exact import Surd, surd

Exact = Fraction | Surd
Polynomial = tuple[int, int, int, int, int, int]


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


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """One row of the table below."""

    name: str
    title: str
    formula: str
    value: Callable[[Matrix, Betas], Exact | None]
    numerator: Callable[[int, int, Betas], Polynomial]
    denominator: Callable[[int, int, Betas], Polynomial]
    holes: frozenset[tuple[int, int]] = frozenset()  # undefined zones when p, n >= 1
    lowest: Fraction | None = Fraction(0)
    highest: Fraction | None = Fraction(1)
    rises: bool = True
    squared: bool = False  # numerator/denominator give the square of the score
    signed: bool = False  # ... and the score has the sign of tp/p + tn/n - 1
    threshold: bool = False  # the score is 1/(1+√r), r = numerator/denominator

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], Score], tuple[str]]:
        return by_name, (self.name,)

    @property
    def linear(self) -> bool:
        """Whether a bound on the score is a straight line in the (tp, tn) plane."""
        return self.name not in ("upm", "gm", "fm", "mk", "mcc", "dor")


def _ratio(up: int | Fraction, down: int | Fraction) -> Fraction | None:
    if not down:
        return None
    return Fraction(up, down) if isinstance(up, int) else up / down


def _mean_of(x: Exact | None, y: Exact | None, shift: int, scale: Fraction) -> Exact | None:
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return (x + y - shift) * scale
    return None


def _acc(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tp + m.tn, m.p + m.n)


def _sens(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tp, m.p)


def _spec(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tn, m.n)


def _ppv(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tp, m.pp)


def _npv(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tn, m.pn)


def _f_measure(hits: int, misses: int, alarms: int, squared_beta: Fraction) -> Exact | None:
    weighted = (1 + squared_beta) * hits
    return _ratio(weighted, weighted + squared_beta * misses + alarms)


def _fbp(m: Matrix, betas: Betas) -> Exact | None:
    return _f_measure(m.tp, m.fn, m.fp, betas.positive)


def _fbn(m: Matrix, betas: Betas) -> Exact | None:
    return _f_measure(m.tn, m.fp, m.fn, betas.negative)


def _f1(m: Matrix, _: Betas) -> Exact | None:
    return _f_measure(m.tp, m.fn, m.fp, Fraction(1))


def _f1n(m: Matrix, _: Betas) -> Exact | None:
    return _f_measure(m.tn, m.fp, m.fn, Fraction(1))


def _upm(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(4 * m.tp * m.tn, 4 * m.tp * m.tn + (m.tp + m.tn) * (m.fp + m.fn))


def _gm(m: Matrix, _: Betas) -> Exact | None:
    square = _ratio(m.tp * m.tn, m.p * m.n)
    return None if square is None else surd(Fraction(0), Fraction(1), square)


def _fm(m: Matrix, _: Betas) -> Exact | None:
    square = _ratio(m.tp * m.tp, m.p * m.pp)
    return None if square is None else surd(Fraction(0), Fraction(1), square)


def _mk(m: Matrix, betas: Betas) -> Exact | None:
    return _mean_of(_ppv(m, betas), _npv(m, betas), 1, Fraction(1))


def _bm(m: Matrix, betas: Betas) -> Exact | None:
    return _mean_of(_sens(m, betas), _spec(m, betas), 1, Fraction(1))


def _bacc(m: Matrix, betas: Betas) -> Exact | None:
    return _mean_of(_sens(m, betas), _spec(m, betas), 0, Fraction(1, 2))


def _mcc(m: Matrix, _: Betas) -> Exact | None:
    product = m.tp * m.tn - m.fp * m.fn
    square = _ratio(product * product, m.p * m.n * m.pp * m.pn)
    return None if square is None else surd(Fraction(0), Fraction(1 if product > 0 else -1), square)


def _lrp(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tp * m.n, m.p * m.fp)


def _lrn(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.fn * m.n, m.p * m.tn)


def _pt(m: Matrix, _: Betas) -> Exact | None:
    """√fpr/(√sens+√fpr), the form that is also defined where sens = fpr (there it is 1/2)."""
    if not m.p or not m.n or not (m.tp or m.fp):
        return None
    if not m.fp:
        return Fraction(0)
    ratio = Fraction(m.tp * m.n, m.p * m.fp)
    if ratio == 1:
        return Fraction(1, 2)
    return surd(1 / (1 - ratio), -1 / (1 - ratio), ratio)


def _dor(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tp * m.tn, m.fp * m.fn)


def _ji(m: Matrix, _: Betas) -> Exact | None:
    return _ratio(m.tp, m.p + m.fp)


def _kappa(m: Matrix, _: Betas) -> Exact | None:
    total = m.p + m.n
    by_chance = m.p * m.pp + m.n * m.pn
    return _ratio(total * (m.tp + m.tn) - by_chance, total * total - by_chance)


# Zones: columns 0, 1, 2 are tp = 0, 0 < tp < p, tp = p; rows likewise for tn and n.
NOTHING_CALLED_POSITIVE = frozenset({(0, 2)})
NOTHING_CALLED_NEGATIVE = frozenset({(2, 0)})
NOTHING_RIGHT = frozenset({(0, 0)})
NO_TRUE_NEGATIVE = frozenset({(0, 0), (1, 0), (2, 0)})
NO_FALSE_POSITIVE = frozenset({(0, 2), (1, 2), (2, 2)})
NO_FALSE_NEGATIVE = frozenset({(2, 0), (2, 1), (2, 2)})


def _f_row(positive: bool, squared_beta: Fraction, p: int, n: int) -> tuple[Polynomial, Polynomial]:
    up, down = squared_beta.numerator, squared_beta.denominator
    if positive:
        return (0, 0, 0, up + down, 0, 0), (0, 0, 0, down, -down, up * p + down * n)
    return (0, 0, 0, 0, up + down, 0), (0, 0, 0, -down, down, up * n + down * p)


def _called(p: int, n: int) -> Polynomial:
    """pp·pn as a polynomial."""
    return -1, 2, -1, p - n, n - p, n * p


def _scaled(factor: int, polynomial: Polynomial) -> Polynomial:
    a, b, c, d, e, f = polynomial
    return factor * a, factor * b, factor * c, factor * d, factor * e, factor * f


def _rows() -> tuple[Score, ...]:
    minus_one = Fraction(-1)
    one = Fraction(1)
    # fmt: off
    return (
        Score("acc", "accuracy", "(tp+tn)/(p+n)", _acc,
              lambda p, n, b: (0, 0, 0, 1, 1, 0),
              lambda p, n, b: (0, 0, 0, 0, 0, p + n)),
        Score("sens", "sensitivity", "tp/p", _sens,
              lambda p, n, b: (0, 0, 0, 1, 0, 0),
              lambda p, n, b: (0, 0, 0, 0, 0, p)),
        Score("spec", "specificity", "tn/n", _spec,
              lambda p, n, b: (0, 0, 0, 0, 1, 0),
              lambda p, n, b: (0, 0, 0, 0, 0, n)),
        Score("ppv", "positive predictive value", "tp/(tp+fp)", _ppv,
              lambda p, n, b: (0, 0, 0, 1, 0, 0),
              lambda p, n, b: (0, 0, 0, 1, -1, n), NOTHING_CALLED_POSITIVE),
        Score("npv", "negative predictive value", "tn/(tn+fn)", _npv,
              lambda p, n, b: (0, 0, 0, 0, 1, 0),
              lambda p, n, b: (0, 0, 0, -1, 1, p), NOTHING_CALLED_NEGATIVE),
        Score("bacc", "balanced accuracy", "(sens+spec)/2", _bacc,
              lambda p, n, b: (0, 0, 0, n, p, 0),
              lambda p, n, b: (0, 0, 0, 0, 0, 2 * n * p)),
        Score("f1", "F1 score", "2·tp/(2·tp+fp+fn)", _f1,
              lambda p, n, b: (0, 0, 0, 2, 0, 0),
              lambda p, n, b: (0, 0, 0, 1, -1, p + n)),
        Score("f1n", "F1 score of the negative class", "2·tn/(2·tn+fp+fn)", _f1n,
              lambda p, n, b: (0, 0, 0, 0, 2, 0),
              lambda p, n, b: (0, 0, 0, -1, 1, p + n)),
        Score("fbp", "F-beta score", "(1+β²)·tp/((1+β²)·tp+β²·fn+fp)", _fbp,
              lambda p, n, b: _f_row(True, b.positive, p, n)[0],
              lambda p, n, b: _f_row(True, b.positive, p, n)[1]),
        Score("fbn", "F-beta score of the negative class", "(1+β²)·tn/((1+β²)·tn+β²·fp+fn)", _fbn,
              lambda p, n, b: _f_row(False, b.negative, p, n)[0],
              lambda p, n, b: _f_row(False, b.negative, p, n)[1]),
        Score("fm", "Fowlkes-Mallows index", "√(ppv·sens)", _fm,
              lambda p, n, b: (1, 0, 0, 0, 0, 0),
              lambda p, n, b: (0, 0, 0, p, -p, n * p), NOTHING_CALLED_POSITIVE, squared=True),
        Score("upm", "unified performance measure", "2·f1·f1n/(f1+f1n)", _upm,
              lambda p, n, b: (0, 4, 0, 0, 0, 0),
              lambda p, n, b: (-1, 2, -1, p + n, p + n, 0), NOTHING_RIGHT),
        Score("gm", "geometric mean", "√(sens·spec)", _gm,
              lambda p, n, b: (0, 1, 0, 0, 0, 0),
              lambda p, n, b: (0, 0, 0, 0, 0, n * p), squared=True),
        Score("mk", "markedness", "ppv+npv-1", _mk,
              lambda p, n, b: (0, 0, 0, n, p, -n * p),
              lambda p, n, b: _called(p, n),
              NOTHING_CALLED_POSITIVE | NOTHING_CALLED_NEGATIVE, lowest=minus_one),
        Score("bm", "bookmaker informedness", "sens+spec-1", _bm,
              lambda p, n, b: (0, 0, 0, n, p, -n * p),
              lambda p, n, b: (0, 0, 0, 0, 0, n * p), lowest=minus_one),
        Score("mcc", "Matthews correlation coefficient", "(tp·tn-fp·fn)/√(p·n·pp·pn)", _mcc,
              lambda p, n, b: (n * n, 2 * n * p, p * p, -2 * n * n * p, -2 * n * p * p, n * n * p * p),
              lambda p, n, b: _scaled(n * p, _called(p, n)),
              NOTHING_CALLED_POSITIVE | NOTHING_CALLED_NEGATIVE, lowest=minus_one,
              squared=True, signed=True),
        Score("lrp", "positive likelihood ratio", "sens/(1-spec)", _lrp,
              lambda p, n, b: (0, 0, 0, n, 0, 0),
              lambda p, n, b: (0, 0, 0, 0, -p, n * p), NO_FALSE_POSITIVE, highest=None),
        Score("lrn", "negative likelihood ratio", "(1-sens)/spec", _lrn,
              lambda p, n, b: (0, 0, 0, -n, 0, n * p),
              lambda p, n, b: (0, 0, 0, 0, p, 0), NO_TRUE_NEGATIVE, highest=None, rises=False),
        Score("pt", "prevalence threshold", "√fpr/(√sens+√fpr)", _pt,
              lambda p, n, b: (0, 0, 0, n, 0, 0),
              lambda p, n, b: (0, 0, 0, 0, -p, n * p), NOTHING_CALLED_POSITIVE,
              rises=False, threshold=True),
        Score("dor", "diagnostic odds ratio", "tp·tn/(fp·fn)", _dor,
              lambda p, n, b: (0, 1, 0, 0, 0, 0),
              lambda p, n, b: (0, 1, 0, -n, -p, n * p),
              NO_FALSE_POSITIVE | NO_FALSE_NEGATIVE, highest=None),
        Score("ji", "Jaccard index", "tp/(tp+fp+fn)", _ji,
              lambda p, n, b: (0, 0, 0, 1, 0, 0),
              lambda p, n, b: (0, 0, 0, 0, -1, p + n)),
        Score("kappa", "Cohen's kappa", "(observed-expected)/(1-expected agreement)", _kappa,
              lambda p, n, b: (0, 0, 0, 2 * n, 2 * p, -2 * n * p),
              lambda p, n, b: (0, 0, 0, n - p, p - n, p * p + n * n),
              lowest=minus_one, highest=one),
    )
    # fmt: on


SCORES: dict[str, Score] = {score.name: score for score in _rows()}


def by_name(name: str) -> Score:
    """The row of a score, by its short name."""
    return SCORES[name]


def zones_undefined(score: Score, p: int, n: int, betas: Betas = ONE) -> frozenset[tuple[int, int]]:
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
    a, b, c, d, e, f = score.numerator(p, n, betas)
    g, h, i, j, k, m = score.denominator(p, n, betas)
    return (
        times * a - against * g,
        times * b - against * h,
        times * c - against * i,
        times * d - against * j,
        times * e - against * k,
        times * f - against * m - strict,  # integers: G > 0 is G - 1 >= 0
    )
