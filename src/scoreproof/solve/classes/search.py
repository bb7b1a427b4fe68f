"""Looking for a witness: a real solution, then whole numbers near it, joined from two halves.

Damped Newton steps move real counts from a random start to where all figures are met.  Around
that point the cells are dealt into two halves; choices of each half are listed (or drawn, where
there are too many), and pairs of them whose sums meet every row are looked up by the exact
counts they must share and by the row that tells them apart best.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.classes.figures import fits
from scoreproof.proof.classes.matrices import Grid
from scoreproof.proof.classes.model import Box
from scoreproof.proof.classes.tree import Replayer
from scoreproof.solve.classes.extra import Extra
from scoreproof.solve.classes.field import Array, Field
from scoreproof.solve.classes.shaving import row_cells

STEPS = 40
TABLE = (20_000, 60_000, 200_000, 400_000)  # choices of a half, as the search goes on
PAIRS = (200_000, 500_000, 1_000_000, 2_000_000)  # pairs looked at in one join
CHECKED = 40  # near hits of a join that are checked exactly
MOST_AXES = 30  # numpy has no more than 32 or 64, by version
RADII = (2, 5, 3, 10, 1, 24)
#: Work of one start, and what every choice listed adds to it.
START = 20_000_000
CHOICE = 200


class Search:
    """A seeded, resumable search for a witness."""

    def __init__(
        self, replayer: Replayer, field: Field, extras: Sequence[Extra], box: Box, seed: int = 7
    ) -> None:
        self.replayer, self.field, self.extras = replayer, field, extras
        self.random = np.random.default_rng(seed)
        cells = replayer.model.cells
        self.n = np.array([cell.n for cell in cells], dtype=float)
        self.rest = np.array([cell.total - cell.n for cell in cells], dtype=float)
        self.of_set = replayer.model.of_set
        self.box = np.array(box)
        self.tries = 0
        self.seen: set[tuple[tuple[int, int], ...]] = set()
        bounded = np.isfinite(field.lo) | np.isfinite(field.hi)
        self.rows = np.flatnonzero(bounded)
        # rows with both ends matter to the steps; the others only to the join
        single = {r for r, row in enumerate(field.rows) if len(row_cells(row)) == 1}
        self.both = np.array(
            [r for r in np.flatnonzero(np.isfinite(field.lo) & np.isfinite(field.hi)) if r not in single],
            dtype=int,
        )
        # what a row asks of one cell is asked when its choices are listed
        self.own = [[r for r in sorted(single) if i in row_cells(field.rows[r])] for i in range(len(cells))]
        self.rows = np.array([r for r in self.rows if r not in single], dtype=int)

    def run(self, tries: int, budget: Budget) -> tuple[Grid, ...] | None:
        """So many starts; the witness, if one turns up."""
        for _ in range(tries):
            size = TABLE[min(self.tries // 4, len(TABLE) - 1)]
            if not budget.allows(START + CHOICE * size * len(self.field.rows)):
                return None
            self.tries += 1
            found = self._join(*self._settled(*self._start()))
            if found is not None:
                return found
        return None

    # -- real numbers ----------------------------------------------------------

    def _start(self) -> tuple[Array, Array]:
        """Random correct items and false alarms, with matching totals in every set."""
        spread = (0.02, 0.1, 0.25, 0.05)[self.tries % 4]
        middle = self.random.uniform(0.3, 0.97)
        share = np.clip(middle + spread * self.random.standard_normal(len(self.n)), 0.02, 0.99)
        tp = share * self.n
        alarms = np.zeros(len(self.n))
        for members in self.of_set:
            wrong = float((self.n[members] - tp[members]).sum())
            weight = self.rest[members] * 0 + self.random.uniform(0.4, 1.6, len(members))
            weight *= np.sqrt(self.n[members] + 1)
            alarms[members] = np.minimum(wrong * weight / weight.sum(), self.rest[members])
        tp = np.clip(tp, self.box[:, 0], self.box[:, 1])
        return tp, np.clip(tp + alarms, self.box[:, 2], self.box[:, 3]) - tp

    def _slopes(self, tp: Array, alarms: Array, step: Array) -> tuple[Array, Array]:
        """The rows, then the further figures, and how they change with every count."""
        cells, rows = len(self.n), len(self.field.rows)
        total = np.zeros(rows + len(self.extras))
        slope = np.zeros((2 * cells, len(total)))
        for i in range(cells):
            t = tp[i] + np.array([0.0, step[i], 0.0])
            f = alarms[i] + np.array([0.0, 0.0, step[cells + i]])
            values = self.field.at(i, t, t + f)
            total[:rows] += values[0]
            slope[i, :rows] = (values[1] - values[0]) / step[i]
            slope[cells + i, :rows] = (values[2] - values[0]) / step[cells + i]
        if self.extras:
            moved = np.repeat(np.concatenate([tp, alarms])[None], 2 * cells + 1, axis=0)
            moved[1 + np.arange(2 * cells), np.arange(2 * cells)] += step
            for k, extra in enumerate(self.extras, rows):
                values = extra.value(self.field, moved[:, :cells], moved[:, :cells] + moved[:, cells:])
                total[k] = values[0]
                slope[:, k] = (values[1:] - values[0]) / step
        return total, slope

    def _limits(self) -> tuple[Array, Array]:
        lo = np.concatenate([self.field.lo[self.both], [extra.lo for extra in self.extras]])
        hi = np.concatenate([self.field.hi[self.both], [extra.hi for extra in self.extras]])
        return lo, hi

    def _settled(self, tp: Array, alarms: Array) -> tuple[Array, Array]:
        cells = len(self.n)
        lo, hi = self._limits()
        keep = np.concatenate([self.both, len(self.field.rows) + np.arange(len(self.extras))])
        width = np.maximum(hi - lo, 1e-9)
        aim = lo + (hi - lo) * self.random.uniform(0.3, 0.7, len(lo))
        size = np.concatenate([self.n, self.rest])
        least = np.concatenate([self.box[:, 0], np.maximum(0, self.box[:, 2] - self.box[:, 1])]).astype(float)
        most = np.concatenate([self.box[:, 1], np.minimum(self.rest, self.box[:, 3] - self.box[:, 0])]).astype(
            float
        )
        x = np.concatenate([tp, alarms])
        step = np.maximum(1e-4 * size, 1e-3)
        for _ in range(STEPS):
            sign = np.where(x > size / 2, -1.0, 1.0)
            y, slope = self._slopes(x[:cells], x[cells:], sign * step)
            y, slope = y[keep], slope[:, keep]
            error = aim - y
            if float((np.abs(error) / width).max(initial=0.0)) < 0.05:
                break
            room = np.minimum(np.minimum(x, size - x) + 1e-2 * np.sqrt(size + 1), most - least + 1e-3)
            # false alarms live on the scale of the class, not of all the others
            room[cells:] = np.minimum(room[cells:], np.sqrt(room[cells:] * (self.n + 1)) + 1)
            weight = room[:, None] ** 2
            matrix = slope.T @ (slope * weight)
            scale = max(float(np.trace(matrix)), 1e-30)
            multipliers = np.linalg.lstsq(matrix + 1e-12 * scale * np.eye(len(y)), error, rcond=None)[0]
            change = (slope * weight) @ multipliers
            longest = float((np.abs(change) / (0.7 * room + 1e-9)).max(initial=0.0))
            x = np.clip(x + change / max(1.0, longest), least, most)
        return x[:cells], x[cells:]

    # -- whole numbers ---------------------------------------------------------

    def _join(self, tp: Array, alarms: Array) -> tuple[Grid, ...] | None:
        cells = len(self.n)
        limit = TABLE[min(self.tries // 4, len(TABLE) - 1)]
        sets = len(self.of_set)
        if sets > 1:
            order = self.random.permutation(sets)
            halves = [
                [i for s in part for i in self.of_set[s]] for part in (order[: sets // 2], order[sets // 2 :])
            ]
        else:
            shuffled = [int(i) for i in self.random.permutation(cells)]
            halves = [shuffled[: cells // 2], shuffled[cells // 2 :]]
        radius = RADII[self.tries % len(RADII)]
        tables = [self._table(half, tp, alarms, radius, limit, sets > 1) for half in halves]
        if any(not len(table[0]) for table in tables):
            return None
        left, right = self._meet(tables[0][2], tables[1][2])
        if self.extras and len(left):
            left, right = self._pass(halves, tables, left, right)
        patience = CHECKED
        for p, q in zip(left, right, strict=True):
            picks = [(0, 0)] * cells
            for half, (t, a, _), k in zip(halves, tables, (p, q), strict=True):
                for j, i in enumerate(half):
                    picks[i] = int(t[k, j]), int(t[k, j] + a[k, j])
            grids = self.replayer.grids(tuple(picks))
            if grids is None:
                continue
            if fits(self.replayer.problem, grids):
                return grids
            patience -= 1
            if not patience:
                break
        return None

    def _pass(
        self, halves: list[list[int]], tables: list[tuple[Array, Array, Array]], left: Any, right: Any
    ) -> tuple[Any, Any]:
        """Only the pairs that meet the further figures."""
        tp = np.zeros((len(left), len(self.n)))
        m = np.zeros((len(left), len(self.n)))
        for half, (t, a, _), k in zip(halves, tables, (left, right), strict=True):
            tp[:, half] = t[k]
            m[:, half] = t[k] + a[k]
        good = np.ones(len(left), dtype=bool)
        for extra in self.extras:
            value = extra.value(self.field, tp, m)
            good &= (value >= extra.lo - 1e-12) & (value <= extra.hi + 1e-12)
        return left[good], right[good]

    def _table(
        self, half: list[int], tp: Array, alarms: Array, radius: int, limit: int, whole_sets: bool
    ) -> tuple[Array, Array, Array]:
        """Choices of the cells of a half near the real solution, and what they add to the rows."""
        near = [self._near(i, tp[i], alarms[i], radius) for i in half]
        lengths = [len(each) for each in near]
        if not all(lengths):
            return np.zeros((0, len(half))), np.zeros((0, len(half))), np.zeros((0, len(self.field.rows)))
        if prod(lengths) <= limit and len(half) <= MOST_AXES:
            index = np.stack([axis.ravel() for axis in np.indices(lengths)], axis=1)
        else:
            index = np.stack(
                [
                    self._drawn(each, (tp[i], alarms[i]), radius, limit)
                    for i, each in zip(half, near, strict=True)
                ],
                axis=1,
            )
        limit = len(index)
        chosen = [each[index[:, k]] for k, each in enumerate(near)]
        t = np.stack([each[:, 0] for each in chosen], axis=1)
        f = np.stack([each[:, 1] for each in chosen], axis=1)
        if whole_sets:
            # one class of every set takes up what its predictions miss
            good = np.ones(limit, dtype=bool)
            place = {i: k for k, i in enumerate(half)}
            for members in self.of_set:
                if members[0] not in place:
                    continue
                columns = [place[i] for i in members]
                taker = self.random.integers(0, len(columns), limit)
                missing = float((self.n + self.rest)[members[0]]) - (t[:, columns] + f[:, columns]).sum(axis=1)
                taken = np.array(columns)[taker]
                rows = np.arange(limit)
                f[rows, taken] += missing
                good &= (f[rows, taken] >= 0) & (f[rows, taken] <= self.rest[half][taken])
            t, f = t[good], f[good]
            sums = np.zeros((len(t), len(self.field.rows)))
            for k, i in enumerate(half):
                sums += self.field.at(i, t[:, k], t[:, k] + f[:, k])
            return t, f, sums
        sums = np.zeros((limit, len(self.field.rows)))
        for k, (i, each) in enumerate(zip(half, near, strict=True)):
            sums += self.field.at(i, each[:, 0], each[:, 0] + each[:, 1])[index[:, k]]
        return t, f, sums

    def _drawn(self, near: Array, middle: tuple[float, float], radius: int, count: int) -> Any:
        """Numbers of choices near a real one, drawn so that their mean is about that one.

        Near a border a symmetric draw would miss it; a tilt makes up for that.
        """
        wanted = np.clip(middle, near.min(axis=0), near.max(axis=0))
        offset = near - wanted
        base = -0.5 * (offset**2).sum(axis=1) / (0.5 * radius + 0.3) ** 2
        tilt = np.zeros(2)
        for _ in range(6):
            log = base + offset @ tilt
            chance = np.exp(log - log.max())
            chance /= chance.sum()
            mean = chance @ offset
            spread = (offset * chance[:, None]).T @ offset - np.outer(mean, mean) + 0.05 * np.eye(2)
            tilt = np.clip(tilt - np.linalg.solve(spread, mean), -3, 3)
        drawn = np.searchsorted(np.cumsum(chance), self.random.random(count))
        return np.minimum(drawn, len(near) - 1)

    def _near(self, i: int, tp: float, alarms: float, radius: int) -> Array:
        """Choices (tp, fp) of one cell near a real one that meet what is said about this cell."""
        a, b, c, d = self.box[i]
        correct = np.arange(max(a, round(tp) - radius), min(b, round(tp) + radius) + 1, dtype=float)
        wrong = np.arange(
            max(0, round(alarms) - radius), min(int(self.rest[i]), round(alarms) + radius) + 1, dtype=float
        )
        t, f = (axis.ravel() for axis in np.meshgrid(correct, wrong, indexing="ij"))
        good = (t + f >= c) & (t + f <= d)
        if self.own[i] and good.any():
            values = self.field.at(i, t, t + f)[:, self.own[i]]
            slack = 1e-9 * np.maximum(1.0, np.abs(values))
            good &= (values >= self.field.lo[self.own[i]] - slack).all(axis=1)
            good &= (values <= self.field.hi[self.own[i]] + slack).all(axis=1)
        return np.stack([t[good], f[good]], axis=1)

    def _meet(self, left: Array, right: Array) -> tuple[Any, Any]:
        """Pairs of rows of the two tables whose sum lies in every interval."""
        field = self.field
        lo = np.where(np.isfinite(field.lo), field.lo, -1e18)
        hi = np.where(np.isfinite(field.hi), field.hi, 1e18)
        tiny = 1e-9 * np.maximum(1.0, np.abs(np.where(np.abs(lo) < 1e17, lo, hi)))
        # the sums of whole counts are known better than that
        step_of = np.array([float(row.step) if row.step else np.inf for row in field.rows])
        tiny = np.minimum(tiny, 0.25 * step_of)
        lo, hi = lo - tiny, hi + tiny
        # counts that the figures pin down to one value must agree exactly
        keys = np.zeros(len(right)), np.zeros(len(left))
        used = set()
        for r in self.rows:
            step = field.rows[r].step
            if step is None or not hi[r] - lo[r] < float(step):
                continue
            used.add(int(r))
            have = np.rint(right[:, r] / float(step))
            want = np.rint(((lo[r] + hi[r]) / 2 - left[:, r]) / float(step))
            least, most = have.min(), have.max()
            span = most - least + 1
            inside = (want >= least) & (want <= most)
            keys = (
                keys[0] * span + (have - least),
                np.where(inside & (keys[1] >= 0), keys[1] * span + (want - least), -1.0),
            )
            if span * max(1.0, float(keys[0].max())) > 2**40:
                break
        values, ids = np.unique(keys[0], return_inverse=True)
        at = np.searchsorted(values, keys[1])
        live = (at < len(values)) & (values[np.minimum(at, len(values) - 1)] == keys[1])
        others = [r for r in self.rows if r not in used]
        sharp = max(
            others,
            key=lambda r: float(np.ptp(right[:, r])) / max(float(hi[r] - lo[r]), 1e-12),
            default=int(self.rows[0]),
        )
        base = float(right[:, sharp].min())
        span = float(np.ptp(right[:, sharp])) + 1e-9
        order = np.lexsort((right[:, sharp], ids))
        line = (ids[order] * 2.0) + (right[order, sharp] - base) / span
        rows = np.flatnonzero(live)
        low = np.clip((lo[sharp] - left[rows, sharp] - base) / span, -0.25, 1.25)
        high = np.clip((hi[sharp] - left[rows, sharp] - base) / span, -0.25, 1.25)
        first = np.searchsorted(line, at[rows] * 2.0 + low - 1e-9, side="left")
        last = np.searchsorted(line, at[rows] * 2.0 + high + 1e-9, side="right")
        counts = np.maximum(last - first, 0)
        if not counts.sum():
            return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
        mixed = self.random.permutation(len(rows))
        rows, first, counts = rows[mixed], first[mixed], counts[mixed]
        enough = int(np.searchsorted(np.cumsum(counts), PAIRS[min(self.tries // 4, len(PAIRS) - 1)])) + 1
        rows, first, counts = rows[:enough], first[:enough], counts[:enough]
        p = np.repeat(rows, counts)
        within = np.arange(len(p)) - np.repeat(np.cumsum(counts) - counts, counts)
        q = order[np.repeat(first, counts) + within]
        for r in sorted(self.rows, key=lambda r: r in used):
            total = left[p, r] + right[q, r]
            good = (total >= lo[r]) & (total <= hi[r])
            p, q = p[good], q[good]
        return p, q
