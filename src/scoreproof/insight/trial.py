"""Whether a rewritten claim file would fit: quick, with budgets counted in work."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from scoreproof.claim.claim import Claim, Reading
from scoreproof.claim.load import load
from scoreproof.errors import ScoreproofError
from scoreproof.insight.places import Source
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, UNDECIDED, Witness
from scoreproof.proof.verify import confirms
from scoreproof.question.flatten import flatten
from scoreproof.question.question import Problem, Question
from scoreproof.solve.one_matrix.decide import decide
from scoreproof.solve.strategy import decide_problem

#: Seconds for one trial: a last resort, the work of a trial is limited before.
PATIENCE = 5.0
#: Readings of a rewritten claim that are tried.
MOST_READINGS = 12
#: Rounds of sampling and branching spent on averages: at first, and where that left doubts.
ROUNDS = 1
MORE_ROUNDS = 4
#: What is tried where the folds are not known.
QUICK_FOLDINGS = frozenset({"accuracy", "known", "hull"})


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a claim file: its verdict and, where it fits, the reading that does."""

    source: Source
    claim: Claim = field(repr=False)
    status: str
    reading: Reading | None = field(default=None, repr=False)
    problem: Any = field(default=None, repr=False)

    @property
    def fits(self) -> bool:
        return self.status == CONSISTENT


def attempt(source: Source, until: float | None = None, rounds: int = ROUNDS) -> Trial | None:
    """The claim file tried; None if it is no claim at all."""
    try:
        claim = load(source)
        readings = claim.readings()
    except ScoreproofError:
        return None
    found: set[str] = set()
    for reading in readings[:MOST_READINGS]:
        if found and until is not None and time.monotonic() > until:
            found.add(UNDECIDED)
            break
        try:
            problem, _ = flatten(reading)
            status = settled(problem, reading, until, rounds)
        except ScoreproofError:
            return None
        if status == CONSISTENT:
            return Trial(source, claim, CONSISTENT, reading, problem)
        found.add(status)
    if len(readings) > MOST_READINGS:
        found.add(UNDECIDED)
    return Trial(source, claim, UNDECIDED if UNDECIDED in found else INCONSISTENT)


def settled(problem: Question, reading: Reading, until: float | None = None, rounds: int = ROUNDS) -> str:
    """The verdict on a flat problem, as far as a little work leads; a fit is always confirmed."""
    if isinstance(problem, Problem) and problem.single:
        answer = decide(problem, counting=False)
        if answer.witness is None:
            return INCONSISTENT if answer.certificate is not None else UNDECIDED
        sound = not problem.partial and confirms(problem, Witness((answer.witness,)))
        return CONSISTENT if sound else UNDECIDED
    last = time.monotonic() + PATIENCE
    deadline = last if until is None else min(last, until)
    if isinstance(problem, Problem) and not problem.foldings:
        from scoreproof.solve import averages

        found = averages.decide(problem, deadline=deadline, rounds=rounds)
        if isinstance(found, averages.Undecided):
            return UNDECIDED
        if isinstance(found, averages.Inconsistent):
            return INCONSISTENT
        return UNDECIDED if problem.partial else CONSISTENT
    if isinstance(problem, Problem) and problem.foldings:
        from scoreproof.solve import foldings

        loose = foldings.decide(problem, deadline=deadline, stages=QUICK_FOLDINGS)
        if isinstance(loose, foldings.Undecided):
            return UNDECIDED
        if isinstance(loose, foldings.Inconsistent):
            return INCONSISTENT
        return UNDECIDED if problem.partial else CONSISTENT
    outcome = decide_problem(problem, reading, deadline=deadline)
    if outcome.status == CONSISTENT and (problem.partial or not confirms(problem, outcome.witness)):
        return UNDECIDED
    return outcome.status
