"""Known folds whose points can be listed: upper bounds for weighted sums of columns.

Every column is tabulated once, as integers ``lo`` with a width W such that its true value lies in
[lo, lo + W]·2^-bits.  A weighted sum is then maximised over a rectangle in 64-bit integers; what
rounding the weights and the widths can add is added exactly, so the bound holds without any float.

Why 64 bits are enough: tp and tn stay below ``MOST_ITEMS``; scores are computed in Python's own
integers and stored below 2^COARSE; and ``prepared`` chooses whole weights such that the largest
possible sum of |weight|·|entry| is below 2^61.
``tests/oracles`` compares every bound with a twin in fractions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt
from typing import Any, NamedTuple

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.sums.model import ZERO, Column, Option, Share
from scoreproof.scores import ROWS, Betas, Matrix, Score, zones, zones_undefined

Array = np.ndarray[Any, Any]
Box = tuple[int, ...]  # first and last value of every axis, all included
Entries = tuple[Array, int, int]  # lo, width, bits: at every point in [lo, lo + width]·2^-bits
Rows = dict[int, Entries]
Weighted = tuple[list[int], Fraction, Fraction]  # whole weights, what to add, and by what to divide

MOST_POINTS = 250_000  # windows with more points than this are not listed
MOST_ITEMS = 1 << 50  # nor those of folds with more items of a class
FINE = 40  # binary digits of a tabulated score
COARSE = 34  # table entries stay below 2^COARSE
TOP = 60  # weighted sums stay below 2^(TOP + 1)

roots = np.frompyfunc(isqrt, 1, 1)


class ScoreTable(NamedTuple):
    """Every value of one score on one grid: in [lo, lo + width]·2^-FINE, or undefined."""

    lo: Array
    width: int
    undefined: Array


def polynomial(terms: tuple[int, ...], tp: Array, tn: Array) -> Array:
    """a·tp² + b·tp·tn + c·tn² + d·tp + e·tn + f."""
    a, b, c, d, e, f = terms
    result = d * tp + e * tn + f
    if a or b or c:
        result = result + a * tp * tp + b * tp * tn + c * tn * tn
    return np.asarray(result)


def counts(window: Box) -> tuple[Array, Array]:
    """Every tp and every tn of a window, as a column and a row of Python integers."""
    a, b, c, d = window
    return np.arange(a, b + 1).astype(object)[:, None], np.arange(c, d + 1).astype(object)[None, :]


def nowhere(score: Score, p: int, n: int, betas: Betas, tp: Array, tn: Array) -> Array:
    """Where a score is undefined."""
    undefined = np.zeros(np.broadcast_shapes(tp.shape, tn.shape), dtype=bool)
    rows, columns = dict(zones(p)), dict(zones(n))
    for i, j in zones_undefined(score, p, n, betas):
        if i in rows and j in columns:
            (a, b), (c, d) = rows[i], columns[j]
            undefined |= ((tp >= a) & (tp <= b) & (tn >= c) & (tn <= d)).astype(bool)
    return undefined


@lru_cache(maxsize=128)
def score_table(name: str, p: int, n: int, betas: Betas, window: Box) -> ScoreTable:
    """The table of a score, from its polynomials, in Python integers."""
    score = ROWS[name]
    tp, tn = counts(window)
    undefined = nowhere(score, p, n, betas, tp, tn)
    above, below = score.polynomials(p, n, betas)
    up = np.where(undefined, 0, polynomial(above, tp, tn))
    down = np.where(undefined, 1, polynomial(below, tp, tn))
    if score.threshold:
        # 1/(1+√r) with r = up/down; down is 0 where nothing is a false positive: the score is 0
        one = 1 << (FINE + 8)
        free = down == 0
        root = roots(np.where(free, 0, up * one * one // np.where(free, 1, down)))
        low = (one << FINE) // (one + root + 1)
        return ScoreTable(np.where(free, 0, low).astype(object), 2, undefined)
    if score.squared:
        root = roots((up << (2 * FINE)) // down)
        if score.signed:
            negative = n * tp + p * tn < n * p
            root = np.where(negative, -root - 1, root)
        return ScoreTable(root, 1, undefined)
    return ScoreTable((up << FINE) // down, 1, undefined)


@lru_cache(maxsize=64)
def inside(name: str, interval: Interval, p: int, n: int, zero: bool, betas: Betas, window: Box) -> Array:
    """Where the number a score counts as lies in the interval, or is missing; only close calls are slow."""
    table = score_table(name, p, n, betas, window)
    result = np.ones(table.lo.shape, dtype=bool)
    doubt = np.zeros(table.lo.shape, dtype=bool)
    if interval.lo is not None:
        result &= table.lo + table.width >= ceil(interval.lo * 2**FINE) - 1
        doubt |= abs(table.lo - int(interval.lo * 2**FINE)) < 8
    if interval.hi is not None:
        result &= table.lo <= int(interval.hi * 2**FINE) + 1
        doubt |= abs(table.lo - int(interval.hi * 2**FINE)) < 8
    for tp, tn in np.argwhere(doubt & ~table.undefined).tolist():
        value = ROWS[name].value(Matrix.of(window[0] + tp, window[2] + tn, p, n), betas)
        result[tp, tn] = value is not None and value in interval
    result[table.undefined] = ZERO in interval if zero else True
    return result


def narrowed(option: Option, betas: Betas) -> Box | None:
    """A box with all points that may stay, in 64 bits; None if none can.

    Terms are below 2^40, and ends below 2^22 in units of 2^-20, rounded away from the interval.
    """
    p, n = option.p, option.n
    tp, tn = (each.astype(np.int64) for each in counts((0, p, 0, n)))
    stay = np.ones((p + 1, n + 1), dtype=bool)
    for keep in option.keeps:
        score, ends = ROWS[keep.score], keep.interval
        terms = score.polynomials(p, n, betas)
        undefined = nowhere(score, p, n, betas, tp, tn)
        if keep.defined:
            stay &= ~undefined
        if score.squared or score.threshold or max(map(abs, (*terms[0], *terms[1]))) * (p + n) ** 2 > 1 << 37:
            continue
        up, down = (polynomial(each, tp, tn) for each in terms)
        if ends.lo is not None and -4 < ends.lo < 4:
            stay &= undefined | (up << 20 >= floor(ends.lo * 2**20) * down)
        if ends.hi is not None and -4 < ends.hi < 4:
            stay &= undefined | (up << 20 <= ceil(ends.hi * 2**20) * down)
    return around(stay, (0, p, 0, n))


def around(stay: Array, box: Box) -> Box | None:
    """The smallest rectangle around the points of a box that stay."""
    rows, columns = np.nonzero(stay.any(axis=1))[0], np.nonzero(stay.any(axis=0))[0]
    if not len(rows):
        return None
    a, _, c, _ = box
    return a + int(rows[0]), a + int(rows[-1]), c + int(columns[0]), c + int(columns[-1])


@lru_cache(maxsize=64)
def tabulated(column: Column, p: int, n: int, zero: bool, betas: Betas, window: Box) -> tuple[Array, int, int]:
    """A column at every point: in [lo, lo + width]·2^-bits; an undefined score is 0 or nothing."""
    if column.what in ("tp", "tn"):
        tp, tn = counts(window)
        chosen = tp if column.what == "tp" else tn
        return np.broadcast_to(chosen.astype(np.int64), (tp.size, tn.size)), 0, 0
    table = score_table(column.score, p, n, betas, window)
    absent = table.undefined & (not zero)
    if column.what == "defined":
        return np.where(absent, 0, 1).astype(np.int64), 0, 0
    if column.what == "inside":
        there = inside(column.score, column.interval, p, n, zero, betas, window)
        return np.where(there & ~absent, 1, 0).astype(np.int64), 0, 0
    shift = column.shift * 2**FINE
    lo = np.where(table.undefined, 0, table.lo) - ceil(shift)
    width = table.width + (shift.denominator != 1)
    if column.what == "square":
        hi = lo + width
        straddles = (lo <= 0) & (hi >= 0)
        below = np.where(straddles, 0, np.minimum(lo * lo, hi * hi)) >> FINE
        above = (np.maximum(lo * lo, hi * hi) >> FINE) + 1
        lo, width = below, int((above - below).max())
    lo = np.where(absent, 0, lo)
    drop = max(0, int(abs(lo).max()).bit_length() - COARSE)
    # where the column is 0 for nothing its true value is 0, whatever the width
    return (lo >> drop).astype(np.int64), (width >> drop) + 2 if drop else width, FINE - drop


class Single(ABC):
    """Parts with one option, that pick two numbers."""

    axes = 2

    def __init__(self, option: Option, convention: str, betas: Betas, window: Box | None = None) -> None:
        self.option, self.convention, self.betas = option, convention, betas
        self.window = window or (0, option.p, 0, option.n)  # no point outside of it stays

    def root(self) -> Box | None:
        """A box with all points that stay."""
        return self.shrunk(self.window)

    @abstractmethod
    def shrunk(self, box: Box) -> Box | None:
        """A smaller box with the same points that stay, as far as they are known; None if there are none."""

    def rectangle(self, box: Box) -> Box:
        """The corners of a box that matter: least and most tp, least and most tn."""
        return box

    def errors(self, box: Box) -> tuple[int, int, int, int]:
        """The fewest and the most false negatives and false positives in a box."""
        a, b, c, d = self.rectangle(box)
        p, n = self.option.p, self.option.n
        return p - b, p - a, n - d, n - c


class Tabulated(ABC):
    """Points at which everything that is summed is tabulated: in [lo, lo + width]·2^-bits."""

    mask: Array  # which points stay
    whole = True  # whether all do

    def __init__(self, entries: Iterable[Entries]) -> None:
        found = list(entries)
        self.data = [lo for lo, _, _ in found]
        self.width = [width for _, width, _ in found]
        self.units = [Fraction(2) ** -bits for _, _, bits in found]
        self.largest = [max(1, int(abs(lo).max(initial=0))) for lo in self.data]

    @abstractmethod
    def at(self, box: Box) -> Any:
        """Where the points of a box are."""

    @abstractmethod
    def keep(self, stay: Array) -> None:
        """Drop all other points."""

    def prepared(self, offset: Fraction, factors: list[Fraction]) -> Weighted:
        """offset + Σ factor·entry as ``upper`` wants it: whole weights, and what rounding them may add."""
        terms = [f * unit for f, unit in zip(factors, self.units, strict=True)]
        size = sum((abs(x) * big for x, big in zip(terms, self.largest, strict=True) if x), ZERO)
        # weights become integers such that no weighted sum exceeds 2^(TOP + 1)
        shift = TOP - (size.numerator.bit_length() - size.denominator.bit_length() + 1) if size else 0
        scale = Fraction(2) ** shift
        whole, extra = [0] * len(terms), offset * scale
        for k, x in enumerate(terms):
            if x:
                exact = x * scale
                whole[k] = round(exact)
                extra += abs(exact - whole[k]) * self.largest[k] + max(exact, ZERO) * self.width[k]
        return whole, extra, scale

    def totals(self, at: Any, whole: list[int]) -> Array:
        """The weighted sums of whole numbers at some points."""
        total: Array = np.zeros(self.data[0][at].shape, dtype=np.int64)
        for w, data in zip(whole, self.data, strict=True):
            if w:
                total = total + w * data[at]
        return total

    def upper(self, box: Box, direction: Weighted) -> Fraction | None:
        """No point of the box has a larger weighted sum; None if none stays."""
        whole, extra, scale = direction
        at = self.at(box)
        total = self.totals(at, whole)
        if not self.whole:
            total = total[self.mask[at]]
        return (int(total.max()) + extra) / scale if total.size else None

    def trim(self, direction: Weighted, least: Fraction) -> None:
        """Drop the points where the sum is surely below ``least``."""
        whole, extra, scale = direction
        total = self.totals(..., whole)
        limit = max(ceil(least * scale - extra), -(1 << 62))
        self.keep(total >= limit if limit < 1 << 62 else np.zeros(total.shape, dtype=bool))


class Grid(Single, Tabulated):
    """All points (tp, tn) of a window of a known fold, with its columns."""

    def __init__(self, option: Option, convention: str, betas: Betas, window: Box | None = None) -> None:
        Single.__init__(self, option, convention, betas, window)
        tp, tn = counts(self.window)
        self.mask = np.ones((tp.size, tn.size), dtype=bool)
        of = option.p, option.n, convention == "zero", betas, self.window
        for keep in option.keeps:
            self.mask &= inside(keep.score, keep.interval, *of)
            if keep.defined:
                self.mask &= ~self._scores(keep.score).undefined
        self.whole = bool(self.mask.all())
        Tabulated.__init__(self, (tabulated(column, *of) for column in option.columns))

    def undefined(self, name: str, box: Box) -> bool:
        """Whether a score is undefined at a point of the box that stays."""
        at = self.at(box)
        return bool((self.mask[at] & self._scores(name).undefined[at]).any())

    def _scores(self, name: str) -> ScoreTable:
        return score_table(name, self.option.p, self.option.n, self.betas, self.window)

    def at(self, box: Box) -> tuple[slice, slice]:
        (a, b, c, d), (first, _, left, _) = box, self.window
        return slice(a - first, b + 1 - first), slice(c - left, d + 1 - left)

    def keep(self, stay: Array) -> None:
        self.mask, self.whole = self.mask & stay, False

    def shrunk(self, box: Box) -> Box | None:
        """The smallest rectangle around the points that stay."""
        if self.whole:
            return box
        return around(self.mask[self.at(box)], box)

    def count(self, box: Box) -> int:
        """How many points a box has."""
        return int(self.mask[self.at(box)].sum())

    def points(self, box: Box) -> list[tuple[int, int, int]]:
        """(p, tp, tn) of the points of a box."""
        places = np.argwhere(self.mask[self.at(box)])
        return [(self.option.p, box[0] + i, box[2] + j) for i, j in places.tolist()]

    def score_range(self, name: str, box: Box) -> tuple[Fraction, Fraction, bool] | None:
        """Bounds of the number a score counts as over the points that stay, and whether it
        may be missing; None if it is missing at all of them."""
        at = self.at(box)
        table = self._scores(name)
        stay = self.mask[at]
        holes = table.undefined[at] & stay
        values = table.lo[at][stay & ~holes]
        ends = []
        if len(values):
            ends = [int(min(values)), int(max(values)) + table.width]
        missing = bool(holes.any())
        if missing and self.convention == "zero":
            ends.append(0)
        if not ends:
            return None
        lo, hi = Fraction(min(ends), 1 << FINE), Fraction(max(ends), 1 << FINE)
        return lo, hi, missing and self.convention != "zero"

    def tabulated(self, box: Box, shares: Mapping[int, Share]) -> Rows:
        """Rows at the points of a box."""
        at = self.at(box)
        mask = self.mask[at]
        columns = [np.asarray(data[at][mask]).astype(object) for data in self.data]
        return {r: self._row(columns, share, int(mask.sum())) for r, share in shares.items()}

    def _row(self, columns: list[Array], share: Share, count: int) -> Entries:
        offset, factors = share
        used = [(k, f) for k, f in enumerate(factors) if f]
        reach = (abs(f) * (self.largest[k] + self.width[k]) * self.units[k] for k, f in used)
        bits = COARSE - ceil(sum(reach, abs(offset))).bit_length()
        start = offset * Fraction(2) ** bits
        lo: Array = np.full(count, floor(start), dtype=object)
        width = int(start.denominator != 1)
        for k, f in used:
            # factor·column in units of 2^-bits: rounded down, and the width rounded up
            unit = f * self.units[k] * Fraction(2) ** bits
            spread = unit * self.width[k]
            lo = lo + columns[k] * unit.numerator // unit.denominator + min(floor(spread), 0)
            width += ceil(abs(spread)) + (unit.denominator != 1)
        return lo.astype(np.int64), width, bits
