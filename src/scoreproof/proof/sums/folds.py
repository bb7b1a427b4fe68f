"""Folds of unknown make-up: a fold picks its positives p, then fn of them and fp of its negatives.

A *box* is a range of positives, of false negatives and of false positives.  What is summed are the rows
of the model and, after them, the fn and the fp of a fold.

``Straight`` folds have rows that are linear in (tp, tn), so that only corners matter; they are kept in
Python's own integers over one denominator, and bounds are exact.  ``Listed`` ones have all their points
tabulated, at most ``MOST_POINTS`` (see ``grid`` for why 64 bits are enough).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import numpy as np

from scoreproof.budget import TooMuch
from scoreproof.proof.sums.corners import corner_range
from scoreproof.proof.sums.grid import COARSE, Array, Box, Grid, Rows, Tabulated, Weighted, narrowed, nowhere
from scoreproof.proof.sums.model import ONE, ZERO, Group, Share
from scoreproof.scores import ROWS, Betas

MOST_LOOKED_AT, MOST_POINTS = 2_000_000, 400_000  # (positives, tp, tn) of folds, and those in boxes that stay
MOST_ASKED = 300  # options whose scores are looked at for a range

Shares = Mapping[int, tuple[Share, ...]]  # of every row, by option; or its items


class Folds(ABC):
    """What both kinds of tables share."""

    axes = 3

    def __init__(self, group: Group, rows: Shares, convention: str, betas: Betas) -> None:
        self.group, self.convention, self.betas = group, convention, betas
        self.options = group.options
        self.rows = list(rows)  # the rows that are tabulated

    def root(self) -> Box | None:
        """All options; None if there are none."""
        options, size = self.options, self.group.size
        return self.shrunk((options[0].p, options[-1].p, 0, size, 0, size)) if options else None

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
        return found if self.count(found) else None

    @abstractmethod
    def count(self, box: Box) -> int:
        """How many points a box has."""

    @abstractmethod
    def places(self, box: Box) -> Array:
        """(p, tp, tn) of the points of a box, one to a line."""

    @abstractmethod
    def tabulated(self, box: Box) -> Rows:
        """Rows at the points of a box."""

    @abstractmethod
    def sizes(self) -> dict[int, tuple[Fraction, Fraction]]:
        """The largest entry of every row, and how far it may lie below the truth."""

    def points(self, box: Box) -> list[tuple[int, int, int]]:
        """(p, tp, tn) of the points of a box."""
        return [(p, tp, tn) for p, tp, tn in self.places(box).tolist()]

    def errors(self, box: Box) -> tuple[int, int, int, int]:
        """The fewest and the most false negatives and false positives in a box."""
        return box[2], box[3], box[4], box[5]

    def score_range(self, name: str, box: Box) -> tuple[Fraction, Fraction, bool] | None:
        """Bounds of the number a score counts as, over the corners of every option of the box."""
        p0, p1, a0, a1, b0, b1 = box
        score, size = ROWS[name], self.group.size
        options = [o for o in self.options if max(p0, a0) <= o.p <= p1 and b0 <= o.n]
        if len(options) > MOST_ASKED:
            far = score.top(size, size, self.betas)
            lowest = -far if score.lowest is None else score.lowest
            return lowest, far if score.highest is None else score.highest, True
        corners = [(o, (o.p - min(a1, o.p), o.p - a0, o.n - min(b1, o.n), o.n - b0)) for o in options]
        found = [corner_range(name, o.p, o.n, at, self.convention, self.betas) for o, at in corners]
        known = [each for each in found if each is not None]
        if not known:
            return None
        missing = len(known) < len(found) or any(each[2] for each in known)
        return min(each[0] for each in known), max(each[1] for each in known), missing


class Straight(Folds):
    """Folds whose rows are linear in (tp, tn)."""

    def __init__(self, group: Group, rows: Shares, convention: str, betas: Betas) -> None:
        super().__init__(group, rows, convention, betas)
        # a count of no items adds nothing, however large its factor
        shares = [
            [
                (offset, factors[0] if o.p else ZERO, factors[1] if o.n else ZERO)
                for (offset, factors), o in zip(row, self.options, strict=True)
            ]
            for row in rows.values()
        ]
        shares.append([(Fraction(o.p), -ONE, ZERO) for o in self.options])
        shares.append([(Fraction(o.n), ZERO, -ONE) for o in self.options])
        self.down = [lcm(*(x.denominator for line in row for x in line)) for row in shares]
        whole = [
            [[x.numerator * (down // x.denominator) for x in line] for line in row]
            for row, down in zip(shares, self.down, strict=True)
        ]
        # of (row, option): the offset and the factors of tp and tn, times the row's denominator
        shape = len(shares), len(self.options), 3
        self.lines: Array = np.array(whole, dtype=object).reshape(shape).transpose(2, 0, 1)
        sizes = np.array([(1, o.p, o.n) for o in self.options], dtype=object).reshape(-1, 3).T
        largest = (abs(self.lines) * sizes[:, None, :]).sum(axis=0)
        self.tops = [
            max(row, default=0) // down + 1 for row, down in zip(largest.tolist(), self.down, strict=True)
        ]
        # 64 bits hold the number of points of at most MOST_OPTIONS folds of 2^24 items
        self.p = np.array([o.p for o in self.options], dtype=np.int64 if group.size < 1 << 24 else object)
        self.n = group.size - self.p

    def ranges(self, box: Box) -> tuple[Array, ...]:
        """The options of a box, and for each the least and the most tp, and tn."""
        p0, p1, a0, a1, b0, b1 = box
        at = np.nonzero((self.p >= max(p0, a0)) & (self.p <= min(p1, self.group.size - b0)))[0]
        p, n = self.p[at], self.n[at]
        return at, p - np.minimum(a1, p), p - a0, n - np.minimum(b1, n), n - b0

    def count(self, box: Box) -> int:
        _, low, high, left, right = self.ranges(box)
        return int(((high - low + 1) * (right - left + 1)).sum())

    def places(self, box: Box) -> Array:
        found = [np.zeros((0, 3), dtype=self.p.dtype)]
        for j, a, b, c, d in zip(*(each.tolist() for each in self.ranges(box)), strict=True):
            tp, tn = np.divmod(np.arange((b - a + 1) * (d - c + 1)), d - c + 1)
            grid = np.stack([tp * 0, tp, tn], axis=1).astype(self.p.dtype)
            found.append(grid + np.array([self.p[j], a, c], dtype=self.p.dtype))
        return np.concatenate(found)

    def prepared(self, offset: Fraction, factors: list[Fraction]) -> Weighted:
        """offset + Σ factor·row as ``upper`` wants it: in whole numbers, over one denominator."""
        terms = [f / down for f, down in zip(factors, self.down, strict=True)]
        scale = lcm(*(x.denominator for x in terms))
        return [x.numerator * (scale // x.denominator) for x in terms], offset * scale, Fraction(scale)

    def upper(self, box: Box, direction: Weighted) -> Fraction | None:
        """The largest weighted sum of rows in a box, exactly; None if it has no points."""
        whole, extra, scale = direction
        at, low, high, left, right = self.ranges(box)
        if not len(at):
            return None
        used = [r for r, w in enumerate(whole) if w] or [0]
        w = np.array([whole[r] for r in used], dtype=object)
        offset, tp, tn = (w @ lines[used][:, at] for lines in self.lines)
        best = offset + np.maximum(tp * low, tp * high) + np.maximum(tn * left, tn * right)
        largest: int = max(best.tolist())
        return (largest + extra) / scale

    def tabulated(self, box: Box) -> Rows:
        points = self.places(box)
        option = np.searchsorted(self.p, points[:, 0])
        found = {}
        for k, r in enumerate(self.rows):
            offset, tp, tn = (lines[k, option] for lines in self.lines)
            exact = offset + tp * points[:, 1] + tn * points[:, 2]
            bits = COARSE - self.tops[k].bit_length()
            down = self.down[k] << max(-bits, 0)
            found[r] = ((exact << max(bits, 0)) // down).astype(np.int64), int(down > 1), bits
        return found

    def sizes(self) -> dict[int, tuple[Fraction, Fraction]]:
        # an entry is rounded down by less than a unit of 2^(bits of the largest - COARSE)
        tops = zip(self.rows, self.tops, strict=False)
        return {r: (Fraction(top), Fraction(2) ** (top.bit_length() - COARSE)) for r, top in tops}


class Listed(Folds, Tabulated):
    """Folds all of whose points (p, tp, tn) are tabulated."""

    def __init__(self, group: Group, rows: Shares, convention: str, betas: Betas) -> None:
        Folds.__init__(self, group, rows := dict(rows), convention, betas)
        if sum(o.points for o in self.options) > MOST_LOOKED_AT:
            raise TooMuch
        boxes = [(j, o, box) for j, o in enumerate(self.options) if (box := narrowed(o, betas))]
        if sum((b - a + 1) * (d - c + 1) for _, _, (a, b, c, d) in boxes) > MOST_POINTS:
            raise TooMuch
        places: list[Array] = [np.zeros((0, 3), dtype=np.int64)]
        tables: list[Rows] = []
        for j, option, box in boxes:
            grid = Grid(option, convention, betas, box)
            shares = {r: shares[j] for r, shares in rows.items()}
            tables.append(grid.tabulated(box, shares))
            tp, tn = np.nonzero(grid.mask)
            own = np.stack([np.full(len(tp), option.p), tp + box[0], tn + box[2]], axis=1)
            places.append(own.astype(np.int64))
        self.all: Array = np.concatenate(places)
        entries = [_merged([table[r] for table in tables]) for r in rows]
        self.bits = [bits for _, _, bits in entries]
        fn, fp = self.all[:, 0] - self.all[:, 1], group.size - self.all[:, 0] - self.all[:, 2]
        Tabulated.__init__(self, [*entries, (fn, 0, 0), (fp, 0, 0)])

    def at(self, box: Box) -> slice | Array:
        p0, p1, a0, a1, b0, b1 = box
        # the points are in the order of their positives
        first, last = (int(x) for x in np.searchsorted(self.all[:, 0], [p0, p1 + 1]))
        if a0 == 0 and b0 == 0 and a1 >= p1 and b1 >= self.group.size - p0:
            return slice(first, last)
        fn, fp = (data[first:last] for data in self.data[-2:])
        inside: Array = first + np.nonzero((fn >= a0) & (fn <= a1) & (fp >= b0) & (fp <= b1))[0]
        return inside

    def keep(self, stay: Array) -> None:
        self.all, self.data = self.all[stay], [data[stay] for data in self.data]

    def places(self, box: Box) -> Array:
        return self.all[self.at(box)]

    def undefined(self, name: str, box: Box) -> bool:
        """Whether a score is undefined at a point of the box."""
        points, of = self.places(box), (self.group.size, self.betas)
        own = ((p, points[points[:, 0] == p, 1:].T) for p in set(points[:, 0].tolist()))
        return any(nowhere(ROWS[name], p, of[0] - p, of[1], *counts).any() for p, counts in own)

    def count(self, box: Box) -> int:
        return len(self.places(box))

    def tabulated(self, box: Box) -> Rows:
        at = self.at(box)
        return {r: (self.data[k][at], self.width[k], self.bits[k]) for k, r in enumerate(self.rows)}

    def sizes(self) -> dict[int, tuple[Fraction, Fraction]]:
        rows = zip(self.rows, self.largest, self.width, self.units, strict=False)
        return {r: (largest * unit, width * unit) for r, largest, width, unit in rows}


def _merged(tables: list[tuple[Array, int, int]]) -> tuple[Array, int, int]:
    """The entries of a row for all options, with as many bits as every one has."""
    bits = min((finer for _, _, finer in tables), default=0)
    width, entries = 0, [np.zeros(0, dtype=np.int64)]
    for lo, own, finer in tables:
        drop = finer - bits
        entries.append(lo >> min(drop, 63))
        width = max(width, (own >> drop) + 2 if drop else own)
    return np.concatenate(entries), width, bits
