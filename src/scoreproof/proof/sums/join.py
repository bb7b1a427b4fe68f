"""Listing very many choices by meeting in the middle, in integers.

The parts of a state are dealt into two halves, all choices of either half are listed as sums
of the rows, and the halves are joined: one row is cut into bands as wide as its window, a
second one is sorted within each band, so that for every choice of the first half the
matching choices of the second are a few runs of a sorted list.  Row values are integers that
enclose the true values, so a join may let a choice too many pass but never loses one; what
passes every row is checked exactly.

64 bits are enough: a row is scaled so that no sum of all parts exceeds 2^(ROW_BITS + 2), windows are
cut to 2^40, and the key made of two rows is refused where it might exceed 2^62.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, comb, floor

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.bounds import State, Table
from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.choice import Choice, Point, fitting
from scoreproof.proof.sums.corners import Wide
from scoreproof.proof.sums.folds import Folds
from scoreproof.proof.sums.grid import Array, Box, Grid, Rows
from scoreproof.proof.sums.model import Model
from scoreproof.question.evaluate import value_at
from scoreproof.question.question import PER_PART

MOST_EACH = 400_000  # choices listed for one half
MOST_MATCHES = 4_000_000  # pairs that pass the first two rows
MOST_CHECKED = 4_000  # pairs that pass every row
MOST_KINDS = 4096  # points of a cell that are looked through for equal scores
ROW_BITS = 30  # two rows make one 64-bit key

#: Work of listing a choice, of a pair that is looked at, of one that is checked; of a row at one point.
LISTED, MATCHED, CHECKED, ENTRY = 150, 25, 150_000, 3_000

Share = tuple[int, Box, int, int]  # group, box, first of its parts within the group, count


@dataclass
class Half:
    """All choices of some parts: their row sums, and which point each part takes."""

    sums: Array  # (choices, rows)
    picks: Array  # (choices, parts): positions in the lists below
    parts: list[int]
    points: list[list[Point]]


def windows(model: Model) -> dict[int, tuple[Fraction, Fraction]]:
    """What each row with two ends must land in, curves included."""
    found = {}
    for r, row in enumerate(model.rows):
        if row.interval.lo is not None and row.interval.hi is not None:
            found[r] = row.interval.lo, row.interval.hi
    for curve in model.curves:
        if curve.kind == "variance" and curve.one in found and curve.interval.hi is not None:
            # q is the variance plus (y-c)², and y lies between lo and hi
            lo, hi = found[curve.one]
            ends = [(lo - curve.centre) ** 2, (hi - curve.centre) ** 2]
            least = Fraction(0) if lo <= curve.centre <= hi else min(ends)
            found[curve.two] = (curve.interval.lo or Fraction(0)) + least, curve.interval.hi + max(ends)
    return found


class Join:
    """The join of one model's states."""

    def __init__(self, model: Model, tables: list[Table], budget: Budget) -> None:
        self.model, self.tables, self.budget = model, tables, budget
        self.windows = windows(model)
        self.rows = list(self.windows)
        self.possible = bool(self.rows) and not any(isinstance(t, (Wide, Calls)) for t in tables)
        # Points with the same score are interchangeable if no target looks at more.  With
        # several scores that is too rare to look for.
        names = {t.score.name for t in model.problem.targets}
        plain = all(t.kind in PER_PART for t in model.problem.targets) and not model.problem.foldings
        self.merge = names.pop() if len(names) == 1 and plain else None
        self.seen: dict[tuple[int, Box], tuple[list[Point], Array]] = {}
        self.scales: dict[int, int] = {}
        self.lo: Array = np.zeros(0)
        self.hi: Array = np.zeros(0)

    def _tabulated(self, g: int, box: Box) -> Rows:
        table = self.tables[g]
        if isinstance(table, Folds):
            return table.tabulated(box)
        assert isinstance(table, Grid)
        shares = {r: self.model.rows[r].shares[g][0] for r in self.rows if g in self.model.rows[r].shares}
        self.budget.spend(ENTRY * table.count(box) * len(shares))
        return table.tabulated(box, shares)

    def points(self, g: int, box: Box) -> tuple[list[Point], Array]:
        """The points of a cell, one of each kind, and the low ends of all rows there."""
        if (g, box) not in self.seen:
            points = self.tables[g].points(box)
            rows = self._tabulated(g, box)
            lows = np.zeros((len(points), len(self.rows)), dtype=np.int64)
            for k, r in enumerate(self.rows):
                if r in rows:
                    lows[:, k] = _shifted(rows[r][0], self.scales[r] - rows[r][2])
            if self.merge and 1 < len(points) <= MOST_KINDS:
                kinds: dict[object, int] = {}
                betas, size = self.model.problem.betas, self.model.groups[g].size
                for k, (p, tp, tn) in enumerate(points):
                    kinds.setdefault(value_at(self.merge, tp, tn, p, size - p, betas), k)
                points, lows = [points[k] for k in kinds.values()], lows[list(kinds.values())]
            self.seen[g, box] = points, lows
        return self.seen[g, box]

    def _sizes(self, g: int) -> dict[int, tuple[Fraction, Fraction]]:
        """For every row of a group its largest entry, and how far it may lie below the truth."""
        table = self.tables[g]
        if isinstance(table, Folds):  # which may have more points than can be listed
            return table.sizes()
        root = table.root()
        rows = {} if root is None else self._tabulated(g, root)
        return {
            r: (int(abs(lo).max(initial=0)) * Fraction(2) ** -bits, width * Fraction(2) ** -bits)
            for r, (lo, width, bits) in rows.items()
        }

    def _scaled(self) -> None:
        """Scales such that no sum of a row exceeds 2^(ROW_BITS + 2), and the rows' windows in integers."""
        sizes = [(len(group.parts), self._sizes(g)) for g, group in enumerate(self.model.groups)]
        lows, highs = [], []
        for r in self.rows:
            known = [(count, *rows[r]) for count, rows in sizes if r in rows]
            size = sum((count * (largest + width) for count, largest, width in known), Fraction(1, 10**6))
            scale = ROW_BITS - (size.numerator.bit_length() - size.denominator.bit_length()) - 2
            self.scales[r], unit = scale, Fraction(2) ** scale
            spread = sum(count * (2 + ceil(width * unit)) for count, _, width in known)
            lo, hi = self.windows[r]
            first, last = floor(lo * unit) - spread, ceil(hi * unit)
            lows.append(min(max(first, -(1 << 40)), 1 << 40))
            highs.append(min(max(last, -(1 << 40)), 1 << 40))
        self.lo, self.hi = np.array(lows, dtype=np.int64), np.array(highs, dtype=np.int64)

    def halves(self, state: State, most: int) -> tuple[list[list[Share]], list[int]] | None:
        """The cells dealt into two halves, and their numbers of choices; None if too many."""
        if not self.possible:
            return None
        dealt: list[list[Share]] = [[], []]
        size = [1, 1]
        cells = [(g, *cell) for g in range(len(state.cells)) for cell in state.numbered(g)]
        kinds_of = {(g, box): self.tables[g].count(box) for g, box, _, _ in cells}
        cells.sort(key=lambda cell: -kinds_of[cell[0], cell[1]])
        for g, box, count, i in cells:
            kinds = kinds_of[g, box]
            if self.merge and kinds <= MOST_KINDS:
                if not self.scales:
                    self._scaled()
                kinds = len(self.points(g, box)[0])
            taken = [0, 0]
            for _ in range(count):
                k = 0 if size[0] * _ways(kinds, taken[0] + 1) <= size[1] * _ways(kinds, taken[1] + 1) else 1
                taken[k] += 1
                if size[k] * _ways(kinds, taken[k]) > most:
                    return None
            first = i
            for k in (0, 1):
                if taken[k]:
                    size[k] *= _ways(kinds, taken[k])
                    dealt[k].append((g, box, first, taken[k]))
                    first += taken[k]
        return dealt, size

    def half(self, cells: list[Share]) -> Half:
        rows = len(self.rows)
        sums = np.zeros((1, rows), dtype=np.int64)
        picks = np.zeros((1, 0), dtype=np.int32)
        parts: list[int] = []
        points = []
        for g, box, first, count in cells:
            here, values = self.points(g, box)
            chosen = np.array(
                list(combinations_with_replacement(range(len(here)), count)), dtype=np.int32
            ).reshape(-1, count)
            added = values[chosen].sum(axis=1)
            many = len(chosen)
            sums = (sums[:, None, :] + added[None, :, :]).reshape(-1, rows)
            picks = np.concatenate([np.repeat(picks, many, axis=0), np.tile(chosen, (len(picks), 1))], axis=1)
            parts += self.model.groups[g].parts[first : first + count]
            points += [here] * count
        return Half(sums, picks, parts, points)

    def search(
        self, state: State, each: int = MOST_EACH, matches: int = MOST_MATCHES, checks: int = MOST_CHECKED
    ) -> tuple[bool, Choice | None]:
        """(whether everything was listed, a choice that fits if one turned up)."""
        dealt = self.halves(state, each)
        if dealt is None:
            return False, None
        if not self.scales:
            self._scaled()
        self.budget.spend(LISTED * sum(dealt[1]))
        one, two = (self.half(cells) for cells in dealt[0])
        if len(one.sums) > len(two.sums):
            one, two = two, one
        pairs = self._pairs(one.sums, two.sums, matches)
        if pairs is None:
            return False, None
        found: list[tuple[int, int]] = []
        for left, right in pairs:
            found += zip(left.tolist(), right.tolist(), strict=True)
            if len(found) > checks:
                return False, None
        problem = self.model.problem
        for i, j in found:
            self.budget.spend(CHECKED)
            choice: Choice = [(0, 0, 0)] * problem.size
            for half, k in ((one, i), (two, j)):
                for part, pick, points in zip(half.parts, half.picks[k], half.points, strict=True):
                    choice[part] = points[pick]
            if fitting(problem, choice):
                return True, choice
        return True, None

    def _pairs(self, one: Array, two: Array, most: int) -> Iterator[tuple[Array, Array]] | None:
        """Pairs of choices that satisfy all rows, in blocks; None if there are too many."""
        order = self._selective(one, two)
        first = order[0]
        width = max(int(self.hi[first] - self.lo[first]) + 1, 1)
        base = int(two[:, first].min())
        band = (two[:, first] - base) // width
        second = order[1] if len(order) > 1 else first
        floor2 = int(two[:, second].min())
        span = int(two[:, second].max()) - floor2 + 2
        if (int(band.max()) + 4) * (span + 2) >= 1 << 62:
            return None
        key = band * (span + 2) + (two[:, second] - floor2) + 1
        sorting = np.argsort(key, kind="stable")
        key = key[sorting]
        starts, ends, owners = [], [], []
        # what is still needed of the first row lies in one band or in two neighbours
        need = (self.lo[first] - one[:, first] - base) // width
        low = np.clip(self.lo[second] - one[:, second] - floor2, -1, span) + 1
        high = np.clip(self.hi[second] - one[:, second] - floor2, -2, span - 1) + 1
        everyone = np.arange(len(one))
        for offset in (0, 1):
            at = np.clip(need + offset, -1, int(band.max()) + 1)
            start = np.searchsorted(key, at * (span + 2) + low, side="left")
            end = np.searchsorted(key, at * (span + 2) + high, side="right")
            some = end > start
            starts.append(start[some])
            ends.append(end[some])
            owners.append(everyone[some])
        start, end, owner = np.concatenate(starts), np.concatenate(ends), np.concatenate(owners)
        total = int((end - start).sum())
        # pairs that are too many are only counted
        self.budget.spend(LISTED * len(one) + (MATCHED * total * len(self.rows) if total <= most else 0))
        return None if total > most else self._blocks(one, two, start, end, owner, sorting)

    def _blocks(
        self, one: Array, two: Array, start: Array, end: Array, owner: Array, sorting: Array
    ) -> Iterator[tuple[Array, Array]]:
        for k in range(0, len(start), 20_000):
            lengths = end[k : k + 20_000] - start[k : k + 20_000]
            left = np.repeat(owner[k : k + 20_000], lengths)
            offsets = np.arange(len(left)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            right = sorting[np.repeat(start[k : k + 20_000], lengths) + offsets]
            sums = one[left] + two[right]
            fits = ((sums >= self.lo) & (sums <= self.hi)).all(axis=1)
            yield left[fits], right[fits]

    def _selective(self, one: Array, two: Array) -> list[int]:
        """The rows by how few pairs each lets pass, the strictest first."""
        share = []
        for k in range(len(self.rows)):
            spread = int(one[:, k].max() - one[:, k].min()) + int(two[:, k].max() - two[:, k].min())
            share.append((int(self.hi[k] - self.lo[k] + 1) / (spread + 1), k))
        return [k for _, k in sorted(share)]


def _shifted(data: Array, shift: int) -> Array:
    """Integers times 2^shift, rounded down."""
    return np.asarray(data << min(shift, 62) if shift >= 0 else data >> min(-shift, 63))


def _ways(kinds: int, count: int) -> int:
    return comb(kinds + count - 1, count) if count else 1
