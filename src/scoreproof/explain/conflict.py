"""Which figures clash: a smallest set that cannot hold together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from scoreproof.experiment.problem import Loose, Problem
from scoreproof.proof.verdict import INCONSISTENT, Outcome
from scoreproof.solve import one_matrix
from scoreproof.solve.strategy import decide_problem

#: Sets up to this size are tried systematically, the shortest first.
LARGEST_TRIED = 4
MOST_TRIED = 3000
#: Seconds for claims about several parts, where a single trial may take long.
PATIENCE = 4.0
TRIAL = 0.5


def clashing(outcomes: Sequence[Outcome]) -> tuple[int, ...] | None:
    """Positions of targets that no matrices hit together, under any of the readings.

    For one matrix the set is inclusion-minimal and as short as possible: without any one of
    its members the rest can hold.  For several parts it is the shortest set proven to clash
    within a few seconds.  Readings of one claim have corresponding targets.
    """
    problems = [outcome.problem for outcome in outcomes]
    if any(problem is None for problem in problems):
        return None
    counts = {len(problem.targets) for problem in problems if problem is not None}
    if len(counts) != 1:
        return None  # the readings differ in what they use
    if all(isinstance(problem, Problem) and problem.single for problem in problems):
        return _shortest(_one_matrix(problems), counts.pop(), float("inf"))
    return _shortest(_several_parts(outcomes), counts.pop(), time.monotonic() + PATIENCE)


def _one_matrix(problems: Sequence[Problem | Loose | None]) -> Callable[[Sequence[int]], bool]:
    def clash(kept: Sequence[int]) -> bool:
        return all(
            one_matrix.decide(problem, kept, counting=False).certificate is not None
            for problem in problems
            if isinstance(problem, Problem)
        )

    return clash


def _several_parts(outcomes: Sequence[Outcome]) -> Callable[[Sequence[int]], bool]:
    def clash(kept: Sequence[int]) -> bool:
        for outcome in outcomes:
            problem = outcome.problem
            assert problem is not None
            fewer = replace(problem, targets=tuple(problem.targets[index] for index in kept))
            answer = decide_problem(fewer, outcome.reading, deadline=time.monotonic() + TRIAL)
            if answer.status != INCONSISTENT:
                return False
        return True

    return clash


def _shortest(clash: Callable[[Sequence[int]], bool], count: int, until: float) -> tuple[int, ...]:
    everything = tuple(range(count))
    tried = 0
    for size in range(1, min(LARGEST_TRIED, count - 1) + 1):
        for kept in combinations(everything, size):
            tried += 1
            if tried > MOST_TRIED or time.monotonic() > until:
                return everything if until < float("inf") else _trimmed(clash, everything)
            if clash(kept):
                return kept
    return everything if count <= LARGEST_TRIED + 1 else _trimmed(clash, everything)


def _trimmed(clash: Callable[[Sequence[int]], bool], everything: tuple[int, ...]) -> tuple[int, ...]:
    """A minimal clashing set: leave out one after the other what is not needed."""
    left = everything
    for index in everything:
        without = tuple(other for other in left if other != index)
        if clash(without):
            left = without
    return left
