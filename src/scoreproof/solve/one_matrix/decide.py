"""Engine 1: one confusion matrix of any size, decided exactly.

For every region of the box: walk in from the left; if that settles the region, done.  Else
straight lines are counted, and curves swept.  What remains beyond the budget is undecided.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from scoreproof.proof.certificate import Hole, NoMatrix, Refuted, Step, Strip, Sweep
from scoreproof.question.question import Problem, WithIntervals
from scoreproof.scores import Matrix
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
#: Columns tried for a witness between staircases that run side by side.
PROBES = 512


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine found: a witness, a certificate, or why neither."""

    witness: Matrix | None = None
    certificate: NoMatrix | None = None
    count: int = 0
    count_exact: bool = True
    reason: str = ""


@dataclass(slots=True)
class _Settled:
    """One region: a point of it, or the steps that refute it, or neither."""

    point: tuple[int, int] | None = None
    steps: list[Step] = field(default_factory=list)
    first: int = 0  # columns outside first..last are refuted
    last: int = -1
    reason: str = ""


def decide(
    problem: Problem,
    only: Sequence[int] | None = None,
    *,
    counting: bool = True,
    deadline: float | None = None,
) -> Answer:
    """Decide a problem with one part; ``only`` keeps just some of its targets."""
    (sample,) = problem.parts
    proofs: list[Hole | Refuted] = []
    witness: Matrix | None = None
    reasons: list[str] = []
    total, exact = 0, True
    for region in regions(problem, only):
        if isinstance(region, Hole):
            proofs.append(region)
            continue
        settled = settle(region, deadline)
        if settled.point is not None:
            if witness is None:
                witness = Matrix.of(*settled.point, sample.p, sample.n)
            if not counting:
                break
            more, certain = count_between(region, settled.first, settled.last)
            total += more
            exact = exact and certain
        elif settled.reason:
            reasons.append(settled.reason)
            exact = False
        else:
            proofs.append(Refuted((region.a, region.b), (region.c, region.d), tuple(settled.steps)))
    if witness is not None:
        return Answer(witness, None, max(total, 1), exact)
    if reasons:
        return Answer(count_exact=False, reason=reasons[0])
    return Answer(certificate=NoMatrix(tuple(proofs)))


def every(problem: Problem | WithIntervals) -> Iterator[Matrix]:
    """All matrices that hit every target, by tp, then tn, region by region."""
    if isinstance(problem, WithIntervals):
        from scoreproof.proof.intervals import fitting

        yield from fitting(problem)
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


def settle(region: Region, deadline: float | None = None) -> _Settled:
    """Find a point of the region or refute it."""
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
    settled = _between(region, left.at, right.at, deadline)
    settled.steps = [*left.blocks, *settled.steps, *reversed(right.blocks)]
    return settled


def _between(region: Region, first: int, last: int, deadline: float | None) -> _Settled:
    """Settle the columns first..last of a region whose staircases run side by side."""
    if region.linear:
        cut = lines.pieces(region, first, last)
        if cut is not None:
            for piece in cut:
                if piece.points:
                    return _Settled(lines.first_point(piece), [], first, last)
            return _Settled(None, [Strip(p.first, p.last, p.floor[3], p.ceiling[3]) for p in cut])
    if last - first < SWEEP and _sweepable(region):
        from scoreproof.solve.one_matrix import sweep

        low, high = sweep.columns(region, first, last)
        fitting = (low <= high).nonzero()[0]
        if len(fitting):
            at = int(fitting[0])
            return _Settled((first + at, int(high[at])), [], first, last)
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
    while taken < LONG_WALK and (deadline is None or time.monotonic() < deadline):
        walk = from_left(region, at, last, SHORT_WALK)
        steps += walk.blocks
        taken += SHORT_WALK
        at = walk.at
        if walk.found:
            return _Settled((walk.at, walk.tn), [], walk.at, last)
        if at > last:
            return _Settled(None, list(steps))
    return _Settled(
        reason=f"the bounds of the scores run side by side over {last - at + 1} columns; "
        f"{taken} jumps did not settle them"
    )


def _sweepable(region: Region) -> bool:
    from scoreproof.solve.one_matrix import sweep

    return sweep.fits_machine(region)


def count_between(region: Region, first: int, last: int) -> tuple[int, bool]:
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
        return _swept_count(region.flipped(), bottom, top)
    return _swept_count(region, first, last)


def _swept_count(region: Region, first: int, last: int) -> tuple[int, bool]:
    sweepable = _sweepable(region)
    total, exact, budget = 0, True, SWEEP
    for start, end in _slices(region, first, last):
        if sweepable and end - start < budget:
            from scoreproof.solve.one_matrix import sweep

            total += sweep.count(region, start, end)
            budget -= end - start + 1
        else:
            total += _lower_bound(region, start, end)
            exact = False
    return max(total, 1), exact


def _slices(region: Region, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The columns first..last in slices that may hold points; those of a Block are left out."""
    width = max(FEW * 32, (last - first) // 24)
    waiting: tuple[int, int] | None = None
    stack = [(first, last, region.column(first), region.column(last))]
    while stack:
        left, right, at_left, at_right = stack.pop()
        if at_right[0] > at_left[1]:
            continue
        if right - left > width:
            middle = (left + right) // 2
            halves = region.column(middle), region.column(middle + 1)
            stack.append((middle + 1, right, halves[1], at_right))
            stack.append((left, middle, at_left, halves[0]))
        elif waiting is not None and waiting[1] + 1 == left:
            waiting = (waiting[0], right)
        else:
            if waiting is not None:
                yield waiting
            waiting = (left, right)
    if waiting is not None:
        yield waiting


def _lower_bound(region: Region, first: int, last: int) -> int:
    total, groups = 0, 128
    edges = [first + (last + 1 - first) * i // groups for i in range(groups + 1)]
    for start, after in pairwise(edges):
        if start < after:
            low = region.column(start)[0]
            high = region.column(after - 1)[1]
            total += (after - start) * (high - low + 1) if high >= low else 0
    return total
