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
Adds = dict[int, list[int]]  # what each choice of a kind of part adds
Keep = Callable[[Ints], NDArray[np.bool_]]


class TooMany(Exception):
    """More sums than the budget allows."""


@dataclass(slots=True)
class Window:
    """A sum that must land in a window, and what every choice adds to it."""

    lo: int | None
    hi: int | None
    adds: Adds


@dataclass(slots=True)
class Layer:
    """Sums of some parts: the reported ones in ``keys``, the best of each wanted one in ``best``."""

    keys: Ints  # sums x rows
    best: Ints  # wanted x sums
    _index: dict[bytes, int] = field(default_factory=dict)

    def find(self, key: Ints) -> int | None:
        if not self._index:
            self._index = {row.tobytes(): i for i, row in enumerate(self.keys)}
        return self._index.get(key.tobytes())


@dataclass(slots=True)
class Halves:
    """``kinds`` names the kind of every part, ``keep`` picks the totals (rows of sums) that fit."""

    kinds: Sequence[int]
    rows: Sequence[Window]
    budget: Budget
    keep: Keep | None = None

    def join(self, wanted: Sequence[Adds]) -> list[tuple[int, list[int]] | None] | None:
        """For every wanted sum its largest value and the choices that take it (None: undefined)."""
        base = [self.layer(kind, wanted) for kind in range(max(self.kinds) + 1)]
        halves = self.kinds[0::2], self.kinds[1::2]
        lists = [self.add_up(half, base, self.kinds) for half in halves]
        left, right = lists[0][-1], lists[1][-1]
        tops: list[tuple[int, int, int] | None] = [None] * len(wanted)
        any_fit = False
        for meeting in self.meeting(left, right):
            a, b = self.kept(*meeting, left, right)
            if not len(a):
                continue
            any_fit = True
            for o in range(len(wanted)):
                sums = left.best[o][a] + right.best[o][b]
                at = int(sums.argmax())
                top = tops[o]
                if sums[at] > NEVER // 2 and (top is None or sums[at] > top[0]):
                    tops[o] = int(sums[at]), int(a[at]), int(b[at])
        if not any_fit:
            return None
        found: list[tuple[int, list[int]] | None] = []
        for o, top in enumerate(tops):
            if top is None:
                found.append(None)
                continue
            chosen = [0] * len(self.kinds)
            chosen[0::2] = self.back(halves[0], lists[0], base, wanted[o], o, top[1])
            chosen[1::2] = self.back(halves[1], lists[1], base, wanted[o], o, top[2])
            found.append((top[0], chosen))
        return found

    def meeting(self, left: Layer, right: Layer) -> Iterator[tuple[Ints, Ints]]:
        """The pairs of sums that meet in every window, in portions.

        The right sums are sorted along one row, so that only those in its window are looked at.
        """
        size = len(right.keys)
        order, first = np.arange(size), np.zeros(len(left.keys), np.int64)
        counts = np.full(len(left.keys), size)
        for r, row in enumerate(self.rows):
            along = np.argsort(right.keys[:, r], kind="stable")
            ordered, mine = right.keys[along, r], left.keys[:, r]
            start = np.zeros_like(mine) if row.lo is None else np.searchsorted(ordered, row.lo - mine)
            after = np.full_like(mine, size)
            if row.hi is not None:
                after = np.searchsorted(ordered, row.hi - mine, side="right")
            here = np.maximum(after - start, 0)
            if here.sum() < counts.sum():
                order, first, counts = along, start, here
        if counts.sum() > MOST_JOINED:
            raise TooMany
        ends = np.cumsum(counts)
        at = 0
        while at < len(counts):
            done = int(ends[at - 1]) if at else 0
            stop = max(at + 1, int(np.searchsorted(ends, done + CHUNK, side="right")))
            some = counts[at:stop]
            self.budget.spend(PAIR * int(some.sum()) * (1 + len(self.rows)))
            a = np.repeat(np.arange(at, stop), some)
            within = np.arange(int(some.sum())) - np.repeat(np.cumsum(some) - some, some)
            b = order[within + np.repeat(first[at:stop], some)]
            kept = np.ones(len(a), dtype=bool)
            for r, row in enumerate(self.rows):
                sums = left.keys[a, r] + right.keys[b, r]
                if row.lo is not None:
                    kept &= sums >= row.lo
                if row.hi is not None:
                    kept &= sums <= row.hi
            yield a[kept], b[kept]
            at = stop

    def kept(self, a: Ints, b: Ints, left: Layer, right: Layer) -> tuple[Ints, Ints]:
        if self.keep is None or not len(a):
            return a, b
        fits = self.keep(left.keys[a] + right.keys[b])
        return a[fits], b[fits]

    def layer(self, kind: int, wanted: Sequence[Adds]) -> Layer:
        count = len(wanted[0][kind])
        keys = np.array([row.adds[kind] for row in self.rows], dtype=np.int64).reshape(len(self.rows), count).T
        best = np.array([adds[kind] for adds in wanted], dtype=np.int64).reshape(len(wanted), count)
        return merged(np.ascontiguousarray(keys), best)

    def add_up(self, kinds: Sequence[int], base: list[Layer], every: Sequence[int]) -> list[Layer]:
        """The sums of the first part, of the first two, … of all of these."""
        if not kinds:
            return [Layer(np.zeros((1, len(self.rows)), np.int64), np.zeros((len(base[0].best), 1), np.int64))]
        layers = [base[kinds[0]]]
        for depth, kind in enumerate(kinds[1:], 2):
            one, two = layers[-1], base[kind]
            if len(one.keys) * len(two.keys) > MOST_PAIRS:
                raise TooMany
            self.budget.spend(PAIR * len(one.keys) * len(two.keys) * (len(self.rows) + len(one.best)))
            keys = one.keys[:, None, :] + two.keys[None, :, :]
            keys = keys.reshape(len(one.keys) * len(two.keys), len(self.rows))  # there may be no rows
            kept = self.open_sums(keys, list((Counter(every) - Counter(kinds[:depth])).elements()))
            best = np.stack(
                [(x[:, None] + y[None, :]).ravel()[kept] for x, y in zip(one.best, two.best, strict=True)]
            )
            layers.append(merged(keys[kept], best))
        return layers

    def open_sums(self, keys: Ints, others: Sequence[int]) -> NDArray[np.bool_]:
        """The sums that the other parts can still bring into every window."""
        kept = np.ones(len(keys), dtype=bool)
        for r, (row, (low, high)) in enumerate(zip(self.rows, reachable(self.rows, others), strict=True)):
            if row.lo is not None:
                kept &= keys[:, r] + high >= row.lo
            if row.hi is not None:
                kept &= keys[:, r] + low <= row.hi
        if not kept.any():
            raise TooMany  # nothing fits; that is for the verdict to say
        return kept

    def back(
        self,
        kinds: Sequence[int],
        layers: list[Layer],
        base: list[Layer],
        adds: Adds,
        o: int,
        at: int,
    ) -> list[int]:
        """The choices whose sums stand at this place of the last layer, best for one wanted sum."""
        chosen: list[int] = []
        for depth in range(len(kinds) - 1, -1, -1):
            kind, layer = kinds[depth], layers[depth]
            key, value = layer.keys[at], layer.best[o][at]
            if depth == 0:
                chosen.append(self.choice(kind, key, int(value), adds))
                break
            last, before = base[kind], layers[depth - 1]
            for j in range(len(last.keys)):
                place = before.find(key - last.keys[j])
                if place is not None and max(before.best[o][place] + last.best[o][j], NEVER) == value:
                    chosen.append(self.choice(kind, last.keys[j], int(last.best[o][j]), adds))
                    at = place
                    break
        return chosen[::-1]

    def choice(self, kind: int, key: Ints, value: int, adds: Adds) -> int:
        for place, added in enumerate(adds[kind]):
            if added == value and all(row.adds[kind][place] == key[r] for r, row in enumerate(self.rows)):
                return place
        raise AssertionError("a sum without the choices it was made of")


