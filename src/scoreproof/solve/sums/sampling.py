"""Looking for a witness: tilted sampling, completed by nearest neighbours.

Among all distributions of points whose expected sum is allowed, the one of maximum entropy
is an exponential tilt of the uniform one; its few parameters come from a small convex problem.
All parts but a *tail* of two (or up to four) are drawn from it.  The tail is looked up in a tree of
sums: those that come nearest to what is missing, in units of the allowed error.

Folds of unknown make-up are drawn folding by folding; the last fold of a folding takes the positives
that are left, and the tail is a pair of folds of one folding, whose positives must match, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoreproof.proof.sums.choice import Choice, fitting
from scoreproof.proof.sums.choice import Folds as Foldings
from scoreproof.proof.sums.folds import MOST_POINTS as MOST_FOLD_POINTS
from scoreproof.proof.sums.folds import Folds
from scoreproof.proof.sums.grid import Array, Grid
from scoreproof.proof.sums.model import Shape, interchangeable
from scoreproof.question.folds import Sample
from scoreproof.solve.sums.field import TINY, Field

BATCH = 1500
PLAIN = 1_500  # so few tails are compared one by one
BATCH_PLAIN = 100
NEAREST = 3
CHECKED = 60  # near hits of a batch that are checked exactly
CANDIDATES = 5  # points drawn for a fold, of which the best placed is taken
UNSTEERED = 0.2  # of the draws
SAME = 1e4  # sums that differ by less than this part of an allowed error are the same
COARSE = 13  # first every 13th point of a large group is looked at

#: Work of a sample (per part and row), of looking a tail up (per row), of a tail, of a hit that is checked,
#: and of a step of the tilt (per row of a point).
SAMPLE, NEAR, TAIL, CHECK, TILT = 20, 250, 1_000, 60_000, 20


@dataclass
class Points:
    """All points of a group, with scaled row values; those of folds in the order of their positives."""

    at: Array  # p, tp, tn
    vectors: Array
    ways: Array | None  # logarithm of the number of ways to reach each point
    first: Array | None  # first[p], first[p+1]: where the points with p positives lie
    ends: Array  # cumulative chances
    logs: Array


def _ways(at: Array, size: int) -> Array:
    """The logarithm of how many ways items can give a point: chance favours the middle."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, size + 1)))])
    p, tp, tn = at.T
    n = size - p
    return np.asarray(logs[size] - logs[tp] - logs[p - tp] - logs[tn] - logs[n - tn])


