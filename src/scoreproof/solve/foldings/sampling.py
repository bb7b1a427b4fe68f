"""Looking for folds and matrices that fit: tilted sampling, completed by nearest pairs.

Among all distributions of a fold's (positives, tp, tn) whose expected sum is allowed, the one
of maximum entropy is an exponential tilt of the uniform one.  The folds are drawn from it,
repeat by repeat; the last fold of a repeat takes the positives that are left.  In one repeat
the last two folds are instead looked up in a tree of pair sums: the pair that comes nearest
to what is missing, positives included, in units of the allowed error.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from scoreproof.claim.folds import Sample
from scoreproof.proof.averages.tables import Array
from scoreproof.proof.foldings import confirms
from scoreproof.proof.foldings.bounds import MOST_POINTS, State, Straight
from scoreproof.proof.foldings.walk import Folds, classes
from scoreproof.solve.foldings.hull import Hull
from scoreproof.solve.foldings.outcome import Consistent

BATCH = 1500
NEAREST = 3
CANDIDATES = 5  # points drawn for a fold, of which the best placed is taken
UNSTEERED = 0.2  # of the draws
COARSE = 13  # first every 13th point of a large slot is looked at
CHECKED = 40  # near hits of a batch that are checked exactly
TINY = 1e-9  # half-width given to rows that must hit one value exactly


@dataclass
class Points:
    """All points of a slot in the order of their positives, with scaled row values."""

    at: Array
    vectors: Array
    first: Array  # first[p], first[p+1]: where the points with p positives lie
    ways: Array  # logarithm of the number of ways to reach each point
    ends: Array | None = None  # cumulative chances
    logs: Array | None = None


def _ways(at: Array, size: int) -> Array:
    """The logarithm of how many ways items can give a point: chance favours the middle."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, size + 1)))])
    p, tp, tn = at.T
    n = size - p
    return np.asarray(logs[size] - logs[tp] - logs[p - tp] - logs[tn] - logs[n - tn])


