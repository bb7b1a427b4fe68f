"""Upper bounds for weighted sums of columns over a rectangle of a part's grid.

A small grid is tabulated once: every column as integers ``lo`` with a width W such that the
column's true value lies in [lo, lo + W]·2^-bits.  A weighted sum is then maximised over a
rectangle in 64-bit integers; what rounding the weights and the widths can add is added
exactly, so the bound holds without any float.

A wide grid (pixels of an image) is never listed.  There the scores' monotonicity gives the
range of every column over a rectangle from two corners, and rectangles are halved, the
highest bound first, within a fixed budget.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from functools import lru_cache
from math import ceil, isqrt
from typing import Any

import numpy as np

from scoreproof.exact import Surd
from scoreproof.metrics import SCORES, Betas, Matrix, zones, zones_undefined
from scoreproof.proof.averages_model import Column, Group, Keep

Array = np.ndarray[Any, Any]
Rect = tuple[int, int, int, int]  # first and last tp, first and last tn, both included

WIDE = 120_000  # grids with more points than this are bounded by corners instead of listed
FINE = 40  # binary digits of a tabulated score
COARSE = 34  # table entries stay below 2^COARSE, so that weighted sums fit 64 bits
HALVINGS = 400  # rectangles looked at for one bound over a wide grid


class ScoreTable:
    """Every value of one score on one grid: in [lo, lo + width]·2^-FINE, or undefined."""

    __slots__ = ("lo", "undefined", "width")

    def __init__(self, lo: Array, width: int, undefined: Array) -> None:
        self.lo, self.width, self.undefined = lo, width, undefined


@lru_cache(maxsize=512)
def score_table(name: str, p: int, n: int, betas: Betas) -> ScoreTable:
    """The table of a score, from its polynomials, in Python integers."""
    score = SCORES[name]
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


def value_range(
    name: str, p: int, n: int, betas: Betas, tp: int, tn: int, bits: int = 60
) -> tuple[Fraction, Fraction] | None:
    """Two fractions around the score at a point, None where it is undefined."""
    value = SCORES[name].value(Matrix(tp, n - tn, p - tp, tn), betas)
    if value is None:
        return None
    return value.enclosure(bits) if isinstance(value, Surd) else (value, value)


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
    group: Group, name: str, interval: Any, convention: str, betas: Betas, table: ScoreTable
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
        value = SCORES[name].value(Matrix.of(int(tp), int(tn), group.p, group.n), betas)
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
            return np.broadcast_to(np.arange(shape[0])[:, None], shape), 0, 0
        if column.what == "tn":
            return np.broadcast_to(np.arange(shape[1])[None, :], shape), 0, 0
        table = score_table(column.score, self.group.p, self.group.n, self.betas)
        absent = table.undefined if self.convention != "zero" else np.zeros(shape, dtype=bool)
        if column.what == "defined":
            return np.where(absent, 0, 1), 0, 0
        if column.what == "inside":
            inside = _inside(
                self.group, column.score, column.interval, self.convention, self.betas, table
            )
            return np.where(inside & ~absent, 1, 0), 0, 0
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

    def upper(self, rect: Rect, factors: list[Fraction]) -> Fraction | None:
        """No point of the rectangle has a larger Σ factor·column; None if none stays."""
        a, b, c, d = rect
        terms = [
            (k, f / (1 << self.bits[k])) for k, f in enumerate(factors) if f
        ]
        scale = sum((abs(x) * self.largest[k] for k, x in terms), Fraction(0))
        part = self.mask[a : b + 1, c : d + 1]
        if not self.whole and not part.any():
            return None
        if not scale:
            return Fraction(0)
        # weights become integers such that no weighted sum exceeds 2^61
        shift = 60 - (scale.numerator.bit_length() - scale.denominator.bit_length() + 1)
        factor = Fraction(2) ** shift
        total: Array = np.zeros((b - a + 1, d - c + 1), dtype=np.int64)
        extra = Fraction(0)
        for k, x in terms:
            exact = x * factor
            weight = round(exact)
            total = total + self.data[k][a : b + 1, c : d + 1] * weight
            extra += abs(exact - weight) * self.largest[k]
            if x > 0:
                extra += exact * self.width[k]
        best = int(total.max() if self.whole else total[part].max())
        return (best + extra) / factor

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
            ends = [Fraction(min(values), 1 << FINE), Fraction(max(values) + table.width, 1 << FINE)]
        if self.convention == "zero" and holes.any():
            ends.append(Fraction(0))
        if not ends:
            return None
        return min(ends), max(ends), bool(holes.any()) and self.convention != "zero"


class Wide:
    """The columns of a group whose grid is too large to list."""

    def __init__(self, group: Group, convention: str, betas: Betas) -> None:
        self.group, self.convention, self.betas = group, convention, betas

    def empty(self, rect: Rect) -> bool:
        return self.shrunk(rect) is None

    def shrunk(self, rect: Rect) -> Rect | None:
        """None if no point of the rectangle can stay."""
        return None if any(self._lost(keep, rect) for keep in self.group.keeps) else rect

    def _lost(self, keep: Keep, rect: Rect) -> bool:
        found = self.score_range(keep.score, rect)
        if found is None:
            return keep.defined or self.convention != "skip"
        lo, hi, missing = found
        if missing and not keep.defined:
            return False
        interval = keep.interval
        return (interval.lo is not None and hi < interval.lo) or (
            interval.hi is not None and lo > interval.hi
        )

    def score_range(self, name: str, rect: Rect) -> tuple[Fraction, Fraction, bool] | None:
        """As for a small grid, from two corners; missing ends come from the score's range."""
        a, b, c, d = rect
        p, n = self.group.p, self.group.n
        score = SCORES[name]
        border = a == 0 or b == p or c == 0 or d == n
        holes = bool(zones_undefined(score, p, n, self.betas)) and border
        first, last = (a, c), (b, d)
        if not score.rises:
            first, last = last, first
        low = value_range(name, p, n, self.betas, *first)
        high = value_range(name, p, n, self.betas, *last)
        if (low is None and high is None) and first == last:
            return (Fraction(0), Fraction(0), False) if self.convention == "zero" else None
        far = Fraction(10) ** 30  # beyond every value of an unbounded score at these sizes
        lowest = score.lowest if score.lowest is not None else -far
        highest = score.highest if score.highest is not None else far
        lo = low[0] if low else lowest
        hi = high[1] if high else highest
        if holes and self.convention == "zero":
            lo, hi = min(lo, Fraction(0)), max(hi, Fraction(0))
        return lo, hi, holes and self.convention != "zero"

    def _bound(self, rect: Rect, factors: list[Fraction]) -> Fraction | None:
        a, b, c, d = rect
        if self.group.keeps and self.shrunk(rect) is None:
            return None
        total = Fraction(0)
        for column, factor in zip(self.group.columns, factors, strict=True):
            if not factor:
                continue
            if column.what == "tp":
                total += factor * (b if factor > 0 else a)
                continue
            if column.what == "tn":
                total += factor * (d if factor > 0 else c)
                continue
            total += factor * self._extreme(column, rect, factor > 0)
        return total

    def _extreme(self, column: Column, rect: Rect, upper: bool) -> Fraction:
        if column.what in ("defined", "inside"):
            return Fraction(1 if upper else 0)
        found = self.score_range(column.score, rect)
        if found is None:
            return Fraction(0)
        lo, hi, missing = found[0] - column.shift, found[1] - column.shift, found[2]
        if column.what == "square":
            ends = [lo * lo, hi * hi] + ([Fraction(0)] if lo <= 0 <= hi or missing else [])
            return max(ends) if upper else min(ends)
        if missing:
            lo, hi = min(lo, Fraction(0)), max(hi, Fraction(0))
        return hi if upper else lo

    def upper(self, rect: Rect, factors: list[Fraction]) -> Fraction | None:
        """No point of the rectangle has a larger Σ factor·column; None if none stays."""
        first = self._bound(rect, factors)
        if first is None:
            return None
        heap = [(-first, rect)]
        for _ in range(HALVINGS):
            bound, (a, b, c, d) = heap[0]
            if a == b and c == d:
                break
            heapq.heappop(heap)
            # halve the side that counts for more, as seen from the whole grid
            if (b - a) * (self.group.n + 1) >= (d - c) * (self.group.p + 1):
                middle = (a + b) // 2
                halves = [(a, middle, c, d), (middle + 1, b, c, d)]
            else:
                middle = (c + d) // 2
                halves = [(a, b, c, middle), (a, b, middle + 1, d)]
            for half in halves:
                value = self._bound(half, factors)
                if value is not None:
                    heapq.heappush(heap, (max(bound, -value), half))
            if not heap:
                return None
        return -heap[0][0]


Grid = Small | Wide


def grid(group: Group, convention: str, betas: Betas) -> Grid:
    """The bounds of a group, listed or not."""
    return (Wide if group.size > WIDE else Small)(group, convention, betas)
