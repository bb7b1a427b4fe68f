"""Deciding figures about rankings: AUC and the like, with matrices at thresholds.

One ranking and one threshold is a question about a matrix with two more curved bounds, which
engine 1 decides at any size.  Several thresholds, or average precision, are looked through.
Means over parts go to the engine for averages: with a linear bound by AUC, which is quick, and,
where that leaves no rankings, with bounds on products.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import Any

from scoreproof.budget import Budget, TooMuch
from scoreproof.proof.ranking.chains import (
    area,
    bounds,
    candidates,
    doubled,
    multiples,
    of_auc,
)
from scoreproof.proof.ranking.no_ranking import (
    NoRanking,
    broken_bound,
    closely_confined,
    confined,
    lacking,
    no_multiple,
    one_matrix,
)
from scoreproof.proof.ranking.witness import Rankings, confirms
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Problem, Ranked, WithoutCounts
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.ranking.orderings import one_threshold, shaped, spread
from scoreproof.solve.registry import ask

#: Chains of thresholds for which a ranking with the average precision is looked for.
MOST_CHAINS = 8
#: How often a matrix of unknown size is enlarged.
SCALES = (1, 2, 3, 5, 10, 30, 100, 1000, 10**5)

#: Pairs of a positive and a negative in a part up to which bounds on products are tried.
LARGEST_GRID = 250_000
#: Sums of 2·U over the parts that are looked through.
MOST_SUMS = 200_000


def decide(question: Ranked, budget: Budget) -> Answer:
    """Rankings that give the figures, a proof that there are none, or neither."""
    if lacking(question):
        return _refuted("undefined")
    if no_multiple(question):
        return _refuted("granularity")
    base = question.base
    if isinstance(base, WithoutCounts):
        return _without_counts(question, base, budget)
    if question.averaged or not one_matrix(base):
        return _means(question, budget)
    if question.points or any(score.name == "ap" for _, score, _ in question.areas):
        return _chains(question, budget)
    return _one(question, budget)


def _refuted(why: str, proof: Any = None) -> Refuted:
    return Refuted(NoRanking(why, proof))


def _one(question: Ranked, budget: Budget) -> Answer:
    """One ranking, one threshold at most."""
    problem = confined(question)
    base = question.plain
    assert problem is not None and isinstance(base, Problem)
    answer = ask(problem, budget)
    match answer:
        case Refuted(certificate):
            return _refuted("matrix", certificate)
        case Open():
            return replace(answer, tried=("a confusion matrix within the bounds of AUC",))
    (sample,) = base.parts
    (matrix,) = _matrices(answer)
    chain = ((matrix.tp, matrix.tn),) if base.targets else ()
    low, high = bounds(chain, sample.p, sample.n)
    first, _last = doubled(question)
    ranking = spread(chain, sample.p, sample.n, max(first, 2 * low) if first <= 2 * high else 2 * high)
    count = answer.count if answer.count_exact and base.targets else None
    return Fits(Rankings((ranking,)), count)


def _matrices(answer: Fits) -> tuple[Matrix, ...]:
    assert isinstance(answer.witness, Witness)
    return answer.witness.parts


def _chains(question: Ranked, budget: Budget) -> Answer:
    assert isinstance(question.base, Problem)
    (sample,) = question.base.parts
    first, last = doubled(question)
    precisions = [interval for _, score, interval in question.areas if score.name == "ap"]
    tried = 0
    try:
        for each in candidates(question, budget):
            tried += 1
            for ranking in shaped(each, sample.p, sample.n, first, last, precisions):
                found = Rankings((ranking,))
                if confirms(question, found):
                    return Fits(found)
            if tried >= MOST_CHAINS:
                break
    except TooMuch:
        reason = "there are more combinations of thresholds than are looked through"
        return Open(reason, ("every chain of thresholds, up to a limit",))
    if not tried:
        return _refuted("chains")
    reason = "no bound is broken, but no ranking with this average precision was found"
    return Open(reason, ("rankings between the thresholds, of a few shapes",))


def _means(question: Ranked, budget: Budget) -> Answer:
    """Means over parts: the matrices by the engine for sums, then a ranking for each."""
    problem = confined(question)
    if problem is None:
        return Open("AUC over such parts is not decided")
    answer = ask(problem, budget, counting=False)
    match answer:
        case Refuted(certificate):
            return _refuted("matrix" if one_matrix(problem) else "parts", certificate)
        case Open():
            return answer
    matrices = _matrices(answer)
    rankings = _shared(question, matrices)
    if rankings is not None and confirms(question, rankings):
        return Fits(rankings)
    closely = closely_confined(question)
    if closely is not None and max(matrix.p * matrix.n for matrix in matrices) <= LARGEST_GRID:
        answer = ask(closely, budget)
        if isinstance(answer, Refuted):
            return _refuted("products", answer.certificate)
        if isinstance(answer, Fits):
            rankings = _shared(question, _matrices(answer))
            if rankings is not None and confirms(question, rankings):
                return Fits(rankings)
    reason = "matrices fit, and no known bound on mean AUC is broken, but no rankings were found"
    return Open(reason, ("the matrices found for the other figures",), budget.late)


def _shared(question: Ranked, matrices: tuple[Matrix, ...]) -> Rankings | None:
    """Rankings with these matrices whose mean AUC is printed: 2·U of each part, filled one by one."""
    sizes = [(m.p, m.n) for m in matrices]
    ranges = [tuple(2 * end for end in bounds(((m.tp, m.tn),), m.p, m.n)) for m in matrices]
    chosen = [low for low, _ in ranges]
    if question.areas and not _filled(question, sizes, ranges, chosen):
        return None
    rankings = [spread(((m.tp, m.tn),), m.p, m.n, u) for m, u in zip(matrices, chosen, strict=True)]
    return Rankings(tuple(rankings))


def _filled(
    question: Ranked, sizes: list[tuple[int, int]], ranges: list[tuple[int, ...]], chosen: list[int]
) -> bool:
    """Raise the 2·U of part after part until their mean AUC is printed; whether it comes to that."""
    weights = [p * n for p, n in sizes]
    common = lcm(*weights)
    # in units of 1/(2·K·common) of mean AUC
    scale = 2 * len(sizes) * common
    least, most = multiples(area(question), scale)
    steps = [common // m for m in weights]
    total = sum(u * step for u, step in zip(chosen, steps, strict=True))
    start = list(chosen)
    for i, ((low, high), step) in enumerate(zip(ranges, steps, strict=True)):
        if total >= least:
            break
        more = min(high - low, (most - total) // step)
        chosen[i] += more
        total += more * step
    if least <= total <= most:
        return True
    found = _summed(ranges, steps, least, most) if total < least else None
    chosen[:] = start if found is None else found
    return found is not None


def _summed(ranges: list[tuple[int, ...]], steps: list[int], least: int, most: int) -> list[int] | None:
    """Numbers from the ranges, each times its step, with a sum in [least, most]: every sum is kept."""
    reached: list[dict[int, int]] = [{0: 0}]
    for (low, high), step in zip(ranges, steps, strict=True):
        if len(reached[-1]) * (high - low + 1) > MOST_SUMS:
            return None
        reached.append({total + u * step: u for total in reached[-1] for u in range(low, high + 1)})
    total = next((each for each in sorted(reached[-1]) if least <= each <= most), None)
    if total is None:
        return None
    found = []
    for sums, step in zip(reversed(reached[1:]), reversed(steps), strict=True):
        found.append(sums[total])
        total -= sums[total] * step
    return found[::-1]


def _without_counts(question: Ranked, base: WithoutCounts, budget: Budget) -> Answer:
    """No counts: the figures of the matrix, and AUC between its bounds."""
    if broken_bound(question) is not None:
        return _refuted("relation")
    answer = ask(base, budget) if base.figures else None
    if isinstance(answer, Refuted):
        return _refuted("counts", answer.certificate)
    matrices = _matrices(answer) if isinstance(answer, Fits) else ()
    printed = area(question)
    if not base.figures:
        ranking = one_threshold(printed)
        if ranking is not None and confirms(question, found := Rankings((ranking,))):
            return Fits(found)
    for scale in SCALES if len(matrices) == 1 else ():
        tp, fp, fn, tn = (scale * cell for cell in matrices[0])
        p, n = tp + fn, fp + tn
        if not (p and n):
            break
        low, high = bounds(((tp, tn),), p, n)
        for name, interval in [(score.name, interval) for _, score, interval in question.areas]:
            wanted = of_auc(name, interval)
            middle = ((wanted.lo or 0) + (1 if wanted.hi is None else wanted.hi)) / 2
            ranking = spread(((tp, tn),), p, n, min(max(round(2 * p * n * middle), 2 * low), 2 * high))
            if confirms(question, found := Rankings((ranking,))):
                return Fits(found)
    reason = "no bound on AUC that holds whatever the counts is broken, but no ranking was found"
    return Open(reason, ("the smallest matrix with the other figures, and its multiples",), budget.late)
