"""A witness for parts too large to list: a real solution first, then whole counts.

With hundreds of thousands of items a part, rounding a count moves a mean by less than any
printed digit shows.  So the counts are taken as real numbers, moved by damped Newton steps
into the middle of what is allowed, rounded, and, where the last digit needs it, repaired by
single steps.  Several starts, from nearly equal parts to very different ones, are tried.
"""

from __future__ import annotations

import time

import numpy as np

from scoreproof.proof.averages.figures import confirms
from scoreproof.proof.averages.tables import Array
from scoreproof.solve.averages.field import Field

STEPS = 60
REPAIRS = 300
JUMPS = np.array([-400, -60, -9, -2, -1, 0, 1, 2, 9, 60, 400], dtype=float)
STEPS_NEAR = np.arange(-6, 7, dtype=float)
THIRDS = 12

Points = tuple[tuple[int, int], ...]


class Continuous:
    """A seeded, resumable search."""

    what = "starts of a continuous search"

    def __init__(self, field: Field, seed: int) -> None:
        self.field = field
        self.random = np.random.default_rng(seed)
        self.owner = [g for g, group in enumerate(field.model.groups) for _ in group.parts]
        self.parts = [i for group in field.model.groups for i in group.parts]
        samples = [field.model.problem.parts[i] for i in self.parts]
        self.size = np.array([[s.p, s.n] for s in samples], dtype=float)
        self.tries = 0

    def run(self, pairs: int, batches: int, deadline: float | None) -> Points | None:
        """So many batches of starts; the witness, if one turns up (``pairs`` is not used)."""
        for _ in range(min(4 * batches, 60)):
            if deadline is not None and time.monotonic() > deadline:
                return None
            spread = 0.02 * 1.6 ** (self.tries % 9)
            self.tries += 1
            middle = self.random.uniform(0.55, 0.95, 2)
            share = np.clip(middle + spread * self.random.standard_normal(self.size.shape), 0.02, 0.98)
            solution = self._solve(share * self.size)
            if solution is None:
                continue
            witness = self._whole(solution)
            if witness is not None:
                return witness
        return None

    def _each(self, counts: Array) -> Array:
        """What every part adds to the scaled rows, for counts of shape (parts, choices, 2)."""
        result = np.empty((*counts.shape[:2], len(self.field.model.rows)))
        k = 0
        for g, group in enumerate(self.field.model.groups):
            m = len(group.parts)
            block = counts[k : k + m]
            if self.field.vectors[g] is not None:
                # a listed group among unlisted ones: read between the lines of its table
                block = np.clip(block.round(), 0, self.size[k]).astype(np.int64)
            result[k : k + m] = self.field.at(g, block[..., 0], block[..., 1])
            k += m
        return result

    def _wanted(self, y: Array, margin: float) -> Array:
        """The allowed point nearest to y, away from the borders by a share of the width."""
        body = self.field.body
        inset = margin * (body.hi - body.lo)
        wanted = np.clip(y, body.lo + inset, body.hi - inset)
        for curve, centre, low, high in body.curves:
            if curve.kind == "variance":
                i, j = curve.one, curve.two
                mean = wanted[i] / body.scale[i] - centre
                high = min(high, low + 1)
                room = margin * (high - low)
                variance = y[j] / body.scale[j] - mean * mean
                variance = min(max(variance, low + room), high - room)
                wanted[j] = (variance + mean * mean) * body.scale[j]
        return wanted

    def _solve(self, counts: Array) -> Array | None:
        step = np.maximum(1e-4 * self.size, 1e-3)
        for _ in range(STEPS):
            # differences inwards, so that no border is crossed
            sign = np.where(counts > self.size / 2, -1.0, 1.0)
            moved = np.repeat(counts[:, None, :], 3, axis=1)
            moved[:, 1, 0] += (sign * step)[:, 0]
            moved[:, 2, 1] += (sign * step)[:, 1]
            values = self._each(moved)
            y = values[:, 0].sum(axis=0) + self.field.constant
            error = self._wanted(y, 0.25) - y
            if float(np.abs(error).max(initial=0.0)) < 1e-13:
                return counts
            slope = np.stack([values[:, k] - values[:, 0] for k in (1, 2)], axis=1)
            slope = slope / (sign * step)[:, :, None]
            # parts near a border move less
            room = np.minimum(counts, self.size - counts) + 1e-3 * self.size
            weight = (room**2)[:, :, None]
            matrix = np.einsum("ksr,kst->rt", slope * weight, slope)
            scale = max(float(np.trace(matrix)), 1e-30)
            lagrange = np.linalg.lstsq(matrix + 1e-13 * scale * np.eye(len(y)), error, rcond=None)[0]
            change = (slope * weight) @ lagrange
            longest = float((np.abs(change) / (0.7 * room + 1e-9)).max(initial=0.0))
            counts = np.clip(counts + change / max(1.0, longest), 0, self.size)
        inside = self._wanted(y, 0.0) - y
        return counts if float(np.abs(inside).max(initial=0.0)) < 1e-12 else None

    def _whole(self, counts: Array) -> Points | None:
        counts = np.clip(counts.round(), 0, self.size)
        problem = self.field.model.problem
        body = self.field.body
        width = np.maximum(body.hi - body.lo, 1e-12)
        for curve, _, low, high in body.curves:
            if curve.kind == "variance":
                width[curve.two] = max(min(high - low, 1.0) * body.scale[curve.two], 1e-12)
        for _ in range(REPAIRS):
            tp, tn = np.meshgrid(JUMPS, JUMPS, indexing="ij")
            jumps = np.stack([tp.ravel(), tn.ravel()], axis=1)
            moved = np.clip(counts[:, None, :] + jumps[None], 0, self.size[:, None, :])
            values = self._each(moved)
            here = values[:, len(jumps) // 2]
            y = here.sum(axis=0) + self.field.constant
            if float((np.abs(self._wanted(y, 0.0) - y) / width).max(initial=0.0)) < 1e-9:
                witness = self._witness(counts)
                if confirms(problem, witness):
                    return witness
            reached = y + values - here[:, None]
            wanted = self._wanted(y, 0.3)
            loss = ((np.abs(reached - wanted) / width) ** 2).sum(axis=2)
            part, jump = divmod(int(loss.argmin()), len(jumps))
            if jump == len(jumps) // 2:
                return self._polished(counts, width)
            counts[part] = moved[part, jump]
        return None

    def _polished(self, counts: Array, width: Array) -> Points | None:
        """Small steps of three parts at once, two of them looked up in a tree."""
        from scipy.spatial import cKDTree

        tp, tn = np.meshgrid(STEPS_NEAR, STEPS_NEAR, indexing="ij")
        near = np.stack([tp.ravel(), tn.ravel()], axis=1)
        moved = np.clip(counts[:, None, :] + near[None], 0, self.size[:, None, :])
        values = self._each(moved)
        here = values[:, len(near) // 2]
        y = here.sum(axis=0) + self.field.constant
        unit = 2 / width
        steps = ((values - here[:, None]) * unit).reshape(-1, len(y))
        owner = np.repeat(np.arange(len(counts)), len(near))
        missing = (self._wanted(y, 0.5) - y) * unit
        tree = cKDTree(steps)
        for third in self.random.integers(0, len(steps), THIRDS):
            distance, found = tree.query(missing - steps[third] - steps, p=np.inf, distance_upper_bound=1.0)
            for first in np.flatnonzero(np.isfinite(distance))[:20]:
                chosen = [int(third), int(first), int(found[first])]
                if len({int(owner[k]) for k in chosen}) < 3:
                    continue
                new = counts.copy()
                for k in chosen:
                    new[owner[k]] = moved[owner[k], k % len(near)]
                witness = self._witness(new)
                if confirms(self.field.model.problem, witness):
                    return witness
        return None

    def _witness(self, counts: Array) -> Points:
        witness = [(0, 0)] * len(self.parts)
        for i, (a, b) in zip(self.parts, counts, strict=True):
            witness[i] = int(a), int(b)
        return tuple(witness)
