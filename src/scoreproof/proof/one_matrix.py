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
from functools import partial
from itertools import product

from scoreproof.budget import ENDLESS, Budget
from scoreproof.interval import Interval
from scoreproof.lattice import points_between
from scoreproof.proof.certificate import Block, Hole, NoMatrix, Refuted, Strip, Sweep
from scoreproof.question.evaluate import has
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Betas, Matrix, Score, inequality, sign_of, zones, zones_undefined

ZERO = Fraction(0)
Line = tuple[int, int, int]  # (s, t, m): tn against (s·tp + t)/m, m > 0

#: A certificate that asks for more work than this is no proof worth the name.
MOST_REGIONS = 64
MOST_COLUMNS = 1 << 18
#: Work of comparing one matrix with one target, and with one of its ends (or two lines at one tp).
EVALUATION = 5_000
COMPARISON = 1_500


def confirms(problem: Problem, matrix: Matrix) -> bool:
    """Whether the matrix belongs to the one part of the problem and hits every target."""
    (sample,) = problem.parts
    if min(matrix) < 0 or (matrix.p, matrix.n) != (sample.p, sample.n):
        return False
    return all(has(problem, target.score, target.interval, matrix) for target in problem.targets)


def _end(score: Score, interval: Interval, floor: bool) -> tuple[Fraction | None, bool]:
    """The end of the interval that is a floor (a ceiling) for tp and tn, and whether it belongs to it."""
    if floor == score.rises:
        return interval.lo, interval.lo_closed
    return interval.hi, interval.hi_closed


def beyond(score: Score, interval: Interval, matrix: Matrix, betas: Betas, side: int) -> bool:
    """Whether the score, if defined, misses the interval on the side of small (-1) or large (1) tp and tn."""
    end, closed = _end(score, interval, side < 0)
    order = None if end is None else score.order(matrix, end, betas)
    return order == (side if score.rises else -side) or (order == 0 and not closed)


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
        proven = _hole(problem, region) if isinstance(region, Hole) else _refuted(problem, region, budget)
        if not proven:
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


def _status(problem: Problem, target: Target, tp: tuple[int, int], tn: tuple[int, int]) -> set[bool]:
    """Whether the score is defined, over all zones that these matrices touch."""
    (sample,) = problem.parts
    undefined = zones_undefined(target.score, sample.p, sample.n, problem.betas)
    if not undefined:
        return {True}
    return {
        (i, j) not in undefined
        for i, (a, b) in zones(sample.p)
        if a <= tp[1] and tp[0] <= b
        for j, (c, d) in zones(sample.n)
        if c <= tn[1] and tn[0] <= d
    }


def _hole(problem: Problem, hole: Hole) -> bool:
    if not 0 <= hole.target < len(problem.targets):
        return False
    target = problem.targets[hole.target]
    if _status(problem, target, hole.tp, hole.tn) != {False}:
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
    if any(_status(problem, problem.targets[index], region.tp, region.tn) != {True} for index in used):
        return False
    budget.spend(4 * EVALUATION * len(region.steps))
    for step in region.steps:
        if step.first != expected or step.last < step.first or step.last > region.tp[1]:
            return False
        expected = step.last + 1
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
    def missed(index: int | None, tp: int, tn: int, side: int) -> bool:
        if index is None:
            return False
        at, of = Matrix(tp, sample.n - tn, sample.p - tp, tn), problem.targets[index]
        return beyond(of.score, of.interval, at, problem.betas, side)

    (sample,), (c, d) = problem.parts, region.tn
    below = block.level < c or missed(block.floor, block.last, min(block.level, d), -1)
    return below and (block.level >= d or missed(block.ceiling, block.first, max(block.level + 1, c), 1))


def straight(problem: Problem, target: Target, floor: bool) -> tuple[int, int, int] | bool | None:
    """What must be at least 0 for a matrix to keep to the floor (the ceiling): d, e, f of d·tp + e·tn + f.

    True or False where every matrix does, or none; None where the bound is no straight line.
    """
    (sample,) = problem.parts
    end, closed = _end(target.score, target.interval, floor)
    if end is None or _out_of_reach(target.score, end, low=floor == target.score.rises):
        return True
    # A signed score has the sign of another, whose bound at zero is a straight line.
    score = sign_of(target.score) if target.score.signed and end == 0 else target.score
    if not score.linear:
        return None
    # As a floor: score >= end.  As a ceiling: not (score > end).
    strict = not closed if floor else closed
    polynomial = inequality(score, end, strict, sample.p, sample.n, problem.betas)
    if isinstance(polynomial, bool):
        return polynomial is floor
    *curved, d, e, f = polynomial
    if any(curved) or e < 0 or (not e and d <= 0):
        return None
    return (d, e, f) if floor else (-d, -e, -f - 1)  # the contrary, in integers


def _out_of_reach(score: Score, end: Fraction, low: bool) -> bool:
    """Whether a lower end lies below all that the score can be, or an upper one above."""
    limit = score.lowest if low else score.highest
    return limit is not None and (end < limit if low else end > limit)


def line(d: int, e: int, f: int) -> Line:
    """The line from which (up to which, if e < 0) tn makes d·tp + e·tn + f at least 0."""
    return (-d, -f, e) if e > 0 else (d, f, -e)


def above(one: Line, two: Line, tp: int) -> int:
    """Something with the sign of (one - two) at tp."""
    return (one[0] * tp + one[1]) * two[2] - (two[0] * tp + two[1]) * one[2]


def points(low: Line, high: Line, first: int, last: int) -> int | None:
    """How many lie between two lines in the columns first..last; None if the lines cross there."""
    gaps = [above(high, low, tp) for tp in (first, last)]
    if max(gaps) < 0:
        return 0  # the lower line is above the upper one at both ends, so everywhere
    # Between lines that do not cross, every column holds at least zero points.
    return points_between(first, last, low, high) if min(gaps) >= 0 else None


