"""The scores of one binary confusion matrix, one row each.

Naming law: ``p`` and ``n`` count the positive and negative items, ``tp``, ``tn``, ``fp``,
``fn`` are the usual outcomes, ``pp`` and ``pn`` the items *called* positive and negative.

Every score is described twice, independently:

* ``terms`` is its textbook definition in tp, fp, fn, tn; the verifier uses only this.
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

from dataclasses import replace
from fractions import Fraction

from scoreproof.scores.score import Betas, Matrix, Polynomial, Score, Terms

# The textbook definitions: each score as a ratio (up, down) of whole numbers, undefined where
# down is 0.  For roots it is the ratio of the signed square, for the prevalence threshold
# the likelihood ratio it is computed from.


def _acc(m: Matrix, _: Betas) -> Terms:
    return m.tp + m.tn, m.p + m.n


def _sens(m: Matrix, _: Betas) -> Terms:
    return m.tp, m.p


def _spec(m: Matrix, _: Betas) -> Terms:
    return m.tn, m.n


def _ppv(m: Matrix, _: Betas) -> Terms:
    return m.tp, m.pp


def _npv(m: Matrix, _: Betas) -> Terms:
    return m.tn, m.pn


def _f_measure(hits: int, misses: int, alarms: int, squared_beta: Fraction) -> Terms:
    up, down = squared_beta.numerator, squared_beta.denominator
    weighted = (up + down) * hits
    return weighted, weighted + up * misses + down * alarms


def _fbp(m: Matrix, betas: Betas) -> Terms:
    return _f_measure(m.tp, m.fn, m.fp, betas.positive)


def _fbn(m: Matrix, betas: Betas) -> Terms:
    return _f_measure(m.tn, m.fp, m.fn, betas.negative)


def _f1(m: Matrix, _: Betas) -> Terms:
    return 2 * m.tp, 2 * m.tp + m.fp + m.fn


def _f1n(m: Matrix, _: Betas) -> Terms:
    return 2 * m.tn, 2 * m.tn + m.fp + m.fn


def _upm(m: Matrix, _: Betas) -> Terms:
    return 4 * m.tp * m.tn, 4 * m.tp * m.tn + (m.tp + m.tn) * (m.fp + m.fn)


def _gm(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.tn, m.p * m.n


def _fm(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.tp, m.p * m.pp


def _mk(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.pn + m.tn * m.pp - m.pp * m.pn, m.pp * m.pn


def _bm(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.n + m.tn * m.p - m.p * m.n, m.p * m.n


def _bacc(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.n + m.tn * m.p, 2 * m.p * m.n


def _mcc(m: Matrix, _: Betas) -> Terms:
    tp, fp, fn, tn = m
    product = tp * tn - fp * fn
    return product * abs(product), (tp + fn) * (tn + fp) * (tp + fp) * (tn + fn)


def _lrp(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.n, m.p * m.fp


def _lrn(m: Matrix, _: Betas) -> Terms:
    return m.fn * m.n, m.p * m.tn


def _dor(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.tn, m.fp * m.fn


def _ji(m: Matrix, _: Betas) -> Terms:
    return m.tp, m.p + m.fp


def _kappa(m: Matrix, _: Betas) -> Terms:
    total = m.p + m.n
    by_chance = m.p * m.pp + m.n * m.pn
    return total * (m.tp + m.tn) - by_chance, total * total - by_chance


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
              lambda p, n, b: (0, 0, 0, 1, -1, p + n), means=("ppv", "sens")),
        Score("f1n", "F1 score of the negative class", "2·tn/(2·tn+fp+fn)", _f1n,
              lambda p, n, b: (0, 0, 0, 0, 2, 0),
              lambda p, n, b: (0, 0, 0, -1, 1, p + n), means=("npv", "spec")),
        Score("fbp", "F-beta score", "(1+β²)·tp/((1+β²)·tp+β²·fn+fp)", _fbp,
              lambda p, n, b: _f_row(True, b.positive, p, n)[0],
              lambda p, n, b: _f_row(True, b.positive, p, n)[1],
              means=("ppv", "sens"), beta=lambda b: b.positive),
        Score("fbn", "F-beta score of the negative class", "(1+β²)·tn/((1+β²)·tn+β²·fp+fn)", _fbn,
              lambda p, n, b: _f_row(False, b.negative, p, n)[0],
              lambda p, n, b: _f_row(False, b.negative, p, n)[1],
              means=("npv", "spec"), beta=lambda b: b.negative),
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
        Score("pt", "prevalence threshold", "√fpr/(√sens+√fpr)", _lrp,
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


def _jointly(score: Score, positive: bool) -> Score:
    """The score, but undefined as soon as precision or recall of its class is.

    Forman & Scholz leave such folds out of a mean F-measure, although F itself is 0 there.
    """

    def terms(m: Matrix, betas: Betas) -> Terms:
        both = (m.pp and m.p) if positive else (m.pn and m.n)
        return score.terms(m, betas) if both else (0, 0)

    hole = NOTHING_CALLED_POSITIVE if positive else NOTHING_CALLED_NEGATIVE
    # a fold is left out of both means as soon as one of the two is undefined in it
    means = None if score.means is None else (f"{score.means[0]}|pr", f"{score.means[1]}|pr")
    return replace(score, name=f"{score.name}|pr", terms=terms, holes=score.holes | hole, means=means)


#: Scores with the stricter rule for undefined values, by the name of the plain score.
JOINT: dict[str, Score] = {
    name: _jointly(SCORES[name], positive)
    for positive, names in ((True, ("f1", "fbp", "ppv", "sens")), (False, ("f1n", "fbn", "npv", "spec")))
    for name in names
}


def _least_auc(m: Matrix, _: Betas) -> Terms:
    return m.tp * m.tn, m.p * m.n


def _most_auc(m: Matrix, _: Betas) -> Terms:
    return m.p * m.n - m.fp * m.fn, m.p * m.n


#: The smallest and largest AUC of a ranking that has this matrix at some threshold.
LEAST_AUC = Score(
    "least_auc",
    "least AUC with this matrix",
    "sens·spec",
    _least_auc,
    lambda p, n, b: (0, 1, 0, 0, 0, 0),
    lambda p, n, b: (0, 0, 0, 0, 0, p * n),
)
MOST_AUC = Score(
    "most_auc",
    "largest AUC with this matrix",
    "1 - (1-sens)·(1-spec)",
    _most_auc,
    lambda p, n, b: (0, -1, 0, n, p, 0),
    lambda p, n, b: (0, 0, 0, 0, 0, p * n),
)

#: The zones in which some cell of a matrix is zero.
BORDER = frozenset((i, j) for i in range(3) for j in range(3)) - {(1, 1)}


def halved(m: Matrix) -> Matrix:
    """Twice the matrix with 1/2 added to each cell."""
    return Matrix(*(2 * cell + 1 for cell in m))


def _halved(polynomial: Polynomial) -> Polynomial:
    """The polynomial at 2·tp + 1 and 2·tn + 1."""
    a, b, c, d, e, f = polynomial
    return 4 * a, 4 * b, 4 * c, 4 * a + 2 * b + 2 * d, 2 * b + 4 * c + 2 * e, a + b + c + d + e + f


def _with_half(score: Score) -> Score:
    """The score after 1/2 was added to each cell, where a cell is zero; undefined elsewhere."""
    return replace(
        score,
        name=f"{score.name}|half",
        terms=lambda m, b: (0, 0) if all(m) else score.terms(halved(m), b),
        numerator=lambda p, n, b: _halved(score.numerator(2 * p + 2, 2 * n + 2, b)),
        denominator=lambda p, n, b: _halved(score.denominator(2 * p + 2, 2 * n + 2, b)),
        holes=frozenset({(1, 1)}),
    )


def _inside(score: Score) -> Score:
    """The score where no cell is zero; undefined elsewhere."""
    return replace(
        score,
        name=f"{score.name}|inside",
        terms=lambda m, b: score.terms(m, b) if all(m) else (0, 0),
        holes=BORDER,
    )


#: Scores of tables with a zero cell, 1/2 added to each, and of those without, by the name of the plain score.
HALF: dict[str, Score] = {name: _with_half(score) for name, score in SCORES.items()}
INSIDE: dict[str, Score] = {name: _inside(score) for name, score in SCORES.items()}
