"""Matrices that parts with printed means and deviations are likely to have, and what each adds to the sums.

A figure about all parts is a window of a sum: of the values of a score, of their squares, of the positives
where folds are not known.  Among all distributions of matrices whose sums are expected inside the windows, the
one of maximum entropy is an exponential tilt; its entropy and the spread of its sums tell how many choices of
matrices there are to find, and how long one looks for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import lgamma, log, pi, prod

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.question.folds import Sample, each_size
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import ROWS
from scoreproof.solve.sums.spread.windows import VALUE, Bounds, Curve, window

#: Matrices of one kind of part that are listed, that are looked at one by one, and passes that narrow down tp.
LISTED, PASS, PASSES = 40_000, 40_000, 3
#: (p, tp) of such parts.
PAIRS = 8_000
#: Values farther than so many printed deviations from the mean are not tried; nor positives of a fold.
FAR, FAR_POSITIVES = 4.0, 4.0
#: Where no deviation is printed, values differ about as much as chance makes them; so far they may lie apart.
LOOSE = 0.25
#: Sums aim at the middle of their windows; so much of half a window they may be off, at first and at most.
SLACK, MOST_SLACK = 0.5, 0.95
STEPS, LOST = 80, 1e3
LARGEST = 100_000


@dataclass(frozen=True)
class Kinds:
    """The matrices of parts that nothing tells apart: (p, n, tp, tn), what each adds, how likely it is."""

    cells: Array
    adds: Array  # in half windows
    logs: Array


@dataclass(frozen=True)
class Sort:
    """Parts of one size: how many positives they may have, and their scores."""

    size: int
    low: int
    high: int
    curves: list[Curve]


class Likely:
    """The likely matrices of all parts under one divisor of the deviations."""

    def __init__(
        self,
        problem: Problem,
        divisor: int,
        random: np.random.Generator,
        budget: Budget,
        loose: float = LOOSE,
    ) -> None:
        self.problem, self.random, self.budget = problem, random, budget
        self.names = list(dict.fromkeys(t.score.name for t in problem.targets))
        self.open = bool(problem.foldings)
        about = [[t for t in problem.targets if t.score.name == name] for name in self.names]
        means, spreads = (
            [window(t for t in own if t.kind is kind) for own in about] for kind in (Kind.MEAN, Kind.SD)
        )
        self.bounds = Bounds(means, spreads, problem.size, divisor)
        self.far = farthest(self.bounds, loose)
        sorts = self._sorts()
        self.every = sorted(set(sorts))
        self.kind_of = [self.every.index(each) for each in sorts]
        self.half, self.centre = self._windows()
        self.complete = True  # whether all likely matrices are listed
        self.sorts = [self._sort(p, n) for p, n in self.every]
        self.kinds = [self._kind(sort) for sort in self.sorts]
        self.possible = all(len(kind.cells) for kind in self.kinds)

    def _sorts(self) -> list[tuple[int, int]]:
        """(p, n) of every part; of folds that are not known, (-1, items)."""
        if not self.open:
            return [(part.p, part.n) for part in self.problem.parts]
        (folding,) = self.problem.foldings
        self.share = folding.p / (folding.p + folding.n)
        return [(-1, size) for size in each_size(folding.sizes)]

    def _windows(self) -> tuple[Array, Array]:
        """Half of the window of every sum, and the middles in these units."""
        half, centre = windows(self.bounds)
        if self.open:
            half.append(0.4)
            centre.append(0.0)
        found = np.maximum(np.array(half), 1e-9)
        return found, np.array(centre) / found

    def _sort(self, p: int, n: int) -> Sort:
        size = n if p < 0 else p + n
        low = high = p
        if p < 0:
            far = FAR_POSITIVES * (size * self.share * (1 - self.share)) ** 0.5 + 1
            low, high = max(0, int(self.share * size - far)), min(size, int(self.share * size + far) + 1)
        parts = tuple(Sample(q, size - q) for q in range(low, high + 1))
        known = replace(self.problem, parts=parts, foldings=())
        return Sort(size, low, high, [Curve(ROWS[name], known, range(len(parts))) for name in self.names])

    def _kind(self, sort: Sort) -> Kinds:
        """The likely matrices of one sort of part: all there are, or of each (p, tp) those whose tn all scores
        allow, which grow or fall with it."""
        low, high, size = sort.low, sort.high, sort.size
        tops = [(low, high), (0, high)]
        if (high - low + 1) * (high + 1) * (size - low + 1) <= PASS:
            axes = np.meshgrid(*(np.arange(a, b + 1) for a, b in (*tops, (0, size - low))), indexing="ij")
            return self._counted(*self._near(sort, *(axis.ravel() for axis in axes)), size)
        for _ in range(PASSES):
            whole = prod(b - a + 1 for a, b in tops) <= PAIRS
            if whole:
                p, tp = (
                    axis.ravel() for axis in np.meshgrid(*(np.arange(a, b + 1) for a, b in tops), indexing="ij")
                )
            else:
                p, tp = (self.random.integers(a, b + 1, PAIRS) for a, b in tops)
            p, tp = p[tp <= p], tp[tp <= p]
            first, counts = self._between(sort, p, tp)
            if whole or not counts.any():
                break
            some = tp[counts > 0]
            wider = max(2, int(np.ptp(some)) // 8)
            tops[1] = max(0, int(some.min()) - wider), min(high, int(some.max()) + wider)
        ends = np.cumsum(counts)
        place = np.arange(ends[-1])
        self.complete = self.complete and whole and len(place) <= LISTED
        if len(place) > LISTED:
            place = np.sort(self.random.choice(len(place), LISTED, replace=False))
        at = np.searchsorted(ends, place, side="right")
        return self._counted(*self._near(sort, p[at], tp[at], first[at] + place - (ends - counts)[at]), size)

    def _between(self, sort: Sort, p: Array, tp: Array) -> tuple[Array, Array]:
        """The first tn that all scores allow, and how many: none of the scores grows here and falls there."""
        n = sort.size - p
        ends = [np.zeros(len(p), dtype=int), n + 1]  # the first that is enough, the first that is too much
        steps = int(sort.size).bit_length()
        self.budget.spend(2 * steps * len(p) * (20 + VALUE) * len(self.names))
        for far, curve, middle in zip(self.far, sort.curves, self.bounds.middle, strict=True):
            for side in (0, 1):
                low, high = np.zeros(len(p), dtype=int), n + 1
                for _ in range(steps):
                    at = np.minimum((low + high) // 2, n)
                    value = curve.at(tp.astype(float), at.astype(float), p - sort.low) - middle
                    value = value if curve.score.rises else -value
                    below = value < -far if side == 0 else ~(value > far)
                    low, high = (
                        np.where((low < high) & below, at + 1, low),
                        np.where((low < high) & ~below, at, high),
                    )
                ends[side] = (np.maximum, np.minimum)[side](ends[side], low)
        return ends[0], np.maximum(ends[1] - ends[0], 0)

    def with_correct(self, g: int, correct: int) -> Kinds:
        """The likely matrices of one sort of part with so many correct items."""
        sort = self.sorts[g]
        p, tp = np.meshgrid(
            np.arange(sort.low, sort.high + 1), np.arange(min(sort.high, correct) + 1), indexing="ij"
        )
        found = self._near(sort, p.ravel(), tp.ravel(), correct - tp.ravel())
        return self._counted(*found, sort.size)

    def _near(self, sort: Sort, p: Array, tp: Array, tn: Array) -> tuple[Array, Array]:
        """Those matrices none of whose scores is far off, and their scores."""
        self.budget.spend(len(p) * (30 + VALUE * len(self.names)))
        real = (tp <= p) & (tn <= sort.size - p) & (tn >= 0)
        p, tp, tn = p[real], tp[real], tn[real]
        values = np.stack([c.at(tp.astype(float), tn.astype(float), p - sort.low) for c in sort.curves], axis=1)
        values -= self.bounds.middle
        near = (np.isfinite(values) & (np.abs(values) <= self.far)).all(axis=1)
        cells, values = np.stack([p, sort.size - p, tp, tn], axis=1)[near], values[near]
        if len(cells) > LISTED:
            self.complete = False
            some = np.sort(self.random.choice(len(cells), LISTED, replace=False))
            cells, values = cells[some], values[some]
        return cells, values

    def _counted(self, cells: Array, values: Array, size: int) -> Kinds:
        bounds = self.bounds
        columns = [values[:, bounds.known], values[:, bounds.spread] ** 2]
        logs = np.zeros(len(cells))
        if self.open:
            middle = self.share * size
            columns.append(cells[:, :1] - middle)  # the shares of all folds add up to all positives
            logs = -((cells[:, 0] - middle) ** 2) / (2 * max(middle * (1 - self.share), 0.5))
        for k in np.flatnonzero(bounds.known & ~bounds.spread):
            rate = min(max(float(bounds.middle[k]), 0.05), 0.95)
            logs = logs - values[:, k] ** 2 / (4 * rate * (1 - rate) / size)
        return Kinds(cells, np.concatenate(columns, axis=1) / self.half, logs)


def windows(bounds: Bounds) -> tuple[list[float], list[float]]:
    """Half of the windows of sums and of sums of squares, and their middles."""
    half, centre = [], []
    for k in np.flatnonzero(bounds.known):
        half.append(float(bounds.half[k]))
        centre.append(0.0)
    for k in np.flatnonzero(bounds.spread):
        low, high = bounds.squares[k]
        high += bounds.half[k] ** 2 / bounds.units if bounds.known[k] else 0
        half.append((high - low) / 2)
        centre.append((high + low) / 2)
    return half, centre


def farthest(bounds: Bounds, loose: float) -> Array:
    """How far from the middle of its printed mean a score of one part may lie."""
    # no value of so many is farther from their mean than this
    most = np.sqrt((bounds.units - 1) / bounds.units * bounds.squares[:, 1])
    far = np.where(bounds.spread, np.minimum(most, FAR * bounds.sd[:, 1]) + 1e-9, loose)
    return np.where(bounds.known, far + (bounds.high - bounds.low) / 2, np.inf)


class Tilt:
    """For every part the chances of its matrices, so that the sums are expected in the middle."""

    def __init__(self, parts: Sequence[Kinds], counts: Sequence[int], centre: Array, budget: Budget) -> None:
        self.parts, self.counts, self.centre, self.budget = parts, counts, centre, budget
        self.slack = SLACK
        at = self._newton()
        if float(np.abs(at).max()) > LOST:  # nothing is expected there
            self.slack = MOST_SLACK
            at = self._newton()
        self.chances = []
        mean, spread = np.zeros(len(centre)), np.zeros((len(centre),) * 2)
        self.entropy = 0.0
        for kind, count in zip(parts, counts, strict=True):
            chance = _chances(kind.adds @ at + kind.logs)[0]
            self.chances.append(chance)
            own = chance @ kind.adds
            mean += count * own
            spread += count * ((kind.adds * chance[:, None]).T @ kind.adds - np.outer(own, own))
            some = chance[chance > 0]
            self.entropy -= count * float(some @ np.log(some))
        self.off = float(np.abs(mean - centre).max())
        self.spread = spread
        self.order, self.lower = pivoted(spread)
        apart = np.diag(self.lower)
        #: logarithm of the chance that all sums lie in their windows, as if they were normal
        self.inside = float(np.minimum(0, np.log(2 / ((2 * pi) ** 0.5 * np.maximum(apart, 1e-9)))).sum())

    def _newton(self) -> Array:
        at = np.zeros(len(self.centre))
        value, slope, bend = self._dual(at)
        for _ in range(STEPS):
            scale = np.sqrt(np.maximum(np.diag(bend), 1e-12))
            step = np.linalg.lstsq(
                bend / np.outer(scale, scale) + 1e-9 * np.eye(len(at)), -slope / scale, rcond=None
            )[0]
            step = step / scale
            # far from the middle a whole step would put all weight on a single matrix
            length = 1 / (1 + max(0.0, float(step @ bend @ step)) ** 0.5 / 8)
            for _ in range(30):
                new = self._dual(at + length * step)
                if new[0] <= value + 1e-4 * length * float(slope @ step):
                    break
                length /= 2
            else:
                break
            at = at + length * step
            done = value - new[0] < 1e-7
            value, slope, bend = new
            if done or float(np.abs(at).max()) > LOST:
                break
        return at

    def _dual(self, at: Array) -> tuple[float, Array, Array]:
        """What is smallest where the sums are expected in the middle, with slope and bend."""
        smooth = 1e-2
        root = np.sqrt(at * at + smooth * smooth)
        value = self.slack * float(root.sum()) - float(at @ self.centre)
        slope = self.slack * at / root - self.centre
        bend = np.diag(self.slack * smooth * smooth / root**3)
        for kind, count in zip(self.parts, self.counts, strict=True):
            self.budget.spend(20_000 + 5 * kind.adds.size)
            chance, top = _chances(kind.adds @ at + kind.logs)
            adds = kind.adds
            if len(chance) > 3_000:  # matrices of no weight cost time and change nothing
                some = chance > 1e-12
                adds, chance = adds[some], chance[some]
            own = chance @ adds
            value += count * top
            slope = slope + count * own
            bend = bend + count * ((adds * chance[:, None]).T @ adds - np.outer(own, own))
        return value, slope, bend


def _chances(logs: Array) -> tuple[Array, float]:
    """Chances in proportion to exp(logs), and the logarithm of what they are divided by."""
    top = float(logs.max())
    chance = np.exp(logs - top)
    total = float(chance.sum())
    return chance / total, top + log(total)


def pivoted(spread: Array, first: Sequence[int] = ()) -> tuple[Array, Array]:
    """Cholesky's factor of a covariance: some sums first, then that which is least known from those before."""
    size = len(spread)
    left = np.diag(spread).copy()
    order: list[int] = []
    lower = np.zeros((size, size))
    for k in range(size):
        rest = [i for i in range(size) if i not in order]
        here = first[k] if k < len(first) else max(rest, key=lambda i: left[i])
        order.append(here)
        known = left[here] <= 1e-9 * spread[here, here] + 1e-12  # it follows from those before it
        lower[here, k] = 1e-6 if known else left[here] ** 0.5
        for j in rest:
            if j != here and not known:
                lower[j, k] = (spread[j, here] - lower[j, :k] @ lower[here, :k]) / lower[here, k]
                left[j] -= lower[j, k] ** 2
    return np.array(order), lower[order]


def arrangements(counts: Sequence[int]) -> float:
    """The logarithm of in how many ways parts that nothing tells apart can change places."""
    return sum(lgamma(count + 1) for count in counts)
