"""Deciding figures about rankings: AUC and the like, with matrices at thresholds.

One ranking and one threshold is a question about a matrix with two more curved bounds, which
engine 1 decides at any size.  Several thresholds, or average precision, are looked through.
Means over parts go to the engine for averages: with a linear bound by AUC, which is quick, and,
where that leaves no rankings, with bounds on products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice
from math import lcm
from typing import Any

from scoreproof.budget import Budget, TooMuch
from scoreproof.effort import within
from scoreproof.interval import Interval
from scoreproof.proof import kinds
from scoreproof.proof.confidence import counts
from scoreproof.proof.ranking.chains import (
    area,
    bounds,
    candidates,
    doubled,
    of_all,
)
from scoreproof.proof.ranking.no_ranking import (
    NoRanking,
    alone,
    broken_bound,
    closely_confined,
    confined,
    divided,
    lacking,
    out_of_range,
)
from scoreproof.proof.ranking.witness import Rankings, confirms
from scoreproof.proof.sums.choice import Folds
from scoreproof.proof.sums.nodes import Fewer
from scoreproof.proof.witness import Witness
from scoreproof.question import evaluate
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Ranked, Target, WithoutCounts
from scoreproof.scores import LEAST_AUC, MOST_AUC, Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.ranking.orderings import one_threshold, shaped, spread
from scoreproof.solve.registry import ask
from scoreproof.solve.sums.plausible import plausible, stratified

#: Chains of thresholds for which a ranking with the average precision is looked for.
MOST_CHAINS = 8
#: How often a matrix of unknown size is enlarged.
SCALES = (1, 2, 3, 5, 10, 30, 100, 1000, 10**5)

#: Pairs of a positive and a negative in a part up to which bounds on products are tried.
LARGEST_GRID = 250_000
#: Pairs, twice counted, of a part up to which AUCs are steered in floats; unknown foldings that are tried.
LARGEST_SIZE = 10**12
FOLDINGS = 5
#: Starts of the search for AUCs with a mean and a deviation, alone and beside matrices.
FEW_STARTS, STARTS = 6, 30
#: Work of making the rankings of one matrix.
SHAPED = 20_000_000
#: AUCs of the parts for which average precisions are looked for, every so many that are found.
TRIED, APART = 24, 4

Range = tuple[int, int]


def decide(question: Ranked, budget: Budget) -> Answer:
    """Rankings that give the figures, a proof that there are none, or neither."""
    if lacking(question):
        return _refuted("undefined")
    base = question.base
    if isinstance(base, WithoutCounts):
        return _without_counts(question, base, budget)
    if question.averaged:
        return _means(question, budget)
    if question.points or question.precisions:
        return _chains(question, budget)
    return _one(question, budget)


def _refuted(why: str, proof: Any = None) -> Refuted:
    return Refuted(NoRanking(why, proof))


def _one(question: Ranked, budget: Budget) -> Answer:
    """One ranking, one threshold at most."""
    problem, base = closely_confined(question), question.plain
    assert problem is not None and isinstance(base, Problem)
    first, last = doubled(question)
    if first > last:
        return _refuted("chains")
    answer = ask(problem, budget)
    match answer:
        case Refuted(certificate):
            return _refuted("matrix", certificate)
        case Open():
            return answer
    (sample,) = base.parts
    (matrix,) = _matrices(answer)
    chain = ((matrix.tp, matrix.tn),) if base.targets else ()
    low, high = bounds(chain, sample.p, sample.n)
    ranking = spread(chain, sample.p, sample.n, max(first, 2 * low) if first <= 2 * high else 2 * high)
    count = answer.count if answer.count_exact and base.targets else None
    return Fits(Rankings((ranking,)), count)


def _matrices(answer: Fits) -> tuple[Matrix, ...]:
    assert isinstance(answer.witness, Witness)
    return answer.witness.parts


def _chains(question: Ranked, budget: Budget) -> Answer:
    assert isinstance(question.plain, Problem)
    (sample,) = question.plain.parts
    first, last = doubled(question)
    printed = [each.interval for each in question.precisions]
    tried = 0
    try:
        for each in candidates(question, budget):
            tried += 1
            for ranking in shaped(each, sample.p, sample.n, first, last, printed):
                found = Rankings((ranking,))
                if confirms(question, found):
                    return Fits(found)
            if tried >= MOST_CHAINS:
                break
    except TooMuch:
        return Open("the operating points leave more combinations of matrices than are looked through")
    if not tried:
        return _refuted("chains")
    return Open("no bound is broken, but no ranking with this average precision was found")


def _means(question: Ranked, budget: Budget) -> Answer:
    """Figures over parts; one divisor is that of the deviations of matrices and areas alike."""
    base = question.plain
    assert isinstance(base, Problem)
    areas = question.areas + question.precisions
    if not areas or base.foldings:
        return _over_parts(question, budget)
    told = [any(each.kind is Kind.SD for each in targets) for targets in (areas, base.targets)]
    answer = _each(question, _over_parts, budget) if all(told) else None
    return answer or _over_parts(question, budget)


def _each(question: Ranked, how: Callable[[Ranked, Budget], Answer], budget: Budget) -> Answer | None:
    """The question case by case, where there are cases."""
    proofs, open_ = [], None
    ways = divided(question)
    for i, way in enumerate(ways):
        answer = _refuted("undefined") if lacking(way) else how(way, budget.share(len(ways) - i))
        if isinstance(answer, Fits):
            return answer
        if isinstance(answer, Refuted):
            assert isinstance(answer.certificate, NoRanking)
            proofs.append(answer.certificate)
        else:
            open_ = answer
    return open_ or (Refuted(NoRanking("cases", None, tuple(proofs))) if ways else None)


def _over_parts(question: Ranked, budget: Budget) -> Answer:
    """The areas alone, then the matrices by the engine for sums with a ranking for each."""
    base = question.plain
    assert isinstance(base, Problem)
    if out_of_range(question):
        return _refuted("range")
    if base.foldings and (question.areas or question.precisions):
        return _over_foldings(question, base, budget)
    found = _areas_alone(question, base, budget) if question.areas else []
    if isinstance(found, Refuted):
        return found
    if not base.targets:
        matrices = tuple(Matrix(0, 0, part.p, part.n) for part in base.parts)
        rankings = _shared(question, matrices, budget, found) or _together(question, budget)
        return Fits(rankings) if rankings else Open("no bound is broken, but no rankings were found")
    answer = _matrices_first(question, budget.share(2) if found else budget)
    if isinstance(answer, Open) and (rankings := _together(question, budget)):
        return Fits(rankings)
    if isinstance(answer, Open) and found:
        after = ask(_beside(base, found), budget)
        rankings = _shared(question, _matrices(after), budget, found) if isinstance(after, Fits) else None
        return Fits(rankings) if rankings else answer
    return answer


def _together(question: Ranked, budget: Budget) -> Rankings | None:
    """Matrices, areas and average precisions looked for at once, where the figures allow it."""
    from scoreproof.solve.ranking.likely import serves, together

    if serves(question):
        with within(budget.share(4)) as part:
            return together(question, part)
    return None


def _over_foldings(question: Ranked, base: Problem, budget: Budget) -> Answer:
    """Stratified folds, then what holds in all foldings, then other likely ones, and all if they are few."""
    answer = _with_folds(question, base, stratified(base), budget.share(4))
    if answer is not None:
        return answer
    every = _matrices_first(question, budget.share(2))
    if not isinstance(every, Open):
        return every
    for folds in islice(plausible(base, 0), FOLDINGS):
        answer = _with_folds(question, base, folds, budget.share(12))
        if answer is not None:
            return answer
    return _each(question, _means, budget) or every


def _with_folds(question: Ranked, base: Problem, folds: Folds, budget: Budget) -> Fits | None:
    """Rankings if the foldings fall like this."""
    way = replace(question, base=base.with_folds(folds))
    with within(budget) as part:
        answer = None if lacking(way) else _means(way, part)
        return answer if isinstance(answer, Fits) else None
    return None


def _matrices_first(question: Ranked, budget: Budget) -> Answer:
    """The matrices, within what AUC leaves them, then a ranking for each."""
    close = closely_confined(question)
    ways: list[tuple[str, Problem, tuple[int, ...]]] = [("parts", confined(question), ())]
    if isinstance(close, Problem) and not _large(close):
        # more searches serve where nothing is said of single parts
        means = _about_all(close)
        fewer = replace(close, targets=tuple(close.targets[t] for t in means))
        ways += [("matrix", fewer, means)] if means else []
        ways.append(("matrix", close, ()))
    for why, problem, some in ways:
        answer = ask(problem, budget.share(2), counting=False)
        if isinstance(answer, Refuted):
            proof: Any = answer.certificate
            return _refuted(why, Fewer(some, proof) if some else proof)
        rankings = _shared(question, _matrices(answer), budget) if isinstance(answer, Fits) else None
        if rankings is not None:
            return Fits(rankings)
    if isinstance(answer, Open):
        return answer
    reason = "matrices fit, and no known bound on AUC over parts is broken, but no rankings were found"
    return Open(reason, budget.late)


def _about_all(close: Problem) -> tuple[int, ...]:
    """The places of all targets but bounds on areas of single parts; nothing if there are no such bounds."""
    single = {LEAST_AUC.name, MOST_AUC.name}
    kept = [
        t for t, each in enumerate(close.targets) if each.kind is not Kind.EACH or each.score.name not in single
    ]
    return tuple(kept) if len(kept) < len(close.targets) else ()


def _large(problem: Problem) -> bool:
    """Whether a part has more pairs than bounds on products are tried for."""
    unknown = max((fold.sizes[0][0] for fold in problem.foldings), default=0) // 2
    return max([part.p * part.n for part in problem.parts] + [unknown**2]) > LARGEST_GRID


def _areas_alone(question: Ranked, base: Problem, budget: Budget) -> list[int] | Refuted:
    """Numbers 2·U of known parts that give every figure of AUC, or a proof that there are none; or nothing."""
    sizes = [2 * part.p * part.n for part in base.parts]
    with within(budget.share(10)) as part:
        found = next(_pairs(question, [(0, size) for size in sizes], sizes, part, FEW_STARTS), None)
        if found is not None:
            return found
    answer = ask(asked, budget.share(2)) if (asked := alone(question)) else None
    if isinstance(answer, Refuted):
        return _refuted("areas", answer.certificate)
    return [matrix.tp for matrix in _matrices(answer)] if isinstance(answer, Fits) else []


def _pairs(
    question: Ranked, ranges: list[Range], sizes: list[int], budget: Budget, starts: int = STARTS
) -> Iterator[list[int]]:
    """Numbers 2·U within the ranges that give every figure of AUC."""
    figures, asked = question.areas, alone(question)
    if all(map(of_all, figures)) and not (figures and question.precisions):
        chosen = [low for low, _ in ranges]
        if not figures or _filled(question, sizes, ranges, chosen):
            yield chosen
            return
    if asked is None or max(sizes) > LARGEST_SIZE:
        return
    from scoreproof.solve.ranking.areas import narrowed, placed

    scales = narrowed(figures, ranges, sizes)
    for found in placed(figures, asked, scales, budget, starts) if scales else ():
        if evaluate.confirms(asked, [(u, 0) for u in found]):
            yield found


def _shared(
    question: Ranked, matrices: tuple[Matrix, ...], budget: Budget, pairs: list[int] | None = None
) -> Rankings | None:
    """Rankings with these matrices, and these 2·U if they are known, that give every figure."""
    base = question.plain
    assert isinstance(base, Problem)
    known = replace(base, parts=tuple(Sample(m.p, m.n) for m in matrices), foldings=())
    asked = replace(question, base=known)
    several = any(each.kind is Kind.SD for each in base.targets)
    ways = (divided(asked) if several else []) or [asked]
    with within(budget.share(4)) as part:
        for i, way in enumerate(ways):
            if kinds.confirms(way.plain, Witness(matrices)):
                rankings = _ranked_so(way, matrices, part.share(len(ways) - i), pairs)
                if rankings is not None:
                    return rankings
    return None


def _ranked_so(
    question: Ranked, matrices: tuple[Matrix, ...], budget: Budget, pairs: list[int] | None
) -> Rankings | None:
    """The same for known parts, and one divisor."""
    ranges = [(2 * low, 2 * high) for low, high in (bounds(((m.tp, m.tn),), m.p, m.n) for m in matrices)]
    sizes = [2 * m.p * m.n for m in matrices]
    assert isinstance(question.plain, Problem)
    with within(budget) as part:
        every = _pairs(question, ranges, sizes, part)
        # one of many places of one start is as good as the others
        for found in islice(chain([pairs] if pairs else [], islice(every, 0, None, APART)), TRIED):
            rankings = _ranked(question, question.plain, matrices, found, part)
            if rankings is not None and confirms(question, rankings):
                return rankings
            if not question.precisions:
                break
    return None


def _ranked(
    question: Ranked, known: Problem, matrices: tuple[Matrix, ...], pairs: list[int], budget: Budget
) -> Rankings | None:
    """Rankings with these matrices, with these 2·U where AUC is printed, and with the average precisions."""
    if question.precisions:
        fixed = [any(each.weights[i] for each in question.areas) for i in range(len(matrices))]
        pinned = [u if said else None for u, said in zip(pairs, fixed, strict=True)]
        return _precise(question, known, matrices, pinned, budget)
    both = zip(matrices, pairs, strict=True)
    return Rankings(tuple(spread(((m.tp, m.tn),), m.p, m.n, u) for m, u in both))


def _precise(
    question: Ranked, known: Problem, matrices: tuple[Matrix, ...], pairs: list[int | None], budget: Budget
) -> Rankings | None:
    """Rankings of some shapes whose average precisions give every figure."""
    from scoreproof.solve.ranking.areas import Scale, Shapes, placed, shapes

    made: dict[tuple[Matrix, int | None], Shapes] = {}
    every = []
    for matrix, u in zip(matrices, pairs, strict=True):
        if (matrix, u) not in made:
            budget.spend(SHAPED)
            made[matrix, u] = shapes(matrix, u)
        every.append(made[matrix, u])
    scales = [Scale(0, len(own.made) - 1, table=own.precisions) for own in every]
    for found in placed(question.precisions, known, scales, budget, FEW_STARTS):
        rankings = Rankings(tuple(own.made[place]() for own, place in zip(every, found, strict=True)))
        if confirms(question, rankings):
            return rankings
    return None


def _beside(base: Problem, pairs: list[int]) -> Problem:
    """The question about matrices beside rankings with these 2·U."""
    targets = []
    for i, (part, u) in enumerate(zip(base.parts, pairs, strict=True)):
        weights = tuple(Fraction(i == j) for j in range(len(pairs)))
        area = Fraction(u, 2 * part.p * part.n)
        targets.append(Target("", Kind.MEAN, LEAST_AUC, Interval(None, area), weights))
        targets.append(Target("", Kind.MEAN, MOST_AUC, Interval(area, None), weights))
    return replace(base, targets=(*base.targets, *targets))


def _filled(question: Ranked, sizes: list[int], ranges: list[Range], chosen: list[int]) -> bool:
    """Raise the 2·U of part after part until their mean AUC is printed; whether it comes to that."""
    common = lcm(*sizes)
    # in units of 1/(K·common) of mean AUC
    within = counts([area(question)], len(sizes) * common)
    least, most = within.start, within.stop - 1
    steps = [common // size for size in sizes]
    total = sum(u * step for u, step in zip(chosen, steps, strict=True))
    for i, ((low, high), step) in enumerate(zip(ranges, steps, strict=True)):
        if total >= least:
            break
        more = min(high - low, (most - total) // step)
        chosen[i] += more
        total += more * step
    return least <= total <= most


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
        for wanted in (each.interval for each in question.areas):
            middle = ((wanted.lo or 0) + (1 if wanted.hi is None else wanted.hi)) / 2
            ranking = spread(((tp, tn),), p, n, min(max(round(2 * p * n * middle), 2 * low), 2 * high))
            if confirms(question, found := Rankings((ranking,))):
                return Fits(found)
    return Open("no bound on AUC that holds whatever the counts is broken, but no ranking was found")
