"""Changes of two halves of a state, met in the middle: pairs whose sums lie in all windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.windows import ROOM, Bounds

#: Pairs that are followed beyond the first score, or the first two sums.
FOLLOWED = 400_000
#: Sums by which changes of halves are dealt into lanes before they are sorted by one more.
LANES = 3

#: S and Q of what stays (by state), and of every change of the one and of the other half (by state and change).
Sums = Sequence[tuple[Array, Array]]


def meeting(
    bounds: Bounds, order: Sequence[int], sums: Mapping[int, Sums], random: np.random.Generator, budget: Budget
) -> tuple[Array, Array, Array]:
    """(state, change, change) whose sums lie in the windows of all scores, looked at in this order."""
    found: tuple[Array, Array, Array] | None = None
    for k in order:
        (s0, q0), (s1, q1), (s2, q2) = sums[k]
        if found is None:
            budget.spend(12 * s1.size * s2.shape[1])
            total = (s1 + s0[:, None])[:, :, None] + s2[:, None, :]
            squares = (q1 + q0[:, None])[:, :, None] + q2[:, None, :]
            t, i, j = np.nonzero(bounds.fits(k, total, squares))
            if len(t) > FOLLOWED:
                keep = np.sort(random.choice(len(t), FOLLOWED, replace=False))
                t, i, j = t[keep], i[keep], j[keep]
            found = t, i, j
            continue
        t, i, j = found
        budget.spend(40 * len(t))
        good = bounds.fits(k, s0[t] + s1[t, i] + s2[t, j], q0[t] + q1[t, i] + q2[t, j])
        found = t[good], i[good], j[good]
    assert found is not None
    return found


Half = tuple[Array, Array]  # S and Q (score, change) of the changes of one half


def joined(
    bounds: Bounds, one: Half, two: Half, random: np.random.Generator, budget: Budget
) -> tuple[Array, Array]:
    """Changes of the two halves of one state whose sums lie in the windows of all scores.

    Pairs are looked up by the few sums that tell most: those with the narrowest window beside their reach.
    """
    # what a deviation says of Q: S²/units is at most what the mean leaves it
    mean = np.where(bounds.known, bounds.half**2, np.inf) / bounds.units
    low = np.concatenate([-bounds.half, np.where(bounds.spread, bounds.squares[:, 0], -np.inf)]) - ROOM
    high = np.concatenate([bounds.half, np.where(bounds.spread, bounds.squares[:, 1] + mean, np.inf)]) + ROOM
    left, right = np.concatenate(one), np.concatenate(two)
    width = high - low
    told = np.argsort(width / np.maximum(left.std(axis=1) + right.std(axis=1), ROOM), kind="stable")
    if not np.isfinite(width[told[0]]):
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
    *lanes, last = told[np.isfinite(width[told])][: LANES + 1] if len(told) > 1 else (told[0], told[0])
    lanes = lanes or [last]
    budget.spend((500 + 200 * 2 ** len(lanes)) * (left.shape[1] + right.shape[1]))
    # in lanes as wide as the windows of all but the last sum, by which each is sorted
    start = left[lanes].min(axis=1)[:, None]
    own = np.floor((left[lanes] - start) / width[lanes, None]).astype(np.int64)
    first = np.floor((low[lanes, None] - right[lanes] - start) / width[lanes, None])
    size = own.max(axis=1)[:, None] + 1
    stride = np.cumprod(np.concatenate([[[1]], size[:-1]]), axis=0)
    values, lane = np.unique((own * stride).sum(axis=0), return_inverse=True)
    base, reach = left[last].min(), np.ptp(left[last]) * 1.5 + ROOM
    line = lane + (left[last] - base) / reach
    order = np.argsort(line, kind="stable")
    line = line[order]
    ends = [np.clip((end[last] - right[last] - base) / reach, -0.1, 0.9) for end in (low, high)]
    found: list[tuple[Array, Array, Array]] = []
    for step in product((0, 1), repeat=len(lanes)):  # a window reaches into two lanes
        near = first + np.array(step)[:, None]
        j = np.flatnonzero(((near >= 0) & (near < size)).all(axis=0))
        keys = (near[:, j].astype(np.int64) * stride).sum(axis=0)
        at = np.minimum(np.searchsorted(values, keys), len(values) - 1)
        j, at = j[values[at] == keys], at[values[at] == keys]
        begin, end = (np.searchsorted(line, at + each[j]) for each in ends)
        found.append((j, begin, np.maximum(end - begin, 0)))
    j, begin, counts = (np.concatenate(each) for each in zip(*found, strict=True))
    enough = FOLLOWED / max(int(counts.sum()), 1)
    if enough < 1:
        counts[random.random(len(counts)) > enough] = 0
    budget.spend(60 * int(counts.sum()))
    j = np.repeat(j, counts)
    i = order[np.repeat(begin, counts) + np.arange(len(j)) - np.repeat(np.cumsum(counts) - counts, counts)]
    for k in bounds.ranked:
        good = bounds.fits(k, one[0][k, i] + two[0][k, j], one[1][k, i] + two[1][k, j])
        i, j = i[good], j[good]
    return i, j
