"""Whether the hull of what a state can reach meets what the targets allow.

The nearest point to 0 of the differences (allowed - reachable) is found by Wolfe's method:
each step asks for the extreme difference in the current direction, which costs one pass over
the grids, and keeps a handful of them.  If 0 is not reached, the nearest point is a
separating direction; it is rounded to integers and checked exactly before it counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.proof.averages import Separating
from scoreproof.proof.averages_bounds import State
from scoreproof.proof.averages_tables import Array
from scoreproof.solve.averages.field import Field

STEPS = 150
REACHED = 1e-11  # this near to 0 in scaled units counts as reached (for steering only)
ROUNDINGS = (12, 20, 30, 44)


@dataclass
class Meeting:
    """A convex combination of extreme choices whose sum is (nearly) allowed."""

    weights: Array
    points: list[list[tuple[int, int]]]


def separate(field: Field, state: State, hint: Array | None = None) -> Separating | Meeting | Array:
    """A proof, or the combination that shows there is none of this kind, or the direction
    that looked like a proof in floats but is too close to call."""
    body = field.body
    middle = (body.lo + body.hi) / 2

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
        norm = float(x @ x)
        if norm < REACHED**2:
            break
        new, points = difference(x)
        product = float(x @ new)
        if product > 0.3 * norm or norm - product <= 1e-12 * max(norm, 1e-12):
            if product > 0:
                proof = _checked(field, state, x)
                if proof is not None:
                    return proof
            if norm - product <= 1e-9 * norm:
                return x
        kept.append(new)
        chosen.append(points)
        weights = np.append(weights, 0.0)
        x, weights, kept, chosen = _nearest(kept, chosen, weights)
    return Meeting(weights, chosen)


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
        falling = affine < weights
        ratios = np.where(
            falling & (affine <= 1e-14), weights / np.maximum(weights - affine, 1e-300), 1.0
        )
        step = float(min(1.0, ratios.min()))
        weights = weights + step * (affine - weights)
        stay = weights > 1e-13
        if not stay.any():
            stay[-1] = True
        if stay.all():
            stay[int(weights.argmin())] = False
            if not stay.any():
                break
        kept = [k for k, s in zip(kept, stay, strict=True) if s]
        chosen = [c for c, s in zip(chosen, stay, strict=True) if s]
        weights = weights[stay] / weights[stay].sum()
    return weights @ np.array(kept), weights, kept, chosen


def _checked(field: Field, state: State, x: Array) -> Separating | None:
    """The direction in integers, if it then proves anything in exact arithmetic."""
    known = None
    for bits in ROUNDINGS:
        direction = field.direction(x, bits)
        if direction is None or direction == known:
            continue
        known = direction
        leaf = Separating(direction)
        if field.replayer.holds(state, leaf):
            return leaf
    return None
