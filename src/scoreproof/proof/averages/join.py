"""Listing very many choices by meeting in the middle, in integers.

The parts of a state are dealt into two halves, all choices of either half are listed as sums
of the rows, and the halves are joined: one row is cut into bands as wide as its window, a
second one is sorted within each band, so that for every choice of the first half the
matching choices of the second are a few runs of a sorted list.  Row values are integers that
enclose the true values, so a join may let a choice too many pass but never loses one; what
passes every row is checked exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, comb, floor, lcm
from typing import TYPE_CHECKING

import numpy as np

from scoreproof.proof.averages.figures import confirms, value_at
from scoreproof.proof.averages.model import Model
from scoreproof.proof.averages.tables import Array, Rect, Small
from scoreproof.question.question import Kind

if TYPE_CHECKING:
    from scoreproof.proof.averages.bounds import State
    from scoreproof.proof.averages.tree import Replayer

MOST_EACH = 400_000  # choices listed for one half
MOST_MATCHES = 4_000_000  # pairs that pass the first two rows
MOST_CHECKED = 4_000  # pairs that pass every row
ROW_BITS = 30  # two rows make one 64-bit key

Witness = list[tuple[int, int]]
Share = tuple[int, Rect, int, int]  # group, rectangle, first of its parts within the group, count


@dataclass(frozen=True, slots=True)
class IntegerRow:
    """One row in integers: row = constant + Σ parts, each between ``lower`` and a bit more.

    ``terms[g]`` lists (column, numerator, whether the column's top end counts) and ``down[g]``
    their common denominator; a choice whose sum of lower ends misses [lo, hi] cannot fit.
    """

    terms: list[list[tuple[int, int, bool]]]
    down: list[int]
    lo: int
    hi: int

    def lower(self, table: Small, g: int, tp: Array, tn: Array) -> Array:
        """The low end of what a part of group g adds at these points."""
        total = np.zeros(len(tp), dtype=object)
        for k, numerator, top in self.terms[g]:
            ends = table.data[k][tp, tn].astype(object) + (table.width[k] if top else 0)
            total = total + ends * numerator
        return (total // self.down[g]).astype(np.int64)


def windows(model: Model) -> list[tuple[Fraction | None, Fraction | None]]:
    """What each row must land in, curves included."""
    found = [(row.interval.lo, row.interval.hi) for row in model.rows]
    for curve in model.curves:
        if curve.kind == "variance":
            lo, hi = found[curve.one]
            if lo is None or hi is None:
                continue
            # q is the variance plus (y-c)², and y lies between lo and hi
            ends = [(lo - curve.centre) ** 2, (hi - curve.centre) ** 2]
            least = Fraction(0) if lo <= curve.centre <= hi else min(ends)
            bottom, top = curve.interval.lo or Fraction(0), curve.interval.hi
            found[curve.two] = bottom + least, None if top is None else top + max(ends)
    return found


def integer_rows(replayer: Replayer) -> list[IntegerRow]:
    """The rows that have a window on both sides, in integers."""
    model = replayer.model
    rows = []
    for row, (lo, hi) in zip(model.rows, windows(model), strict=True):
        if lo is None or hi is None:
            continue
        size = Fraction(0)
        for group, table, factors in zip(model.groups, replayer.grids, row.factors, strict=True):
            assert isinstance(table, Small)
            for k, f in enumerate(factors):
                size += abs(f) * table.largest[k] * len(group.parts) / (1 << table.bits[k])
        shift = ROW_BITS - (max(size, Fraction(1, 10**6)).numerator.bit_length())
        shift += max(size, Fraction(1, 10**6)).denominator.bit_length() - 2
        scale = Fraction(2) ** shift
        terms, downs, spread = [], [], 0
        for group, table, factors in zip(model.groups, replayer.grids, row.factors, strict=True):
            assert isinstance(table, Small)
            used = [(k, f * scale / (1 << table.bits[k])) for k, f in enumerate(factors) if f]
            down = lcm(*(x.denominator for _, x in used)) if used else 1
            # the low end of factor·column is at the column's top end if the factor is negative
            terms.append([(k, x.numerator * (down // x.denominator), x < 0) for k, x in used])
            downs.append(down)
            slack = sum((abs(x) * table.width[k] for k, x in used), Fraction(0))
            spread += (1 + ceil(slack)) * len(group.parts)
        first = floor((lo - row.constant) * scale) - spread
        last = ceil((hi - row.constant) * scale)
        # no sum exceeds 2^(ROW_BITS + 1), so windows far outside may be cut to 64 bits
        first, last = (min(max(x, -(1 << 40)), 1 << 40) for x in (first, last))
        rows.append(IntegerRow(terms, downs, first, last))
    return rows


@dataclass
class Half:
    """All choices of some parts: their row sums, and which point each part takes."""

    sums: Array  # (choices, rows)
    picks: Array  # (choices, parts): positions in the lists below
    parts: list[int]
    points: list[list[tuple[int, int]]]


class Join:
    """The join of one replayer's states."""

    def __init__(self, replayer: Replayer) -> None:
        self.replayer = replayer
        self.rows = integer_rows(replayer)
        self.cost = 0
        model = replayer.model
        # Points with the same score are interchangeable if no target looks at more.  With
        # several scores that is too rare to look for.
        seen = {Kind.MEAN, Kind.SD, Kind.MIN, Kind.MAX, Kind.EACH}
        self.names = sorted({t.score.name for t in model.problem.targets})
        self.merge = len(self.names) == 1 and all(t.kind in seen for t in model.problem.targets)
        self.cache: dict[tuple[int, Rect], list[tuple[int, int]]] = {}
        self.lowers: dict[tuple[int, Rect], Array] = {}

    def points(self, g: int, rect: Rect) -> list[tuple[int, int]]:
        """The admissible points of a cell, one of each kind."""
        key = g, rect
        if key not in self.cache:
            table = self.replayer.grids[g]
            assert isinstance(table, Small)
            a, b, c, d = rect
            places = np.argwhere(table.mask[a : b + 1, c : d + 1])
            found = [(a + int(i), c + int(j)) for i, j in places]
            if self.merge and len(found) > 1:
                group, betas = table.group, table.betas
                kinds: dict[object, tuple[int, int]] = {}
                for point in found:
                    values = tuple(value_at(name, *point, group.p, group.n, betas) for name in self.names)
                    kinds.setdefault(values, point)
                found = list(kinds.values())
            self.cache[key] = found
        return self.cache[key]

    def halves(self, state: State, most: int) -> tuple[list[list[Share]], list[int]] | None:
        """The cells dealt into two halves, and their numbers of choices; None if too many."""
        dealt: list[list[Share]] = [[], []]
        size = [1, 1]
        cells = [(g, rect, count, i) for g, row in enumerate(state) for rect, count, i in _numbered(row)]
        cells.sort(key=lambda cell: -(cell[1][1] - cell[1][0] + 1) * (cell[1][3] - cell[1][2] + 1))
        for g, rect, count, i in cells:
            kinds = (rect[1] - rect[0] + 1) * (rect[3] - rect[2] + 1)
            if self.merge and kinds <= 4096:
                kinds = len(self.points(g, rect))
            elif isinstance(table := self.replayer.grids[g], Small) and not table.whole:
                kinds = int(table.mask[rect[0] : rect[1] + 1, rect[2] : rect[3] + 1].sum())
            taken = [0, 0]
            for _ in range(count):
                k = 0 if size[0] * _ways(kinds, taken[0] + 1) <= size[1] * _ways(kinds, taken[1] + 1) else 1
                taken[k] += 1
            first = i
            for k in (0, 1):
                if taken[k]:
                    size[k] *= _ways(kinds, taken[k])
                    dealt[k].append((g, rect, first, taken[k]))
                    first += taken[k]
            if max(size) > most:
                return None
        return dealt, size

    def _values(self, g: int, rect: Rect) -> Array:
        """The low ends of all rows at the points of a cell."""
        key = g, rect
        if key not in self.lowers:
            table = self.replayer.grids[g]
            assert isinstance(table, Small)
            where = np.array(self.points(g, rect))
            self.lowers[key] = np.stack(
                [r.lower(table, g, where[:, 0], where[:, 1]) for r in self.rows], axis=1
            )
        return self.lowers[key]

    def half(self, cells: list[Share]) -> Half:
        rows = len(self.rows)
        sums = np.zeros((1, rows), dtype=np.int64)
        picks = np.zeros((1, 0), dtype=np.int32)
        parts: list[int] = []
        points = []
        for g, rect, first, count in cells:
            here = self.points(g, rect)
            values = self._values(g, rect)
            chosen = np.array(
                list(combinations_with_replacement(range(len(here)), count)), dtype=np.int32
            ).reshape(-1, count)
            added = values[chosen].sum(axis=1)
            many = len(chosen)
            sums = (sums[:, None, :] + added[None, :, :]).reshape(-1, rows)
            picks = np.concatenate([np.repeat(picks, many, axis=0), np.tile(chosen, (len(picks), 1))], axis=1)
            parts += self.replayer.model.groups[g].parts[first : first + count]
            points += [here] * count
        return Half(sums, picks, parts, points)

    def search(
        self,
        state: State,
        each: int = MOST_EACH,
        matches: int = MOST_MATCHES,
        checks: int = MOST_CHECKED,
    ) -> tuple[bool, Witness | None]:
        """(whether everything was listed, a witness if one turned up)."""
        if not self.rows:
            return False, None
        dealt = self.halves(state, each)
        if dealt is None:
            return False, None
        self.cost += 400 * sum(dealt[1])
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
        problem = self.replayer.model.problem
        self.cost += 200_000 * len(found)
        for i, j in found:
            witness = [(0, 0)] * len(problem.parts)
            for half, k in ((one, i), (two, j)):
                for part, pick, points in zip(half.parts, half.picks[k], half.points, strict=True):
                    witness[part] = points[pick]
            if confirms(problem, witness):
                return True, witness
        return True, None

    def _pairs(self, one: Array, two: Array, most: int) -> Iterator[tuple[Array, Array]] | None:
        """Pairs of choices that satisfy all rows, in blocks; None if there are too many."""
        order = self._selective(one, two)
        first = self.rows[order[0]]
        width = max(first.hi - first.lo + 1, 1)
        base = int(two[:, order[0]].min())
        band = (two[:, order[0]] - base) // width
        second = order[1] if len(order) > 1 else order[0]
        lo2, hi2 = self.rows[second].lo, self.rows[second].hi
        floor2 = int(two[:, second].min())
        span = int(two[:, second].max()) - floor2 + 2
        if (int(band.max()) + 4) * (span + 2) >= 1 << 62:
            return None
        key = band * (span + 2) + (two[:, second] - floor2) + 1
        sorting = np.argsort(key, kind="stable")
        key = key[sorting]
        starts, ends, owners = [], [], []
        # what is still needed of the first row lies in one band or in two neighbours
        need = (first.lo - one[:, order[0]] - base) // width
        low = np.clip(lo2 - one[:, second] - floor2, -1, span) + 1
        high = np.clip(hi2 - one[:, second] - floor2, -2, span - 1) + 1
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
        self.cost += 600 * len(one) + 30 * total * len(self.rows)
        if total > most:
            return None
        return self._blocks(one, two, start, end, owner, sorting)

    def _blocks(
        self, one: Array, two: Array, start: Array, end: Array, owner: Array, sorting: Array
    ) -> Iterator[tuple[Array, Array]]:
        lo = np.array([r.lo for r in self.rows])
        hi = np.array([r.hi for r in self.rows])
        for k in range(0, len(start), 20_000):
            lengths = end[k : k + 20_000] - start[k : k + 20_000]
            left = np.repeat(owner[k : k + 20_000], lengths)
            offsets = np.arange(len(left)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            right = sorting[np.repeat(start[k : k + 20_000], lengths) + offsets]
            sums = one[left] + two[right]
            fits = ((sums >= lo) & (sums <= hi)).all(axis=1)
            yield left[fits], right[fits]

    def _selective(self, one: Array, two: Array) -> list[int]:
        """The rows by how few pairs each lets pass, the strictest first."""
        share = []
        for k, row in enumerate(self.rows):
            spread = int(one[:, k].max() - one[:, k].min()) + int(two[:, k].max() - two[:, k].min())
            share.append(((row.hi - row.lo + 1) / (spread + 1), k))
        return [k for _, k in sorted(share)]


def _numbered(row: tuple[tuple[Rect, int], ...]) -> list[tuple[Rect, int, int]]:
    """(rectangle, count, index of its first part within the group)."""
    result, i = [], 0
    for rect, count in row:
        result.append((rect, count, i))
        i += count
    return result


def _ways(kinds: int, count: int) -> int:
    return comb(kinds + count - 1, count) if count else 1
