"""The largest and smallest value a score can take on the matrices that fit.

Best first: a range of columns l..r holds no value beyond the one in its outer corner,
(r, highest tn of l) upwards and (l, lowest tn of r) downwards, because scores are monotone.
Ranges are halved, the most promising first, until a single column is.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key

from scoreproof.exact import compare
from scoreproof.experiment.problem import Kind, Problem, Target
from scoreproof.interval import Interval
from scoreproof.metrics import Exact, Matrix, Score
from scoreproof.proof.certificate import Hole
from scoreproof.solve.one_matrix import settle
from scoreproof.solve.region import Region, regions

BUDGET = 20_000


@dataclass(frozen=True, slots=True)
class Extreme:
    """A value and a matrix that takes it; not ``exact``: some matrix might go a bit beyond."""

    value: Exact
    matrix: Matrix
    exact: bool = True


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
    """The largest (or smallest) value of the score on the matrices that fit."""
    kept = list(range(len(problem.targets))) if only is None else list(only)
    # A target without bounds cuts the box where the score is undefined, and says no more.
    free = Target("", Kind.MEAN, score, Interval(None, None), (Fraction(1),))
    wide = Problem(problem.parts, (*problem.targets, free), problem.undefined, problem.spread, problem.betas)
    best: Extreme | None = None
    for region in regions(wide, [*kept, len(problem.targets)]):
        if isinstance(region, Hole):
            continue
        search = _Search(region, score, problem, upwards=largest == score.rises, sign=1 if largest else -1)
        if search.value(region.a, region.c) is None:
            continue  # undefined here, and counted as 0: no value of the score
        found = search.run()
        if found is not None and (best is None or compare(found.value, best.value) * search.sign > 0):
            best = Extreme(found.value, found.matrix, found.exact and (best is None or best.exact))
    return best


@dataclass(slots=True)
class _Search:
    region: Region
    score: Score
    problem: Problem
    upwards: bool  # the wanted extreme lies where tp and tn are large
    sign: int

    def value(self, tp: int, tn: int) -> Exact | None:
        (sample,) = self.problem.parts
        return self.score.value(Matrix.of(tp, tn, sample.p, sample.n), self.problem.betas)

    def run(self) -> Extreme | None:
        settled = settle(self.region)
        if settled.point is None:
            return None
        (sample,) = self.problem.parts
        best = self.value(*settled.point)
        assert best is not None
        where = settled.point

        def order(one: Exact, two: Exact) -> int:
            return -self.sign * compare(one, two)

        key = cmp_to_key(order)
        heap: list[tuple[object, int, int, Exact]] = []

        def push(left: int, right: int) -> None:
            first, last = self.region.column(left), self.region.column(right)
            if last[0] > first[1]:
                return  # a Block: the range holds no point
            corner = (right, first[1]) if self.upwards else (left, last[0])
            bound = self.value(*corner)
            assert bound is not None
            heapq.heappush(heap, (key(bound), left, right, bound))

        push(settled.first, settled.last)
        for _ in range(BUDGET):
            if not heap:
                break
            _, left, right, bound = heapq.heappop(heap)
            if compare(bound, best) * self.sign <= 0:
                break  # nothing left can beat what was found
            if left == right:
                best = bound
                low, high = self.region.column(left)
                where = (left, high if self.upwards else low)
                break
            middle = (left + right) // 2
            for column in {middle, middle + 1}:
                low, high = self.region.column(column)
                if low <= high:
                    tn = high if self.upwards else low
                    here = self.value(column, tn)
                    assert here is not None
                    if compare(here, best) * self.sign > 0:
                        best, where = here, (column, tn)
            push(left, middle)
            push(middle + 1, right)
        else:
            return Extreme(best, Matrix.of(*where, sample.p, sample.n), exact=False)
        return Extreme(best, Matrix.of(*where, sample.p, sample.n))
