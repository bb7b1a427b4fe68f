"""A witness whose every part has the printed figures itself: then so has their mean."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.effort import within
from scoreproof.proof.sums.choice import Folds
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.question import ORDERED, Kind, Problem
from scoreproof.solve.answer import Answer, Fits
from scoreproof.solve.one_matrix.decide import decide
from scoreproof.solve.sums.found import Found

#: Figures that hold of all parts if they hold of each.
OF_EACH = frozenset({Kind.MEAN, Kind.EACH, *ORDERED})
MOST_UNLIKE = 8  # parts of different sizes that are asked
WORK = 30_000_000  # for each of them


def alike(problem: Problem, folds: Folds, budget: Budget) -> Found | None:
    """The matrices of parts that fall like this, if figures as coarse as these leave each of them one."""
    parts = problem.with_folds(folds).parts
    sizes = dict.fromkeys(parts)
    if len(sizes) > MOST_UNLIKE or not all(target.kind in OF_EACH for target in problem.targets):
        return None
    one = tuple(replace(t, kind=Kind.MEAN, weights=(Fraction(1),), clusters=()) for t in problem.targets)
    found = {}
    for part in sizes:
        answer: Answer | None = None
        with within(budget.at_most(WORK)) as share:
            answer = decide(replace(problem, parts=(part,), targets=one, foldings=()), share, counting=False)
        if not isinstance(answer, Fits) or not isinstance(answer.witness, Witness):
            return None
        found[part] = answer.witness.tp, answer.witness.tn
    points = tuple(found[part] for part in parts)
    return Found(points, folds) if confirms_folded(problem, folds, points) else None
