"""Whether the hull of what all foldings can reach meets what the targets allow.

In floats, which only steer: the point nearest to 0 of the differences (allowed - reachable)
is found by Wolfe's method.  If it is not 0 it is a separating direction, and one that counts
only after it was rounded to integers and checked exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.proof.averages.tables import Array
from scoreproof.proof.foldings import Separating
from scoreproof.proof.foldings.bounds import Bounds, Box, State
from scoreproof.solve.averages.field import Body

STEPS = 200
NEAR = 1e-10  # this near to 0 in scaled units counts as reached (for steering only)
ROUNDINGS = (16, 26, 40)
CACHED = 64  # boxes whose vectors are kept


@dataclass
class Meeting:
    """A convex combination of choices whose sum is allowed, or too near to call.

    ``points[i][c]`` is the (p, tp, tn) that choice i takes in cell c.
    """

    weights: Array
    points: list[list[tuple[int, int, int]]]
    direction: Array


class Hull:
    """The scaled vectors of a model's folds and the body their sum must land in."""

    def __init__(self, bounds: Bounds, start: State) -> None:
        self.bounds = bounds
        rows = bounds.model.rows
        low, high = np.zeros(rows), np.zeros(rows)
        for cells, table in zip(start.cells, bounds.tables, strict=True):
            for box, count in cells:
                values, _ = table.values(box)
                low += count * values.min(axis=0)
                high += count * values.max(axis=0)
        self.scale = 1 / np.maximum(high - low, 1e-9)
        self.low, self.high = low - 1e-6, high + 1e-6
        self.cache: dict[tuple[int, Box], tuple[Array, Array]] = {}

    def vectors(self, s: int, box: Box) -> tuple[Array, Array]:
        """Scaled row values and (p, tp, tn) of the points of a box."""
        found = self.cache.get((s, box))
        if found is None:
            values, points = self.bounds.tables[s].values(box)
            found = values * self.scale, points
            if len(self.cache) >= CACHED:
                self.cache.pop(next(iter(self.cache)))
            self.cache[s, box] = found
        return found

    def body(self, state: State) -> Body:
        """What the targets allow in a state, in scaled rows."""
        frame = self.bounds.frame(state)
        ends = [row.interval for row in frame.rows]
        lo = np.array([self.low[r] if x.lo is None else float(x.lo) for r, x in enumerate(ends)])
        hi = np.array([self.high[r] if x.hi is None else float(x.hi) for r, x in enumerate(ends)])
        curves = []
        for curve in frame.curves:
            limits = curve.interval
            bottom = 0.0 if limits.lo is None else float(limits.lo)
            top = 1e9 if limits.hi is None else float(limits.hi)
            if curve.kind == "variance":
                top = min(top, self.high[curve.two])
            curves.append((curve, float(curve.centre), bottom, top))
        return Body(lo * self.scale, hi * self.scale, self.scale, curves)

    def active(self, state: State) -> Array:
        """Which rows say anything: a count that was never bounded does not."""
        used = np.ones(self.bounds.model.rows, dtype=bool)
        used[self.bounds.first :] = [
            now != then for now, then in zip(state.counts, self.bounds.model.counts, strict=True)
        ]
        return used

    def integers(self, x: Array, bits: int) -> tuple[int, ...] | None:
        """A direction of scaled rows as integers for the rows themselves."""
        direction = x * self.scale
        top = float(np.abs(direction).max(initial=0.0))
        if not np.isfinite(top) or top == 0:
            return None
        found = tuple(round(float(d) / top * 2**bits) for d in direction)
        return found if any(found) else None

    def checked(self, state: State, x: Array) -> Separating | None:
        """The direction in integers, if it then proves anything."""
        for bits in ROUNDINGS:
            direction = self.integers(x, bits)
            if direction is not None and self.bounds.separates(state, direction):
                return Separating(direction)
        return None

    def separate(self, state: State, hint: Array | None = None) -> Separating | Meeting:
        """A proof, or the combination of choices that shows there is none of this kind."""
        body, active = self.body(state), self.active(state)
        cells = [(s, box, count) for s, row in enumerate(state.cells) for box, count in row]
        sources = [(*self.vectors(s, box), count) for s, box, count in cells]

        def difference(x: Array) -> tuple[Array, list[tuple[int, int, int]]]:
            total = np.zeros(len(x))
            points: list[tuple[int, int, int]] = []
            for vectors, at, count in sources:
                best = int((vectors @ x).argmax())
                total = total + count * vectors[best]
                p, tp, tn = at[best]
                points.append((int(p), int(tp), int(tn)))
            return np.where(active, body.support(x) - total, 0.0), points

        if hint is not None:
            x = np.where(active, hint, 0.0)
            first, points = difference(x)
            if float(x @ first) > 0:
                proof = self.checked(state, x)
                if proof is not None:
                    return proof
        else:
            first, points = difference(np.where(active, (body.lo + body.hi) / 2, 0.0))
        kept, chosen, weights, x = [first], [points], np.ones(1), first
        for _ in range(STEPS):
            norm = float(x @ x)
            if norm < NEAR**2:
                break
            new, points = difference(x)
            ahead = float(x @ new)
            # a lower bound of the distance that is a good part of it: enough to try a proof
            if ahead > 0.3 * norm:
                proof = self.checked(state, x)
                if proof is not None:
                    return proof
            if norm - ahead <= 1e-9 * norm + 1e-24:
                break
            kept.append(new)
            chosen.append(points)
            x, weights, kept, chosen = nearest(kept, chosen, np.append(weights, 0.0))
            if float(x @ x) >= norm * (1 - 1e-13):
                break
        return Meeting(weights, chosen, x)


def nearest(
    kept: list[Array], chosen: list[list[tuple[int, int, int]]], weights: Array
) -> tuple[Array, Array, list[Array], list[list[tuple[int, int, int]]]]:
    """The point nearest to 0 of the hull of the kept differences, and what makes it up."""
    for _ in range(len(kept) + 2):
        matrix = np.array(kept)
        count = len(kept)
        system = np.ones((count + 1, count + 1))
        system[:count, :count] = matrix @ matrix.T
        system[count, count] = 0.0
        right = np.zeros(count + 1)
        right[count] = 1.0
        free = np.linalg.lstsq(system, right, rcond=1e-15)[0][:count]
        if free.min() > 1e-14:
            weights = free / free.sum()
            break
        # go towards the free minimum until the first weight vanishes, and drop that one
        steps = np.where(free <= 1e-14, weights / np.maximum(weights - free, 1e-300), np.inf)
        worst = int(steps.argmin())
        weights = weights + min(1.0, float(steps[worst])) * (free - weights)
        stay = weights > 1e-13
        stay[worst] = False
        if not stay.any():
            stay[int(weights.argmax())] = True
        kept = [k for k, keep in zip(kept, stay, strict=True) if keep]
        chosen = [c for c, keep in zip(chosen, stay, strict=True) if keep]
        weights = np.maximum(weights[stay], 1e-13)
        weights = weights / weights.sum()
    return weights @ np.array(kept), weights, kept, chosen
