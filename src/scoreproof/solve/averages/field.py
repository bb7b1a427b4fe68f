"""The model in floats: what steers the searches, and never decides.

Every row is scaled so that the sums the parts can reach span about one unit.  ``vectors[g]``
holds, for every point of group g's grid, what a part there adds to the scaled rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoreproof.proof.averages_bounds import State
from scoreproof.proof.averages_model import Curve, Model
from scoreproof.proof.averages_tables import FINE, Array, Small
from scoreproof.proof.averages_tree import Replayer

TINY = 1e-9  # half-width given to rows that must hit one value exactly


@dataclass
class Body:
    """What the targets allow, in scaled rows: a box, and curves that tie rows together."""

    lo: Array
    hi: Array
    scale: Array
    curves: list[tuple[Curve, float, float, float]]

    def support(self, w: Array) -> Array:
        """The point of the body with the least w·point (approximately, at the curves)."""
        point = np.where(w > 0, self.lo, self.hi)
        for curve, centre, low, high in self.curves:
            i, j = curve.one, curve.two
            u, v = w[i] * self.scale[i], w[j] * self.scale[j]
            a, b = self.lo[i] / self.scale[i], self.hi[i] / self.scale[i]
            if curve.kind == "variance":
                if v > 0:
                    y = min(max(centre - u / (2 * v), a), b)
                    q = (y - centre) ** 2 + low
                else:
                    y = min((a, b), key=lambda x: u * x + v * ((x - centre) ** 2 + high))
                    q = (y - centre) ** 2 + high
                    if v == 0:
                        y = a if u > 0 else b
                        q = (y - centre) ** 2 + low
                point[i], point[j] = y * self.scale[i], q * self.scale[j]
            else:
                c, d = self.lo[j] / self.scale[j], self.hi[j] / self.scale[j]
                x, y = _f_support(centre, low, high, u, v, (a, b, c, d))
                point[i], point[j] = x * self.scale[i], y * self.scale[j]
        return point


def _f_support(
    beta: float, low: float, high: float, u: float, v: float, box: tuple[float, float, float, float]
) -> tuple[float, float]:
    """Mean precision and recall with the least u·P + v·R whose F-measure fits."""
    a, b, c, d = box

    def other(x: float, f: float, swap: bool) -> float:
        # R for a given P on the curve F = f, or P for a given R
        room = (1 + beta) / f - (beta / x if swap else 1 / x)
        return ((1 if swap else beta) / room) if room > 1e-12 else np.inf

    if low > 0 and d > 0 and b > 0:
        a, c = max(a, min(b, other(d, low, True))), max(c, min(d, other(b, low, False)))
    if u > 0 and v > 0 and low > 0:
        root = np.sqrt(u) + np.sqrt(beta * v)
        x = min(max(root * low / ((1 + beta) * np.sqrt(u)), a), b)
        return x, min(max(other(x, low, False), c), d)
    if u < 0 and v < 0 and high > 0:
        ends = [(b, min(d, other(b, high, False))), (min(b, other(d, high, True)), d)]
        return min(ends, key=lambda e: u * e[0] + v * e[1])
    return (a if u > 0 else b), (c if v > 0 else d)


class Field:
    """The vectors of a model's parts and the body their sum must land in."""

    def __init__(self, replayer: Replayer) -> None:
        self.replayer = replayer
        model = self.model = replayer.model
        rows = len(model.rows)
        self.vectors: list[Array] = []
        self.masks: list[Array | None] = []
        low = np.array([float(r.constant) for r in model.rows])
        high = low.copy()
        self.constant = low.copy()
        for g, (group, table) in enumerate(zip(model.groups, replayer.grids, strict=True)):
            assert isinstance(table, Small)
            factors = np.array([[float(f) for f in row.factors[g]] for row in model.rows])
            factors = factors.reshape(rows, len(group.columns))
            columns = np.stack(
                [
                    (d + w / 2) * 2.0**-bits
                    for d, w, bits in zip(table.data, table.width, table.bits, strict=True)
                ],
                axis=-1,
            )
            vectors = columns @ factors.T
            self.masks.append(None if table.whole else table.mask)
            kept = vectors[table.mask]
            if len(kept) and rows:
                low += len(group.parts) * kept.min(axis=0)
                high += len(group.parts) * kept.max(axis=0)
            self.vectors.append(vectors)
        self.scale = 1 / np.maximum(high - low, 1e-12)
        self.vectors = [v * self.scale for v in self.vectors]
        self.constant *= self.scale
        self.reach = low * self.scale, high * self.scale
        self.body = self._body(model, low - 1e-6, high + 1e-6)

    def _body(self, model: Model, low: Array, high: Array) -> Body:
        lo = np.array(
            [low[r] if row.interval.lo is None else float(row.interval.lo) for r, row in enumerate(model.rows)]
        )
        hi = np.array(
            [high[r] if row.interval.hi is None else float(row.interval.hi) for r, row in enumerate(model.rows)]
        )
        curves = []
        for curve in model.curves:
            ends = curve.interval
            bottom = 0.0 if ends.lo is None else float(ends.lo)
            top = 1e9 if ends.hi is None else float(ends.hi)
            if curve.kind == "variance":
                top = min(top, high[curve.two])
            curves.append((curve, float(curve.centre), bottom, top))
        return Body(lo * self.scale, hi * self.scale, self.scale, curves)

    def pick(self, g: int, rect: tuple[int, int, int, int], w: Array) -> tuple[int, int]:
        """The admissible point of a cell with the largest w·vector."""
        a, b, c, d = rect
        values = self.vectors[g][a : b + 1, c : d + 1] @ w
        mask = self.masks[g]
        if mask is not None:
            values = np.where(mask[a : b + 1, c : d + 1], values, -np.inf)
        tp, tn = divmod(int(values.argmax()), d - c + 1)
        return a + tp, c + tn

    def reached(self, state: State, w: Array) -> tuple[Array, list[tuple[int, int]]]:
        """The sum with the largest w·sum over a state, and each cell's point for it."""
        total = self.constant.copy()
        points = []
        for g, cells in enumerate(state):
            for rect, count in cells:
                tp, tn = self.pick(g, rect, w)
                total += count * self.vectors[g][tp, tn]
                points.append((tp, tn))
        return total, points

    def direction(self, w: Array, bits: int) -> tuple[int, ...] | None:
        """A scaled float direction as integer weights of the unscaled rows."""
        raw = w * self.scale
        for r, row in enumerate(self.model.rows):
            tied = any(c.two == r or (c.one == r and raw[c.two]) for c in self.model.curves)
            missing = row.interval.lo is None if raw[r] > 0 else row.interval.hi is None
            if missing and not tied:
                raw[r] = 0
        size = float(np.abs(raw).max(initial=0.0))
        # a zero vector proves nothing, and dividing by it would be worse
        if not np.isfinite(size) or size <= 0:
            return None
        integers = tuple(round(float(x)) for x in np.ldexp(raw / size, bits))
        return integers if any(integers) else None


def float_table(table: Any) -> Array:
    """A tabulated score as floats (steering only)."""
    return np.asarray(table.lo, dtype=float) * 2.0**-FINE
