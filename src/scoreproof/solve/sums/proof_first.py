"""A proof by one direction for each divisor, before anything is looked for.

Where the usual reading of a claim is refuted, most others are as well: a deviation that is taken for a
standard error is soon too large for any score.  The direction takes a hundredth of the work of a search that
finds nothing.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from scoreproof.budget import Budget, TooMuch
from scoreproof.effort import within
from scoreproof.proof.sums.nodes import Case, Certificate, Defined, Divisors, Known, Separating, Vacant
from scoreproof.proof.sums.rows import choices, sd_targets
from scoreproof.proof.sums.walk import Walker, all_defined
from scoreproof.question.question import Problem
from scoreproof.solve.answer import Refuted
from scoreproof.solve.sums.each_divisor import EachDivisor
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.separate import separate
from scoreproof.solve.sums.spread.search import MOST_CHOICES

#: Work that may go into it.
MOST = 1_000_000_000


def proof_first(problem: Problem, budget: Budget) -> Certificate | None:
    """A proof that needs one direction, or none, for every divisor; None where there is no such proof.  Of
    several classes only how many items are wrong is looked at, as other directions take long."""
    if (proof_first, problem) in budget.kept:
        return None
    found: Certificate | None = None
    with within(budget.at_most(min(MOST, budget.left))) as part:
        with suppress(TooMuch):
            found = (
                EachDivisor(problem, part).profiled({}, {"profiles"})
                if problem.matrices
                else _proof(problem, part)
            )
        budget.kept[proof_first, problem] = None  # what was tried to its end is not tried again
    return found


def _proof(problem: Problem, budget: Budget) -> Certificate | None:
    plain = budget.kept.get(all_defined(problem)) if problem.undefined != "impossible" else None
    cases: list[Case] = []
    every = list(islice(choices(problem), MOST_CHOICES + 1))
    for choice in every if len(every) <= MOST_CHOICES else ():
        walker = Walker(problem, choice, budget=budget)
        start = walker.root()
        if start is None:
            cases.append(Case(choice, Vacant()))
            continue
        known = plain.certificate if isinstance(plain, Refuted) else None
        if isinstance(known, Known) and walker.defined(start):
            # with either divisor more matrices may be left, and undefined scores among them
            cases.append(Case(choice, Defined(known)))
            continue
        found = separate(Field(walker, budget), start)
        if not isinstance(found, Separating):
            return None
        cases.append(Case(choice, found))
    if len(cases) < len(every):
        return None
    return Divisors(tuple(cases)) if sd_targets(problem) else cases[0].proof  # type: ignore[return-value]