def reachable(rows: Sequence[Window], kinds: Sequence[int]) -> list[tuple[int, int]]:
    """For every row the least and the most these parts can add."""
    times = Counter(kinds)
    return [
        (
            sum(count * min(row.adds[kind]) for kind, count in times.items()),
            sum(count * max(row.adds[kind]) for kind, count in times.items()),
        )
        for row in rows
    ]


def merged(keys: Ints, best: Ints) -> Layer:
    """Equal keys once, each with the best of every wanted sum."""
    best = np.maximum(best, NEVER)  # undefined stays undefined, whatever is added
    if not keys.shape[1]:
        return Layer(keys[:1], best.max(axis=1, keepdims=True))
    low, high = keys.min(axis=0), keys.max(axis=0)
    sizes = [int(last) - int(first) + 1 for first, last in zip(low, high, strict=True)]
    whole = 1
    for size in sizes:
        whole *= size
    if whole < 2**62:
        codes = np.zeros(len(keys), dtype=np.int64)
        for r, size in enumerate(sizes):
            codes = codes * size + (keys[:, r] - low[r])
        order = np.argsort(codes, kind="stable")
        ordered = codes[order]
        new = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    else:
        order = np.lexsort(keys.T[::-1])
        sorted_keys = keys[order]
        new = np.concatenate(([True], (sorted_keys[1:] != sorted_keys[:-1]).any(axis=1)))
    starts = new.nonzero()[0]
    tops = np.stack([np.maximum.reduceat(row[order], starts) for row in best])
    return Layer(np.ascontiguousarray(keys[order[starts]]), tops)
