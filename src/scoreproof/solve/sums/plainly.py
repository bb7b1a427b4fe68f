"""Group sums that land in their windows, looked for in plain integers before programs in floats, or without.

Points near the windows first, one step at a time; then two lists of points around one of them, and whoever of
both lists meet in the windows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice, product
from math import fsum, prod
from operator import mul

from scoreproof.budget import Budget
from scoreproof.proof.sums.group_sums import Sums

STEPS = 2_000
CORRECTIONS = 60
STARTS = 8  # points from which it goes down to the windows
MOST_STARTED = 40  # unknowns: of more of them, so many are moved one at a time, from one point
MOST_PAIRED = 30  # unknowns, of which two are moved at a time
MOST_DRAWN = 8  # unknowns of one list that are moved
DRAWN, MORE = 3_000, 8  # points drawn in the first turn, and how many times as many afterwards
MOST_ROWS = 5  # every point looks into two cells for each row, and so into 2 ** rows
LOOSE = 20  # times as wide as the tightest: rows that are only looked at, if there are more
MOST_MET = 2_000  # points that fit the tightest rows, of which one may fit the others
WORK = 60  # of one drawn point, for each unknown


@dataclass(frozen=True)
class Block:
    """Rows and unknowns that have nothing to do with the others."""

    unknowns: tuple[int, ...]
    coefficients: tuple[tuple[int, ...], ...]
    windows: tuple[tuple[int, int], ...]
    top: tuple[int, ...]


def meeting(sums: Sums, budget: Budget, turns: range, most: int = MOST_ROWS) -> list[int] | None:
    """Values of the unknowns that fit, if some are found in these turns; finding none means nothing.

    Of so many rows the tightest are met, and the others are looked at afterwards.
    """
    values = [0] * len(sums.top)
    for block in _blocks(sums):
        found = None
        if len(block.windows) <= most:
            with suppress(OverflowError):  # coefficients that floats do not hold
                found = _within(block, budget, turns)
        if found is None:
            return None
        for j, value in zip(block.unknowns, found, strict=True):
            values[j] = value
    return values


def _blocks(sums: Sums) -> list[Block]:
    groups: list[tuple[set[int], list[int]]] = []  # unknowns and rows
    for r, row in enumerate(sums.coefficients):
        unknowns, rows = {j for j, c in enumerate(row) if c}, [r]
        apart = []
        for group in groups:
            if unknowns & group[0]:
                unknowns |= group[0]
                rows += group[1]
            else:
                apart.append(group)
        groups = [*apart, (unknowns, sorted(rows))]
    return [
        Block(
            tuple(sorted(unknowns)),
            tuple(tuple(sums.coefficients[r][j] for j in sorted(unknowns)) for r in rows),
            tuple(sums.windows[r] for r in rows),
            tuple(sums.top[j] for j in sorted(unknowns)),
        )
        for unknowns, rows in groups
    ]


def _within(sums: Block, budget: Budget, turns: range) -> list[int] | None:
    chance = random.Random(1)
    tight = _tightest(sums)
    ends, drawn = [_near(sums, _evenly(sums))], DRAWN
    for turn in turns:
        if turn and len(ends) == 1 and len(sums.top) <= MOST_STARTED:
            starts = [[chance.randint(0, most) for most in sums.top] for _ in range(STARTS)]
            ends = sorted([*ends, *(_near(sums, start) for start in starts)])
            drawn *= MORE
        _, near = ends[turn % len(ends)]
        if _fits(sums, near):
            return near
        budget.spend(2 * drawn * WORK * len(near))
        met = _around(tight, Draw(near, turn // 2, drawn, chance))
        found = next((x for x in islice(met, MOST_MET) if _fits(sums, x)), None)
        if found is not None:
            return found
    return None


def _tightest(sums: Block) -> Block:
    """The rows that leave the least of what the unknowns can reach."""
    if len(sums.windows) <= MOST_ROWS:
        return sums
    reach = [sum(abs(c) * most for c, most in zip(row, sums.top, strict=True)) for row in sums.coefficients]
    left = [Fraction(hi - lo + 1, total or 1) for (lo, hi), total in zip(sums.windows, reach, strict=True)]
    kept = [r for r in range(len(left)) if left[r] <= LOOSE * min(left)][:MOST_ROWS]
    return replace(
        sums,
        coefficients=tuple(sums.coefficients[r] for r in kept),
        windows=tuple(sums.windows[r] for r in kept),
    )


def _fits(sums: Block, x: list[int]) -> bool:
    rows = zip(sums.coefficients, sums.windows, strict=True)
    return all(lo <= sum(c * v for c, v in zip(row, x, strict=True)) <= hi for row, (lo, hi) in rows)


def _missed(sums: Block, at: list[int]) -> float:
    """How far the rows are from the middle of their windows, in widths of windows, squared: smooth, so that
    moving one unknown after the other does not end in a corner."""
    return fsum(((2 * v - lo - hi) / (hi - lo + 1)) ** 2 for v, (lo, hi) in zip(at, sums.windows, strict=True))


def _evenly(sums: Block) -> list[int]:
    """Near the middle of the windows with shares as alike as can be: corrected row by row, each unknown by its
    size.  Floats that only choose where to begin."""
    x = [most / 2 for most in sums.top]
    middles = [(lo + hi) / 2 for lo, hi in sums.windows]
    for _ in range(CORRECTIONS):
        for row, middle in zip(sums.coefficients, middles, strict=True):
            largest = max(map(abs, row))
            scaled = [c / largest for c in row]
            length = fsum(c * c * most for c, most in zip(scaled, sums.top, strict=True))
            off = middle / largest - fsum(c * v for c, v in zip(scaled, x, strict=True))
            for j, (c, most) in enumerate(zip(scaled, sums.top, strict=True)):
                x[j] = min(max(x[j] + (off * c * most / length if length else 0), 0), most)
    return [round(v) for v in x]


def _near(sums: Block, start: list[int]) -> tuple[float, list[int]]:
    """A point near the windows, and how near: one unknown at a time in steps that halve, then two by one."""
    x = list(start)
    at = [sum(c * v for c, v in zip(row, x, strict=True)) for row in sums.coefficients]
    reach = max(1, max(sums.top, default=0) // 8)
    best = _missed(sums, at)
    every = -(-len(x) // MOST_STARTED)
    moves = [[(j, sign)] for j in range(0, len(x), every) for sign in (1, -1)]
    pairs = [[one, other] for [one], [other] in combinations(moves, 2) if one[0] != other[0]]
    tried = moves
    for _ in range(STEPS):
        chosen = None
        for move in tried:
            if all(0 <= x[j] + sign * reach <= sums.top[j] for j, sign in move):
                to = [v + reach * sum(sign * row[j] for j, sign in move)
                      for v, row in zip(at, sums.coefficients, strict=True)]  # fmt: skip
                if (missed := _missed(sums, to)) < best:
                    best, chosen, there = missed, move, to
        if chosen is not None:
            for j, sign in chosen:
                x[j] += sign * reach
            at = there
        elif reach > 1:
            reach //= 2
        elif tried is moves and len(x) <= MOST_PAIRED:
            tried = pairs
        else:
            break
    return best, x


@dataclass(frozen=True)
class Draw:
    """How points are drawn: around which one, how much further than all that can be listed, and how many."""

    near: list[int]
    further: int
    count: int
    chance: random.Random


#: Values of some unknowns, by their places, and what these and those that stay where they are add to the rows.
Point = tuple[dict[int, int], list[int]]


def _around(sums: Block, draw: Draw) -> Iterator[list[int]]:
    """Two lists that meet: the unknowns of the shortest row, which fulfil it by themselves, and the others."""
    places = [{j for j, c in enumerate(row) if c} for row in sums.coefficients]
    first, last = _halves(min((sorted(each) for each in places), key=len), draw)
    rest = [j for j in range(len(sums.top)) if j not in first and j not in last]
    if not rest:
        ones, others = _drawn(sums, first, draw), _drawn(sums, last, draw)
    else:
        ones = _meeting(sums, _within_alone(places, {*first, *last}), first, last, draw)
        others = _meeting(sums, _within_alone(places, {*rest}), *_halves(rest, draw), draw)
    for values, _ in _met(sums, range(len(places)), ones, others):
        yield [values.get(j, draw.near[j]) for j in range(len(sums.top))]


def _halves(places: list[int], draw: Draw) -> tuple[list[int], list[int]]:
    order = draw.chance.sample(places, len(places))
    return order[: len(order) // 2], order[len(order) // 2 :]


def _within_alone(places: list[set[int]], chosen: set[int]) -> list[int]:
    """The rows that have no unknowns but these."""
    return [r for r, each in enumerate(places) if each <= chosen]


def _meeting(sums: Block, rows: list[int], first: list[int], last: list[int], draw: Draw) -> list[Point]:
    if not rows:
        return _drawn(sums, [*first, *last], draw)
    met = _met(sums, rows, _drawn(sums, first, draw), _drawn(sums, last, draw))
    return list(islice(met, draw.count))


def _met(sums: Block, rows: Sequence[int], ones: list[Point], others: list[Point]) -> Iterator[Point]:
    """Pairs of points, one of each list, that bring these rows into their windows."""
    windows = [sums.windows[r] for r in rows]
    table: dict[tuple[int, ...], list[Point]] = {}
    for one in ones:
        cell = tuple((one[1][r] - lo) // (hi - lo + 1) for r, (lo, hi) in zip(rows, windows, strict=True))
        table.setdefault(cell, []).append(one)
    around = list(product((0, -1), repeat=len(windows)))
    for values, at in others:
        near = [-(at[r] // (hi - lo + 1)) for r, (lo, hi) in zip(rows, windows, strict=True)]
        for shift in around:
            for known, there in table.get(tuple(c + s for c, s in zip(near, shift, strict=True)), ()):
                if all(lo <= at[r] + there[r] <= hi for r, (lo, hi) in zip(rows, windows, strict=True)):
                    yield {**known, **values}, [v + w for v, w in zip(at, there, strict=True)]


def _drawn(sums: Block, places: list[int], draw: Draw) -> list[Point]:
    """Points that differ from the near one in some of these unknowns, and what all of these add to the rows."""
    moved, kept = places[:MOST_DRAWN], places[MOST_DRAWN:]
    fixed = [sum(row[j] * draw.near[j] for j in kept) for row in sums.coefficients]
    reach = max(2, int(draw.count ** (1 / max(len(moved), 1)) - 1) // 2) + draw.further
    ends = [(max(0, draw.near[j] - reach), min(sums.top[j], draw.near[j] + reach)) for j in moved]
    if prod(hi - lo + 1 for lo, hi in ends) <= draw.count:
        seen = set(product(*(range(lo, hi + 1) for lo, hi in ends)))
    else:
        seen = {tuple(draw.chance.randint(*each) for each in ends) for _ in range(draw.count)}
    rows = [([row[j] for j in moved], base) for row, base in zip(sums.coefficients, fixed, strict=True)]
    return [
        (dict(zip(moved, x, strict=True)), [sum(map(mul, row, x), base) for row, base in rows])
        for x in sorted(seen)
    ]
