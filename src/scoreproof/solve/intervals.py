"""One matrix with printed confidence intervals, decided by going through what gives the figures."""

from __future__ import annotations

from scoreproof.budget import Budget, OutOfTime, OutOfWork, TooMuch
from scoreproof.proof.intervals import NoInterval, fitting, narrowed
from scoreproof.proof.witness import Witness
from scoreproof.question.question import WithIntervals
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.one_matrix import decide as one_matrix


def decide(question: WithIntervals, budget: Budget) -> Answer:
    """A matrix with these figures and intervals, a proof that there is none, or neither."""
    alone = one_matrix.decide(question.problem, budget, counting=False)
    if isinstance(alone, Refuted):
        return alone
    first, count = None, 0
    try:
        narrow, same = narrowed(question, budget)
        if same:
            first = next(fitting(question, budget), None)
            answer = one_matrix.decide(narrow, budget)
            if first is not None and isinstance(answer, Fits) and answer.count_exact:
                return Fits(Witness((first,)), answer.count)
        for matrix in fitting(question, budget):
            first = first or matrix
            count += 1
    except (TooMuch, OutOfWork, OutOfTime) as end:
        if first is not None:
            return Fits(Witness((first,)))
        reason = "the figures alone fit, but they leave too many matrices to compute the intervals of each"
        return Open(reason) if isinstance(end, TooMuch) else Open.ended(end, reason)
    if first is None:
        return Refuted(NoInterval())
    return Fits(Witness((first,)), count)
