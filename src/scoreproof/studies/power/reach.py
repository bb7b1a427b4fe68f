"""Which means of a share unknown folds can have at all: listed once, looked up for every paper.

Whatever the folds, the mean sensitivity of k folds is one of finitely many fractions.  A check that refutes a
sensitivity goes through all foldings and proves each of them; the thousands of papers of a power analysis
have the same foldings, so here all fractions of all of them stand in one sorted list.  They are held as the
whole part of 2^40 times the fraction, in integers of 64 bits: if no such number lies between those of the ends
of a figure, no fraction lies between the ends.  Only refutations are found here; all else is for the check.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from math import comb, floor, lcm, prod

import numpy as np
from numpy.typing import NDArray

from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget
from scoreproof.claim.claim import Reading
from scoreproof.decision import INCONSISTENT, Certificate, Outcome
from scoreproof.question.folds import Folding, foldings
from scoreproof.question.question import Kind, Problem, Undefined
from scoreproof.solve.decide import decide_reading

SCALE = 1 << 40
#: Means of all foldings together that are listed, and foldings.
MOST_ENTRIES = 60_000_000
MOST_FOLDINGS = 4_000
#: The class whose share a score is, where it is one.
CLASSES = {"sens": 0, "spec": 1}


def decide(
    reading: Reading, index: int, budget: Budget, proofs: Sequence[Certificate]
) -> tuple[Outcome, tuple[str, ...]]:
    """What a check says of one reading; what the list of means refutes has no certificate."""
    question, notes = flatten(reading)
    if isinstance(question, Problem) and unreachable(question):
        return Outcome(reading, INCONSISTENT, problem=question), notes
    return decide_reading(reading, index, budget, proofs)


def unreachable(problem: Problem) -> bool:
    """Whether some mean of a share is none that any folding can have."""
    if len(problem.foldings) != 1 or problem.parts:
        return False
    for target in problem.targets:
        if target.kind is Kind.MEAN and target.score.name in CLASSES and len(set(target.weights)) == 1:
            low, high = target.interval.lo, target.interval.hi
            known = means(problem.foldings[0], CLASSES[target.score.name], problem.undefined)
            if known is not None and low is not None and high is not None:
                first, last = (floor(end * SCALE) for end in (low, high))
                if np.searchsorted(known, first) == np.searchsorted(known, last, side="right"):
                    return True
    return False


@lru_cache(maxsize=6)
def means(folding: Folding, side: int, undefined: Undefined) -> NDArray[np.int64] | None:
    """All means of the share of one class over the folds, scaled and rounded down; None for too many."""
    if comb((folding.p, folding.n)[side] + folding.k, folding.k) > 100 * MOST_ENTRIES:
        return None
    kinds: dict[tuple[int, ...], None] = {}
    for folds in islice(foldings(folding.p, folding.n, folding.k, sizes=folding.uneven), MOST_FOLDINGS + 1):
        kinds[tuple(sorted(((fold.p, fold.n)[side] for fold in folds), reverse=True))] = None
    if len(kinds) > MOST_FOLDINGS:
        return None
    work, found = 0, []
    for items in kinds:
        if undefined == "impossible" and not all(items):
            continue
        groups = {size: items.count(size) for size in items if size}
        whole = lcm(*groups)
        meant = sum(groups.values()) if undefined == "skip" else folding.k
        work += prod(size * many + 1 for size, many in groups.items())
        # the largest product below is SCALE times a sum of at most one for each fold
        if work > MOST_ENTRIES or folding.k * whole * SCALE >= 1 << 62:
            return None
        sums = np.zeros(1, dtype=np.int64)
        for size, many in groups.items():
            steps = np.arange(size * many + 1, dtype=np.int64) * (whole // size)
            sums = (sums[:, None] + steps[None, :]).ravel()
        reached = np.zeros(folding.k * whole + 1, dtype=bool)
        reached[sums] = True
        found.append(np.flatnonzero(reached) * SCALE // (whole * meant))
    return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)
