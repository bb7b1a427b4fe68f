"""Few foldings: all of them are listed, and each is decided like known parts."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from scoreproof.budget import Budget, OutOfWork
from scoreproof.decision import Certificate
from scoreproof.proof.sums.listing import MOST_COMBINATIONS, Pruning, every_folding
from scoreproof.proof.sums.model import interchangeable
from scoreproof.proof.sums.nodes import Foldings, Weights
from scoreproof.proof.sums.walk import Walker
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.question import Problem
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.sums.counting import count_foldings
from scoreproof.solve.sums.found import Found

STUBBORN = 50  # of so few foldings the others are tried even if one is left undecided
FOLDING = 200_000  # work of looking at one folding


def combinations(problem: Problem) -> int:
    """How many ways there are for all foldings to fall, exchangeable repeats counted once.

    Where p is so large that even counting takes long, a number that is large enough.
    """
    if any(min(f.p, f.n) > MOST_COMBINATIONS or f.k > 10_000 for f in problem.foldings if f.k > 1):
        return MOST_COMBINATIONS + 1
    total = 1
    for members in interchangeable(problem):
        f = problem.foldings[members[0]]
        least, most = f.inside
        rare, sizes = min(f.p, f.n), f.sizes
        work = rare * min(f.k, max(sizes[0][0], (f.p + f.n) // f.k + 1)) + rare**2 * max(len(sizes) - 2, 0)
        if work > 2_000_000:
            return MOST_COMBINATIONS + 1
        # positives and negatives are alike here; counting takes time with the first
        ways = most - least + 1  # of a test set drawn from all items
        if least == most:
            ways = count_foldings(rare, max(f.p, f.n), f.k, condition="two-folds", sizes=f.uneven)
        total *= comb(ways + len(members) - 1, len(members)) if ways <= MOST_COMBINATIONS else ways
        if total > MOST_COMBINATIONS:
            return total
    return total


def each_folding(
    problem: Problem,
    directions: tuple[Weights, ...],
    most: int,
    budget: Budget,
    decide: Callable[[Problem, Budget], Answer],
) -> Found | Foldings | None:
    """The answer, if there is one; at most ``most`` foldings are decided one by one."""
    walker = Walker(problem, budget=budget)
    pruning = Pruning(walker.model, walker.tables, directions)
    proofs: list[Certificate] = []
    decided = True
    every = every_folding(problem)
    if every is None:
        return None
    for folds in every:
        budget.spend(FOLDING)
        if pruning.refutes(problem, folds):
            continue
        if len(proofs) >= most:
            return None
        known = problem.with_folds(folds)
        try:
            answer = decide(known, budget.share(4))
        except OutOfWork:
            if budget.left < 0:
                raise
            answer = Open()
        match answer:
            case Fits(Witness(parts)):
                points = tuple((matrix.tp, matrix.tn) for matrix in parts)
                if confirms_folded(problem, folds, points):
                    return Found(points, folds)
                decided = False
            case Refuted(certificate):
                proofs.append(certificate)
            case Open():
                decided = False  # another folding may still fit
        if not decided and most > STUBBORN:
            return None
    return Foldings(directions, tuple(proofs)) if decided else None  # type: ignore[arg-type]
