"""The model in floats: what steers the searches, and never decides.

Every row is scaled so that the sums the parts can reach span about one unit.  ``vectors[g]``
holds, for every point of group g's grid, what a part there adds to the scaled rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.proof.averages.bounds import State
from scoreproof.proof.averages.model import Column, Curve, Group, Model
from scoreproof.proof.averages.tables import Array, Rect, Small
from scoreproof.proof.averages.tree import Replayer
from scoreproof.scores import ROWS, Betas

TINY = 1e-9  # half-width given to rows that must hit one value exactly
MESH = 24  # points a side of the mesh laid over a grid that is not listed


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
        self.work = 0  # about nanoseconds, but counted, so the same on every machine
        model = self.model = replayer.model
        rows = len(model.rows)
        self.vectors: list[Array | None] = []  # None for a grid that is not listed
        self.masks: list[Array | None] = []
        self.factors: list[Array] = []
        low = np.array([float(r.constant) for r in model.rows])
        high = low.copy()
        self.constant = low.copy()
        for g, (group, table) in enumerate(zip(model.groups, replayer.grids, strict=True)):
            factors = np.array([[float(f) for f in row.factors[g]] for row in model.rows])
            factors = factors.reshape(rows, len(group.columns))
            self.factors.append(factors)
            m = len(group.parts)
            if not isinstance(table, Small):
                self.vectors.append(None)
                self.masks.append(None)
                ends = np.array([column_ends(c, group) for c in group.columns])
                both = np.stack([factors * ends[:, 0], factors * ends[:, 1]])
                low += m * both.min(axis=0).sum(axis=1)
                high += m * both.max(axis=0).sum(axis=1)
                continue
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
                low += m * kept.min(axis=0)
                high += m * kept.max(axis=0)
            self.vectors.append(vectors)
        self.scale = 1 / np.maximum(high - low, 1e-12)
        self.vectors = [None if v is None else v * self.scale for v in self.vectors]
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

    def at(self, g: int, tp: Array, tn: Array) -> Array:
        """What parts of group g at these points add to the scaled rows."""
        vectors = self.vectors[g]
        if vectors is not None:
            return np.asarray(vectors[tp, tn])
        group, problem = self.model.groups[g], self.model.problem
        columns = [float_column(c, group, problem.betas, problem.undefined, tp, tn) for c in group.columns]
        return np.asarray(np.stack(columns, axis=-1) @ self.factors[g].T * self.scale)

    def pick(self, g: int, rect: Rect, w: Array) -> tuple[int, int]:
        """The admissible point of a cell with the largest w·vector."""
        a, b, c, d = rect
        vectors = self.vectors[g]
        if vectors is None:
            return self._pick_wide(g, rect, w)
        values = vectors[a : b + 1, c : d + 1] @ w
        mask = self.masks[g]
        if mask is not None:
            values = np.where(mask[a : b + 1, c : d + 1], values, -np.inf)
        tp, tn = divmod(int(values.argmax()), d - c + 1)
        return a + tp, c + tn

    def _pick_wide(self, g: int, rect: Rect, w: Array) -> tuple[int, int]:
        """About the same on a grid that is not listed: a coarse mesh, refined around its best."""
        a, b, c, d = rect
        x, y = a, c
        for _ in range(8):
            tp = np.unique(np.linspace(a, b, MESH).round().astype(np.int64))
            tn = np.unique(np.linspace(c, d, MESH).round().astype(np.int64))
            grid_tp, grid_tn = (m.ravel() for m in np.meshgrid(tp, tn, indexing="ij"))
            best = int((self.at(g, grid_tp, grid_tn) @ w).argmax())
            x, y = int(grid_tp[best]), int(grid_tn[best])
            if b - a < MESH and d - c < MESH:
                break
            half = (b - a) // (MESH // 2) + 1, (d - c) // (MESH // 2) + 1
            a, b = max(rect[0], x - half[0]), min(rect[1], x + half[0])
            c, d = max(rect[2], y - half[1]), min(rect[3], y + half[1])
        return x, y

    def reached(self, state: State, w: Array) -> tuple[Array, list[tuple[int, int]]]:
        """The sum with the largest w·sum over a state, and each cell's point for it."""
        total = self.constant.copy()
        points = []
        for g, cells in enumerate(state):
            for rect, count in cells:
                tp, tn = self.pick(g, rect, w)
                listed = self.vectors[g]
                if listed is None:
                    self.work += 1_000_000
                else:
                    self.work += 20_000 + len(w) * (rect[1] - rect[0] + 1) * (rect[3] - rect[2] + 1)
                here = self.at(g, np.array(tp), np.array(tn)) if listed is None else listed[tp, tn]
                total += count * here
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


def float_score(name: str, p: int, n: int, betas: Betas, tp: Array, tn: Array) -> Array:
    """A score in floats, NaN where it is undefined (steering only)."""
    score = ROWS[name]

    def polynomial(k: tuple[int, ...]) -> Array:
        a, b, c, d, e, f = (float(x) for x in k)
        return a * tp * tp + b * tp * tn + c * tn * tn + d * tp + e * tn + f

    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = polynomial(score.numerator(p, n, betas)) / polynomial(score.denominator(p, n, betas))
        if score.threshold:
            return np.asarray(1 / (1 + np.sqrt(ratio)))
        if score.squared:
            root = np.sqrt(np.maximum(ratio, 0))
            return np.asarray(np.where(tp / p + tn / n < 1, -root, root) if score.signed else root)
        return np.asarray(ratio)


def float_column(column: Column, group: Group, betas: Betas, convention: str, tp: Array, tn: Array) -> Array:
    """A column in floats at some points."""
    tp, tn = np.asarray(tp, dtype=float), np.asarray(tn, dtype=float)
    if column.what == "tp":
        return tp
    if column.what == "tn":
        return tn
    value = float_score(column.score, group.p, group.n, betas, tp, tn)
    absent = ~np.isfinite(value)
    value = np.where(absent, 0.0, value)
    if column.what == "defined":
        return np.where(absent & (convention != "zero"), 0.0, 1.0)
    if column.what == "inside":
        low = -np.inf if column.interval.lo is None else float(column.interval.lo)
        high = np.inf if column.interval.hi is None else float(column.interval.hi)
        return np.where((value >= low) & (value <= high), 1.0, 0.0)
    value = value - float(column.shift)
    value = value * value if column.what == "square" else value
    return np.where(absent & (convention != "zero"), 0.0, value)


def column_ends(column: Column, group: Group) -> tuple[float, float]:
    """About the smallest and largest value of a column."""
    if column.what == "tp":
        return 0.0, float(group.p)
    if column.what == "tn":
        return 0.0, float(group.n)
    if column.what in ("defined", "inside"):
        return 0.0, 1.0
    score = ROWS[column.score]
    low = 0.0 if score.lowest is None else float(score.lowest)
    high = 100.0 if score.highest is None else float(score.highest)
    low, high = low - float(column.shift), high - float(column.shift)
    return (0.0, max(low * low, high * high)) if column.what == "square" else (low, high)
