"""Whether the hull of what a state can reach meets what the targets allow.

The nearest point to 0 of the differences (allowed - reachable) is found by Wolfe's method:
each step asks for the extreme difference in the current direction, which costs one pass over
the points, and keeps a handful of them.  If 0 is not reached, the nearest point is a
separating direction; it is rounded to integers and checked exactly before it counts.  Where rows are nearly
parallel the method creeps; then a linear programme over the differences seen so far proposes directions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoreproof.proof.sums.bounds import State
from scoreproof.proof.sums.grid import Array
from scoreproof.proof.sums.nodes import Separating
from scoreproof.solve.sums.field import Field, Point

STEPS = 150
REACHED = 1e-11  # this near to 0 in scaled units counts as reached (for steering only)
ROUNDINGS = (12, 20, 30, 44)
ROUNDINGS_WIDE = (16, 30)  # bounds over unlisted grids cost much more than a step

#: Work of a step of the method, and of checking a direction in a cell that is listed, or not.
STEP, CHECK, CHECK_WIDE = 60_000, 100_000, 20_000_000

#: What is farther from 0 than this was given up too soon; so many directions are proposed then, at a work of
#: so much each, and differences enter in such units, which are far above what the programme tells from 0.
GIVEN_UP, PROPOSED, PROGRAMME, UNIT = 1e-8, 60, 4_000_000, 1e-4

Extreme = tuple[list[Point], Array]  # a point of every cell, and the sums of the rows


@dataclass
class Meeting:
    """A convex combination of extreme choices whose sum is (nearly) allowed.

    ``direction`` is what is left of the difference: nothing, or too little to call.
    """

    weights: Array
    points: list[list[Point]]
    sums: Array  # of the rows, scaled
    direction: Array


def separate(
    field: Field, state: State, hint: Array | None = None, *, thorough: bool = False
) -> Separating | Meeting:
    """A proof, or the combination of choices that shows there is none of this kind.

    A ``thorough`` search asks a linear programme, too: of many states few are worth it.
    """
    live = np.concatenate([~field.quiet, np.ones(len(state.counts), dtype=bool)])
    while True:
        found = _with_rows(field, state, hint, live, thorough)
        if isinstance(found, Separating) or not field.quiet.any():
            return found
        # rows that seldom matter are asked only where a mixture breaks them
        body = field.body
        broken = (found.sums > body.hi + 1e-9) | (found.sums < body.lo - 1e-9)
        missed = np.concatenate([broken & field.quiet, np.zeros(len(state.counts), dtype=bool)]) & ~live
        if not missed.any():
            return found
        live = live | missed
        hint = None


def _with_rows(
    field: Field, state: State, hint: Array | None, live: Array, thorough: bool
) -> Separating | Meeting:
    """The same with some of the rows."""
    body = field.body
    scale, low, high = field.counts(state)
    lo, hi = np.concatenate([body.lo, low]), np.concatenate([body.hi, high])
    rows = len(body.lo)
    enough = 0.99 if field.wide else 0.3

    def difference(x: Array) -> tuple[Array, Extreme]:
        sums, points = field.reached(state, x, scale)
        wanted = np.where(x > 0, lo, hi)
        wanted[:rows] = body.support(x[:rows])
        return np.where(live, wanted - sums, 0.0), (points, sums[:rows])

    hint = _padded(hint, live)
    first, points = difference(hint if hint is not None else np.where(live, (lo + hi) / 2, 0.0))
    if hint is not None and float(hint @ first) > 0:
        proof = checked(field, state, hint, scale)
        if proof is not None:
            return proof
    kept, chosen, seen = [first], [points], [first]
    weights = np.ones(1)
    x = first
    for _ in range(STEPS):
        norm = float(x @ x)
        if norm < REACHED**2:
            break
        new, points = difference(x)
        field.budget.spend(STEP)
        product = float(x @ new)
        if product > enough * norm or norm - product <= 1e-12 * max(norm, 1e-12):
            if product > 0:
                proof = checked(field, state, x, scale)
                if proof is not None:
                    return proof
            if norm - product <= 1e-9 * norm:
                break
        kept.append(new)
        seen.append(new)
        chosen.append(points)
        weights = np.append(weights, 0.0)
        x, weights, kept, chosen = _nearest(kept, chosen, weights)
        if float(x @ x) >= norm * (1 - 1e-13):
            break  # no progress left in floats
    if thorough and float(x @ x) > GIVEN_UP**2:
        proof = _proposed(field, state, difference, seen, scale)
        if proof is not None:
            return proof
    sums = weights @ np.array([sums for _, sums in chosen])
    return Meeting(weights, [points for points, _ in chosen], sums, x)


def _padded(hint: Array | None, live: Array) -> Array | None:
    """A direction of fewer rows as one of all that are live, if anything is left of it."""
    if hint is None or len(hint) > len(live):
        return None
    hint = np.where(live, np.concatenate([hint, np.zeros(len(live) - len(hint))]), 0.0)
    return hint if hint.any() else None


def _proposed(
    field: Field,
    state: State,
    difference: Callable[[Array], tuple[Array, Extreme]],
    seen: list[Array],
    scale: Array,
) -> Separating | None:
    """A proof by the direction in which all differences seen so far are the farthest from 0, if it then
    holds for all others as well; those that break it are seen next."""
    from scipy.optimize import linprog

    count = len(seen[0])
    for _ in range(PROPOSED):
        field.budget.spend(PROGRAMME + STEP)
        above = np.hstack([-np.array(seen) / UNIT, np.ones((len(seen), 1))])
        bounds = [(-1, 1)] * count + [(None, None)]
        found = linprog([0.0] * count + [-1.0], A_ub=above, b_ub=np.zeros(len(seen)), bounds=bounds)
        if found.status != 0 or found.x[-1] <= REACHED / UNIT:
            return None
        x = np.asarray(found.x[:-1])
        new = difference(x)[0]
        far = float(x @ new) / UNIT
        if far > 0:
            proof = checked(field, state, x, scale)
            if proof is not None:
                return proof
        if far > found.x[-1] * (1 - 1e-6):
            return None
        seen.append(new)
    return None


def _nearest(
    kept: list[Array], chosen: list[Extreme], weights: Array
) -> tuple[Array, Array, list[Array], list[Extreme]]:
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


def whole_weights(field: Field, x: Array, scale: Array, bits: int) -> tuple[tuple[int, int], ...] | None:
    """A scaled float direction as whole weights of the unscaled rows (and counts)."""
    raw = x * np.concatenate([field.scale, scale])
    model = field.model
    for r, row in enumerate(model.rows):
        tied = any(c.two == r or (c.one == r and (raw[c.two] or c.kind == "mcc")) for c in model.curves)
        missing = row.interval.lo is None if raw[r] > 0 else row.interval.hi is None
        if missing and not tied:
            raw[r] = 0
    size = float(np.abs(raw).max(initial=0.0))
    # a zero vector proves nothing, and dividing by it would be worse
    if not np.isfinite(size) or size <= 0:
        return None
    whole = [round(float(each)) for each in np.ldexp(raw / size, bits)]
    return tuple((r, w) for r, w in enumerate(whole) if w) or None


def checked(field: Field, state: State, x: Array, scale: Array) -> Separating | None:
    """The direction in integers, if it then proves anything in exact arithmetic."""
    known = None
    for bits in ROUNDINGS_WIDE if field.wide else ROUNDINGS:
        weights = whole_weights(field, x, scale, bits)
        if weights is None or weights == known:
            continue
        known = weights
        columns = max(len(group.options[0].columns) for group in field.model.groups) if field.wide else 1
        field.budget.spend((CHECK_WIDE if field.wide else CHECK) * columns * sum(map(len, state.cells)))
        leaf = Separating(weights)
        if field.walker.holds(state, leaf):
            return leaf
    return None
