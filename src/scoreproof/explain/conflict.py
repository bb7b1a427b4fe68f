"""Which figures clash: a smallest set that cannot hold together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from scoreproof.experiment.problem import Problem
from scoreproof.solve import one_matrix

#: Sets up to this size are tried systematically, the shortest first.
LARGEST_TRIED = 4
MOST_TRIED = 3000


def clashing(problems: list[Problem]) -> tuple[int, ...] | None:
    """Positions of targets that no matrix hits together, under any of the problems.

    The set is inclusion-minimal: without any one of its members the rest can hold.  All
    problems are readings of one claim, so their targets correspond.
    """

    def clash(kept: Iterable[int]) -> bool:
        kept = list(kept)
        return all(
            one_matrix.decide(problem, kept, counting=False).certificate is not None for problem in problems
        )

    everything = range(len(problems[0].targets))
    if not clash(everything):
        return None
    tried = 0
    for size in range(1, LARGEST_TRIED + 1):
        for kept in combinations(everything, size):
            tried += 1
            if tried > MOST_TRIED:
                break
            if clash(kept):
                return kept
    left = list(everything)
    for index in everything:
        without = [other for other in left if other != index]
        if clash(without):
            left = without
    return tuple(left)
