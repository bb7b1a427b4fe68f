"""Whether the convex hull of what the cells can add meets what the rows allow.

The nearest point to 0 of the differences (allowed - reached) is found by Wolfe's method: each step
asks every cell for its extreme choice in the current direction.  If 0 is not reached, the nearest
point is a direction that separates; it is rounded to integers and checked exactly before it counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoreproof.budget import Budget
from scoreproof.proof.classes import Separating
from scoreproof.proof.classes.bounds import separates
from scoreproof.proof.classes.model import Box, Row
from scoreproof.solve.averages.separate import _nearest as nearest
from scoreproof.solve.classes.field import Array, Field

STEPS = 200
REACHED = 1e-9  # this near to 0 in scaled units counts as reached (for steering only)
ENOUGH = 0.3  # a direction that separates by this share of the distance is tried
BITS = (20, 30)

Point = tuple[int, int]


@dataclass
class Mixture:
    """Choices of every cell with weights whose mean sum is (nearly) allowed.

    ``sums`` are the scaled rows of the mixture; ``direction`` is what is left of the difference:
    nothing, or too little to call.
    """

    points: list[list[Point]]
    shares: list[list[float]]
    sums: Array
    direction: Array
    complete: bool = True


class Ends:
    """The choices of a box that can be extreme: every m with the least and the largest tp."""

    def __init__(self, field_: Field, box: Box) -> None:
        tps, ms, vectors, starts = [], [], [], []
        count = 0
        for i, own in enumerate(box):
            m, first, last = field_.places(i, own)
            both = np.concatenate([first, last]), np.concatenate([m, m])
            starts.append(count)
            count += len(both[0])
            tps.append(both[0])
            ms.append(both[1])
            vectors.append(field_.at(i, *both) * field_.scale)
        self.tp, self.m = np.concatenate(tps), np.concatenate(ms)
        self.vectors = np.concatenate(vectors)
        self.starts = [*starts, count]

    def extreme(self, values: Array) -> list[int]:
        """The numbers of the choices with the largest values, one of every cell."""
        return [
            start + int(values[start:stop].argmax())
            for start, stop in zip(self.starts, self.starts[1:], strict=False)
        ]

    def range(self) -> tuple[Array, Array]:
        """Bounds on the scaled sums."""
        parts = [self.vectors[a:b] for a, b in zip(self.starts, self.starts[1:], strict=False)]
        least = np.sum([part.min(axis=0) for part in parts], axis=0)
        return np.asarray(least), np.asarray(np.sum([part.max(axis=0) for part in parts], axis=0))

    def point(self, number: int) -> Point:
        return int(self.tp[number]), int(self.m[number])


def proof(
    field_: Field, box: Box, rows: list[Row], weights: Array, bits: tuple[int, ...] = BITS
) -> Separating | None:
    """Weights of rows in integers, if they then prove anything in exact arithmetic."""
    top = float(np.abs(weights).max(initial=0.0))
    if not np.isfinite(top) or top <= 0:
        return None
    for size in bits:
        whole = np.rint(weights * ((1 << size) / top))
        found = {int(r): int(whole[r]) for r in np.flatnonzero(whole)}
        if found and separates(field_.model, box, rows, found):
            return Separating(tuple(found.items()))
    return None


def single_rows(field_: Field, box: Box, rows: list[Row]) -> Separating | None:
    """A row that misses its interval all by itself."""
    for r in range(len(rows)):
        weights = np.zeros(len(rows))
        for sign, end in ((1.0, field_.lo[r]), (-1.0, field_.hi[r])):
            if not np.isfinite(end):
                continue
            weights[r] = sign
            cells = {*rows[r].affine, *(i for i, _ in rows[r].curved)}
            reached = sum(field_.best(i, box[i], weights)[0] for i in sorted(cells))
            if reached < sign * end + 1e-9 * max(1.0, abs(end)):
                found = proof(field_, box, rows, weights, (0,))
                if found is not None:
                    return found
    return None


def separate(
    field_: Field, box: Box, rows: list[Row], hint: Array | None = None, budget: Budget | None = None
) -> Separating | Mixture:
    """A proof that the box is empty, or the mixture that shows there is none of this kind."""
    ends = Ends(field_, box)
    # Rows that hold everywhere in the box have nothing to say here; that a matrix exists is asked
    # only where a mixture without it would not.
    least, most = ends.range()
    live = (least < field_.lo * field_.scale) | (most > field_.hi * field_.scale)
    fit = live & np.array([row.fit for row in rows])
    live &= ~fit
    while True:
        found = _met(field_, box, rows, ends, live, hint, budget)
        if isinstance(found, Separating) or not found.complete:
            return found
        missed = fit & ~live & (found.sums > field_.hi * field_.scale + 1e-9)
        if not missed.any():
            return found
        live |= missed
        hint = None


def _met(
    field_: Field, box: Box, rows: list[Row], ends: Ends, live: NDArray[np.bool_], hint: Array | None,
    budget: Budget | None,
) -> Separating | Mixture:  # fmt: skip
    """The same with some of the rows."""
    vectors = np.ascontiguousarray(ends.vectors[:, live])
    lo, hi = (field_.near_lo * field_.scale)[live], (field_.near_hi * field_.scale)[live]

    def difference(x: Array) -> tuple[Array, list[int]]:
        """The extreme difference between what is allowed and what is reached, in a direction."""
        chosen = ends.extreme(vectors @ x)
        return np.where(x > 0, lo, hi) - vectors[chosen].sum(axis=0), chosen

    def proven(x: Array) -> Separating | None:
        weights = np.zeros(len(rows))
        weights[live] = x
        return proof(field_, box, rows, weights * field_.scale)

    if hint is not None:
        hint = hint[live]
    first, points = difference(np.ones(int(live.sum())) if hint is None or not hint.any() else hint)
    if hint is not None and float(hint @ first) > 0:
        found = proven(hint)
        if found is not None:
            return found
    kept, choices = [first], [points]
    shares = np.ones(1)
    x = first
    for _ in range(STEPS):
        if budget is not None and budget.late:
            return Mixture([], [], x, x, False)
        norm = float(x @ x)
        if norm < REACHED**2:
            break
        new, points = difference(x)
        product = float(x @ new)
        if product > ENOUGH * norm or norm - product <= 1e-9 * norm:
            found = proven(x) if product > 0 else None
            if found is not None:
                return found
            if norm - product <= 1e-9 * norm:
                break
        kept.append(new)
        choices.append(points)
        x, shares, kept, choices = nearest(kept, choices, np.append(shares, 0.0))  # type: ignore[arg-type,assignment]
        if float(x @ x) >= norm * (1 - 1e-13):
            break  # no progress left in floats
    mixed: list[dict[Point, float]] = [{} for _ in box]
    sums = np.zeros(len(rows))
    for share, chosen in zip(shares, choices, strict=True):
        sums += float(share) * ends.vectors[chosen].sum(axis=0)
        for own, number in zip(mixed, chosen, strict=True):
            point = ends.point(number)
            own[point] = own.get(point, 0.0) + float(share)
    direction = np.zeros(len(rows))
    direction[live] = x
    return Mixture([list(own) for own in mixed], [list(own.values()) for own in mixed], sums, direction)
