"""Near good states: changes of two blocks of parts, met in the middle.

What each change of a block adds to the sums of every score is computed once; all pairs of a change of the
one and a change of the other block are then compared with the windows.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.chains import Chains
from scoreproof.solve.sums.spread.margins import Axis
from scoreproof.solve.sums.spread.meeting import meeting
from scoreproof.solve.sums.spread.sides import Points, Sides
from scoreproof.solve.sums.spread.windows import VALUE

#: Parts of a block.
BLOCK = 5
#: Random changes of a block of a free axis, and of a block of both axes.
CHANGES = 300
#: Hits that are looked at exactly.
CHECKED = 30


class Blocks:
    """Changes of some states at once."""

    def __init__(self, sides: Sides, chains: Chains) -> None:
        self.sides, self.windows, self.chains = sides, sides.windows, chains

    def _blocks(self) -> tuple[list[Array], Array]:
        """Two blocks of parts, and the units that hold neither."""
        windows, random = self.windows, self.sides.random
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

    def rearranged(self, ones: Array, twos: Array) -> Points | None:
        """All rearrangements of the second side within two blocks, for some states at once."""
        blocks, rest = self._blocks()
        changed = []
        for block in blocks:
            axis = self.sides.axes[1]
            if axis is None:
                scale = np.exp(self.sides.random.uniform(-0.5, np.log(4.0), (CHANGES, 1)))
                moves = np.rint(self.sides.random.standard_normal((CHANGES, len(block))) * scale)
                moves[0] = 0
                other = twos[:, None, block] + moves[None]
            else:
                other = twos[:, block][:, self._exchanges(axis, block)]
            changed.append((np.broadcast_to(ones[:, None, block], other.shape), other))
        return self._met(ones, twos, blocks, rest, changed, self.sides.printed)

    def _exchanges(self, axis: Axis, block: Array) -> Array:
        """The orders of a block in which parts that are alike change places."""
        kind = np.unique(np.stack([axis.top, axis.slope])[:, block], axis=1, return_inverse=True)[1].reshape(-1)
        places = range(len(block))
        return np.array([o for o in permutations(places) if all(kind[o[i]] == kind[i] for i in places)])

    def nudged(self, ones: Array, twos: Array) -> Points | None:
        """Small changes of two blocks that keep the sums, met in the middle, for the best states."""
        windows = self.windows
        if windows.inside == 1:
            blocks, rest = self._blocks()
        else:
            size = min(3, windows.units // 2)
            used = self.sides.random.permutation(windows.units)[: 2 * size]
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
        self.sides.budget.spend(500_000 + (VALUE + 8) * size * len(scores) + ones.size * 100)
        sums = {k: self._sums(k, ones, twos, blocks, rest, changed) for k in scores}
        order = sorted(scores, key=lambda k: self._selective(k, sums[k]))
        at = meeting(windows, order, sums, self.sides.random, self.sides.budget)
        for joint in windows.joint:
            t, i, j = at
            both = [sums[k] for k in (joint.precision, joint.recall)]
            good = windows.fits_joint(
                joint, *(s0[t] + s1[t, i] + s2[t, j] for (s0, _), (s1, _), (s2, _) in both)
            )
            at = t[good], i[good], j[good]
        for t, i, j in list(zip(*at, strict=True))[:CHECKED]:
            one, two = ones[t].copy(), twos[t].copy()
            for block, (first, second), which in zip(blocks, changed, (i, j), strict=True):
                one[block], two[block] = first[t, which], second[t, which]
            found = self.sides.certain(one, two)
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
        values = windows.values(k, *self.sides.counts(ones, twos))
        units = windows.per_unit(values)[:, rest]
        found = [(units.sum(1), (units * units).sum(1))]
        for block, (one, two) in zip(blocks, changed, strict=True):
            tp, tn = self.sides.counts(one, two)
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


def _apart(values: Array) -> float:
    """The deviation of those that are numbers."""
    finite = values[np.isfinite(values)]
    return float(finite.std()) if finite.size else 0.0
