"""From confusion matrices, or from labels and predictions, to every average of every score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from scoreproof.aggregate.labels import auc, labelled
from scoreproof.aggregate.reading import Table, from_values, read
from scoreproof.aggregate.result import Aggregate
from scoreproof.aggregate.ways import Fold, averages, matrix_scores
from scoreproof.errors import BadClaim, quoted
from scoreproof.scores import Betas

DECIMALS = 4
MOST_DECIMALS = 50


def aggregate(
    matrices: object,
    *,
    datasets: Sequence[object] | None = None,
    runs: Sequence[object] | None = None,
    decimals: int = DECIMALS,
    beta_positive: object = 1,
    beta_negative: object = 1,
) -> Aggregate:
    """Every score of the folds in every way of averaging.

    ``matrices`` is a path to a CSV, TSV or JSON file, or a list with one entry per fold: a
    :class:`Matrix`, a tuple (tp, fp, fn, tn), a mapping with columns such as p, n, tp, tn, or
    scikit-learn's 2 x 2 array [[tn, fp], [fn, tp]].  ``datasets`` and ``runs`` say where each
    fold belongs.

    >>> result = aggregate([{"p": 10, "n": 20, "tp": 9, "tn": 15}, {"p": 10, "n": 20, "tp": 5, "tn": 20}])
    >>> result["precision"]["mean"], result["precision"]["pooled"]
    (Fraction(23, 28), Fraction(14, 19))
    """
    if isinstance(matrices, (str, Path)):
        matrices = read(Path(matrices))
    table = matrices if isinstance(matrices, Table) else from_values(matrices)
    folds = table.folds
    for field, given in (("dataset", datasets), ("run", runs)):
        if given is not None and len(given) != len(folds):
            problem = f"has {len(given)} entries for {len(folds)} folds; name one for every fold"
            raise BadClaim(f"{field}s", problem)
        if given is not None:
            told = [{field: str(word)} for word in given]
            folds = tuple(replace(fold, **said) for fold, said in zip(folds, told, strict=True))  # type: ignore[arg-type]
    return _aggregated(folds, table.notes, decimals, beta_positive, beta_negative)


def from_labels(
    y_true: Any,
    y_pred: Any,
    *,
    folds: Any = None,
    y_score: Any = None,
    positive: Any = 1,
    datasets: Any = None,
    runs: Any = None,
    decimals: int = DECIMALS,
    beta_positive: object = 1,
    beta_negative: object = 1,
) -> Aggregate:
    """Every score of labelled and predicted items in every way of averaging.

    ``folds`` names the fold of every item, or lists the positions of every fold's items;
    without it, y_true may hold one list per fold.  With ``y_score`` (higher means more
    positive) the result also has "auc": its mean over folds, and "pooled", all folds merged.

    >>> result = from_labels([1, 0, 1, 0], [1, 0, 0, 0], folds="aabb", y_score=[0.2, 0.1, 0.9, 0.8])
    >>> result["auc"]["mean"], result["auc"]["pooled"]
    (Fraction(1, 1), Fraction(3, 4))
    """
    if isinstance(folds, str):
        folds = list(folds)
    found, sides = labelled(y_true, y_pred, folds, y_score, positive, datasets, runs)
    result = _aggregated(found, (), decimals, beta_positive, beta_negative)
    if not sides:
        return result

    def merged(group: Sequence[int]) -> Fraction | None:
        return auc(*([score for i in group for score in sides[i][which]] for which in (0, 1)))

    area = averages("auc", "area under the ROC curve", merged, found)
    return replace(result, scores={**result.scores, "auc": area})


def _aggregated(
    folds: tuple[Fold, ...], notes: tuple[str, ...], decimals: int, beta_positive: object, beta_negative: object
) -> Aggregate:
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MOST_DECIMALS:
        raise BadClaim(
            "decimals", f"expected a whole number from 0 to {MOST_DECIMALS}, found {quoted(decimals)}"
        )
    betas = Betas(squared_beta("beta_positive", beta_positive), squared_beta("beta_negative", beta_negative))
    return Aggregate(folds, matrix_scores(folds, betas), decimals, notes)


def squared_beta(name: str, beta: object) -> Fraction:
    """The square of a beta; a float means its shortest decimal text."""
    try:
        found = Fraction(str(beta))
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 1000:
        raise BadClaim(name, f"expected a number above 0 and at most 1000, found {quoted(beta)}")
    return found * found
