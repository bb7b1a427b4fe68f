"""Which figures clash: a smallest set that cannot hold together, or every minimal one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

from scoreproof.asking.figures import keeping, labels_of
from scoreproof.budget import Budget, OutOfBudget, OutOfTime
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome, joint
from scoreproof.effort import spent_up
from scoreproof.insight.trial import settled
from scoreproof.question.question import Labels as Labelled
from scoreproof.question.question import Problem, Question, TwoByTwo
from scoreproof.scores import Score

#: Sets up to this size are tried systematically, the shortest first.
LARGEST_TRIED = 4
#: ... of so many figures; of more only pairs, and what no clash can do without.
MANY = 12
MOST_TRIED = 3000
#: Work for claims about several parts, where a single trial may take long: for all, and for each.
SEVERAL_PARTS = 3_000_000_000
TRIAL = 500_000_000
#: Work of a trial where every minimal set is wanted, and of all of them.
EVERY = 100_000_000
ALL_SETS = 400_000_000

#: How hard scores are to follow whose figures are not straight lines.
CURVED = 3

Labels = tuple[str, ...]
Clash = Callable[[Collection[str]], bool]


def clashing(outcomes: Sequence[Outcome], budget: Budget) -> Labels | None:
    """The labels of figures that no matrices hit together, under any of the readings.

    For one matrix the set is inclusion-minimal and as short as possible: without any one of
    its members the rest can hold.  For several parts it is the shortest set proven to clash
    with a little work each, or None if all the work allowed was not enough.
    """
    problems, labels = _asked(outcomes)
    if len(problems) < len(outcomes):
        return None
    if not all(isinstance(problem, Problem) and problem.single for problem in problems):
        # several runs on one test set are tried beside it, and clash with little
        runs = any("runs" in dict(outcome.reading.takes) for outcome in outcomes)
        budget = budget.at_most(SEVERAL_PARTS // 10 if runs else SEVERAL_PARTS)
    if any(isinstance(problem, TwoByTwo) for problem in problems):
        # an interval that some reading does without only clashes where the figures beside it do
        labels = tuple(each for each in labels if all(each in labels_of(problem) for problem in problems))
    clash, easiest = _clash(problems, budget), sorted(labels, key=_difficulty(problems))
    try:
        found = next(_of_one_part(problems, clash), None) or _shortest(clash, tuple(easiest))
    except OutOfBudget:
        return None  # better no answer than a set that could be shorter
    return tuple(label for label in labels if label in found)


def _difficulty(problems: Sequence[Question]) -> Callable[[str], int]:
    """How hard a figure is to follow: a plain share of items, a sum of shares, a ratio, or a curve."""
    levels: dict[str, int] = {}
    for problem in problems:
        inner = problem.plain if isinstance(problem, TwoByTwo) else problem
        for target in inner.targets if isinstance(inner, Problem | Labelled) else ():
            levels[target.label] = level(target.score)
    # rows of tables, whose ratios are decided many at once, are told in the order of the claim
    plain = CURVED not in levels.values() and all(
        isinstance(each, Problem) and each.single for each in problems
    )
    return lambda label: 0 if plain else levels.get(label, 0)


def level(score: Score) -> int:
    """How hard the figures of a score are to follow."""
    curved = 1 if score.affine else 2 if score.linear else CURVED
    return 0 if score.name in ("acc", "sens", "spec") else curved


def _of_one_part(problems: Sequence[Question], clash: Clash) -> Iterator[Labels]:
    """Smallest sets of figures about one class, or one fold, that clash."""
    groups: dict[int, dict[str, None]] = {}
    for problem in problems:
        for target in problem.targets if isinstance(problem, Problem | Labelled) else ():
            meant = [i for i, weight in enumerate(target.weights) if weight]
            if len(meant) == 1 < len(target.weights):
                groups.setdefault(meant[0], {})[target.label] = None
    for group in groups.values():
        if len(groups) > 1 or len(group) > 1:
            own = tuple(group)
            if clash(own):
                yield _shortest(clash, own)


def _asked(outcomes: Sequence[Outcome]) -> tuple[list[Question], Labels]:
    """The questions of all readings that have one, and the labels of their figures."""
    problems = [outcome.problem for outcome in outcomes if outcome.problem is not None]
    return problems, tuple(dict.fromkeys(label for problem in problems for label in labels_of(problem)))


def impossible_alone(problem: Problem, budget: Budget) -> Labels:
    """The figures that no matrix gives even on their own, as far as the budget leads."""
    clash = _clash([problem], budget)
    with suppress(OutOfBudget):
        return tuple(label for label in labels_of(problem) if clash({label}))
    return ()


def _clash(problems: Sequence[Question], budget: Budget) -> Clash:
    """Whether some figures are proven to clash; raises when the budget is used up."""

    def clash(kept: Collection[str]) -> bool:
        for problem in problems:
            budget.spend(0)
            refuted = settled(keeping(problem, kept), budget.at_most(TRIAL)) == INCONSISTENT
            if budget.cut_short:
                raise OutOfTime
            if not refuted:
                return False
        return True

    return clash


def _shortest(clash: Clash, labels: Labels) -> Labels:
    tried = 0
    largest, needed = LARGEST_TRIED, frozenset[str]()
    if len(labels) > MANY:
        largest = 2
        needed = frozenset(label for label in labels if not clash([each for each in labels if each != label]))
        if needed and clash(needed):
            return tuple(label for label in labels if label in needed)
    for size in range(1, min(largest, len(labels) - 1) + 1):
        for kept in combinations(labels, size):
            if not needed.issubset(kept):
                continue
            tried += 1
            if tried > MOST_TRIED:
                return _trimmed(clash, labels)
            if clash(kept):
                return kept
    return labels if len(labels) <= largest + 1 else _trimmed(clash, labels)


def _trimmed(clash: Clash, labels: Labels) -> Labels:
    """A minimal clashing set: leave out one after the other what is not needed."""
    left = labels
    for label in labels:
        without = tuple(other for other in left if other != label)
        if clash(without):
            left = without
    return left


class Clashes(NamedTuple):
    """Sets of figures that cannot hold together although each smaller part of them can.

    Not ``complete``: there may be more of them, or a part of one may clash already.
    """

    sets: tuple[Labels, ...]
    complete: bool = True


def every_clash(outcomes: Sequence[Outcome], budget: Budget) -> Clashes:
    """All inclusion-minimal sets of figures that clash under every reading, shortest first."""
    problems, labels = _asked(outcomes)
    if len(problems) < len(outcomes) or not labels:
        return Clashes((), False)
    budget = budget.at_most(ALL_SETS)
    # What fits without one figure fits without more: mostly this settles nearly all sets.
    almost = [frozenset(labels) - {label} for label in labels]
    fitting = [each for each in almost if _status(problems, each, budget) == CONSISTENT]
    found: list[Labels] = []
    complete = True
    tried = 0
    for size in range(1, len(labels) + 1):
        for kept in combinations(labels, size):
            if any(set(clash) <= set(kept) for clash in found) or any(set(kept) <= each for each in fitting):
                continue
            tried += 1
            if tried > MOST_TRIED or spent_up(budget):
                return Clashes(tuple(found), False)
            status = _status(problems, kept, budget)
            if status == INCONSISTENT:
                found.append(kept)
            complete = complete and status != UNDECIDED
    return Clashes(tuple(found), complete)


def _status(problems: Sequence[Question], kept: Collection[str], budget: Budget) -> str:
    """Whether the figures kept can hold together under some reading."""
    found = set()
    for problem in problems:
        found.add(settled(keeping(problem, kept), budget.at_most(EVERY)))
        if CONSISTENT in found:
            break
    return joint(found)
