"""Lists of likely sums over blocks of parts, looked up in each other.

With two lists of N sums N² choices of matrices are looked at for the work of N.  With four the blocks are
joined two by two where a few of their sums meet, and the pairs where all of them do (Schroeppel and Shamir,
Wagner): N³.  So the entropy of the likely matrices tells beforehand whether looking is worth it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, log, prod

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.likely import Kinds, Tilt, arrangements, pivoted

#: Sizes of lists; so many choices that fit are expected where they are worth their work.
SIZES = (1 << 11, 1 << 13, 1 << 15, 1 << 17, 1 << 19, 1 << 20)
WORTH, ENOUGH, SURE = log(0.05), log(3.0), log(20.0)
LONGEST = 1 << 19  # of lists that hold every choice of their parts
TWO, FOUR = 2, 4
#: Pairs that are followed, and cells of a key, in units of the list and of the window.
FOLLOWED, WIDE = 2, 1.5
#: Of what is looked at, some is lost at borders of cells; two lists are less work than four.
LOST, SIMPLER = 1.5, 1.0
#: Choices that tell how lists lie, and those that are looked at exactly.
SOME, CHECKED = 4_000, 50
#: Cells in which pairs of lists meet, in half windows; choices tried for where, and how near is near enough.
CELL, TRIED, MEETING = 1.6, 100, 0.4
#: Work of a number that is drawn, gathered, sorted; of a choice that is looked at exactly, or more.
DRAWN, GATHERED, SORTED, CHECK = 25, 3, 130, 1_000_000


@dataclass(frozen=True)
class Drawn:
    """What lists are drawn from: kinds of matrices, of which kind every part is, and how likely each is."""

    kinds: Sequence[Kinds]
    kind_of: Sequence[int]
    tilt: Tilt

    def expected(self, size: int, lists: int) -> float:
        """The logarithm of how many choices that fit two or four lists of this size come upon, roughly.

        A true claim has at least the choices that come of its own by changing places.
        """
        entropy, parts = self.tilt.entropy, len(self.kind_of)
        each = [min(log(size), entropy * len(own) / parts) for own in np.array_split(range(parts), lists)]
        sides = each if lists == TWO else [each[0] + each[2], each[1] + each[3]]
        looked = sum(sides) if lists == TWO else min(sides) + min(log(size), max(sides))
        return looked + max(self.tilt.inside, arrangements(self.tilt.counts) - entropy) - LOST

    def best(self, size: int) -> tuple[float, int]:
        """What is expected, and of two or of four lists; two are less work."""
        two, four = self.expected(size, TWO), self.expected(size, FOUR)
        if self.whole <= size:
            return two, TWO
        return (two, TWO) if two > min(SURE, four - SIMPLER) else (four, FOUR)

    @property
    def whole(self) -> int:
        """How many choices the longer of two complete lists has."""
        cells = sorted((len(self.kinds[g].cells) for g in self.kind_of), reverse=True)
        return prod(cells[: (len(cells) + 1) // 2])

    def price(self, size: int) -> int:
        """More than the work of a turn with lists of a size."""
        numbers, parts = len(self.tilt.centre), len(self.kind_of)
        length = parts * DRAWN + 2 * SORTED + 4 * GATHERED * numbers
        if self.best(size)[1] == FOUR:
            length += 2 * FOLLOWED * (SORTED + 4 * GATHERED * numbers)
        return CHECK + 2 * size * length + 8 * FOLLOWED * GATHERED * 6 * size

    def size(self) -> int | None:
        """The size of lists that are worth their work; None if there is none."""
        if self.whole <= LONGEST:
            return max(SIZES[0], self.whole)
        for size in SIZES[:-1]:
            if self.best(size)[0] > ENOUGH:
                return size
        return SIZES[-2] if self.best(SIZES[-2])[0] > WORTH else None


def draw(chance: Array, size: int, random: np.random.Generator) -> Array:
    ends = np.cumsum(chance)
    found = np.searchsorted(ends, random.random(size) * ends[-1], side="right")
    return np.asarray(np.minimum(found, len(chance) - 1))


@dataclass(frozen=True)
class Block:
    """Choices for some parts, and their sums one column at a time."""

    parts: Sequence[int]
    sums: Sequence[Array]
    picks: Sequence[Array]

    def __len__(self) -> int:
        return len(self.picks[0])

    def column(self, c: int) -> Array:
        found = self.sums[0][self.picks[0], c]
        for sums, pick in zip(self.sums[1:], self.picks[1:], strict=True):
            found = found + sums[pick, c]
        return np.asarray(found)

    def at(self, place: Array) -> Block:
        return Block(self.parts, self.sums, [pick[place] for pick in self.picks])

    def picked(self, place: int) -> Iterator[tuple[int, int]]:
        return ((part, int(pick[place])) for part, pick in zip(self.parts, self.picks, strict=True))


@dataclass(frozen=True)
class Pairs:
    """Choices of two blocks that go together."""

    one: Block
    two: Block
    first: Array
    second: Array

    def __len__(self) -> int:
        return len(self.first)

    def column(self, c: int) -> Array:
        return np.asarray(self.one.column(c)[self.first] + self.two.column(c)[self.second])

    def picked(self, place: int) -> Iterator[tuple[int, int]]:
        yield from self.one.picked(int(self.first[place]))
        yield from self.two.picked(int(self.second[place]))


class Turn:
    """One turn of two or four lists.

    Sums are taken in an order and freed of what those before them say about them, so that what is left of one
    does not depend on the others, and a key of a few of them tells as much as it can.
    """

    def __init__(
        self, drawn: Drawn, random: np.random.Generator, budget: Budget, first: Sequence[int] = ()
    ) -> None:
        tilt = drawn.tilt
        self.random, self.budget = random, budget
        self.kind_of, self.chances = drawn.kind_of, tilt.chances
        order, lower = pivoted(tilt.spread, first) if first else (tilt.order, tilt.lower)
        self.apart = np.diag(lower)
        self.mixed = lower / self.apart
        self.freed = np.linalg.inv(self.mixed)
        self.room = np.sqrt((self.freed**2).sum(axis=1))  # half a window of what is left of a sum
        self.sums = [kind.adds[:, order] @ self.freed.T for kind in drawn.kinds]
        self.aim = self.freed @ tilt.centre[order]
        self.columns = len(self.aim)

    def run(self, size: int, lists: int) -> Iterator[list[int]]:
        """Choices, one matrix of every part, whose sums lie in all windows."""
        order = self.random.permutation(len(self.kind_of))
        blocks = [self.block(each, size) for each in np.array_split(order, lists)]
        if lists == FOUR:
            blocks[1], blocks[2] = blocks[2], blocks[1]  # the first ones may have a part more
        sides: Sequence[Block | Pairs] = blocks
        if lists == 4:
            columns, widths, aim, other = self._first_key(blocks, size)
            sides = [
                self._meeting(blocks[0], blocks[1], columns, widths, aim, size),
                self._meeting(blocks[2], blocks[3], columns, widths, other, size),
            ]
        if not all(map(len, sides)):
            return
        for places in self._matches(sides[0], sides[1], size):
            yield self.choice(sides, places)

    def choice(self, sides: Sequence[Block | Pairs], places: tuple[int, int]) -> list[int]:
        choice = [0] * len(self.kind_of)
        for side, place in zip(sides, places, strict=True):
            for part, pick in side.picked(place):
                choice[part] = pick
        return choice

    def block(self, parts: Array, size: int) -> Block:
        """Sums over some parts: every matrix of one part, or choices as the chances make them, each once."""
        members = sorted((int(i) for i in parts), key=lambda i: self.kind_of[i])
        numbers = [len(self.chances[self.kind_of[i]]) for i in members]
        self.budget.spend(min(size, prod(numbers)) * (len(members) * DRAWN + SORTED))
        if prod(numbers) <= size:
            drawn = np.indices(numbers).reshape(len(numbers), -1)
        else:
            drawn = np.stack([draw(self.chances[self.kind_of[i]], size, self.random) for i in members])
        if len(members) > 1:
            for kind in {self.kind_of[i] for i in members}:  # parts that are alike have no order
                alike = [place for place, i in enumerate(members) if self.kind_of[i] == kind]
                drawn[alike] = np.sort(drawn[alike], axis=0)
            key = np.zeros(drawn.shape[1], dtype=np.int64)
            for number, pick in zip(numbers, drawn, strict=True):
                key = key * number + pick
            drawn = drawn[:, np.unique(key, return_index=True)[1]]
        return Block(members, [self.sums[self.kind_of[i]] for i in members], list(drawn.astype(np.int32)))

    def _first_key(self, blocks: list[Block], size: int) -> tuple[list[int], list[float], Array, Array]:
        """The sums that pairs of lists are told by: as many as leave about ``size`` pairs, and where they meet.

        Counts are whole, so sums are met where likely choices of both sides have them and come to the aim.
        """
        pairs = float(len(blocks[0])) * len(blocks[1])
        some = [block.at(self.random.integers(len(block), size=SOME)) for block in blocks]
        columns, widths, left, right = [], [], [], []
        share = 1.0
        for c in range(self.columns):
            if pairs * share <= size:
                break
            self.budget.spend(GATHERED * 4 * SOME * 4)
            each = [block.column(c) for block in some]
            whole = (2 * np.pi * float(each[0].var() + each[1].var())) ** 0.5 + 1e-9
            width = min(max(CELL * float(self.room[c]), size / (pairs * share) * whole), whole)
            columns.append(c)
            widths.append(width)
            share *= width / whole
            left.append((each[0] + each[1]) / width)
            right.append((each[2] + each[3] - self.aim[c]) / width)
        if not columns:
            return [], [], np.zeros(0), np.zeros(0)
        one, two = np.array(left), np.array(right)
        middle = (one.mean(axis=1) - two.mean(axis=1)) / 2
        likely = np.argsort((((one.T - middle) / one.std(axis=1)) ** 2).sum(axis=1), kind="stable")
        best: tuple[float, int, int] = (inf, 0, 0)
        for at in self.random.permutation(likely[: SOME // 10])[:TRIED]:
            off = np.abs(one[:, at, None] + two).max(axis=0)
            there = int(off.argmin())
            best = min(best, (float(off[there]), int(at), there))
            if best[0] < MEETING:
                break
        _, at, there = best
        wide = np.array(widths)
        return columns, widths, one[:, at] * wide, two[:, there] * wide + self.aim[columns]

    def _meeting(
        self, one: Block, two: Block, columns: list[int], widths: list[float], aims: Array, size: int
    ) -> Pairs:
        """Pairs of choices whose sums come to about ``aims``."""
        self.budget.spend((SORTED + 4 * GATHERED * len(columns)) * (len(one) + len(two)))
        if not columns:
            first, second = np.indices((len(one), len(two)))
            return Pairs(one, two, first.ravel(), second.ravel())
        # a sum and what is missing to the aim share a cell, whose border may lie anywhere
        shifts = self.random.random(len(columns))
        keys = [np.zeros(len(block), dtype=np.int64) for block in (one, two)]
        for c, width, aim, shift in zip(columns, widths, aims, shifts, strict=True):
            for k, values in enumerate((one.column(c), aim - two.column(c))):
                keys[k] = _key(keys[k], values / width + shift)
        return Pairs(one, two, *self._equal(keys[0], keys[1], FOLLOWED * size))

    def _equal(self, one: Array, two: Array, most: int) -> tuple[Array, Array]:
        """Places of equal keys, ``most`` pairs of them."""
        first, second = equal(one, two, most, self.random)
        self.budget.spend(GATHERED * 6 * len(first))
        return first, second

    def _matches(self, left: Block | Pairs, right: Block | Pairs, size: int) -> list[tuple[int, int]]:
        """Places on both sides whose sums lie in all windows."""
        self.budget.spend((self.columns * GATHERED * 4 + SORTED) * (len(left) + len(right)))
        sides = [[side.column(c) for c in range(self.columns)] for side in (left, right)]
        apart = [
            float(a.var() + b.var()) ** 0.5 * (2 * np.pi) ** 0.5 + 1e-9 for a, b in zip(*sides, strict=True)
        ]
        cells = 2 * WIDE * self.room
        told = [c for c in np.argsort(cells / apart, kind="stable") if cells[c] < apart[c]]
        one, two = (np.zeros(len(side[0]), dtype=np.int64) for side in sides)
        many = float(len(one)) * len(two)
        for c in told:
            if many < FOLLOWED * size:
                break
            shift = self.random.random()
            one = _key(one, sides[0][c] / cells[c] + shift)
            two = _key(two, (self.aim[c] - sides[1][c]) / cells[c] + shift)
            many *= cells[c] / apart[c]
        i, j = self._equal(one, two, 4 * FOLLOWED * size)
        for c in told:
            good = np.abs(sides[0][c][i] + sides[1][c][j] - self.aim[c]) <= WIDE * self.room[c]
            i, j = i[good], j[good]
        return self.fitting(sides, i, j)

    def fitting(self, sides: Sequence[Sequence[Array]], i: Array, j: Array) -> list[tuple[int, int]]:
        """Those of some pairs of places whose sums, column by column, lie in all windows."""
        off = np.stack([sides[0][c][i] + sides[1][c][j] - self.aim[c] for c in range(self.columns)])
        good = (np.abs(self.mixed @ off) <= 1 + 1e-9).all(axis=0)
        return list(zip(i[good][:CHECKED].tolist(), j[good][:CHECKED].tolist(), strict=True))


def equal(
    one: Array, two: Array, most: int = 1 << 22, random: np.random.Generator | None = None
) -> tuple[Array, Array]:
    """Places of equal keys, about ``most`` pairs of them, or fewer."""
    order, turn = np.argsort(one, kind="stable"), np.argsort(two, kind="stable")
    keys, asked = one[order], two[turn]
    begin, end = np.searchsorted(keys, asked, "left"), np.searchsorted(keys, asked, "right")
    counts = end - begin
    enough = most / max(int(counts.sum()), 1)
    if enough < 1 and random is not None:
        counts[random.random(len(counts)) > enough] = 0
    counts = np.minimum(counts, most)
    second = np.repeat(np.arange(len(counts)), counts)
    further = np.arange(len(second)) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.repeat(begin, counts) + further], turn[second]


def _key(key: Array, value: Array) -> Array:
    """A key made longer by one cell; chance collisions do no harm."""
    return np.asarray(key * np.int64(1_000_003) + np.floor(value).astype(np.int64))
