"""Straight rows that no real counts fulfil are refuted by the direction that plain floats find."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.optimize import linprog

from scoreproof.budget import ENDLESS, Budget
from scoreproof.proof.sums.group_sums import Sums, swept
from scoreproof.solve.sums.apart import apart


def drawn(chance: random.Random) -> Sums:
    """Rows over counts of up to some thousands, windows about where they may be."""
    unknowns, rows = chance.randint(2, 24), chance.randint(1, 6)
    top = tuple(chance.randint(1, chance.choice((9, 90, 9000))) for _ in range(unknowns))
    coefficients = [
        [chance.choice((0, 1, 1)) * chance.randint(1, 500) for _ in top] for _ in range(min(rows, 4))
    ]
    while len(coefficients) < rows:  # rows that follow from others, as bacc does from sens and spec
        one, other = chance.choice(coefficients), chance.choice(coefficients)
        coefficients.append([a + b for a, b in zip(one, other, strict=True)])
    inside = [chance.random() * most for most in top]
    off = chance.choice((0, 0.02, 0.3))
    windows = []
    for row in coefficients:
        at = sum(c * v for c, v in zip(row, inside, strict=True)) * (1 + off * chance.uniform(-1, 1))
        windows.append((round(at), round(at) + chance.choice((0, 5, 500))))
    for r in range(len(coefficients)):  # denominators of one row say nothing about those of another
        times = chance.choice((1, 1, 10**12, 10**30))
        coefficients[r] = [c * times for c in coefficients[r]]
        windows[r] = (windows[r][0] * times, windows[r][1] * times + times - 1)
    rooms = ((0, 0), (0, 0))
    rows_of = tuple(map(tuple, coefficients))
    return Sums(((0,),), ((None, None),), (rooms,), top, rows_of, tuple(windows), False, True)


def violation(sums: Sums) -> float:
    """How many widths of windows the rows are out of reach at least, by linear programming."""
    widths = [hi - lo + 1 for lo, hi in sums.windows]
    rows = zip(sums.coefficients, widths, strict=True)
    matrix = np.array(
        [[c * most / width for c, most in zip(row, sums.top, strict=True)] for row, width in rows]
    )
    ends = [(lo / width, hi / width) for (lo, hi), width in zip(sums.windows, widths, strict=True)]
    low, high = map(np.array, zip(*ends, strict=True))
    more = np.ones((len(widths), 1))
    above = np.vstack([np.hstack([matrix, -more]), np.hstack([-matrix, -more])])
    cost = np.array([0.0] * len(sums.top) + [1.0])
    bounds = [(0, 1)] * len(sums.top) + [(None, None)]
    return float(linprog(cost, above, np.concatenate([high, -low]), bounds=bounds).fun)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_out_of_reach_is_refuted_by_one_direction(seed: int) -> None:
    chance = random.Random(seed)
    refuted = fitting = 0
    for _ in range(100):
        sums = drawn(chance)
        direction, order = apart(sums, Budget(ENDLESS)), list(range(len(sums.top)))
        proven = direction is not None and swept(sums, [direction], order, 1, Budget(ENDLESS))
        least = violation(sums)
        if least > 1e-3:
            assert proven, sums
            refuted += 1
        fitting += least < -1e-3
    assert refuted > 20 and fitting > 10
