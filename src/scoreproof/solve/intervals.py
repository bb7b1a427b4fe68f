"""One matrix with printed confidence intervals, decided by going through what gives the figures."""

from __future__ import annotations

from scoreproof.experiment.problem import WithIntervals
from scoreproof.proof.intervals import Certificate, NoInterval, TooMany, fitting
from scoreproof.proof.verdict import Witness
from scoreproof.solve import one_matrix
from scoreproof.solve.outcome import Found, Inconsistent, Undecided


def decide(
    question: WithIntervals, index: int, deadline: float | None
) -> Found | Inconsistent[Certificate] | Undecided:
    """A matrix with these figures and intervals, a proof that there is none, or neither."""
    alone = one_matrix.decide(question.problem, counting=False, deadline=deadline)
    if alone.certificate is not None:
        return Inconsistent(alone.certificate)
    first, count = None, 0
    try:
        for matrix in fitting(question, deadline):
            first = first or matrix
            count += 1
    except TooMany:
        if first is not None:
            return Found(Witness((first,), index))
        return Undecided("too many matrices to compute the intervals of each", ("the figures alone fit",))
    if first is None:
        return Inconsistent(NoInterval())
    return Found(Witness((first,), index), count)
