"""Engine 1: one confusion matrix of any size, decided exactly.

For every region of the box: walk in from the left; if that settles the region, done.  Else
straight lines are counted, and curves swept.  What remains beyond the budget is undecided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from scoreproof.budget import ENDLESS, Budget, OutOfBudget
from scoreproof.effort import allows
from scoreproof.proof import certificate
from scoreproof.proof.certificate import Hole, NoMatrix, Step, Strip, Sweep
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Problem, TwoByTwo
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.one_matrix import lines
from scoreproof.solve.one_matrix.regions import Region, regions
from scoreproof.solve.one_matrix.walk import from_left, from_right

#: Jumps before the walk gives up on a region whose staircases run side by side: straight
#: lines are soon better counted, curves better swept.
LINE_WALK = 6
SHORT_WALK = 64
NARROW = 512
#: ... and when nothing but walking is left.
LONG_WALK = 20_000
#: Columns that are swept, or counted one by one, at most.
SWEEP = 1 << 17
#: Columns below which plain Python beats numpy.
FEW = 24
#: Groups of columns that are counted together beyond.
GROUPS = 128
#: Columns tried for a witness between staircases that run side by side.
PROBES = 512
#: Work of one region at least, of one jump, and of one column that is swept.
REGION = 100_000
JUMP = 30_000
COLUMN = 1_000


@dataclass(slots=True)
class _Settled:
    """One region: a point of it, or the steps that refute it, or neither."""

    point: tuple[int, int] | None = None
    steps: list[Step] = field(default_factory=list)
    first: int = 0  # columns outside first..last are refuted
    last: int = -1
    reason: str = ""


def decide(problem: Problem, budget: Budget, *, counting: bool = True) -> Answer:
    """Decide a problem with one part; the number of matrices is found if it is asked for."""
    (sample,) = problem.parts
    proofs: list[Hole | certificate.Refuted] = []
    witness: Matrix | None = None
    reasons: list[str] = []
    total, exact = 0, True
    for region in regions(problem):
        if isinstance(region, Hole):
            proofs.append(region)
            continue
        try:
            settled = settle(region, budget)
        except OutOfBudget:
            if witness is None:
                raise
            exact = False
            break
        if settled.point is not None:
            if witness is None:
                witness = Matrix.of(*settled.point, sample.p, sample.n)
            if not counting:
                break
            more, certain = count_between(region, settled.first, settled.last, budget)
            total += more
            exact = exact and certain
        elif settled.reason:
            reasons.append(settled.reason)
            exact = False
        else:
            proofs.append(certificate.Refuted((region.a, region.b), (region.c, region.d), tuple(settled.steps)))
    if witness is not None:
        shown = Witness((witness,))
        return Fits(shown, max(total, 1), exact) if counting else Fits(shown)
    if reasons:
        return Open(reasons[0])
    return Refuted(NoMatrix(tuple(proofs)))


def every(problem: Problem | TwoByTwo) -> Iterator[Matrix]:
    """All matrices that hit every target, by tp, then tn, region by region."""
    if isinstance(problem, TwoByTwo):
        from scoreproof.proof.two_by_two import Search

        yield from Search(problem, Budget(ENDLESS)).tables()
        return
    (sample,) = problem.parts
    for region in regions(problem):
        if isinstance(region, Hole):
            continue
        settled = settle(region)
        if settled.point is not None:
            for tp in range(settled.first, settled.last + 1):
                low, high = region.column(tp)
                for tn in range(low, high + 1):
                    yield Matrix.of(tp, tn, sample.p, sample.n)


def settle(region: Region, budget: Budget | None = None) -> _Settled:
    """Find a point of the region or refute it."""
    budget = budget or Budget(ENDLESS)
    budget.spend(REGION)
    if region.linear:
        steps = LINE_WALK
    else:
        steps = max(SHORT_WALK, min(region.b - region.a + 1, NARROW))
    left = from_left(region, region.a, region.b, steps)
    if left.found:
        right = from_right(region, left.at, region.b, steps)
        return _Settled((left.at, left.tn), [], left.at, right.at)
    if left.at > region.b:
        return _Settled(None, list(left.blocks))
    right = from_right(region, left.at, region.b, steps)
    if right.found:
        return _Settled((right.at, right.tn), [], left.at, right.at)
    if right.at < left.at:
        return _Settled(None, [*left.blocks, *reversed(right.blocks)])
    settled = _between(region, left.at, right.at, budget)
    settled.steps = [*left.blocks, *settled.steps, *reversed(right.blocks)]
    return settled


def _between(region: Region, first: int, last: int, budget: Budget) -> _Settled:
    """Settle the columns first..last of a region whose staircases run side by side."""
    if region.linear:
        cut = lines.pieces(region, first, last)
        if cut is not None:
            for piece in cut:
                if piece.points:
                    return _Settled(lines.first_point(piece), [], first, last)
            return _Settled(None, [Strip(p.first, p.last, p.floor[3], p.ceiling[3]) for p in cut])
    if last - first < SWEEP and region.fits_machine:
        budget.spend(COLUMN * (last - first + 1))
        point = sweeper().first_point(region, first, last)
        if point is not None:
            return _Settled(point, [], first, last)
        walk = from_left(region, first, last, SHORT_WALK * 4)
        if walk.at > last:
            return _Settled(None, list(walk.blocks))
        return _Settled(None, [Sweep(first, last)])
    for probe in range(PROBES):
        tp = first + (last - first) * probe // (PROBES - 1)
        low_tn, high_tn = region.column(tp)
        if low_tn <= high_tn:
            return _Settled((tp, high_tn), [], first, last)
    at, steps, taken = first, [], 0
    while taken < LONG_WALK and allows(budget, SHORT_WALK * JUMP):
        walk = from_left(region, at, last, SHORT_WALK)
        steps += walk.blocks
        taken += SHORT_WALK
        at = walk.at
        if walk.found:
            return _Settled((walk.at, walk.tn), [], walk.at, last)
        if at > last:
            return _Settled(None, list(steps))
    return _Settled(
        reason="the figures lie so close to what the counts can give that no matrix was found, and no proof"
    )


def count_between(region: Region, first: int, last: int, budget: Budget) -> tuple[int, bool]:
    """The fitting points in the columns first..last, and whether that number is exact.

    Beyond the budget it is a certified lower bound: every column of a group holds at least
    the tn from the lowest that fits its first to the highest that fits its last column.
    """
    if last - first >= FEW and region.linear:
        cut = lines.pieces(region, first, last)
        if cut is not None:
            return sum(piece.points for piece in cut), True
    if last - first < FEW:
        total = 0
        for tp in range(first, last + 1):
            low, high = region.column(tp)
            total += high - low + 1 if high >= low else 0
        return total, True
    bottom, top = region.column(last)[0], region.column(first)[1]
    if 0 <= top - bottom < last - first:
        # fewer rows than columns: count along tn
        return _swept_count(region.flipped(), bottom, top, budget)
    return _swept_count(region, first, last, budget)


def _swept_count(region: Region, first: int, last: int, budget: Budget) -> tuple[int, bool]:
    total, exact, columns = 0, True, SWEEP
    for start, end in _slices(region, first, last, max(FEW * 32, (last - first) // 24)):
        if region.fits_machine and end - start < columns and allows(budget, COLUMN * (end - start + 1)):
            total += sweeper().count(region, start, end)
            columns -= end - start + 1
            continue
        exact = False
        for left, after in pairwise(start + (end + 1 - start) * i // GROUPS for i in range(GROUPS + 1)):
            if left < after:
                low, high = region.column(left)[0], region.column(after - 1)[1]
                total += (after - left) * max(high - low + 1, 0)
    return max(total, 1), exact


def sweeper() -> Any:
    """Whoever goes through columns: with numpy many at once, else in plain Python; both find the same."""
    try:
        from scoreproof.solve.one_matrix import sweep
    except ModuleNotFoundError:
        from scoreproof.solve.one_matrix import plain

        return plain
    return sweep


def _slices(region: Region, first: int, last: int, width: int) -> list[tuple[int, int]]:
    """The columns first..last in slices that may hold points; those of a Block are left out."""
    if region.column(last)[0] > region.column(first)[1]:
        return []
    if last - first <= width:
        return [(first, last)]
    middle = (first + last) // 2
    left, right = _slices(region, first, middle, width), _slices(region, middle + 1, last, width)
    if left and right and left[-1][1] + 1 == right[0][0]:
        return [*left[:-1], (left[-1][0], right[0][1]), *right[1:]]
    return left + right
