"""The matrices of a verdict about one confusion matrix."""

from __future__ import annotations

from collections.abc import Iterator

from scoreproof.decision import CONSISTENT, Decision
from scoreproof.proof.ranking.no_ranking import confined
from scoreproof.question.question import Problem, Ranked, TwoByTwo, WithIntervals
from scoreproof.scores import Matrix
from scoreproof.solve.one_matrix.decide import every


def one_matrix_problems(verdict: Decision) -> list[Problem]:
    """The flat problem of every reading; empty where some reading is not about one matrix."""
    found = [outcome.problem for outcome in verdict.outcomes]
    single = [problem for problem in found if isinstance(problem, Problem) and problem.single]
    return single if len(single) == len(found) else []


def matrices(verdict: Decision) -> Iterator[Matrix]:
    """Every matrix that fits, over all readings about one matrix, in order."""
    for outcome in verdict.outcomes:
        problem = outcome.problem
        if outcome.status != CONSISTENT:
            continue
        if isinstance(problem, Ranked) and not problem.points:
            problem = confined(problem) if problem.base.labels else None
        if isinstance(problem, (WithIntervals, TwoByTwo)) or (isinstance(problem, Problem) and problem.single):
            yield from every(problem)
