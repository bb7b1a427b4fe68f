"""The model in floats: what steers the searches, and never decides.

Every row is scaled so that the sums the parts can reach span about one unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.bounds import Count, State
from scoreproof.proof.sums.calls import MOST_COLUMNS, Calls
from scoreproof.proof.sums.folds import Folds, Straight
from scoreproof.proof.sums.grid import Array, Box, Grid
from scoreproof.proof.sums.model import Column, Curve, Model, Option, Row
from scoreproof.proof.sums.walk import Walker
from scoreproof.scores import ROWS, Betas

TINY = 1e-9  # half-width given to rows that must hit one value exactly
SAME = 1e-9  # a row whose sums differ by this share of their size has one sum
MESH = 24  # points a side of the mesh laid over a grid that is not listed
KEPT = 4_000_000  # entries of vectors kept in memory, all together

#: Work of picking a point: per cell, per entry that is looked at, and on a grid that is not listed.
PICK, ENTRY, UNLISTED = 15_000, 0.6, 1_000_000

Point = tuple[int, int, int]  # p, tp, tn


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
            box = tuple(float(x[k] / self.scale[k]) for k in (i, j) for x in (self.lo, self.hi))
            one, two = SUPPORT[curve.kind](centre, low, high, u, v, box)
            point[i], point[j] = one * self.scale[i], two * self.scale[j]
        return point


Ends = tuple[float, ...]  # least and largest value of the first row, and of the second


def _variance_support(
    centre: float, low: float, high: float, u: float, v: float, box: Ends
) -> tuple[float, float]:
    """Mean and mean of squares with the least u·y + v·q whose variance fits."""
    a, b = box[:2]
    if v > 0:
        y = min(max(centre - u / (2 * v), a), b)
        return y, (y - centre) ** 2 + low
    if v == 0:
        y = a if u > 0 else b
        return y, (y - centre) ** 2 + low
    y = min((a, b), key=lambda x: u * x + v * ((x - centre) ** 2 + high))
    return y, (y - centre) ** 2 + high


def _f_support(beta: float, low: float, high: float, u: float, v: float, box: Ends) -> tuple[float, float]:
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


def _mcc_support(spread: float, low: float, high: float, u: float, v: float, box: Ends) -> tuple[float, float]:
    """Agreement y and squares q with the least u·y + v·q where y/√(spread·(1-q)) fits."""
    slope = u * (low if u > 0 else high) * np.sqrt(spread)
    first, last = np.sqrt(max(0.0, 1 - box[3])), np.sqrt(max(0.0, 1 - box[2]))
    places = [first, last]
    if v < 0 and first < slope / (2 * v) < last:
        places.append(slope / (2 * v))
    s = min(places, key=lambda x: slope * x + v * (1 - x * x))
    return float((low if u > 0 else high) * np.sqrt(spread) * s), float(1 - s * s)


SUPPORT = {"variance": _variance_support, "f-measure": _f_support, "mcc": _mcc_support}


class Field:
    """What the parts of a model add to its rows, and the body their sum must land in."""

    def __init__(self, walker: Walker, budget: Budget) -> None:
        self.walker, self.budget = walker, budget
        model = self.model = walker.model
        self.tables = walker.tables
        rows = len(model.rows)
        self.factors: list[Array] = []  # of the columns of a known part or a class
        self.offsets: list[Array] = []
        self.vectors: list[Array | None] = []  # of every point of a grid
        self.memory: dict[tuple[int, Box], tuple[Array, Array]] = {}
        self.held = 0
        low, high = np.zeros(rows), np.zeros(rows)
        self.scale = np.ones(rows)
        for g, table in enumerate(self.tables):
            ends = self._prepare(g)
            root = table.root()
            if isinstance(table, Folds) and root is not None:
                values = self.of_folds(table, root)[0]
                ends = values.min(axis=0), values.max(axis=0)
            count = len(model.groups[g].parts)
            low += count * ends[0]
            high += count * ends[1]
        # a row that is the same whatever is chosen must not drown the others
        span, size = high - low, np.maximum(np.abs(low), np.abs(high))
        self.scale = 1 / np.where(span > SAME * size, span, np.maximum(size, TINY))
        self.vectors = [None if v is None else v * self.scale for v in self.vectors]
        self.memory.clear()
        self.reach = low * self.scale, high * self.scale
        self.body = self._body(model, low - 1e-6, high + 1e-6)
        self.quiet = np.array([quiet(row) for row in model.rows], dtype=bool)
        self.listed = all(
            not isinstance(t, Calls) and (v is not None or isinstance(t, Folds))
            for t, v in zip(self.tables, self.vectors, strict=True)
        )
        self.wide = any(
            v is None and not isinstance(t, (Calls, Folds))
            for t, v in zip(self.tables, self.vectors, strict=True)
        )

    def _prepare(self, g: int) -> tuple[Array, Array]:
        """Factors and vectors of a group; about the smallest and largest that a part adds to each row."""
        model, table, rows = self.model, self.tables[g], len(self.model.rows)
        options = model.groups[g].options
        width = len(options[0].columns) if options else 2
        factors, offsets = np.zeros((rows, width)), np.zeros(rows)
        nothing = np.zeros(rows), np.zeros(rows)
        if not isinstance(table, Folds):
            for r, row in enumerate(model.rows):
                if g in row.shares:
                    offset, own = row.shares[g][0]
                    offsets[r] = float(offset)
                    factors[r] = [float(f) for f in own]
        self.factors.append(factors)
        self.offsets.append(offsets)
        self.vectors.append(None)
        if isinstance(table, Folds):
            return nothing
        if not isinstance(table, Grid):
            ends = np.array([column_ends(c, options[0]) for c in options[0].columns])
            both = np.stack([factors * ends[:, 0], factors * ends[:, 1]])
            return offsets + both.min(axis=0).sum(axis=1), offsets + both.max(axis=0).sum(axis=1)
        columns = np.stack(
            [
                (d + w / 2) * float(unit)
                for d, w, unit in zip(table.data, table.width, table.units, strict=True)
            ],
            axis=-1,
        )
        vectors = columns @ factors.T + offsets
        self.vectors[g] = vectors
        kept = vectors[table.mask]
        return (kept.min(axis=0), kept.max(axis=0)) if len(kept) and rows else nothing

    def of_folds(self, table: Folds, box: Box, every: bool = False) -> tuple[Array, Array]:
        """Scaled rows and (p, tp, tn) of the points of a box, of straight rows only those of corners."""
        if isinstance(table, Straight):
            at, low, high, left, right = table.ranges(box)
            corners = [np.stack([table.p[at], tp, tn], axis=1) for tp in (low, high) for tn in (left, right)]
            points = table.places(box) if every else np.concatenate(corners)
            down = np.array(table.down[:-2], dtype=object)[:, None]
            option = np.searchsorted(table.p, points[:, 0])
            offset, tp, tn = ((lines[:-2] / down).astype(float)[:, option] for lines in table.lines)
            counts = points.astype(float)
            values = offset + tp * counts[:, 1] + tn * counts[:, 2]
        else:
            points = table.places(box)
            rows = table.tabulated(box).values()
            values = np.array([(lo + width / 2) * 2.0**-bits for lo, width, bits in rows])
        full = np.zeros((len(points), len(self.model.rows)))
        full[:, table.rows] = values.T
        return full * self.scale, points

    def _body(self, model: Model, low: Array, high: Array) -> Body:
        ends = [row.interval for row in model.rows]
        lo = np.array([low[r] if x.lo is None else float(x.lo) for r, x in enumerate(ends)])
        hi = np.array([high[r] if x.hi is None else float(x.hi) for r, x in enumerate(ends)])
        curves = []
        for curve in model.curves:
            least = 0.0 if curve.kind != "mcc" else -1.0
            bottom = least if curve.interval.lo is None else float(curve.interval.lo)
            top = 1e9 if curve.interval.hi is None else float(curve.interval.hi)
            if curve.kind == "variance":
                top = min(top, high[curve.two])
            curves.append((curve, float(curve.centre), bottom, top))
        return Body(lo * self.scale, hi * self.scale, self.scale, curves)

    # -- points ------------------------------------------------------------------------------------

    def at(self, g: int, tp: Array, tn: Array) -> Array:
        """What known parts or classes of group g at these points add to the scaled rows."""
        vectors, table = self.vectors[g], self.tables[g]
        if vectors is not None and isinstance(table, Grid):
            a, b, c, d = table.window
            return np.asarray(vectors[np.clip(tp, a, b) - a, np.clip(tn, c, d) - c])
        option, problem = self.model.groups[g].options[0], self.model.problem
        columns = [float_column(c, option, problem.betas, problem.undefined, tp, tn) for c in option.columns]
        found = np.stack(columns, axis=-1) @ self.factors[g].T + self.offsets[g]
        return np.asarray(found * self.scale)

    def extremes(self, g: int, box: Box) -> tuple[Array, Array]:
        """Scaled rows and (p, tp, tn) of the points of a box that can be extreme, for folds and classes."""
        key = (g, box)
        if key not in self.memory:
            table = self.tables[g]
            if isinstance(table, Folds):
                values, points = self.of_folds(table, box)
            else:
                assert isinstance(table, Calls)
                tp, m = self.ends(table, g, box)
                tn = table.rest - m + tp
                points = np.stack([np.full(len(tp), table.option.p), tp, tn], axis=1)
                values = self.at(g, tp, tn)
            if self.held > KEPT:
                self.memory.clear()
                self.held = 0
            self.budget.spend(20 * values.size)
            self.memory[key] = values, points
            self.held += values.size + points.size
        return self.memory[key]

    def ends(self, table: Calls, g: int, box: Box) -> tuple[Array, Array]:
        """tp and m where a class can be extreme: every m with its two ends of tp, or the corners."""
        if (self.factors[g][:, 2:] != 0).any() and box[3] - box[2] <= MOST_COLUMNS:
            m, first, last = table.columns(box)
        else:
            corners = np.array(table.ends(box), dtype=np.int64)
            m, first, last = corners.T
        inside = first <= last
        return np.concatenate([first[inside], last[inside]]), np.concatenate([m[inside], m[inside]])

    def pick(self, g: int, box: Box, w: Array, tilt: tuple[float, float]) -> tuple[Array, Point]:
        """The point of a cell with the largest w·rows + tilt·(fn, fp), and its rows."""
        vectors = self.vectors[g]
        if vectors is None:
            if isinstance(self.tables[g], (Folds, Calls)):
                return self._pick_extreme(g, box, w, tilt)
            return self._pick_wide(g, box, w, tilt)
        a, b, c, d = box
        table = self.tables[g]
        assert isinstance(table, Grid)
        here = vectors[table.at(box)]
        values = here @ w
        self.budget.spend(PICK + int(ENTRY * values.size * len(w)))
        if tilt != (0.0, 0.0):
            values = values - tilt[0] * np.arange(a, b + 1)[:, None] - tilt[1] * np.arange(c, d + 1)[None, :]
        if not table.whole:
            values = np.where(table.mask[table.at(box)], values, -np.inf)
        tp, tn = divmod(int(values.argmax()), d - c + 1)
        return here[tp, tn], (table.option.p, a + tp, c + tn)

    def _pick_extreme(self, g: int, box: Box, w: Array, tilt: tuple[float, float]) -> tuple[Array, Point]:
        vectors, points = self.extremes(g, box)
        self.budget.spend(PICK + int(2 * ENTRY * vectors.size))
        values = vectors @ w
        if tilt != (0.0, 0.0):
            fn = points[:, 0] - points[:, 1]
            fp = self.model.groups[g].size - points[:, 0] - points[:, 2]
            values = values + tilt[0] * fn + tilt[1] * fp
        best = int(values.argmax())
        p, tp, tn = points[best]
        return vectors[best], (int(p), int(tp), int(tn))

    def _pick_wide(self, g: int, box: Box, w: Array, tilt: tuple[float, float]) -> tuple[Array, Point]:
        """About the same on a grid that is not listed: a coarse mesh, refined around its best."""
        a, b, c, d = box
        x, y = a, c
        self.budget.spend(UNLISTED)
        for _ in range(8):
            tp = np.unique(np.linspace(a, b, MESH).round().astype(np.int64))
            tn = np.unique(np.linspace(c, d, MESH).round().astype(np.int64))
            grid_tp, grid_tn = (m.ravel() for m in np.meshgrid(tp, tn, indexing="ij"))
            values = self.at(g, grid_tp, grid_tn) @ w - tilt[0] * grid_tp - tilt[1] * grid_tn
            best = int(values.argmax())
            x, y = int(grid_tp[best]), int(grid_tn[best])
            if b - a < MESH and d - c < MESH:
                break
            half = (b - a) // (MESH // 2) + 1, (d - c) // (MESH // 2) + 1
            a, b = max(box[0], x - half[0]), min(box[1], x + half[0])
            c, d = max(box[2], y - half[1]), min(box[3], y + half[1])
        return self.at(g, np.array(x), np.array(y)), (self.model.groups[g].options[0].p, x, y)

    # -- states ------------------------------------------------------------------------------------

    def counts(self, state: State) -> tuple[Array, Array, Array]:
        """Scale and scaled ends of the counts that were halved on the way to a state."""
        sizes = [self.model.groups[g].size * len(self.model.groups[g].parts) for g, _, _, _ in state.counts]
        scale = np.array([1.0 / max(size, 1) for size in sizes])
        lo = np.array([float(each[2]) for each in state.counts]) * scale
        hi = np.array([float(each[3]) for each in state.counts]) * scale
        return scale, lo, hi

    def reached(self, state: State, w: Array, scale: Array) -> tuple[Array, list[Point]]:
        """The sum (rows, then counts) with the largest w·sum over a state, and each cell's point for it."""
        rows = len(self.model.rows)
        total = np.zeros(len(w))
        points: list[Point] = []
        for g, cells in enumerate(state.cells):
            about = [(j, each) for j, each in enumerate(state.counts) if each[0] == g]
            tilt = _tilt(about, w[rows:] * scale)
            for box, count in cells:
                vector, point = self.pick(g, box, w[:rows], tilt)
                total[:rows] += count * vector
                points.append(point)
                for j, (_, which, _, _) in about:
                    p, tp, tn = point
                    fn, fp = p - tp, self.model.groups[g].size - p - tn
                    total[rows + j] += count * scale[j] * (fn * (which != 1) + fp * (which != 0))
        return total, points


