"""Which engine decides which question: one row per kind, imported when it is first needed."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.effort import spent_up
from scoreproof.missing import Missing, told
from scoreproof.question.question import Labels, Problem, Question, Ranked, Residuals, TwoByTwo, WithoutCounts
from scoreproof.solve.answer import Answer, Open


def ask(question: Question, budget: Budget, *, counting: bool = True, unlikely: bool = False) -> Answer:
    """The answer of the engine for such a question, not confirmed yet.

    ``counting`` asks how many matrices fit as well, where that can be told; of what is ``unlikely`` to fit a
    proof may be looked for first.  Running out of
    work or time is an answer here, too.
    """
    try:
        with told("deciding this"):
            answer = _asked(question, budget, counting, unlikely)
    except Missing as without:
        return Open(str(without))
    except OutOfBudget as end:
        return Open.ended(end)
    if isinstance(answer, Open) and spent_up(budget):  # a search that ended early without a word
        return replace(answer, late=budget.late, short=not budget.late)
    return answer


def _asked(question: Question, budget: Budget, counting: bool, unlikely: bool) -> Answer:
    budget.look()
    match question:
        case Problem(single=True):
            from scoreproof.solve.one_matrix import decide as one_matrix

            return one_matrix.decide(question, budget, counting=counting)
        case Problem():
            from scoreproof.solve.sums import decide as sums

            return sums.decide(question, budget, unlikely=unlikely)
        case Labels():
            from scoreproof.solve import labels

            return labels.decide(question, budget)
        case WithoutCounts():
            from scoreproof.solve.narrow import no_counts

            return no_counts.decide(question, budget)
        case TwoByTwo():
            from scoreproof.solve import two_by_two

            return two_by_two.decide(question, budget)
        case Residuals():
            from scoreproof.solve.narrow import regression

            return regression.decide(question, budget)
        case Ranked():
            from scoreproof.solve.ranking import decide as ranking

            return ranking.decide(question, budget)
    assert_never(question)
