"""Replaying proofs about one confusion matrix, from the scores' textbook definitions.

Nothing here comes from the engines.  Three things are used: the exact value of a score at a
matrix; that it is monotone in tp and in tn where it is defined; and, for strips, that the
bounds of some scores are straight lines.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from scoreproof.budget import ENDLESS, Budget
from scoreproof.lattice import points_between
from scoreproof.proof.certificate import Block, Hole, NoMatrix, Refuted, Strip, Sweep
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Matrix, Score, inequality, sign_of, zones, zones_undefined

ZERO = Fraction(0)

#: A certificate that asks for more work than this is no proof worth the name.
MOST_REGIONS = 64
MOST_COLUMNS = 1 << 18
#: Work of comparing one matrix with one target.
EVALUATION = 5_000


def confirms(problem: Problem, matrix: Matrix) -> bool:
    """Whether the matrix belongs to the one part of the problem and hits every target."""
    (sample,) = problem.parts
    if min(matrix) < 0 or (matrix.p, matrix.n) != (sample.p, sample.n):
        return False
    return all(_side(problem, target, matrix.tp, matrix.tn) == 0 for target in problem.targets)


def _side(problem: Problem, target: Target, tp: int, tn: int) -> int | None:
    """-1, 0, 1: the score is too low, fits, too high for the target; None: undefined.

    Low and high are meant in the direction in which the score gets better, so that a larger
    tp or tn never lowers the answer.
    """
    (sample,) = problem.parts
    value = target.score.value(Matrix.of(tp, tn, sample.p, sample.n), problem.betas)
    if value is None:
        return None if problem.undefined != "zero" else target.interval.side(ZERO)
    side = target.interval.side(value)
    return side if target.score.rises else -side


def _misses(problem: Problem, target: Target, tp: int, tn: int, side: int) -> bool:
    """Whether the score, defined here, misses the target on the side of small (-1) or large (1) tp and tn."""
    (sample,) = problem.parts
    interval = target.interval
    sign = side if target.score.rises else -side
    end, closed = (interval.lo, interval.lo_closed) if sign < 0 else (interval.hi, interval.hi_closed)
    if end is None:
        return False
    order = target.score.order(Matrix(tp, sample.n - tn, sample.p - tp, tn), end, problem.betas)
    return order == sign or (order == 0 and not closed)


def replay(problem: Problem, certificate: NoMatrix, budget: Budget | None = None) -> bool:
    """Whether the certificate proves that no matrix hits all targets."""
    budget = budget or Budget(ENDLESS)
    (sample,) = problem.parts
    area = 0
    if len(certificate.regions) > MOST_REGIONS or _columns_to_sweep(certificate) > MOST_COLUMNS:
        return False
    for index, region in enumerate(certificate.regions):
        (a, b), (c, d) = region.tp, region.tn
        if not (0 <= a <= b <= sample.p and 0 <= c <= d <= sample.n):
            return False
        if any(_overlap(region, other) for other in certificate.regions[:index]):
            return False
        area += (b - a + 1) * (d - c + 1)
        if isinstance(region, Hole):
            if not _hole(problem, region):
                return False
        elif not _refuted(problem, region, budget):
            return False
    return area == (sample.p + 1) * (sample.n + 1)


def _columns_to_sweep(certificate: NoMatrix) -> int:
    return sum(
        step.last - step.first + 1
        for region in certificate.regions
        if isinstance(region, Refuted)
        for step in region.steps
        if isinstance(step, Sweep)
    )


def _overlap(one: Hole | Refuted, two: Hole | Refuted) -> bool:
    return (
        one.tp[0] <= two.tp[1] and two.tp[0] <= one.tp[1] and one.tn[0] <= two.tn[1] and two.tn[0] <= one.tn[1]
    )


def _status(problem: Problem, target: Target, region: Hole | Refuted) -> set[bool]:
    """Whether the score is defined, over all zones the region touches."""
    (sample,) = problem.parts
    undefined = zones_undefined(target.score, sample.p, sample.n, problem.betas)
    if not undefined:
        return {True}
    return {
        (i, j) not in undefined
        for i, (a, b) in zones(sample.p)
        if a <= region.tp[1] and region.tp[0] <= b
        for j, (c, d) in zones(sample.n)
        if c <= region.tn[1] and region.tn[0] <= d
    }


def _hole(problem: Problem, hole: Hole) -> bool:
    if not 0 <= hole.target < len(problem.targets):
        return False
    target = problem.targets[hole.target]
    if _status(problem, target, hole) != {False}:
        return False
    return problem.undefined != "zero" or ZERO not in target.interval


def _refuted(problem: Problem, region: Refuted, budget: Budget) -> bool:
    expected = region.tp[0]
    used = {
        index
        for step in region.steps
        if not isinstance(step, Sweep)
        for index in (step.floor, step.ceiling)
        if index is not None
    }
    if any(not 0 <= index < len(problem.targets) for index in used):
        return False
    # Monotonicity holds where a score is defined throughout.
    if any(_status(problem, problem.targets[index], region) != {True} for index in used):
        return False
    for step in region.steps:
        if step.first != expected or step.last < step.first or step.last > region.tp[1]:
            return False
        expected = step.last + 1
        budget.spend(4 * EVALUATION)
        match step:
            case Block():
                proven = _block(problem, region, step)
            case Strip():
                proven = _strip(problem, region, step)
            case Sweep():
                proven = _sweep(problem, region, step, budget)
        if not proven:
            return False
    return expected == region.tp[1] + 1


def _block(problem: Problem, region: Refuted, block: Block) -> bool:
    c, d = region.tn
    if block.level >= c:
        if block.floor is None:
            return False
        if not _misses(problem, problem.targets[block.floor], block.last, min(block.level, d), -1):
            return False
    if block.level < d:
        if block.ceiling is None:
            return False
        if not _misses(problem, problem.targets[block.ceiling], block.first, max(block.level + 1, c), 1):
            return False
    return True


def straight(score: Score, end: Fraction | None) -> Score:
    """The score itself, or one that is above, at and below this end where it is, and whose bounds are lines.

    A signed score has the sign of another, so at zero its bound is a straight line as well.
    """
    return sign_of(score) if score.signed and end == 0 else score


def _line(problem: Problem, index: int | None, region: Refuted, lower: bool) -> tuple[int, int, int] | None:
    """The line (s, t, m), i.e. (s·tp + t)/m, from which (up to which) tn satisfies a target."""
    if index is None:
        return (0, region.tn[0] if lower else region.tn[1], 1)
    (sample,) = problem.parts
    target = problem.targets[index]
    interval = target.interval
    at_low_end = lower == target.score.rises
    end = interval.lo if at_low_end else interval.hi
    closed = interval.lo_closed if at_low_end else interval.hi_closed
    score = straight(target.score, end)
    if end is None or not score.linear:
        return None
    # As a floor: score >= end.  As a ceiling: not (score > end).
    strict = not closed if lower else closed
    polynomial = inequality(score, end, strict, sample.p, sample.n, problem.betas)
    if isinstance(polynomial, bool) or any(polynomial[:3]) or polynomial[4] <= 0:
        return None
    _, _, _, d, e, f = polynomial
    # d·tp + e·tn + f >= 0  ⟺  tn >= (-d·tp - f)/e; its negation in integers: tn <= (-d·tp - f - 1)/e
    return (-d, -f, e) if lower else (-d, -f - 1, e)


def _strip(problem: Problem, region: Refuted, strip: Strip) -> bool:
    low = _line(problem, strip.floor, region, True)
    high = _line(problem, strip.ceiling, region, False)
    if low is None or high is None:
        return False
    gaps = [
        (high[0] * tp + high[1]) * low[2] - (low[0] * tp + low[1]) * high[2] for tp in (strip.first, strip.last)
    ]
    if max(gaps) < 0:
        return True  # the lower line is above the upper one at both ends, so everywhere
    # Between lines that do not cross, every column holds at least zero points.
    return min(gaps) >= 0 and points_between(strip.first, strip.last, low, high) == 0


def _sweep(problem: Problem, region: Refuted, sweep: Sweep, budget: Budget) -> bool:
    """Every column: above some tn one score is too high, and there another is too low."""
    c, d = region.tn
    targets = [t for t in problem.targets if _status(problem, t, region) == {True}]

    def look(tp: int, tn: int) -> int:
        """1 if some score is too high here; else -1 if some score is too low; else 0."""
        low = 0
        for target in targets:
            side = _side(problem, target, tp, tn)
            if side == 1:
                return 1
            low = side or low
        return low or 0

    top, drop = d, 0
    for tp in range(sweep.first, sweep.last + 1):
        budget.spend(4 * EVALUATION * len(targets))
        # The staircase goes on falling about as it did: look there first, then further away.
        good, bad, below = c - 1, top + 1, 0  # not too high at good, too high at bad (or outside)
        probe, step = max(top - drop, c), 1
        while bad - good > 1:
            found = look(tp, probe)
            if found == 1:
                bad, probe = probe, probe - step
            else:
                good, below, probe = probe, found, probe + step
            step *= 2
            if not good < probe < bad:
                probe = (good + bad) // 2
        drop, top = top - good, good
        if top < c:
            return True  # in this column and every later one all tn are too high
        if below != -1:
            return False
    return True


@dataclass(slots=True)
class Zone:
    """A zone of the box of matrices in which the problem's scores are defined, or count as hit.

    What hits every target along a line is an interval; its ends never rise from one column (or row)
    to the next, because scores are monotone.
    """

    problem: Problem
    targets: list[Target]
    tp: tuple[int, int]
    tn: tuple[int, int]
    known: dict[int, tuple[int, int]] = field(default_factory=dict)

    def column(self, tp: int) -> tuple[int, int]:
        """The line at this tp, kept for whoever comes back to it."""
        if tp not in self.known:
            self.known[tp] = self.line(tp)
        return self.known[tp]

    def line(self, at: int, by_column: bool = True) -> tuple[int, int]:
        """The first and the last tn that fit at this tp (or tp at this tn); none if first > last."""
        low, high = self.tn if by_column else self.tp

        def side(moving: int, which: int) -> bool:
            tp, tn = (at, moving) if by_column else (moving, at)
            return any(_side(self.problem, target, tp, tn) == which for target in self.targets)

        first = _first(low, high, lambda moving: not side(moving, -1))
        return first, _first(low, high, lambda moving: side(moving, 1)) - 1

    def work(self) -> int:
        """What one line costs."""
        return 2 * (self.tn[1] - self.tn[0] + 1).bit_length() * max(1, len(self.targets)) * EVALUATION


def defined_zones(problem: Problem) -> list[Zone]:
    """The zones in which a matrix of a problem with one part can hit every target."""
    (sample,) = problem.parts
    found = []
    for _, tp in zones(sample.p):
        for _, tn in zones(sample.n):
            targets = _defined(problem, Hole(tp, tn, 0))
            if targets is not None:
                found.append(Zone(problem, targets, tp, tn))
    return found


def _defined(problem: Problem, zone: Hole) -> list[Target] | None:
    """The targets that say something on this zone; None if one of them cannot be hit there."""
    targets = []
    for target in problem.targets:
        if _status(problem, target, zone) == {True}:
            targets.append(target)
        elif problem.undefined != "zero" or ZERO not in target.interval:
            return None
    return targets


def fitting(problem: Problem, columns: Sequence[int], rows: Sequence[int], budget: Budget) -> Iterator[Matrix]:
    """The matrices that hit all targets, of these columns (tp) and rows (tn), both in order."""
    (sample,) = problem.parts
    for zone in defined_zones(problem):
        for tp in columns[bisect_left(columns, zone.tp[0]) : bisect_right(columns, zone.tp[1])]:
            budget.spend(zone.work())
            first, last = zone.line(tp)
            for tn in rows[bisect_left(rows, first) : bisect_right(rows, last)]:
                yield Matrix.of(tp, tn, sample.p, sample.n)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The first whole number in low..high for which a rising condition holds; else high + 1."""
    after = high + 1
    while low < after:
        middle = (low + after) // 2
        if holds(middle):
            after = middle
        else:
            low = middle + 1
    return after
