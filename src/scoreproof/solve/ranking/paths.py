"""Rankings of one part with a given area, by how many negatives stand above each positive.

Such a path, f_1 <= ... <= f_p, has Σ f pairs out of order and the average precision Σ i/(i + f_i)/p; half a
pair is one positive that is tied with the last negative above it.  Of many positives some stand on one place.
Where the positives' scores are spread wider than the negatives' the top is purer, so that one spread after the
other gives one average precision after the other; then one positive goes up by a negative and another down.
Floats steer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.ranking.chains import Chain, stretches
from scoreproof.proof.ranking.witness import Ordering
from scoreproof.proof.sums.grid import Array

#: How much wider the scores of positives are spread, and how far off they may stand.
SPREADS = np.geomspace(0.02, 50, 40)
FAR, HALVINGS = 400.0, 50
#: Places of positives, of which some are for one positive: what a ranking may have of groups allows no more.
PLACES, SINGLE = 300, 40
#: Neighbours of each path, steps towards an average precision, and what of each step is looked at.
NEIGHBOURS, STEPS, LOOKED_AT = 12, 60, 50
#: How often the spreads between two are tried.
CLOSER = 3
#: How often neighbours of neighbours are taken, unless there are so many.
ROUNDS, ENOUGH = 10, 300
ROOM = 1e-13


@dataclass(frozen=True, slots=True)
class Places:
    """Where positives stand: how many on each place, and above its end; what negatives can be above it."""

    chain: Chain
    p: int
    n: int
    size: Array
    end: Array
    low: Array
    high: Array

    def loss(self, above: Array) -> Array:
        """The pairs out of order, a path in each row."""
        return np.asarray(above @ self.size)

    def precision(self, above: Array) -> Array:
        """The average precision, a path in each row."""
        return np.asarray((self.end / (self.end + above)) @ self.size / self.p)

    def movable(self, above: Array) -> tuple[Array, Array]:
        """Whether a place can have one negative less above it, and one more."""
        least, most = (
            np.broadcast_to(self.low, above.shape).copy(),
            np.broadcast_to(self.high, above.shape).copy(),
        )
        least[..., 1:] = np.maximum(least[..., 1:], above[..., :-1])
        most[..., :-1] = np.minimum(most[..., :-1], above[..., 1:])
        return above > least, above < most

    def free(self, above: Array) -> tuple[Array, Array]:
        """The places that can have one negative less above them, and those that can have one more."""
        less, more = self.movable(above)
        return np.flatnonzero(less), np.flatnonzero(more)

    def half(self, above: Array) -> int | None:
        """The last place of one positive that can be tied with a negative above it."""
        found = np.flatnonzero(self.movable(above)[0] & (self.size == 1))
        return int(found[-1]) if len(found) else None

    def halved(self, above: Array, doubled: int) -> bool:
        """Whether there is such a place, or need be none."""
        return doubled % 2 == 0 or self.half(above) is not None

    def ranking(self, above: Array, doubled: int) -> Ordering:
        """A path as a ranking with this 2·U."""
        tied = self.half(above) if doubled % 2 else None
        groups: list[tuple[int, int]] = []
        cuts = []
        for a, b, da, db in stretches(self.chain, self.p, self.n):
            last = b
            for i in np.flatnonzero((self.end > a) & (self.end <= a + da)):
                size, more = int(self.size[i]), int(above[i]) - last
                groups += [(0, more - 1), (1, 1)] if i == tied else [(0, more), (size, 0)]
                last += more
            groups = [group for group in (*groups, (0, b + db - last)) if group != (0, 0)]
            cuts.append(len(groups))
        return Ordering(tuple(groups), tuple(cuts[:-1]))


def places(chain: Chain, p: int, n: int) -> Places:
    """A place for each positive, or for some of many."""
    most = 1 if p <= PLACES else -(-p // (PLACES - 2 * SINGLE))
    sizes, low, high = [], [], []
    for _, b, da, db in stretches(chain, p, n):
        single = da if most == 1 else min(da, SINGLE)
        several, rest = divmod(da - single, most)
        kinds = ((1, single), (most, several), (rest, int(rest > 0)))
        order = sorted(((k + 0.5) / count, size) for size, count in kinds for k in range(count))
        sizes += [size for _, size in order]
        low += [b] * len(order)
        high += [b + db] * len(order)
    own = np.array(sizes, dtype=np.int64)
    return Places(chain, p, n, own, own.cumsum(), np.array(low), np.array(high))


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths and the 2·U of each, in rows."""

    places: Places
    doubled: Array
    above: Array

    @property
    def precisions(self) -> Array:
        return self.places.precision(self.above)

    def ranking(self, row: int) -> Ordering:
        return self.places.ranking(self.above[row], int(self.doubled[row]))


