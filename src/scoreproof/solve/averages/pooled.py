"""Pooled figures on their own: they refute like one matrix, and often lead to a witness.

If the summed counts admit no matrix, nothing does.  If they do, and the other figures only
confine single parts, spreading the sums evenly over the parts gives each part nearly the
pooled scores, which mostly satisfies them.
"""

from __future__ import annotations

from itertools import islice

from scoreproof.budget import Budget
from scoreproof.proof.averages import Certificate, Pooled, confirms
from scoreproof.proof.averages.pooled import groups, summed
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.answer import Refuted
from scoreproof.solve.averages.outcome import Consistent, Inconsistent
from scoreproof.solve.one_matrix import decide as one_matrix

SPREAD = 40


def decide_pooled(problem: Problem) -> Consistent | Inconsistent[Certificate] | None:
    """A verdict from the pooled figures alone, if they give one."""
    for members in groups(problem):
        question = summed(problem, members)
        if question is None:
            continue
        answer = one_matrix.decide(question, Budget(), counting=False)
        if isinstance(answer, Refuted):
            return Inconsistent(Pooled(members, answer.certificate))  # type: ignore[arg-type]
    everything = tuple(range(len(problem.parts)))
    if groups(problem) == [everything] and all(t.kind in (Kind.POOLED, Kind.EACH) for t in problem.targets):
        return _spread(problem, everything)
    return None


def _spread(problem: Problem, members: tuple[int, ...]) -> Consistent | None:
    question = summed(problem, members)
    assert question is not None
    for matrix in islice(one_matrix.every(question), SPREAD):
        witness = tuple(
            zip(
                _shares(matrix.tp, [part.p for part in problem.parts]),
                _shares(matrix.tn, [part.n for part in problem.parts]),
                strict=True,
            )
        )
        if confirms(problem, witness):
            return Consistent(witness)
    return None


def _shares(total: int, sizes: list[int]) -> list[int]:
    """The total split in proportion to the sizes, in whole numbers, none above its size."""
    whole = sum(sizes)
    found, given, seen = [], 0, 0
    for size in sizes:
        seen += size
        upto = total * seen // whole if whole else 0
        found.append(upto - given)
        given = upto
    return found
