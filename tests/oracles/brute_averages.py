"""Plain enumeration of claims about averages: slow, short, easy to check by eye.

Every combination of matrices is tried and every figure is computed from its textbook
definition.  Irrational scores are taken to 400 binary digits; two numbers closer than
2^-300 are taken to be equal, which the small cases it is used for cannot contradict.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product

from scoreproof.exact import Surd
from scoreproof.interval import Interval
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES, Matrix

CLOSE = Fraction(1, 2**300)


@lru_cache(maxsize=100_000)
def number(name, matrix, betas):
    """A score as a fraction (roots to 400 digits), None if undefined."""
    value = SCORES[name].value(matrix, betas)
    return value.enclosure(400)[0] if isinstance(value, Surd) else value


def inside(x: Fraction, interval: Interval) -> bool:
    if interval.lo is not None:
        if abs(x - interval.lo) < CLOSE:
            if not interval.lo_closed:
                return False
        elif x < interval.lo:
            return False
    if interval.hi is not None:
        if abs(x - interval.hi) < CLOSE:
            if not interval.hi_closed:
                return False
        elif x > interval.hi:
            return False
    return True


def scores_of(problem: Problem, name: str, matrices, weights):
    """(weight, part, score) of the parts that count; None if a needed one is undefined."""
    found = []
    for i, (weight, matrix) in enumerate(zip(weights, matrices, strict=True)):
        if weight == 0:
            continue
        value = number(name, matrix, problem.betas)
        if value is None:
            if problem.undefined == "impossible":
                return None
            if problem.undefined == "skip":
                continue
            value = Fraction(0)
        found.append((weight, i, value))
    return found or None


def mean_of(rows) -> Fraction:
    return sum(w * x for w, _, x in rows) / sum(w for w, _, _ in rows)


def or_zero(problem: Problem, value):
    return Fraction(0) if value is None and problem.undefined == "zero" else value


def holds(problem: Problem, target: Target, matrices) -> bool:
    name, weights = target.score.name, target.weights
    if target.kind is Kind.POOLED:
        meant = [m for m, w in zip(matrices, weights, strict=True) if w]
        total = Matrix(*(sum(column) for column in zip(*meant, strict=True)))
        value = or_zero(problem, number(name, total, problem.betas))
        return value is not None and inside(value, target.interval)
    if target.kind is Kind.OF_MEANS:
        positive = name in ("f1", "fbp")
        beta = {"f1": Fraction(1), "f1n": Fraction(1), "fbp": problem.betas.positive}.get(
            name, problem.betas.negative
        )
        one = scores_of(problem, "ppv" if positive else "npv", matrices, weights)
        two = scores_of(problem, "sens" if positive else "spec", matrices, weights)
        if one is None or two is None:
            return False
        precision, recall = mean_of(one), mean_of(two)
        below = beta * precision + recall
        value = or_zero(problem, (1 + beta) * precision * recall / below if below else None)
        return value is not None and inside(value, target.interval)

    rows = scores_of(problem, name, matrices, weights)
    if rows is None:
        return False
    if target.kind is Kind.MEAN:
        return inside(mean_of(rows), target.interval)
    if target.kind is Kind.MIN:
        return inside(min(x for _, _, x in rows), target.interval)
    if target.kind is Kind.MAX:
        return inside(max(x for _, _, x in rows), target.interval)
    if target.kind is Kind.MEDIAN:
        values = sorted(x for _, _, x in rows)
        return inside((values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2, target.interval)
    if target.kind in (Kind.Q1, Kind.Q3):
        values = sorted((x for _, _, x in rows), reverse=target.kind is Kind.Q3)
        times, plus = target.quartiles
        place = min(max(Fraction(times * len(values) + plus, 4), 1), len(values))
        below, above = values[int(place) - 1], values[min(int(place), len(values) - 1)]
        return inside(below + (place - int(place)) * (above - below), target.interval)
    if target.kind is Kind.EACH:
        return all(inside(x, target.interval) for _, _, x in rows)

    means = []
    for cluster in target.clusters:
        members = [row for row in rows if row[1] in cluster]
        if members:
            means.append(mean_of(members))
    centre = sum(means) / len(means)
    squares = sum((x - centre) ** 2 for x in means)
    divisors = {"sample": [len(means) - 1], "population": [len(means)]}.get(
        problem.spread, [len(means) - 1, len(means)]
    )
    low, high = target.interval.lo, target.interval.hi
    if high is not None and high < 0:
        return False
    window = Interval(
        None if low is None or low < 0 else low * low,
        None if high is None else high * high,
        target.interval.lo_closed,
        target.interval.hi_closed,
    )
    return any(inside(squares / d, window) for d in divisors if d > 0)


def every_choice(problem: Problem):
    grids = [
        [Matrix.of(tp, tn, part.p, part.n) for tp in range(part.p + 1) for tn in range(part.n + 1)]
        for part in problem.parts
    ]
    return product(*grids)


def possible(problem: Problem) -> bool:
    """Whether any choice of matrices hits every target."""
    return any(hit(problem, matrices) for matrices in every_choice(problem))


def hit(problem: Problem, matrices) -> bool:
    """Whether matrices hit every target, all deviations with one divisor unless each has its own."""
    ways = ("sample", "population") if problem.spread == "either" else (problem.spread,)
    return any(
        all(holds(replace(problem, spread=way), target, matrices) for target in problem.targets) for way in ways
    )
