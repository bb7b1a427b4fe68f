"""Grids too large to list, such as the pixels of an image: bounds over rectangles.

Two facts replace listing.  All scores are monotone, so two corners of a rectangle bound a
score over it.  And some are linear fractions with a known shape (see ``Score.concave_in_tp``):
f1, F-beta, ppv and the Jaccard index are concave along tp and convex along tn, their twins for
the negative class the other way round; a sum of such terms of one shape has its maximum on an edge,
where it is searched by bisection, exactly.  What is left over is bounded by corners,
and rectangles are halved, the highest bound first, within a fixed budget.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from functools import lru_cache
from math import lcm

from scoreproof.exact import enclosed
from scoreproof.proof.sums.grid import Box, Single
from scoreproof.proof.sums.model import ZERO, Column, Keep
from scoreproof.scores import ROWS, Betas, Matrix, Score, zones, zones_undefined

HALVINGS = 300  # rectangles looked at for one bound

Direction = tuple[Fraction, list[Fraction]]  # an offset, and a factor for every column
Range = tuple[Fraction, Fraction, bool]


def value_range(score: Score, betas: Betas, matrix: Matrix) -> tuple[Fraction, Fraction] | None:
    """Two fractions around the score of a matrix, None where it is undefined."""
    value = score.value(matrix, betas)
    return None if value is None else enclosed(value, 60)


def undefined_in(name: str, p: int, n: int, rectangle: Box, betas: Betas) -> bool:
    """Whether a zone in which a score is undefined reaches into a rectangle."""
    a, b, c, d = rectangle
    rows = {i for i, (first, last) in zones(p) if first <= b and last >= a}
    columns = {j for j, (first, last) in zones(n) if first <= d and last >= c}
    found = zones_undefined(ROWS[name], p, n, betas)
    return any(i in rows and j in columns for i, j in found)


@lru_cache(maxsize=1 << 14)
def corner_range(name: str, p: int, n: int, rectangle: Box, convention: str, betas: Betas) -> Range | None:
    """Bounds of the number a score counts as over a rectangle, and whether it may be missing; None if it
    is missing everywhere.

    They come from two corners; ends that are undefined there come from the score's range.
    """
    (a, b, c, d), score = rectangle, ROWS[name]
    holes = undefined_in(name, p, n, rectangle, betas)
    first, last = ((a, c), (b, d)) if score.rises else ((b, d), (a, c))
    low, high = (value_range(score, betas, Matrix.of(*end, p, n)) for end in (first, last))
    if low is None and high is None and first == last:
        return (ZERO, ZERO, False) if convention == "zero" else None
    far = score.top(p, n, betas)
    lo = low[0] if low else score.lowest if score.lowest is not None else -far
    hi = high[1] if high else score.highest if score.highest is not None else far
    if holes and convention == "zero":
        lo, hi = min(lo, ZERO), max(hi, ZERO)
    return lo, hi, holes and convention != "zero"


class Corners(Single):
    """Points that are not listed: every column is bounded by corners of a box."""

    def count(self, box: Box) -> int:
        a, b, c, d = box
        return (b - a + 1) * (d - c + 1)

    def shrunk(self, box: Box) -> Box | None:
        """None if no point of the box can stay."""
        return None if any(self._lost(keep, box) for keep in self.option.keeps) else box

    def _lost(self, keep: Keep, box: Box) -> bool:
        found = self.score_range(keep.score, box)
        if found is None:
            return keep.defined or self.convention != "skip"
        lo, hi, missing = found
        if missing and not keep.defined:
            return False
        interval = keep.interval
        return (interval.lo is not None and hi < interval.lo) or (interval.hi is not None and lo > interval.hi)

    def score_range(self, name: str, box: Box) -> Range | None:
        """As for a listed grid, from two corners."""
        p, n = self.option.p, self.option.n
        return corner_range(name, p, n, self.rectangle(box), self.convention, self.betas)

    def extreme(self, column: Column, box: Box, upper: bool) -> Fraction:
        """The largest or the smallest value of a column over a box, or a bound of it."""
        a, b, c, d = self.rectangle(box)
        if column.what == "tp":
            return Fraction(b if upper else a)
        if column.what == "tn":
            return Fraction(d if upper else c)
        if column.what in ("defined", "inside"):
            return Fraction(1 if upper else 0)
        found = self.score_range(column.score, box)
        if found is None:
            return ZERO
        lo, hi, missing = found[0] - column.shift, found[1] - column.shift, found[2]
        if column.what == "square":
            ends = [lo * lo, hi * hi] + ([ZERO] if lo <= 0 <= hi or missing else [])
            return max(ends) if upper else min(ends)
        if missing:
            lo, hi = min(lo, ZERO), max(hi, ZERO)
        return hi if upper else lo

    def corners(self, box: Box, factors: list[Fraction]) -> Fraction:
        """Every column at its best, wherever that is."""
        pairs = zip(self.option.columns, factors, strict=True)
        return sum((f * self.extreme(column, box, f > 0) for column, f in pairs if f), ZERO)

    def prepared(self, offset: Fraction, factors: list[Fraction]) -> Direction:
        """A direction as ``upper`` wants it."""
        return offset, factors


class Wide(Corners):
    """The points (tp, tn) of a known fold that are too many to list."""

    def root(self) -> Box | None:
        """A box with all points that stay."""
        box = self.shrunk(self.window)
        for end in (0, 1, 2, 3) * 2 if self.option.keeps else ():
            box = box and self._cut(box, end)
        return box

    def _cut(self, box: Box, end: int) -> Box:
        """The box without the thickest slab at one of its ends that keeps rule out, as one line stays."""
        inward = 1 if end % 2 == 0 else -1
        low, high = 0, abs(box[end ^ 1] - box[end])
        while low < high:
            lines = (low + high + 1) // 2
            slab = list(box)
            slab[end ^ 1] = box[end] + inward * (lines - 1)
            low, high = (low, lines - 1) if self.shrunk(tuple(slab)) else (lines, high)
        return (*box[:end], box[end] + inward * low, *box[end + 1 :])

    def points(self, box: Box) -> list[tuple[int, int, int]]:
        """(p, tp, tn) of the points of a box."""
        a, b, c, d = box
        return [(self.option.p, tp, tn) for tp in range(a, b + 1) for tn in range(c, d + 1)]

    def _bound(self, box: Box, factors: list[Fraction]) -> tuple[Fraction, bool] | None:
        """An upper bound over the box, and whether halving could still improve it."""
        if self.option.keeps and self.shrunk(box) is None:
            return None
        shaped = self._shaped(box, factors)
        bounds = [(self.corners(box, factors), any(factors[2:]))]
        for along_tp in (True, False):
            if along_tp in shaped:
                # counts are straight both ways: they go with whichever shape is treated exactly
                chosen = [True, True, *(shape is along_tp for shape in shaped)]
                inside = [f if c else ZERO for f, c in zip(factors, chosen, strict=True)]
                rest = [ZERO if c else f for f, c in zip(factors, chosen, strict=True)]
                bound = self._curved(box, inside, along_tp) + self.corners(box, rest)
                bounds.append((bound, any(rest)))
        return min(bounds)

    def _shaped(self, box: Box, factors: list[Fraction]) -> list[bool | None]:
        """Per column after the counts: True if factor·column is concave along tp and convex along tn, False
        for the reverse, None if neither is known (a column to be bounded by corners)."""
        result: list[bool | None] = []
        p, n = self.option.p, self.option.n
        for column, factor in zip(self.option.columns[2:], factors[2:], strict=True):
            shape = None
            if column.what == "value" and factor and not self.undefined(column.score, box):
                shape = ROWS[column.score].concave_in_tp(p, n, self.betas)
                shape = shape if shape is None or factor > 0 else not shape
            result.append(shape)
        return result

    def undefined(self, name: str, box: Box) -> bool:
        """Whether a score is undefined somewhere in the box."""
        return undefined_in(name, self.option.p, self.option.n, box, self.betas)

    def _curved(self, box: Box, factors: list[Fraction], along_tp: bool) -> Fraction:
        """The exact maximum of a sum that is concave one way and convex the other.

        Convex: the maximum lies on one of the two edges.  Concave along an edge: it lies
        where the sum stops growing, found by bisection.
        """
        a, b, c, d = box
        first, last = (a, b) if along_tp else (c, d)
        scale = lcm(*(f.denominator for f in factors))
        whole = [int(scale * f) for f in factors]
        scores = [(col, f) for col, f in zip(self.option.columns[2:], whole[2:], strict=True) if f]
        best = []
        for fixed in {c, d} if along_tp else {a, b}:

            def total(x: int, fixed: int = fixed) -> tuple[int, int]:
                """Scaled, without the shifts of the columns: a numerator and its denominator."""
                tp, tn = (x, fixed) if along_tp else (fixed, x)
                matrix = Matrix.of(tp, tn, self.option.p, self.option.n)
                top, bottom = whole[0] * tp + whole[1] * tn, 1
                for column, f in scores:
                    up, down = ROWS[column.score].terms(matrix, self.betas)
                    top, bottom = top * down + f * up * bottom, bottom * down
                return top, bottom

            low, high = first, last
            while low < high:
                middle = (low + high) // 2
                (one, under), (two, below) = total(middle), total(middle + 1)
                low, high = (middle + 1, high) if one * below < two * under else (low, middle)
            best.append(Fraction(*total(low)))
        return (max(best) - sum((f * column.shift for column, f in scores), ZERO)) / scale

    def upper(self, box: Box, direction: Direction) -> Fraction | None:
        """No point of the box has a larger offset + Σ factor·column; None if none stays."""
        offset, factors = direction
        first = self._bound(box, factors)
        if first is None:
            return None
        heap = [(-first[0], first[1], box)]
        for _ in range(HALVINGS):
            bound, open_, (a, b, c, d) = heap[0]
            if not open_ or (a == b and c == d):
                break
            heapq.heappop(heap)
            # halve the side that counts for more, as seen from the whole grid
            if (b - a) * (self.option.n + 1) >= (d - c) * (self.option.p + 1):
                middle = (a + b) // 2
                halves = [(a, middle, c, d), (middle + 1, b, c, d)]
            else:
                middle = (c + d) // 2
                halves = [(a, b, c, middle), (a, b, middle + 1, d)]
            for half in halves:
                value = self._bound(half, factors)
                if value is not None:
                    heapq.heappush(heap, (max(bound, -value[0]), value[1], half))
            if not heap:
                return None
        return offset - heap[0][0]
