"""One matrix with printed confidence intervals, decided by going through what gives the figures."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from scoreproof.interval import Interval
from scoreproof.proof.intervals import Certificate, NoInterval, TooMany, fitting, hits
from scoreproof.proof.verdict import Witness
from scoreproof.question.question import Kind, Problem, Target, WithIntervals
from scoreproof.scores import SCORES
from scoreproof.solve.one_matrix import decide as one_matrix
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
        narrow, same = narrowed(question)
        if same:
            first = next(fitting(question, deadline), None)
            answer = one_matrix.decide(narrow, deadline=deadline)
            if first is not None and answer.witness is not None and answer.count_exact:
                return Found(Witness((first,), index), answer.count)
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


def narrowed(question: WithIntervals) -> tuple[Problem, bool]:
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
        found = hits(question, name, size)
        if not found or not size:
            return problem, False
        same = same and found[-1] - found[0] + 1 == len(found)
        bounds = Interval(Fraction(found[0], size), Fraction(found[-1], size))
        more = Target(f"interval of {name}", Kind.MEAN, SCORES[name], bounds, (Fraction(1),))
        problem = replace(problem, targets=(*problem.targets, more))
    return problem, same
