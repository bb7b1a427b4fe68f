"""A witness for large unknown folds: known ones as chance makes them, whose counts are nearly real numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from scoreproof.budget import Budget, OutOfWork, TooMuch
from scoreproof.proof.sums.choice import Folds
from scoreproof.proof.sums.rows import sd_targets
from scoreproof.proof.sums.walk import Walker
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.question import Problem
from scoreproof.solve.sums.each_divisor import common_divisors
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.plausible import plausible, stratified
from scoreproof.solve.sums.real import Rounding

#: Work of one model whose matrices are not listed, with the search near its real solution, at most.
MODEL, EACH = 20_000_000, 150_000_000
#: Foldings that are looked at, and how many times as many positives one fold may have as another.
LOOKED_AT, UNEVEN = 30, 1.25


def dealt(problem: Problem, seed: int) -> Iterator[Folds]:
    """Stratified folds, then those that differ about as much as chance makes them."""
    yield stratified(problem)
    for folds in islice(plausible(problem, seed), LOOKED_AT):
        counts = [sample.p for inside in folds for sample in inside]
        if max(counts) <= UNEVEN * min(counts):
            yield folds


def near_real(problem: Problem, seed: int, budget: Budget) -> Found | None:
    """Matrices of the first of some foldings that has real counts with the figures, and whole ones near."""
    deviations = len(sd_targets(problem))
    for folds in dealt(problem, seed):
        known = problem.with_folds(folds)
        for divisor in common_divisors(problem):
            budget.spend(MODEL)
            try:
                part = budget.at_most(EACH)
                walker = Walker(known, (divisor,) * deviations, budget=part, listing=False)
                choice = Rounding(Field(walker, part), seed).run(0, 1)
            except TooMuch:
                return None
            except OutOfWork:
                if budget.left < 0:
                    raise
                continue
            points = tuple((tp, tn) for _, tp, tn in choice or ())
            if points and confirms_folded(problem, folds, points):
                return Found(points, folds)
    return None
