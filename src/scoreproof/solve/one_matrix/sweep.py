"""Many columns of a region at once, with numpy.

A float only proposes where an up-set begins.  The proposal t is accepted where the sign of
the integer polynomial at t and at t-1 is certain in floating point: its computed value is
larger than a proven bound on its rounding error.  The doubtful few are settled in integers.

The bound: the six coefficients are rounded once, each term passes through at most two
products with integers below 2**53 (which floats hold exactly) and six additions; the value
at t-1 is the value at t less a difference of four such terms.  So either is off by at most
16 units of 2**-53 (to first order) of the sum of the terms' sizes.  ``GUARD`` = 2**-48 is
twice that, which covers the second order and the rounding of the bound itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.solve.one_matrix.frontier import Conic, Frontier, Line, SignedConic
from scoreproof.solve.one_matrix.regions import Region

GUARD = 2.0**-48
CHUNK = 8192
# The C library gives memory of the size of a freed block back at once only beyond it: without this one, every
# chunk is fetched from the system anew, which doubles the time of a sweep.
np.empty(64 * CHUNK)

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def columns(region: Region, first: int, last: int) -> tuple[Ints, Ints]:
    """(lowest, highest) fitting tn of every column first..last (none where lowest > highest)."""
    lows, highs = [], []
    for start in range(first, last + 1, CHUNK):
        xs = np.arange(start, min(start + CHUNK, last + 1), dtype=np.int64)
        low = np.full(len(xs), region.c, dtype=np.int64)
        high = np.full(len(xs), region.d, dtype=np.int64)
        for bound in region.floors:
            np.maximum(low, starts(bound.frontier, xs, region.c, region.d), out=low)
        for bound in region.ceilings:
            np.minimum(high, starts(bound.frontier, xs, region.c, region.d) - 1, out=high)
        lows.append(low)
        highs.append(high)
    return np.concatenate(lows), np.concatenate(highs)


def first_point(region: Region, first: int, last: int) -> tuple[int, int] | None:
    """The highest fitting tn of the first column of first..last that has any."""
    low, high = columns(region, first, last)
    fitting = (low <= high).nonzero()[0]
    if not len(fitting):
        return None
    at = int(fitting[0])
    return first + at, int(high[at])


def count(region: Region, first: int, last: int) -> int:
    """The number of fitting points in the columns first..last."""
    total = 0
    for start in range(first, last + 1, CHUNK):
        low, high = columns(region, start, min(start + CHUNK - 1, last))
        # Each height is at most 2**53 and there are at most 2**13 of them; adding the
        # upper and lower halves apart keeps every sum below 2**63.
        heights = np.maximum(high - low + 1, 0)
        total += (int((heights >> 20).sum()) << 20) + int((heights & 0xFFFFF).sum())
    return total


def starts(frontier: Frontier, xs: Ints, low: Any, high: Any) -> Ints:
    """``frontier.column`` for many columns; ``low`` and ``high`` may be arrays."""
    if isinstance(frontier, Line):
        return _line(frontier, xs, low, high)
    if isinstance(frontier, SignedConic):
        return _conic(frontier, frontier.conic, xs, low, high)
    assert isinstance(frontier, Conic)
    return _conic(frontier, frontier, xs, low, high)


def _line(frontier: Line, xs: Ints, low: Any, high: Any) -> Ints:
    _, _, _, d, e, f = frontier.polynomial
    largest = abs(d) * int(xs[-1]) + abs(f) + abs(e) * (int(np.max(high)) + 1)
    if largest >= 2**62:
        return _exactly(frontier, xs, low, high, np.arange(len(xs)), np.empty(len(xs), dtype=np.int64))
    if e > 0:
        first = -((d * xs + f) // e)
        return np.maximum(np.minimum(first, high + 1), low)  # type: ignore[no-any-return]
    chosen: Ints = np.where(d * xs + e * low + f >= 0, low, high + 1)
    return chosen


def _conic(frontier: Frontier, conic: Conic, xs: Ints, low: Any, high: Any) -> Ints:
    """Where the conic crosses upwards; a signed frontier's crossing is the same one.

    For v > 0 the conic is negative where the sign changes (M = 0), for v < 0 it is positive
    there, so the only upward crossing of the conic is the frontier itself.  Only a column
    without a crossing between low and high needs a look at the sign as well.
    """
    try:
        a, b, c, d, e, f = (float(value) for value in conic.polynomial)
    except OverflowError:
        return _exactly(frontier, xs, low, high, np.arange(len(xs)), np.empty(len(xs), dtype=np.int64))
    x = xs.astype(np.float64)
    right, top = float(xs[-1]), float(np.max(high)) + 1.0
    slack = GUARD * (
        (abs(a) * right + abs(b) * top + abs(d)) * right + (abs(c) * top + abs(c) + abs(e)) * top + abs(f)
    )
    with np.errstate(all="ignore"):
        q1 = b * x
        q1 += e
        q0 = a * x
        q0 += d
        q0 *= x
        q0 += f
        if c:
            root = q1 * q1
            root -= (4.0 * c) * q0
            np.maximum(root, 0.0, out=root)
            np.sqrt(root, out=root)
            if q1[0] > 0 and q1[-1] > 0:  # the form without cancellation
                root += q1
                guess = np.divide(q0, root, out=root)
                guess *= -2.0
            else:
                root -= q1
                root *= 0.5 / c
                guess = root
        else:
            guess = -q0 / q1
        np.ceil(guess, out=guess)
        np.maximum(guess, low, out=guess)
        t = np.minimum(guess, high + 1, out=guess)
        here = c * t
        here += q1
        # the value at t-1 is the value at t less c·(2t-1) + q1
        there = here + c * t
        there -= c
        here *= t
        here += q0
        np.subtract(here, there, out=there)
        inside = (here > slack) & (there < -slack)
        result: Ints = t.astype(np.int64)
    if not inside.all():
        edge = np.flatnonzero(~inside)
        certain = _at_edges(frontier, conic, xs, low, high, edge, result, here, there, slack)
        _exactly(frontier, xs, low, high, edge[~certain], result)
    return result


def _at_edges(
    frontier: Frontier,
    conic: Conic,
    xs: Ints,
    low: Any,
    high: Any,
    edge: npt.NDArray[np.intp],
    result: Ints,
    here: Floats,
    there: Floats,
    slack: float,
) -> npt.NDArray[np.bool_]:
    """Which of the columns are settled because their up-set begins at low or beyond high."""
    bottom = np.broadcast_to(np.asarray(low), xs.shape)[edge]
    beyond = np.broadcast_to(np.asarray(high), xs.shape)[edge] + 1
    whole = (result[edge] == bottom) & (here[edge] > slack)
    none = (result[edge] == beyond) & (there[edge] < -slack)
    if isinstance(frontier, SignedConic):
        _, _, _, d, e, f = frontier.sign.polynomial
        if abs(d) * int(xs[-1]) + abs(f) + abs(e) * (int(np.max(high)) + 1) >= 2**62:
            return np.zeros(len(edge), dtype=bool)
        if frontier.union:
            none &= d * xs[edge] + e * (beyond - 1) + f < 0
        else:
            whole &= d * xs[edge] + e * bottom + f >= 0
    settled: npt.NDArray[np.bool_] = whole | none
    return settled


def _exactly(
    frontier: Frontier, xs: Ints, low: Any, high: Any, where: npt.NDArray[np.intp], result: Ints
) -> Ints:
    if len(where):
        low = np.broadcast_to(np.asarray(low), xs.shape)
        high = np.broadcast_to(np.asarray(high), xs.shape)
        for i in where.tolist():
            result[i] = frontier.column(int(xs[i]), int(low[i]), int(high[i]))
    return result
