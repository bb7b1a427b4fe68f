"""A witness for printed means and deviations: margins first, then how they go together.

Counts along two axes hit their own figures beforehand (``margins``).  What is left is which count of one
goes with which of the other: the other scores depend on it.  Candidates are drawn with all degrees of
agreement between the axes, those of the best so far more often; around good ones, all rearrangements of
two blocks of parts are met in the middle; chains of small changes that keep the sums lead to better ones.

Floats steer; whoever uses what is found confirms it exactly.
"""

from __future__ import annotations

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.blocks import Blocks
from scoreproof.solve.sums.spread.chains import Chains
from scoreproof.solve.sums.spread.every_pairing import EveryPairing
from scoreproof.solve.sums.spread.margins import Axis, every, some
from scoreproof.solve.sums.spread.sides import Points, Sides
from scoreproof.solve.sums.spread.windows import VALUE, Windows

#: Candidates of one draw, with few and with many parts.
DRAWN, DRAWN_OF_MANY = 2_500, 1_000
MANY_PARTS = 30
#: States that are rearranged at once, and hits that are looked at exactly.
TOGETHER, CHECKED = 30, 30
#: With so few parts all ways to pair two complete lists are tried.
FEW_PARTS = 6
LONGER = 8  # times as long may lists be when they are made again
CHAINS = 300


