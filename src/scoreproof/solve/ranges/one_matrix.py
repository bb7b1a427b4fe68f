"""How far a score can go over the matrices that fit, where one is meant: exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.exact import compare
from scoreproof.proof.certificate import Hole
from scoreproof.question.question import Problem, TwoByTwo
from scoreproof.scores import Matrix, Score, zones, zones_undefined
from scoreproof.solve.one_matrix.decide import settle
from scoreproof.solve.one_matrix.extremes import search
from scoreproof.solve.one_matrix.regions import Region, regions
from scoreproof.solve.ranges.ends import End, Span, outer, united


def of_one_matrix(
    problem: Problem, score: Score, known: Span | None = None, reading: int = 0, budget: Budget | None = None
) -> Span | None:
    """The ends over the matrices that fit; None where the score is undefined for all of them.

    With ``known`` (of another reading) the union with it.
    """
    low = _end(problem, score, False, None if known is None else known.low, reading, budget)
    high = _end(problem, score, True, None if known is None else known.high, reading, budget)
    here = None if low is None or high is None else Span(low, high)
    hole = undefined_for(problem, score)
    if hole is not None and problem.undefined == "zero":
        zero = End(Fraction(0), Fraction(0), (hole,), reading)
        here, hole = united(here, Span(zero, zero)), None
    if here is not None and hole is not None:
        here = replace(here, undefined=End(parts=(hole,), reading=reading))
    return united(known, here)


def _end(
    problem: Problem, score: Score, largest: bool, before: End | None, reading: int, budget: Budget | None
) -> End | None:
    """The largest or smallest value; the end of another reading, ``before``, where it is not beaten."""
    beat = None if before is None or not before.exact else before.bound
    found = search(problem, score, largest=largest, beat=beat, budget=budget)
    if found.limit is None and not found.certain:
        return End(score.highest if largest else score.lowest, reading=reading)
    if found.best is not None:
        end = End(found.limit, found.best.value, (found.best.matrix,), reading)
        return _capped(end, problem, score, largest)
    if found.limit is not None and beat is not None:
        assert before is not None
        return before if found.certain else replace(before, bound=found.limit)
    return None


def _capped(end: End, problem: Problem, score: Score, largest: bool) -> End:
    """The end, with what is printed about the score itself as a bound, too."""
    for target in problem.targets if not end.exact else ():
        printed = target.interval.hi if largest else target.interval.lo
        if target.score is score and printed is not None:
            sign = 1 if largest else -1
            if end.bound is None or compare(end.bound, printed) * sign > 0:
                end = replace(end, bound=printed)
    return end


def of_list(
    matrices: Sequence[Matrix], problem: Problem | TwoByTwo, score: Score, reading: int = 0
) -> Span | None:
    """The same over listed matrices."""
    low = high = hole = None
    for matrix in matrices:
        value = score.value(matrix, problem.betas)
        if value is None and problem.undefined == "zero":
            value = Fraction(0)
        if value is None:
            hole = hole or End(parts=(matrix,), reading=reading)
            continue
        end = End(value, value, (matrix,), reading)
        low = end if low is None else outer(low, end, -1)
        high = end if high is None else outer(high, end, 1)
    return None if low is None or high is None else Span(low, high, hole)


def undefined_for(problem: Problem, score: Score) -> Matrix | None:
    """A matrix that fits and leaves the score undefined."""
    (sample,) = problem.parts
    across, along = dict(zones(sample.p)), dict(zones(sample.n))
    gaps = zones_undefined(score, sample.p, sample.n, problem.betas)
    if not gaps:
        return None
    for region in regions(problem):
        if isinstance(region, Hole):
            continue
        for i, j in sorted(gaps):
            if i not in across or j not in along:
                continue
            a, b = max(region.a, across[i][0]), min(region.b, across[i][1])
            c, d = max(region.c, along[j][0]), min(region.d, along[j][1])
            if a > b or c > d:
                continue
            settled = settle(Region(a, b, c, d, region.floors, region.ceilings))
            if settled.point is not None:
                return Matrix.of(*settled.point, sample.p, sample.n)
    return None
