"""Looking for a witness: tilted sampling, completed by nearest neighbours.

Among all distributions of points whose expected sum is allowed, the one of maximum entropy
is an exponential tilt of the uniform one; its few parameters come from a small convex
problem.  All parts but two (or four, on small grids) are drawn from it.  The last ones are
looked up in a tree of their sums: those that come nearest to what is missing, in units of the
allowed error.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from scoreproof.proof.averages.figures import confirms
from scoreproof.proof.averages.tables import Array
from scoreproof.solve.averages.field import TINY, Field

BATCH = 1500
PLAIN = 1_500  # so few tails are compared one by one
BATCH_PLAIN = 100
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
        """The tree of sums over the last parts."""
        order = sorted(range(len(self.groups)), key=lambda g: -len(self.groups[g].parts))
        slots = [g for g in order for _ in self.groups[g].parts]
        few = sum(len(self.flat[g]) ** 2 for g in set(slots[:2])) < pairs / 3
        if (few and len(slots) > 5) or len(slots) > 7:
            # longer tails, drawn at random: on small grids all pairs would fill only a part of the
            # tree, and with many parts a tail of two leaves too much to chance
            self.last = slots[: min(4, len(slots) // 2)]
            index = np.stack([self._draw(g, (pairs,)) for g in self.last], axis=1)
        else:
            self.last = slots[:2]
            index = self._likely_pairs(pairs)
        sums = sum(self.flat[g][index[:, k]] for k, g in enumerate(self.last))
        self.index = index
        # rows without a real bound are left out of the distance
        self.unit = np.where(self.half > 0.45, 0.0, 1 / np.maximum(self.half, TINY))
        self.tree: Any = None
        self.sums = sums * self.unit
        if pairs > PLAIN:
            # importing scipy takes longer than deciding an easy claim without it
            from scipy.spatial import cKDTree

            self.tree = cKDTree(_padded(self.sums))

    def _near(self, missing: Array) -> list[tuple[int, int]]:
        """(sample, tail) such that the tail is nearly what the sample misses."""
        if self.tree is None:
            apart = np.zeros((len(missing), len(self.sums)))
            for r in range(missing.shape[1]):
                np.maximum(apart, np.abs(missing[:, r, None] - self.sums[None, :, r]), out=apart)
            return [(int(s), int(k)) for s, k in np.argwhere(apart <= 1.0001)[: self.patience]]
        near = min(NEAREST, len(self.index))
        distance, found = self.tree.query(_padded(missing), k=near, p=np.inf, distance_upper_bound=1.0001)
        distance, found = distance.reshape(-1, near), found.reshape(-1, near)
        hits = np.argwhere(np.isfinite(distance))[: self.patience]
        return [(int(s), int(found[s, k])) for s, k in hits]

    def _draw(self, g: int, shape: tuple[int, ...]) -> Array:
        """Points of group g drawn from the tilt."""
        draws = np.searchsorted(self.chances[g], self.random.random(shape))
        return np.minimum(draws, len(self.chances[g]) - 1)

    def _likely_pairs(self, pairs: int) -> Array:
        """The likeliest points of the last two parts, in all combinations."""
        if len(self.last) == 1:
            return np.argsort(-self.logs[self.last[0]], kind="stable")[:pairs, None]
        first, second = self.last
        each = int((2 * pairs if first == second else pairs) ** 0.5)
        tops = [np.argsort(-self.logs[g], kind="stable")[:each] for g in self.last]
        mesh = np.meshgrid(np.arange(len(tops[0])), np.arange(len(tops[1])), indexing="ij")
        i, j = mesh[0].ravel(), mesh[1].ravel()
        if first == second:
            stay = i <= j
            i, j = i[stay], j[stay]
        return np.stack([tops[0][i], tops[1][j]], axis=1)

    def run(self, pairs: int, batches: int, deadline: float | None) -> tuple[tuple[int, int], ...] | None:
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
            size = (BATCH_PLAIN if self.tree is None else BATCH) if sum(rest) else 1
            self.tries += size
            total = np.tile(self.field.constant, (size, 1))
            drawn = []
            for g, count in enumerate(rest):
                draws = self._draw(g, (size, count))
                drawn.append(draws)
                if count:
                    total += self.flat[g][draws].sum(axis=1)
            hits = self._near((self.centre - total) * self.unit)
            self.patience = max(8, self.patience // 2)  # hits that fail: a figure no row shows
            for s, k in hits:
                witness = self._assemble([d[s] for d in drawn], self.index[k])
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
