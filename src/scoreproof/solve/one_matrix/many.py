"""Engine 1 for many rows at once: one matrix each, counts known.

What it says of a row is what the single check says, with the same matrix; a row it does not settle
says nothing, and is for the single check.  As there, nothing that was found is taken on trust: every
matrix is confirmed and every refutation replayed (``many_rows``), in whole numbers that cannot overflow
within the limits named there, or in floats where they leave no doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoreproof.logs import logger
from scoreproof.solve.one_matrix import many_sums, many_walks
from scoreproof.solve.one_matrix.many_rows import (
    COARSE,
    FINEST,
    LARGEST_COUNT,
    SMALL_COUNT,
    SMALLER_COUNT,
    SUMS,
    Flags,
    Ints,
    Rows,
    Settled,
)


def decide(rows: Rows) -> Settled:
    """A matrix for each row, or that there is none; rows of other shapes are not settled."""
    plain, others = _shapes(rows)
    fits, refuted = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
    tp, tn = np.zeros_like(rows.p), np.zeros_like(rows.p)
    for at, walks in ((np.flatnonzero(plain), False), (np.flatnonzero(others), True)):
        if len(at):
            here = rows if len(at) == len(rows) else rows.of(at)
            found = many_walks.Walks(here).settle() if walks else many_sums.settle(here)
            settled = found.confirmed(here)
            lost = int((found.fits & ~settled.fits).sum() + (found.refuted & ~settled.refuted).sum())
            if lost:
                logger.error("%d proofs did not survive their own replay; the single check decides", lost)
            fits[at], refuted[at], tp[at], tn[at] = settled.fits, settled.refuted, settled.tp, settled.tn
    return Settled(fits, refuted, tp, tn)


def _shapes(rows: Rows) -> tuple[Flags, Flags]:
    """The rows with shares of items only, and those with other scores."""
    some, other, curved = (np.zeros(len(rows), dtype=bool) for _ in range(3))
    fine: Flags = (rows.p > 0) & (rows.n > 0)
    for each in rows.figures:
        some |= each.given
        if each.score.name not in SUMS:
            other |= each.given
        if not each.score.linear:
            curved |= each.given
    largest, finest = np.where(other, SMALL_COUNT, LARGEST_COUNT), np.where(other, COARSE, FINEST)
    largest = np.where(curved, SMALLER_COUNT, largest)
    fine &= (rows.p < largest) & (rows.n < largest)
    for each in rows.figures:
        fine &= ~each.given | (each.scale <= finest)
    return fine & some & ~other, fine & other


class Clashes:
    """Whether some of the figures can be had together, in rows of which ``decide`` settled some."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._walks = many_walks.Walks(rows)

    def possible(self, at: Ints, which: Sequence[int]) -> Flags:
        """Whether some matrix for which these scores are defined has those of the figures that are given."""
        if all(self.rows.figures[i].score.name in SUMS for i in which):
            return many_sums.settle(self.rows.of(at).keeping(which)).fits
        return self._walks.possible(at, which)
