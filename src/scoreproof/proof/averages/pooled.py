"""The pooled figures of a problem as a question about one matrix of summed counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scoreproof.claim.folds import Sample
from scoreproof.question.question import Kind, Problem


def groups(problem: Problem) -> list[tuple[int, ...]]:
    """The sets of parts that some figure pools, in order."""
    found = (
        tuple(i for i, weight in enumerate(target.weights) if weight)
        for target in problem.targets
        if target.kind is Kind.POOLED
    )
    return list(dict.fromkeys(found))


def summed(problem: Problem, members: Sequence[int]) -> Problem | None:
    """The pooled figures of exactly these parts, about one matrix; None if there are none."""
    targets = tuple(
        replace(target, kind=Kind.MEAN, weights=(Fraction(1),), clusters=())
        for target in problem.targets
        if target.kind is Kind.POOLED
        and [i for i, weight in enumerate(target.weights) if weight] == list(members)
    )
    if not targets or any(not 0 <= i < len(problem.parts) for i in members):
        return None
    parts = [problem.parts[i] for i in members]
    whole = Sample(sum(part.p for part in parts), sum(part.n for part in parts))
    return replace(problem, parts=(whole,), targets=targets)
