"""Upper bounds for weighted sums of columns over a rectangle of a part's grid.

A small grid is tabulated once: every column as integers ``lo`` with a width W such that the
column's true value lies in [lo, lo + W]·2^-bits.  A weighted sum is then maximised over a
rectangle in 64-bit integers; what rounding the weights and the widths can add is added
exactly, so the bound holds without any float.

Grids too large to list are the business of ``averages.wide``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, isqrt
from typing import Any

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.averages.model import Column, Group
from scoreproof.scores import ROWS, Betas, Matrix, zones, zones_undefined

Array = np.ndarray[Any, Any]
Rect = tuple[int, int, int, int]  # first and last tp, first and last tn, both included

WIDE = 120_000  # grids with more points than this are bounded by corners instead of listed
FINE = 40  # binary digits of a tabulated score
COARSE = 34  # table entries stay below 2^COARSE, so that weighted sums fit 64 bits


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


def kept(group: Group, convention: str, betas: Betas) -> Array:
    """Which points of a small grid stay."""
    mask = np.ones((group.p + 1, group.n + 1), dtype=bool)
    for keep in group.keeps:
        table = score_table(keep.score, group.p, group.n, betas)
        inside = _inside(group, keep.score, keep.interval, convention, betas, table)
        if keep.defined:
            inside = inside & ~table.undefined
        elif convention == "skip":
            inside = inside | table.undefined
        mask &= inside
    return mask


def _inside(
    group: Group, name: str, interval: Interval, convention: str, betas: Betas, table: ScoreTable
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
        value = ROWS[name].value(Matrix.of(int(tp), int(tn), group.p, group.n), betas)
        result[tp, tn] = value is not None and value in interval
    result[table.undefined] = Fraction(0) in interval if convention == "zero" else True
    return result


class Small:
    """All columns of a group whose grid can be listed."""

    def __init__(self, group: Group, convention: str, betas: Betas) -> None:
        self.group, self.convention, self.betas = group, convention, betas
        self.mask = kept(group, convention, betas)
        self.whole = bool(self.mask.all())
        self.data: list[Array] = []
        self.bits: list[int] = []
        self.width: list[int] = []
        for column in group.columns:
            lo, width, bits = self._column(column)
            self.data.append(lo)
            self.width.append(width)
            self.bits.append(bits)
        self.largest = [max(1, int(abs(d).max())) for d in self.data]

    def _column(self, column: Column) -> tuple[Array, int, int]:
        shape = self.group.p + 1, self.group.n + 1
        if column.what == "tp":
            return np.broadcast_to(np.arange(shape[0], dtype=np.int64)[:, None], shape), 0, 0
        if column.what == "tn":
            return np.broadcast_to(np.arange(shape[1], dtype=np.int64)[None, :], shape), 0, 0
        table = score_table(column.score, self.group.p, self.group.n, self.betas)
        absent = table.undefined if self.convention != "zero" else np.zeros(shape, dtype=bool)
        if column.what == "defined":
            return np.where(absent, 0, 1).astype(np.int64), 0, 0
        if column.what == "inside":
            inside = _inside(self.group, column.score, column.interval, self.convention, self.betas, table)
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
        return (lo >> drop).astype(np.int64), (width >> drop) + 2 if drop else width, FINE - drop

    def empty(self, rect: Rect) -> bool:
        a, b, c, d = rect
        return not self.mask[a : b + 1, c : d + 1].any()

    def shrunk(self, rect: Rect) -> Rect | None:
        """The smallest rectangle around the points that stay."""
        a, b, c, d = rect
        if self.whole:
            return rect
        part = self.mask[a : b + 1, c : d + 1]
        rows, columns = np.nonzero(part.any(axis=1))[0], np.nonzero(part.any(axis=0))[0]
        if not len(rows):
            return None
        return a + int(rows[0]), a + int(rows[-1]), c + int(columns[0]), c + int(columns[-1])

    def weighted(self, rect: Rect, factors: list[Fraction]) -> tuple[Array, Fraction, Fraction]:
        """(total, extra, scale): Σ factor·column is at most (total + extra)/scale everywhere."""
        a, b, c, d = rect
        terms = [(k, f / (1 << self.bits[k])) for k, f in enumerate(factors) if f]
        size = sum((abs(x) * self.largest[k] for k, x in terms), Fraction(0))
        total: Array = np.zeros((b - a + 1, d - c + 1), dtype=np.int64)
        if not size:
            return total, Fraction(0), Fraction(1)
        # weights become integers such that no weighted sum exceeds 2^61
        shift = 60 - (size.numerator.bit_length() - size.denominator.bit_length() + 1)
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

    def upper(self, rect: Rect, factors: list[Fraction]) -> Fraction | None:
        """No point of the rectangle has a larger Σ factor·column; None if none stays."""
        a, b, c, d = rect
        part = self.mask[a : b + 1, c : d + 1]
        if not self.whole and not part.any():
            return None
        total, extra, scale = self.weighted(rect, factors)
        best = int(total.max() if self.whole else total[part].max())
        return (best + extra) / scale

    def trim(self, factors: list[Fraction], least: Fraction) -> bool:
        """Drop the points where Σ factor·column is surely below ``least``; whether any was."""
        total, extra, scale = self.weighted((0, self.group.p, 0, self.group.n), factors)
        limit = max(ceil(least * scale - extra), -(1 << 62))
        stay = self.mask & (total >= limit) if limit < 1 << 62 else np.zeros_like(self.mask)
        if bool((stay == self.mask).all()):
            return False
        self.mask, self.whole = stay, False
        return True

    def score_range(self, name: str, rect: Rect) -> tuple[Fraction, Fraction, bool] | None:
        """Bounds of the number a score counts as over the points that stay, and whether it
        may be missing; None if it is missing at all of them."""
        a, b, c, d = rect
        table = score_table(name, self.group.p, self.group.n, self.betas)
        stay = self.mask[a : b + 1, c : d + 1]
        holes = table.undefined[a : b + 1, c : d + 1] & stay
        defined = stay & ~holes
        values = table.lo[a : b + 1, c : d + 1][defined]
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
