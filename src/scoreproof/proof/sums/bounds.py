"""What weights of rows prove: how large a weighted sum must be, and how large it can get.

``least`` is the smallest weighted sum of rows that the targets allow, ``most`` the largest that the
points of a *state* can reach.  Where most < least, nothing fits.

A *state* lists, for every group, cells (box, number): so many of the group's parts lie in that box;
and the *counts* that were halved on the way: (group, which, least, most) of the fn (0), the fp (1) or
the errors (2) of a group.  Counts are rows, too, numbered after those of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.exact import root_below
from scoreproof.interval import Interval
from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.corners import Wide
from scoreproof.proof.sums.folds import Folds, Listed, Straight
from scoreproof.proof.sums.grid import Box, Grid, Tabulated
from scoreproof.proof.sums.lines import f_box
from scoreproof.proof.sums.model import ZERO, Curve, Model

Bound = tuple[Fraction, bool]  # a bound and whether it may be attained
Cells = tuple[tuple[tuple[Box, int], ...], ...]
Count = tuple[int, int, int, int]
Table = Grid | Wide | Calls | Straight | Listed


@dataclass(frozen=True, slots=True)
class State:
    """Cells of every group, and ranges of counts."""

    cells: Cells
    counts: tuple[Count, ...] = ()

    def numbered(self, g: int) -> Iterator[tuple[Box, int, int]]:
        """The cells of a group, each with the number of parts in those before it."""
        before = 0
        for box, count in self.cells[g]:
            yield box, count, before
            before += count


def errors_of(table: Table, cells: Iterable[tuple[Box, int]], which: int) -> tuple[int, int]:
    """The fewest and the most fn (0), fp (1) or errors (2) of the parts in some cells."""
    found = [(table.errors(box), count) for box, count in cells]
    sides = [k for k in (0, 1) if which in (k, 2)]
    lo, hi = (sum(count * each[2 * k + end] for each, count in found for k in sides) for end in (0, 1))
    return lo, hi


class Weights:
    """Weights of rows, brought to the groups they are about."""

    def __init__(self, model: Model, state_counts: tuple[Count, ...], weights: Mapping[int, Fraction]) -> None:
        self.model, self.weights = model, {r: w for r, w in weights.items() if w}
        self.counts = state_counts
        self.tilts: dict[int, tuple[Fraction, Fraction]] = {}  # of the fn and the fp of a group
        self.groups: set[int] = set()
        rows = len(model.rows)
        for r, w in self.weights.items():
            if r < rows:
                self.groups.update(model.rows[r].shares)
            else:
                g, which, _, _ = state_counts[r - rows]
                fn, fp = self.tilts.get(g, (ZERO, ZERO))
                self.tilts[g] = fn + (w if which != 1 else ZERO), fp + (w if which != 0 else ZERO)
                self.groups.add(g)

    def prepared(self, g: int, table: Table) -> Any:
        """What the table of a group needs to bound the weighted sum."""
        fn, fp = self.tilts.get(g, (ZERO, ZERO))
        if isinstance(table, Folds):
            return table.prepared(ZERO, [*(self.weights.get(r, ZERO) for r in table.rows), fn, fp])
        option = self.model.groups[g].options[0]
        offset, factors = fn * option.p + fp * option.n, [ZERO] * len(option.columns)
        factors[0], factors[1] = -fn, -fp
        rows = self.model.rows
        for r, w in self.weights.items():
            if r < len(rows) and g in rows[r].shares:
                ((own, shares),) = rows[r].shares[g]
                if own:
                    offset += w * own
                for k, f in enumerate(shares):
                    if f:
                        factors[k] += w * f
        return table.prepared(offset, factors)

    def least(self) -> Bound | None:
        """The infimum of the weighted sum over what the targets allow; None if there is none."""
        weights = dict(self.weights)
        total, attained = ZERO, True
        intervals = [row.interval for row in self.model.rows]
        intervals += [Interval(Fraction(lo), Fraction(hi)) for _, _, lo, hi in self.counts]
        for curve in self.model.curves:
            u, v = (weights.get(r, ZERO) for r in (curve.one, curve.two))
            if v or (u and curve.kind == "mcc"):
                bound = LEAST[curve.kind](intervals[curve.one], intervals[curve.two], curve, u, v)
                if bound is None:
                    return None
                total += bound
                weights[curve.one] = weights[curve.two] = ZERO
        for r, w in weights.items():
            if w:
                interval = intervals[r]
                end = interval.lo if w > 0 else interval.hi
                if end is None:
                    return None
                total += w * end
                attained = attained and (interval.lo_closed if w > 0 else interval.hi_closed)
        return total, attained

    def most(self, tables: list[Table], state: State) -> Fraction | None:
        """An upper bound of the weighted sum over the state; None if some cell is empty."""
        total = ZERO
        for g in self.groups:
            table = tables[g]
            direction = self.prepared(g, table)
            for box, count in state.cells[g]:
                bound = table.upper(box, direction)
                if bound is None:
                    return None
                total += count * bound
        return total


def weighed(
    model: Model, weights: Mapping[int, int], counts: tuple[Count, ...] = ()
) -> tuple[Weights, Fraction, bool] | None:
    """Whole weights of rows with the least sum they need; None if there is no such row, or no least sum."""
    if any(not 0 <= r < len(model.rows) + len(counts) for r in weights):
        return None
    direction = Weights(model, counts, {r: Fraction(w) for r, w in weights.items()})
    need = direction.least()
    return None if need is None else (direction, *need)


def separates(model: Model, tables: list[Table], state: State, weights: Mapping[int, int]) -> bool:
    """Whether the weights prove that nothing in the state fits."""
    found = weighed(model, weights, state.counts)
    if found is None:
        return False
    direction, need, attained = found
    reach = direction.most(tables, state)
    return reach is None or reach < need or (reach == need and not attained)


def trim(model: Model, tables: list[Table], row: int, sign: int) -> None:
    """Drop points that no part can take: even with all other parts at their best, a row would be missed."""
    known = weighed(model, {row: sign})
    if known is None:
        return
    (direction, need, _), found, total = known, [], ZERO
    for g in direction.groups:
        table = tables[g]
        prepared, root = direction.prepared(g, table), table.root()
        top = None if root is None else table.upper(root, prepared)
        if top is None or not isinstance(table, Tabulated):
            return
        found.append((table, prepared, top))
        total += len(model.groups[g].parts) * top
    for table, prepared, top in found:
        table.trim(prepared, need - (total - top))


# -- the least weighted sum of two rows that a curve ties together -----------------------------------


def _least_variance(y: Interval, q: Interval, curve: Curve, u: Fraction, v: Fraction) -> Fraction | None:
    """The least u·y + v·q where q = (y-c)² + variance."""
    c = curve.centre
    if v > 0:
        best = c - u / (2 * v)  # the vertex of a convex parabola, moved into the interval
        if y.lo is not None:
            best = max(best, y.lo)
        if y.hi is not None:
            best = min(best, y.hi)
        return u * best + v * ((best - c) ** 2 + (curve.interval.lo or ZERO))
    if curve.interval.hi is None or y.lo is None or y.hi is None:
        return None
    # concave: the least value is at an end
    return min(u * x + v * ((x - c) ** 2 + curve.interval.hi) for x in (y.lo, y.hi))


def _least_mcc(one: Interval, two: Interval, curve: Curve, u: Fraction, v: Fraction) -> Fraction | None:
    """The least u·y + v·q where y/√(d·(1-q)) lies in the interval.

    With s = √(1-q) this is u·c·s + v·(1 - s²), c = √d times an end of the interval: a parabola in s.
    """
    assert two.lo is not None and two.hi is not None
    end = curve.interval.lo if u > 0 else curve.interval.hi
    if end is None and u:
        return None
    low, high = root_below(max(ZERO, 1 - two.hi)), root_below(1 - two.lo) + Fraction(1, 1 << 40)
    root = root_below(curve.centre)
    # the enclosure of √d that makes u·c·s smaller; s is not negative
    slope = min(u * (end or ZERO) * root, u * (end or ZERO) * (root + Fraction(1, 1 << 40)))
    places = [low, high]
    if v < 0 and low < slope / (2 * v) < high:
        places.append(slope / (2 * v))
    return min(slope * s + v * (1 - s * s) for s in places)


def _least_f_measure(one: Interval, two: Interval, curve: Curve, u: Fraction, v: Fraction) -> Fraction | None:
    """The least u·P + v·R where 1/P + β²/R lies where the F-measure says."""
    # cc: one exact case for each pair of signs of the weights, and each end that may be missing
    beta, lo, hi = curve.centre, curve.interval.lo, curve.interval.hi
    if None in (one.lo, one.hi, two.lo, two.hi):
        return None
    one, two = f_box(one, two, curve)
    assert one.lo is not None and one.hi is not None and two.lo is not None and two.hi is not None
    corners = u * (one.lo if u > 0 else one.hi) + v * (two.lo if v > 0 else two.hi)
    if u >= 0 and v >= 0 and lo is not None and lo > 0:
        # Cauchy: (u·P + v·R)(1/P + β²/R) >= (√u + β√v)²
        return max(corners, (u + beta * v + 2 * root_below(u * beta * v)) * lo / (1 + beta))
    if u <= 0 and v <= 0 and hi is not None and hi > 0 and beta > 0 and one.hi > 0 and two.hi > 0:
        # under the convex curve F = hi the far corner is cut off; the extremes are its ends
        left_of_r, left_of_p = (1 + beta) / hi - beta / two.hi, (1 + beta) / hi - 1 / one.hi
        if left_of_r > 0 and left_of_p > 0:
            ends = (min(one.hi, 1 / left_of_r), two.hi), (one.hi, min(two.hi, beta / left_of_p))
            return max(corners, min(u * p + v * r for p, r in ends))
    return corners


LEAST = {"variance": _least_variance, "mcc": _least_mcc, "f-measure": _least_f_measure}
