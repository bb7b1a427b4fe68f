"""Halves that are met in the middle: what is looked up is what going through all pairs finds."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from scoreproof.budget import ENDLESS, Budget
from scoreproof.solve.sums.spread.meeting import joined
from scoreproof.solve.sums.spread.windows import Bounds

FOLDS, MANY = 6, 300


def bounds(random: np.random.Generator, scores: int, wide: float) -> Bounds:
    """Windows of some means and deviations; a figure may not be printed."""
    means, spreads = [], []
    for k in range(scores):
        middle, half = random.uniform(0.6, 0.9), wide * random.uniform(0.002, 0.01)
        means.append((middle - half, middle + half) if k == 0 or random.random() < 0.8 else (-inf, inf))
        low = random.uniform(0.02, 0.06)
        spreads.append((low, low + wide * random.uniform(0.002, 0.02)) if random.random() < 0.7 else (0.0, inf))
    with np.errstate(invalid="ignore"):  # what is not printed has no middle
        return Bounds(means, spreads, FOLDS, FOLDS - 1)


@pytest.mark.parametrize("seed", range(12))
def test_every_pair_that_fits_is_found_once(seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = 1 + seed % 4
    asked = bounds(random, scores, 1.0 + seed % 3)
    halves = []
    for _ in range(2):
        values = random.normal(0, 0.05, (scores, FOLDS // 2, MANY))
        halves.append((values.sum(1), (values**2).sum(1)))
    (s1, q1), (s2, q2) = halves
    fitting = np.ones((MANY, MANY), dtype=bool)
    for k in range(scores):
        fitting &= asked.fits(k, s1[k][:, None] + s2[k], q1[k][:, None] + q2[k])
    found = list(zip(*joined(asked, *halves, random, Budget(ENDLESS)), strict=True))
    assert len(found) == len(set(found))
    assert set(found) == set(zip(*np.nonzero(fitting), strict=True))
    assert seed % 4 > 1 or found
