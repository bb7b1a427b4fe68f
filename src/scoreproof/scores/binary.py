"""The scores of one binary confusion matrix, one row each.

Naming law: ``p`` and ``n`` count the positive and negative items, ``tp``, ``tn``, ``fp``,
``fn`` are the usual outcomes, ``pp`` and ``pn`` the items *called* positive and negative.

``terms`` is the textbook definition of a score in tp, fp, fn, tn: a ratio (up, down) of whole numbers,
undefined where down is 0.  For roots it is the ratio of the signed square, for the prevalence threshold
the likelihood ratio it is computed from.

Four facts carry everything built on this table; ``tests/laws`` checks them:

* for fixed p and n both terms are polynomials of tp and tn, of degree two at most;
* each score is monotone in tp and in tn, in the same direction for both (``rises``);
* where a denominator vanishes, the score is undefined on a whole *zone*: one of the nine
  pieces that tp ∈ {0}, {1..p-1}, {p} and tn ∈ {0}, {1..n-1}, {n} cut the box into;
* on the rest, ``denominator > 0``, so cross-multiplying keeps an inequality.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.scores.score import MINUS, Betas, Matrix, Score, Terms, Zones

# Zones: columns 0, 1, 2 are tp = 0, 0 < tp < p, tp = p; rows likewise for tn and n.
NOTHING_CALLED_POSITIVE = frozenset({(0, 2)})
NOTHING_CALLED_NEGATIVE = frozenset({(2, 0)})
ONE_CLASS = NOTHING_CALLED_POSITIVE | NOTHING_CALLED_NEGATIVE
NOTHING_RIGHT = frozenset({(0, 0)})
NO_TRUE_NEGATIVE = frozenset({(0, 0), (1, 0), (2, 0)})
NO_FALSE_POSITIVE = frozenset({(0, 2), (1, 2), (2, 2)})
NO_FALSE_NEGATIVE = frozenset({(2, 0), (2, 1), (2, 2)})
#: No cell is zero, and some cell is.
INNER = frozenset({(1, 1)})
BORDER = frozenset((i, j) for i in range(3) for j in range(3)) - INNER


def _f_measure(hits: int, misses: int, alarms: int, squared_beta: Fraction) -> Terms:
    up, down = squared_beta.numerator, squared_beta.denominator
    weighted = (up + down) * hits
    return weighted, weighted + up * misses + down * alarms


def _mcc(m: Matrix, _: Betas) -> Terms:
    tp, fp, fn, tn = m
    product = tp * tn - fp * fn
    return product * abs(product), (tp + fn) * (tn + fp) * (tp + fp) * (tn + fn)


def _kappa(m: Matrix, _: Betas) -> Terms:
    tp, fp, fn, tn = m
    total = tp + fp + fn + tn
    by_chance = (tp + fn) * (tp + fp) + (tn + fp) * (tn + fn)
    return total * (tp + tn) - by_chance, total * total - by_chance


# fmt: off
SCORES: dict[str, Score] = {score.name: score for score in (
    Score("acc", "accuracy", "(tp+tn)/(p+n)", lambda m, _: (m.tp + m.tn, m.p + m.n)),
    Score("sens", "sensitivity", "tp/p", lambda m, _: (m.tp, m.p)),
    Score("spec", "specificity", "tn/n", lambda m, _: (m.tn, m.n)),
    Score("ppv", "positive predictive value", "tp/(tp+fp)",
          lambda m, _: (m.tp, m.pp), NOTHING_CALLED_POSITIVE),
    Score("npv", "negative predictive value", "tn/(tn+fn)",
          lambda m, _: (m.tn, m.pn), NOTHING_CALLED_NEGATIVE),
    Score("bacc", "balanced accuracy", "(sens+spec)/2",
          lambda m, _: (m.tp * m.n + m.tn * m.p, 2 * m.p * m.n)),
    Score("f1", "F1 score", "2·tp/(2·tp+fp+fn)",
          lambda m, _: (2 * m.tp, 2 * m.tp + m.fp + m.fn), means=("ppv", "sens")),
    Score("f1n", "F1 score of the negative class", "2·tn/(2·tn+fp+fn)",
          lambda m, _: (2 * m.tn, 2 * m.tn + m.fp + m.fn), means=("npv", "spec")),
    Score("fbp", "F-beta score", "(1+β²)·tp/((1+β²)·tp+β²·fn+fp)",
          lambda m, b: _f_measure(m.tp, m.fn, m.fp, b.positive),
          means=("ppv", "sens"), beta=lambda b: b.positive),
    Score("fbn", "F-beta score of the negative class", "(1+β²)·tn/((1+β²)·tn+β²·fp+fn)",
          lambda m, b: _f_measure(m.tn, m.fp, m.fn, b.negative),
          means=("npv", "spec"), beta=lambda b: b.negative),
    Score("fm", "Fowlkes-Mallows index", "√(ppv·sens)",
          lambda m, _: (m.tp * m.tp, m.p * m.pp), NOTHING_CALLED_POSITIVE, squared=True),
    Score("upm", "unified performance measure", "2·f1·f1n/(f1+f1n)",
          lambda m, _: (4 * m.tp * m.tn, 4 * m.tp * m.tn + (m.tp + m.tn) * (m.fp + m.fn)), NOTHING_RIGHT),
    Score("gm", "geometric mean", "√(sens·spec)",
          lambda m, _: (m.tp * m.tn, m.p * m.n), squared=True),
    Score("mk", "markedness", "ppv+npv-1",
          lambda m, _: (m.tp * m.pn + m.tn * m.pp - m.pp * m.pn, m.pp * m.pn),
          ONE_CLASS, lowest=MINUS),
    Score("bm", "bookmaker informedness", "sens+spec-1",
          lambda m, _: (m.tp * m.n + m.tn * m.p - m.p * m.n, m.p * m.n), lowest=MINUS),
    Score("mcc", "Matthews correlation coefficient", "(tp·tn-fp·fn)/√(p·n·pp·pn)", _mcc,
          ONE_CLASS, lowest=MINUS, squared=True, signed=True),
    Score("lrp", "positive likelihood ratio", "sens/(1-spec)",
          lambda m, _: (m.tp * m.n, m.p * m.fp), NO_FALSE_POSITIVE, highest=None),
    Score("lrn", "negative likelihood ratio", "(1-sens)/spec",
          lambda m, _: (m.fn * m.n, m.p * m.tn), NO_TRUE_NEGATIVE, highest=None, rises=False),
    Score("pt", "prevalence threshold", "√fpr/(√sens+√fpr)",
          lambda m, _: (m.tp * m.n, m.p * m.fp), NOTHING_CALLED_POSITIVE, rises=False, threshold=True),
    Score("dor", "diagnostic odds ratio", "tp·tn/(fp·fn)",
          lambda m, _: (m.tp * m.tn, m.fp * m.fn), NO_FALSE_POSITIVE | NO_FALSE_NEGATIVE, highest=None),
    Score("ji", "Jaccard index", "tp/(tp+fp+fn)", lambda m, _: (m.tp, m.p + m.fp)),
    Score("kappa", "Cohen's kappa", "(observed-expected)/(1-expected agreement)", _kappa, lowest=MINUS),
)}

#: The smallest and largest AUC of a ranking that has this matrix at some threshold.
LEAST_AUC = Score("least_auc", "least AUC with this matrix", "sens·spec",
                  lambda m, _: (m.tp * m.tn, m.p * m.n))
MOST_AUC = Score("most_auc", "largest AUC with this matrix", "1 - (1-sens)·(1-spec)",
                 lambda m, _: (m.p * m.n - m.fp * m.fn, m.p * m.n))
# fmt: on


#: How a score is marked that is undefined as soon as precision or recall of its class is.
JOINTLY = "|pr"


def halved(m: Matrix) -> Matrix:
    """Twice the matrix with 1/2 added to each cell."""
    return Matrix(*(2 * cell + 1 for cell in m))


def where(score: Score, mark: str, defined: Callable[[Matrix], object], holes: Zones, **more: Any) -> Score:
    """The score on some matrices only, as a row with a mark."""
    ratio = more.pop("ratio", score.terms)
    return replace(
        score,
        name=score.name + mark,
        terms=lambda m, b: ratio(m, b) if defined(m) else (0, 0),
        ratio=ratio,
        holes=holes,
        **more,
    )


def _jointly(score: Score, positive: bool) -> Score:
    """The score, but undefined as soon as precision or recall of its class is.

    Forman & Scholz leave such folds out of a mean F-measure, although F itself is 0 there.
    """
    hole = NOTHING_CALLED_POSITIVE if positive else NOTHING_CALLED_NEGATIVE
    # a fold is left out of both means as soon as one of the two is undefined in it
    means = score.means and tuple(name + JOINTLY for name in score.means)
    both = (lambda m: m.pp and m.p) if positive else (lambda m: m.pn and m.n)
    return where(score, JOINTLY, both, score.holes | hole, means=means)


def _with_half(score: Score) -> Score:
    """The score after 1/2 was added to each cell, where a cell is zero; undefined elsewhere."""
    return where(score, "|half", lambda m: not all(m), INNER, ratio=lambda m, b: score.terms(halved(m), b))


#: Scores with the stricter rule for undefined values, by the name of the plain score.
JOINT: dict[str, Score] = {
    name: _jointly(SCORES[name], positive)
    for positive, names in ((True, ("f1", "fbp", "ppv", "sens")), (False, ("f1n", "fbn", "npv", "spec")))
    for name in names
}
#: Scores of tables with a zero cell, 1/2 added to each, and of those without, by the name of the plain score.
HALF: dict[str, Score] = {name: _with_half(score) for name, score in SCORES.items()}
INSIDE: dict[str, Score] = {name: where(score, "|inside", all, BORDER) for name, score in SCORES.items()}
