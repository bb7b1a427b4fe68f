"""Looking for a witness: tilted sampling, completed by nearest neighbours.

Among all distributions of points whose expected sum is allowed, the one of maximum entropy
is an exponential tilt of the uniform one; its few parameters come from a small convex
problem.  All parts but two are drawn from it.  The last two are looked up in a tree of pair
sums: the pair that comes nearest to what is missing, in units of the allowed error.
"""

from __future__ import annotations

import time

import numpy as np

from scoreproof.proof.averages_figures import confirms
from scoreproof.proof.averages_tables import Array
from scoreproof.solve.averages.field import TINY, Field

BATCH = 1500
NEAREST = 3
CHECKED = 60  # near hits of a batch that are checked exactly


class Sampler:
    """A seeded, resumable search for a witness of one model."""

    what = "samples"

    def __init__(self, field: Field, seed: int) -> None:
        self.field = field
        self.random = np.random.default_rng(seed)
        self.groups = field.model.groups
        self.points: list[Array] = []
        self.flat: list[Array] = []
        for g, group in enumerate(self.groups):
            mask = field.masks[g]
            every = np.array(np.unravel_index(np.arange(group.size), (group.p + 1, group.n + 1))).T
            listed = field.vectors[g]
            assert listed is not None
            vectors = listed.reshape(group.size, -1)
            if mask is not None:
                every, vectors = every[mask.ravel()], vectors[mask.ravel()]
            self.points.append(every)
            self.flat.append(vectors)
        self.possible = all(len(p) for p in self.points)
        self.tries = 0
        self.pairs = 0
        self.patience = CHECKED
        self.seen: set[tuple[tuple[int, int], ...]] = set()
        if not self.possible:
            return
        self.centre, self.half = self._aim()
        self.tilt()

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

    def tilt(self) -> None:
        """The tilt's parameters, by damped Newton steps."""
        rows = len(self.centre)
        at = np.zeros(rows)
        aim = self.centre - self.field.constant
        slack = 0.6 * self.half
        value, gradient, curvature = self._dual(at, aim, slack)
        for _ in range(60):
            step = np.linalg.lstsq(curvature + 1e-10 * np.eye(rows), -gradient, rcond=None)[0]
            size = float(np.abs(step).max(initial=0.0))
            if size > 200:
                step *= 200 / size
            length = 1.0
            for _ in range(25):
                new = self._dual(at + length * step, aim, slack)
                if new[0] <= value + 1e-4 * length * float(gradient @ step):
                    break
                length /= 2
            else:
                break
            at = at + length * step
            done = value - new[0] < 1e-9
            value, gradient, curvature = new
            if done or float(np.abs(at).max(initial=0.0)) > 1e5:
                break
        self.logs = [v @ at for v in self.flat]
        self.chances = []
        for log in self.logs:
            weight = np.exp(log - log.max())
            self.chances.append(np.cumsum(weight / weight.sum()))

    def _dual(self, at: Array, aim: Array, slack: Array) -> tuple[float, Array, Array]:
        smooth = 1e-2
        root = np.sqrt(at * at + smooth * smooth)
        value = -float(at @ aim) + float(slack @ root)
        gradient = -aim + slack * at / root
        curvature = np.diag(slack * smooth * smooth / root**3)
        for group, vectors in zip(self.groups, self.flat, strict=True):
            log = vectors @ at
            top = log.max()
            weight = np.exp(log - top)
            total = weight.sum()
            weight /= total
            m = len(group.parts)
            mean = weight @ vectors
            value += m * (float(top) + float(np.log(total)))
            gradient = gradient + m * mean
            curvature = curvature + m * ((vectors * weight[:, None]).T @ vectors - np.outer(mean, mean))
        return value, gradient, curvature

    def prepare(self, pairs: int) -> None:
        """The tree of pair sums over the likeliest points of the two last parts."""
        from scipy.spatial import cKDTree

        order = sorted(range(len(self.groups)), key=lambda g: -len(self.groups[g].parts))
        first = order[0]
        if len(self.groups[first].parts) > 1 or len(order) == 1:
            second = first if len(self.groups[first].parts) > 1 else None
        else:
            second = order[1]
        self.last = [first] if second is None else [first, second]
        each = int(pairs**0.5) if second is not None else pairs
        if second == first:
            each = int((2 * pairs) ** 0.5)
        tops = []
        for g in self.last:
            likely = np.argsort(-self.logs[g], kind="stable")[:each]
            tops.append(likely)
        if second is None:
            index = tops[0][:, None]
            sums = self.flat[first][tops[0]]
        else:
            mesh = np.meshgrid(np.arange(len(tops[0])), np.arange(len(tops[1])), indexing="ij")
            i, j = mesh[0].ravel(), mesh[1].ravel()
            if second == first:
                stay = i <= j
                i, j = i[stay], j[stay]
            index = np.stack([tops[0][i], tops[1][j]], axis=1)
            sums = self.flat[first][index[:, 0]] + self.flat[self.last[1]][index[:, 1]]
        self.index = index
        # rows without a real bound are left out of the distance
        self.unit = np.where(self.half > 0.45, 0.0, 1 / np.maximum(self.half, TINY))
        self.tree = cKDTree(_padded(sums * self.unit))

    def run(
        self, pairs: int, batches: int, deadline: float | None
    ) -> tuple[tuple[int, int], ...] | None:
        """Draw so many batches, against so many pairs; the witness, if one turns up."""
        if not self.possible:
            return None
        hurry = deadline is not None and self.pairs and deadline - time.monotonic() < pairs / 400_000
        if pairs != self.pairs and not hurry:
            self.prepare(pairs)
            self.pairs = pairs
        rest = [len(g.parts) - self.last.count(k) for k, g in enumerate(self.groups)]
        for _ in range(batches):
            if deadline is not None and time.monotonic() > deadline:
                return None
            self.tries += BATCH
            size = BATCH if sum(rest) else 1
            total = np.tile(self.field.constant, (size, 1))
            drawn = []
            for g, count in enumerate(rest):
                draws = np.searchsorted(self.chances[g], self.random.random((size, count)))
                draws = np.minimum(draws, len(self.chances[g]) - 1)
                drawn.append(draws)
                if count:
                    total += self.flat[g][draws].sum(axis=1)
            missing = _padded((self.centre - total) * self.unit)
            near = min(NEAREST, len(self.index))
            distance, found = self.tree.query(missing, k=near, p=np.inf, distance_upper_bound=1.0001)
            distance, found = distance.reshape(size, near), found.reshape(size, near)
            hits = np.argwhere(np.isfinite(distance))
            patience = self.patience
            self.patience = max(8, patience // 2)  # hits that fail come from figures no row shows
            for s, k in hits[:patience]:
                witness = self._assemble([d[s] for d in drawn], self.index[found[s, k]])
                if witness not in self.seen:
                    if confirms(self.field.model.problem, witness):
                        return witness
                    self.seen.add(witness)
        return None

    def _assemble(self, drawn: list[Array], last: Array) -> tuple[tuple[int, int], ...]:
        chosen: list[list[int]] = [list(map(int, d)) for d in drawn]
        for g, point in zip(self.last, last, strict=True):
            chosen[g].append(int(point))
        witness = [(0, 0)] * len(self.field.model.problem.parts)
        for g, group in enumerate(self.groups):
            for i, point in zip(group.parts, chosen[g], strict=True):
                tp, tn = self.points[g][point]
                witness[i] = int(tp), int(tn)
        return tuple(witness)


def _padded(vectors: Array) -> Array:
    """The vectors with a zero appended, since a tree needs at least one coordinate."""
    return np.concatenate([vectors, np.zeros((len(vectors), 1))], axis=1)
