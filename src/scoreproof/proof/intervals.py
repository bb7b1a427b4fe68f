"""One matrix with printed confidence intervals: what fits, and proofs that nothing does.

NoMatrix      the figures alone admit no matrix, whatever their intervals
NoInterval    of the matrices that give the figures none has the printed intervals; the
              verifier goes through them one by one
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial

from scoreproof.budget import Budget, OutOfBudget, TooMuch
from scoreproof.interval import Interval
from scoreproof.proof import one_matrix
from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.confidence import METHODS, counts, fits, proportion_fits
from scoreproof.proof.recount import Recount, recount
from scoreproof.proof.witness import Witness, give_one
from scoreproof.question.question import Kind, Limits, Problem, Target, WithIntervals
from scoreproof.scores import SCORES, Matrix

#: Items of one class whose intervals are computed, and matrices gone through, at most.
MOST_COUNTS, MOST_MATRICES = 20_000, 100_000
#: Work of comparing one share.
ONE_SHARE = 1_000


@node("no-interval")
class NoInterval(Proof):
    """No matrix that gives the figures has the printed intervals."""


Certificate = NoMatrix | NoInterval


def replay(question: WithIntervals, certificate: Certificate, budget: Budget) -> bool:
    """Whether the certificate proves that no matrix gives the figures and the intervals."""
    if isinstance(certificate, NoMatrix):
        return one_matrix.replay(question.problem, certificate, budget)
    try:
        return next(fitting(question, budget), None) is None
    except TooMuch:
        return False


def confirms(question: WithIntervals, witness: Witness) -> bool:
    """Whether the matrix gives the figures and their intervals."""
    # no verdict speaks of more
    few = all(max(matrix) <= MOST_COUNTS for matrix in witness.parts)
    return few and give_one(question.problem, witness) and has(question, witness.parts[0])


def has(question: WithIntervals, matrix: Matrix, limits: tuple[Limits, ...] | None = None) -> bool:
    """Whether the intervals of this matrix, or some of them, can have been printed so."""
    return all(
        fits(each.method, each.score.name, matrix, (each.lower, each.upper), each.level)
        for each in (question.limits if limits is None else limits)
    )


def recounted(question: WithIntervals, budget: Budget, enough: int | None = None) -> Recount:
    """How many matrices give the figures and their intervals."""
    try:
        narrow, same = narrowed(question, budget)
        if same:
            return recount(narrow, budget, enough)
        return Recount(sum(1 for _ in fitting(question, budget)), True)
    except (TooMuch, OutOfBudget):
        return Recount(0, False)


def narrowed(question: WithIntervals, budget: Budget) -> tuple[Problem, bool]:
    """The figures alone, with what the intervals of sens and spec leave of tp and tn as two more.

    True says that these say as much as all the intervals; otherwise more matrices fit them.
    Raises TooMuch for classes whose intervals are not computed.
    """
    problem = question.problem
    (sample,) = problem.parts
    same = all(each.score.name in ("sens", "spec") for each in question.limits)
    for name, size in (("sens", sample.p), ("spec", sample.n)):
        if not any(each.score.name == name for each in question.limits):
            continue
        found = hits(question, name, size, budget)
        if not found or not size:
            return problem, False
        same = same and found[-1] - found[0] + 1 == len(found)
        bounds = Interval(Fraction(found[0], size), Fraction(found[-1], size))
        more = Target(f"interval of {name}", Kind.MEAN, SCORES[name], bounds, (Fraction(1),))
        problem = replace(problem, targets=(*problem.targets, more))
    return problem, same


def fitting(question: WithIntervals, budget: Budget) -> Iterator[Matrix]:
    """Every matrix that gives the figures and their intervals, by tp, then tn."""
    (sample,) = question.problem.parts
    columns = hits(question, "sens", sample.p, budget)
    rows = hits(question, "spec", sample.n, budget)
    others = tuple(each for each in question.limits if each.score.name not in ("sens", "spec"))
    work = sum(METHODS[each.method].work(sample.p + sample.n) for each in (*question.limits[:1], *others))
    for seen, matrix in enumerate(one_matrix.fitting(question.problem, columns, rows, budget), 1):
        if seen > MOST_MATRICES:
            raise TooMuch
        budget.spend(work)
        if has(question, matrix, others):
            yield matrix


def hits(question: WithIntervals, name: str, size: int, budget: Budget) -> list[int]:
    """The hits of one class that its printed figure and interval leave possible, in order."""
    if size > MOST_COUNTS:
        raise TooMuch
    budget.spend(ONE_SHARE * (size + 1))
    targets = question.problem.targets
    found = list(counts((each.interval for each in targets if each.score.name == name), size))
    for each in question.limits:
        if each.score.name == name:
            found = _with_limits(each.method, found, size, each, budget)
    return found


def _with_limits(method: str, found: Sequence[int], size: int, limits: Limits, budget: Budget) -> list[int]:
    """Those of the counts, given in order, whose interval can have been printed so."""
    row = METHODS[method]
    ends = limits.lower, limits.upper
    if not size:
        return []
    if row.one_of:
        return sorted({x for each in row.one_of for x in _with_limits(each, found, size, limits, budget)})
    if row.side is None:
        budget.spend(row.work(size) * len(found))
        return [x for x in found if proportion_fits(method, x, size, ends, limits.level)]
    budget.spend(row.work(size) * 2 * len(found).bit_length())
    sides = lru_cache(maxsize=None)(partial(row.side, m=size, limits=ends, level=limits.level))
    # Both limits rise with x, so what fits stands together: from where neither is below to where one is above.
    first = bisect_left(found, True, key=lambda x: sides(x) in (0, 1))
    return list(found[first : bisect_left(found, True, key=lambda x: sides(x) in (1, 2))])
