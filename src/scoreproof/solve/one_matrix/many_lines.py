"""The single check's walk, taken by many rows at once, where all bounds are straight lines.

In each row the matrices that fit are the points (tp, tn) above all floors and below all
ceilings, each a line ``d·tp + e·tn + f >= 0`` in whole numbers.  The steps are those of ``walk``, so
the matrix found is the same; a row that is not settled after as many steps is left to the single
check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoreproof.scores import ONE, Score
from scoreproof.solve.one_matrix.decide import LINE_WALK
from scoreproof.solve.one_matrix.many_rows import (
    COARSE,
    SMALL_COUNT,
    Blocks,
    Flags,
    Ints,
    Rectangle,
    Rows,
    Settled,
)

#: With more figures than this the single check looks for the clashing ones in another way.
MOST_FIGURES = 5
#: Steps, and columns looked at, to tell whether some of the figures clash.
STEPS = 24
COLUMNS = 96


def small_enough(rows: Rows) -> Flags:
    """The rows whose numbers stay within the limits."""
    fine: Flags = (rows.p < SMALL_COUNT) & (rows.n < SMALL_COUNT)
    reported = np.zeros(len(rows), dtype=np.int64)
    for each in rows.figures:
        ok = each.scale <= COARSE
        if each.score.lowest != 0:
            ok &= each.low > 0  # a bound below zero is left to the single check
        fine &= ok | ~each.given
        reported += each.given
    return fine & (reported <= MOST_FIGURES)


@dataclass(frozen=True, slots=True)
class _Line:
    """Where ``d·x + e·y + f >= 0``."""

    d: Ints
    e: Ints
    f: Ints

    def of(self, rows: Ints) -> _Line:
        return _Line(self.d[rows], self.e[rows], self.f[rows])

    def column(self, x: Ints, low: Ints, high: Ints) -> Ints:
        """The smallest y in low..high on the good side; high + 1 if there is none."""
        sloped = self.e > 0
        first = -((self.d * x + self.f) // np.where(sloped, self.e, 1))
        whole = np.where(self.d * x + self.e * low + self.f >= 0, low, high + 1)
        return np.where(sloped, np.minimum(np.maximum(first, low), high + 1), whole)

    def row(self, y: Ints, low: Ints, high: Ints) -> Ints:
        """The smallest x in low..high on the good side; high + 1 if there is none."""
        return _Line(self.e, self.d, self.f).column(y, low, high)


def _at_least(score: Score, up: Ints, down: Ints, strict: Flags, p: Ints, n: Ints) -> _Line:
    """The line from which the score is at least up/down (above it, if strict)."""
    (*_, d, e, f), (*_, j, k, m) = score.polynomials(p, n, ONE)  # type: ignore[arg-type]
    # the denominator is above zero wherever the score is defined
    lines = [down * d - up * j, down * e - up * k, down * f - up * m - strict]
    # outside the range of the scores everything, or nothing, is at least up/down
    always = (up < 0) | ((up == 0) & ~strict)
    never = up > down
    constant = np.where(never, -1, 0)
    kept = ~always & ~never
    zero = np.zeros(len(p), dtype=np.int64)
    return _Line(
        *(np.where(kept, line, other) for line, other in zip(lines, (zero, zero, constant), strict=True))
    )


class Lines:
    """The rows with their floors and ceilings, one of each for every score."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.floors: list[_Line] = []
        self.ceilings: list[_Line] = []
        for each in rows.figures:
            # where nothing is given, every point is above the floor and none above the ceiling
            low, high = np.where(each.given, each.low, -1), np.where(each.given, each.high, each.scale + 1)
            self.floors.append(_at_least(each.score, low, each.scale, ~each.low_in, rows.p, rows.n))
            # at most v is not above v
            self.ceilings.append(_at_least(each.score, high, each.scale, each.high_in, rows.p, rows.n))

    def settle(self) -> Settled:
        """A matrix for each row, or the steps of its refutation, or neither."""
        return self._walk(np.arange(len(self.rows)), range(len(self.rows.figures)), LINE_WALK)

    def clash(self, at: Ints, which: Sequence[int]) -> tuple[Flags, Flags]:
        """(clash, settled): whether no matrix has just these figures."""
        walk = self._walk(at, which, STEPS)
        found, refuted = walk.fits, walk.refuted
        still = np.flatnonzero(~found & ~refuted)
        if len(still):
            found[still], refuted[still] = self._columns(at[still], which)
        return refuted, found | refuted

    def _columns(self, at: Ints, which: Sequence[int]) -> tuple[Flags, Flags]:
        """(some, none): whether one of a number of columns fits; none only if all were looked at."""
        rows = self.rows.of(at).keeping(which)
        left, right = rows.corners()
        floors, ceilings = ([kind[i].of(at) for i in which] for kind in (self.floors, self.ceilings))
        some = np.zeros(len(at), dtype=bool)
        for probe in range(COLUMNS):
            x = np.where(rows.p < COLUMNS, np.minimum(probe, rows.p), rows.p * probe // (COLUMNS - 1))
            low = np.where(right & (x == rows.p), 1, 0)
            high = np.where(left & (x == 0), rows.n - 1, rows.n)
            first, last = low, high
            for line in ceilings:
                last = np.minimum(last, line.column(x, low, high) - 1)
            for line in floors:
                first = np.maximum(first, line.column(x, low, high))
            some |= first <= last
        return some, ~some & (rows.p < COLUMNS)

    def _walk(self, at: Ints, which: Sequence[int], steps: int) -> Settled:
        """The walk through the rectangles on which every score is defined, in their order."""
        rows = self.rows.of(at).keeping(which)
        p, n = rows.p, rows.n
        left, right = rows.corners()
        zero, one = np.zeros_like(p), np.ones_like(p)
        rectangles = [
            #         rows     tp from              to                         tn from  to
            Rectangle(left,    zero,                zero,                      zero,    n - 1),
            Rectangle(one > 0, np.where(left, 1, 0), np.where(right, p - 1, p), zero,    n),
            Rectangle(right,   p,                   p,                         one,     n),
        ]  # fmt: skip
        floors, ceilings = ([kind[i].of(at) for i in which] for kind in (self.floors, self.ceilings))
        found, unsure = np.zeros(len(at), dtype=bool), np.zeros(len(at), dtype=bool)
        tp, tn = zero.copy(), zero.copy()
        for rectangle in rectangles:
            # An earlier rectangle that was not settled might hold the first matrix.
            live = np.flatnonzero(rectangle.have & ~found & ~unsure)
            if len(live):
                fit, open_still, x, y = _from_left(floors, ceilings, rectangle, live, steps)
                found[live[fit]] = True
                tp[live[fit]], tn[live[fit]] = x[fit], y[fit]
                unsure[live[open_still]] = True
        return Settled(found, ~found & ~unsure, tp, tn, rectangles)


def _from_left(
    floors: Sequence[_Line], ceilings: Sequence[_Line], rectangle: Rectangle, rows: Ints, steps: int
) -> tuple[Flags, Flags, Ints, Ints]:
    """(found, not settled, tp, tn) after so many steps of the walk; each step is noted down."""
    a, b, c, d = (each[rows] for each in (rectangle.a, rectangle.b, rectangle.c, rectangle.d))
    x, y = a.copy(), d.copy()
    found = np.zeros(len(rows), dtype=bool)
    going = a <= b
    for _ in range(steps):
        live = np.flatnonzero(going)
        if not len(live):
            break
        at, lowest, highest, last = x[live], c[live], d[live], b[live]
        where = rows[live]
        top = highest
        for line in ceilings:
            top = np.minimum(top, line.of(where).column(at, lowest, highest) - 1)
        jump = at
        for line in floors:
            jump = np.maximum(jump, line.of(where).row(np.maximum(top, lowest), at, last))
        empty = top < lowest  # in this column, and so in all later ones
        fit = ~empty & (jump == at)
        jump = np.where(empty, last + 1, jump)
        rectangle.steps.append(Blocks(where[~fit], at[~fit], jump[~fit] - 1, top[~fit]))
        found[live[fit]] = True
        x[live] = jump
        y[live] = top
        going[live] = ~fit & (jump <= last)
    return found, going, x, y
