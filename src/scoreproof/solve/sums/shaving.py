"""Cutting off what the figures of single classes rule out, before anything else.

A row about one class bounds the ranges of its tp and its calls directly, since scores rise or fall with
them.  Every cut is found by halving, and its proof is the row itself.
"""

from __future__ import annotations

from fractions import Fraction

from scoreproof.proof.sums.bounds import State
from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.grid import Box
from scoreproof.proof.sums.model import Row
from scoreproof.proof.sums.nodes import Separating, Split
from scoreproof.proof.sums.walk import Walker

Cutting = tuple[Split, bool, Separating]  # where, whether the lower part goes, and why

ROUNDS = 6
#: Work of bounding a class by its corners, of following a cut, and of every number of calls it looks at.
CORNERS, FOLLOW, CALLS = 20_000, 50_000, 10


def shaved(walker: Walker, state: State) -> tuple[State, list[Cutting]]:
    """The smaller state and the cuts that lead to it; every cut leaves something."""
    cuts: list[Cutting] = []
    rows = [(r, row, next(iter(row.shares))) for r, row in enumerate(walker.model.rows) if len(row.shares) == 1]
    single = [(r, row, g) for r, row, g in rows if isinstance(walker.tables[g], Calls)]
    for _ in range(ROUNDS):
        before = len(cuts)
        for r, row, g in single:
            for axis in (0, 1):
                for lower in (True, False):
                    found = _shaved_once(walker, state, r, row, g, axis, lower)
                    if found is not None:
                        cuts.append(found[1])
                        state = found[0]
        if len(cuts) == before:
            break
    return state, cuts


def _shaved_once(
    walker: Walker, state: State, r: int, row: Row, g: int, axis: int, lower: bool
) -> tuple[State, Cutting] | None:
    table = walker.tables[g]
    assert isinstance(table, Calls)
    box = state.cells[g][0][0]
    # two bounds at once, then some for every halving
    walker.budget.spend(2 * CORNERS)
    cut = _cut(table, row, g, box, axis, lower)
    if cut is None:
        return None
    halvings = (box[2 * axis + 1] - box[2 * axis]).bit_length()
    walker.budget.spend(2 * CORNERS * halvings + 2 * (FOLLOW + CALLS * (box[3] - box[2] + 1)))
    below = walker.children(state, (g, 0, axis, cut))
    if below is None:
        return None
    # child 0 has its only part in the upper half
    gone, left = (below[1], below[0]) if lower else (below[0], below[1])
    if left is None:
        return None
    for sign in (1, -1):
        leaf = Separating(((r, sign),))
        if gone is None or walker.holds(gone, leaf):
            return left, (Split(g, 0, axis, cut, ()), lower, leaf)
    return None


def _cut(table: Calls, row: Row, g: int, box: Box, axis: int, lower: bool) -> int | None:
    """The largest part of a range, from one end, in which the row misses its interval."""
    low, high = box[2 * axis], box[2 * axis + 1]
    ((offset, factors),) = row.shares[g]
    inside = row.interval

    def missed(cut: int) -> bool:
        ends = (low, cut) if lower else (cut + 1, high)
        part = table.shrunk((*box[: 2 * axis], *ends, *box[2 * axis + 2 :]))
        if part is None:
            return True
        most = offset + table.corners(part, list(factors))
        least = offset - table.corners(part, [-f for f in factors])
        return (inside.lo is not None and most < inside.lo) or (inside.hi is not None and least > inside.hi)

    if low == high or not missed(low if lower else high - 1):
        return None
    first, last = low, high - 1
    while first < last:
        if lower:
            middle = (first + last + 1) // 2
            first, last = (middle, last) if missed(middle) else (first, middle - 1)
        else:
            middle = (first + last) // 2
            first, last = (first, middle) if missed(middle) else (middle + 1, last)
    return first


def single_rows(walker: Walker, state: State) -> Separating | None:
    """A row that misses its interval all by itself."""
    for r, row in enumerate(walker.model.rows):
        walker.budget.spend(2 * CORNERS * len(row.shares))
        for sign, end in ((1, row.interval.lo), (-1, row.interval.hi)):
            if end is not None and _reach(walker, state, row, sign) <= sign * end:
                leaf = Separating(((r, sign),))
                if walker.holds(state, leaf):
                    return leaf
    return None


def _reach(walker: Walker, state: State, row: Row, sign: int) -> Fraction:
    """At least what a row times a sign can get in a state of classes, each column by itself."""
    total = Fraction(0)
    for g, ((offset, factors),) in row.shares.items():
        table = walker.tables[g]
        assert isinstance(table, Calls)
        total += sign * offset + table.corners(state.cells[g][0][0], [sign * f for f in factors])
    return total
