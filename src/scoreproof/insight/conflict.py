"""Which figures clash: a smallest set that cannot hold together, or every minimal one."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoreproof.insight.trial import settled
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome
from scoreproof.question.question import Problem, Question
from scoreproof.solve.one_matrix.decide import decide
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
        if decide(problem, [index], counting=False).certificate is not None
    )


def _one_matrix(problems: Sequence[Question]) -> Clash:
    def clash(kept: Collection[str]) -> bool:
        for problem in problems:
            assert isinstance(problem, Problem)
            only = [i for i, target in enumerate(problem.targets) if target.label in kept]
            if decide(problem, only, counting=False).certificate is None:
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


@dataclass(frozen=True, slots=True)
class Clashes:
    """Sets of figures that cannot hold together although each smaller part of them can.

    Not ``complete``: there may be more of them, or a part of one may clash already.
    """

    sets: tuple[Labels, ...]
    complete: bool = True


def every_clash(outcomes: Sequence[Outcome], until: float = float("inf")) -> Clashes:
    """All inclusion-minimal sets of figures that clash under every reading, shortest first."""
    problems = [outcome.problem for outcome in outcomes]
    labels = tuple(dict.fromkeys(label for each in problems if each is not None for label in each.labels))
    if None in problems or not labels:
        return Clashes((), False)
    # What fits without one figure fits without more: mostly this settles nearly all sets.
    almost = [frozenset(labels) - {label} for label in labels]
    fitting = [each for each in almost if _status(outcomes, each) == CONSISTENT]
    found: list[Labels] = []
    complete = True
    tried = 0
    for size in range(1, len(labels) + 1):
        for kept in combinations(labels, size):
            if any(set(clash) <= set(kept) for clash in found) or any(set(kept) <= each for each in fitting):
                continue
            tried += 1
            if tried > MOST_TRIED or time.monotonic() > until:
                return Clashes(tuple(found), False)
            status = _status(outcomes, kept)
            if status == INCONSISTENT:
                found.append(kept)
            complete = complete and status != UNDECIDED
    return Clashes(tuple(found), complete)


def _status(outcomes: Sequence[Outcome], kept: Collection[str]) -> str:
    """Whether the figures kept can hold together under some reading."""
    found = set()
    for outcome in outcomes:
        assert outcome.problem is not None
        found.add(settled(outcome.problem.keeping(kept), outcome.reading, rounds=2))
        if CONSISTENT in found:
            return CONSISTENT
    return UNDECIDED if UNDECIDED in found else INCONSISTENT
