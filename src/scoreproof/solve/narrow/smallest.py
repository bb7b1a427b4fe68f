"""The smallest counts that give the figures: all (p, n) in order of p+n, then of p.

For every number of items the pairs (p, tp) are laid out at once; each printed score, being
monotone in tn, leaves a range of tn.  Floats prepare the list of candidates, with a guard
band that only ever lets more of them through; the exact test picks the first that fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from scoreproof.budget import Budget
from scoreproof.effort import allows
from scoreproof.proof.narrow.no_counts import confirms
from scoreproof.proof.narrow.shares import Box
from scoreproof.proof.witness import Witness
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import Betas, Matrix, Score, inequality

Array = Any

#: Relative guard band of the float tests; values carry an error of a few 1e-14.
GUARD = 1e-9
#: Pairs (p, tp) looked at in one go.
CHUNK = 200_000
#: Work of one pair, and of one number of items at least.
PAIR = 300
TEST = 60  # ... and of testing one matrix in floats
EXACTLY = 200  # times as long takes the exact test
ITEMS = 200_000


@dataclass(frozen=True, slots=True)
class Hull:
    """Where matrices can be at all: ranges of sensitivity, specificity, prevalence.

    ``edges`` says whether matrices without positives (negatives) are possible, too.
    """

    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)
    u: tuple[float, float] = (0.0, 1.0)
    edges: tuple[bool, bool] = (True, True)

    @staticmethod
    def of(boxes: list[tuple[tuple[bool, bool, bool, bool], Box]]) -> Hull:
        """Around all boxes of patterns that are still possible."""
        patterns = [pattern for pattern, _ in boxes]
        edges = (
            any(not (tp or fn) for tp, _, fn, _ in patterns),
            any(not (fp or tn) for _, fp, _, tn in patterns),
        )
        inner = [box for (tp, fp, fn, tn), box in boxes if (tp or fn) and (fp or tn)]
        if not inner:
            return Hull(u=(2.0, -1.0), edges=edges)
        lows = (float(min(box[axis][0] for box in inner)) - GUARD for axis in range(3))
        highs = (float(max(box[axis][1] for box in inner)) + GUARD for axis in range(3))
        x, y, u = zip(lows, highs, strict=True)
        return Hull(x, y, u, edges)


@dataclass(slots=True)
class Smallest:
    """Looks through the numbers of items; ``pairs`` counts the pairs (p, tp) that were looked at."""

    countless: WithoutCounts
    budget: Budget
    hull: Hull = Hull()
    pairs: int = 0
    tested: int = 0  # matrices

    def run(self, first: int, last: int, pairs: int) -> tuple[Matrix | None, int]:
        """The first fitting matrix with first..last items, and the number looked at last."""
        for total in range(first, last + 1):
            seen, tested = self.pairs, self.tested
            if seen > pairs or not allows(self.budget, ITEMS):
                return None, total - 1
            matrix = self.with_items(total)
            work = PAIR * (self.pairs - seen) + TEST * (self.tested - tested)
            enough = allows(self.budget, work * len(self.countless.figures))
            if matrix is not None or not enough:
                return matrix, total
        return None, last

    def with_items(self, total: int) -> Matrix | None:
        """The first fitting matrix with this many items: fewest positives, then smallest tp and tn."""
        counts = np.arange(total + 1)
        if self.hull.edges[0]:
            found = self._first(total, 0 * counts, 0 * counts, counts)
            if found is not None:
                return found
        low, high = _within(self.hull.u, counts[-1])
        start, high = max(1, int(low)), min(total - 1, int(high))
        while start <= high:
            # as many p as fit one chunk
            each = max(1.0, (self.hull.x[1] - self.hull.x[0]) * high + 2)
            stop = min(high, start + max(1, int(CHUNK / each)))
            found = self._positives(total, start, stop)
            if found is not None:
                return found
            start = stop + 1
        if self.hull.edges[1]:
            return self._first(total, 0 * counts + total, counts, 0 * counts)
        return None

    def _positives(self, total: int, start: int, stop: int) -> Matrix | None:
        """The first fitting matrix with start..stop positives, both classes being present."""
        betas = self.countless.betas
        sizes = np.arange(start, stop + 1)
        p, tp = _spread(sizes, *_within(self.hull.x, sizes))
        self.pairs += len(p)
        n = total - p
        low, high = _within(self.hull.y, n)
        for _, score, interval in self.countless.figures:
            if not len(p):
                return None
            for end, upper in ((interval.lo, False), (interval.hi, True)):
                if end is None:
                    continue
                if score.linear:
                    low, high = _by_line(betas, score, end, upper, p, n, tp, low, high)
                else:
                    low, high = _by_halving(betas, score, float(end), upper, p, n, tp, low, high)
            keep = low <= high
            p, n, tp, low, high = p[keep], n[keep], tp[keep], low[keep], high[keep]
        for part in _slices(high - low + 1):
            index, tn = _spread(np.arange(len(p))[part], low[part], high[part])
            found = self._first(total, p[index], tp[index], tn)
            if found is not None:
                return found
        return None

    def _first(self, total: int, p: Array, tp: Array, tn: Array) -> Matrix | None:
        """The first of these candidates that passes the exact test."""
        n = total - p
        self.tested += len(p)
        fits = np.ones(len(p), dtype=bool)
        for _, score, interval in self.countless.figures:
            value = floats(score, p, n, tp, tn, self.countless.betas)
            fits &= ~np.isnan(value)
            for end, sign in ((interval.lo, 1), (interval.hi, -1)):
                if end is not None:
                    fits &= (value - float(end)) * sign >= -GUARD * max(1.0, abs(float(end)))
        for at in np.nonzero(fits)[0]:
            self.tested += EXACTLY
            matrix = Matrix.of(int(tp[at]), int(tn[at]), int(p[at]), int(n[at]))
            if confirms(self.countless, Witness((matrix,))):
                return matrix
        return None


def _within(share: tuple[float, float], sizes: Array) -> tuple[Array, Array]:
    """The fewest and the most of so many items whose share lies between the two."""
    low, high = np.ceil(share[0] * sizes - GUARD), np.floor(share[1] * sizes + GUARD)
    return np.maximum(0, low.astype(np.int64)), np.minimum(sizes, high.astype(np.int64))


def _spread(keys: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Every key together with each of low..high."""
    lengths = np.maximum(0, high - low + 1)
    owners = np.repeat(np.arange(len(keys)), lengths)
    starts = np.cumsum(lengths) - lengths
    return keys[owners], np.arange(len(owners)) - starts[owners] + low[owners]


