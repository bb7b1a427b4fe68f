"""Straight rows in floats: whole counts, beside real ones or by branch and bound, or a direction that refutes.

Where parts have thousands of items, rounding a count moves a mean by less than a printed digit.
So the shares of each class that are found are taken as real numbers, as alike in all parts as the
figures allow, and rounded; if there are none, the prices of the rows make a direction that may
refute.  Floats only propose: a witness is confirmed and a direction is swept in integers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from scoreproof.proof.sums.group_sums import Sums

#: How far inside the windows, as a share of their width, the real solution should lie.
MARGINS = (0.25, 0.02)
SCALE = 10**9  # a price becomes an integer with nine digits
NODES = 5_000  # of branch and bound


def alike(sums: Sums) -> list[int] | None:
    """Whole counts near a real solution with shares as alike as can be, if there is one."""
    rows = _scaled(sums)
    if rows is None:
        return None
    matrix, low, high, _ = rows
    unknowns = len(sums.top)
    side = np.zeros(unknowns, dtype=int)
    for pair in sums.place:
        for which, j in enumerate(pair):
            if j is not None:
                side[j] = which
    # unknowns: a share for every count, the middle share of either class, the largest distance
    apart = np.zeros((2 * unknowns, unknowns + 3))
    for j in range(unknowns):
        for half, sign in ((0, 1.0), (1, -1.0)):
            apart[2 * j + half, [j, unknowns + side[j], unknowns + 2]] = sign, -sign, -1.0
    cost = np.zeros(unknowns + 3)
    cost[-1] = 1.0
    wide = np.hstack([matrix, np.zeros((len(matrix), 3))])
    for margin in MARGINS:
        above = np.vstack([wide, -wide, apart])
        limit = np.concatenate([high - margin, -(low + margin), np.zeros(2 * unknowns)])
        found = _solved(cost, above, limit, [(0, 1)] * (unknowns + 3))
        if found is not None:
            shares = found.x[:unknowns]
            return [round(Fraction(share) * top) for share, top in zip(shares.tolist(), sums.top, strict=True)]
    return None


def refuting(sums: Sums) -> tuple[int, ...] | None:
    """A direction of the rows in which they may be out of reach: the prices of the least violation."""
    rows = _scaled(sums)
    if rows is None:
        return None
    matrix, low, high, widths = rows
    unknowns = len(sums.top)
    ones = np.ones((len(matrix), 1))
    above = np.vstack([np.hstack([matrix, -ones]), np.hstack([-matrix, -ones])])
    cost = np.zeros(unknowns + 1)
    cost[-1] = 1.0
    bounds: list[tuple[float | None, float | None]] = [(0, 1)] * unknowns + [(None, None)]
    found = _solved(cost, above, np.concatenate([high, -low]), bounds)
    if found is None or found.x[-1] <= 0:
        return None
    prices = found.ineqlin.marginals
    net = prices[: len(matrix)] - prices[len(matrix) :]
    most = max(widths)
    return tuple(
        round(Fraction(price) * SCALE * most / width) for price, width in zip(net.tolist(), widths, strict=True)
    )


def whole(sums: Sums) -> list[int] | None:
    """Whole counts that satisfy all rows, by branch and bound in floats, if some are soon found."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    rows = _scaled(sums)
    if rows is None:
        return None
    matrix, low, high, _ = rows
    top = np.array(sums.top, dtype=float)
    found = milp(
        np.zeros(len(top)),
        integrality=np.ones(len(top)),
        bounds=Bounds(0, top),
        constraints=LinearConstraint(matrix / np.maximum(top, 1), low + MARGINS[1], high - MARGINS[1]),
        options={"node_limit": NODES},
    )
    return None if found.x is None else [round(x) for x in found.x.tolist()]


def _scaled(sums: Sums) -> tuple[Any, Any, Any, list[int]] | None:
    """The rows over shares instead of counts, each with a window of width one (in floats)."""
    # whole numbers lo … hi: half a step more on either side is still theirs alone
    widths = [hi - lo + 1 for lo, hi in sums.windows]
    try:
        matrix = np.array(
            [
                [coefficient * top / width for coefficient, top in zip(row, sums.top, strict=True)]
                for row, width in zip(sums.coefficients, widths, strict=True)
            ]
        )
        lows = np.array(
            [(2 * lo - 1) / (2 * width) for (lo, _), width in zip(sums.windows, widths, strict=True)]
        )
    except OverflowError:
        return None
    return matrix, lows, lows + 1, widths


def _solved(cost: Any, above: Any, limit: Any, bounds: Any) -> Any:
    from scipy.optimize import linprog

    found = linprog(cost, A_ub=above, b_ub=limit, bounds=bounds, method="highs")
    return found if found.status == 0 else None
