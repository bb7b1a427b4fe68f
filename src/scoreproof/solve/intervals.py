"""One matrix with printed confidence intervals, decided by going through what gives the figures."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from scoreproof.budget import Budget, OutOfTime, OutOfWork
from scoreproof.interval import Interval
from scoreproof.proof.decision import Witness
from scoreproof.proof.intervals import NoInterval, TooMany, fitting, hits
from scoreproof.question.question import Kind, Problem, Target, WithIntervals
from scoreproof.scores import SCORES
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
    except (TooMany, OutOfWork, OutOfTime) as end:
        if first is not None:
            return Fits(Witness((first,)))
        reason = "too many matrices to compute the intervals of each"
        return Open(reason, ("the figures alone fit",), isinstance(end, OutOfTime))
    if first is None:
        return Refuted(NoInterval())
    return Fits(Witness((first,)), count)


def narrowed(question: WithIntervals, budget: Budget) -> tuple[Problem, bool]:
    """The figures alone, with what the intervals of sens and spec leave of tp and tn as two more.

    True says that these say as much as all the intervals; otherwise more matrices fit them.
    Raises TooMany for classes whose intervals are not computed.
    """
    problem = question.problem
    (sample,) = problem.parts
    same = all(each.score.name in ("sens", "spec") for each in question.limits)
    for name, size in (("sens", sample.p), ("spec", sample.n)):
        if not any(each.score.name == name for each in question.limits):
            continue
        found = hits(question, name, size, budget)
        if not found or not size:
            return problem, False
        same = same and found[-1] - found[0] + 1 == len(found)
        bounds = Interval(Fraction(found[0], size), Fraction(found[-1], size))
        more = Target(f"interval of {name}", Kind.MEAN, SCORES[name], bounds, (Fraction(1),))
        problem = replace(problem, targets=(*problem.targets, more))
    return problem, same
