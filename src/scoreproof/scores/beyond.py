"""Scores that do not follow from one confusion matrix: of predicted numbers, and of rankings.

They share the type of the other scores so that a printed figure looks the same everywhere;
asking one of them for its value at a matrix is an error.
"""

from __future__ import annotations

from fractions import Fraction

from scoreproof.scores.score import Betas, Matrix, Polynomial, Score, Terms

ONE, MINUS_ONE = Fraction(1), Fraction(-1)


def _no_terms(matrix: Matrix, betas: Betas) -> Terms:
    raise TypeError("this score does not follow from a confusion matrix")


def _no_polynomial(p: int, n: int, betas: Betas) -> Polynomial:
    raise TypeError("this score does not follow from a confusion matrix")


def _score(
    name: str, title: str, formula: str, lowest: Fraction | None, highest: Fraction | None, names: str
) -> tuple[Score, tuple[str, ...]]:
    score = Score(
        name, title, formula, _no_terms, _no_polynomial, _no_polynomial, lowest=lowest, highest=highest
    )
    return score, tuple(each.strip() for each in names.split(","))


# fmt: off
_ZERO = Fraction(0)
_REGRESSION = (
    _score("mae", "mean absolute error", "mean |r|", _ZERO, None,
           "mean absolute error, mean absolute deviation, mean abs error, l1 error, l1 loss"),
    _score("mse", "mean squared error", "mean r²", _ZERO, None,
           "mean squared error, mean square error, l2 loss, squared error"),
    _score("rmse", "root mean squared error", "√(mean r²)", _ZERO, None,
           "root mean squared error, root mean square error, rms error, rms, rmsd, "
           "root mean square deviation"),
    _score("max_error", "largest absolute error", "max |r|", _ZERO, None,
           "maximum error, max error, maximal error, maximum absolute error, max absolute error, max ae, "
           "worst case error, l infinity error"),
    _score("r2", "coefficient of determination", "1 - mean r² / var y", None, ONE,
           "r2 score, r²,  r squared, r square, coefficient of determination, nash sutcliffe efficiency, nse"),
    _score("explained_variance", "explained variance", "1 - var r / var y", None, ONE,
           "explained variance score, ev, variance explained, explained variance ratio"),
)
_RANKING = (
    _score("auc", "area under the ROC curve", "share of pairs in order, ties half", _ZERO, ONE,
           "roc auc, auroc, auc roc, auc score, roc auc score, area under the curve, c statistic, c index, "
           "concordance index, area under the roc curve, area under roc, aroc"),
    _score("gini", "Gini coefficient", "2·AUC - 1", MINUS_ONE, ONE,
           "gini coefficient, gini index, somers d, accuracy ratio"),
    _score("ap", "average precision", "Σ Δrecall·precision", _ZERO, ONE,
           "average precision, average precision score"),
)
# fmt: on


#: The scores of predicted numbers (r: residuals, y: targets), and their synonyms.
REGRESSION = {score.name: score for score, _ in _REGRESSION}
#: The scores of a ranking of positive and negative items, and their synonyms.
RANKING = {score.name: score for score, _ in _RANKING}
#: What else each of them is called.
ALSO = {score.name: names for score, names in (*_REGRESSION, *_RANKING)}
#: All of them by name, as pickled scores are found again.
BY_NAME = {**REGRESSION, **RANKING}
