"""The stage for printed means and deviations: one pairing search for each divisor, in turns."""

from __future__ import annotations

from itertools import islice

import numpy as np

from scoreproof.budget import Budget
from scoreproof.effort import within
from scoreproof.proof.sums.nodes import Case, Unreachable
from scoreproof.proof.sums.reach import unreachable
from scoreproof.proof.sums.rows import choices, sd_targets
from scoreproof.question.question import Problem
from scoreproof.solve.sums.spread.pairing import Pairing
from scoreproof.solve.sums.spread.plenty import plenty
from scoreproof.solve.sums.spread.sides import Points
from scoreproof.solve.sums.spread.windows import Windows, units_of

#: Counts along an axis are steered in floats, and the lists of margins are for folds, not for images.
MOST_PARTS = 300
#: Work of listing what mean and deviation a straight score can have; choices of divisors that are told apart.
REACH, MOST_CHOICES = 400_000_000, 8
LARGEST = 10**6
#: After so many rounds the lists of few parts are made longer.
DEEPEN = 2


class Spreads:
    """A resumable search for matrices with printed means and deviations."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem, self.seed = problem, seed
        self.units = units_of(problem)
        self.possible = (
            self.units is not None
            and 1 < len(problem.parts) <= MOST_PARTS
            and max(max(part.p, part.n) for part in problem.parts) <= LARGEST
        )
        self.searches: list[Pairing] | None = None
        self.dead: dict[tuple[str, ...], Case] = {}  # choices of divisors that are ruled out
        self.rounds = 0

    def _started(self, budget: Budget) -> list[Pairing]:
        if self.searches is None:
            assert self.units is not None
            count = len(self.units)
            ways = {"sample": count - 1, "population": count}
            found = [
                Pairing(Windows(self.problem, self.units, divisor), name, self.seed, budget)
                for name, divisor in ways.items()
                if self.problem.spread in (name, "either", "each")
            ]
            self.searches = [search for search in found if search.possible]
        return self.searches

    def _living(self, budget: Budget) -> list[Pairing]:
        """The searches whose divisor is not ruled out."""
        ruled_out = {choice[0] for choice in self.dead if len(set(choice)) == 1}
        return [each for each in self._started(budget) if each.divisor not in ruled_out]

    def unreachable(self, budget: Budget) -> bool:
        """Whether every divisor is ruled out by a straight score whose mean and deviation cannot both hold."""
        deviations = sd_targets(self.problem)
        every = list(islice(choices(self.problem), MOST_CHOICES + 1)) if deviations else []
        for choice in every[:MOST_CHOICES]:
            for t, spread in zip(deviations, choice, strict=True):
                if plenty(self.problem, self.problem.targets[t], spread):
                    continue
                with within(budget.at_most(REACH)) as part:
                    if unreachable(self.problem, t, spread, part):
                        self.dead[choice] = Case(choice, Unreachable(t))
                        break
        return bool(every) and len(self.dead) == len(every)

    def run(self, budget: Budget) -> Points | None:
        """Matrices, as (tp, tn) of every part, if rounds within the budget come upon them."""
        with np.errstate(all="ignore"):  # what is 0/0 counts as far off
            return self._run(budget)

    def _run(self, budget: Budget) -> Points | None:
        while self.possible:
            self.rounds += 1
            left = budget.left
            living = self._living(budget)
            self.possible = bool(living)
            for search in living:
                found = search.run(budget)
                if found is None and self.rounds == DEEPEN:
                    with within(budget.share(4)) as part:
                        found = search.deepen(part)
                if found is not None:
                    return found
            if budget.left < left - budget.left:  # less than another round's worth
                return None
        return None
