"""A choice: what every part picks, and whether that hits every target."""

from __future__ import annotations

from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.folds import Sample, each_size
from scoreproof.question.question import Problem

Point = tuple[int, int, int]  # p, tp, tn
Choice = list[Point]  # of every part
Folds = tuple[tuple[Sample, ...], ...]


def folds_of(problem: Problem, choice: Choice) -> Folds:
    """How the items of every folding fell."""
    folds = []
    for folding, parts in problem.spans:
        pairs = zip(parts, each_size(folding.sizes), strict=True)
        folds.append(tuple(Sample(choice[i][0], size - choice[i][0]) for i, size in pairs))
    return tuple(folds)


def fitting(problem: Problem, choice: Choice) -> bool:
    """Whether a choice hits every target, and its folds are legal."""
    points = [(tp, tn) for _, tp, tn in choice]
    return confirms_folded(problem, folds_of(problem, choice), points)