def _slices(lengths: Array) -> Iterator[slice]:
    """Slices of about CHUNK rows each."""
    sums = np.cumsum(lengths)
    start = 0
    while start < len(lengths):
        before = sums[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(sums, before + CHUNK)))
        yield slice(start, stop)
        start = stop


def _by_line(
    betas: Betas,
    score: Score,
    end: Fraction,
    upper: bool,
    p: Array,
    n: Array,
    tp: Array,
    low: Array,
    high: Array,
) -> tuple[Array, Array]:
    """Narrow tn by a score whose bound is a straight line in (tp, tn)."""
    polynomial = inequality(score, end, False, p.astype(float), n.astype(float), betas)
    if isinstance(polynomial, bool):
        return low, high  # the last test will tell
    _, _, _, d, e, f = (np.asarray(c, dtype=float) for c in polynomial)
    size = np.abs(d) * tp + np.abs(f) + np.abs(e) * n + 1
    with np.errstate(divide="ignore", invalid="ignore"):
        edge = -(d * tp + f) / e
        slack = 1e-12 * size / np.abs(e) + GUARD
    # where tn does not matter, or the direction is lost, nothing is cut off
    usable = e > 1e-12 * size
    edge = np.where(usable, edge, 0.0)
    slack = np.where(usable, slack, 0.0)
    if upper != score.rises:  # the figure asks for a good enough matrix
        bottom = np.ceil(np.maximum(edge - slack, -1)).astype(np.int64)
        return np.where(usable, np.maximum(low, bottom), low), high
    top = np.floor(np.minimum(edge + slack, 4e18)).astype(np.int64)
    return low, np.where(usable, np.minimum(high, top), high)


def _by_halving(
    betas: Betas, score: Score, end: float, upper: bool, p: Array, n: Array, tp: Array, low: Array, high: Array
) -> tuple[Array, Array]:
    """Narrow tn by a score whose bound is a curve, for 0 < tp < p.

    There such a score is defined and monotone for all tn, but for the odds ratio at tn = n,
    where the test below says no, as it should.
    """
    guard = GUARD * max(1.0, abs(end))
    inner = (tp > 0) & (tp < p)
    below, above = low - 1, high + 1
    for _ in range(int(np.max(high - low, initial=1) + 2).bit_length() + 1):
        middle = np.clip((below + above) // 2, 0, n)
        value = floats(score, p, n, tp, middle, betas)
        # the first tn that is good enough, or the last that is not too good
        good, enough = (value, end) if score.rises else (-value, -end)
        verdict = good > enough + guard if upper == score.rises else good >= enough - guard
        open_ = above - below > 1
        above = np.where(open_ & verdict, middle, above)
        below = np.where(open_ & ~verdict, middle, below)
    if upper == score.rises:
        return low, np.where(inner, below, high)
    return np.where(inner, above, low), high


def floats(score: Score, p: Array, n: Array, tp: Array, tn: Array, betas: Betas) -> Array:
    """The score in floats, nan where undefined: its definition, asked for many matrices at once."""
    p, n, tp, tn = (np.asarray(c, dtype=float) for c in (p, n, tp, tn))
    up, down = score.terms(Matrix.of(tp, tn, p, n), betas)
    with np.errstate(divide="ignore", invalid="ignore"):
        if score.threshold:
            up, down = np.sqrt(down), np.sqrt(up) + np.sqrt(down)
        elif score.squared:
            up, down = np.sign(up) * np.sqrt(np.abs(up)), np.sqrt(down)
        return np.where(down > 0, up / down, np.nan)
