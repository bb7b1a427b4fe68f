"""Replaying proofs about one confusion matrix, from the scores' textbook definitions.

Nothing here comes from the engines.  Three things are used: the exact value of a score at a
matrix; that it is monotone in tp and in tn where it is defined; and, for strips, that the
bounds of some scores are straight lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from scoreproof.budget import ENDLESS, Budget
from scoreproof.lattice import points_between
from scoreproof.proof.certificate import Block, Hole, NoMatrix, Refuted, Strip, Sweep
from scoreproof.question.question import Problem, Target
from scoreproof.scores import SCORES, Matrix, inequality, zones, zones_undefined

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


def _too_low(problem: Problem, target: Target, tp: int, tn: int) -> bool:
    """Whether the score, defined here, misses the target on the side of small tp and tn."""
    interval = target.interval
    if target.score.rises:
        return _beyond(problem, target, tp, tn, interval.lo, interval.lo_closed, -1)
    return _beyond(problem, target, tp, tn, interval.hi, interval.hi_closed, 1)


def _too_high(problem: Problem, target: Target, tp: int, tn: int) -> bool:
    """Whether the score, defined here, misses the target on the side of large tp and tn."""
    interval = target.interval
    if target.score.rises:
        return _beyond(problem, target, tp, tn, interval.hi, interval.hi_closed, 1)
    return _beyond(problem, target, tp, tn, interval.lo, interval.lo_closed, -1)


def _beyond(
    problem: Problem, target: Target, tp: int, tn: int, end: Fraction | None, closed: bool, sign: int
) -> bool:
    (sample,) = problem.parts
    if end is None:
        return False
    order = target.score.order(Matrix(tp, sample.n - tn, sample.p - tp, tn), end, problem.betas)
    return order == sign or (order == 0 and not closed)


from_dict = NoMatrix.from_dict


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
        if not _too_low(problem, problem.targets[block.floor], block.last, min(block.level, d)):
            return False
    if block.level < d:
        if block.ceiling is None:
            return False
        if not _too_high(problem, problem.targets[block.ceiling], block.first, max(block.level + 1, c)):
            return False
    return True


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
    # a signed score is above, at or below zero where bm is: there its bound is a straight line as well
    score = SCORES["bm"] if target.score.signed and end == 0 else target.score
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


def count(problem: Problem, budget: Budget) -> int | None:
    """The number of matrices that hit all targets, or None if that takes too much work.

    The smaller class is gone through one by one; what fits in the other is an interval,
    found by halving, because scores are monotone where they are defined.
    """
    (sample,) = problem.parts
    lines, length = sorted((sample.p + 1, sample.n + 1))
    work = lines * 2 * length.bit_length() * max(1, len(problem.targets)) * EVALUATION
    if work > budget.left:
        return None
    budget.spend(work)
    return sum(
        _points(problem, Hole(tp, tn, 0), by_column=sample.p <= sample.n)
        for _, tp in zones(sample.p)
        for _, tn in zones(sample.n)
    )


@dataclass(slots=True)
class Zone:
    """A zone of the box of matrices in which the problem's scores are defined, or count as hit.

    The tn that hit every target at a tp are those from ``floor(tp)`` to ``ceiling(tp)``; both
    never rise with tp, because scores are monotone.
    """

    problem: Problem
    targets: list[Target]
    tp: tuple[int, int]
    tn: tuple[int, int]
    known: dict[int, tuple[int, int]] = field(default_factory=dict)

    def column(self, tp: int) -> tuple[int, int]:
        """(floor, ceiling) at this tp; nothing fits if the floor is above the ceiling."""
        found = self.known.get(tp)
        if found is None:
            low, high = self.tn
            floor = _first(low, high, lambda tn: not self._side(tp, tn, -1))
            ceiling = _first(low, high, lambda tn: self._side(tp, tn, 1)) - 1
            found = self.known[tp] = (floor, ceiling)
        return found

    def _side(self, tp: int, tn: int, side: int) -> bool:
        return any(_side(self.problem, target, tp, tn) == side for target in self.targets)


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


def _points(problem: Problem, zone: Hole, *, by_column: bool) -> int:
    """The matrices of one zone that hit all targets."""
    targets = _defined(problem, zone)
    if targets is None:
        return 0
    (first, last), span = (zone.tp, zone.tn) if by_column else (zone.tn, zone.tp)
    return sum(
        after - start
        for line in range(first, last + 1)
        for start, after in [_line_points(problem, targets, line, span, by_column)]
    )


def fitting(problem: Problem, columns: Iterable[int], rows: Callable[[int], bool]) -> Iterator[Matrix]:
    """The matrices that hit all targets, of these columns (tp) and rows (tn), column by column."""
    (sample,) = problem.parts
    wanted = sorted(set(columns))
    for _, (a, b) in zones(sample.p):
        inside = [tp for tp in wanted if a <= tp <= b]
        for _, (c, d) in zones(sample.n) if inside else ():
            targets = _defined(problem, Hole((a, b), (c, d), 0))
            for tp in inside if targets is not None else ():
                start, after = _line_points(problem, targets or [], tp, (c, d), True)
                for tn in range(start, after):
                    if rows(tn):
                        yield Matrix.of(tp, tn, sample.p, sample.n)


def _defined(problem: Problem, zone: Hole) -> list[Target] | None:
    """The targets that say something on this zone; None if one of them cannot be hit there."""
    targets = []
    for target in problem.targets:
        if _status(problem, target, zone) == {True}:
            targets.append(target)
        elif problem.undefined != "zero" or ZERO not in target.interval:
            return None
    return targets


def _line_points(
    problem: Problem, targets: list[Target], line: int, span: tuple[int, int], by_column: bool
) -> tuple[int, int]:
    """What fits along one line, as (first, after the last)."""
    low, high = span

    def sides(fixed: int, moving: int) -> set[int | None]:
        tp, tn = (fixed, moving) if by_column else (moving, fixed)
        return {_side(problem, target, tp, tn) for target in targets}

    def high_enough(fixed: int, moving: int) -> bool:
        return -1 not in sides(fixed, moving)

    def too_high(fixed: int, moving: int) -> bool:
        return 1 in sides(fixed, moving)

    start = _first(low, high, partial(high_enough, line))
    return start, _first(start, high, partial(too_high, line))


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
