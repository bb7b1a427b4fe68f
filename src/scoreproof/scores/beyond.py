"""Scores that do not follow from one confusion matrix: of predicted numbers, and of rankings.

They share the type of the other scores so that a printed figure looks the same everywhere;
asking one of them for its value at a matrix is an error.
"""

from __future__ import annotations

from fractions import Fraction

from scoreproof.scores.score import MINUS, PLUS, ZERO, Betas, Matrix, Score, Terms


def _no_terms(matrix: Matrix, betas: Betas) -> Terms:
    raise TypeError("this score does not follow from a confusion matrix")


def _rows(
    *rows: tuple[str, str, str, Fraction | None, Fraction | None],
) -> dict[str, Score]:
    return {
        name: Score(name, title, formula, _no_terms, lowest=lowest, highest=highest)
        for name, title, formula, lowest, highest in rows
    }


#: The scores of predicted numbers (r: residuals, y: targets).
REGRESSION = _rows(
    ("mae", "mean absolute error", "mean |r|", ZERO, None),
    ("mse", "mean squared error", "mean r²", ZERO, None),
    ("rmse", "root mean squared error", "√(mean r²)", ZERO, None),
    ("max_error", "largest absolute error", "max |r|", ZERO, None),
    ("r2", "coefficient of determination", "1 - mean r² / var y", None, PLUS),
    ("explained_variance", "explained variance", "1 - var r / var y", None, PLUS),
)
#: The scores of a ranking of positive and negative items.
RANKING = _rows(
    ("auc", "area under the ROC curve", "share of pairs in order, ties half", ZERO, PLUS),
    ("gini", "Gini coefficient", "2·AUC - 1", MINUS, PLUS),
    ("ap", "average precision", "Σ Δrecall·precision", ZERO, PLUS),
)
#: All of them by name, as pickled scores are found again.
BEYOND = REGRESSION | RANKING
