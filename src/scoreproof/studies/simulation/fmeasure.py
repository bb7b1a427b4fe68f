"""The five F-measures of Forman and Scholz, cross-validated many times.

The classifier's precision and recall are both the true F.  Folds get their positives
stratified or dealt at random; true and false positives are binomial in every fold.
"""

from __future__ import annotations

from scoreproof.aggregate.ways import F_WAYS
from scoreproof.studies.simulation.chance import Counts, Generator, Numbers, Setting, average, binomial, ratio

#: The ways by the keys of ``scoreproof aggregate``, with their headings.
HEADINGS = {key: F_WAYS[key].heading for key in ("f_tp_fp", "f_avg", "f_avg_skip", "f_pr_re", "f_pr_re_skip")}


def ways(tp: Counts, fp: Counts, fn: Counts) -> dict[str, Numbers]:
    """What each way makes of the counts of every fold (columns) of every trial (rows)."""
    precision, recall, f = ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)
    valid = (tp + fp > 0) & (tp + fn > 0)  # precision and recall are both defined
    return {
        "f_tp_fp": ratio(2 * tp.sum(1), 2 * tp.sum(1) + fp.sum(1) + fn.sum(1)),
        "f_avg": f.mean(1),  # where precision or recall is 0/0, tp is 0, and so is F
        "f_avg_skip": average(f, valid),
        "f_pr_re": _harmonic(precision.mean(1), recall.mean(1)),
        "f_pr_re_skip": _harmonic(average(precision, valid), average(recall, valid)),
    }


def _harmonic(precision: Numbers, recall: Numbers) -> Numbers:
    return ratio(2 * precision * recall, precision + recall)


def cross_validated(rng: Generator, trials: int, setting: Setting) -> tuple[Counts, Counts, Counts]:
    """tp, fp and fn of every fold of every trial."""
    sizes, p = setting.dealt(rng, trials)
    n = sizes - p
    # precision = recall = truth: as many false positives are expected as false negatives
    alarms = setting.positives * (1 - setting.truth) / (setting.cases - setting.positives)
    tp = binomial(int(p.max()), setting.truth).draw(p, rng.random(p.shape))
    fp = binomial(int(n.max()), alarms).draw(n, rng.random(p.shape))
    return tp, fp, p - tp


def measured(rng: Generator, trials: int, setting: Setting) -> dict[str, Numbers]:
    """What each way makes of the same trials."""
    return ways(*cross_validated(rng, trials, setting))
