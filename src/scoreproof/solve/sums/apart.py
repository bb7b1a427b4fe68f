"""A direction in which the rows of group sums stay outside of their windows, found in plain floats.

What the rows reach minus what their windows hold is a convex body; nought lies outside of it just if some
direction separates them.  The point of the body nearest to nought is such a direction (Wolfe 1976, "Finding the
nearest point in a polytope"): of a few points that are kept the nearest combination, then the point of the body
that lies furthest against it.  Floats only propose: a direction is swept in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, sqrt

from scoreproof.budget import Budget
from scoreproof.proof.sums.group_sums import Sums

STEPS = 200
ENOUGH = 0.3  # of the distance to the nearest point known so far: separated that well, a direction will do
NOTHING = 1e-12  # of a square, or of a share: what floats cannot tell from nought
SCALE = 10**9  # a direction becomes integers with nine digits
WORK, EXACT = 60, 600  # of one entry, in floats and in fractions

Point = list[float]


def apart(sums: Sums, budget: Budget) -> tuple[int, ...] | None:
    """A direction that may refute the rows, if one is soon found."""
    widths = [hi - lo + 1 for lo, hi in sums.windows]
    middles = [Fraction(lo + hi, 2 * width) for (lo, hi), width in zip(sums.windows, widths, strict=True)]
    columns = [
        [Fraction(row[j] * most, width) for row, width in zip(sums.coefficients, widths, strict=True)]
        for j, most in enumerate(sums.top)
    ]
    spans = [
        [Fraction(hi - lo, width) if r == k else Fraction(0) for k in range(len(widths))]
        for r, ((lo, hi), width) in enumerate(zip(sums.windows, widths, strict=True))
    ]
    budget.spend(EXACT * len(widths) ** 2 * (len(columns) + len(widths)))
    round_ = Rounded.of(columns)
    least = [-m - sum(column) / 2 for m, *column in zip(middles, *spans, strict=True)]
    try:
        x = _away(round_.seen(least), [round_.seen(each) for each in (*columns, *spans)], budget)
    except OverflowError:
        return None
    if x is None:
        return None
    weights = round_.back(x)
    unit = Fraction(SCALE * max(widths)) / max(map(abs, weights))
    return tuple(round(v * unit / width) for v, width in zip(weights, widths, strict=True))


@dataclass(frozen=True)
class Rounded:
    """A linear map after which the columns reach about as far in every direction.

    Rows may nearly follow from each other (bacc from sens and spec): what is left between them would be too
    little for floats beside what they have in common.  With C = 1 + Σ a·aᵀ = L·D·Lᵀ it is D^-1/2·L^-1.
    """

    lower: tuple[tuple[Fraction, ...], ...]  # what stands below the diagonal of L
    lengths: tuple[float, ...]  # the roots of D

    @staticmethod
    def of(columns: Sequence[Sequence[Fraction]]) -> Rounded:
        rows = list(zip(*columns, strict=True))
        lower: list[tuple[Fraction, ...]] = []
        squares: list[Fraction] = []
        for r, row in enumerate(rows):
            scaled: list[Fraction] = []
            for k in range(r + 1):
                common = (r == k) + sum((a * b for a, b in zip(row, rows[k], strict=True)), Fraction(0))
                own = lower[k] if k < r else [v / d for v, d in zip(scaled, squares, strict=True)]
                scaled.append(common - sum((a * b for a, b in zip(scaled, own, strict=False)), Fraction(0)))
            lower.append(tuple(v / d for v, d in zip(scaled, squares, strict=False)))
            squares.append(scaled[-1])
        return Rounded(tuple(lower), tuple(sqrt(square) for square in squares))

    def seen(self, point: Sequence[Fraction]) -> Point:
        found: list[Fraction] = []
        for value, row in zip(point, self.lower, strict=True):
            found.append(value - sum((a * b for a, b in zip(row, found, strict=True)), Fraction(0)))
        return [float(value) / length for value, length in zip(found, self.lengths, strict=True)]

    def back(self, direction: Point) -> list[Fraction]:
        """The direction in the rows themselves."""
        found = [Fraction(v) / Fraction(length) for v, length in zip(direction, self.lengths, strict=True)]
        for r in range(len(found) - 1, -1, -1):
            for k, factor in enumerate(self.lower[r]):
                found[k] -= factor * found[r]
        return found


def _away(least: Point, columns: list[Point], budget: Budget) -> Point | None:
    """The direction from nought to the nearest point of the body, or one that separates as well."""

    def furthest(against: Point) -> Point:
        point = least
        for column in columns:
            if _dot(against, column) < 0:
                point = [a + b for a, b in zip(point, column, strict=True)]
        return point

    x = furthest(least)
    kept, weights = [x], [1.0]
    for _ in range(STEPS):
        budget.spend(WORK * len(least) * (len(columns) + len(least) ** 2))
        norm, new = _dot(x, x), furthest(x)
        if norm <= NOTHING:
            return None
        if _dot(x, new) > ENOUGH * norm:
            return x
        if new in kept:  # no progress is left in floats
            break
        nearest = _nearest([*kept, new], [*weights, 0.0])
        if nearest is None:
            break
        kept, weights = nearest
        x = _mixed(kept, weights)
        if _dot(x, x) >= norm:
            break
    return x


def _nearest(kept: list[Point], weights: list[float]) -> tuple[list[Point], list[float]] | None:
    """Those of the points, with their weights, whose combination is nearest to nought among all of theirs."""
    while True:
        best = _nearest_of_span(kept)
        if best is None:
            return None
        if all(b > NOTHING for b in best):
            return kept, best
        step = min(w / (w - b) for w, b in zip(weights, best, strict=True) if b <= NOTHING and w > b)
        moved = [w + step * (b - w) for w, b in zip(weights, best, strict=True)]
        left = [i for i, w in enumerate(moved) if w > NOTHING]
        if len(left) == len(kept):
            return None
        kept, weights = [kept[i] for i in left], [moved[i] for i in left]


def _nearest_of_span(points: list[Point]) -> list[float] | None:
    """Weights that add up to one, some of them perhaps below nought, of the combination nearest to nought."""
    size = len(points)
    rows = [[1.0 + _dot(p, q) for q in points] + [1.0] for p in points]
    for i in range(size):  # Gauss; the matrix is symmetric and positive if no point lies in the others' span
        at = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[at] = rows[at], rows[i]
        if abs(rows[i][i]) <= NOTHING:
            return None
        for r in range(size):
            if r != i and rows[r][i]:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    found = [rows[i][size] / rows[i][i] for i in range(size)]
    total = fsum(found)
    return [v / total for v in found] if total > NOTHING else None


def _mixed(points: list[Point], weights: Sequence[float]) -> Point:
    return [fsum(w * v for w, v in zip(weights, values, strict=True)) for values in zip(*points, strict=True)]


def _dot(one: Point, other: Point) -> float:
    return fsum(a * b for a, b in zip(one, other, strict=True))
