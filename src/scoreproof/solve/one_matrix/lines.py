"""Regions whose bounds are all straight lines: counted and refuted in logarithmic time.

Between two crossings of bounding lines one floor and one ceiling are the tightest; the
lattice points between two lines are counted by ``floor_sum``.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.lattice import points_between
from scoreproof.solve.one_matrix.frontier import Bound
from scoreproof.solve.one_matrix.regions import Region

Line = tuple[int, int, int, int | None]  # (s, t, m, label): tn against (s·tp + t)/m


@dataclass(frozen=True, slots=True)
class Piece:
    """Columns first..last with one tightest floor and ceiling, and the points between."""

    first: int
    last: int
    floor: Line
    ceiling: Line
    points: int


def _lines(bounds: list[Bound], shift: int) -> list[Line]:
    found: list[Line] = []
    for bound in bounds:
        _, _, _, d, e, f = bound.frontier.polynomial
        if e > 0:
            found.append((-d, -f - shift, e, bound.label))
    return found


def pieces(region: Region, first: int, last: int) -> list[Piece] | None:
    """The columns first..last cut into pieces; None if some bound is not a sloping line there.

    Bounds that do not slope (on tp alone) hold a whole column or nothing of it; the caller
    has walked past the columns they rule out.
    """
    for bound in region.floors:
        if bound.frontier.polynomial[4] <= 0 and bound.frontier.column(first, region.c, region.d) > region.c:
            return None
    for bound in region.ceilings:
        if bound.frontier.polynomial[4] <= 0 and bound.frontier.column(last, region.c, region.d) <= region.d:
            return None
    # tn >= z/e for a floor, tn <= (z-1)/e for a ceiling (its up-set begins at ceil(z/e))
    lows: list[Line] = [(0, region.c, 1, None), *_lines(region.floors, 0)]
    highs: list[Line] = [(0, region.d, 1, None), *_lines(region.ceilings, 1)]
    lines = lows + highs
    cuts = {last}
    for i, (s1, t1, m1, _) in enumerate(lines):
        for s2, t2, m2, _ in lines[:i]:
            slope = s1 * m2 - s2 * m1
            if slope:
                # Both floor(x) and ceil(x)-1, so that a crossing at a whole x stands alone.
                up = t2 * m1 - t1 * m2
                below, above = up // slope, -((-up) // slope) - 1
                if first <= below < last:
                    cuts.add(below)
                if first <= above < last:
                    cuts.add(above)
    found: list[Piece] = []
    start = first
    for cut in sorted(cuts):
        low = _extreme(lows, start, cut, largest=True)
        high = _extreme(highs, start, cut, largest=False)
        apart = _difference(high, low, start) < 0 or _difference(high, low, cut) < 0
        points = 0 if apart else points_between(start, cut, low[:3], high[:3])
        found.append(Piece(start, cut, low, high, points))
        start = cut + 1
    return found


def _difference(one: Line, two: Line, x: int) -> int:
    """Something with the sign of (one - two) at x."""
    return (one[0] * x + one[1]) * two[2] - (two[0] * x + two[1]) * one[2]


def _extreme(lines: list[Line], start: int, cut: int, *, largest: bool) -> Line:
    """The tightest line on start..cut, where no two lines cross."""
    best = lines[0]
    for line in lines[1:]:
        difference = _difference(line, best, start) or _difference(line, best, cut)
        if (difference > 0) == largest and difference:
            best = line
    return best


def first_point(piece: Piece) -> tuple[int, int]:
    """The leftmost point of a piece that has any: (tp, its largest tn)."""
    low, high = piece.first, piece.last
    while low < high:
        middle = (low + high) // 2
        if points_between(low, middle, piece.floor[:3], piece.ceiling[:3]):
            high = middle
        else:
            low = middle + 1
    s, t, m, _ = piece.ceiling
    return low, (s * low + t) // m
