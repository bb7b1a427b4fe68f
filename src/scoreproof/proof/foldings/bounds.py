"""What a direction proves about all foldings at once, in integers.

A *box* is a range of positives, of false negatives and of false positives; a *state* says,
for every slot, how many of its folds lie in which box, and between which integers the
counts of the slot lie.  ``most`` is the largest weighted sum of rows that the folds of a
state can reach; where it stays below what the targets need (``least``), no folding fits.

Every row is tabulated as integers ``lo`` such that its true value lies within
[lo, lo + width]·2^-bits; what rounding can add is added exactly, so the bound holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.averages.bounds import least
from scoreproof.proof.averages.model import Model, Row
from scoreproof.proof.averages.tables import Array, Small
from scoreproof.proof.foldings.model import Counts, FoldedModel, Option, Slot, TooManyPoints

Box = tuple[int, int, int, int, int, int]  # first and last p, fn, fp, all included
Cells = tuple[tuple[tuple[Box, int], ...], ...]

ENTRY = 34  # table entries stay below 2^ENTRY, so that weighted sums fit 64 bits
MOST_POINTS = 400_000  # a slot with more (positives, tp, tn) than this is not listed


@dataclass(frozen=True, slots=True)
class State:
    """Boxes with their numbers of folds, per slot, and ranges of the count rows."""

    cells: Cells
    counts: Counts


def shrunk(box: Box, size: int) -> Box | None:
    """The smallest box with the same points; None if it has none."""
    p0, p1, a0, a1, b0, b1 = box
    for _ in range(3):
        a1, b1 = min(a1, p1), min(b1, size - p0)
        p0, p1 = max(p0, a0), min(p1, size - b0)
        if p0 > p1 or a0 > a1 or b0 > b1:
            return None
    return p0, p1, a0, a1, b0, b1


class Straight:
    """A slot whose rows are linear in (tp, tn): only corners matter."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        self.p = np.array([o.group.p for o in slot.options], dtype=np.int64)
        self.n = slot.size - self.p
        rows = len(slot.options[0].offsets) if slot.options else 0
        shape = rows, len(slot.options)
        self.offset, self.tp, self.tn = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        self.bits, self.width, self.largest = [0] * rows, [0] * rows, [1] * rows
        for r in range(rows):
            values = [(o.offsets[r], o.factors[r][0], o.factors[r][1]) for o in slot.options]
            sizes = [
                abs(a) + abs(b) * o.group.p + abs(c) * o.group.n
                for (a, b, c), o in zip(values, slot.options, strict=True)
            ]
            top = ceil(max(sizes, default=Fraction(1)))
            whole = all(x.denominator == 1 for v in values for x in v)
            bits = 0 if whole else max(0, ENTRY - top.bit_length())
            for j, (a, b, c) in enumerate(values):
                self.offset[r, j] = floor(a * (1 << bits))
                self.tp[r, j] = floor(b * (1 << bits))
                self.tn[r, j] = floor(c * (1 << bits))
            self.bits[r] = bits
            # each of the three was rounded down by less than one unit, twice times a count
            self.width[r] = 0 if whole else slot.size + 1
            self.largest[r] = max(1, top << bits) + slot.size + 1

    def _range(self, box: Box) -> tuple[Array, ...]:
        p0, p1, a0, a1, b0, b1 = box
        at = np.nonzero((self.p >= max(p0, a0)) & (self.p <= min(p1, self.slot.size - b0)))[0]
        p, n = self.p[at], self.n[at]
        return at, p - np.minimum(a1, p), p - a0, n - np.minimum(b1, n), n - b0

    def empty(self, box: Box) -> bool:
        return not len(self._range(box)[0])

    def points(self, box: Box) -> tuple[Array, Array, Array, Array]:
        """(option, p, tp, tn) of the corners of a box, option by option."""
        at, low, high, left, right = self._range(box)
        option = np.concatenate([at] * 4)
        return (
            option,
            self.p[option],
            np.concatenate([low, high, low, high]),
            np.concatenate([left, left, right, right]),
        )

    def values(self, box: Box) -> tuple[Array, Array]:
        """Row values in floats and (p, tp, tn) of the points that can be extreme."""
        option, p, tp, tn = self.points(box)
        scale = np.array([2.0**-b for b in self.bits])
        found = (self.offset[:, option] + self.tp[:, option] * tp + self.tn[:, option] * tn).T * scale
        return found, np.stack([p, tp, tn], axis=1)

    def weighted(self, box: Box, weights: list[int]) -> int | None:
        """The largest weighted sum of lower table entries over a box."""
        at, low, high, left, right = self._range(box)
        if not len(at):
            return None
        w = np.array(weights, dtype=np.int64)
        offset, tp, tn = (w @ t[:, at] for t in (self.offset, self.tp, self.tn))
        best = offset + np.maximum(tp * low, tp * high) + np.maximum(tn * left, tn * right)
        return int(best.max())

    def exactly(self, box: Box, weights: Sequence[Fraction]) -> Fraction | None:
        """The same in fractions, for ties."""
        at, low, high, left, right = self._range(box)
        best: Fraction | None = None
        used = [r for r, w in enumerate(weights) if w]
        for j, a, b, c, d in zip(at, low, high, left, right, strict=True):
            o = self.slot.options[int(j)]
            offset = sum((weights[r] * o.offsets[r] for r in used), Fraction(0))
            tp = sum((weights[r] * o.factors[r][0] for r in used), Fraction(0))
            tn = sum((weights[r] * o.factors[r][1] for r in used), Fraction(0))
            value = offset + max(tp * int(a), tp * int(b)) + max(tn * int(c), tn * int(d))
            best = value if best is None else max(best, value)
        return best


