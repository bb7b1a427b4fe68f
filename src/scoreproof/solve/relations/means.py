"""Small sets of matrices whose mean scores are the printed figures.

A pool of small matrices, and of matrices around the figures, is scored in floats; single
ones, pairs with whole weights, then greedy mixtures are tried.  What the floats propose is
confirmed exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from scoreproof.metrics import Matrix
from scoreproof.proof.relations import Countless, confirms
from scoreproof.solve.relations.smallest import floats

Array = Any

#: The pool: all matrices with cells up to SMALL, and rounder ones for finer figures.
SMALL = 6
CELLS = (0, 1, 2, 5, 10, 20, 50, 100)
#: Weights of the two matrices of a pair.
WEIGHTS = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 3), (3, 2), (1, 9), (9, 1))
#: Members of a mixture at most.
MOST = 60
#: Proposals confirmed per stage.
PROPOSALS = 20


def small_sets(countless: Countless, deadline: float | None) -> tuple[Matrix, ...] | None:
    """A set of matrices with these means, or None if the search found none."""
    cells = sorted(set(product(range(SMALL + 1), repeat=4)) | set(product(CELLS, repeat=4)))
    pool = np.array([cell for cell in cells if any(cell)])
    tp, fp, fn, tn = pool.T
    scores = [score.name for _, score, _ in countless.figures]
    values = np.stack([floats(name, tp + fn, tn + fp, tp, tn, countless.betas) for name in scores], axis=1)
    kept = ~np.isnan(values).any(axis=1)
    pool, values = pool[kept], values[kept]
    low = np.array([-np.inf if i.lo is None else float(i.lo) for _, _, i in countless.figures])
    high = np.array([np.inf if i.hi is None else float(i.hi) for _, _, i in countless.figures])
    # twins say nothing new; the matrix listed first has the smallest cells
    _, first = np.unique(values.round(12), axis=0, return_index=True)
    first.sort()
    pool, values = pool[first], values[first]
    for chosen in _proposals(values, low, high, deadline):
        matrices = tuple(Matrix(*(int(cell) for cell in pool[index])) for index in chosen)
        if confirms(countless, matrices):
            return matrices
    return None


def _proposals(values: Array, low: Array, high: Array, deadline: float | None) -> Iterator[list[int]]:
    if not len(values):
        return
    inside = np.all((values >= low) & (values <= high), axis=1)
    for index in np.nonzero(inside)[0][:PROPOSALS]:
        yield [int(index)]
    yield from _mixtures(values, low, high)
    yield from _pairs(values, low, high, deadline)


def _pairs(values: Array, low: Array, high: Array, deadline: float | None) -> Iterator[list[int]]:
    """Two matrices with whole weights, found by sorting on the first figure."""
    # nearest to the figures first, and not too many of them
    scale = np.maximum(high - low, 1e-6)
    scale = np.where(np.isfinite(scale), scale, 1.0)
    away = np.maximum(0, np.maximum(low - values, values - high)) / scale
    order = np.argsort(away.sum(axis=1), kind="stable")[:2500]
    near = values[order]
    proposed = 0
    for one, two in WEIGHTS:
        for row, value in enumerate(near):
            if proposed >= PROPOSALS or (deadline is not None and time.monotonic() > deadline):
                return
            mean = (one * value + two * near[row if one == two else 0 :]) / (one + two)
            fits = np.all((mean >= low) & (mean <= high), axis=1)
            for hit in np.nonzero(fits)[0][:2]:
                other = int(hit) + (row if one == two else 0)
                proposed += 1
                yield [int(order[row])] * one + [int(order[other])] * two


def _mixtures(values: Array, low: Array, high: Array) -> Iterator[list[int]]:
    """Greedy: add the matrix that brings the mean nearest to the box, then exchange."""
    finite_low = np.where(np.isfinite(low), low, np.minimum(high - 1, 0))
    finite_high = np.where(np.isfinite(high), high, finite_low + 1)
    width = np.maximum(finite_high - finite_low, 1e-6)

    def off(means: Array) -> Array:
        gap = np.maximum(0, np.maximum(low - means, means - high)) / width
        return (gap * gap).sum(axis=-1)

    for size in (2, 3, 4, 5, 7, 10, 16, 25, 40, MOST):
        chosen: list[int] = []
        total = np.zeros(values.shape[1])
        for count in range(1, size + 1):
            best = int(np.argmin(off((total + values) / count)))
            chosen.append(best)
            total = total + values[best]
        for turn in range(4 * size):
            if off(total / size) == 0:
                yield sorted(chosen)
                return
            at = turn % size
            without = total - values[chosen[at]]
            best = int(np.argmin(off((without + values) / size)))
            chosen[at] = best
            total = without + values[best]
        if off(total / size) == 0:
            yield sorted(chosen)
            return
