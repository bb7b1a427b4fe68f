"""Counts along one axis that already hit its printed mean and deviation.

An axis is tp, tn or tp + tn of every part, with a printed score that is a straight function of it.  Counts of
two halves of the units are listed (all of them, if they are few) or drawn, and joined on their sums and
sums of squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.windows import ROOM, Bounds, Windows

#: Rows drawn for a half, attempt after attempt, and rows of a list that is drawn.
DRAWN = (1_200, 5_000, 20_000)
WANTED = 3_000
#: Listing everything: rows of a half, joined pairs, rows that are kept.
MOST_ROWS, MOST_PAIRS, MOST_KEPT = 25_000, 400_000, 20_000
MOST_ALIKE = 12
#: Work of a row of a half, per unit.
ROW = 60


@dataclass(frozen=True)
class Axis:
    """What a straight score says of every part: ``slope``·count + ``shift``, the count up to ``top``."""

    score: int  # its number among the scores of the windows
    of_tp: int
    of_tn: int
    top: Array
    slope: Array
    shift: Array

    def alike(self, windows: Bounds) -> list[Array]:
        """The parts (of one unit, where that matters) whose counts may be exchanged."""
        unit = np.arange(windows.parts) // windows.inside if windows.inside > 1 else np.zeros(windows.parts)
        keys = np.stack([self.top, self.slope, self.shift, unit])
        _, kind = np.unique(keys, axis=1, return_inverse=True)
        kind = kind.reshape(-1)
        return [np.flatnonzero(kind == each) for each in range(kind.max() + 1)]


def axes_of(windows: Windows) -> list[Axis]:
    """The axes that are printed, tp and tn before their sum."""
    found: dict[tuple[bool, bool], Axis] = {}
    for k, curve in enumerate(windows.curves):
        if not windows.known[k] or not curve.score.affine:
            continue
        parts = [windows.problem.parts[i] for i in windows.order]
        lines = [curve.score.line(part.p, part.n, windows.problem.betas) for part in parts]
        if None in lines:
            continue
        tp, tn, shift = np.array([[float(x) for x in line] for line in lines if line is not None]).T
        if (tp == tn).all() or not tp.any() or not tn.any():
            of = bool(tp.any()), bool(tn.any())
            top = windows.p * of[0] + windows.n * of[1]
            slope = tp if of[0] else tn
            if slope.all():
                found.setdefault(of, Axis(k, int(of[0]), int(of[1]), top, slope, shift))
    return [found[of] for of in ((True, False), (False, True), (True, True)) if of in found]


@dataclass
class Half:
    """Rows of counts of some parts, and what they add to S and Q."""

    parts: Array
    rows: Array
    total: Array
    squares: Array


def every(windows: Bounds, axis: Axis, budget: Budget, times: int = 1) -> Array | None:
    """All counts (one order for parts that are alike) that hit the figures of an axis; None if too many."""
    k = axis.score
    if windows.inside > 1 or not windows.spread[k]:
        return None
    units, most = windows.units, MOST_ROWS * times
    high = windows.squares[k, 1]
    reach = np.sqrt((units - 1) / units * high) + windows.half[k] / units + 1e-9
    halves: list[Half] = []
    for alike in axis.alike(windows):
        first = alike[0]
        ends = np.sort((np.array([-reach, reach]) + windows.middle[k] - axis.shift[first]) / axis.slope[first])
        low, top = max(0, int(np.ceil(ends[0]))), min(int(axis.top[first]), int(np.floor(ends[1])))
        if low > top:
            return np.zeros((0, windows.parts))
        cuts = [alike] if len(alike) <= 5 else [alike[: len(alike) // 2], alike[len(alike) // 2 :]]
        if len(alike) > MOST_ALIKE or any(comb(top - low + len(w), len(w)) > most for w in cuts):
            return None
        halves += [_half(windows, axis, w, _multisets(low, top, len(w)), budget) for w in cuts]
    while len(halves) > 2:  # the two shortest become one
        halves.sort(key=lambda half: len(half.rows))
        one, two, *rest = halves
        if len(one.rows) * len(two.rows) > most:
            return None
        i, j = (x.ravel() for x in np.indices((len(one.rows), len(two.rows))))
        near = one.squares[i] + two.squares[j] <= high + 4 * windows.half[k] ** 2 / units + 1e-9
        halves = [*rest, _both(one, two, i[near], j[near])]
    if len(halves) == 1:
        nothing = np.zeros(1)
        halves.append(Half(np.zeros(0, int), np.zeros((1, 0)), nothing, nothing))
    pairs = _join(windows, k, halves, MOST_PAIRS * times, None, budget)
    if pairs is None:
        return None
    found = _whole(windows, halves, *pairs)
    for alike in axis.alike(windows):
        found = found[(np.diff(found[:, alike], axis=1) >= 0).all(1)]
    return found if len(found) <= MOST_KEPT * times else None


def some(windows: Bounds, axis: Axis, random: np.random.Generator, budget: Budget) -> Array | None:
    """Many random counts that hit the figures of an axis; None if no attempt gives any."""
    k, units, inside = axis.score, windows.units, windows.inside
    share = min(max(windows.middle[k], 0.0), 1.0)
    # what chance alone makes of a part
    chance = np.sqrt(max(share * (1 - share), 1e-4) / axis.top) * np.abs(axis.slope) * axis.top
    sd = None
    if windows.spread[k]:
        sd = float(np.sqrt(windows.squares[k].mean() / max(windows.divisor, 1)))
    cut = units // 2 * inside
    found: list[Array] = []
    for count in DRAWN:
        halves = []
        for where in (np.arange(cut), np.arange(cut, windows.parts)):
            drawn = random.standard_normal((count, len(where)))
            if sd is None or inside > 1:  # how far folds are apart is not printed: several ways
                drawn *= np.exp(random.uniform(-0.7, 2.0, (count, 1)))
            if inside == 1:
                drawn *= chance[where] if sd is None else sd
            else:
                within = (drawn * chance[where]).reshape(count, -1, inside)
                means = within.mean(2)
                apart = means if sd is None else random.standard_normal(means.shape) * sd
                drawn = (within - means[:, :, None] + apart[:, :, None]).reshape(count, -1)
            counts = (windows.middle[k] + drawn - axis.shift[where]) / axis.slope[where]
            rows = np.clip(np.rint(counts), 0, axis.top[where])
            halves.append(_half(windows, axis, where, rows, budget))
        pairs = _join(windows, k, halves, 40 * WANTED, random, budget)
        assert pairs is not None
        i, j = pairs
        if len(i) > WANTED:
            keep = random.choice(len(i), WANTED, replace=False)
            i, j = i[keep], j[keep]
        if len(i):
            found.append(_whole(windows, halves, i, j))
        if sum(map(len, found)) >= WANTED / 10:
            break
    return np.concatenate(found) if found else None


def _half(windows: Bounds, axis: Axis, where: Array, rows: Array, budget: Budget) -> Half:
    budget.spend(50_000 + ROW * rows.size)
    values = axis.slope[where] * rows + axis.shift[where] - windows.middle[axis.score]
    values = windows.per_unit(values)
    return Half(where, rows, values.sum(1), (values * values).sum(1))


def _multisets(low: int, top: int, length: int) -> Array:
    """All sorted rows of whole numbers between two ends."""
    numbers = np.arange(low, top + 1)
    rows, last = numbers[:, None], np.arange(len(numbers))
    for _ in range(length - 1):
        counts = len(numbers) - last
        again = np.repeat(np.arange(len(rows)), counts)
        further = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        last = last[again] + further
        rows = np.concatenate([rows[again], numbers[last][:, None]], axis=1)
    return rows.astype(float)


def _both(one: Half, two: Half, i: Array, j: Array) -> Half:
    return Half(
        np.concatenate([one.parts, two.parts]),
        np.concatenate([one.rows[i], two.rows[j]], axis=1),
        one.total[i] + two.total[j],
        one.squares[i] + two.squares[j],
    )


def _whole(windows: Bounds, halves: list[Half], i: Array, j: Array) -> Array:
    found = np.empty((len(i), windows.parts))
    for half, rows in zip(halves, (i, j), strict=True):
        found[:, half.parts] = half.rows[rows]
    return found


def _join(
    windows: Bounds,
    k: int,
    halves: list[Half],
    most: int,
    random: np.random.Generator | None,
    budget: Budget,
) -> tuple[Array, Array] | None:
    """The pairs of rows whose sums lie in the windows; of too many some, or None without a ``random``.

    The rows of the second half are put in cells as wide as the window of S and sorted by their squares
    within a cell, so that the partners of a row are two stretches of a sorted list.
    """
    (one, two), half, units = halves, windows.half[k], windows.units
    cell = 2 * half + 4 * ROOM  # wider than the window, so that two of them hold it
    if windows.spread[k]:
        low, high = windows.squares[k]
        least, largest = low - one.squares - ROOM, high + half * half / units - one.squares + ROOM
        squares = two.squares
    else:
        least, largest = np.full(len(one.total), -0.25), np.full(len(one.total), 0.25)
        squares = np.zeros(len(two.total))
    wide = max(1.0, 4 * (1 + float(squares.max(initial=0.0))))
    largest, least = np.minimum(largest, wide / 2), np.maximum(least, -wide / 4)
    keys = np.floor(two.total / cell) * wide + squares
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    base = np.floor((-half - one.total - ROOM) / cell)
    starts, counts = [], []
    for step in (0, 1):
        first = np.searchsorted(keys, (base + step) * wide + least, "left")
        last = np.searchsorted(keys, (base + step) * wide + largest, "right")
        starts.append(first)
        counts.append(np.maximum(last - first, 0))
    start, count = np.concatenate(starts), np.concatenate(counts)
    who = np.tile(np.arange(len(one.total)), 2)
    total = int(count.sum())
    if total > most:
        if random is None:
            return None
        keep = random.random(len(count)) < most / total
        start, count, who = start[keep], np.minimum(count[keep], most), who[keep]
        total = int(count.sum())
    budget.spend(100_000 + 300 * (len(one.total) + len(two.total)) + 40 * total)
    i = np.repeat(who, count)
    j = order[np.repeat(start, count) + np.arange(total) - np.repeat(np.cumsum(count) - count, count)]
    inside = windows.fits(k, one.total[i] + two.total[j], one.squares[i] + two.squares[j])
    return i[inside], j[inside]