class Pairing:
    """A seeded, resumable search under one divisor of the deviations."""

    def __init__(self, windows: Windows, divisor: str, seed: int, budget: Budget) -> None:
        self.windows, self.divisor = windows, divisor
        self.sides = Sides(windows, seed, budget)
        self.rounds = 0
        self.steps = 60
        self.possible = True
        self.lists: list[Array | None] = [None, None]
        self.complete = [False, False]
        for side, axis in enumerate(self.sides.axes):
            if axis is None:
                continue
            found = every(windows, axis, budget)
            self.complete[side] = found is not None
            self.lists[side] = some(windows, axis, self.sides.random, budget) if found is None else found
            if self.lists[side] is None or not len(self.lists[side]):  # type: ignore[arg-type]
                self.possible = False
                return
        self._prepare()

    def _prepare(self) -> None:
        windows = self.windows
        self.logs: list[Array] = []
        self.by_log: list[Array] = []
        for axis, rows in zip(self.sides.axes, self.lists, strict=True):
            if axis is None or rows is None:
                continue
            self.logs.append(np.log(1e-6 + np.std(axis.slope * rows + axis.shift, axis=1)))
            self.by_log.append(np.argsort(self.logs[-1], kind="stable"))
        self.exchange = [self._same_units(axis) for axis in self.sides.axes]
        self.chains = Chains(windows, self.sides.tops, self.sides.mixing, self.sides.axes, self.sides.random)
        self.blocks = Blocks(self.sides, self.chains)
        self.elite: Array | None = None
        self.elite_logs: Array | None = None
        self.picked: list[Array] = []
        self.pool: tuple[Array, Array] | None = None

    def _same_units(self, axis: Axis | None) -> bool:
        """Whether every repeat has the same parts along an axis, so that repeats may be exchanged."""
        if axis is None or self.windows.inside == 1:
            return False
        rows = axis.top.reshape(self.windows.units, -1)
        return bool((rows == rows[0]).all())

    # -- what the search is asked ----------------------------------------------------------------------

    def run(self, budget: Budget) -> Points | None:
        """One more round: new pairings, then chains and what is near their best states."""
        self.sides.budget = budget
        self.rounds += 1
        first = self.rounds == 1
        draws = 1 if first else max(1, self.steps // 60)
        for _ in range(draws):
            found = self._draw() or (self._all_pairings() if first else None)
            for _ in range(0 if found else 1 if first else 5):
                for start in range(0, len(self._states(0)[0]), TOGETHER):
                    found = found or self.blocks.rearranged(*self._states(start, TOGETHER))
            if found:
                return found
        if first:
            return None
        found = self._annealed()
        for _ in range(0 if found else 6):
            found = found or self.blocks.nudged(*self._states(0, 8 if self.windows.inside == 1 else 4))
        for start in range(0, min(90, len(self._states(0)[0])), TOGETHER):
            found = found or self.blocks.rearranged(*self._states(start, TOGETHER))
        self.steps = min(1500, int(self.steps * 1.5))
        return found

    def _states(self, start: int, count: int = 10**9) -> tuple[Array, Array]:
        assert self.pool is not None
        one, two = self.pool
        return one[start : start + count], two[start : start + count]

    # -- drawing -------------------------------------------------------------------------------------

    def _draw(self) -> Points | None:
        """Random pairings; the best are kept."""
        windows = self.windows
        count = DRAWN if windows.parts <= MANY_PARTS else DRAWN_OF_MANY
        self.sides.budget.spend(count * windows.parts * (VALUE * len(windows.curves) + 60))
        one, two, latent = self._start(count)
        chains = self.chains
        chains.load(one, two)
        found = self._hit()
        if found:
            return found
        best = np.argsort(chains.energy, kind="stable")[: max(20, count // 25)]
        self.pool = one[best], two[best]
        if latent is not None:
            self.elite = latent[best]
            self.elite_logs = np.stack(
                [logs[picked[best]] for logs, picked in zip(self.logs, self.picked, strict=True)], axis=1
            )
        return None

    def _hit(self) -> Points | None:
        chains = self.chains
        for at in np.flatnonzero(chains.energy <= 0)[:CHECKED]:
            found = self.sides.certain(chains.one[at], chains.two[at])
            if found:
                return found
            chains.energy[at] = 1e-6
        return None

    def _start(self, count: int) -> tuple[Array, Array, Array | None]:
        """Counts of both sides, and how much their sides were made to agree."""
        windows, random = self.windows, self.sides.random
        self.picked = []
        if self.sides.axes[0] is None:
            return *self._free(None, count), None
        one = self._arranged(
            0,
            self._rows(0, count),
            random.random((count, windows.parts)),
            random.random((count, windows.units)),
        )
        if self.sides.axes[1] is None:
            return *self._free(one, count), None
        # Fisher's z of the agreement within and between units
        latent = random.uniform(-3, 3, (count, 2))
        if self.elite is not None:
            again = random.random(count) < 0.7
            near = self.elite[random.integers(len(self.elite), size=count)]
            near = np.clip(near + 0.25 * random.standard_normal((count, 2)), -3.5, 3.5)
            latent[again] = near[again]
        along = np.tanh(latent)
        values = self.sides.axes[0].slope * one + self.sides.axes[0].shift
        block = None
        parts = values.reshape(count, -1, windows.inside) if windows.inside > 1 else values[:, None, :]
        if windows.inside > 1:
            block = self._agreeing(_standard(parts.mean(2)), along[:, 1:])
        key = self._agreeing(_standard(parts).reshape(count, -1), along[:, :1])
        return one, self._arranged(1, self._rows(1, count), key, block), latent

    def _agreeing(self, values: Array, along: Array) -> Array:
        noise = self.sides.random.standard_normal(values.shape)
        return np.asarray(along * values + np.sqrt(1 - along * along) * noise)

    def _rows(self, side: int, count: int) -> Array:
        """Rows of a list, more often such as the best candidates were made of."""
        rows, random = self.lists[side], self.sides.random
        assert rows is not None
        pick = random.integers(len(rows), size=count)
        if self.elite_logs is not None:
            again = random.random(count) < 0.6
            near = self.elite_logs[random.integers(len(self.elite_logs), size=count), side]
            order = self.by_log[side]
            at = np.searchsorted(self.logs[side][order], near + 0.1 * random.standard_normal(count))
            at = np.clip(at + random.integers(-3, 4, size=count), 0, len(rows) - 1)
            pick[again] = order[at][again]
        self.picked.append(pick)
        return rows[pick]

    def _arranged(self, side: int, rows: Array, key: Array, block: Array | None) -> Array:
        """Rows in the order of ``key`` among parts that are alike, repeats in the order of ``block``."""
        windows = self.windows
        if block is not None and self.exchange[side]:
            units = rows.reshape(len(rows), windows.units, -1)
            order = np.argsort(units.mean(2), axis=1)
            place = np.take_along_axis(order, _ranks(block), axis=1)
            rows = np.take_along_axis(units, place[:, :, None], axis=1).reshape(len(rows), -1)
        found = rows.copy()
        for alike in self.sides.alike[side]:
            if len(alike) > 1:
                ordered = np.sort(rows[:, alike], axis=1)
                found[:, alike] = np.take_along_axis(ordered, _ranks(key[:, alike]), axis=1)
        return found

    def _free(self, one: Array | None, count: int) -> tuple[Array, Array]:
        """Random counts where no axis is printed: about the rates that suit the printed means."""
        windows, random = self.windows, self.sides.random
        if not hasattr(self, "rates"):
            self.rates = self._suitable_rates()
        pick = random.integers(len(self.rates), size=count)
        shares = self.rates[pick]
        sides = []
        base: Array | None = None
        if one is not None:
            assert self.sides.axes[0] is not None
            sides.append(one)
            base = _standard(self.sides.axes[0].slope * one + self.sides.axes[0].shift)
        while len(sides) < 2:
            of_tp = bool(self.sides.mixing[0][len(sides)])
            share = shares[:, :1] if of_tp else shares[:, 1:]
            size = windows.p if of_tp else windows.n
            apart = np.sqrt(np.maximum(share * (1 - share), 1e-3) / size)
            apart = apart * np.exp(random.uniform(-0.7, 0.9, (count, 1)))
            drawn = random.standard_normal((count, windows.parts))
            if base is not None:
                along = random.uniform(-0.9, 0.9, (count, 1))
                drawn = along * base + np.sqrt(1 - along * along) * drawn
            base = drawn if base is None else base
            sides.append(np.clip(np.rint((share + apart * drawn) * size), 0, size))
        if (
            one is not None
            and self.sides.axes[0] is not None
            and self.sides.axes[0].of_tp
            and self.sides.axes[0].of_tn
        ):
            sides[1] = np.clip(sides[1], np.maximum(0, one - windows.n), np.minimum(windows.p, one))
        return sides[0], sides[1]

    def _suitable_rates(self) -> Array:
        """(share of tp, share of tn) at which the scores come near their printed means."""
        windows = self.windows
        grid = np.linspace(0.002, 0.998, 300)
        tp, tn = (x.ravel()[:, None] for x in np.meshgrid(grid, grid, indexing="ij"))
        self.sides.budget.spend(VALUE * tp.size * len(windows.curves))
        loss = np.zeros(len(tp))
        part = slice(0, 1)
        for k in range(len(windows.curves)):
            if windows.known[k]:
                values = windows.values(k, tp * windows.p[part], tn * windows.n[part], part)
                loss += values[:, 0] ** 2
        loss = np.where(np.isfinite(loss), loss, 1e9)
        best = np.argsort(loss, kind="stable")[:30]
        best = best[loss[best] <= max(4e-4, 4 * loss[best[0]])]
        return np.concatenate([tp[best], tn[best]], axis=1)

    # -- all pairings of few parts ---------------------------------------------------------------------

    def deepen(self, budget: Budget) -> Points | None:
        """With few parts: longer complete lists, and all ways to pair them."""
        self.sides.budget = budget
        if self.windows.parts > FEW_PARTS or all(self.complete) or None in self.sides.axes:
            return None
        lists = list(self.lists)
        for side, axis in enumerate(self.sides.axes):
            if not self.complete[side] and axis is not None:
                lists[side] = every(self.windows, axis, budget, times=LONGER)
                if lists[side] is None:
                    return None
        self.lists, self.complete = lists, [True, True]
        self.possible = all(len(rows) > 0 for rows in lists if rows is not None)
        if not self.possible:
            return None
        self._prepare()
        return self._all_pairings()

    def _all_pairings(self) -> Points | None:
        """A witness among all pairings of complete lists."""
        one, two = self.lists
        if self.windows.parts > FEW_PARTS or not all(self.complete) or one is None or two is None:
            return None
        return EveryPairing(self.sides).run(one, two)

    def _annealed(self) -> Points | None:
        """Chains from the best states."""
        chains, windows = self.chains, self.windows
        chains.load(*self._states(0, CHAINS))
        many = len(chains.energy)
        self.sides.budget.spend(many * windows.parts * VALUE * len(windows.curves))
        for step in range(self.steps):
            self.sides.budget.spend(60_000 + many * (150 + 60 * len(windows.curves)))
            chains.step(0.7 * (0.15 / 0.7) ** (step / max(1, self.steps - 1)))
            if step % 4 == 3:
                found = self._hit()
                if found:
                    return found
            if step % max(1, self.steps // 4) == self.steps // 4 - 1 and step < self.steps - 1:
                chains.resample()
        found = self._hit()
        _, once = np.unique(chains.energy, return_index=True)
        self.pool = chains.one[once].copy(), chains.two[once].copy()
        return found


def _standard(values: Array) -> Array:
    apart = values - values.mean(-1, keepdims=True)
    return np.asarray(apart / np.maximum(apart.std(-1, keepdims=True), 1e-9))


def _ranks(keys: Array) -> Array:
    return np.argsort(np.argsort(keys, axis=1), axis=1)
