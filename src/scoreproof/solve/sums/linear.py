"""Straight rows: an exact integer search over group sums.

The rows, windows and the sweep are those of ``proof.sums.group_sums``; here the directions and
the order are chosen.  The directions orthogonal to all but one dimension of the columns are
the facets of what the unknowns can reach, so with all of them a sweep bounds every unknown
as well as linear programming would, in integers.
"""

from __future__ import annotations

from itertools import combinations
from math import comb, gcd

from scoreproof.budget import Budget
from scoreproof.proof.sums.group_sums import MOST_UNKNOWNS, Sums, Sweep, build_sums, swept
from scoreproof.proof.sums.nodes import GroupSums
from scoreproof.question.evaluate import confirms
from scoreproof.question.question import Problem
from scoreproof.solve.sums.found import Found

QUICK_NODES = 40
NODES = 20_000
MOST_FACETS = 1200
LARGE = 20_000  # items of all parts together from which counts are taken to be nearly continuous
BUILD = 50_000  # work of the rows of one target
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
        return None
    directions = units + facets(sums)
    for direction in directions:
        if swept(sums, [direction], order, 1, budget):
            return GroupSums((direction,), tuple(order), 1)
    if sum(sums.top) > LARGE:
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
    return None


def _by_shares(problem: Problem, sums: Sums, order: list[int], budget: Budget) -> Found | GroupSums | None:
    """The answer if taking counts for real numbers leads to it."""
    from scoreproof.solve.sums.shares import alike, refuting  # with numpy, which small claims do without

    found = alike(sums)
    if found is not None:
        return _witness(problem, sums, found) if sums.complete else None
    direction = refuting(sums)
    if direction is not None and swept(sums, [direction], order, 1, budget):
        return GroupSums((direction,), tuple(order), 1)
    return None


def _order(sums: Sums) -> list[int]:
    """Coarse unknowns first, so that the finest one makes the sums meet."""
    widths = [None if lo is None or hi is None else hi - lo + 1 for lo, hi in sums.windows]

    def step(j: int) -> float:
        return max(
            (abs(row[j]) / w for row, w in zip(sums.coefficients, widths, strict=True) if w), default=0.0
        )

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
    for parts, places in zip(sums.groups, sums.place, strict=True):
        sample = problem.parts[parts[0]]
        for side, j in enumerate(places):
            if j is None:
                continue
            size = sample.n if side else sample.p
            take = min(left[j], size * len(parts))
            left[j] -= take
            for i, value in zip(parts, spread_out(take, len(parts)), strict=True):
                sides[side][i] = value
    witness = tuple(zip(*sides, strict=True))
    return Found(witness) if confirms(problem, witness) else None
