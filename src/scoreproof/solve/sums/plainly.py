"""Group sums that land in their windows, looked for in plain integers where programs in floats are not there.

A point near the windows first, one step at a time; then two lists of points around it, one that moves half of
the unknowns and one that moves the others, and whoever of both lists meet in the windows.
"""

from __future__ import annotations

import random
from itertools import product

from scoreproof.budget import Budget
from scoreproof.proof.sums.group_sums import Sums

STEPS = 2_000
DRAWN = 12_000
ROUNDS = 8
MOST_ROWS = 5  # every point looks into two cells for each row, and so into 2 ** rows
WORK = 60  # of one drawn point, for each unknown


def meeting(sums: Sums, budget: Budget) -> list[int] | None:
    """Values of the unknowns that fit, if some are found; finding none means nothing."""
    if len(sums.windows) > MOST_ROWS:
        return None
    chance = random.Random(1)
    near = _near(sums)
    for turn in range(ROUNDS):
        budget.spend(2 * DRAWN * WORK * len(near))
        order = list(range(len(near)))
        chance.shuffle(order)
        half = len(order) // 2
        found = _joined(sums, near, order[:half], order[half:], 2 + turn, chance)
        if found is not None:
            return found
    return None


def _missed(sums: Sums, at: list[int]) -> float:
    """How far the rows are from their windows, in widths of windows."""
    return sum(max(lo - v, v - hi, 0) / (hi - lo + 1) for v, (lo, hi) in zip(at, sums.windows, strict=True))


def _near(sums: Sums) -> list[int]:
    """A point near the windows: in steps that halve, as long as one of them helps."""
    x = [most // 2 for most in sums.top]
    at = [sum(c * v for c, v in zip(row, x, strict=True)) for row in sums.coefficients]
    reach = max(sums.top)
    for _ in range(STEPS):
        best, move = _missed(sums, at), None
        for j, most in enumerate(sums.top):
            for step in (reach, -reach):
                if 0 <= x[j] + step <= most:
                    to = [v + step * row[j] for v, row in zip(at, sums.coefficients, strict=True)]
                    if (missed := _missed(sums, to)) < best:
                        best, move = missed, (j, step, to)
        if move is not None:
            x[move[0]] += move[1]
            at = move[2]
        elif reach > 1:
            reach //= 2
        else:
            break
    return x


def _joined(
    sums: Sums, near: list[int], left: list[int], right: list[int], reach: int, chance: random.Random
) -> list[int] | None:
    widths = [hi - lo + 1 for lo, hi in sums.windows]
    lows = [lo for lo, _ in sums.windows]
    table: dict[tuple[int, ...], tuple[int, ...]] = {}
    for drawn, at in _draws(sums, near, left, reach, chance):
        table[tuple((v - lo) // w for v, lo, w in zip(at, lows, widths, strict=True))] = drawn
    around = list(product((0, -1), repeat=len(widths)))
    for drawn, at in _draws(sums, near, right, reach, chance):
        cell = [-(v // w) for v, w in zip(at, widths, strict=True)]  # -v / w, rounded up
        for shift in around:
            other = table.get(tuple(c + s for c, s in zip(cell, shift, strict=True)))
            if other is None:
                continue
            x = list(near)
            for j, v in (*zip(left, other, strict=True), *zip(right, drawn, strict=True)):
                x[j] = v
            sums_of = (sum(c * v for c, v in zip(row, x, strict=True)) for row in sums.coefficients)
            if all(lo <= v <= hi for v, (lo, hi) in zip(sums_of, sums.windows, strict=True)):
                return x
    return None


def _draws(
    sums: Sums, near: list[int], moved: list[int], reach: int, chance: random.Random
) -> list[tuple[tuple[int, ...], list[int]]]:
    """Points that differ from the near one in some unknowns, and what these alone add to the rows."""
    ends = [(max(0, near[j] - reach), min(sums.top[j], near[j] + reach)) for j in moved]
    seen = {tuple(chance.randint(*each) for each in ends) for _ in range(DRAWN)}
    return [(x, [sum(row[j] * v for j, v in zip(moved, x, strict=True)) for row in sums.coefficients])
            for x in sorted(seen)]  # fmt: skip
