"""The stage for printed means and deviations: one pairing search for each divisor, in turns."""

from __future__ import annotations

import numpy as np

from scoreproof.budget import Budget
from scoreproof.effort import within
from scoreproof.question.question import Problem
from scoreproof.solve.sums.spread.pairing import Pairing, Points
from scoreproof.solve.sums.spread.windows import Windows, units_of

#: Counts along an axis are steered in floats, and the lists of margins are for folds, not for images.
MOST_PARTS = 300
LARGEST = 10**6
#: After so many rounds the lists of few parts are made longer.
DEEPEN = 2


class Spreads:
    """A resumable search for matrices with printed means and deviations."""

    what = "pairings"

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem, self.seed = problem, seed
        self.units = units_of(problem)
        self.possible = (
            self.units is not None
            and 1 < len(problem.parts) <= MOST_PARTS
            and max(max(part.p, part.n) for part in problem.parts) <= LARGEST
        )
        self.searches: list[Pairing] | None = None
        self.rounds = 0

    def _started(self, budget: Budget) -> list[Pairing]:
        if self.searches is None:
            assert self.units is not None
            count = len(self.units)
            divisors = {"sample": (count - 1,), "population": (count,)}
            searches = []
            for divisor in divisors.get(self.problem.spread, (count - 1, count)):
                windows = Windows(self.problem, self.units, divisor)
                search = Pairing(windows, self.seed, budget)
                if search.possible:
                    searches.append(search)
            self.searches = searches
        return self.searches

    def run(self, budget: Budget) -> Points | None:
        """Matrices, as (tp, tn) of every part, if rounds within the budget come upon them."""
        with np.errstate(all="ignore"):  # what is 0/0 counts as far off
            return self._run(budget)

    def _run(self, budget: Budget) -> Points | None:
        while self.possible:
            self.rounds += 1
            left = budget.left
            for search in self._started(budget):
                found = search.run(budget)
                if found is None and self.rounds == DEEPEN:
                    with within(budget.share(4)) as part:
                        found = search.deepen(part)
                if found is not None:
                    return found
            self.possible = bool(self.searches)
            if budget.left < left - budget.left:  # less than another round's worth
                return None
        return None
