"""Bounds over grids too large to list, such as the pixels of an image.

Two facts replace listing.  All scores are monotone, so two corners of a rectangle bound a
score over it.  And some are linear fractions with a known shape: f1, F-beta, ppv and the
Jaccard index are concave along tp and convex along tn, their twins for the negative class
the other way round; a sum of such terms of one shape has its maximum on an edge, where the
slope's sign is searched by bisection, exactly.  What is left over is bounded by corners, and
rectangles are halved, the highest bound first, within a fixed budget.
"""

from __future__ import annotations

import heapq
from fractions import Fraction

from scoreproof.exact import Surd
from scoreproof.proof.averages.model import Column, Group, Keep
from scoreproof.proof.averages.tables import WIDE, Rect, Small
from scoreproof.scores import ROWS, Betas, Matrix, zones_undefined

HALVINGS = 300  # rectangles looked at for one bound
CONCAVE_IN_TP = frozenset({"f1", "fbp", "ppv", "ji"})
CONCAVE_IN_TN = frozenset({"f1n", "fbn", "npv"})

Term = tuple[Fraction, int, int, int, int, Fraction]


def _value(terms: list[Term], x: int) -> Fraction:
    return sum(
        (f * (Fraction(n1 * x + n0, d1 * x + d0) - shift) for f, n1, n0, d1, d0, shift in terms),
        Fraction(0),
    )


def _slope(terms: list[Term], x: int) -> Fraction:
    return sum(
        (f * Fraction(n1 * d0 - n0 * d1, (d1 * x + d0) ** 2) for f, n1, n0, d1, d0, _ in terms),
        Fraction(0),
    )


def value_range(
    name: str, p: int, n: int, betas: Betas, tp: int, tn: int, bits: int = 60
) -> tuple[Fraction, Fraction] | None:
    """Two fractions around the score at a point, None where it is undefined."""
    value = ROWS[name].value(Matrix(tp, n - tn, p - tp, tn), betas)
    if value is None:
        return None
    return value.enclosure(bits) if isinstance(value, Surd) else (value, value)


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
        return (interval.lo is not None and hi < interval.lo) or (interval.hi is not None and lo > interval.hi)

    def score_range(self, name: str, rect: Rect) -> tuple[Fraction, Fraction, bool] | None:
        """As for a small grid, from two corners; missing ends come from the score's range."""
        a, b, c, d = rect
        p, n = self.group.p, self.group.n
        score = ROWS[name]
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

    def _bound(self, rect: Rect, factors: list[Fraction]) -> tuple[Fraction, bool] | None:
        """An upper bound over the rectangle, and whether halving could still improve it."""
        if self.group.keeps and self.shrunk(rect) is None:
            return None
        shaped = self._shaped(rect, factors)
        straight = all(
            not f or column.what in ("tp", "tn") for f, column in zip(factors, self.group.columns, strict=True)
        )
        bounds = [(self._corners(rect, factors), not straight)]
        for along_tp in (True, False):
            # counts are straight both ways: they go with whichever shape is treated exactly
            chosen = [
                column.what in ("tp", "tn") or shape is along_tp
                for column, shape in zip(self.group.columns, shaped, strict=True)
            ]
            if along_tp in shaped:
                inside = [f if c else Fraction(0) for f, c in zip(factors, chosen, strict=True)]
                rest = [Fraction(0) if c else f for f, c in zip(factors, chosen, strict=True)]
                bound = self._curved(rect, inside, along_tp) + self._corners(rect, rest)
                bounds.append((bound, any(rest)))
        return min(bounds)

    def _shaped(self, rect: Rect, factors: list[Fraction]) -> list[bool | None]:
        """Per column: True if factor·column is concave along tp and convex along tn, False
        for the reverse, None if neither is known (a column to be bounded by corners)."""
        a, b, c, d = rect
        # an undefined corner breaks the shape there
        corner = (a == 0 and d == self.group.n) or (b == self.group.p and c == 0)
        result: list[bool | None] = []
        for column, factor in zip(self.group.columns, factors, strict=True):
            shape = None
            if column.what == "value" and factor and not (corner and self._holes(column.score)):
                if column.score in CONCAVE_IN_TP:
                    shape = factor > 0
                elif column.score in CONCAVE_IN_TN:
                    shape = factor < 0
            result.append(shape)
        return result

    def _holes(self, name: str) -> bool:
        return bool(zones_undefined(ROWS[name], self.group.p, self.group.n, self.betas))

    def _curved(self, rect: Rect, factors: list[Fraction], along_tp: bool) -> Fraction:
        """The exact maximum of a sum that is concave one way and convex the other.

        Convex: the maximum lies on one of the two edges.  Concave along an edge: it lies
        where the slope changes sign between two neighbours, found by bisection.
        """
        a, b, c, d = rect
        first, last = (a, b) if along_tp else (c, d)
        best: Fraction | None = None
        for fixed in {c, d} if along_tp else {a, b}:
            terms = self._fractions(factors, fixed, along_tp)
            low, high = first, last
            while low < high:
                middle = (low + high) // 2
                if _slope(terms, middle) > 0:
                    low = middle + 1
                else:
                    high = middle
            # the slope is <= 0 at low and > 0 before it, so the maximum is low or low - 1
            for x in (low, max(first, low - 1)):
                value = _value(terms, x)
                best = value if best is None else max(best, value)
        assert best is not None
        return best

    def _fractions(self, factors: list[Fraction], fixed: int, along_tp: bool) -> list[Term]:
        """factor·((n1·x + n0)/(d1·x + d0) - shift) for every column along a line."""
        terms = []
        p, n = self.group.p, self.group.n
        for column, factor in zip(self.group.columns, factors, strict=True):
            if not factor:
                continue
            if column.what in ("tp", "tn"):
                if (column.what == "tp") == along_tp:
                    terms.append((factor, 1, 0, 0, 1, Fraction(0)))
                else:
                    terms.append((factor, 0, fixed, 0, 1, Fraction(0)))
                continue
            score = ROWS[column.score]
            up, down = score.numerator(p, n, self.betas), score.denominator(p, n, self.betas)
            k, other = (3, 4) if along_tp else (4, 3)
            terms.append(
                (
                    factor,
                    up[k],
                    up[other] * fixed + up[5],
                    down[k],
                    down[other] * fixed + down[5],
                    column.shift,
                )
            )
        return terms

    def _corners(self, rect: Rect, factors: list[Fraction]) -> Fraction:
        a, b, c, d = rect
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
        heap = [(-first[0], first[1], rect)]
        for _ in range(HALVINGS):
            bound, open_, (a, b, c, d) = heap[0]
            if not open_ or (a == b and c == d):
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
                    heapq.heappush(heap, (max(bound, -value[0]), value[1], half))
            if not heap:
                return None
        return -heap[0][0]


Grid = Small | Wide


def grid(group: Group, convention: str, betas: Betas, most: int = WIDE) -> Grid:
    """The bounds of a group, listed unless it has more than so many points."""
    return (Wide if group.size > most else Small)(group, convention, betas)
