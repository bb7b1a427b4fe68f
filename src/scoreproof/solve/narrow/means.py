"""Small sets of matrices whose mean scores are the printed figures.

A pool of small matrices, and of matrices around the figures, is scored in floats; single
ones, pairs with whole weights, then greedy mixtures are tried.  What the floats propose is
confirmed exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np

from scoreproof.budget import Budget
from scoreproof.effort import allows
from scoreproof.proof.narrow.no_counts import confirms
from scoreproof.proof.witness import Witness
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import Matrix
from scoreproof.solve.narrow.smallest import floats

Array = Any

#: The pool: all matrices with cells up to SMALL, and rounder ones for finer figures.
SMALL = 6
CELLS = (0, 1, 2, 5, 10, 20, 50, 100, 1_000, 10_000)
#: Weights of the two matrices of a pair.
WEIGHTS = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 3), (3, 2), (1, 9), (9, 1))
#: Sizes of mixtures: those that may start from nothing, and those that follow the weights of the hull.
FREE = (2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 60, 100)
SIZES = (*FREE, 150, 250, 400, 700, 1_000, 2_000)
TURNS = 200  # members exchanged in one mixture
MEMBERS, TREE = 12, 100  # pairs exchanged, and what looking up others is worth
#: Proposals confirmed per stage.
PROPOSALS = 20
#: Work of one pair, and of one figure of a matrix that might join a mixture.
ROW = 100
ENTRY = 12


def small_sets(countless: WithoutCounts, budget: Budget) -> tuple[Matrix, ...] | None:
    """A set of matrices with these means, or None if the search found none."""
    cells = sorted(set(product(range(SMALL + 1), repeat=4)) | set(product(CELLS, repeat=4)))
    pool = np.array([cell for cell in cells if any(cell)])
    tp, fp, fn, tn = pool.T
    scores = [score for _, score, _ in countless.figures]
    values = np.stack([floats(score, tp + fn, tn + fp, tp, tn, countless.betas) for score in scores], axis=1)
    kept = ~np.isnan(values).any(axis=1)
    pool, values = pool[kept], values[kept]
    low = np.array([-np.inf if i.lo is None else float(i.lo) for _, _, i in countless.figures])
    high = np.array([np.inf if i.hi is None else float(i.hi) for _, _, i in countless.figures])
    # twins say nothing new; the matrix listed first has the smallest cells
    _, first = np.unique(values.round(12), axis=0, return_index=True)
    first.sort()
    pool, values = pool[first], values[first]
    for chosen in _proposals(values, low, high, budget):
        matrices = tuple(Matrix(*(int(cell) for cell in pool[index])) for index in chosen)
        if confirms(countless, Witness(matrices)):
            return matrices
    return None


def _proposals(values: Array, low: Array, high: Array, budget: Budget) -> Iterator[list[int]]:
    if not len(values):
        return
    inside = np.all((values >= low) & (values <= high), axis=1)
    for index in np.nonzero(inside)[0][:PROPOSALS]:
        yield [int(index)]
    yield from _pairs(values, low, high, WEIGHTS[:1], 1500, budget)
    yield from _mixtures(values, low, high, budget)
    yield from _pairs(values, low, high, WEIGHTS, 1500, budget)


def _pairs(
    values: Array,
    low: Array,
    high: Array,
    weights: tuple[tuple[int, int], ...],
    most: int,
    budget: Budget,
) -> Iterator[list[int]]:
    """Two matrices with whole weights."""
    # nearest to the figures first, and not too many of them
    scale = np.maximum(high - low, 1e-6)
    scale = np.where(np.isfinite(scale), scale, 1.0)
    away = np.maximum(0, np.maximum(low - values, values - high)) / scale
    order = np.argsort(away.sum(axis=1), kind="stable")[:most]
    near = values[order]
    proposed = 0
    for one, two in weights:
        for row, value in enumerate(near):
            if proposed >= PROPOSALS or not allows(budget, ROW * len(near)):
                return
            mean = (one * value + two * near[row if one == two else 0 :]) / (one + two)
            fits = np.all((mean >= low) & (mean <= high), axis=1)
            for hit in np.nonzero(fits)[0][:2]:
                other = int(hit) + (row if one == two else 0)
                proposed += 1
                yield [int(order[row])] * one + [int(order[other])] * two


def _mixtures(values: Array, low: Array, high: Array, budget: Budget) -> Iterator[list[int]]:
    """Mixtures of growing size: exchange one member at a time for the one that helps most.

    They start from nothing, and from the weights of the inmost point of the hull.
    """
    from scipy.spatial import cKDTree

    width = np.where(np.isfinite(high - low), np.maximum(high - low, 1e-6), 1.0)
    # aim at the inner part of the box, so that rounding the weights does not leave it
    inner = low + 0.3 * np.minimum(width, high - low), high - 0.3 * np.minimum(width, high - low)

    def off(means: Array) -> Array:
        gap = np.maximum(0, np.maximum(inner[0] - means, means - inner[1])) / width
        return (gap * gap).sum(axis=-1)

    def inside(mean: Array) -> bool:
        return bool(np.all((mean >= low) & (mean <= high)))

    weights = _inmost(values, low, high, width)
    middle = np.clip((np.maximum(low, high - width) + np.minimum(high, low + width)) / 2, low, high)
    tree = cKDTree(values / width)
    for size in SIZES if weights else ():
        for chosen in ([], _rounded(weights, size)) if size in FREE else (_rounded(weights, size),):
            turns = min(2 * size, TURNS)
            if not allows(budget, ENTRY * values.size * (size - len(chosen) + turns + TREE)):
                return
            total = values[chosen].sum(axis=0)
            while len(chosen) < size:
                best = int(np.argmin(off((total + values) / (len(chosen) + 1))))
                chosen.append(best)
                total = total + values[best]
            for turn in range(turns):
                if inside(total / size):
                    yield sorted(chosen)
                    return
                without = total - values[chosen[turn % size]]
                chosen[turn % size] = int(np.argmin(off((without + values) / size)))
                total = without + values[chosen[turn % size]]
            # two members at once: the second is looked up
            twice = [k for k, times in Counter(chosen).items() for _ in range(min(times, 2))]
            for pair in list(dict.fromkeys(combinations(twice, 2)))[:MEMBERS]:
                missing = size * middle - total + values[list(pair)].sum(axis=0)
                distance, second = tree.query(
                    (missing - values) / width, p=np.inf, distance_upper_bound=size / 2
                )
                if np.isfinite(distance.min()):
                    first = int(np.argmin(distance))
                    left = list((Counter(chosen) - Counter(pair)).elements())
                    yield sorted([*left, first, int(second[first])])
                    return


def _inmost(values: Array, low: Array, high: Array, width: Array) -> dict[int, float]:
    """Weights of the point of the hull that lies deepest in the box (a linear program); none if none does."""
    from scipy.optimize import linprog

    # the last unknown is how deep, in widths: at most half of one, and below 0 outside
    ends = [
        np.column_stack([sign * (values / width)[:, kept].T, np.ones(kept.sum())])
        for sign, kept in ((-1, np.isfinite(low)), (1, np.isfinite(high)))
    ]
    most = np.concatenate([-(low / width)[np.isfinite(low)], (high / width)[np.isfinite(high)]])
    count = len(values)
    found = linprog(
        np.append(np.zeros(count), -1.0),
        A_ub=np.concatenate(ends),
        b_ub=most,
        A_eq=np.append(np.ones(count), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, 0.5)],
    )
    if found.x is None or found.x[-1] < -1e-6:
        return {}
    return {int(k): float(found.x[k]) for k in np.nonzero(found.x[:-1] > 1e-9)[0]}


def _rounded(weights: dict[int, float], size: int) -> list[int]:
    """About ``size`` members, each as often as its weight says, rounded down."""
    return [index for index, weight in sorted(weights.items()) for _ in range(int(weight * size))]
