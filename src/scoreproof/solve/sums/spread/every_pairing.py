"""All ways to pair two complete lists of counts, for few parts."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.sides import Points, Sides

#: No more pairings than this are tried, so many at once; hits that are looked at exactly.
MOST_PAIRINGS = 400_000_000
AT_ONCE = 1_000_000
CHECKED = 30
#: Rows in all their orders that are held at once, and the work of a number of them.
TOGETHER, ORDERED = 200_000, 40


class EveryPairing:
    """All orders of one list beside all orders of the other."""

    def __init__(self, sides: Sides) -> None:
        self.sides, self.windows = sides, sides.windows

    def run(self, one: Array, two: Array) -> Points | None:
        """Every way to pair the rows of two lists, if they are not too many."""
        windows = self.windows
        orders = [self._orders(0, within=True), self._orders(1)]
        total = len(one) * len(orders[0]) * len(two) * len(orders[1])
        if total > MOST_PAIRINGS * 5:
            return None
        ones, twos = (self._ordered(rows, order) for rows, order in zip((one, two), orders, strict=True))
        if len(ones) * len(twos) > MOST_PAIRINGS:
            return None
        for start in range(0, len(ones), max(1, AT_ONCE // len(twos))):
            some_ones = ones[start : start + max(1, AT_ONCE // len(twos))]
            self.sides.budget.spend(40 * len(some_ones) * len(twos) * windows.parts)
            i, j = (x.ravel() for x in np.indices((len(some_ones), len(twos))))
            found = self._filtered(some_ones, twos, i, j)
            if found:
                return found
        return None

    def _ordered(self, rows: Array, orders: Array) -> Array:
        """Every row in every order, each once."""
        found = []
        each = max(1, TOGETHER // len(orders))
        for start in range(0, len(rows), each):
            some = rows[start : start + each][:, orders]
            self.sides.budget.spend(ORDERED * some.size)
            whose = np.repeat(np.arange(len(some)), len(orders))
            flat = some.reshape(-1, some.shape[-1])
            place = np.lexsort((*flat.T[::-1], whose))
            flat, whose = flat[place], whose[place]
            new = np.ones(len(flat), dtype=bool)
            new[1:] = (whose[1:] != whose[:-1]) | (flat[1:] != flat[:-1]).any(axis=1)
            found.append(flat[new])
        return np.concatenate(found)

    def _filtered(self, ones: Array, twos: Array, i: Array, j: Array) -> Points | None:
        """A pair that hits every figure, looked at score by score."""
        windows = self.windows
        straight = [k for k in windows.ranked if windows.curves[k].score.affine]
        for k in [*straight, *(k for k in windows.ranked if k not in straight)]:
            if k in self.sides.printed or not len(i):
                continue
            if k in straight:  # the sums of squares of a straight score are products of matrices
                total, squares = self._straight(k, ones, twos, i, j)
            else:
                tp, tn = self.sides.counts(ones[i], twos[j])
                values = windows.values(k, tp, tn)
                total, squares = values.sum(1), (values * values).sum(1)
            good = windows.fits(k, total, squares)
            i, j = i[good], j[good]
        for joint in windows.joint:
            tp, tn = self.sides.counts(ones[i], twos[j])
            good = windows.fits_joint(
                joint, *(windows.values(k, tp, tn).sum(1) for k in (joint.precision, joint.recall))
            )
            i, j = i[good], j[good]
        tp, tn = self.sides.counts(ones[i], twos[j])
        right = ((tp >= 0) & (tp <= windows.p) & (tn >= 0) & (tn <= windows.n)).all(1)
        for a, b in list(zip(i[right], j[right], strict=True))[:CHECKED]:
            found = self.sides.certain(ones[a], twos[b])
            if found:
                return found
        return None

    def _straight(self, k: int, ones: Array, twos: Array, i: Array, j: Array) -> tuple[Array, Array]:
        windows = self.windows
        zero = np.zeros((1, windows.parts))
        base = windows.values(k, zero, zero)[0]
        tp, tn = windows.values(k, zero + 1, zero)[0] - base, windows.values(k, zero, zero + 1)[0] - base
        (a, b), (c, d) = self.sides.mixing
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
        for alike in self.sides.alike[side]:
            orders = [order for order in permutations(alike) if not within or _rising(order, kinds[alike])]
            again = np.repeat(found, len(orders), axis=0)
            again[:, alike] = np.tile(np.array(orders), (len(found), 1))
            found = again
        return found


def _rising(order: tuple[int, ...], kinds: Array) -> bool:
    """Whether places of one kind hold their parts in rising order."""
    last: dict[float, int] = {}
    for place, kind in zip(order, kinds, strict=True):
        if place < last.get(kind, -1):
            return False
        last[kind] = place
    return True
