"""The largest and smallest value a score can take on the matrices that fit.

Best first: a range of columns l..r holds no value beyond the one in its outer corner,
(r, highest tn of l) upwards and (l, lowest tn of r) downwards, because scores are monotone.
Ranges are halved, the most promising first, until a single column is.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce

from scoreproof.budget import ENDLESS, Budget
from scoreproof.effort import allows
from scoreproof.exact import compare
from scoreproof.interval import Interval
from scoreproof.proof.certificate import Hole
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import Exact, Matrix, Score
from scoreproof.solve.one_matrix.decide import settle
from scoreproof.solve.one_matrix.regions import Region, regions

ZERO = Fraction(0)
BUDGET = 1_500
#: Columns that are gone through one by one where halving did not settle the extreme.
COLUMNS = 30_000
#: Work of halving a range, and of looking at a column.
HALVED, LOOKED = 60_000, 12_000
#: Binary digits to which ranges are put in order; what is decided is compared exactly.
BITS = 160


@dataclass(frozen=True, slots=True)
class Extreme:
    """A value and a matrix that takes it; not ``exact``: some matrix might go a bit beyond."""

    value: Exact
    matrix: Matrix
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Search:
    """What a search for an extreme found: the best matrix, and a value none goes beyond."""

    best: Extreme | None
    limit: Exact | None  # None: nothing fits, or (not ``certain``) nothing is known
    certain: bool  # whether every region was searched to the end


def attainable(
    problem: Problem, score: Score, only: Sequence[int] | None = None
) -> tuple[Extreme, Extreme] | None:
    """(smallest, largest) value of the score on the matrices that fit; None if there is none.

    Matrices for which the score is undefined are left out.
    """
    low = extreme(problem, score, only, largest=False)
    high = extreme(problem, score, only, largest=True)
    return None if low is None or high is None else (low, high)


def extreme(problem: Problem, score: Score, only: Sequence[int] | None, *, largest: bool) -> Extreme | None:
    """The largest (or smallest) value of the score on the matrices that fit (with ``only`` some targets)."""
    if only is not None:
        problem = replace(problem, targets=tuple(problem.targets[i] for i in only))
    return search(problem, score, largest=largest).best


def search(
    problem: Problem, score: Score, *, largest: bool, beat: Exact | None = None, budget: Budget | None = None
) -> Search:
    """The same, with a value that no matrix goes beyond; with ``beat`` only what goes beyond it."""
    budget = budget or Budget(ENDLESS)
    # A target without bounds cuts the box where the score is undefined, and says no more.
    free = Target("", Kind.MEAN, score, Interval(None, None), (Fraction(1),))
    best: Extreme | None = None
    limit = beat
    certain, known = True, True
    for region in regions(replace(problem, targets=(*problem.targets, free))):
        if isinstance(region, Hole):
            continue
        one = _Search(region, score, problem, budget, upwards=largest == score.rises, sign=1 if largest else -1)
        if one.value(region.a, region.c) is None:
            continue  # undefined here, and counted as 0: no value of the score
        found = one.run(beat if best is None else best.value)
        certain = certain and found.certain  # a region left half searched might hold the extreme
        known = known and (found.certain or found.limit is not None)
        if found.limit is not None and (limit is None or one.beats(found.limit, limit)):
            limit = found.limit
        best = found.best or best
    return Search(None if best is None else replace(best, exact=certain), limit if known else None, certain)


@dataclass(slots=True)
class _Search:
    """The search through one region; ``best`` and ``where`` are the best value so far and its (tp, tn)."""

    region: Region
    score: Score
    problem: Problem
    budget: Budget
    upwards: bool  # the wanted extreme lies where tp and tn are large
    sign: int
    best: Exact = ZERO
    where: tuple[int, int] | None = None
    heap: list[tuple[int, int, int, Exact]] = field(default_factory=list)  # ranges, the most promising first

    def value(self, tp: int, tn: int) -> Exact | None:
        (sample,) = self.problem.parts
        return self.score.value(Matrix.of(tp, tn, sample.p, sample.n), self.problem.betas)

    def run(self, beat: Exact | None = None) -> Search:
        """The extreme of the region, if it beats ``beat``, and a value that nothing in it goes beyond."""
        settled = settle(self.region)
        if settled.point is None:
            return Search(None, None, not settled.reason)
        known = self.value(*settled.point)
        assert known is not None
        self.best, self.where = known, settled.point
        if beat is not None and not self.beats(known, beat):
            self.best, self.where = beat, None
        self.push(settled.first, settled.last)
        self.halve()
        left = self.sweep()
        (sample,) = self.problem.parts
        found = None if self.where is None else Extreme(self.best, Matrix.of(*self.where, sample.p, sample.n))
        if not left:
            return Search(found, self.best, True)
        return Search(found, reduce(lambda x, y: x if self.beats(x, y) else y, left), False)

    def beats(self, one: Exact, two: Exact) -> bool:
        return compare(one, two) * self.sign > 0

    def push(self, left: int, right: int) -> None:
        """Keep a range of columns whose outer corner goes beyond the best value."""
        first, last = self.region.column(left), self.region.column(right)
        if last[0] > first[1]:
            return  # a Block: the range holds no point
        bound = self.value(*((right, first[1]) if self.upwards else (left, last[0])))
        assert bound is not None
        if self.beats(bound, self.best):
            near = bound if isinstance(bound, Fraction) else bound.enclosure(BITS)[0]
            rank = (near.numerator << BITS) // near.denominator
            heapq.heappush(self.heap, (-self.sign * rank, left, right, bound))

    def look(self, column: int) -> None:
        """Take the outer end of a column, if it is better than the best value."""
        low, high = self.region.column(column)
        if low <= high:
            tn = high if self.upwards else low
            here = self.value(column, tn)
            assert here is not None
            if self.beats(here, self.best):
                self.best, self.where = here, (column, tn)

    def halve(self) -> None:
        """Halve the most promising range, until it is a single column or nothing is better."""
        for _ in range(BUDGET):
            if not self.heap or not allows(self.budget, HALVED):
                return
            _, left, right, bound = heapq.heappop(self.heap)
            if not self.beats(bound, self.best):
                return  # nothing left can beat what was found since
            if left == right:
                self.look(left)  # its outer end is its corner: the bound of all others
                return
            middle = (left + right) // 2
            self.look(middle)
            self.look(middle + 1)
            self.push(left, middle)
            self.push(middle + 1, right)

    def sweep(self) -> list[Exact]:
        """Look at every column that is left, if these are few; else the bounds of what is left."""
        still = [each for each in self.heap if self.beats(each[3], self.best)]
        columns = sum(right - left + 1 for _, left, right, _ in still)
        if columns > COLUMNS or not allows(self.budget, LOOKED * columns):
            return [bound for *_, bound in still]
        # staircases side by side, on which the score hardly changes
        for _, left, right, _ in still:
            for column in range(left, right + 1):
                self.look(column)
        return []
