"""From the folds' confusion matrices to every score in every way of averaging, exactly.

    numbers   means and deviations of exact numbers, correctly rounded
    ways      every way of averaging, one row each
    reading   CSV, TSV, JSON and Python values -> folds
    labels    labels, predictions and scores -> folds; AUC
    prose     what is said about ways: their names, and which one to report
    result    what comes back, and where the ways disagree
    run       from either kind of input to the result
    of_labels every way for labels of two classes or several
    reported  printed figures against the labels

>>> from scoreproof.aggregate import aggregate
>>> table = aggregate([(3, 0, 0, 373), (4, 1, 0, 371), (4, 13, 0, 359), (3, 5, 1, 367)], decimals=2)
>>> [table.shown("f1", way) for way in ("f_tp_fp", "f_avg", "f_pr_re")]
['0.58', '0.69', '0.73']
"""

from scoreproof.aggregate.labels import auc
from scoreproof.aggregate.reading import parse, read
from scoreproof.aggregate.result import Aggregate
from scoreproof.aggregate.run import DECIMALS, aggregate, from_labels
from scoreproof.aggregate.ways import F_WAYS, WAYS, Averages, Fold, Summary

__all__ = [
    "DECIMALS",
    "F_WAYS",
    "WAYS",
    "Aggregate",
    "Averages",
    "Fold",
    "Summary",
    "aggregate",
    "auc",
    "from_labels",
    "parse",
    "read",
]
