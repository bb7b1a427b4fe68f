"""Folds of unknown make-up: a fold picks its positives p, then fn of them and fp of its negatives.

A *box* is a range of positives, of false negatives and of false positives.  Every row is tabulated
as integers ``lo`` such that its true value lies within [lo, lo + width]·2^-bits; what rounding can
add is added exactly, so the bound holds.  The fn and the fp of a fold are two more rows, after those
of the model.

``Straight`` folds have rows that are linear in (tp, tn), so that only corners matter; ``Listed`` ones
have all their points tabulated, at most ``MOST_POINTS``.  64 bits are enough: entries stay below
2^ENTRY (or, for straight rows of huge folds, are Python's own integers), and ``scaled`` chooses whole
weights such that the largest possible sum of |weight|·|entry| is below 2^61.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

import numpy as np

from scoreproof.proof.sums.corners import value_range
from scoreproof.proof.sums.grid import TOP, Array, Box, Grid, Rows
from scoreproof.proof.sums.model import ONE, ZERO, Group, Share, TooManyPoints
from scoreproof.scores import ROWS, Betas, zones_undefined

ENTRY = 34  # table entries stay below 2^ENTRY
MOST_POINTS = 400_000  # folds with more (positives, tp, tn) than this are not listed
MOST_ASKED = 300  # options whose scores are looked at for a range

#: Weights of the model's rows and of fn and fp, whole, with what to add and their scale.
Weighted = tuple[list[int], Fraction, Fraction, list[Fraction]]


class Folds(ABC):
    """What both kinds of tables share."""

    axes = 3

    def __init__(
        self, group: Group, rows: Mapping[int, tuple[Share, ...]], convention: str, betas: Betas
    ) -> None:
        self.group, self.convention, self.betas = group, convention, betas
        self.options = group.options
        self.numbers = [*rows, -2, -1]  # the rows that are tabulated, then fn and fp
        self.bits: list[int] = []
        self.width: list[int] = []
        self.largest: list[int] = []

    def root(self) -> Box | None:
        """All options; None if there are none."""
        if not self.options:
            return None
        size = self.group.size
        return self.shrunk((self.options[0].p, self.options[-1].p, 0, size, 0, size))

    def shrunk(self, box: Box) -> Box | None:
        """The smallest box with the same points; None if it has none."""
        p0, p1, a0, a1, b0, b1 = box
        size = self.group.size
        for _ in range(3):
            a1, b1 = min(a1, p1), min(b1, size - p0)
            p0, p1 = max(p0, a0), min(p1, size - b0)
            if p0 > p1 or a0 > a1 or b0 > b1:
                return None
        found = p0, p1, a0, a1, b0, b1
        return None if self.empty(found) else found

    @abstractmethod
    def empty(self, box: Box) -> bool:
        """Whether a box has no points."""

    @abstractmethod
    def weighted(self, box: Box, weights: list[int]) -> int | None:
        """The largest weighted sum of rows in a box; None if it has no points."""

    def exactly(self, box: Box, weights: list[Fraction]) -> Fraction | None:
        """The largest weighted sum of rows in fractions, where that can be told."""
        return None

    def errors(self, box: Box) -> tuple[int, int, int, int]:
        """The fewest and the most false negatives and false positives in a box."""
        return box[2], box[3], box[4], box[5]

    def prepared(self, weights: Sequence[Fraction]) -> Weighted:
        """Whole weights of the table's rows, what to add for rounding, and their scale."""
        terms = [w * Fraction(2) ** -b for w, b in zip(weights, self.bits, strict=True)]
        size = sum((abs(x) * big for x, big in zip(terms, self.largest, strict=True)), ZERO)
        if not size:
            return [0] * len(terms), ZERO, ONE, list(weights)
        shift = TOP - (size.numerator.bit_length() - size.denominator.bit_length() + 1)
        factor = Fraction(2) ** shift
        whole, extra = [], ZERO
        for x, big, width in zip(terms, self.largest, self.width, strict=True):
            exact = x * factor
            whole.append(round(exact))
            extra += abs(exact - whole[-1]) * big
            if x > 0:
                extra += exact * width
        return whole, extra, factor, list(weights)

    def upper(self, box: Box, direction: Weighted) -> Fraction | None:
        """No point of the box has a larger weighted sum of rows; None if none stays."""
        best = self.weighted(box, direction[0])
        return None if best is None else (best + direction[1]) / direction[2]

    def slack(self, weights: Sequence[Fraction]) -> Fraction:
        """About how far ``upper`` may lie above the truth."""
        terms = zip(weights, self.bits, self.width, strict=True)
        return sum((abs(w) * Fraction(2) ** -bits * (width + 1) for w, bits, width in terms), ZERO)

    def score_range(self, name: str, box: Box) -> tuple[Fraction, Fraction, bool] | None:
        """Bounds of the number a score counts as, over the corners of every option of the box."""
        # cc: two corners per option, each of which may be undefined under three conventions
        p0, p1, a0, a1, b0, b1 = box
        score, size = ROWS[name], self.group.size
        lowest, highest = score.lowest, score.highest
        options = [o for o in self.options if p0 <= o.p <= p1]
        if len(options) > MOST_ASKED:
            far = score.top(size, size, self.betas)
            return (-far if lowest is None else lowest, far if highest is None else highest, True)
        ends: list[Fraction] = []
        missing = False
        for option in options:
            p, n = option.p, option.n
            corners = ((p - min(a1, p), n - min(b1, n)), (p - a0, n - b0))
            if any(x < 0 or y < 0 for x, y in corners):
                continue
            first, last = corners if score.rises else corners[::-1]
            holes = bool(zones_undefined(score, p, n, self.betas))
            low, high = (value_range(name, p, n, self.betas, *at) for at in (first, last))
            far = score.top(p, n, self.betas)
            ends.append(low[0] if low else -far if lowest is None else lowest)
            ends.append(high[1] if high else far if highest is None else highest)
            missing = missing or holes
        if not ends:
            return None
        if missing and self.convention == "zero":
            ends.append(ZERO)
        return min(ends), max(ends), missing and self.convention != "zero"


