"""Known folds whose points can be listed: upper bounds for weighted sums of columns.

Every column is tabulated once, as integers ``lo`` with a width W such that its true value lies in
[lo, lo + W]·2^-bits.  A weighted sum is then maximised over a rectangle in 64-bit integers; what
rounding the weights and the widths can add is added exactly, so the bound holds without any float.

Why 64 bits are enough: a grid has at most ``MOST_POINTS`` points, so tp and tn stay below 2^17;
scores are computed in Python's own integers and stored below 2^COARSE; and ``weighted`` chooses
whole weights such that the largest possible sum of |weight|·|entry| is below 2^61.
``tests/oracles`` compares every bound with a twin in fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt, lcm
from typing import Any

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.sums.model import Column, Option
from scoreproof.scores import ROWS, Betas, Matrix, zones, zones_undefined

Array = np.ndarray[Any, Any]
Box = tuple[int, ...]  # first and last value of every axis, all included
Direction = tuple[Fraction, list[Fraction]]  # an offset, and a factor for every column

MOST_POINTS = 120_000  # grids with more points than this are not listed
FINE = 40  # binary digits of a tabulated score
COARSE = 34  # table entries stay below 2^COARSE
TOP = 60  # weighted sums stay below 2^(TOP + 1)


class ScoreTable:
    """Every value of one score on one grid: in [lo, lo + width]·2^-FINE, or undefined."""

    __slots__ = ("lo", "undefined", "width")

    def __init__(self, lo: Array, width: int, undefined: Array) -> None:
        self.lo, self.width, self.undefined = lo, width, undefined


@lru_cache(maxsize=512)
def score_table(name: str, p: int, n: int, betas: Betas) -> ScoreTable:
    """The table of a score, from its polynomials, in Python integers."""
    score = ROWS[name]
    tp = np.arange(p + 1).astype(object)[:, None]
    tn = np.arange(n + 1).astype(object)[None, :]
    undefined = np.zeros((p + 1, n + 1), dtype=bool)
    holes = zones_undefined(score, p, n, betas)
    for i, (a, b) in zones(p):
        for j, (c, d) in zones(n):
            if (i, j) in holes:
                undefined[a : b + 1, c : d + 1] = True

    def polynomial(coefficients: tuple[int, ...]) -> Array:
        a, b, c, d, e, f = (int(x) for x in coefficients)
        result = f + d * tp + e * tn
        if a:
            result = result + a * tp * tp
        if b:
            result = result + b * tp * tn
        if c:
            result = result + c * tn * tn
        return np.asarray(np.broadcast_to(result, (p + 1, n + 1)), dtype=object)

    up = np.where(undefined, 0, polynomial(score.numerator(p, n, betas)))
    down = np.where(undefined, 1, polynomial(score.denominator(p, n, betas)))
    if score.threshold:
        # 1/(1+√r) with r = up/down; down is 0 where nothing is a false positive: the score is 0
        one = 1 << (FINE + 8)
        free = down == 0
        ratio = np.where(free, 0, up * one * one // np.where(free, 1, down))
        root = np.array([isqrt(x) for x in ratio.ravel()], dtype=object).reshape(ratio.shape)
        low = (one << FINE) // (one + root + 1)
        return ScoreTable(np.where(free, 0, low).astype(object), 2, undefined)
    if score.squared:
        ratio = (up << (2 * FINE)) // down
        root = np.array([isqrt(x) for x in ratio.ravel()], dtype=object).reshape(ratio.shape)
        if score.signed:
            negative = n * tp + p * tn < n * p
            root = np.where(negative, -root - 1, root)
        return ScoreTable(root, 1, undefined)
    return ScoreTable((up << FINE) // down, 1, undefined)


def kept(option: Option, convention: str, betas: Betas) -> Array:
    """Which points of a grid stay."""
    mask = np.ones((option.p + 1, option.n + 1), dtype=bool)
    for keep in option.keeps:
        table = score_table(keep.score, option.p, option.n, betas)
        inside = _inside(option, keep.score, keep.interval, convention, betas, table)
        if keep.defined:
            inside = inside & ~table.undefined
        elif convention == "skip":
            inside = inside | table.undefined
        mask &= inside
    return mask


def _inside(
    option: Option, name: str, interval: Interval, convention: str, betas: Betas, table: ScoreTable
) -> Array:
    """Where the number a score counts as lies in the interval; only close calls are slow."""
    result = np.ones(table.lo.shape, dtype=bool)
    doubt = np.zeros(table.lo.shape, dtype=bool)
    if interval.lo is not None:
        result &= table.lo + table.width >= ceil(interval.lo * 2**FINE) - 1
        doubt |= abs(table.lo - int(interval.lo * 2**FINE)) < 8
    if interval.hi is not None:
        result &= table.lo <= int(interval.hi * 2**FINE) + 1
        doubt |= abs(table.lo - int(interval.hi * 2**FINE)) < 8
    for tp, tn in zip(*np.nonzero(doubt & ~table.undefined), strict=True):
        value = ROWS[name].value(Matrix.of(int(tp), int(tn), option.p, option.n), betas)
        result[tp, tn] = value is not None and value in interval
    result[table.undefined] = Fraction(0) in interval if convention == "zero" else True
    return result


class Grid:
    """All points (tp, tn) of a known fold, with its columns."""

    axes = 2

    def __init__(self, option: Option, convention: str, betas: Betas) -> None:
        self.option, self.convention, self.betas = option, convention, betas
        self.mask = kept(option, convention, betas)
        self.whole = bool(self.mask.all())
        self.data: list[Array] = []
        self.bits: list[int] = []
        self.width: list[int] = []
        for column in option.columns:
            lo, width, bits = self._column(column)
            self.data.append(lo)
            self.width.append(width)
            self.bits.append(bits)
        self.units = [Fraction(2) ** -bits for bits in self.bits]
        self.largest = [max(1, int(abs(d).max())) for d in self.data]

    def _column(self, column: Column) -> tuple[Array, int, int]:
        shape = self.option.p + 1, self.option.n + 1
        if column.what == "tp":
            return np.broadcast_to(np.arange(shape[0], dtype=np.int64)[:, None], shape), 0, 0
        if column.what == "tn":
            return np.broadcast_to(np.arange(shape[1], dtype=np.int64)[None, :], shape), 0, 0
        table = score_table(column.score, self.option.p, self.option.n, self.betas)
        absent = table.undefined if self.convention != "zero" else np.zeros(shape, dtype=bool)
        if column.what == "defined":
            return np.where(absent, 0, 1).astype(np.int64), 0, 0
        if column.what == "inside":
            inside = _inside(self.option, column.score, column.interval, self.convention, self.betas, table)
            return np.where(inside & ~absent, 1, 0).astype(np.int64), 0, 0
        shift = column.shift * 2**FINE
        lo = np.where(table.undefined, 0, table.lo) - ceil(shift)
        width = table.width + (shift.denominator != 1)
        if column.what == "square":
            hi = lo + width
            straddles = (lo <= 0) & (hi >= 0)
            below = np.where(straddles, 0, np.minimum(lo * lo, hi * hi)) >> FINE
            above = (np.maximum(lo * lo, hi * hi) >> FINE) + 1
            lo, width = below, int((above - below).max())
        lo = np.where(absent, 0, lo)
        drop = max(0, int(abs(lo).max()).bit_length() - COARSE)
        # where the column is 0 for nothing its true value is 0, whatever the width
        return (lo >> drop).astype(np.int64), (width >> drop) + 2 if drop else width, FINE - drop

    # -- boxes -----------------------------------------------------------------------------------

    def root(self) -> Box | None:
        """The smallest rectangle around all points that stay."""
        return self.shrunk((0, self.option.p, 0, self.option.n))

    def shrunk(self, box: Box) -> Box | None:
        """The smallest rectangle around the points that stay."""
        a, b, c, d = box
        if self.whole:
            return box
        part = self.mask[a : b + 1, c : d + 1]
        rows, columns = np.nonzero(part.any(axis=1))[0], np.nonzero(part.any(axis=0))[0]
        if not len(rows):
            return None
        return a + int(rows[0]), a + int(rows[-1]), c + int(columns[0]), c + int(columns[-1])

    def count(self, box: Box) -> int:
        """How many points a box has."""
        a, b, c, d = box
        if self.whole:
            return (b - a + 1) * (d - c + 1)
        return int(self.mask[a : b + 1, c : d + 1].sum())

    def points(self, box: Box) -> list[tuple[int, int, int]]:
        """(p, tp, tn) of the points of a box."""
        a, b, c, d = box
        places = np.argwhere(self.mask[a : b + 1, c : d + 1])
        return [(self.option.p, a + i, c + j) for i, j in places.tolist()]

    def errors(self, box: Box) -> tuple[int, int, int, int]:
        """The fewest and the most false negatives and false positives in a box."""
        a, b, c, d = box
        p, n = self.option.p, self.option.n
        return p - b, p - a, n - d, n - c

    # -- bounds ----------------------------------------------------------------------------------

    def prepared(self, shares: list[tuple[Fraction, list[Fraction]]]) -> Direction:
        """A direction as ``upper`` wants it."""
        return shares[0]

    def weighted(self, box: Box, factors: list[Fraction]) -> tuple[Array, Fraction, Fraction]:
        """(total, extra, scale): Σ factor·column is at most (total + extra)/scale everywhere."""
        a, b, c, d = box
        terms = [(k, f * self.units[k]) for k, f in enumerate(factors) if f]
        size = sum((abs(x) * self.largest[k] for k, x in terms), Fraction(0))
        total: Array = np.zeros((b - a + 1, d - c + 1), dtype=np.int64)
        if not size:
            return total, Fraction(0), Fraction(1)
        # weights become integers such that no weighted sum exceeds 2^(TOP + 1)
        shift = TOP - (size.numerator.bit_length() - size.denominator.bit_length() + 1)
        scale = Fraction(2) ** shift
        extra = Fraction(0)
        for k, x in terms:
            exact = x * scale
            weight = round(exact)
            total = total + self.data[k][a : b + 1, c : d + 1] * weight
            extra += abs(exact - weight) * self.largest[k]
            if x > 0:
                extra += exact * self.width[k]
        return total, extra, scale

    def upper(self, box: Box, direction: Direction) -> Fraction | None:
        """No point of the box has a larger offset + Σ factor·column; None if none stays."""
        a, b, c, d = box
        part = self.mask[a : b + 1, c : d + 1]
        if not self.whole and not part.any():
            return None
        total, extra, scale = self.weighted(box, direction[1])
        best = int(total.max() if self.whole else total[part].max())
        return (best + extra) / scale + direction[0]

    def trim(self, direction: Direction, least: Fraction) -> bool:
        """Drop the points where the sum is surely below ``least``; whether any was."""
        total, extra, scale = self.weighted((0, self.option.p, 0, self.option.n), direction[1])
        limit = max(ceil((least - direction[0]) * scale - extra), -(1 << 62))
        stay = self.mask & (total >= limit) if limit < 1 << 62 else np.zeros_like(self.mask)
        if bool((stay == self.mask).all()):
            return False
        self.mask, self.whole = stay, False
        return True

    def score_range(self, name: str, box: Box) -> tuple[Fraction, Fraction, bool] | None:
        """Bounds of the number a score counts as over the points that stay, and whether it
        may be missing; None if it is missing at all of them."""
        a, b, c, d = box
        table = score_table(name, self.option.p, self.option.n, self.betas)
        stay = self.mask[a : b + 1, c : d + 1]
        holes = table.undefined[a : b + 1, c : d + 1] & stay
        values = table.lo[a : b + 1, c : d + 1][stay & ~holes]
        ends = []
        if len(values):
            ends = [
                Fraction(int(min(values)), 1 << FINE),
                Fraction(int(max(values)) + table.width, 1 << FINE),
            ]
        if self.convention == "zero" and holes.any():
            ends.append(Fraction(0))
        if not ends:
            return None
        return min(ends), max(ends), bool(holes.any()) and self.convention != "zero"

    # -- rows ------------------------------------------------------------------------------------

    def tabulated(self, box: Box, shares: Mapping[int, tuple[Fraction, tuple[Fraction, ...]]]) -> Rows:
        """For every row, integers lo with a width and bits: its values at the points of a box lie in
        [lo, lo + width]·2^-bits."""
        a, b, c, d = box
        mask = self.mask[a : b + 1, c : d + 1]
        columns = [np.asarray(data[a : b + 1, c : d + 1][mask]).astype(object) for data in self.data]
        return {r: self._row(columns, share, int(mask.sum())) for r, share in shares.items()}

    def _row(self, columns: list[Array], share: tuple[Fraction, tuple[Fraction, ...]], count: int) -> RowTable:
        offset, factors = share
        used = [k for k, f in enumerate(factors) if f]
        even = [k for k in used if not self.bits[k] and not self.width[k]]
        down = lcm(offset.denominator, *(factors[k].denominator for k in even))
        whole: Array = np.full(count, int(offset * down), dtype=object)
        for k in even:
            whole = whole + int(factors[k] * down) * columns[k]
        rest = [k for k in used if k not in even]
        top = max((abs(x) for x in whole), default=1) // down + 1
        if not rest and down == 1 and top < 1 << COARSE:
            return whole.astype(np.int64), 0, 0
        size = Fraction(top)
        for k in rest:
            size += abs(factors[k]) * (self.largest[k] + self.width[k]) * self.units[k]
        bits = max(0, COARSE - ceil(size).bit_length())
        lo, width = (whole << bits) // down, 1
        for k in rest:
            # factor·column in units of 2^-bits: rounded down, and the width rounded up
            unit = factors[k] * (1 << bits) * self.units[k]
            lo = lo + (columns[k] * unit.numerator) // unit.denominator
            lo = lo + (floor(unit * self.width[k]) if unit < 0 else 0)
            width += ceil(abs(unit) * self.width[k]) + 2
        drop = max(0, int(max((abs(x) for x in lo), default=0)).bit_length() - COARSE - 2)
        return (lo >> drop).astype(np.int64), (width >> drop) + 2 if drop else width, bits - drop


RowTable = tuple[Array, int, int]
Rows = dict[int, RowTable]
