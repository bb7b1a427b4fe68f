"""Whole counts of the classes of matrices near a real solution, joined from two halves.

The classes are dealt into two halves; choices of each half are listed (or drawn, where there are too
many), and pairs of them whose sums meet every row are looked up by the exact counts they must share and
by the row that tells them apart best.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from scoreproof.proof.sums.bounds import State
from scoreproof.proof.sums.choice import Choice, fitting
from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.field import Field, quiet
from scoreproof.solve.sums.real import Real, step_of

TABLE = (20_000, 60_000, 200_000, 400_000)  # choices of a half, as the search goes on
PAIRS = (200_000, 500_000, 1_000_000, 2_000_000)  # pairs looked at in one join
CHECKED = 60  # near hits of a join that are checked exactly
MOST_AXES = 30  # numpy has no more than 32 or 64, by version
RADII = (2, 5, 3, 10, 1, 24)
#: Work of one start, and what every row of a choice that is listed adds to it.
START = 2_000_000
CHOICE = 60


class Halves:
    """A seeded, resumable search for a witness about classes of matrices."""

    def __init__(self, field: Field, state: State, seed: int = 7) -> None:
        # cc: one list per kind of row; nothing is decided here
        self.field, self.model = field, field.model
        rows = self.model.rows
        # what a row asks of one class is asked when its choices are listed
        single = {r for r, row in enumerate(rows) if len(row.shares) == 1 and row.target >= 0}
        self.real = Real(field, seed, frozenset(single))
        self.random = self.real.random
        self.n, self.rest = self.real.size.T
        self.of_set = [list(members) for members in self.model.problem.matrices]
        self.box = np.array([cells[0][0] for cells in state.cells])
        self.real.within([cells[0][0] for cells in state.cells])
        self.tries = 0
        self.possible = True
        ends = [row.interval for row in rows]
        self.step = np.array([step_of(row) for row in rows]) * field.scale
        self.lo = np.array([-1e18 if x.lo is None else float(x.lo) for x in ends]) * field.scale
        self.hi = np.array([1e18 if x.hi is None else float(x.hi) for x in ends]) * field.scale
        bounded = [r for r, x in enumerate(ends) if x.lo is not None or x.hi is not None]
        # whether a matrix exists is asked of near hits only
        self.rows = np.array([r for r in bounded if r not in single and not quiet(rows[r])], dtype=int)
        self.quiet = [r for r in bounded if r not in single and quiet(rows[r])]
        self.own = [[r for r in sorted(single) if i in rows[r].shares] for i in range(len(self.n))]

    def tilt(self, lively: float) -> None:
        """Nothing to prepare."""

    def run(self, pairs: int, batches: int) -> Choice | None:
        """So many starts; the witness, if one turns up (``pairs`` is not used)."""
        for _ in range(batches):
            self.field.budget.spend(START)
            self.tries += 1
            counts, _ = self.real.settled(
                self._start(), self.random.uniform(0.3, 0.7, len(self.real.wanted.lo))
            )
            found = self._join(counts[:, 0], counts[:, 1])
            if found is not None:
                return found
        return None

    def _start(self) -> Array:
        """Random correct items and false alarms, with matching totals in every set."""
        spread = (0.02, 0.1, 0.25, 0.05)[self.tries % 4]
        middle = self.random.uniform(0.3, 0.97)
        share = np.clip(middle + spread * self.random.standard_normal(len(self.n)), 0.02, 0.99)
        tp = share * self.n
        alarms = np.zeros(len(self.n))
        for members in self.of_set:
            wrong = float((self.n[members] - tp[members]).sum())
            weight = self.random.uniform(0.4, 1.6, len(members)) * np.sqrt(self.n[members] + 1)
            alarms[members] = np.minimum(wrong * weight / weight.sum(), self.rest[members])
        tp = np.clip(tp, self.box[:, 0], self.box[:, 1])
        alarms = np.clip(tp + alarms, self.box[:, 2], self.box[:, 3]) - tp
        return np.stack([tp, alarms], axis=1)

    def _at(self, i: int, tp: Array, alarms: Array) -> Array:
        return self.field.at(i, tp, self.rest[i] - alarms)

    def _join(self, tp: Array, alarms: Array) -> Choice | None:
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
        if self.real.wanted.curves and len(left):
            sums = tables[0][2][left] + tables[1][2][right]
            wanted = self.real.wanted
            figures = wanted.figures(sums, self.field.scale)[:, len(wanted.rows) :]
            lo, hi = wanted.lo[len(wanted.rows) :], wanted.hi[len(wanted.rows) :]
            good = ((figures >= lo - 1e-12) & (figures <= hi + 1e-12)).all(axis=1)
            left, right = left[good], right[good]
        patience = CHECKED
        for p, q in zip(left, right, strict=True):
            choice: Choice = [(0, 0, 0)] * cells
            for half, (t, f, _), k in zip(halves, tables, (p, q), strict=True):
                for j, i in enumerate(half):
                    choice[i] = int(self.n[i]), int(t[k, j]), int(self.rest[i] - f[k, j])
            if fitting(self.model.problem, choice):
                return choice
            patience -= 1
            if not patience:
                break
        return None

    def _table(
        self, half: list[int], tp: Array, alarms: Array, radius: int, limit: int, whole_sets: bool
    ) -> tuple[Array, Array, Array]:
        """Choices of the cells of a half near the real solution, and what they add to the rows."""
        near = [self._near(i, tp[i], alarms[i], radius) for i in half]
        lengths = [len(each) for each in near]
        if not all(lengths):
            return np.zeros((0, len(half))), np.zeros((0, len(half))), np.zeros((0, len(self.model.rows)))
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
        self.field.budget.spend(CHOICE * limit * (len(half) + len(self.model.rows)))
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
            sums = np.zeros((len(t), len(self.model.rows)))
            for k, i in enumerate(half):
                sums += self._at(i, t[:, k], f[:, k])
            return t, f, sums
        sums = np.zeros((limit, len(self.model.rows)))
        for k, (i, each) in enumerate(zip(half, near, strict=True)):
            sums += self._at(i, each[:, 0], each[:, 1])[index[:, k]]
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
            values = self._at(i, t, f)[:, self.own[i]]
            slack = 1e-9 * np.maximum(1.0, np.abs(values))
            good &= (values >= self.lo[self.own[i]] - slack).all(axis=1)
            good &= (values <= self.hi[self.own[i]] + slack).all(axis=1)
        return np.stack([t[good], f[good]], axis=1)

    def _meet(self, left: Array, right: Array) -> tuple[Any, Any]:
        """Pairs of rows of the two tables whose sum lies in every interval."""
        lo, hi = self.lo, self.hi
        tiny = 1e-9 * np.maximum(1.0, np.abs(np.where(np.abs(lo) < 1e17, lo, hi)))
        # the sums of whole counts are known better than that
        tiny = np.minimum(tiny, np.where(self.step > 0, 0.25 * self.step, np.inf))
        lo, hi = lo - tiny, hi + tiny
        # counts that the figures pin down to one value must agree exactly
        keys = np.zeros(len(right)), np.zeros(len(left))
        used = set()
        for r in self.rows:
            step = float(self.step[r])
            if not step or not hi[r] - lo[r] < step:
                continue
            used.add(int(r))
            # sums are multiples of the step, up to what the offsets of both halves add
            base = float(right[0, r])
            have = np.rint((right[:, r] - base) / step)
            want = np.rint(((lo[r] + hi[r]) / 2 - left[:, r] - base) / step)
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
        for r in [*sorted(self.rows, key=lambda r: r in used), *self.quiet]:
            total = left[p, r] + right[q, r]
            good = (total >= lo[r]) & (total <= hi[r])
            p, q = p[good], q[good]
        return p, q