class Straight(Folds):
    """Folds whose rows are linear in (tp, tn)."""

    def __init__(
        self, group: Group, rows: Mapping[int, tuple[Share, ...]], convention: str, betas: Betas
    ) -> None:
        super().__init__(group, rows, convention, betas)
        options, size = self.options, group.size
        # a count of no items adds nothing, however large its factor
        shares: list[list[tuple[Fraction, Fraction, Fraction]]] = [
            [
                (offset, factors[0] if o.p else ZERO, factors[1] if o.n else ZERO)
                for (offset, factors), o in zip(row, options, strict=True)
            ]
            for row in rows.values()
        ]
        shares.append([(Fraction(o.p), -ONE, ZERO) for o in options])
        shares.append([(Fraction(o.n), ZERO, -ONE) for o in options])
        self.shares = shares
        tops = [
            ceil(
                max(
                    (abs(a) + abs(b) * o.p + abs(c) * o.n for (a, b, c), o in zip(v, options, strict=True)),
                    default=ONE,
                )
            )
            for v in shares
        ]
        # an entry times a count is at most its top; where that may not fit, Python's own integers do
        kind: Any = np.int64 if max(size, *tops) < 1 << (ENTRY + 20) else object
        self.p = np.array([o.p for o in options], dtype=kind)
        self.n = size - self.p
        shape = len(shares), len(options)
        self.offset, self.tp, self.tn = (np.zeros(shape, dtype=kind) for _ in range(3))
        for r, (values, top) in enumerate(zip(shares, tops, strict=True)):
            whole = all(x.denominator == 1 for v in values for x in v)
            bits = 0 if whole else max(0, ENTRY - top.bit_length())
            for j, (a, b, c) in enumerate(values):
                self.offset[r, j] = floor(a * (1 << bits))
                self.tp[r, j] = floor(b * (1 << bits))
                self.tn[r, j] = floor(c * (1 << bits))
            self.bits.append(bits)
            # each of the three was rounded down by less than one unit, twice times a count
            self.width.append(0 if whole else size + 1)
            self.largest.append(max(1, top << bits) + size + 1)

    def _range(self, box: Box) -> tuple[Array, ...]:
        p0, p1, a0, a1, b0, b1 = box
        at = np.nonzero((self.p >= max(p0, a0)) & (self.p <= min(p1, self.group.size - b0)))[0]
        p, n = self.p[at], self.n[at]
        return at, p - np.minimum(a1, p), p - a0, n - np.minimum(b1, n), n - b0

    def empty(self, box: Box) -> bool:
        return not len(self._range(box)[0])

    def count(self, box: Box) -> int:
        _, low, high, left, right = self._range(box)
        return int(((high - low + 1) * (right - left + 1)).sum())

    def points(self, box: Box) -> list[tuple[int, int, int]]:
        """(p, tp, tn) of the points of a box."""
        found = []
        for j, a, b, c, d in zip(*(each.tolist() for each in self._range(box)), strict=True):
            p = self.options[j].p
            found += [(p, tp, tn) for tp in range(a, b + 1) for tn in range(c, d + 1)]
        return found

    def extremes(self, box: Box) -> tuple[Array, Array]:
        """Row values in floats and (p, tp, tn) of the points that can be extreme: the corners."""
        at, low, high, left, right = self._range(box)
        option = np.concatenate([at] * 4)
        tp, tn = np.concatenate([low, high, low, high]), np.concatenate([left, left, right, right])
        scale = np.array([2.0**-b for b in self.bits])
        found = (self.offset[:, option] + self.tp[:, option] * tp + self.tn[:, option] * tn).T * scale
        return found.astype(float), np.stack([self.p[option], tp, tn], axis=1)

    def every(self) -> tuple[Array, Array]:
        """The same of all points."""
        places, which = [], []
        for j, o in enumerate(self.options):
            tp, tn = np.divmod(np.arange(o.points), o.n + 1)
            places.append(np.stack([np.full(len(tp), o.p), tp, tn], axis=1))
            which.append(np.full(len(tp), j))
        at, option = np.concatenate(places), np.concatenate(which)
        scale = np.array([2.0**-b for b in self.bits])
        values = self.offset[:, option] + self.tp[:, option] * at[:, 1] + self.tn[:, option] * at[:, 2]
        return values.T * scale, at

    def weighted(self, box: Box, weights: list[int]) -> int | None:
        at, low, high, left, right = self._range(box)
        if not len(at):
            return None
        w = np.array(weights, dtype=self.offset.dtype)
        offset, tp, tn = (w @ t[:, at] for t in (self.offset, self.tp, self.tn))
        best = offset + np.maximum(tp * low, tp * high) + np.maximum(tn * left, tn * right)
        return int(best.max())

    def exactly(self, box: Box, weights: list[Fraction]) -> Fraction | None:
        best: Fraction | None = None
        used = [r for r, w in enumerate(weights) if w]
        for j, a, b, c, d in zip(*(each.tolist() for each in self._range(box)), strict=True):
            offset, tp, tn = (sum((weights[r] * self.shares[r][j][k] for r in used), ZERO) for k in range(3))
            value = offset + max(tp * a, tp * b) + max(tn * c, tn * d)
            best = value if best is None else max(best, value)
        return best

    def tabulated(self, box: Box) -> Rows:
        """For every row, integers lo with a width and bits, at the points of a box."""
        at, low, high, left, right = self._range(box)
        option = np.repeat(at, ((high - low + 1) * (right - left + 1)).astype(np.int64))
        points = np.array(self.points(box), dtype=self.offset.dtype).reshape(-1, 3)
        values = self.offset[:, option] + self.tp[:, option] * points[:, 1] + self.tn[:, option] * points[:, 2]
        return {r: (values[k], self.width[k], self.bits[k]) for k, r in enumerate(self.numbers) if r >= 0}