def _tilt(about: list[tuple[int, Count]], weights: Array) -> tuple[float, float]:
    """What a false negative and a false positive of a group weigh."""
    fn = sum((float(weights[j]) for j, each in about if each[1] != 1), 0.0)
    fp = sum((float(weights[j]) for j, each in about if each[1] != 0), 0.0)
    return fn, fp


def quiet(row: Row) -> bool:
    """Whether the row is one of those that a matrix of several classes exists.

    They seldom matter: searches look at them only where they are broken.
    """
    return row.target < 0 and row.interval.lo is None


def float_score(name: str, p: int, n: int, betas: Betas, tp: Array, tn: Array) -> Array:
    """A score in floats, NaN where it is undefined (steering only)."""
    score = ROWS[name]

    def polynomial(k: tuple[int, ...]) -> Array:
        a, b, c, d, e, f = k
        found = float(d) * tp + float(e) * tn + float(f)
        if a or b or c:
            found = found + (float(a) * tp + float(b) * tn) * tp + float(c) * tn * tn
        return np.asarray(found)

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        above, below = score.polynomials(p, n, betas)
        ratio = polynomial(above) / polynomial(below)
        if score.threshold:
            return np.asarray(1 / (1 + np.sqrt(ratio)))
        if score.squared:
            root = np.sqrt(np.maximum(ratio, 0))
            return np.asarray(np.where(tp / p + tn / n < 1, -root, root) if score.signed else root)
        return np.asarray(ratio)


