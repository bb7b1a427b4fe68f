"""Which figures clash: a smallest set that cannot hold together."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from scoreproof.experiment.problem import Problem, Question
from scoreproof.proof.verdict import INCONSISTENT, Outcome
from scoreproof.solve import one_matrix
from scoreproof.solve.strategy import decide_problem

#: Sets up to this size are tried systematically, the shortest first.
LARGEST_TRIED = 4
MOST_TRIED = 3000
#: Seconds for claims about several parts, where a single trial may take long.
PATIENCE = 3.0
TRIAL = 0.5

Labels = tuple[str, ...]
Clash = Callable[[Collection[str]], bool]


def clashing(outcomes: Sequence[Outcome]) -> Labels | None:
    """The labels of figures that no matrices hit together, under any of the readings.

    For one matrix the set is inclusion-minimal and as short as possible: without any one of
    its members the rest can hold.  For several parts it is the shortest set proven to clash
    within a few seconds, or None if that was not enough.
    """
    problems = [outcome.problem for outcome in outcomes if outcome.problem is not None]
    if len(problems) < len(outcomes):
        return None
    labels = tuple(dict.fromkeys(label for problem in problems for label in problem.labels))
    if all(problem.single for problem in problems):
        return _shortest(_one_matrix(problems), labels, float("inf"))
    return _shortest(_several_parts(outcomes), labels, time.monotonic() + PATIENCE)


def impossible_alone(problem: Problem) -> Labels:
    """The figures that no matrix gives even on their own."""
    return tuple(
        target.label
        for index, target in enumerate(problem.targets)
        if one_matrix.decide(problem, [index], counting=False).certificate is not None
    )


def _one_matrix(problems: Sequence[Question]) -> Clash:
    def clash(kept: Collection[str]) -> bool:
        for problem in problems:
            assert isinstance(problem, Problem)
            only = [i for i, target in enumerate(problem.targets) if target.label in kept]
            if one_matrix.decide(problem, only, counting=False).certificate is None:
                return False
        return True

    return clash


def _several_parts(outcomes: Sequence[Outcome]) -> Clash:
    def clash(kept: Collection[str]) -> bool:
        for outcome in outcomes:
            problem = outcome.problem
            assert problem is not None
            answer = decide_problem(problem.keeping(kept), outcome.reading, deadline=time.monotonic() + TRIAL)
            if answer.status != INCONSISTENT:
                return False
        return True

    return clash


def _shortest(clash: Clash, labels: Labels, until: float) -> Labels | None:
    tried = 0
    for size in range(1, min(LARGEST_TRIED, len(labels) - 1) + 1):
        for kept in combinations(labels, size):
            tried += 1
            if time.monotonic() > until:
                return None  # cut short: better no answer than one that depends on the machine
            if tried > MOST_TRIED:
                return _trimmed(clash, labels)
            if clash(kept):
                return kept
    return labels if len(labels) <= LARGEST_TRIED + 1 else _trimmed(clash, labels)


def _trimmed(clash: Clash, labels: Labels) -> Labels:
    """A minimal clashing set: leave out one after the other what is not needed."""
    left = labels
    for label in labels:
        without = tuple(other for other in left if other != label)
        if clash(without):
            left = without
    return left
