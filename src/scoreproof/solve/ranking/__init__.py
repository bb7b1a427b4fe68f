"""Deciding figures about rankings: AUC and the like, with matrices at thresholds.

One ranking and one threshold is a question about a matrix with two more curved bounds, which
engine 1 decides at any size.  Several thresholds, or average precision, are looked through.
Means over parts go to the engine for averages: with a linear bound by AUC, which is quick, and,
where that leaves no rankings, with bounds on products.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm

from scoreproof.proof.ranking import (
    NoRanking,
    Rankings,
    area,
    broken,
    closely_confined,
    confined,
    confirms,
    lacking,
    no_multiple,
)
from scoreproof.proof.ranking.chains import (
    TooMuch,
    bounds,
    candidates,
    doubled,
    of_auc,
    thresholds,
    whole_numbers,
)
from scoreproof.question.question import Problem, Ranked, WithoutCounts
from scoreproof.solve.one_matrix import decide as one_matrix
from scoreproof.solve.outcome import Found, Inconsistent, Undecided
from scoreproof.solve.ranking.orderings import one_threshold, shaped, spread

#: Chains of thresholds for which a ranking with the average precision is looked for.
MOST_CHAINS = 8
#: How often a matrix of unknown size is enlarged.
SCALES = (1, 2, 3, 5, 10, 30, 100, 1000, 10**5)

#: Pairs of a positive and a negative in a part up to which bounds on products are tried.
LARGEST_GRID = 250_000
#: Sums of 2·U over the parts that are looked through.
MOST_SUMS = 200_000

Answer = Found | Inconsistent[NoRanking] | Undecided


def decide(question: Ranked, index: int, deadline: float | None) -> Answer:
    """Rankings that give the figures, a proof that there are none, or undecided."""
    answer = _decide(question, deadline)
    if isinstance(answer, Found) and isinstance(answer.witness, Rankings):
        return replace(answer, witness=replace(answer.witness, reading=index))
    return answer


def _decide(question: Ranked, deadline: float | None) -> Answer:
    if lacking(question):
        return Inconsistent(NoRanking("undefined"))
    if no_multiple(question):
        return Inconsistent(NoRanking("granularity"))
    base = question.base
    if isinstance(base, WithoutCounts):
        return _countless(question, base, deadline)
    if question.averaged or not (isinstance(base, Problem) and base.single):
        return _means(question, deadline)
    if question.points or any(score.name == "ap" for _, score, _ in question.areas):
        return _chains(question)
    return _one(question, deadline)


def _one(question: Ranked, deadline: float | None) -> Answer:
    """One ranking, one threshold at most."""
    problem = confined(question)
    assert isinstance(problem, Problem) and isinstance(question.base, Problem)
    answer = one_matrix.decide(problem, deadline=deadline)
    if answer.certificate is not None:
        return Inconsistent(NoRanking("matrix", answer.certificate))
    if answer.witness is None:
        return Undecided(answer.reason, ("a confusion matrix within the bounds of AUC",))
    (sample,) = problem.parts
    matrix = answer.witness
    chain = ((matrix.tp, matrix.tn),) if question.base.targets else ()
    low, high = bounds(chain, sample.p, sample.n)
    first, _last = doubled(question)
    ranking = spread(chain, sample.p, sample.n, max(first, 2 * low) if first <= 2 * high else 2 * high)
    count = answer.count if answer.count_exact and question.base.targets else None
    return Found(Rankings((ranking,)), count)


def _chains(question: Ranked) -> Answer:
    assert isinstance(question.base, Problem)
    (sample,) = question.base.parts
    first, last = doubled(question)
    precisions = [interval for _, score, interval in question.areas if score.name == "ap"]
    tried = 0
    try:
        for each in candidates(question):
            tried += 1
            for ranking in shaped(each, sample.p, sample.n, first, last, precisions):
                found = Rankings((ranking,))
                if confirms(question, found):
                    return Found(found)
            if tried >= MOST_CHAINS:
                break
    except TooMuch:
        reason = "there are more combinations of thresholds than are looked through"
        return Undecided(reason, ("every chain of thresholds, up to a limit",))
    if not tried:
        return Inconsistent(NoRanking("chains"))
    reason = "no bound is broken, but no ranking with this average precision was found"
    return Undecided(reason, ("rankings between the thresholds, of a few shapes",))


def _means(question: Ranked, deadline: float | None) -> Answer:
    """Means over parts: the matrices by the engine for averages, then a ranking for each."""
    problem = confined(question)
    if problem is None:
        return Undecided("AUC over such parts is not decided", ())
    pairs: tuple[tuple[int, int], ...] | None
    if problem.foldings:
        from scoreproof.solve import foldings

        found = foldings.decide(problem, deadline=deadline)
        if isinstance(found, foldings.Inconsistent):
            return Inconsistent(NoRanking("parts", found.certificate))
        if isinstance(found, foldings.Undecided):
            return Undecided(found.reason, found.tried)
        parts, pairs = problem.with_folds(found.folds).parts, found.witness
    elif problem.single:
        one = one_matrix.decide(problem, counting=False, deadline=deadline)
        if one.certificate is not None:
            return Inconsistent(NoRanking("matrix", one.certificate))
        if one.witness is None:
            return Undecided(one.reason, ())
        parts, pairs = problem.parts, ((one.witness.tp, one.witness.tn),)
    else:
        from scoreproof.solve import averages

        answer = averages.decide(problem, deadline=deadline)
        if isinstance(answer, averages.Inconsistent):
            return Inconsistent(NoRanking("parts", answer.certificate))
        if isinstance(answer, averages.Undecided):
            return Undecided(answer.reason, answer.tried)
        parts, pairs = problem.parts, answer.witness
    sizes = [(part.p, part.n) for part in parts]
    rankings = _shared(question, sizes, pairs)
    if rankings is not None and confirms(question, rankings):
        return Found(rankings)
    closely = closely_confined(question)
    if closely is not None and max(p * n for p, n in sizes) <= LARGEST_GRID:
        from scoreproof.solve import averages

        answer = averages.decide(closely, deadline=deadline)
        if isinstance(answer, averages.Inconsistent):
            return Inconsistent(NoRanking("products", answer.certificate))
        if isinstance(answer, averages.Consistent):
            rankings = _shared(question, sizes, answer.witness)
            if rankings is not None and confirms(question, rankings):
                return Found(rankings)
    reason = "matrices fit, and no known bound on mean AUC is broken, but no rankings were found"
    return Undecided(reason, ("the matrices found for the other figures",))


def _shared(
    question: Ranked, sizes: list[tuple[int, int]], pairs: tuple[tuple[int, int], ...]
) -> Rankings | None:
    """Rankings with these matrices whose mean AUC is printed: 2·U of each part, filled one by one."""
    ranges = [
        tuple(2 * end for end in bounds(((tp, tn),), p, n))
        for (tp, tn), (p, n) in zip(pairs, sizes, strict=True)
    ]
    chosen = [low for low, _ in ranges]
    if question.areas and not _filled(question, sizes, ranges, chosen):
        return None
    rankings = [spread(((tp, tn),), p, n, u) for (tp, tn), (p, n), u in zip(pairs, sizes, chosen, strict=True)]
    return Rankings(tuple(rankings))


def _filled(
    question: Ranked, sizes: list[tuple[int, int]], ranges: list[tuple[int, ...]], chosen: list[int]
) -> bool:
    """Raise the 2·U of part after part until their mean AUC is printed; whether it comes to that."""
    weights = [p * n for p, n in sizes]
    common = lcm(*weights)
    # in units of 1/(2·K·common) of mean AUC
    scale = 2 * len(sizes) * common
    least, most = whole_numbers(area(question), scale)
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


def _countless(question: Ranked, base: WithoutCounts, deadline: float | None) -> Answer:
    """No counts: the figures of the matrix, and AUC between its bounds."""
    from scoreproof.solve import relations

    if broken(question):
        return Inconsistent(NoRanking("relation"))
    answer = relations.decide(base, deadline=deadline) if base.figures else None
    if isinstance(answer, relations.Inconsistent):
        return Inconsistent(NoRanking("counts", answer.certificate))
    matrices = answer.matrices if isinstance(answer, relations.Consistent) else ()
    printed = area(question)
    if not base.figures:
        ranking = one_threshold(printed)
        if ranking is not None and confirms(question, found := Rankings((ranking,))):
            return Found(found)
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
                return Found(found)
    reason = "no bound on AUC that holds whatever the counts is broken, but no ranking was found"
    return Undecided(reason, ("the smallest matrix with the other figures, and its multiples",))


__all__ = ["decide", "thresholds"]
