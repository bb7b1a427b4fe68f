"""Straight rows: an exact integer search over group sums.

The rows, windows and the sweep are those of ``proof.sums.group_sums``; here the directions and
the order are chosen.  The directions orthogonal to all but one dimension of the columns are
the facets of what the unknowns can reach, so with all of them a sweep bounds every unknown
as well as linear programming would, in integers.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations
from math import comb, gcd

from scoreproof.budget import Budget
from scoreproof.missing import Missing, installed, told
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
    if sums.complete and not installed():
        found = meeting(sums, budget)
        return None if found is None else _witness(problem, sums, found)
    return None


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
    found: dict[tuple[int, ...], None] = {}
    for chosen in combinations(vectors, count - 1):
        normal = [(-1) ** k * determinant([v[:k] + v[k + 1 :] for v in chosen]) for k in range(count)]
        common = gcd(*normal)
        if not common:
            continue
        first = next(x for x in normal if x)
        common = common if first > 0 else -common
        direction = tuple(x // common for x in normal)
        if sum(map(bool, direction)) > 1:
            found[direction] = None
    return list(found)


def determinant(rows: list[tuple[int, ...]]) -> int:
    if len(rows) == 1:
        return rows[0][0]
    if len(rows) == 2:
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    first, rest = rows[0], rows[1:]
    return sum(
        (-1) ** k * x * determinant([r[:k] + r[k + 1 :] for r in rest]) for k, x in enumerate(first) if x
    )


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
