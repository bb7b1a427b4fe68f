"""One model for each choice of divisors, which says more than one for all of them at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from scoreproof.budget import Budget, TooMuch
from scoreproof.proof.sums.model import Shape
from scoreproof.proof.sums.nodes import Case, Divisors, Separating, Vacant
from scoreproof.proof.sums.rows import choices, sd_targets
from scoreproof.proof.sums.walk import Walker
from scoreproof.question.question import Problem, Spread
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.separate import separate
from scoreproof.solve.sums.spread.search import MOST_CHOICES, Spreads

Choice = tuple[str, ...]


def common_divisors(problem: Problem) -> tuple[Spread, ...]:
    """What one divisor for all deviations may be; the first where there are none."""
    every: tuple[Spread, ...] = (
        ("sample", "population") if problem.spread in ("either", "each") else (problem.spread,)
    )
    return every if sd_targets(problem) else every[:1]


class EachDivisor:
    """The models of a question, each built once, when it is asked for."""

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self.problem, self.budget = problem, budget
        self.every = list(islice(choices(problem), MOST_CHOICES + 1))
        self.known: dict[Choice, Field] = {}

    def possible(self, dead: Collection[Choice]) -> bool:
        """Whether there are several choices, or a few are left of several."""
        return (len(self.every) > 1 or bool(dead)) and len(self.every) <= MOST_CHOICES

    def fields(self, dead: Collection[Choice]) -> Iterator[tuple[Choice, Field]]:
        """The model of every choice that is not ruled out."""
        for choice in self.every:
            if choice not in dead:
                if choice not in self.known:
                    self.known[choice] = Field(Walker(self.problem, choice, budget=self.budget), self.budget)
                yield choice, self.known[choice]

    def proof(self, spreads: Spreads, stages: Collection[str], shape: Shape) -> Divisors | None:
        """A straight score that cannot have its mean and deviation, whatever the divisor; of unknown folds, one
        direction for each divisor that is left, which takes less work than a search in all of them."""
        if "reach" in stages and spreads.unreachable(self.budget):
            return Divisors(tuple(spreads.dead.values()))
        return self.refuted(spreads.dead) if shape is Shape.FOLD and "hull" in stages else None

    def refuted(self, dead: dict[Choice, Case]) -> Divisors | None:
        """A proof with one direction for each choice that is left."""
        cases = list(dead.values())
        try:
            for choice, field in self.fields(dead) if self.possible(dead) else ():
                start = field.walker.root()
                found = Vacant() if start is None else separate(field, start, thorough=True)
                if not isinstance(found, (Vacant, Separating)):
                    return None
                cases.append(Case(choice, found))
        except TooMuch:
            return None
        return Divisors(tuple(cases)) if len(cases) == len(self.every) else None
