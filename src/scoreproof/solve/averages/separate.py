"""Whether the hull of what a state can reach meets what the targets allow.

The nearest point to 0 of the differences (allowed - reachable) is found by Wolfe's method:
each step asks for the extreme difference in the current direction, which costs one pass over
the grids, and keeps a handful of them.  If 0 is not reached, the nearest point is a
separating direction; it is rounded to integers and checked exactly before it counts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from scoreproof.proof.averages import Separating
from scoreproof.proof.averages.bounds import State
from scoreproof.proof.averages.tables import Array
from scoreproof.solve.averages.field import Field

STEPS = 150
REACHED = 1e-11  # this near to 0 in scaled units counts as reached (for steering only)
ROUNDINGS = (12, 20, 30, 44)
ROUNDINGS_WIDE = (16, 30)  # bounds over unlisted grids cost much more than a step


@dataclass
class Meeting:
    """A convex combination of extreme choices whose sum is (nearly) allowed.

    ``direction`` is what is left of the difference: nothing, or too little to call.
    """

    weights: Array
    points: list[list[tuple[int, int]]]
    direction: Array


def separate(
    field: Field, state: State, hint: Array | None = None, deadline: float | None = None
) -> Separating | Meeting:
    """A proof, or the combination of choices that shows there is none of this kind."""
    body = field.body
    middle = (body.lo + body.hi) / 2
    enough = 0.3 if all(v is not None for v in field.vectors) else 0.99

    def difference(x: Array) -> tuple[Array, list[tuple[int, int]]]:
        sums, points = field.reached(state, x)
        return body.support(x) - sums, points

    first, points = difference(hint if hint is not None else middle - field.constant)
    if hint is not None and float(hint @ first) > 0:
        proof = _checked(field, state, hint)
        if proof is not None:
            return proof
    kept, chosen = [first], [points]
    weights = np.ones(1)
    x = first
    for _ in range(STEPS):
        if deadline is not None and time.monotonic() > deadline:
            break
        norm = float(x @ x)
        if norm < REACHED**2:
            break
        new, points = difference(x)
        field.work += 60_000
        product = float(x @ new)
        if product > enough * norm or norm - product <= 1e-12 * max(norm, 1e-12):
            if product > 0:
                proof = _checked(field, state, x)
                if proof is not None:
                    return proof
            if norm - product <= 1e-9 * norm:
                break
        kept.append(new)
        chosen.append(points)
        weights = np.append(weights, 0.0)
        x, weights, kept, chosen = _nearest(kept, chosen, weights)
        if float(x @ x) >= norm * (1 - 1e-13):
            break  # no progress left in floats
    return Meeting(weights, chosen, x)


def _nearest(
    kept: list[Array], chosen: list[list[tuple[int, int]]], weights: Array
) -> tuple[Array, Array, list[Array], list[list[tuple[int, int]]]]:
    """The point nearest to 0 of the hull of the kept differences (Wolfe's inner loop)."""
    for _ in range(len(kept) + 2):
        matrix = np.array(kept)
        gram = matrix @ matrix.T
        count = len(kept)
        system = np.ones((count + 1, count + 1))
        system[:count, :count] = gram
        system[count, count] = 0.0
        right = np.zeros(count + 1)
        right[count] = 1.0
        affine = np.linalg.lstsq(system, right, rcond=1e-15)[0][:count]
        if affine.min() > 1e-14:
            weights = affine / affine.sum()
            break
        # walk towards the affine minimum until the first weight vanishes, and drop that point
        bad = affine <= 1e-14
        steps = np.full(count, np.inf)
        steps[bad] = weights[bad] / np.maximum(weights[bad] - affine[bad], 1e-300)
        worst = int(steps.argmin())
        weights = weights + min(1.0, float(steps[worst])) * (affine - weights)
        stay = weights > 1e-13
        stay[worst] = False
        if not stay.any():
            stay[int(weights.argmax())] = True
        kept = [k for k, s in zip(kept, stay, strict=True) if s]
        chosen = [c for c, s in zip(chosen, stay, strict=True) if s]
        weights = np.maximum(weights[stay], 1e-13)
        weights = weights / weights.sum()
    return weights @ np.array(kept), weights, kept, chosen


def _checked(field: Field, state: State, x: Array) -> Separating | None:
    """The direction in integers, if it then proves anything in exact arithmetic."""
    known = None
    listed = all(v is not None for v in field.vectors)
    for bits in ROUNDINGS if listed else ROUNDINGS_WIDE:
        direction = field.direction(x, bits)
        if direction is None or direction == known:
            continue
        known = direction
        field.work += (100_000 if listed else 20_000_000) * sum(map(len, state))
        leaf = Separating(direction)
        if field.replayer.holds(state, leaf):
            return leaf
    return None