class Listed:
    """A slot all of whose points (p, tp, tn) are tabulated."""

    def __init__(self, slot: Slot, convention: str, betas: object) -> None:
        self.slot = slot
        if sum(o.group.size for o in slot.options) > MOST_POINTS:
            raise TooManyPoints
        rows = len(slot.options[0].offsets) if slot.options else 0
        tables = [_tabulated(o, convention, betas) for o in slot.options]
        self.bits = [min((t[1][r][2] for t in tables), default=0) for r in range(rows)]
        self.width = [0] * rows
        data: list[list[Array]] = [[] for _ in range(rows)]
        for _, table in tables:
            for r, (lo, width, bits) in enumerate(table):
                drop = bits - self.bits[r]
                data[r].append(lo >> drop)
                self.width[r] = max(self.width[r], (width >> drop) + 2 if drop else width)
        empty: Array = np.zeros(0, dtype=np.int64)
        self.data = np.stack([np.concatenate([empty, *d]) for d in data]) if rows else np.zeros((0, 0))
        self.at = np.concatenate([np.zeros((0, 3), dtype=np.int64), *(t[0] for t in tables)])
        self.p = self.at[:, 0]
        self.fn = self.at[:, 0] - self.at[:, 1]
        self.fp = slot.size - self.at[:, 0] - self.at[:, 2]
        self.largest = [max(1, int(abs(d).max(initial=0))) for d in self.data]

    def _inside(self, box: Box) -> slice | Array:
        p0, p1, a0, a1, b0, b1 = box
        # the points are in the order of their positives
        first, last = np.searchsorted(self.p, [p0, p1 + 1])
        fn, fp = self.fn[first:last], self.fp[first:last]
        if a0 == 0 and b0 == 0 and a1 >= p1 and b1 >= self.slot.size - p0:
            return slice(int(first), int(last))
        inside: Array = first + np.nonzero((fn >= a0) & (fn <= a1) & (fp >= b0) & (fp <= b1))[0]
        return inside

    def empty(self, box: Box) -> bool:
        return not len(self.p[self._inside(box)])

    def values(self, box: Box) -> tuple[Array, Array]:
        inside = self._inside(box)
        return self.floats[inside], self.at[inside]

    @cached_property
    def floats(self) -> Array:
        scale = np.array([2.0**-b for b in self.bits])
        return np.ascontiguousarray((self.data.T + np.array(self.width) / 2) * scale)

    def weighted(self, box: Box, weights: list[int]) -> int | None:
        inside = self._inside(box)
        total: Array | None = None
        for w, d in zip(weights, self.data, strict=True):
            if w:
                total = w * d[inside] if total is None else total + w * d[inside]
        if total is None:
            return None if self.empty(box) else 0
        return int(total.max()) if len(total) else None

    def exactly(self, box: Box, weights: Sequence[Fraction]) -> Fraction | None:
        return None


def _tabulated(option: Option, convention: str, betas: object) -> tuple[Array, list[tuple[Array, int, int]]]:
    """The points of an option that stay, and (lo, width, bits) of every row over them."""
    small = Small(option.group, convention, betas)  # type: ignore[arg-type]
    tp, tn = np.nonzero(small.mask)
    points = np.stack([np.full(len(tp), option.group.p), tp, tn], axis=1).astype(np.int64)
    columns = [np.asarray(d[small.mask], dtype=np.int64) for d in small.data]
    rows = []
    for offset, factors in zip(option.offsets, option.factors, strict=True):
        used = [k for k, f in enumerate(factors) if f]
        even = [k for k in used if not small.bits[k] and not small.width[k]]
        down = lcm(offset.denominator, *(factors[k].denominator for k in even))
        whole: Array = np.full(len(tp), int(offset * down), dtype=object)
        for k in even:
            whole = whole + int(factors[k] * down) * columns[k].astype(object)
        rest = [k for k in used if k not in even]
        if not rest and down == 1:
            rows.append((whole.astype(np.int64), 0, 0))
            continue
        top = max((abs(x) for x in whole), default=1) // down + 1
        size = Fraction(top)
        for k in rest:
            size += abs(factors[k]) * Fraction(small.largest[k] + small.width[k], 1 << small.bits[k])
        bits = max(0, ENTRY - ceil(size).bit_length())
        lo, width = (whole << bits) // down, 1
        for k in rest:
            f, b = factors[k], small.bits[k]
            # f·column in units of 2^-bits: rounded down, and the width rounded up
            ends = [f * Fraction(1 << bits, 1 << b), f * Fraction(1 << bits, 1 << b) * small.width[k]]
            part = (columns[k].astype(object) * ends[0].numerator) // ends[0].denominator
            lo = lo + part + (floor(ends[1]) if f < 0 else 0)
            width += ceil(abs(ends[1])) + 2
        rows.append((lo.astype(np.int64), width, bits))
    return points, rows


