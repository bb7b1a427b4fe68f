"""Engine 1 for many rows at once: one matrix each, counts known, bounds straight lines.

What it says of a row is what the single check says, with the same matrix; a row it does not settle
says nothing, and is for the single check.  As there, nothing that was found is taken on trust: every
matrix is confirmed and every refutation replayed (``many_rows``), all in whole numbers of 64 bits that
cannot overflow within the limits named there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from scoreproof.logs import logger
from scoreproof.solve.one_matrix import many_lines, many_sums
from scoreproof.solve.one_matrix.many_rows import FINEST, LARGEST_COUNT, LINES, SUMS, Flags, Ints, Rows, Settled


def decide(rows: Rows) -> Settled:
    """A matrix for each row, or that there is none; rows of other shapes are not settled."""
    plain, others = _shapes(rows)
    fits, refuted = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    tp, tn = np.zeros_like(rows.p), np.zeros_like(rows.p)
    for at, lines in ((np.flatnonzero(plain), False), (np.flatnonzero(others), True)):
        if len(at):
            here = rows if len(at) == len(rows) else rows.of(at)
            found = many_lines.Lines(here).settle() if lines else many_sums.settle(here)
            settled = found.confirmed(here)
            lost = int((found.fits & ~settled.fits).sum() + (found.refuted & ~settled.refuted).sum())
            if lost:
                logger.error("%d proofs did not survive their own replay; the single check decides", lost)
            fits[at], refuted[at], tp[at], tn[at] = settled.fits, settled.refuted, settled.tp, settled.tn
    return Settled(fits, refuted, tp, tn)


def _shapes(rows: Rows) -> tuple[Flags, Flags]:
    """The rows with shares of items only, and those with other straight lines."""
    some, other = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    fine: Flags = (rows.p > 0) & (rows.n > 0) & (rows.p < LARGEST_COUNT) & (rows.n < LARGEST_COUNT)
    for each in rows.figures:
        some |= each.given
        if each.score.name not in SUMS:
            other |= each.given
        fine &= ~each.given | ((each.scale <= FINEST) & (each.score.name in LINES))
    return fine & some & ~other, fine & other & many_lines.small_enough(rows)


def clashing(rows: Rows, refuted: Ints) -> dict[int, tuple[int, ...]]:
    """For each of these refuted rows the first of the smallest sets of figures that clash.

    Figures are counted as the scores stand.  Rows for which some set could not be settled are left out.
    """
    here = rows.of(refuted)
    given = np.array([each.given for each in here.figures])
    reported = given.sum(axis=0)
    named: dict[int, tuple[int, ...]] = {}
    left = np.ones(len(here), dtype=bool)
    lines = None
    for size in range(1, int(reported.max(initial=0))):
        for which in combinations(range(len(here.figures)), size):
            at = np.flatnonzero(left & (reported > size) & given[list(which)].all(axis=0))
            if not len(at):
                continue
            if _only_sums(here, which):
                clash = many_sums.settle(here.of(at).keeping(which)).refuted
                settled = np.ones(len(at), dtype=bool)
            else:
                lines = lines or many_lines.Lines(here)
                clash, settled = lines.clash(at, which)
            left[at[clash | ~settled]] = False
            named.update(dict.fromkeys(refuted[at[clash & settled]].tolist(), which))
    for place in np.flatnonzero(left).tolist():
        named[int(refuted[place])] = tuple(np.flatnonzero(given[:, place]).tolist())
    return named


def _only_sums(rows: Rows, which: Sequence[int]) -> bool:
    return all(rows.figures[i].score.name in SUMS for i in which)
