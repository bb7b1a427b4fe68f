"""Sums of parts, half by half: which sums can be reached, and the best of each wanted one.

Each kind of part has a list of choices; a choice adds to every row (a sum that must land in a window)
and to every wanted sum (of which the largest is looked for).  Equal sums are kept once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoreproof.budget import Budget

#: Pairs looked at on the way, and pairs of the two halves, at most; and how many at a time.
MOST_PAIRS = 3_000_000
MOST_JOINED = 60_000_000
CHUNK = 2_000_000
#: Work of one pair and one row.
PAIR = 30
#: Marks what is undefined; no sum of defined values comes near it.
NEVER = -(2**60)

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class TooMany(Exception):
    """More sums than the budget allows."""


@dataclass(slots=True)
class Layer:
    """Choices, or sums of some: what each adds to the rows, and the best it brings to each wanted sum."""

    keys: Ints  # sums x rows
    best: Ints  # wanted x sums
    _index: dict[bytes, int] = field(default_factory=dict)

    def find(self, key: Ints) -> int | None:
        if not self._index:
            self._index = {row.tobytes(): i for i, row in enumerate(self.keys)}
        return self._index.get(key.tobytes())

    def merged(self) -> Layer:
        """Equal keys once, each with the best of every wanted sum."""
        order = np.lexsort(self.keys.T)
        keys = self.keys[order]
        starts = np.concatenate(([True], (keys[1:] != keys[:-1]).any(axis=1))).nonzero()[0]
        best = np.stack([np.maximum.reduceat(row[order], starts) for row in self.best])
        # undefined stays undefined, whatever is added
        return Layer(keys[starts], np.maximum(best, NEVER))


@dataclass(slots=True)
class Halves:
    """``kinds`` names the kind of every part, ``choices`` has those of each kind.

    Sums must lie in lo..hi, row by row (there is one at least), and ``keep`` picks totals that fit.
    """

    kinds: Sequence[int]
    choices: list[Layer]
    lo: Ints
    hi: Ints
    budget: Budget
    keep: Callable[[Ints], Flags] | None = None

    def join(self) -> list[tuple[int, list[int]] | None]:
        """For every wanted sum its largest value and the choices that take it (None: undefined)."""
        base = [each.merged() for each in self.choices]
        halves = self.kinds[0::2], self.kinds[1::2]
        lists = [self.add_up(half, base) for half in halves]
        left, right = lists[0][-1], lists[1][-1]
        tops = [(NEVER // 2, 0, 0)] * len(left.best)
        fitting = 0
        for a, b in self.meeting(left, right):
            fitting += len(a)
            for o, top in enumerate(tops):
                sums = left.best[o][a] + right.best[o][b]
                at = int(sums.argmax())
                if sums[at] > top[0]:
                    tops[o] = int(sums[at]), int(a[at]), int(b[at])
        if not fitting:
            raise TooMany  # nothing fits; that is for the verdict to say
        found: list[tuple[int, list[int]] | None] = []
        for o, (total, *places) in enumerate(tops):
            chosen = [0] * len(self.kinds)
            if total > NEVER // 2:
                for k in (0, 1):
                    chosen[k::2] = self.back(halves[k], lists[k], base, o, places[k])
            found.append((total, chosen) if total > NEVER // 2 else None)
        return found

    def meeting(self, left: Layer, right: Layer) -> Iterator[tuple[Ints, Ints]]:
        """The pairs of sums that fit, in portions.

        The right sums are sorted along one row, so that only those in its window are looked at.
        """
        ways = []
        for r, (lo, hi) in enumerate(zip(self.lo, self.hi, strict=True)):
            along = np.argsort(right.keys[:, r], kind="stable")
            ordered, mine = right.keys[along, r], left.keys[:, r]
            first = np.searchsorted(ordered, lo - mine)
            after = np.searchsorted(ordered, hi - mine, side="right")
            ways.append((along, first, np.maximum(after - first, 0)))
        order, first, counts = min(ways, key=lambda way: int(way[2].sum()))
        if counts.sum() > MOST_JOINED:
            raise TooMany
        ends = np.cumsum(counts)
        at = 0
        while at < len(counts):
            done = int(ends[at - 1]) if at else 0
            stop = max(at + 1, int(np.searchsorted(ends, done + CHUNK, side="right")))
            some = counts[at:stop]
            self.budget.spend(PAIR * int(some.sum()) * (1 + len(self.lo)))
            a = np.repeat(np.arange(at, stop), some)
            within = np.arange(int(some.sum())) - np.repeat(np.cumsum(some) - some, some)
            b = order[within + np.repeat(first[at:stop], some)]
            for r in range(len(self.lo)):
                sums = left.keys[a, r] + right.keys[b, r]
                kept = (sums >= self.lo[r]) & (sums <= self.hi[r])
                a, b = a[kept], b[kept]
            if self.keep is not None and len(a):
                kept = self.keep(left.keys[a] + right.keys[b])
                a, b = a[kept], b[kept]
            if len(a):
                yield a, b
            at = stop

    def add_up(self, kinds: Sequence[int], base: list[Layer]) -> list[Layer]:
        """The sums of no part, of the first, of the first two, … of all of these."""
        rows, wanted = len(self.lo), len(base[0].best)
        layers = [Layer(np.zeros((1, rows), np.int64), np.zeros((wanted, 1), np.int64))]
        for depth, kind in enumerate(kinds, 1):
            one, two = layers[-1], base[kind]
            if len(one.keys) * len(two.keys) > MOST_PAIRS:
                raise TooMany
            self.budget.spend(PAIR * len(one.keys) * len(two.keys) * (rows + wanted))
            keys = (one.keys[:, None, :] + two.keys[None, :, :]).reshape(-1, rows)
            kept = self.open_sums(keys, kinds[:depth])
            best = np.stack(
                [(x[:, None] + y[None, :]).ravel()[kept] for x, y in zip(one.best, two.best, strict=True)]
            )
            layers.append(Layer(keys[kept], best).merged())
        return layers

    def open_sums(self, keys: Ints, taken: Sequence[int]) -> Flags:
        """The sums of the parts taken that the others can still bring into every window."""
        others = (Counter(self.kinds) - Counter(taken)).items()
        zero = np.zeros_like(self.lo)
        least = sum((count * self.choices[kind].keys.min(axis=0) for kind, count in others), zero)
        most = sum((count * self.choices[kind].keys.max(axis=0) for kind, count in others), zero)
        kept = ((keys + most >= self.lo) & (keys + least <= self.hi)).all(axis=1)
        if not kept.any():
            raise TooMany  # nothing fits; that is for the verdict to say
        return np.asarray(kept)

    def back(self, kinds: Sequence[int], layers: list[Layer], base: list[Layer], o: int, at: int) -> list[int]:
        """The choices whose sums stand at this place of the last layer, best for one wanted sum."""
        chosen: list[int] = []
        for kind, before, layer in zip(reversed(kinds), layers[-2::-1], reversed(layers), strict=False):
            key, value, last = layer.keys[at], layer.best[o][at], base[kind]
            for added, more in zip(last.keys, last.best[o], strict=True):
                place = before.find(key - added)
                if place is not None and max(before.best[o][place] + more, NEVER) == value:
                    every = self.choices[kind]
                    same = (every.keys == added).all(axis=1) & (np.maximum(every.best[o], NEVER) == more)
                    chosen.append(int(same.argmax()))
                    at = place
                    break
        return chosen[::-1]
