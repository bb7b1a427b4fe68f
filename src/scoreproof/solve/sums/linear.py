"""Straight rows: an exact integer search over group sums.

The rows, windows and the sweep are those of ``proof.sums.group_sums``; here the directions and
the order are chosen.  The directions orthogonal to all but one dimension of the columns are
the facets of what the unknowns can reach, so with all of them a sweep bounds every unknown
as well as linear programming would, in integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import comb, gcd, lcm

from scoreproof.budget import Budget
from scoreproof.missing import Missing, told
from scoreproof.proof.sums.group_sums import MOST_UNKNOWNS, Sums, Sweep, build_sums, swept
from scoreproof.proof.sums.nodes import GroupSums
from scoreproof.question.evaluate import confirms
from scoreproof.question.question import Problem
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.plainly import meeting

QUICK_NODES = 40
NODES = 20_000
MOST_FACETS = 1200
LARGE = 20_000  # items of all parts together from which counts are taken to be nearly continuous
BUILD = 50_000  # work of the rows of one target
MOST_ENTRIES = 100_000  # of the matrix of such a program beside other figures
PROGRAM, ENTRY = 4_000_000, 2_000  # work of programs in floats, and for every unknown of every row
BRANCHES = 60_000_000  # work of branch and bound in floats
SOON, LATER = range(2), range(2, 5)  # turns of drawing points in plain integers
WORK = 6_000_000  # nodes times directions times a constant: keeps hopeless sweeps short


def decide_sums(problem: Problem, budget: Budget, *, brief: bool = False) -> Found | GroupSums | None:
    """The answer if the straight rows alone give it.

    ``brief``: rows beside which there are others, which can only refute, get no more than a short sweep.
    """
    budget.spend(BUILD * (1 + len(problem.targets)))
    sums = build_sums(problem, budget)
    if sums.impossible:
        return GroupSums((), (), 0)
    count = len(sums.coefficients)
    if not count:
        return _witness(problem, sums, []) if sums.complete else None
    if len(sums.top) > MOST_UNKNOWNS:
        return None
    units = [tuple(int(r == k) for k in range(count)) for r in range(count)]
    order = _order(sums)
    sweep = Sweep(sums, units, order, QUICK_NODES, budget)
    found = sweep.run()
    if found is not None:
        return _witness(problem, sums, found) if sums.complete else None
    if sweep.left >= 0:
        return GroupSums(tuple(units), tuple(order), sweep.used)
    if brief and not sums.complete:
        return _by_shares(problem, sums, order, budget) if len(sums.top) * count <= MOST_ENTRIES else None
    return _at_length(problem, sums, units, order, budget)


def _at_length(
    problem: Problem, sums: Sums, units: list[tuple[int, ...]], order: list[int], budget: Budget
) -> Found | GroupSums | None:
    """The same with all directions that may tell something, programs in floats, and a longer sweep."""
    directions = units + facets(sums)
    for direction in directions:
        if swept(sums, [direction], order, 1, budget):
            return GroupSums((direction,), tuple(order), 1)
    if sum(sums.top) > LARGE or len(directions) == len(units) > 1:
        if sum(sums.top) <= LARGE and sums.complete and (met := meeting(sums, budget, SOON)):
            return _witness(problem, sums, met)
        with suppress(Missing), told():  # without programs in floats the sweep has to do
            real = _by_shares(problem, sums, order, budget)
            if real is not None:
                return real
    nodes = min(NODES, 1000 + WORK // (len(directions) * len(order)))
    sweep = Sweep(sums, directions, order, nodes, budget)
    found = sweep.run()
    if found is not None:
        return _witness(problem, sums, found) if sums.complete else None
    if sweep.left >= 0:
        return GroupSums(tuple(directions), tuple(order), sweep.used)
    met = meeting(sums, budget, LATER) if sums.complete else None
    return None if met is None else _witness(problem, sums, met)


def _by_shares(problem: Problem, sums: Sums, order: list[int], budget: Budget) -> Found | GroupSums | None:
    """The answer if programs in floats lead to it."""
    from scoreproof.solve.sums.shares import alike, refuting, whole  # with numpy, which small claims do without

    budget.spend(PROGRAM + ENTRY * len(sums.top) * len(sums.windows))
    found = alike(sums) if sum(sums.top) > LARGE else None
    answer = _witness(problem, sums, found) if found is not None and sums.complete else None
    if answer is not None:
        return answer
    direction = refuting(sums)
    if direction is not None:
        return GroupSums((direction,), tuple(order), 1) if swept(sums, [direction], order, 1, budget) else None
    if not sums.complete:
        return None
    budget.spend(BRANCHES)
    found = whole(sums)
    return None if found is None else _witness(problem, sums, found)


def soon_found(problem: Problem, budget: Budget) -> Found | None:
    """Matrices for straight figures, some of them about single parts, if plain integers soon lead to them."""
    sums = build_sums(problem, budget)
    if sums.impossible or not sums.complete or len(sums.top) > MOST_UNKNOWNS:
        return None
    met = meeting(sums, budget, range(4), most=len(sums.windows))
    return None if met is None else _witness(problem, sums, met)


def _order(sums: Sums) -> list[int]:
    """Coarse unknowns first, so that the finest one makes the sums meet."""
    widths = [hi - lo + 1 for lo, hi in sums.windows]

    def step(j: int) -> float:
        return max(abs(row[j]) / w for row, w in zip(sums.coefficients, widths, strict=True))

    return sorted(range(len(sums.top)), key=lambda j: (-step(j), j))


def facets(sums: Sums) -> list[tuple[int, ...]]:
    """Integer directions orthogonal to all but one dimension of columns and row axes."""
    count = len(sums.coefficients)
    if count < 2:
        return []
    vectors = sorted({tuple(row[j] for row in sums.coefficients) for j in range(len(sums.top))})
    vectors += [tuple(int(r == k) for k in range(count)) for r in range(count)]
    if comb(len(vectors), count - 1) > MOST_FACETS:
        return []
    return [each for each in dict.fromkeys(_normals(vectors, [], count - 1)) if sum(map(bool, each)) > 1]


#: A row of integers and the place at which no other row has any.
Pivoted = tuple[int, tuple[int, ...]]


def _normals(vectors: list[tuple[int, ...]], basis: list[Pivoted], more: int) -> Iterator[tuple[int, ...]]:
    """Directions orthogonal to the basis and so many more of the vectors, wherever these leave just one.

    What has been chosen so far is kept reduced, so that choices that begin alike share the work.
    """
    if not more:
        yield _normal(basis)
        return
    for i in range(len(vectors) - more + 1):
        added = vectors[i]
        for place, row in basis:
            added = _cleared(added, row, place) if added[place] else added
        at = next((k for k, x in enumerate(added) if x), None)
        if at is not None:
            cleared = [(place, _cleared(row, added, at) if row[at] else row) for place, row in basis]
            yield from _normals(vectors[i + 1 :], [*cleared, (at, added)], more - 1)


def _cleared(row: tuple[int, ...], other: tuple[int, ...], place: int) -> tuple[int, ...]:
    """The row with a multiple of another one taken away, so that it has nothing at this place."""
    up, down = row[place], other[place]
    found = [x * down - y * up for x, y in zip(row, other, strict=True)]
    common = gcd(*found) or 1
    return tuple(x // common for x in found)


def _normal(basis: list[Pivoted]) -> tuple[int, ...]:
    """The direction orthogonal to all rows but one fewer than they have places; its first entry is above 0."""
    free = next(k for k in range(len(basis) + 1) if all(k != place for place, _ in basis))
    whole = lcm(*(row[place] for place, row in basis))
    found = [whole] * (len(basis) + 1)
    for place, row in basis:
        found[place] = -row[free] * (whole // row[place])
    common = gcd(*found) if next(filter(None, found)) > 0 else -gcd(*found)
    return tuple(x // common for x in found)


def spread_out(total: int, count: int) -> list[int]:
    """A sum as evenly as possible over equal parts."""
    each, rest = divmod(total, count)
    return [each + 1] * rest + [each] * (count - rest)


def _witness(problem: Problem, sums: Sums, x: list[int]) -> Found | None:
    left = list(x)
    sides: list[list[int]] = [[0] * len(problem.parts), [0] * len(problem.parts)]
    for parts, places, rooms in zip(sums.groups, sums.place, sums.room, strict=True):
        for side, (j, (least, most)) in enumerate(zip(places, rooms, strict=True)):
            take = 0 if j is None else min(left[j], most - least)
            if j is not None:
                left[j] -= take
            # the larger tp stand first and the larger tn last, so that the sums of both are alike, too
            ordered = reversed(parts) if side else parts
            for i, value in zip(ordered, spread_out(least + take, len(parts)), strict=True):
                sides[side][i] = value
    witness = tuple(zip(*sides, strict=True))
    return Found(witness) if confirms(problem, witness) else None
