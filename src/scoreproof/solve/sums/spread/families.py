"""Lists of likely sums where some figures say less of a matrix than others: families of matrices come first.

All matrices of a fold with the same values of a few scores (of accuracy and F1, where the positives of the
fold are not known) are a family.  Families of the parts of one half are chosen such that the sums of these
scores come to an aim, those of the other half such that they come to what is missing; of these pairs those
are kept whose members are expected to have the other sums as well.  Only then are the members listed, and the
halves looked up in each other by the other sums: every pair that is looked at has the first figures already.

Sums are compared as whole numbers, three of them in one, so that a list of them is one addition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from math import prod
from typing import NamedTuple

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.joining import Block, Drawn, Turn, equal

#: Bits of a sum within a key, those of them below a cell, and sums in a key.
BITS, PART, TOLD = 21, 7, 3
FARTHEST = 512  # cells in a standard deviation of a sum, at most
#: Cells of the sums of families, and of their members, in half windows; the same where there are so few parts
#: that all choices of families are gone through, and none should be missed.
CELL, FINE = 1.6, 4.0
FEW, WIDE_CELL, WIDE_FINE = 6, 5.0, 8.0
#: Members of the families of one half that are listed for one choice of families, and for all of a turn.
MEMBERS, MOST_MEMBERS = 1 << 15, 1 << 18
#: Pairs of blocks that are gone through one by one, and look-ups at once.
EVERY, LOOKED = 1 << 20, 1 << 20
#: Aims at once, at first; with fewer pairs of families than this there are more.
FIRST_AIMS, ENOUGH = 16, 500
#: Lists that tell where families meet; how often they are made, and the best of what they tell.
MEETING, MEETINGS, BEST = 1 << 15, 6, 4
#: Places of a table of keys for each of them, at least.
SPARE = 16
#: Pairs of choices of families that are compared.
PAIRS = 20_000
#: Work of a look-up, of a member, of a choice of families, of a pair of them; of all blocks together.
LOOK, MEMBER, ROW, LOOKED_AT, PAIR, SET_UP = 25, 30, 15_000, 100, 5_000, 1_500


class Keys:
    """Sums of some columns as one whole number each, such that they can be added."""

    def __init__(self, turn: Turn, columns: Sequence[int], width: float, random: np.random.Generator) -> None:
        self.columns, self.width = list(columns), width
        # as wide as that at least, so that no sum runs into the next
        self.cells = np.array([max(width * turn.room[c], turn.apart[c] / FARTHEST) for c in self.columns])
        self.of_kind = [self.of(sums) for sums in turn.sums]
        scale = 1 << np.arange(len(self.columns), dtype=np.int64) * BITS
        shift = random.integers(1 << PART, size=len(self.columns))
        self.base = int(((1 << (BITS - 1)) + shift) @ scale)
        self.mask = int(((1 << BITS) - (1 << PART)) * scale.sum())

    def of(self, sums: Array) -> Array:
        """The number of each row of sums."""
        parts = np.rint(sums[..., self.columns] / self.cells * (1 << PART)).astype(np.int64)
        return np.asarray((parts << np.arange(len(self.columns), dtype=np.int64) * BITS).sum(axis=-1))

    def cell(self, number: Array) -> Array:
        return np.asarray((number + self.base) & self.mask)


def _places(keys: Array, bits: int) -> Array:
    """Where keys stand in a table."""
    return np.asarray((keys.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits))


def _bits(length: int) -> int:
    return max(16, (SPARE * length).bit_length())


class Rows(NamedTuple):
    """Choices of families of one half: for which aim, and of either block."""

    aim: Array
    one: Array
    two: Array

    def at(self, places: Array) -> Rows:
        return Rows(*(each[places] for each in self))


class Table:
    """Where numbers lie, cell by cell."""

    def __init__(self, keys: Keys, numbers: Array) -> None:
        self.keys = keys
        cells = keys.cell(numbers)
        self.order = np.argsort(cells, kind="stable")
        self.cells = cells[self.order]
        self.bits = _bits(len(cells))
        self.marks = np.zeros(1 << self.bits, dtype=bool)
        self.marks[_places(cells, self.bits)] = True

    def holds(self, numbers: Array) -> Array:
        """Whether there may be one in the cell of each of these."""
        return np.asarray(self.marks[_places(self.keys.cell(numbers), self.bits)])

    def pairs(self, numbers: Array, random: np.random.Generator) -> tuple[Array, Array]:
        """The places of those that share a cell with the numbers at which places; of too many some."""
        cells = self.keys.cell(numbers)
        begin, end = (np.searchsorted(self.cells, cells, side) for side in ("left", "right"))
        counts = end - begin
        enough = LOOKED / max(int(counts.sum()), 1)
        if enough < 1:
            counts[random.random(len(counts)) > enough] = 0
            counts = np.minimum(counts, LOOKED)
        which = np.repeat(np.arange(len(cells)), counts)
        further = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        return which, self.order[np.repeat(begin, counts) + further]


class Half:
    """The families of the parts of one half, in two blocks."""

    def __init__(self, turn: Turn, keys: Sequence[Keys], parts: Array, size: int) -> None:
        cut = len(parts) // 2
        self.turn, self.keys = turn, keys
        self.one, self.two = turn.block(parts[:cut], size), turn.block(parts[cut:], size)
        self.numbers = [[self._numbers(key, block) for block in (self.one, self.two)] for key in keys]
        # by the first score, of which there are few values, then by all
        self.first = Table(keys[0], np.unique(self.numbers[0][1]))
        self.few, self.of_few = np.unique(self.numbers[0][0], return_inverse=True)
        self.by_few = np.argsort(self.of_few, kind="stable")
        self.counts = np.bincount(self.of_few)
        self.table = Table(keys[1], self.numbers[1][1])
        self.sums = [np.stack([b.column(c) for c in range(turn.columns)]) for b in (self.one, self.two)]
        self.chances = [self._chances(block) for block in (self.one, self.two)]
        self.parts = [*self.one.parts, *self.two.parts]

    def _numbers(self, keys: Keys, block: Block) -> Array:
        both = zip(block.parts, block.picks, strict=True)
        return np.asarray(sum(keys.of_kind[self.turn.kind_of[i]][pick] for i, pick in both))

    def _chances(self, block: Block) -> Array:
        both = zip(block.parts, block.picks, strict=True)
        return np.asarray(prod(self.turn.chances[self.turn.kind_of[i]][pick] for i, pick in both))

    def near(self, sums: Array, budget: Budget) -> Rows:
        """The choices whose sums (by columns) come to those of the aims."""
        first, all_ = (key.of(sums.T) for key in self.keys)
        budget.spend(LOOK * len(first) * len(self.few))
        aim, few = np.nonzero(self.first.holds(first[:, None] - self.few))
        counts = self.counts[few]
        which = np.repeat(np.arange(len(few)), counts)
        further = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        one = self.by_few[np.repeat((np.cumsum(self.counts) - self.counts)[few], counts) + further]
        budget.spend(2 * LOOK * len(one))
        aim = aim[which]
        wanted = all_[aim] - self.numbers[1][0][one]
        there = np.flatnonzero(self.table.holds(wanted))
        which, two = self.table.pairs(wanted[there], self.turn.random)
        budget.spend(4 * LOOK * len(one))
        aim, one = aim[there[which]], one[there[which]]
        off = np.abs(self.sums[0][:, one] + self.sums[1][:, two] - sums[:, aim])
        good = (off <= self.keys[0].width * self.turn.room[:, None]).all(axis=0)
        return Rows(aim[good], one[good], two[good])

    def families(self, rows: Rows) -> list[Array]:
        """The family of every part, by rows."""
        return [p[rows.one] for p in self.one.picks] + [p[rows.two] for p in self.two.picks]


class Families:
    """A seeded search under one divisor of the deviations."""

    def __init__(
        self,
        drawn: Drawn,
        scores: Sequence[Sequence[int]],
        given: Array | None,
        likely: float,
        random: np.random.Generator,
        budget: Budget,
    ) -> None:
        self.random, self.budget, self.price = random, budget, drawn.price
        first = [c for score in scores for c in score]
        self.fine = Turn(drawn, random, budget, first)
        self.turn = copy(self.fine)
        columns = self.turn.columns = len(first)
        self.turn.sums, self.turn.chances = [], []
        self.turn.aim, self.turn.room = self.fine.aim[:columns], self.fine.room[:columns]
        self.turn.mixed = self.fine.mixed[:columns, :columns]
        # members in order of their family, where it begins, how many; their other sums, and how these spread
        self.members: list[tuple[Array, Array, Array]] = []
        self.expected: list[tuple[Array, Array]] = []
        self.totals: list[Array] = []
        self.given = given  # rows of how far off its windows the sums of the first score may be
        self.missing = (self.fine.mixed @ self.fine.aim)[columns:]
        for sums, chances in zip(self.fine.sums, self.fine.chances, strict=True):
            self._tell(sums, chances, likely)
        few = len(drawn.kind_of) <= FEW
        cell, fine = (WIDE_CELL, WIDE_FINE) if few else (CELL, FINE)
        telling = np.argsort(self.fine.room / self.fine.apart, kind="stable")
        self.keys = [
            Keys(self.turn, range(len(scores[0])), cell, random),
            Keys(self.turn, [c for c in telling if c < columns][:TOLD], cell, random),
        ]
        self.fine_keys = Keys(self.fine, [c for c in telling if c >= columns][:TOLD], fine, random)

    def _tell(self, sums: Array, chances: Array, likely: float) -> None:
        """The families of the matrices of one kind, and their likely members."""
        columns = self.turn.columns
        own = np.round(sums[:, :columns], 6)
        _, at, family = np.unique(own, axis=0, return_index=True, return_inverse=True)
        family = family.reshape(-1)
        best = np.zeros(len(at))
        np.maximum.at(best, family, chances)
        order = np.argsort(family, kind="stable")
        order = order[chances[order] >= likely * best[family[order]]]
        counts = np.bincount(family[order])
        begin = np.cumsum(counts) - counts
        self.turn.sums.append(sums[at, :columns])
        self.turn.chances.append(np.bincount(family, chances))
        self.members.append((order, begin, counts))
        rest = (sums @ self.fine.mixed.T)[order, columns:]
        middle = np.add.reduceat(rest, begin) / counts[:, None]
        apart = rest - np.repeat(middle, counts, axis=0)
        spread = np.add.reduceat(apart[:, :, None] * apart[:, None, :], begin) / counts[:, None, None]
        self.expected.append((middle, spread))

    def spend_from(self, budget: Budget) -> None:
        self.budget = self.fine.budget = self.turn.budget = budget

    def run(self, size: int, turns: int) -> Iterator[tuple[int, list[int] | None]]:
        """So many turns with lists of a size: the work of what is next, and choices that fit."""
        parts = self.random.permutation(len(self.turn.kind_of))
        for _ in range(MEETINGS if self.given is None and not self.totals else 0):
            yield self.price(min(size, MEETING)), None
            for choice in self.turn.run(min(size, MEETING), 4):
                both = zip(self.turn.kind_of, choice, strict=True)
                self.totals.append(sum(self.turn.sums[g][family] for g, family in both))
            if self.totals:
                break
        total = self._total()
        if total is None:
            return
        yield SET_UP * size, None
        self.budget.spend(SET_UP // 3 * size)
        halves = [Half(self.turn, self.keys, own, size) for own in np.array_split(parts, 2)[::-1]]
        self._shuffle()
        most = max(1, LOOKED // max(len(half.numbers[0][0]) for half in halves))
        self.count = min(most, FIRST_AIMS)
        aims = self._aims(halves[0])
        for _ in range(turns):
            chosen = next(aims, None)
            if chosen is None:
                return
            yield 4 * LOOK * LOOKED + 4 * min(size, MOST_MEMBERS) * MEMBER, None
            rows = self._promising(halves, self._near(halves, chosen, total), min(size, MOST_MEMBERS))
            for choice in self._met(halves, rows):
                yield 1, choice
            if len(rows[0].aim) < ENOUGH:  # more aims at once are less work
                self.count = min(2 * self.count, most)

    def _total(self) -> Array | None:
        """Sums of the first columns, in all windows, that families of all parts can have."""
        off = np.zeros(self.turn.columns)
        if self.given is not None:
            off[: self.given.shape[1]] = self.given[self.random.integers(len(self.given))]
            return np.asarray(self.turn.aim + np.linalg.solve(self.turn.mixed, off))
        if not self.totals:
            return None
        every = (np.array(self.totals) - self.turn.aim) @ self.turn.mixed.T
        best = np.argsort((every**2).sum(axis=1), kind="stable")[:BEST]
        return np.asarray(self.totals[int(self.random.choice(best))])

    def _shuffle(self) -> None:
        """The members of families in a new order: of many some are listed."""
        for g, (order, begin, counts) in enumerate(self.members):
            family = np.repeat(np.arange(len(counts)), counts)
            self.members[g] = order[np.lexsort((self.random.random(len(order)), family))], begin, counts

    def _aims(self, half: Half) -> Iterator[tuple[Array, Array]]:
        """Choices of families of a half: likely ones, or if there are few all of them."""
        one, two = half.chances
        if self._few(half):
            late = self.random.exponential(size=(len(one), len(two))) / np.maximum(one[:, None] * two, 1e-300)
            order = np.argsort(late, axis=None)
            while len(order):
                now, order = order[: self.count], order[self.count :]
                yield np.divmod(now, len(two))
            return
        ends = [np.cumsum(each) for each in (one, two)]
        while True:
            one, two = (np.searchsorted(end, self.random.random(self.count) * end[-1]) for end in ends)
            yield np.minimum(one, len(ends[0]) - 1), np.minimum(two, len(ends[1]) - 1)

    def _few(self, half: Half) -> bool:
        return len(half.chances[0]) * len(half.chances[1]) <= EVERY

    def _near(self, halves: Sequence[Half], chosen: tuple[Array, Array], total: Array) -> list[Rows]:
        """Choices of families of both halves that come to the same aims."""
        half, other = halves
        one, two = chosen
        sums = half.sums[0][:, one] + half.sums[1][:, two]
        missing = other.near(total[:, None] - sums, self.budget)
        kept, aim = np.unique(missing.aim, return_inverse=True)
        there = Rows(np.arange(len(kept)), one[kept], two[kept])
        if not self._few(half):
            there = half.near(sums[:, kept], self.budget)
        i, j = equal(there.aim, aim.reshape(-1), PAIRS, self.random)
        return [there.at(i), missing.at(j)]

    def _promising(self, halves: Sequence[Half], rows: Sequence[Rows], size: int) -> list[Rows]:
        """Those pairs of rows among whose members most choices that fit are expected."""
        self.budget.spend(LOOKED_AT * len(rows[0].aim))
        sums = sum(
            half.sums[0][:, own.one] + half.sums[1][:, own.two] for half, own in zip(halves, rows, strict=True)
        )
        good = (np.abs(self.turn.mixed @ (sums - self.turn.aim[:, None])) <= 1 + 1e-9).all(axis=0)
        rows = [own.at(np.flatnonzero(good)) for own in rows]
        self.budget.spend(PAIR * len(rows[0].aim))
        number = len(self.missing)
        off = np.zeros((len(rows[0].aim), number)) - self.missing
        spread = np.zeros((len(off), number, number)) + np.eye(number) / 3
        counts = []
        for half, own in zip(halves, rows, strict=True):
            for i, family in zip(half.parts, half.families(own), strict=True):
                middle, each = self.expected[self.turn.kind_of[i]]
                off += middle[family]
                spread += each[family]
            counts.append(self._counts(half, own).prod(axis=0))
        far = (off * np.linalg.solve(spread, off[:, :, None])[:, :, 0]).sum(axis=1)
        both = counts[0] + counts[1]
        worth = np.log(counts[0]) + np.log(counts[1]) - np.log(both) - (far + np.linalg.slogdet(spread)[1]) / 2
        order = np.argsort(-worth, kind="stable")
        order = order[: int(np.searchsorted(np.cumsum(both[order]), 2 * size)) + 1]
        return [own.at(order) for own in rows]

    def _counts(self, half: Half, rows: Rows) -> Array:
        """How many members are listed of the family of every part, by rows."""
        most = int(MEMBERS ** (1 / len(half.parts)) + 1e-9)
        kinds = [self.turn.kind_of[i] for i in half.parts]
        both = zip(kinds, half.families(rows), strict=True)
        return np.stack([np.minimum(self.members[g][2][family], most) for g, family in both])

    def _met(self, halves: Sequence[Half], rows: Sequence[Rows]) -> Iterator[list[int]]:
        """Members whose sums lie in all windows."""
        tags = self.random.integers(1 << 62, size=len(rows[0].aim))
        numbers = self.fine_keys
        keys = []
        counts = [self._counts(half, own) for half, own in zip(halves, rows, strict=True)]
        self.budget.spend(sum(int(MEMBER * each.prod(axis=0).sum()) + ROW * each.shape[1] for each in counts))
        for half, own, count in zip(halves, rows, counts, strict=True):
            found = self._numbers(half, own, count)
            if half is halves[1]:
                found = int(numbers.of(self.fine.aim)) - found
            tag = np.repeat(tags, count.prod(axis=0))
            keys.append(numbers.cell(found) ^ tag)
        left, right = keys
        bits = _bits(len(left))
        for _ in range(2):  # the first time those of the second half that are in the first, then the reverse
            table = np.zeros(1 << bits, dtype=bool)
            table[_places(left, bits)] = True
            places = np.flatnonzero(table[_places(right, bits)])
            if len(places) == 0:
                return
            if right is keys[1]:
                second, left, right = places, right[places], keys[0]
        first = places
        sides = [
            self._block(half, own, count, place)
            for half, own, count, place in zip(halves, rows, counts, (first, second), strict=True)
        ]
        i, j = equal(keys[0][first], keys[1][second], MOST_MEMBERS, self.random)
        self.budget.spend(100 * len(i))
        columns = [[side.column(c) for c in range(self.fine.columns)] for side in sides]
        for pair in self.fine.fitting(columns, i, j):
            yield self.fine.choice(sides, pair)

    def _numbers(self, half: Half, rows: Rows, counts: Array) -> Array:
        """The numbers of all members of the chosen families, row by row."""
        known: dict[tuple[int, int], Array] = {}
        own = [self.fine_keys.of_kind[g][order] for g, (order, _, _) in enumerate(self.members)]

        def members(which: int, block: Block, place: int, count: Array) -> Array:
            if (which, place) not in known:
                found = np.zeros(1, dtype=np.int64)
                for i, pick, many in zip(block.parts, block.picks, count, strict=True):
                    g = self.turn.kind_of[i]
                    begin = self.members[g][1][pick[place]]
                    found = np.add.outer(found, own[g][begin : begin + many]).ravel()
                known[which, place] = found
            return known[which, place]

        cut = len(half.one.parts)
        sizes = counts.prod(axis=0)
        result = np.empty(int(sizes.sum()), dtype=np.int64)
        end = np.cumsum(sizes)
        for r, (one, two) in enumerate(zip(rows.one.tolist(), rows.two.tolist(), strict=True)):
            a = members(0, half.one, one, counts[:cut, r])
            b = members(1, half.two, two, counts[cut:, r])
            np.add.outer(a, b, out=result[end[r] - sizes[r] : end[r]].reshape(len(a), len(b)))
        return result

    def _block(self, half: Half, rows: Rows, counts: Array, places: Array) -> Block:
        """The matrices of members that stand at these places of the list."""
        sizes = counts.prod(axis=0)
        ends = np.cumsum(sizes)
        row = np.searchsorted(ends, places, side="right")
        left = places - (ends[row] - sizes[row])
        picks: list[Array] = []
        for i, family, count in reversed(list(zip(half.parts, half.families(rows), counts, strict=True))):
            order, begin, _ = self.members[self.turn.kind_of[i]]
            left, digit = np.divmod(left, count[row])
            picks.insert(0, order[begin[family[row]] + digit])
        return Block(half.parts, [self.fine.sums[self.turn.kind_of[i]] for i in half.parts], picks)