def _strip(problem: Problem, region: Refuted, strip: Strip) -> bool:
    edges = []
    for index, edge, floor in ((strip.floor, region.tn[0], True), (strip.ceiling, region.tn[1], False)):
        found = (0, 1, -edge) if floor else (0, -1, edge)
        bound = found if index is None else straight(problem, problem.targets[index], floor)
        if not isinstance(bound, tuple) or not bound[1]:
            return False
        edges.append(line(*bound))
    low, high = edges
    return points(low, high, strip.first, strip.last) == 0


def _sweep(problem: Problem, region: Refuted, sweep: Sweep, budget: Budget) -> bool:
    """Every column: above some tn one score is too high, and there another is too low."""
    c, top = region.tn
    targets = [t for t in problem.targets if _status(problem, t, region.tp, region.tn) == {True}]
    zone, drop = Zone(problem, targets, region.tp, region.tn), 0
    for tp in range(sweep.first, sweep.last + 1):
        budget.spend(4 * EVALUATION * len(targets))
        # the staircase goes on falling about as it did
        last = first_true(c, top, partial(zone.misses, tp, side=1), near=max(top - drop, c)) - 1
        drop, top = top - last, last
        if top < c:
            return True  # in this column and every later one all tn are too high
        if not zone.misses(tp, top, -1):
            return False
    return True


@dataclass(slots=True)
class Zone:
    """A zone of the box of matrices in which the problem's scores are defined, or count as hit.

    The tn that hit every target at a tp are those from a floor to a ceiling, and neither ever rises from
    one column to the next, because scores are monotone.
    """

    problem: Problem
    targets: list[Target]
    tp: tuple[int, int]
    tn: tuple[int, int]
    known: dict[int, tuple[int, int]] = field(default_factory=dict)

    def column(
        self, tp: int, before: tuple[int, int] | None = None, after: tuple[int, int] | None = None
    ) -> tuple[int, int]:
        """The first and the last tn that fit at this tp, between those of columns before and after it."""
        if tp not in self.known:
            top, bottom = before or (self.tn[1] + 1, self.tn[1]), after or (self.tn[0], self.tn[0] - 1)
            first = first_true(bottom[0], top[0] - 1, lambda tn: not self.misses(tp, tn, -1))
            last = first_true(bottom[1] + 1, top[1], lambda tn: self.misses(tp, tn, 1)) - 1
            self.known[tp] = first, last
        return self.known[tp]

    def between(self, first: int, last: int, budget: Budget) -> tuple[int, int]:
        """The fewest and the most points that can lie in the columns first..last, from what these two hold."""
        before = self.known.get(first - 1, (self.tn[1] + 1, self.tn[1]))
        after = self.known.get(last + 1, (self.tn[0], self.tn[0] - 1))
        halvings = (before[0] - after[0] + 1).bit_length() + (before[1] - after[1] + 1).bit_length()
        new = (first not in self.known) + (last != first and last not in self.known)
        budget.spend(COMPARISON * len(self.targets) * halvings * new)
        left = self.column(first, before, after)
        right = self.column(last, left, after)
        width = last - first + 1
        return width * max(0, right[1] - left[0] + 1), width * max(0, left[1] - right[0] + 1)

    def misses(self, tp: int, tn: int, side: int) -> bool:
        """Whether a score is too low (-1) or too high (1) here, in the direction of tp and tn."""
        (sample,) = self.problem.parts
        matrix, betas = Matrix(tp, sample.n - tn, sample.p - tp, tn), self.problem.betas
        return any(beyond(each.score, each.interval, matrix, betas, side) for each in self.targets)

    def work(self) -> int:
        """What one column costs."""
        return 2 * (self.tn[1] - self.tn[0] + 1).bit_length() * max(1, len(self.targets)) * EVALUATION


def defined_zones(problem: Problem) -> list[Zone]:
    """The zones in which a matrix of a problem with one part can hit every target."""
    (sample,) = problem.parts
    found = []
    for (_, tp), (_, tn) in product(zones(sample.p), zones(sample.n)):
        said: list[Target] = []
        silent: list[Target] = []
        for target in problem.targets:
            (said if _status(problem, target, tp, tn) == {True} else silent).append(target)
        if not silent or (problem.undefined == "zero" and all(ZERO in each.interval for each in silent)):
            found.append(Zone(problem, said, tp, tn))
    return found


def fitting(problem: Problem, columns: Sequence[int], rows: Sequence[int], budget: Budget) -> Iterator[Matrix]:
    """The matrices that hit all targets, of these columns (tp) and rows (tn), both in order."""
    (sample,) = problem.parts
    for zone in defined_zones(problem):
        for tp in columns[bisect_left(columns, zone.tp[0]) : bisect_right(columns, zone.tp[1])]:
            budget.spend(zone.work())
            first, last = zone.column(tp)
            for tn in rows[bisect_left(rows, first) : bisect_right(rows, last)]:
                yield Matrix.of(tp, tn, sample.p, sample.n)


def first_true(low: int, high: int, holds: Callable[[int], bool], near: int | None = None) -> int:
    """The first whole number in low..high for which a rising condition holds; else high + 1.

    It is looked for at ``near`` first, if that is given, and then further and further away.
    """
    before, after = low - 1, high + 1  # it does not hold up to the one (or outside), and holds from the other
    probe, step = ((before + after) // 2, high - low + 1) if near is None else (near, 1)
    while after - before > 1:
        if holds(probe):
            after, probe = probe, probe - step
        else:
            before, probe = probe, probe + step
        step *= 2
        if not before < probe < after:
            probe = (before + after) // 2
    return after
