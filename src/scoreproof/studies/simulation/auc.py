"""AUC averaged over folds against the AUC of all folds merged.

Scores of negatives are normal, those of positives the same but higher, by as much as gives
the true AUC.  The classifier of each fold is calibrated differently: all scores of a fold
are shifted by a normal number of deviation ``shift``.  A shift changes no ranking within a
fold, so the average does not feel it; merged, the folds are compared with each other.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from scoreproof.studies.simulation.chance import Generator, Numbers, Setting, average

HEADINGS = {"auc_avg": "AUC_avg", "auc_avg_zero": "AUC_avg, 0/0 = 0", "auc_merge": "AUC_merge"}


def _area(scores: Numbers, positive: NDArray[np.bool_]) -> Numbers:
    """The share of (positive, negative) pairs in the right order; NaN where a class is missing."""
    order = np.argsort(scores, axis=1)
    sorted_labels = np.take_along_axis(positive, order, axis=1)
    ranks = np.arange(1, scores.shape[1] + 1)
    p = positive.sum(1)
    n = scores.shape[1] - p
    above = (sorted_labels * ranks).sum(1) - p * (p + 1) / 2
    pairs = p * n
    return np.where(pairs > 0, above / np.maximum(pairs, 1), np.nan)


def measured(rng: Generator, trials: int, setting: Setting) -> dict[str, Numbers]:
    """What each way makes of the same trials."""
    sizes, p = setting.dealt(rng, trials)
    ahead = np.sqrt(2) * ndtri(setting.truth)
    # Within a fold the positives stand first: where an item stands does not matter.
    positive = np.concatenate([np.arange(size) < p[:, i : i + 1] for i, size in enumerate(sizes)], axis=1)
    scores = ndtri(rng.random((trials, setting.cases))) + ahead * positive
    scores += setting.shift * np.repeat(ndtri(rng.random(p.shape)), sizes, axis=1)
    ends = np.cumsum([0, *sizes])
    areas = np.stack([_area(scores[:, a:b], positive[:, a:b]) for a, b in pairwise(ends)], 1)
    defined = ~np.isnan(areas)
    areas = np.where(defined, areas, 0.0)
    return {
        "auc_avg": average(areas, defined),
        "auc_avg_zero": areas.mean(1),
        "auc_merge": _area(scores, positive),
    }
