"""Pooled figures on their own: they refute like one matrix, and often lead to a witness.

If the summed counts admit no matrix, nothing does, however the items fell into folds.  If they do, and
the other figures only confine single parts, spreading the sums evenly over the parts gives each
part nearly the pooled scores, which mostly satisfies them.
"""

from __future__ import annotations

from itertools import islice

from scoreproof.budget import Budget
from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.sums.nodes import Pooled
from scoreproof.proof.sums.replay import summed
from scoreproof.question.evaluate import confirms
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.answer import Refuted
from scoreproof.solve.one_matrix import decide as one_matrix
from scoreproof.solve.sums.found import Found

SPREAD = 40


def decide_pooled(problem: Problem, budget: Budget) -> Found | Pooled | None:
    """A verdict from the pooled figures alone, if they give one."""
    for members in pooled_members(problem):
        question = summed(problem, members)
        if question is None:
            continue
        answer = one_matrix.decide(question, budget, counting=False)
        if isinstance(answer, Refuted) and isinstance(answer.certificate, NoMatrix):
            return Pooled(members, answer.certificate)
    everything = tuple(range(len(problem.parts)))
    if problem.foldings or pooled_members(problem) != [everything]:
        return None
    if all(target.kind in (Kind.POOLED, Kind.EACH) for target in problem.targets):
        return _spread(problem, everything)
    return None


def _spread(problem: Problem, members: tuple[int, ...]) -> Found | None:
    question = summed(problem, members)
    assert question is not None
    for matrix in islice(one_matrix.every(question), SPREAD):
        tps = shared_out(matrix.tp, [part.p for part in problem.parts])
        tns = shared_out(matrix.tn, [part.n for part in problem.parts])
        points = tuple(zip(tps, tns, strict=True))
        if confirms(problem, points):
            return Found(points)
    return None


def shared_out(total: int, sizes: list[int]) -> list[int]:
    """The total split in proportion to the sizes, in whole numbers, none above its size."""
    whole = sum(sizes)
    found, given, seen = [], 0, 0
    for size in sizes:
        seen += size
        upto = total * seen // whole if whole else 0
        found.append(upto - given)
        given = upto
    return found


def pooled_members(problem: Problem) -> list[tuple[int, ...]]:
    """The sets of parts that some figure pools, in order."""
    found = (
        tuple(i for i, weight in enumerate(target.weights) if weight)
        for target in problem.targets
        if target.kind is Kind.POOLED
    )
    return list(dict.fromkeys(found))
