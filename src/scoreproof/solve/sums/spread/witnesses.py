"""Which search for means and deviations serves a question: known parts, several classes, likely foldings."""

from __future__ import annotations

from itertools import islice

from scoreproof.budget import Budget
from scoreproof.effort import within
from scoreproof.proof.sums.choice import Folds
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.question import Problem
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.plausible import plausible, stratified
from scoreproof.solve.sums.spread.class_folds import ClassFolds
from scoreproof.solve.sums.spread.search import Spreads

#: So many foldings are looked at.
MOST_FOLDS = 6


class Witnesses:
    """Resumable searches: one for known parts or classes; one each for stratified folds and some as chance
    makes them, where they are not known."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem, self.seed = problem, seed
        self.spreads = Spreads(problem, seed)
        classes = ClassFolds(problem, seed) if problem.matrices else None
        self.searches: list[tuple[Folds, Spreads | ClassFolds]] = [((), classes or self.spreads)]

    def run(self, budget: Budget, work: float, tries: int) -> Found | None:
        """A witness by one of the first searches, which share the work."""
        if self.problem.foldings and len(self.searches) == 1:
            every = [stratified(self.problem), *islice(plausible(self.problem, self.seed), MOST_FOLDS - 1)]
            self.searches = [(folds, Spreads(self.problem.with_folds(folds), self.seed)) for folds in every]
        tried = self.searches[:tries]
        for folds, search in tried:
            points = None
            if search.possible:
                with within(budget.at_most(work / len(tried))) as part:
                    points = search.run(part)
            if points is not None and confirms_folded(self.problem, folds, points):
                return Found(tuple(points), folds)
        return None