def float_column(column: Column, option: Option, betas: Betas, convention: str, tp: Array, tn: Array) -> Array:
    """A column in floats at some points."""
    tp, tn = np.asarray(tp, dtype=float), np.asarray(tn, dtype=float)
    if column.what == "tp":
        return tp
    if column.what == "tn":
        return tn
    if column.what == "called²":
        return np.asarray((tp + option.n - tn) ** 2)
    return of_score(column, convention, float_score(column.score, option.p, option.n, betas, tp, tn))


def of_score(column: Column, convention: str, value: Array) -> Array:
    """A column that is made of the values of its score."""
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


def column_ends(column: Column, option: Option) -> tuple[float, float]:
    """About the smallest and largest value of a column."""
    if column.what == "tp":
        return 0.0, float(option.p)
    if column.what == "tn":
        return 0.0, float(option.n)
    if column.what == "called²":
        return 0.0, float(option.p + option.n) ** 2
    if column.what in ("defined", "inside"):
        return 0.0, 1.0
    score = ROWS[column.score]
    low = 0.0 if score.lowest is None else float(score.lowest)
    high = 100.0 if score.highest is None else float(score.highest)
    low, high = low - float(column.shift), high - float(column.shift)
    return (0.0, max(low * low, high * high)) if column.what == "square" else (low, high)
