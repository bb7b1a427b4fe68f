"""One model for each choice of divisors, which says more than one for all of them at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from scoreproof.budget import Budget, TooMuch
from scoreproof.effort import within
from scoreproof.proof.sums.model import Shape
from scoreproof.proof.sums.nodes import Case, Divisors, Known, Separating, Vacant
from scoreproof.proof.sums.rows import choices
from scoreproof.proof.sums.walk import Walker
from scoreproof.question.question import Problem
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.profiled import by_profiles
from scoreproof.solve.sums.separate import separate
from scoreproof.solve.sums.spread.search import MOST_CHOICES, Spreads

Choice = tuple[str, ...]


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

    def profiled(self, dead: dict[Choice, Case], stages: Collection[str]) -> Known | None:
        """A proof from how many items of matrices of classes are wrong, for each choice that is left."""
        cases, every = list(dead.values()), self.every if len(self.every) <= MOST_CHOICES else []
        for choice in every if "profiles" in stages else ():
            if choice not in dead:
                found = None
                with within(self.budget.share(3)) as part:
                    found = by_profiles(self.problem, choice, part)
                if found is None:
                    return None
                if not choice:
                    return found
                cases.append(Case(choice, found))
        return Divisors(tuple(cases)) if cases and len(cases) == len(every) else None

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
