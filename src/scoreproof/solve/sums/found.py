"""Matrices that a search came upon."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.proof.sums.choice import Choice, Folds, folds_of
from scoreproof.question.question import Problem


@dataclass(frozen=True, slots=True)
class Found:
    """(tp, tn) of every part, and how the items of unknown foldings fell."""

    points: tuple[tuple[int, int], ...]
    folds: Folds = ()

    @staticmethod
    def of(problem: Problem, choice: Choice) -> Found:
        """What a choice of (p, tp, tn) for every part says."""
        return Found(tuple((tp, tn) for _, tp, tn in choice), folds_of(problem, choice))