class Sampler:
    """A seeded, resumable search for a witness.

    Before the tilt every point has the same weight (``lively`` = 0), or as much as there are
    ways to reach it (1), which makes honest figures likely and extreme ones rare.
    """

    def __init__(self, hull: Hull, state: State, seed: int) -> None:
        self.hull, self.state = hull, state
        self.model = hull.bounds.model
        self.random = np.random.default_rng(seed)
        self.samples = 0
        self.seen: set[object] = set()
        self.rows = self._rows()
        self.slots: list[Points] = []
        self.possible = self._listable()
        if not self.possible:
            return
        self.slots = [self._points(s) for s in range(len(self.model.slots))]
        body = hull.body(state)
        lo, hi = body.lo.copy(), body.hi.copy()
        for curve, centre, low, high in body.curves:
            if curve.kind == "variance":
                i, j = curve.one, curve.two
                y = (lo[i] + hi[i]) / 2 / body.scale[i] - centre
                lo[j], hi[j] = (low + y * y) * body.scale[j], (high + y * y) * body.scale[j]
        lo = np.maximum(lo, hull.low * hull.scale)[self.rows]
        hi = np.minimum(hi, hull.high * hull.scale)[self.rows]
        self.centre, self.half = (lo + hi) / 2, np.maximum((hi - lo) / 2, 0)
        # rows without a real bound are left out of the distance
        self.unit = np.where(self.half > 0.45, 0.0, 1 / np.maximum(self.half, TINY))
        self._parts()
        self.possible = self.last is not None

    def _rows(self) -> Array:
        active = self.hull.active(self.state)
        return np.nonzero(active)[0]

    def _listable(self) -> bool:
        return all(sum(o.group.size for o in slot.options) <= MOST_POINTS for slot in self.model.slots)

    def _points(self, s: int) -> Points:
        slot, table = self.model.slots[s], self.hull.bounds.tables[s]
        if isinstance(table, Straight):
            grids, which = [], []
            for j, o in enumerate(slot.options):
                tp, tn = np.divmod(np.arange(o.group.size), o.group.n + 1)
                grids.append(np.stack([np.full(len(tp), o.group.p), tp, tn], axis=1))
                which.append(np.full(len(tp), j))
            at, option = np.concatenate(grids), np.concatenate(which)
            scale = np.array([2.0**-b for b in table.bits]) * self.hull.scale
            tp, tn = at[:, 1], at[:, 2]
            columns = [
                (table.offset[r, option] + table.tp[r, option] * tp + table.tn[r, option] * tn) * scale[r]
                for r in self.rows
            ]
            vectors = np.stack(columns, axis=1)
        else:
            at, vectors = table.at, (table.floats * self.hull.scale)[:, self.rows]
        first = np.searchsorted(at[:, 0], np.arange(slot.size + 2))
        return Points(at, np.ascontiguousarray(vectors), first, _ways(at, slot.size))

    def _parts(self) -> None:
        """Which slots the folds of every folding lie in, and where the last pair is."""
        place = {i: s for s, slot in enumerate(self.model.slots) for i in slot.parts}
        loose = self.model.loose
        self.fixed = [place[i] for i in range(len(loose.parts))]
        self.folds: list[list[int]] = []
        start = len(self.fixed)
        for folding in loose.foldings:
            self.folds.append([place[start + j] for j in range(folding.k)])
            start += folding.k
        usable = [members[-1] for members in classes(loose) if loose.foldings[members[0]].k > 1]
        self.last = max(usable, key=lambda f: loose.foldings[f].k, default=None)
        if self.last is not None:
            self.pair = self.folds[self.last][0], self.folds[self.last][-1]

    def tilt(self, lively: float) -> None:
        """The tilt's parameters, by damped Newton steps."""
        self.lively = lively
        self.means: list[Array] = []
        self.weights: list[Array] = []
        self.positives: list[float] = []
        self.spread: list[float] = []
        rows = len(self.rows)
        at = self._newton(np.zeros(rows), COARSE, 40)
        at = self._newton(at, 1, 12)
        for points in self.slots:
            points.logs = points.vectors @ at + self.lively * points.ways
            chance = np.exp(points.logs - points.logs.max())
            chance /= chance.sum()
            points.ends = np.concatenate([[0.0], np.cumsum(chance)])
            self.means.append(chance @ points.vectors)
            deviation = np.sqrt(np.maximum(chance @ (points.vectors - self.means[-1]) ** 2, 0))
            self.weights.append(np.where(self.unit > 0, 1 / np.maximum(deviation, 1e-6), 0.0))
            self.positives.append(float(chance @ points.at[:, 0]))
            spread = chance @ (points.at[:, 0] - self.positives[-1]) ** 2
            self.spread.append(max(float(spread) ** 0.5, 0.3))
        self.expected = sum(
            (slot.count * mean for slot, mean in zip(self.model.slots, self.means, strict=True)),
            np.zeros(rows),
        )

    def _newton(self, at: Array, stride: int, steps: int) -> Array:
        """Better parameters, from one in ``stride`` points of a large slot."""
        rows, slack = len(at), 0.6 * self.half
        value, gradient, curvature = self._dual(at, slack, stride)
        for _ in range(steps):
            step = np.linalg.lstsq(curvature + 1e-9 * np.eye(rows), -gradient, rcond=None)[0]
            size = float(np.abs(step).max(initial=0.0))
            step *= min(1.0, 300 / max(size, 1e-300))
            length = 1.0
            for _ in range(12):
                new = self._dual(at + length * step, slack, stride)
                if new[0] <= value + 1e-4 * length * float(gradient @ step):
                    break
                length /= 2
            else:
                break
            at = at + length * step
            done = value - new[0] < 1e-6
            value, gradient, curvature = new
            if done or float(np.abs(at).max(initial=0.0)) > 1e5:
                break
        return at

    def _dual(self, at: Array, slack: Array, stride: int) -> tuple[float, Array, Array]:
        smooth = 1e-2
        root = np.sqrt(at * at + smooth * smooth)
        value = -float(at @ self.centre) + float(slack @ root)
        gradient = -self.centre + slack * at / root
        curvature = np.diag(slack * smooth * smooth / root**3)
        for slot, points in zip(self.model.slots, self.slots, strict=True):
            step = stride if len(points.at) > 20_000 else 1
            vectors = points.vectors[::step]
            log = vectors @ at + self.lively * points.ways[::step]
            top = log.max()
            weight = np.exp(log - top)
            total = weight.sum()
            weight /= total
            # points of no weight cost time and change nothing
            some = weight > 1e-12
            vectors, weight = vectors[some], weight[some]
            mean = weight @ vectors
            value += slot.count * (float(top) + float(np.log(total)))
            gradient = gradient + slot.count * mean
            second = (vectors * weight[:, None]).T @ vectors
            curvature = curvature + slot.count * (second - np.outer(mean, mean))
        return value, gradient, curvature

    def prepare(self, pairs: int) -> None:
        """The tree of sums over pairs of likely points of the last two folds."""
        from scipy.spatial import cKDTree

        one, two = self.pair
        each = int((2 * pairs) ** 0.5) if one == two else int(pairs**0.5)
        tops = []
        for s in self.pair:
            logs = self.slots[s].logs
            assert logs is not None
            tops.append(np.argsort(-logs, kind="stable")[:each])
        i, j = (x.ravel() for x in np.indices((len(tops[0]), len(tops[1]))))
        if one == two:
            i, j = i[i <= j], j[i <= j]
        self.index = np.stack([tops[0][i], tops[1][j]], axis=1)
        sums = self.slots[one].vectors[self.index[:, 0]] + self.slots[two].vectors[self.index[:, 1]]
        positives = self.slots[one].at[self.index[:, 0], 0] + self.slots[two].at[self.index[:, 1], 0]
        # positives must match exactly: a distance of one is ten times too far
        self.tree = cKDTree(np.concatenate([sums * self.unit, positives[:, None] * 10.0], axis=1))

    def _draw(self, s: int, size: int) -> Array:
        points = self.slots[s]
        assert points.ends is not None
        found = np.searchsorted(points.ends, self.random.random(size), side="right") - 1
        return np.minimum(found, len(points.at) - 1)

    def _draw_with(self, s: int, positives: Array) -> tuple[Array, Array]:
        """Points with given positives, and which of them exist."""
        points = self.slots[s]
        assert points.ends is not None
        top = len(points.first) - 2
        inside = (positives >= 0) & (positives <= top)
        p = np.where(inside, positives, 0)
        first, last = points.first[p], points.first[p + 1]
        low, high = points.ends[first], points.ends[last]
        at = low + self.random.random(len(p)) * (high - low)
        drawn = np.searchsorted(points.ends, at, side="right") - 1
        ok = inside & (last > first) & (high > low)
        drawn = np.clip(drawn, first, np.maximum(last - 1, first))
        return np.minimum(drawn, len(points.at) - 1), ok

    def run(self, batches: int, deadline: float | None) -> Consistent | None:
        """Draw so many batches; the witness, if one turns up."""
        for _ in range(batches):
            if deadline is not None and time.monotonic() > deadline:
                return None
            self.samples += BATCH
            drawn, want, good = self._batch()
            rows = np.nonzero(good)[0]
            if not len(rows):
                continue
            near = min(NEAREST, len(self.index))
            distance, found = self.tree.query(want[rows], k=near, p=np.inf, distance_upper_bound=1.0001)
            distance, found = distance.reshape(-1, near), found.reshape(-1, near)
            for b, j in np.argwhere(np.isfinite(distance))[:CHECKED]:
                answer = self._assembled([d[rows[b]] for d in drawn], self.index[found[b, j]])
                if answer.witness not in self.seen:
                    if confirms(self.model.loose, answer.folds, answer.witness):
                        return answer
                    self.seen.add(answer.witness)
        return None

    def foldings(self, count: int) -> list[Folds]:
        """Foldings as the tilt makes them, their matrices forgotten."""
        drawn, _, good = self._batch(completed=True)
        found = []
        for b in np.nonzero(good)[0][:count]:
            source = iter(drawn[len(self.fixed) :])
            found.append(
                tuple(
                    tuple(
                        Sample(p, self.model.slots[s].size - p)
                        for s in slots
                        for p in [int(self.slots[s].at[next(source)[b], 0])]
                    )
                    for slots in self.folds
                )
            )
        return found

    def _batch(self, completed: bool = False) -> tuple[list[Array], Array, Array]:
        """All folds but the last two; what is missing then, and which draws are legal so far.

        ``completed``: the last two are drawn as well.
        """
        good = np.ones(BATCH, dtype=bool)
        missing = np.zeros(BATCH, dtype=np.int64)
        drawn: list[Array] = []
        # what is still missing, less what the folds to come add on average
        gap = np.tile(self.centre - self.expected, (BATCH, 1))

        def take(s: int, points: Array) -> None:
            drawn.append(points)
            gap[:] -= self.slots[s].vectors[points] - self.means[s]

        for s in self.fixed:
            take(s, self._choose(s, gap, None))
        for f, slots in enumerate(self.folds):
            # positives the folds to come would have too many or too few
            excess = np.full(BATCH, self.model.loose.foldings[f].p - sum(self.positives[s] for s in slots))
            left = np.full(BATCH, self.model.loose.foldings[f].p)
            open_ = f == self.last and not completed
            for s in slots[1:-1] if open_ else slots[:-1]:
                points = self._choose(s, gap, excess)
                p = self.slots[s].at[points, 0]
                excess = excess - p + self.positives[s]
                left = left - p
                take(s, points)
            if open_:
                missing = left
            else:
                points, ok = self._draw_with(slots[-1], left)
                take(slots[-1], points)
                good &= ok
        pair = self.means[self.pair[0]] + self.means[self.pair[1]]
        want = np.concatenate([(gap + pair) * self.unit, missing[:, None] * 10.0], axis=1)
        return drawn, want, good

    def _choose(self, s: int, gap: Array, excess: Array | None) -> Array:
        """Of a few points drawn for each sample the one that keeps it nearest to its aim."""
        points = self._draw(s, BATCH * CANDIDATES).reshape(BATCH, CANDIDATES)
        vectors = self.slots[s].vectors[points] - self.means[s]
        distance = (((gap[:, None, :] - vectors) * self.weights[s]) ** 2).sum(axis=2)
        if excess is not None:
            p = self.slots[s].at[points, 0] - self.positives[s]
            distance += ((excess[:, None] - p) / self.spread[s]) ** 2
        best = distance.argmin(axis=1)
        # now and then the first is taken as it comes, or rare points would never be
        best[self.random.random(BATCH) < UNSTEERED] = 0
        return np.asarray(points[np.arange(BATCH), best])

    def _assembled(self, drawn: list[Array], pair: Array) -> Consistent:
        source = iter(drawn)
        witness: list[tuple[int, int]] = []
        folds: list[tuple[Sample, ...]] = []

        def point(s: int, index: int) -> Sample:
            p, tp, tn = (int(x) for x in self.slots[s].at[index])
            witness.append((tp, tn))
            return Sample(p, self.model.slots[s].size - p)

        for s in self.fixed:
            point(s, int(next(source)))
        for f, slots in enumerate(self.folds):
            inside = []
            for j, s in enumerate(slots):
                if f == self.last and j in (0, len(slots) - 1):
                    inside.append(point(s, int(pair[0 if j == 0 else 1])))
                else:
                    inside.append(point(s, int(next(source))))
            folds.append(tuple(inside))
        return Consistent(tuple(folds), tuple(witness))
