"""The five F-measures of Forman and Scholz, cross-validated many times.

The classifier's precision and recall are both the true F.  Folds get their positives
stratified or dealt at random; true and false positives are binomial in every fold.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scoreproof.claim.folds import fold_sizes, stratified_folds
from scoreproof.studies.simulation.chance import Counts, Numbers, binomial, folded

Ways = Callable[[Counts, Counts, Counts], Numbers]


def _ratio(up: Numbers | Counts, down: Numbers | Counts) -> Numbers:
    """up/down, and 0 where that is 0/0."""
    return np.divide(up, down, out=np.zeros(np.broadcast(up, down).shape), where=down != 0)


def _f(tp: Counts, fp: Counts, fn: Counts) -> Numbers:
    return _ratio(2 * tp, 2 * tp + fp + fn)


def _valid(tp: Counts, fp: Counts, fn: Counts) -> Numbers:
    """1 for folds in which precision and recall are both defined, else 0."""
    return ((tp + fp > 0) & (tp + fn > 0)).astype(float)


def _harmonic(precision: Numbers, recall: Numbers) -> Numbers:
    return _ratio(2 * precision * recall, precision + recall)


def _skipping(values: Numbers, valid: Numbers) -> Numbers:
    """The mean over valid folds; NaN where there are none."""
    count = valid.sum(1)
    return np.where(count > 0, _ratio((values * valid).sum(1), count), np.nan)


def f_tp_fp(tp: Counts, fp: Counts, fn: Counts) -> Numbers:
    return _f(tp.sum(1), fp.sum(1), fn.sum(1))


def f_avg(tp: Counts, fp: Counts, fn: Counts) -> Numbers:
    found: Numbers = _f(tp, fp, fn).mean(1)  # where precision or recall is 0/0, tp is 0, and so is F
    return found


def f_avg_skip(tp: Counts, fp: Counts, fn: Counts) -> Numbers:
    return _skipping(_f(tp, fp, fn), _valid(tp, fp, fn))


def f_pr_re(tp: Counts, fp: Counts, fn: Counts) -> Numbers:
    return _harmonic(_ratio(tp, tp + fp).mean(1), _ratio(tp, tp + fn).mean(1))


def f_pr_re_skip(tp: Counts, fp: Counts, fn: Counts) -> Numbers:
    valid = _valid(tp, fp, fn)
    return _harmonic(_skipping(_ratio(tp, tp + fp), valid), _skipping(_ratio(tp, tp + fn), valid))


#: The ways by the keys of ``scoreproof aggregate``; arrays of trials x folds go in.
WAYS: dict[str, Ways] = {
    "f_tp_fp": f_tp_fp,
    "f_avg": f_avg,
    "f_avg_skip": f_avg_skip,
    "f_pr_re": f_pr_re,
    "f_pr_re_skip": f_pr_re_skip,
}

HEADINGS = {
    "f_tp_fp": "F_tp,fp",
    "f_avg": "F_avg",
    "f_avg_skip": "F~_avg",
    "f_pr_re": "F_pr,re",
    "f_pr_re_skip": "F~_pr,re",
}


def cross_validated(
    rng: np.random.Generator,
    trials: int,
    positives: int,
    cases: int,
    folds: int,
    stratified: bool,
    truth: float,
) -> tuple[Counts, Counts, Counts]:
    """tp, fp and fn of every fold of every trial."""
    negatives = cases - positives
    if stratified:
        parts = stratified_folds(positives, negatives, folds)
        p = np.broadcast_to(np.array([part.p for part in parts]), (trials, folds))
        n = np.broadcast_to(np.array([part.n for part in parts]), (trials, folds))
    else:
        sizes = [size for size, many in fold_sizes(positives, negatives, folds) for _ in range(many)]
        p = folded(rng, trials, positives, sizes)
        n = np.array(sizes) - p
    # precision = recall = truth: as many false positives are expected as false negatives
    alarms = positives * (1 - truth) / negatives
    tp = binomial(int(p.max()), truth).draw(p, rng.random((trials, folds)))
    fp = binomial(int(n.max()), alarms).draw(n, rng.random((trials, folds)))
    return tp, fp, p - tp


def measured(
    rng: np.random.Generator,
    trials: int,
    positives: int,
    cases: int,
    folds: int,
    stratified: bool,
    truth: float,
) -> dict[str, Numbers]:
    """What each way makes of the same trials."""
    counts = cross_validated(rng, trials, positives, cases, folds, stratified, truth)
    return {key: way(*counts) for key, way in WAYS.items()}