class Sampler:
    """A seeded, resumable search for a witness of one model.

    Before the tilt every point has the same weight (``lively`` = 0), or as much as there are ways to
    reach it (1), which makes honest figures likely and extreme ones rare.
    """

    def __init__(self, field: Field, seed: int) -> None:
        self.field, self.model, self.budget = field, field.model, field.budget
        self.random = np.random.default_rng(seed)
        self.pairs = 0
        self.lively = 0.0
        self.patience = CHECKED
        self.seen: set[tuple[tuple[int, int, int], ...]] = set()
        self.groups: list[Points] = []
        self.possible = self._listable()
        if not self.possible:
            return
        self.groups = [self._points(g) for g in range(len(self.model.groups))]
        self.possible = all(len(points.at) for points in self.groups)
        if not self.possible:
            return
        self._parts()
        self.centre, self.half = self._aim()
        # rows without a real bound are left out of the distance
        self.unit = np.where(self.half > 0.45, 0.0, 1 / np.maximum(self.half, TINY))
        self.tilted: float | None = None

    # -- what there is to draw from ------------------------------------------------------------------

    def _listable(self) -> bool:
        for group, table in zip(self.model.groups, self.field.tables, strict=True):
            if group.shape is Shape.FOLD:
                if sum(option.points for option in group.options) > MOST_FOLD_POINTS:
                    return False
            elif not isinstance(table, Grid):
                return False
        return True

    def _points(self, g: int) -> Points:
        table, group = self.field.tables[g], self.model.groups[g]
        if isinstance(table, Folds):
            root = table.root()
            assert root is not None
            vectors, at = self.field.of_folds(table, root, every=True)
            first = np.searchsorted(at[:, 0], np.arange(group.size + 2))
            return Points(at, vectors, _ways(at, group.size), first, at, at)
        assert isinstance(table, Grid)
        listed = self.field.vectors[g]
        assert listed is not None
        tp, tn = np.nonzero(table.mask)
        at = np.stack([np.full(len(tp), table.option.p), table.window[0] + tp, table.window[2] + tn], axis=1)
        return Points(at, listed[table.mask], None, None, at, at)

    def _parts(self) -> None:
        """In which group every part lies, and which parts make up the tail."""
        place = {i: g for g, group in enumerate(self.model.groups) for i in group.parts}
        problem = self.model.problem
        self.known = [place[i] for i in range(len(problem.parts))]
        self.folds: list[list[int]] = []
        start = len(self.known)
        for folding in problem.foldings:
            self.folds.append([place[start + j] for j in range(folding.k)])
            start += folding.k
        if all(len(set(folding.inside)) > 1 for folding in problem.foldings):
            # test sets drawn each on its own: nothing ties the positives of one to those of another
            self.known += [g for groups in self.folds for g in groups]
            self.folds = []
        alike = interchangeable(problem) if self.folds else []
        usable = [members[-1] for members in alike if problem.foldings[members[0]].k > 1]
        self.last = max(usable, key=lambda f: problem.foldings[f].k, default=None)
        if self.last is None and self.folds:
            self.possible = False  # nothing but foldings of a single fold

    def _aim(self) -> tuple[Array, Array]:
        """The middle and half-width of what is allowed, row by row."""
        body = self.field.body
        lo, hi = body.lo.copy(), body.hi.copy()
        for curve, centre, low, high in body.curves:
            if curve.kind == "variance":
                i, j = curve.one, curve.two
                y = (lo[i] + hi[i]) / 2 / body.scale[i] - centre
                lo[j], hi[j] = (low + y * y) * body.scale[j], (high + y * y) * body.scale[j]
        lo = np.maximum(lo, self.field.reach[0] - 1e-9)
        hi = np.minimum(hi, self.field.reach[1] + 1e-9)
        return (lo + hi) / 2, np.maximum((hi - lo) / 2, 0)

    # -- the tilt --------------------------------------------------------------------------------------

    def tilt(self, lively: float = 0.0) -> None:
        """The tilt's parameters, by damped Newton steps; from a part of the points first."""
        if self.tilted == lively:
            return
        self.tilted = self.lively = lively
        self.pairs = 0
        at = np.zeros(len(self.centre))
        large = any(len(points.at) > 20_000 for points in self.groups)
        if large:
            at = self._newton(at, COARSE, 40)
        at = self._newton(at, 1, 12 if large else 60)
        self.means: list[Array] = []
        self.weights: list[Array] = []
        self.positives: list[float] = []
        self.spread: list[float] = []
        for points in self.groups:
            points.logs = points.vectors @ at
            if points.ways is not None:
                points.logs = points.logs + lively * points.ways
            chance = np.exp(points.logs - points.logs.max())
            chance /= chance.sum()
            points.ends = np.concatenate([[0.0], np.cumsum(chance)])
            if not self.folds:
                continue  # draws of known parts are not steered
            mean = chance @ points.vectors
            self.means.append(mean)
            deviation = np.sqrt(np.maximum(chance @ (points.vectors - mean) ** 2, 0))
            self.weights.append(np.where(self.unit > 0, 1 / np.maximum(deviation, 1e-6), 0.0))
            self.positives.append(float(chance @ points.at[:, 0]))
            spread = chance @ (points.at[:, 0] - self.positives[-1]) ** 2
            self.spread.append(max(float(spread) ** 0.5, 0.3))
        counts = [len(group.parts) for group in self.model.groups]
        expected = (count * mean for count, mean in zip(counts, self.means, strict=bool(self.folds)))
        self.expected = sum(expected, np.zeros(len(self.centre)))

    def _newton(self, at: Array, stride: int, steps: int) -> Array:
        """Better parameters, from one in ``stride`` points of a large group."""
        rows, slack = len(at), 0.6 * self.half
        value, gradient, curvature = self._dual(at, slack, stride)
        for _ in range(steps):
            step = np.linalg.lstsq(curvature + 1e-10 * np.eye(rows), -gradient, rcond=None)[0]
            size = float(np.abs(step).max(initial=0.0))
            step *= min(1.0, 250 / max(size, 1e-300))
            length = 1.0
            for _ in range(25):
                new = self._dual(at + length * step, slack, stride)
                if new[0] <= value + 1e-4 * length * float(gradient @ step):
                    break
                length /= 2
            else:
                break
            at = at + length * step
            done = value - new[0] < (1e-9 if stride == 1 else 1e-6)
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
        for group, points in zip(self.model.groups, self.groups, strict=True):
            step = stride if len(points.at) > 20_000 else 1
            vectors = points.vectors[::step]
            self.budget.spend(50_000 + TILT * vectors.size)
            log = vectors @ at
            if points.ways is not None and self.lively:
                log = log + self.lively * points.ways[::step]
            top = log.max()
            weight = np.exp(log - top)
            total = weight.sum()
            weight /= total
            if len(weight) > 5_000:
                # points of no weight cost time and change nothing
                some = weight > 1e-12
                vectors, weight = vectors[some], weight[some]
            count = len(group.parts)
            mean = weight @ vectors
            value += count * (float(top) + float(np.log(total)))
            gradient = gradient + count * mean
            second = (vectors * weight[:, None]).T @ vectors
            curvature = curvature + count * (second - np.outer(mean, mean))
        return value, gradient, curvature

    # -- the tail ----------------------------------------------------------------------------------------

    def prepare(self, pairs: int) -> None:
        """The tree of sums over the tail."""
        if self.last is not None:
            self.tail = [self.folds[self.last][0], self.folds[self.last][-1]]
            index = self._likely_pairs(pairs)
        else:
            order = sorted(range(len(self.groups)), key=lambda g: -len(self.model.groups[g].parts))
            slots = [g for g in order for _ in self.model.groups[g].parts]
            few = sum(len(self.groups[g].at) ** 2 for g in set(slots[:2])) < pairs / 3
            if (few and len(slots) > 5) or len(slots) > 7:
                # longer tails, drawn at random: on small grids all pairs would fill only a part of the
                # tree, and with many parts a tail of two leaves too much to chance
                self.tail = slots[: min(4, len(slots) // 2)]
                index = np.stack([self._draw(g, (pairs,)) for g in self.tail], axis=1)
            else:
                self.tail = slots[:2]
                index = self._likely_pairs(pairs)
        self.budget.spend(TAIL * len(index))
        sums = sum(self.groups[g].vectors[index[:, k]] for k, g in enumerate(self.tail)) * self.unit
        # positives must match exactly: a distance of one is ten times too far
        positives = sum(self.groups[g].at[index[:, k], 0] for k, g in enumerate(self.tail))
        sums = np.concatenate([sums, (positives * (10.0 if self.folds else 0.0))[:, None]], axis=1)
        # of equal sums one is kept: thousands of them in one place would make every look-up slow
        whole = np.clip(np.nan_to_num(np.rint(sums * SAME)), -(2.0**50), 2.0**50).astype(np.int64)
        mixed = whole @ self.random.integers(1 << 40, size=sums.shape[1])
        once = np.sort(np.unique(mixed, return_index=True)[1])
        self.index, self.sums = index[once], sums[once]
        self.tree: Any = None
        if pairs > PLAIN or self.last is not None:
            # importing scipy takes longer than deciding an easy claim without it
            from scipy.spatial import cKDTree

            self.tree = cKDTree(self.sums)
        self.pairs = pairs

    def _likely_pairs(self, pairs: int) -> Array:
        """The likeliest points of the last two parts, in all combinations."""
        if len(self.tail) == 1:
            return np.argsort(-self.groups[self.tail[0]].logs, kind="stable")[:pairs, None]
        first, second = self.tail
        each = int((2 * pairs if first == second else pairs) ** 0.5)
        tops = [np.argsort(-self.groups[g].logs, kind="stable")[:each] for g in self.tail]
        i, j = (x.ravel() for x in np.indices((len(tops[0]), len(tops[1]))))
        if first == second:
            i, j = i[i <= j], j[i <= j]
        return np.stack([tops[0][i], tops[1][j]], axis=1)

    def _near(self, missing: Array) -> list[tuple[int, int]]:
        """(sample, tail) such that the tail is nearly what the sample misses."""
        if self.tree is None:
            apart = np.zeros((len(missing), len(self.sums)))
            for r in range(missing.shape[1] - (not self.folds)):  # known parts agree in their positives
                np.maximum(apart, np.abs(missing[:, r, None] - self.sums[None, :, r]), out=apart)
            return [(int(s), int(k)) for s, k in np.argwhere(apart <= 1.0001)[: self.patience]]
        near = min(NEAREST, len(self.index))
        distance, found = self.tree.query(missing, k=near, p=np.inf, distance_upper_bound=1.0001)
        distance, found = distance.reshape(-1, near), found.reshape(-1, near)
        hits = np.argwhere(np.isfinite(distance))[: self.patience]
        return [(int(s), int(found[s, k])) for s, k in hits]

    # -- drawing -----------------------------------------------------------------------------------------

    def _draw(self, g: int, shape: tuple[int, ...]) -> Array:
        """Points of a group drawn from the tilt."""
        points = self.groups[g]
        found = np.searchsorted(points.ends, self.random.random(shape), side="right") - 1
        return np.minimum(found, len(points.at) - 1)

    def _draw_with(self, g: int, positives: Array) -> tuple[Array, Array]:
        """Points with given positives, and which of them exist."""
        points = self.groups[g]
        assert points.first is not None
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

    def _choose(self, g: int, gap: Array, excess: Array | None) -> Array:
        """Of a few points drawn for each sample the one that keeps it nearest to its aim."""
        size = len(gap)
        self.budget.spend(2 * SAMPLE * size * CANDIDATES * gap.shape[1])
        points = self._draw(g, (size, CANDIDATES))
        vectors = self.groups[g].vectors[points] - self.means[g]
        distance = (((gap[:, None, :] - vectors) * self.weights[g]) ** 2).sum(axis=2)
        if excess is not None:
            p = self.groups[g].at[points, 0] - self.positives[g]
            distance += ((excess[:, None] - p) / self.spread[g]) ** 2
        best = distance.argmin(axis=1)
        # now and then the first is taken as it comes, or rare points would never be
        best[self.random.random(size) < UNSTEERED] = 0
        return np.asarray(points[np.arange(size), best])

    def run(self, pairs: int, batches: int) -> Choice | None:
        """Draw so many batches, against so many tails; the witness, if one turns up."""
        if not self.possible:
            return None
        self.tilt(self.lively if self.tilted is not None else 0.0)
        if pairs != self.pairs:
            self.prepare(pairs)
        rows, parts = len(self.centre) + 1, self.model.problem.size
        tail = [self.tail.count(g) for g in range(len(self.groups))]
        for _ in range(batches):
            # of very many parts few samples are drawn at once, or they would fill the memory
            size = BATCH_PLAIN if self.tree is None else max(20, min(BATCH, 2_000_000 // parts))
            if parts == len(self.tail):
                size = 1
            self.budget.spend(NEAR * size * rows)
            self.budget.look()  # a batch may take a tenth of a second
            drawn, missing, good = self._folded(size) if self.folds else self._plain(size, tail)
            rows_ = np.nonzero(good)[0]
            if not len(rows_):
                continue
            hits = self._near(missing[rows_])
            if not self.folds:
                self.patience = max(8, self.patience // 2)  # hits that fail: a figure no row shows
            for s, k in hits:
                choice = self._assembled({i: d[rows_[s]] for i, d in drawn.items()}, self.index[k])
                key = tuple(choice)
                if key not in self.seen:
                    self.budget.spend(CHECK * (1 + parts // 10))
                    if fitting(self.model.problem, choice):
                        return choice
                    self.seen.add(key)
        return None

    def _plain(self, size: int, tail: list[int]) -> tuple[dict[int, Array], Array, Array]:
        """Points of all known parts but the tail; what is missing then."""
        total = np.zeros((size, len(self.centre)))
        drawn: dict[int, Array] = {}
        for g, group in enumerate(self.model.groups):
            rest = group.parts[: len(group.parts) - tail[g]]
            if rest:
                self.budget.spend(SAMPLE * size * len(rest) * len(self.centre))
                draws = self._draw(g, (size, len(rest)))
                total += self.groups[g].vectors[draws].sum(axis=1)
                drawn |= {i: draws[:, k] for k, i in enumerate(rest)}
        missing = np.concatenate([(self.centre - total) * self.unit, np.zeros((size, 1))], axis=1)
        return drawn, missing, np.ones(size, dtype=bool)

    def _folded(self, size: int, completed: bool = False) -> tuple[dict[int, Array], Array, Array]:
        """All folds but the last two; what is missing then, and which draws are legal so far.

        ``completed``: the last two are drawn as well.
        """
        good = np.ones(size, dtype=bool)
        missing = np.zeros(size, dtype=np.int64)
        drawn: dict[int, Array] = {}
        # what is still missing, less what the folds to come add on average
        gap = np.tile(self.centre - self.expected, (size, 1))
        problem = self.model.problem

        def take(i: int, g: int, points: Array) -> None:
            drawn[i] = points
            gap[:] -= self.groups[g].vectors[points] - self.means[g]

        for i, g in enumerate(self.known):
            take(i, g, self._choose(g, gap, None))
        start = len(self.known)
        for f, groups in enumerate(self.folds):
            # positives the folds to come would have too many or too few
            excess = np.full(size, problem.foldings[f].p - sum(self.positives[g] for g in groups))
            left = np.full(size, problem.foldings[f].p)
            open_ = f == self.last and not completed
            middle = list(enumerate(groups))[1:-1] if open_ else list(enumerate(groups))[:-1]
            for j, g in middle:
                points = self._choose(g, gap, excess)
                p = self.groups[g].at[points, 0]
                excess = excess - p + self.positives[g]
                left = left - p
                take(start + j, g, points)
            if open_:
                missing = left
            else:
                points, ok = self._draw_with(groups[-1], left)
                take(start + len(groups) - 1, groups[-1], points)
                good &= ok
            start += len(groups)
        pair = sum((self.means[g] for g in self.tail), np.zeros(len(self.centre))) if not completed else 0.0
        want = np.concatenate([(gap + pair) * self.unit, missing[:, None] * 10.0], axis=1)
        return drawn, want, good

    def foldings(self, count: int) -> list[Foldings]:
        """Foldings as the tilt makes them, their matrices forgotten."""
        if not self.folds:
            return []
        drawn, _, good = self._folded(max(20, min(BATCH, 2_000_000 // self.model.problem.size)), completed=True)
        found = []
        for b in np.nonzero(good)[0][:count]:
            start = len(self.known)
            ways = []
            for groups in self.folds:
                inside = []
                for j, g in enumerate(groups):
                    p = int(self.groups[g].at[drawn[start + j][b], 0])
                    inside.append(Sample(p, self.model.groups[g].size - p))
                ways.append(tuple(inside))
                start += len(groups)
            found.append(tuple(ways))
        return found

    def _assembled(self, drawn: dict[int, Any], tail: Array) -> Choice:
        choice: Choice = [(0, 0, 0)] * self.model.problem.size
        place = {i: g for g, group in enumerate(self.model.groups) for i in group.parts}
        open_ = [i for i in range(len(choice)) if i not in drawn]
        for i, point in drawn.items():
            choice[i] = self._point(place[i], int(point))
        for g, point in zip(self.tail, tail, strict=True):
            i = next(i for i in open_ if place[i] == g)
            open_.remove(i)
            choice[i] = self._point(g, int(point))
        return choice

    def _point(self, g: int, index: int) -> tuple[int, int, int]:
        p, tp, tn = self.groups[g].at[index]
        return int(p), int(tp), int(tn)
