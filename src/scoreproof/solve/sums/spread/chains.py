"""Many states of counts at once; every step proposes one small change in each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.margins import Axis
from scoreproof.solve.sums.spread.windows import LOST, Windows

#: Energy of one count too many or too few.
BEYOND = 2.0


class Chains:
    """States with the sums of their scores.

    Changes along an axis whose figures are hit keep its sum: two counts change places, or one gives what
    the other takes.  A free side may change alone.
    """

    def __init__(
        self,
        windows: Windows,
        tops: list[Array],
        mixing: Array,
        axes: Sequence[Axis | None],
        random: np.random.Generator,
    ) -> None:
        self.windows, self.tops, self.mixing, self.random = windows, tops, mixing, random
        self.free = [axis is None for axis in axes]
        i, j = np.triu_indices(windows.parts, 1)
        i, j = np.concatenate([i, j]), np.concatenate([j, i])
        inner = i // windows.inside == j // windows.inside if windows.inside > 1 else np.ones(len(i), bool)
        self.pairs: list[tuple[Array, Array]] = []
        self.kinds: list[Array] = []
        for axis, top in zip(axes, tops, strict=True):
            kind = top if axis is None else axis.top * axis.slope + 1e-3 * axis.top
            self.kinds.append(kind)
            same = (kind[i] == kind[j]) & inner
            use = same if same.any() else inner
            self.pairs.append((i, j) if axis is None else (i[use], j[use]))

    def counts(self, one: Array, two: Array) -> tuple[Array, Array]:
        (a, b), (c, d) = self.mixing
        return a * one + b * two, c * one + d * two

    def load(self, one: Array, two: Array) -> None:
        """States to start from."""
        windows = self.windows
        self.one, self.two = one.copy(), two.copy()
        tp, tn = self.counts(one, two)
        self.beyond = _beyond(tp, windows.p).sum(1) + _beyond(tn, windows.n).sum(1)
        tp, tn = np.clip(tp, 0, windows.p), np.clip(tn, 0, windows.n)
        self.values = np.stack([windows.values(k, tp, tn) for k in range(len(windows.curves))])
        self.units = windows.per_unit(self.values)
        self.total, self.squares = self.units.sum(2), (self.units**2).sum(2)
        self.energy = windows.energy(self.total, self.squares) + BEYOND * self.beyond
        self.scale = [max(2.0, float(np.std(side, axis=0).mean())) for side in (one, two)]

    def step(self, heat: float) -> None:
        """One proposal for every state, taken by its energy."""
        windows, random = self.windows, self.random
        rows = np.arange(len(self.energy))
        chance = random.random()
        side = 1 if chance < 0.45 or 0.6 <= chance < 0.8 else 0
        swap = chance < 0.6 and not self.free[side]
        alone = self.free[side] and random.random() < 0.5
        first, second = self.pairs[side]
        pick = random.integers(len(first), size=len(rows))
        i, j = first[pick], second[pick]
        mine, other = (self.two, self.one) if side else (self.one, self.two)
        at_i, at_j = mine[rows, i], mine[rows, j]
        if swap:
            new_i, new_j = at_j, at_i
        else:
            size = np.ones(len(rows))
            if random.random() >= 0.5:
                size = np.maximum(1, np.rint(np.exp(random.random(len(rows)) * np.log(self.scale[side]))))
            size *= np.where(random.random(len(rows)) < 0.5, 1.0, -1.0)
            new_i, new_j = at_i + size, at_j if alone else at_j - size
        places = np.stack([i, j])
        beside = np.stack([other[rows, i], other[rows, j]])
        before, after = np.stack([at_i, at_j]), np.stack([new_i, new_j])
        beyond = (
            self.beyond + self._beyond(side, after, beside, places) - self._beyond(side, before, beside, places)
        )
        tp, tn = self._of(side, after, beside)
        p, n = windows.p[places], windows.n[places]
        tp, tn = np.clip(tp, 0, p), np.clip(tn, 0, n)
        new = np.stack([windows.values(k, tp, tn, places) for k in range(len(windows.curves))])
        change = (new - self.values[:, rows[None], places]) / windows.inside
        one, two = change[:, 0], change[:, 1]
        unit_i, unit_j = i // windows.inside, j // windows.inside
        at_one = self.units[:, rows, unit_i]
        at_two = self.units[:, rows, unit_j] + np.where(unit_i == unit_j, one, 0)
        total = self.total + one + two
        squares = self.squares + one * (2 * at_one + one) + two * (2 * at_two + two)
        energy = windows.energy(total, squares) + BEYOND * beyond
        taken = (energy <= self.energy + heat * random.exponential(size=len(rows))) & (energy < LOST / 10)
        a = np.flatnonzero(taken)
        if not len(a):
            return
        mine[a, i[a]], mine[a, j[a]] = new_i[a], new_j[a]
        self.values[:, a, i[a]], self.values[:, a, j[a]] = new[:, 0, a], new[:, 1, a]
        if windows.inside > 1:
            self.units[:, a, unit_i[a]] += one[:, a]
            self.units[:, a, unit_j[a]] += two[:, a]
        self.total[:, a], self.squares[:, a] = total[:, a], squares[:, a]
        self.energy[a], self.beyond[a] = energy[a], beyond[a]

    def _of(self, side: int, mine: Array, other: Array) -> tuple[Array, Array]:
        return self.counts(other, mine) if side else self.counts(mine, other)

    def _beyond(self, side: int, mine: Array, other: Array, places: Array) -> Array:
        tp, tn = self._of(side, mine, other)
        found = _beyond(tp, self.windows.p[places]) + _beyond(tn, self.windows.n[places])
        return np.asarray(found.sum(0))

    def resample(self) -> None:
        """The worse half of the states is replaced by the better one."""
        order = np.argsort(self.energy, kind="stable")
        half = len(order) // 2
        best, worst = order[:half], order[len(order) - half :]
        for each in (self.one, self.two, self.energy, self.beyond):
            each[worst] = each[best]
        for each in {id(x): x for x in (self.values, self.units, self.total, self.squares)}.values():
            each[:, worst] = each[:, best]

    def near(self, side: int, counts: Array, block: Array, changes: int) -> Array:
        """Small changes of the counts of a block; the first is none at all."""
        windows, random = self.windows, self.random
        many, free = len(counts), self.free[side]
        shape = (many, changes)
        moves = np.zeros((*shape, len(block)))
        i, j = np.triu_indices(len(block), 1)
        kind = self.kinds[side][block]
        good = kind[i] == kind[j]
        if windows.inside > 1:
            good &= block[i] // windows.inside == block[j] // windows.inside
        elif not good.any():
            good[:] = True
        i, j = np.concatenate([i[good], j[good]]), np.concatenate([j[good], i[good]])
        around = np.broadcast_to(counts[:, None, :], moves.shape)
        for _ in range(3 if windows.inside == 1 else 6):
            active = random.random(shape) < (0.5 if side else 0.35)
            active[:, 0] = False
            scale = np.exp(random.uniform(np.log(0.7), np.log(max(1.0, self.scale[side] / 3)), shape))
            size = np.rint(random.standard_normal(shape) * scale)
            if free or not len(i):
                at = random.integers(len(block), size=shape)[..., None]
                _add(moves, at, (size * active * free)[..., None])
                continue
            pick = random.integers(len(i), size=shape)
            a, b = i[pick][..., None], j[pick][..., None]
            swap = random.random(shape) < (0.5 if side else 0.2)
            apart = (np.take_along_axis(around, b, 2) - np.take_along_axis(around, a, 2))[..., 0]
            size = (np.where(swap, apart, size) * active)[..., None]
            _add(moves, a, size)
            _add(moves, b, -size)
        if windows.inside == 1:  # half of them instead: any small change that keeps the plain sum
            half = changes // 2
            scale = np.exp(random.uniform(np.log(0.4), np.log(max(0.8, self.scale[side] / 4)), (many, half, 1)))
            small = np.rint(random.standard_normal((many, half, len(block))) * scale)
            small *= random.random((many, half, 1)) < 0.7
            if not free:
                at = random.integers(len(block), size=(many, half, 1))
                _add(small, at, -small.sum(2, keepdims=True))
            moves[:, changes - half :] = small
        return np.asarray(around + moves)


def _beyond(counts: Array, top: Array) -> Array:
    return np.asarray(np.maximum(-counts, 0) + np.maximum(counts - top, 0))


def _add(array: Array, at: Array, what: Array) -> None:
    np.put_along_axis(array, at, np.take_along_axis(array, at, 2) + what, 2)
