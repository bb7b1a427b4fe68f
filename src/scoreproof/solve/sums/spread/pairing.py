"""A witness for printed means and deviations: margins first, then how they go together.

Counts along two axes hit their own figures beforehand (``margins``).  What is left is which count of one
goes with which of the other: the other scores depend on it.  Candidates are drawn with all degrees of
agreement between the axes, those of the best so far more often; around good ones, all rearrangements of
two blocks of parts are met in the middle; chains of small changes that keep the sums lead to better ones.

Floats steer; whoever uses what is found confirms it exactly.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms
from scoreproof.solve.sums.spread.chains import Chains
from scoreproof.solve.sums.spread.margins import Axis, axes_of, every, some
from scoreproof.solve.sums.spread.windows import VALUE, Windows

#: Candidates of one draw, with few and with many parts.
DRAWN, DRAWN_OF_MANY = 2_500, 1_000
MANY_PARTS = 30
#: States that are rearranged at once, and parts of a block.
TOGETHER, BLOCK = 30, 5
#: Random changes of a block of a free axis, and of a block of both axes.
CHANGES = 300
#: Hits of a stage that are looked at exactly.
CHECKED = 30
#: Pairs that are followed beyond the first score.
FOLLOWED = 400_000
#: With so few parts all ways to pair two complete lists are tried, if they are no more than this.
FEW_PARTS, MOST_PAIRINGS = 6, 400_000_000
AT_ONCE = 1_000_000
LONGER = 8  # times as long may lists be when they are made again
CHAINS = 300

Points = list[tuple[int, int]]


class Pairing:
    """A seeded, resumable search under one divisor of the deviations."""

    def __init__(self, windows: Windows, seed: int, budget: Budget) -> None:
        self.windows, self.budget = windows, budget
        self.random = np.random.default_rng(seed)
        self.rounds = 0
        self.steps = 60
        self.possible = True
        axes = axes_of(windows)[:2]
        self.axes: list[Axis | None] = [*axes, *[None] * (2 - len(axes))]
        self.tops, self.mixing = self._shape()
        self.lists: list[Array | None] = [None, None]
        self.complete = [False, False]
        for side, axis in enumerate(self.axes):
            if axis is None:
                continue
            found = every(windows, axis, budget)
            self.complete[side] = found is not None
            self.lists[side] = some(windows, axis, self.random, budget) if found is None else found
            if self.lists[side] is None or not len(self.lists[side]):  # type: ignore[arg-type]
                self.possible = False
                return
        self._prepare()

    def _shape(self) -> tuple[list[Array], Array]:
        """How large the counts of both sides may be, and the matrix that makes (tp, tn) of them."""
        p, n = self.windows.p, self.windows.n
        of = [(axis.of_tp, axis.of_tn) for axis in self.axes if axis is not None]
        match of:
            case []:
                return [p, n], np.array([[1, 0], [0, 1]])
            case [(1, 0)]:
                return [p, n], np.array([[1, 0], [0, 1]])
            case [(0, 1)]:
                return [n, p], np.array([[0, 1], [1, 0]])
            case [(1, 1)]:  # tp is free
                return [p + n, p], np.array([[0, 1], [1, -1]])
            case [(1, 0), (0, 1)]:
                return [p, n], np.array([[1, 0], [0, 1]])
            case [(1, 0), _]:
                return [p, p + n], np.array([[1, 0], [-1, 1]])
            case _:
                return [n, p + n], np.array([[-1, 1], [1, 0]])

    def _prepare(self) -> None:
        windows = self.windows
        self.alike = [[] if axis is None else axis.alike(windows) for axis in self.axes]
        self.logs: list[Array] = []
        self.by_log: list[Array] = []
        for axis, rows in zip(self.axes, self.lists, strict=True):
            if axis is None or rows is None:
                continue
            self.logs.append(np.log(1e-6 + np.std(axis.slope * rows + axis.shift, axis=1)))
            self.by_log.append(np.argsort(self.logs[-1], kind="stable"))
        self.exchange = [self._same_units(axis) for axis in self.axes]
        self.chains = Chains(windows, self.tops, self.mixing, self.axes, self.random)
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
        self.budget = budget
        self.rounds += 1
        first = self.rounds == 1
        draws = 1 if first else max(1, self.steps // 60)
        for _ in range(draws):
            found = self._draw() or (self._all_pairings() if first else None)
            for _ in range(0 if found else 1 if first else 5):
                for start in range(0, len(self._states(0)[0]), TOGETHER):
                    found = found or self._rearranged(start)
            if found:
                return found
        if first:
            return None
        found = self._annealed()
        for _ in range(0 if found else 6):
            found = found or self._nudged(8 if self.windows.inside == 1 else 4)
        for start in (0, 30, 60):
            found = found or self._rearranged(start)
        self.steps = min(1500, int(self.steps * 1.5))
        return found

    def counts(self, one: Array, two: Array) -> tuple[Array, Array]:
        """(tp, tn) of the counts of both sides."""
        (a, b), (c, d) = self.mixing
        return a * one + b * two, c * one + d * two

    def _certain(self, one: Array, two: Array) -> Points | None:
        tp, tn = (each.astype(int) for each in self.counts(one, two))
        self.budget.spend(60_000 + 2_000 * len(tp))
        points = [(0, 0)] * len(tp)
        for place, a, b in zip(self.windows.order, tp, tn, strict=True):
            points[place] = int(a), int(b)
        return points if confirms(self.windows.problem, points) else None

    def _states(self, start: int, count: int = 10**9) -> tuple[Array, Array]:
        assert self.pool is not None
        one, two = self.pool
        return one[start : start + count], two[start : start + count]

    # -- drawing -------------------------------------------------------------------------------------

    def _draw(self) -> Points | None:
        """Random pairings; the best are kept."""
        windows = self.windows
        count = DRAWN if windows.parts <= MANY_PARTS else DRAWN_OF_MANY
        self.budget.spend(count * windows.parts * (VALUE * len(windows.curves) + 60))
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
            found = self._certain(chains.one[at], chains.two[at])
            if found:
                return found
            chains.energy[at] = 1e-6
        return None

    def _start(self, count: int) -> tuple[Array, Array, Array | None]:
        """Counts of both sides, and how much their sides were made to agree."""
        windows, random = self.windows, self.random
        self.picked = []
        if self.axes[0] is None:
            return *self._free(None, count), None
        one = self._arranged(
            0,
            self._rows(0, count),
            random.random((count, windows.parts)),
            random.random((count, windows.units)),
        )
        if self.axes[1] is None:
            return *self._free(one, count), None
        # Fisher's z of the agreement within and between units
        latent = random.uniform(-3, 3, (count, 2))
        if self.elite is not None:
            again = random.random(count) < 0.7
            near = self.elite[random.integers(len(self.elite), size=count)]
            near = np.clip(near + 0.25 * random.standard_normal((count, 2)), -3.5, 3.5)
            latent[again] = near[again]
        along = np.tanh(latent)
        values = self.axes[0].slope * one + self.axes[0].shift
        block = None
        parts = values.reshape(count, -1, windows.inside) if windows.inside > 1 else values[:, None, :]
        if windows.inside > 1:
            block = self._agreeing(_standard(parts.mean(2)), along[:, 1:])
        key = self._agreeing(_standard(parts).reshape(count, -1), along[:, :1])
        return one, self._arranged(1, self._rows(1, count), key, block), latent

    def _agreeing(self, values: Array, along: Array) -> Array:
        noise = self.random.standard_normal(values.shape)
        return np.asarray(along * values + np.sqrt(1 - along * along) * noise)

    def _rows(self, side: int, count: int) -> Array:
        """Rows of a list, more often such as the best candidates were made of."""
        rows, random = self.lists[side], self.random
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
        for alike in self.alike[side]:
            if len(alike) > 1:
                ordered = np.sort(rows[:, alike], axis=1)
                found[:, alike] = np.take_along_axis(ordered, _ranks(key[:, alike]), axis=1)
        return found

    def _free(self, one: Array | None, count: int) -> tuple[Array, Array]:
        """Random counts where no axis is printed: about the rates that suit the printed means."""
        windows, random = self.windows, self.random
        if not hasattr(self, "rates"):
            self.rates = self._suitable_rates()
        pick = random.integers(len(self.rates), size=count)
        shares = self.rates[pick]
        sides = []
        base: Array | None = None
        if one is not None:
            assert self.axes[0] is not None
            sides.append(one)
            base = _standard(self.axes[0].slope * one + self.axes[0].shift)
        while len(sides) < 2:
            of_tp = bool(self.mixing[0][len(sides)]) and self.tops[len(sides)] is windows.p
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
        if one is not None and self.axes[0] is not None and self.axes[0].of_tp and self.axes[0].of_tn:
            sides[1] = np.clip(sides[1], np.maximum(0, one - windows.n), np.minimum(windows.p, one))
        return sides[0], sides[1]

    def _suitable_rates(self) -> Array:
        """(share of tp, share of tn) at which the scores come near their printed means."""
        windows = self.windows
        grid = np.linspace(0.002, 0.998, 300)
        tp, tn = (x.ravel()[:, None] for x in np.meshgrid(grid, grid, indexing="ij"))
        self.budget.spend(VALUE * tp.size * len(windows.curves))
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
        self.budget = budget
        if self.windows.parts > FEW_PARTS or all(self.complete) or None in self.axes:
            return None
        lists = list(self.lists)
        for side, axis in enumerate(self.axes):
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
        """Every way to pair two complete lists."""
        windows = self.windows
        one, two = self.lists
        if windows.parts > FEW_PARTS or not all(self.complete) or one is None or two is None:
            return None
        orders = [self._orders(0, within=True), self._orders(1)]
        total = len(one) * len(orders[0]) * len(two) * len(orders[1])
        if total > MOST_PAIRINGS * 5:
            return None
        ones, twos = (
            np.concatenate([np.unique(row[order], axis=0) for row in rows])
            for rows, order in zip((one, two), orders, strict=True)
        )
        if len(ones) * len(twos) > MOST_PAIRINGS:
            return None
        for start in range(0, len(ones), max(1, AT_ONCE // len(twos))):
            some_ones = ones[start : start + max(1, AT_ONCE // len(twos))]
            self.budget.spend(40 * len(some_ones) * len(twos) * windows.parts)
            i, j = (x.ravel() for x in np.indices((len(some_ones), len(twos))))
            found = self._filtered(some_ones, twos, i, j)
            if found:
                return found
        return None

    def _filtered(self, ones: Array, twos: Array, i: Array, j: Array) -> Points | None:
        """A pair that hits every figure, looked at score by score."""
        windows = self.windows
        straight = [k for k in windows.ranked if windows.curves[k].score.affine]
        done = {axis.score for axis in self.axes if axis is not None}
        for k in [*straight, *(k for k in windows.ranked if k not in straight)]:
            if k in done or not len(i):
                continue
            if k in straight:  # the sums of squares of a straight score are products of matrices
                total, squares = self._straight(k, ones, twos, i, j)
            else:
                tp, tn = self.counts(ones[i], twos[j])
                values = windows.values(k, tp, tn)
                total, squares = values.sum(1), (values * values).sum(1)
            good = windows.fits(k, total, squares)
            i, j = i[good], j[good]
        for joint in windows.joint:
            tp, tn = self.counts(ones[i], twos[j])
            good = windows.fits_joint(
                joint, *(windows.values(k, tp, tn).sum(1) for k in (joint.precision, joint.recall))
            )
            i, j = i[good], j[good]
        tp, tn = self.counts(ones[i], twos[j])
        right = ((tp >= 0) & (tp <= windows.p) & (tn >= 0) & (tn <= windows.n)).all(1)
        for a, b in list(zip(i[right], j[right], strict=True))[:CHECKED]:
            found = self._certain(ones[a], twos[b])
            if found:
                return found
        return None

    def _straight(self, k: int, ones: Array, twos: Array, i: Array, j: Array) -> tuple[Array, Array]:
        windows = self.windows
        zero = np.zeros((1, windows.parts))
        base = windows.values(k, zero, zero)[0]
        tp, tn = windows.values(k, zero + 1, zero)[0] - base, windows.values(k, zero, zero + 1)[0] - base
        (a, b), (c, d) = self.mixing
        left, right = ones * (a * tp + c * tn) + base, twos * (b * tp + d * tn)
        total = left.sum(1)[i] + right.sum(1)[j]
        if len(i) == len(ones) * len(twos):
            products = (left @ right.T).ravel()
        else:
            products = (left[i] * right[j]).sum(1)
        return total, (left * left).sum(1)[i] + (right * right).sum(1)[j] + 2 * products

    def _orders(self, side: int, within: bool = False) -> Array:
        """All orders of parts that are alike along an axis; of those alike in every way only one, if asked."""
        windows = self.windows
        kinds = windows.p * 1e6 + windows.n
        found = np.arange(windows.parts)[None]
        for alike in self.alike[side]:
            orders = [
                order for order in permutations(alike) if not within or _rising(order, kinds[alike], alike)
            ]
            again = np.repeat(found, len(orders), axis=0)
            again[:, alike] = np.tile(np.array(orders), (len(found), 1))
            found = again
        return found

    # -- near good states ------------------------------------------------------------------------------

    def _blocks(self) -> tuple[list[Array], Array]:
        """Two blocks of parts, and the units that hold neither."""
        windows, random = self.windows, self.random
        if windows.inside == 1:
            order = random.permutation(windows.parts)
            size = min(BLOCK, windows.parts // 2)
            blocks = [order[:size], order[size:]]
            if windows.parts > 2 * size + 1:
                blocks[1] = blocks[1][:size]
            used = np.concatenate(blocks)
        else:
            used = random.permutation(windows.units)[:2]
            blocks = [(random.permutation(windows.inside) + unit * windows.inside)[:BLOCK] for unit in used]
        return blocks, np.setdiff1d(np.arange(windows.units), used)

    def _rearranged(self, start: int) -> Points | None:
        """All rearrangements of the second side within two blocks, for some states at once."""
        ones, twos = self._states(start, TOGETHER)
        if not len(ones):
            return None
        blocks, rest = self._blocks()
        changed = []
        for block in blocks:
            axis = self.axes[1]
            if axis is None:
                scale = np.exp(self.random.uniform(-0.5, np.log(4.0), (CHANGES, 1)))
                moves = np.rint(self.random.standard_normal((CHANGES, len(block))) * scale)
                moves[0] = 0
                other = twos[:, None, block] + moves[None]
            else:
                other = twos[:, block][:, self._exchanges(axis, block)]
            changed.append((np.broadcast_to(ones[:, None, block], other.shape), other))
        done = {axis.score for axis in self.axes if axis is not None}
        return self._met(ones, twos, blocks, rest, changed, done)

    def _exchanges(self, axis: Axis, block: Array) -> Array:
        """The orders of a block in which parts that are alike change places."""
        kind = np.unique(np.stack([axis.top, axis.slope])[:, block], axis=1, return_inverse=True)[1].reshape(-1)
        places = range(len(block))
        return np.array([o for o in permutations(places) if all(kind[o[i]] == kind[i] for i in places)])

    def _nudged(self, count: int) -> Points | None:
        """Small changes of two blocks that keep the sums, met in the middle, for the best states."""
        windows = self.windows
        ones, twos = self._states(0, count)
        if windows.inside == 1:
            blocks, rest = self._blocks()
        else:
            size = min(3, windows.units // 2)
            used = self.random.permutation(windows.units)[: 2 * size]
            unit = np.arange(windows.parts) // windows.inside
            blocks = [np.flatnonzero(np.isin(unit, each)) for each in (used[:size], used[size:])]
            rest = np.setdiff1d(np.arange(windows.units), used)
        changed = [
            (
                self.chains.near(0, ones[:, block], block, CHANGES),
                self.chains.near(1, twos[:, block], block, CHANGES),
            )
            for block in blocks
        ]
        return self._met(ones, twos, blocks, rest, changed, set())

    def _met(
        self,
        ones: Array,
        twos: Array,
        blocks: list[Array],
        rest: Array,
        changed: list[tuple[Array, Array]],
        done: set[int],
    ) -> Points | None:
        """A state with one change in each block that hits every figure; those of ``done`` scores are hit."""
        windows = self.windows
        done = done - {k for joint in windows.joint for k in (joint.precision, joint.recall)}
        scores = [k for k in windows.ranked if k not in done] or windows.ranked
        size = sum(one.size for one, _ in changed)
        self.budget.spend(500_000 + (VALUE + 8) * size * len(scores) + ones.size * 100)
        sums = [self._sums(k, ones, twos, blocks, rest, changed) for k in scores]
        order = sorted(range(len(scores)), key=lambda at: self._selective(scores[at], sums[at]))
        at: tuple[Array, Array, Array] | None = None
        for place in order:
            k = scores[place]
            (s0, q0), (s1, q1), (s2, q2) = sums[place]
            if at is None:
                self.budget.spend(12 * s1.size * s2.shape[1])
                total = (s1 + s0[:, None])[:, :, None] + s2[:, None, :]
                squares = (q1 + q0[:, None])[:, :, None] + q2[:, None, :]
                t, i, j = np.nonzero(windows.fits(k, total, squares))
                if len(t) > FOLLOWED:
                    keep = np.sort(self.random.choice(len(t), FOLLOWED, replace=False))
                    t, i, j = t[keep], i[keep], j[keep]
                at = t, i, j
                continue
            t, i, j = at
            self.budget.spend(40 * len(t))
            good = windows.fits(k, s0[t] + s1[t, i] + s2[t, j], q0[t] + q1[t, i] + q2[t, j])
            at = t[good], i[good], j[good]
        assert at is not None
        for joint in windows.joint:
            t, i, j = at
            both = [sums[scores.index(k)] for k in (joint.precision, joint.recall)]
            good = windows.fits_joint(
                joint, *(s0[t] + s1[t, i] + s2[t, j] for (s0, _), (s1, _), (s2, _) in both)
            )
            at = t[good], i[good], j[good]
        for t, i, j in list(zip(*at, strict=True))[:CHECKED]:
            one, two = ones[t].copy(), twos[t].copy()
            for block, (first, second), which in zip(blocks, changed, (i, j), strict=True):
                one[block], two[block] = first[t, which], second[t, which]
            found = self._certain(one, two)
            if found:
                return found
        return None

    def _selective(self, k: int, sums: list[tuple[Array, Array]]) -> float:
        """Less for scores whose figures rule out more of the changes."""
        windows = self.windows
        (_, _), (total, squares), _ = sums
        found = 1.0
        if windows.known[k]:
            found *= max(1.0, _apart(total) / max(windows.half[k], 1e-12))
        if windows.spread[k]:
            low, high = windows.squares[k]
            found *= max(1.0, _apart(squares) / ((high - low) / 2 + 1e-12))
        return -found if np.isfinite(found) else 0.0

    def _sums(
        self,
        k: int,
        ones: Array,
        twos: Array,
        blocks: list[Array],
        rest: Array,
        changed: list[tuple[Array, Array]],
    ) -> list[tuple[Array, Array]]:
        """S and Q of a score over the units without a block, and over each block after each change."""
        windows = self.windows
        values = windows.values(k, *self.counts(ones, twos))
        units = windows.per_unit(values)[:, rest]
        found = [(units.sum(1), (units * units).sum(1))]
        for block, (one, two) in zip(blocks, changed, strict=True):
            tp, tn = self.counts(one, two)
            p, n = windows.p[block], windows.n[block]
            own = windows.values(k, tp, tn, block)
            if windows.inside > 1:
                unit = np.unique(block // windows.inside)
                if len(unit) == 1:  # the other parts of the unit stay as they are
                    others = np.setdiff1d(np.arange(windows.inside) + unit[0] * windows.inside, block)
                    own = (own.sum(2) + values[:, others].sum(1)[:, None])[:, :, None] / windows.inside
                else:
                    own = windows.per_unit(own)
            total, squares = own.sum(2), (own * own).sum(2)
            total[((tp < 0) | (tp > p) | (tn < 0) | (tn > n)).any(2)] = np.nan
            found.append((total, squares))
        return found

    def _annealed(self) -> Points | None:
        """Chains from the best states."""
        chains, windows = self.chains, self.windows
        chains.load(*self._states(0, CHAINS))
        many = len(chains.energy)
        self.budget.spend(many * windows.parts * VALUE * len(windows.curves))
        for step in range(self.steps):
            self.budget.spend(60_000 + many * (150 + 60 * len(windows.curves)))
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


def _apart(values: Array) -> float:
    """The deviation of those that are numbers."""
    finite = values[np.isfinite(values)]
    return float(finite.std()) if finite.size else 0.0


def _ranks(keys: Array) -> Array:
    return np.argsort(np.argsort(keys, axis=1), axis=1)


def _rising(order: tuple[int, ...], kinds: Array, alike: Array) -> bool:
    """Whether places of one kind hold their parts in rising order."""
    last: dict[float, int] = {}
    for place, kind in zip(order, kinds, strict=True):
        if place < last.get(kind, -1):
            return False
        last[kind] = place
    return True
