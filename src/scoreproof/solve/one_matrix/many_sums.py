"""Rows with accuracy, sensitivity and specificity only, settled by one formula.

Sensitivity bounds tp, specificity bounds tn, accuracy bounds tp + tn, each by an interval of whole
numbers.  A matrix fits if and only if

    tp0 <= tp <= tp1,   tn0 <= tn <= tn1,   s0 <= tp + tn <= s1

has a solution; the smallest tp of one is max(tp0, s0 - tn1), and with it the largest tn is
min(tn1, s1 - tp).  That is the matrix the single check finds, coming from the left.

If there is none, sensitivity rules out the columns up to tp0 - 1 and those from tp1 + 1 on.
Between them one level of tn is enough, unless accuracy alone has no number of right answers:

    too few right in all:    s0 > tp1 + tn1     level tn1      above it the specificity is too large
    too many right in all:   s1 < tp0 + tn0     level tn0 - 1  up to it the specificity is too small
    specificity alone:       tn0 > tn1          level tn1
"""

from __future__ import annotations

import numpy as np

from scoreproof.solve.one_matrix.many_rows import SUMS, Blocks, Gaps, Ints, Rectangle, Rows, Settled


def settle(rows: Rows) -> Settled:
    """A matrix for each row, or the steps of its refutation."""
    wholes = {"acc": rows.p + rows.n, "sens": rows.p, "spec": rows.n}
    ends = {score: (np.zeros_like(whole), whole) for score, whole in wholes.items()}
    for each in rows.figures:
        if each.score.name in SUMS:
            ends[each.score.name] = each.counts(wholes[each.score.name])
    (s0, s1), (tp0, tp1), (tn0, tn1) = (ends[score] for score in SUMS)
    tp = np.maximum(tp0, s0 - tn1)
    tn = np.minimum(tn1, s1 - tp)
    found = (tp <= tp1) & (tn >= tn0) & (s0 <= s1) & (tn0 <= tn1)
    zero = np.zeros_like(rows.p)
    box = Rectangle(np.ones(len(rows), dtype=bool), zero, rows.p, zero, rows.n)

    def rule_out(kind: type[Blocks] | type[Gaps], which: Ints, first: Ints, last: Ints, level: Ints) -> None:
        at = which[first[which] <= last[which]]
        if len(at):
            box.steps.append(kind(at, first[at], last[at], level[at]))

    none = np.flatnonzero(~found)
    few, many = s0 > tp1 + tn1, s1 < tp0 + tn0
    gap = ~few & ~many & (tn0 <= tn1)
    rule_out(Blocks, none, zero, tp0 - 1, rows.n)
    rule_out(Blocks, none[~gap[none]], tp0, tp1, np.where(many & ~few, tn0 - 1, tn1))
    rule_out(Gaps, none[gap[none]], tp0, tp1, s1)
    rule_out(Blocks, none, np.maximum(tp0, tp1 + 1), rows.p, zero - 1)
    return Settled(found, ~found, tp, tn, [box])
