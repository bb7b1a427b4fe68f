"""Foldings as they are usually made: each is a problem with known parts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, pairwise
from random import Random

from scoreproof.budget import Budget
from scoreproof.claim.dealing import stratified_folds
from scoreproof.proof.sums.choice import Folds
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.folds import Folding, Sample, each_size
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.linear import decide_sums

MOST_UNLIKE = 6
MOST_DEALT, MOST_ITEMS = 50_000, 2**50


def straight(problem: Problem) -> bool:
    """Whether every target is a mean of an affine score, so that integer sums decide."""
    return all(target.kind is Kind.MEAN and target.score.affine for target in problem.targets)


def stratified(problem: Problem) -> Folds:
    """The foldings as stratification makes them, larger folds first."""
    return tuple(map(_even, problem.foldings))


def _even(folding: Folding) -> tuple[Sample, ...]:
    """A folding with equal shares of positives, as far as that goes."""
    p, n, k = folding.p, folding.n, folding.k
    if not folding.uneven:
        return tuple(sorted(stratified_folds(p, n, k), key=lambda s: -s.p - s.n))
    ends = accumulate(each_size(folding.sizes), initial=0)
    cuts = pairwise((end, p * end // (p + n)) for end in ends)
    return tuple(Sample(b - a, end - start - (b - a)) for (start, a), (end, b) in cuts)


def _shuffled(folding: Folding, random: Random) -> tuple[Sample, ...]:
    """A folding as chance makes it."""
    if folding.p > folding.n:
        mirrored = _shuffled(Folding(folding.n, folding.p, folding.k, folding.uneven), random)
        return tuple(Sample(s.n, s.p) for s in mirrored)
    sizes = each_size(folding.sizes)
    chosen = [item for item in random.sample(range(folding.p + folding.n), folding.p) if item < sum(sizes)]
    ends = list(accumulate(sizes))
    counts = [0] * folding.k
    for item in chosen:
        counts[bisect_right(ends, item)] += 1
    return tuple(Sample(p, s - p) for p, s in zip(counts, sizes, strict=True))


def _uneven(folding: Folding, random: Random, clinging: float) -> tuple[Sample, ...]:
    """A folding in which positives go where positives are: the more, the smaller ``clinging``."""
    k, sizes = folding.k, each_size(folding.sizes)
    least, most = folding.inside
    p = random.randint(least, most) if least < most else folding.p
    n = sum(sizes) - p
    # if there are enough items, every fold gets one of each class, as most scores need
    least = 1 if p >= k and n >= k and sizes[-1] > 1 else 0
    counts = [least] * k
    for _ in range(p - least * k):
        weights = [(c + clinging) if c < s - least else 0.0 for c, s in zip(counts, sizes, strict=True)]
        counts[random.choices(range(k), weights)[0]] += 1
    return tuple(Sample(c, s - c) for c, s in zip(counts, sizes, strict=True))


def plausible(problem: Problem, seed: int) -> Iterator[Folds]:
    """Foldings to try: as chance makes them, one for all equal repeats or one for each, and
    more and more uneven ones, in which errors can weigh much more or less than on average."""
    random = Random(seed)
    if any(min(f.p, f.n) > MOST_DEALT or f.p + f.n > MOST_ITEMS for f in problem.foldings):
        return  # the items are dealt out one by one, and chance hardly matters for so many
    kinds = dict.fromkeys(problem.foldings)
    even = dict(zip(problem.foldings, stratified(problem), strict=True))
    while True:
        once = {f: _shuffled(f, random) for f in kinds}
        yield tuple(once[f] for f in problem.foldings)
        yield tuple(_shuffled(f, random) for f in problem.foldings)
        if all(f.p <= MOST_DEALT for f in problem.foldings):
            yield tuple(_uneven(f, random, 1.0) for f in problem.foldings)
        yield tuple(
            even[f] if x > 1 or f.p > MOST_DEALT else _uneven(f, random, x)
            for f in problem.foldings
            for x in [random.choice((0.05, 0.2, 0.5, 2.0))]
        )


def unlike(problem: Problem, folds: Folds) -> int:
    """How many different folds there are: each adds two unknown sums to the search."""
    return len({(s.p, s.n, f) for f, inside in zip(problem.foldings, folds, strict=True) for s in inside})


def fits_sums(problem: Problem, folds: Folds, budget: Budget) -> Found | None:
    """A witness with exactly these folds, if integer sums over groups give one."""
    if unlike(problem, folds) > MOST_UNLIKE:
        return None  # a search over so many sums takes long and seldom ends; sampling is quicker
    answer = decide_sums(problem.with_folds(folds), budget)
    if isinstance(answer, Found) and confirms_folded(problem, folds, answer.points):
        return Found(answer.points, folds)
    return None
