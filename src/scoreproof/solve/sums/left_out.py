"""A witness in which a few parts lack a score: they are put where it is 0/0, and others make up for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt

from scoreproof.budget import Budget
from scoreproof.effort import within
from scoreproof.interval import Interval
from scoreproof.proof.sums.walk import all_defined
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import confirms, divisors
from scoreproof.question.question import Kind, Problem, Spread, Target
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits
from scoreproof.solve.sums.each_divisor import common_divisors
from scoreproof.solve.sums.found import Found

#: So many parts may lack a score; work of looking at the others, and at most which part of what is left.
MOST, WORK, PART = 3, 300_000_000, 20


def some_left_out(problem: Problem, budget: Budget, ask: Callable[[Problem, Budget], Answer]) -> Found | None:
    """A witness in which one of the first parts of every kind, and its likes, lack a score."""
    for gone, rest in rests(problem):
        answer: Answer | None = None
        with within(budget.at_most(min(WORK, budget.left // PART))) as part:
            answer = ask(rest, part)
        if isinstance(answer, Fits) and isinstance(answer.witness, Witness):
            others = iter(answer.witness.parts)
            points = [gone[i] if i in gone else _point(next(others)) for i in range(len(problem.parts))]
            if confirms(problem, points):
                return Found(tuple(points))
    return None


def rests(problem: Problem) -> Iterator[tuple[dict[int, tuple[int, int]], Problem]]:
    """The parts that lack a score with their points, and what the others must then give: about, where there are
    deviations, so what fits is confirmed as a whole."""
    if problem.foldings or problem.matrices or not all(map(_plain, problem.targets)):
        return
    first = [problem.parts.index(sample) for sample in dict.fromkeys(problem.parts)]
    for many, start, none_called, spread in product(
        range(1, MOST + 1), first, (True, False), common_divisors(problem)
    ):
        some = [i for i, sample in enumerate(problem.parts) if sample == problem.parts[start]][:many]
        if len(some) < many or many >= len(problem.parts) - 1:
            continue
        sample = problem.parts[start]
        point = (0, sample.n) if none_called else (sample.p, 0)
        rest = _rest(problem, some, point, spread)
        if rest is not None:
            yield dict.fromkeys(some, point), rest


def _rest(problem: Problem, gone: Sequence[int], point: tuple[int, int], spread: Spread) -> Problem | None:
    """What is asked of the others if some equal parts are at a point; None if it has every score, or no figure
    of the others fits."""
    sample = problem.parts[gone[0]]
    matrix = Matrix.of(point[0], point[1], sample.p, sample.n)
    values = [target.score.value(matrix, problem.betas) for target in problem.targets]
    targets = []
    for target, value in zip(problem.targets, values, strict=True):
        counted = Fraction(0) if value is None and problem.undefined == "zero" else value
        worth = None if counted is None else Fraction(str(float(counted)))
        targets.append(_of_others(problem, target, spread, gone, worth))
    if None not in values or None in targets:
        return None
    kept = tuple(part for i, part in enumerate(problem.parts) if i not in gone)
    return all_defined(replace(problem, parts=kept, targets=tuple(t for t in targets if t), spread=spread))


def _point(matrix: Matrix) -> tuple[int, int]:
    return matrix.tp, matrix.tn


def _plain(target: Target) -> bool:
    single = {(i,) for i in range(len(target.weights))}
    alike = len(set(target.weights)) == 1
    return alike and (target.kind is Kind.MEAN or (target.kind is Kind.SD and set(target.clusters) == single))


def _of_others(
    problem: Problem, target: Target, spread: str, gone: Sequence[int], value: Fraction | None
) -> Target | None:
    """The figure of the parts left if those gone have a value, or none; None if there is no such figure."""
    every, left = len(target.weights), len(target.weights) - len(gone)
    interval = target.interval
    if value is not None and target.kind is Kind.MEAN:
        share = Fraction(every, left)
        interval = interval.moved(share, (1 - share) * value)
    elif value is not None:
        others = _deviation(problem, target, spread, len(gone), float(value))
        if others is None:
            return None
        interval = others
    clusters = tuple((i,) for i in range(left)) if target.clusters else ()
    return replace(target, interval=interval, weights=(Fraction(1, left),) * left, clusters=clusters)


def _deviation(problem: Problem, target: Target, spread: str, gone: int, value: float) -> Interval | None:
    """About what the deviation of the others is, since squares around the mean of all add up."""
    means = [t.interval for t in problem.targets if t.kind is Kind.MEAN and t.score == target.score]
    lo, hi = (target.interval.lo or Fraction(0)), target.interval.hi
    if not means or means[0].lo is None or means[0].hi is None or hi is None:
        return None
    every = len(target.weights)
    left, mean = every - gone, float(means[0].lo + means[0].hi) / 2
    of_others = (every * mean - gone * value) / left
    apart = gone * (value - mean) ** 2 + left * (mean - of_others) ** 2
    squares = [divisors(spread, every)[0] * float(end) ** 2 - apart for end in (lo, hi)]
    if squares[1] < 0:
        return None
    ends = [Fraction(str(sqrt(max(each, 0.0) / divisors(spread, left)[0]))) for each in squares]
    return Interval(ends[0], ends[1])
