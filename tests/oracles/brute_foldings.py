"""Plain enumeration of claims with unknown foldings: slow, short, easy to check by eye.

Every way to deal the positives out to the folds is tried, and for each of them every
combination of matrices.  Where all figures are means, combinations with the same sums are
tried once (``possible_by_sums``); otherwise each is tried on its own (``possible_plainly``).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

import brute_averages
from brute_averages import inside, number

from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import Matrix


@lru_cache(maxsize=1000)
def folded(parts, foldings, targets, *rest) -> Problem:
    """A question with foldings that are not known."""
    return Problem(parts, targets, *rest, foldings=foldings)


def every_folding(p: int, n: int, k: int) -> list[tuple[Sample, ...]]:
    """All legal folds, up to their order."""
    small, larger = divmod(p + n, k)
    sizes = [small + 1] * larger + [small] * (k - larger)
    found = {}
    for positives in product(range(p + 1), repeat=k):
        folds = tuple(Sample(x, size - x) for x, size in zip(positives, sizes, strict=True))
        if sum(positives) != p or any(s.n < 0 for s in folds):
            continue
        if k >= 2 and p >= 2 and sum(s.p > 0 for s in folds) < 2:
            continue
        if k >= 2 and n >= 2 and sum(s.n > 0 for s in folds) < 2:
            continue
        found[tuple(sorted((s.p, s.n) for s in folds))] = folds
    return list(found.values())


def every_choice_of_folds(loose: Problem):
    return product(*(every_folding(f.p, f.n, f.k) for f in loose.foldings))


def matrices_of(sample: Sample) -> list[Matrix]:
    return [Matrix.of(tp, tn, sample.p, sample.n) for tp in range(sample.p + 1) for tn in range(sample.n + 1)]


def size(loose: Problem) -> int:
    """How many combinations of folds and matrices there are."""
    total = 0
    for folds in every_choice_of_folds(loose):
        count = 1
        for sample in loose.with_folds(folds).parts:
            count *= (sample.p + 1) * (sample.n + 1)
        total += count
    return total


def possible_plainly(loose: Problem) -> bool:
    return any(brute_averages.possible(loose.with_folds(folds)) for folds in every_choice_of_folds(loose))


def contribution(loose: Problem, part: int, matrix: Matrix):
    """What a part adds to (Σ weight·score, Σ weight) of every target; None if impossible."""
    row = []
    for target in loose.targets:
        weight = target.weights[part]
        value = number(target.score.name, matrix, loose.betas) if weight else Fraction(0)
        if value is None and loose.undefined == "impossible":
            return None
        if value is None and loose.undefined == "skip":
            row += [Fraction(0), Fraction(0)]
        else:
            row += [weight * (value or 0), weight]
    return tuple(row)


def possible_by_sums(loose: Problem) -> bool:
    """The same for means only, going through sums instead of choices."""
    assert all(t.kind is Kind.MEAN for t in loose.targets)
    known: dict = {}

    def reached(parts: tuple[tuple[int, Sample], ...]) -> set:
        # the sums of the first parts, shared between foldings that begin alike
        key = tuple((tuple(t.weights[i] for t in loose.targets), s) for i, s in parts)
        if key not in known:
            if not parts:
                known[key] = {(Fraction(0),) * (2 * len(loose.targets))}
            else:
                part, sample = parts[-1]
                rows = {contribution(loose, part, m) for m in matrices_of(sample)} - {None}
                before = reached(parts[:-1])
                known[key] = {tuple(a + b for a, b in zip(x, y, strict=True)) for x in before for y in rows}
        return known[key]

    for folds in every_choice_of_folds(loose):
        parts = tuple(enumerate(loose.with_folds(folds).parts))
        for sums in reached(parts):
            if all(
                sums[2 * t + 1] != 0 and inside(sums[2 * t] / sums[2 * t + 1], target.interval)
                for t, target in enumerate(loose.targets)
            ):
                return True
    return False


def possible(loose: Problem) -> bool:
    """Whether any legal folds and any matrices hit every target."""
    if all(t.kind is Kind.MEAN for t in loose.targets):
        return possible_by_sums(loose)
    return possible_plainly(loose)
