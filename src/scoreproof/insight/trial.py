"""Whether a rewritten claim file would fit: quick, with budgets counted in work.

What is found never changes a verdict; it says what may have happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED, joint
from scoreproof.effort import spent_up
from scoreproof.errors import ScoreproofError
from scoreproof.insight.causes import CAUSES
from scoreproof.insight.places import Source
from scoreproof.missing import WITHOUT, installed
from scoreproof.question.question import Problem, Question
from scoreproof.reading.load import load
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.decide import decide

#: Readings of a rewritten claim that are tried, and of those about one matrix, which are quick.
MOST_READINGS = 12
MOST_QUICK = 5_000
#: Work for one reading.
LITTLE = 1_000_000_000
#: Work for all causes that are quickly tried, and for each.
ALL_QUICK = 4_000_000_000
EACH_QUICK = 1_000_000_000


@dataclass(slots=True)
class Trials:
    """Trials that share a budget, with so much work for every reading."""

    budget: Budget
    work: int = LITTLE
    complete: bool = True  # whether everything was decided

    def attempt(self, source: Source) -> Trial | None:
        """What became of the claim file."""
        return attempt(source, self.budget, self.work)

    def fits(self, trial: Trial) -> bool:
        """Whether the trial fits; one that was not decided leaves the search incomplete."""
        self.complete = self.complete and trial.status != UNDECIDED
        return trial.fits


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a claim file: its verdict and, where it fits, the question that does."""

    source: Source
    status: str
    problem: Any = field(default=None, repr=False)

    @property
    def fits(self) -> bool:
        return self.status == CONSISTENT


def attempt(source: Source, budget: Budget, work: float = LITTLE) -> Trial | None:
    """The claim file tried, with so much work for every reading; None if it is no claim at all."""
    found: set[str] = set()
    with suppress(ScoreproofError):
        for tried, reading in enumerate(load(source).usual()):
            if (found and spent_up(budget)) or tried == MOST_QUICK:
                found.add(UNDECIDED)
                break
            problem, _ = flatten(reading)
            if tried >= MOST_READINGS and not (isinstance(problem, Problem) and problem.single):
                found.add(UNDECIDED)
                break
            status = settled(problem, budget.at_most(work))
            if status == CONSISTENT:
                return Trial(source, CONSISTENT, problem)
            found.add(status)
        return Trial(source, joint(found))
    return None


def settled(problem: Question, budget: Budget) -> str:
    """The verdict on a flat problem, as far as the budget leads."""
    match decide(problem, budget, counting=False):
        case Refuted():
            return INCONSISTENT
        case Fits() if not problem.partial:
            return CONSISTENT
    return UNDECIDED


def quick_causes(source: Source, budget: Budget) -> Iterator[dict[str, Any]]:
    """The causes quickly tried that apply to the claim file, each with the verdict it would have."""
    budget = budget.at_most(ALL_QUICK)
    for cause in CAUSES:
        if not cause.quick or spent_up(budget):
            continue
        for _, again in cause.rewritings(source):
            trial = attempt(again, budget.at_most(EACH_QUICK))
            if trial is not None:
                found = {"reading": cause.name, "verdict": trial.status, "words": cause.words}
                yield (
                    found
                    if trial.status != UNDECIDED or installed()
                    else {**found, "reason": f"deciding this {WITHOUT}"}
                )