def paths(where: Places, doubled: int) -> Paths:
    """Paths with this 2·U, which the caller keeps between the bounds, and neighbours and theirs."""
    random = np.random.default_rng(0)
    found, _ = _spread(where, doubled, SPREADS)
    for _ in range(ROUNDS if len(found) else 0):
        before = len(found)
        some = found[:: max(1, before // len(SPREADS))]
        found = _ordered(where, np.concatenate([found, _neighbours(where, some, random)]))
        if len(found) == before or len(found) >= ENOUGH:
            break
    if doubled % 2:
        found = found[[where.half(row) is not None for row in found]]
    return Paths(where, np.full(len(found), doubled), found)


def towards(where: Places, doubled: int, wanted: Interval) -> Iterator[Ordering]:
    """Rankings whose average precision seems to be wanted: nearer and nearer spreads, then step by step."""
    least = 0.0 if wanted.lo is None else float(wanted.lo)
    most = 1.0 if wanted.hi is None else float(wanted.hi)
    middle, spreads = (least + most) / 2, SPREADS
    for _ in range(CLOSER):
        rows, spreads = _spread(where, doubled, spreads)
        if not len(rows):
            return
        at = int(np.abs(where.precision(rows) - middle).argmin())
        row: Array | None = rows[at]
        for _ in range(STEPS):
            if row is None:
                break
            off = middle - float(where.precision(row))
            if abs(off) <= (most - least) / 2 + ROOM and where.halved(row, doubled):
                yield where.ranking(row, doubled)
                return
            row = _step(where, row, off * where.p)
        last = len(spreads) - 1
        spreads = np.geomspace(spreads[max(at - 1, 0)], spreads[min(at + 1, last)], len(SPREADS))


def _spread(where: Places, doubled: int, spreads: Array) -> tuple[Array, Array]:
    """A path for each spread, and the spreads that have one."""
    wanted = (2 * where.p * where.n - doubled + 1) // 2
    share = (where.end - where.size / 2) / where.p
    logits = spreads[:, None] * np.log(share / (1 - share))
    first, last = np.full(len(spreads), -FAR), np.full(len(spreads), FAR)
    for _ in range(HALVINGS):
        middle = (first + last) / 2
        less = where.loss(_logistic(where, middle[:, None] + logits)) < wanted
        first, last = np.where(less, middle, first), np.where(less, last, middle)
    rows = _logistic(where, last[:, None] + logits)
    good = [_filled(where, row, wanted) and where.halved(row, doubled) for row in rows]
    return rows[good], spreads[good]


def _ordered(where: Places, above: Array) -> Array:
    """The rows by growing average precision, each value once."""
    _, first = np.unique(np.round(where.precision(above), 13), return_index=True)
    return np.asarray(above[first])


def _logistic(where: Places, score: Array) -> Array:
    """The negatives above positives with such scores, those of negatives being logistic."""
    share = 1 / (1 + np.exp(-np.clip(score, -FAR, FAR)))
    return np.asarray(np.clip(np.rint(share * where.n).astype(np.int64), where.low, where.high))


def _filled(where: Places, row: Array, wanted: int) -> bool:
    """Give single places a negative more or less until so many pairs are out of order."""
    while left := wanted - int(where.loss(row)):
        some = where.free(row)[int(left > 0)]
        some = some[where.size[some] <= abs(left)][::2]  # neighbours would be in each other's way
        some = some[where.size[some].cumsum() <= abs(left)]
        if not len(some):
            return False
        row[some] += 1 if left > 0 else -1
    return True


def _neighbours(where: Places, rows: Array, random: np.random.Generator) -> Array:
    """Paths with one negative less above a place and one more above another of the same size."""
    down, up = (
        (random.random((NEIGHBOURS, *rows.shape)) * some).argmax(2).T.ravel() for some in where.movable(rows)
    )
    found, every = np.repeat(rows, NEIGHBOURS, axis=0), np.arange(len(down))
    found[every, down] -= 1
    found[every, up] += 1
    good = (where.size[down] == where.size[up]) & (found >= where.low).all(1) & (found <= where.high).all(1)
    return np.asarray(found[good & (np.diff(found, axis=1) >= 0).all(1)])


def _step(where: Places, row: Array, off: float) -> Array | None:
    """The move of two places of the same size that changes the sum of precisions most nearly by so much."""
    best = abs(off), row
    for size in np.unique(where.size):
        down, up = (own[where.size[own] == size] for own in where.free(row))
        if len(down) and len(up):
            gained, lost = (
                size * end * (1 / (end + now + by) - 1 / (end + now))
                for by, own in ((-1, down), (1, up))
                for end, now in [(where.end[own], row[own])]
            )
            order = gained.argsort()
            near = np.searchsorted(gained[order], off - lost)
            ends = np.concatenate([np.clip(near + by, 0, len(down) - 1) for by in (0, -1)])
            left = np.abs(gained[order][ends] + np.concatenate([lost, lost]) - off)
            for at in left.argsort()[:LOOKED_AT]:
                found = row.copy()
                found[down[order[ends[at]]]] -= 1
                found[up[at % len(up)]] += 1
                if left[at] < best[0] and (np.diff(found) >= 0).all() and (found != row).any():
                    best = left[at], found
                    break
    return None if best[1] is row else best[1]