class Listed(Folds):
    """Folds all of whose points (p, tp, tn) are tabulated."""

    def __init__(
        self, group: Group, rows: Mapping[int, tuple[Share, ...]], convention: str, betas: Betas
    ) -> None:
        super().__init__(group, rows, convention, betas)
        if sum(o.points for o in self.options) > MOST_POINTS:
            raise TooManyPoints
        places: list[Array] = [np.zeros((0, 3), dtype=np.int64)]
        tables: list[Rows] = []
        for j, option in enumerate(self.options):
            grid = Grid(option, convention, betas)
            shares = {r: shares[j] for r, shares in rows.items()}
            tables.append(grid.tabulated((0, option.p, 0, option.n), shares))
            tp, tn = np.nonzero(grid.mask)
            places.append(np.stack([np.full(len(tp), option.p), tp, tn], axis=1).astype(np.int64))
        self.at: Array = np.concatenate(places)
        self.data: list[Array] = []
        for r in rows:
            bits = min((table[r][2] for table in tables), default=0)
            width, columns = 0, [np.zeros(0, dtype=np.int64)]
            for table in tables:
                lo, own, finer = table[r]
                drop = finer - bits
                columns.append(lo >> drop)
                width = max(width, (own >> drop) + 2 if drop else own)
            self._add(np.concatenate(columns), width, bits)
        self._add(self.at[:, 0] - self.at[:, 1], 0, 0)
        self._add(group.size - self.at[:, 0] - self.at[:, 2], 0, 0)

    def _add(self, data: Array, width: int, bits: int) -> None:
        self.data.append(data)
        self.width.append(width)
        self.bits.append(bits)
        self.largest.append(max(1, int(abs(data).max(initial=0))))

    def _inside(self, box: Box) -> slice | Array:
        p0, p1, a0, a1, b0, b1 = box
        # the points are in the order of their positives
        first, last = (int(x) for x in np.searchsorted(self.at[:, 0], [p0, p1 + 1]))
        if a0 == 0 and b0 == 0 and a1 >= p1 and b1 >= self.group.size - p0:
            return slice(first, last)
        fn, fp = (data[first:last] for data in self.data[-2:])
        inside: Array = first + np.nonzero((fn >= a0) & (fn <= a1) & (fp >= b0) & (fp <= b1))[0]
        return inside

    def empty(self, box: Box) -> bool:
        return not len(self.at[self._inside(box)])

    def count(self, box: Box) -> int:
        return len(self.at[self._inside(box)])

    def points(self, box: Box) -> list[tuple[int, int, int]]:
        """(p, tp, tn) of the points of a box."""
        return [(p, tp, tn) for p, tp, tn in self.at[self._inside(box)].tolist()]

    @cached_property
    def floats(self) -> Array:
        """All rows at all points, about."""
        columns = [
            (data + width / 2) * 2.0**-bits
            for data, width, bits in zip(self.data, self.width, self.bits, strict=True)
        ]
        return np.ascontiguousarray(np.stack(columns, axis=1))

    def extremes(self, box: Box) -> tuple[Array, Array]:
        """Row values in floats and (p, tp, tn) of the points of a box."""
        inside = self._inside(box)
        return self.floats[inside], self.at[inside]

    def every(self) -> tuple[Array, Array]:
        """The same of all points."""
        return self.floats, self.at

    def weighted(self, box: Box, weights: list[int]) -> int | None:
        inside = self._inside(box)
        total: Array | None = None
        for w, data in zip(weights, self.data, strict=True):
            if w:
                total = w * data[inside] if total is None else total + w * data[inside]
        if total is None:
            return None if self.empty(box) else 0
        return int(total.max()) if len(total) else None

    def trim(self, direction: Weighted, least: Fraction) -> bool:
        """Drop the points where the sum is surely below ``least``; whether any was."""
        whole, extra, scale, _ = direction
        total = sum(
            (w * data for w, data in zip(whole, self.data, strict=True) if w), np.zeros(len(self.at), np.int64)
        )
        limit = ceil(least * scale - extra)
        stay = total >= max(limit, -(1 << 62)) if limit < 1 << 62 else np.zeros(len(self.at), dtype=bool)
        if bool(stay.all()):
            return False
        self.at = self.at[stay]
        self.data = [data[stay] for data in self.data]
        self.__dict__.pop("floats", None)
        return True

    def tabulated(self, box: Box) -> Rows:
        """For every row, integers lo with a width and bits, at the points of a box."""
        inside = self._inside(box)
        return {
            r: (self.data[k][inside], self.width[k], self.bits[k]) for k, r in enumerate(self.numbers) if r >= 0
        }
