"""When a confusion matrix of several classes exists, and one that does.

Given are, for every class c, its items n_c, the correct ones tp_c and the predictions m_c.  Let
fn_c = n_c - tp_c, fp_c = m_c - tp_c and R = Σ fn_c, the number of wrong predictions.

Theorem.  A matrix of whole numbers >= 0 with these row sums, diagonal and column sums exists
exactly when all fn_c, fp_c >= 0, Σ fp_c = R, and fp_c + fn_c <= R for every c.

Proof.  What is asked for is a way to send the fn_c items of every row c to columns b ≠ c such
that column b receives fp_b: a transport from rows to columns that leaves the diagonal out.
Necessary: the wrong predictions are counted by rows and by columns, so both sums are R; and a
wrong prediction lies in row c or in column c but never in both (that would be the diagonal), so
fn_c + fp_c of them are different ones, at most R.  Sufficient: by the theorem of Gale and Hall
a transport with equal totals exists if every set A of rows has no more to send than the columns
it can reach will take.  A set of two or more rows reaches every column, which take R together.
A single row c reaches all columns but its own, which take R - fp_c, and fn_c <= R - fp_c.  ∎
"""

from __future__ import annotations

from collections.abc import Sequence

Grid = tuple[tuple[int, ...], ...]


def exists(items: Sequence[int], correct: Sequence[int], called: Sequence[int]) -> bool:
    """Whether a matrix with these row sums, this diagonal and these column sums exists.

    >>> exists([5, 5, 5], [4, 5, 5], [4, 6, 5]), exists([5, 5, 5], [4, 5, 5], [5, 5, 5])
    (True, False)
    """
    missed = [n - tp for n, tp in zip(items, correct, strict=True)]
    alarms = [m - tp for m, tp in zip(called, correct, strict=True)]
    wrong = sum(missed)
    return (
        min(*missed, *alarms, *correct) >= 0
        and sum(alarms) == wrong
        and all(fn + fp <= wrong for fn, fp in zip(missed, alarms, strict=True))
    )