Table = Straight | Listed


class Bounds:
    """A model with its tables: what can be proven about states."""

    def __init__(self, model: FoldedModel) -> None:
        self.model = model
        convention, betas = model.loose.undefined, model.loose.betas
        self.tables: list[Table] = [
            Straight(s) if s.straight else Listed(s, convention, betas) for s in model.slots
        ]
        self.first = model.rows - len(model.counts)  # where the count rows start

    def root(self) -> State | None:
        """Every slot on all its options; None if a slot has none."""
        cells = []
        for slot, table in zip(self.model.slots, self.tables, strict=True):
            if not slot.options:
                return None
            ps = [o.group.p for o in slot.options]
            box = shrunk((min(ps), max(ps), 0, slot.size, 0, slot.size), slot.size)
            if box is None or table.empty(box):
                return None
            cells.append(((box, slot.count),))
        return State(tuple(cells), self.model.counts)

    def frame(self, state: State) -> Model:
        """The rows' intervals in a state."""
        old = self.model.frame
        rows = list(old.rows[: self.first])
        for (lo, hi), row in zip(state.counts, old.rows[self.first :], strict=True):
            rows.append(Row(row.target, Interval(Fraction(lo), Fraction(hi)), row.constant, ()))
        return Model(old.problem, (), tuple(rows), old.curves)

    def most(self, state: State, direction: Sequence[Fraction], exactly: bool = False) -> Fraction | None:
        """An upper bound of Σ direction·row over a state; None if a box is empty."""
        total = Fraction(0)
        for cells, table in zip(state.cells, self.tables, strict=True):
            weights, extra, factor = ([], Fraction(0), Fraction(1)) if exactly else _scaled(table, direction)
            for box, count in cells:
                if exactly:
                    bound = table.exactly(box, direction)
                else:
                    best = table.weighted(box, weights)
                    bound = None if best is None else (best + extra) / factor
                if bound is None:
                    return None
                total += count * bound
        return total

    def separates(self, state: State, direction: Sequence[int]) -> bool:
        """Whether the direction proves that nothing in the state fits."""
        if len(direction) != self.model.rows:
            return False
        weights = [Fraction(w) for w in direction]
        need = least(self.frame(state), weights)
        if need is None:
            return False
        reach = self.most(state, weights)
        if reach is None or reach < need[0]:
            return True
        # tables round up; where that may matter, linear rows are asked again in fractions
        if not all(isinstance(t, Straight) for t in self.tables):
            return False
        slack = Fraction(0)
        for r, w in enumerate(weights):
            width, bits = max(t.width[r] for t in self.tables), min(t.bits[r] for t in self.tables)
            slack += abs(w) * Fraction(width + 1, 1 << bits)
        if reach - need[0] > 4 * slack * sum(s.count for s in self.model.slots):
            return False
        reach = self.most(state, weights, exactly=True)
        return reach is None or reach < need[0] or (reach == need[0] and not need[1])


def _scaled(table: Table, direction: Sequence[Fraction]) -> tuple[list[int], Fraction, Fraction]:
    """Integer weights of the table's rows, what to add for rounding, and their scale."""
    terms = [w / (1 << b) for w, b in zip(direction, table.bits, strict=True)]
    scale = sum((abs(x) * big for x, big in zip(terms, table.largest, strict=True)), Fraction(0))
    if not scale:
        return [0] * len(terms), Fraction(0), Fraction(1)
    shift = 60 - (scale.numerator.bit_length() - scale.denominator.bit_length() + 1)
    factor = Fraction(2) ** shift
    weights, extra = [], Fraction(0)
    for x, big, width in zip(terms, table.largest, table.width, strict=True):
        exact = x * factor
        weights.append(round(exact))
        extra += abs(exact - weights[-1]) * big
        if x > 0:
            extra += exact * width
    return weights, extra, factor
