"""Means and other sums over parts, by the engines for known folds and for unknown ones.

Those engines count their work in rounds; here it is said how many rounds a budget allows, and
what is taken off for them.
"""

from __future__ import annotations

from scoreproof.budget import Budget
from scoreproof.proof.decision import Witness
from scoreproof.question.question import Problem
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted

#: Work up to which only so many rounds are made: about known folds, about unknown ones.
ROUNDS = ((1_100_000_000, 1), (3_000_000_000, 4), (7_000_000_000, 5))
QUICK = 1_100_000_000
QUICK_STAGES = frozenset({"accuracy", "known", "hull"})
#: What a decided question is said to have cost; an open one cost its budget.
DECIDED = 30_000_000


def decide(problem: Problem, budget: Budget) -> Answer:
    """Matrices that hit every target, a proof that there are none, or neither."""
    answer = _unknown(problem, budget) if problem.foldings else _known(problem, budget)
    if not isinstance(answer, Open):
        budget.allows(DECIDED)
    else:
        budget.allows(max(budget.left, 0))
    return answer


def _known(problem: Problem, budget: Budget) -> Answer:
    from scoreproof.solve import averages

    rounds = next((few for work, few in ROUNDS if budget.left <= work), None)
    match averages.decide(problem, deadline=budget.deadline, rounds=rounds):
        case averages.Consistent(pairs):
            return Fits(_witness(problem, pairs))
        case averages.Inconsistent(certificate):
            return Refuted(certificate)
        case averages.Undecided(reason, tried):
            return Open(reason, tried, budget.late)


def _unknown(problem: Problem, budget: Budget) -> Answer:
    from scoreproof.solve import foldings

    stages = QUICK_STAGES if budget.left <= QUICK else foldings.ALL
    match foldings.decide(problem, deadline=budget.deadline, stages=stages):
        case foldings.Consistent(folds, pairs):
            return Fits(_witness(problem.with_folds(folds), pairs))
        case foldings.Inconsistent(certificate):
            return Refuted(certificate)
        case foldings.Undecided(reason, tried):
            return Open(reason, tried, budget.late)


def _witness(problem: Problem, pairs: tuple[tuple[int, int], ...]) -> Witness:
    """The matrices of (tp, tn) pairs, one per part."""
    parts = zip(pairs, problem.parts, strict=True)
    return Witness(tuple(Matrix(tp, part.n - tn, part.p - tp, tn) for (tp, tn), part in parts))
