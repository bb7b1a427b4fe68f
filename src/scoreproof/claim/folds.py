"""All ways in which the items of a cross-validation can fall into its folds.

Only counts matter, so a folding is a multiset of fold sizes (p_i, n_i): seed 001's fold
configuration.  The sizes of the folds differ by at most one, so ``(p+n) mod k`` of them are
larger by one item, and a folding is a partition of the positives into the larger and the
smaller folds; the negatives fill up what is left.

>>> count_foldings(38, 262, 5, condition="both-classes")
918
>>> next(foldings(3, 5, 2))
(Sample(p=1, n=3), Sample(p=2, n=2))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from scoreproof.errors import BadClaim

Condition = Literal["any", "two-folds", "both-classes"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One evaluation set with its class counts.

    >>> Sample(38, 262)
    Sample(p=38, n=262)
    """

    p: int
    n: int


@dataclass(frozen=True, slots=True)
class Folding:
    """k folds of p positive and n negative items; how the items fell into them is not known.

    Legal are all ways in which the sizes of the folds differ by at most one and each class
    appears in at least two folds (a class with a single item, or a single fold, excepted).
    """

    p: int
    n: int
    k: int


def fold_sizes(p: int, n: int, k: int) -> tuple[tuple[int, int], ...]:
    """(size, how many folds have it), the larger folds first, none listed that do not occur.

    >>> fold_sizes(244, 262, 5)
    ((102, 1), (101, 4))
    """
    if k < 1 or p < 0 or n < 0:
        raise BadClaim("folds", "counts must not be negative, and there must be at least one fold")
    size, larger = divmod(p + n, k)
    return tuple((s, m) for s, m in ((size + 1, larger), (size, k - larger)) if m)


def appears_twice(count: int, in_folds: Sequence[int]) -> bool:
    """Whether a class falls into at least two folds; a single item or a single fold cannot."""
    return count < 2 or len(in_folds) < 2 or sum(1 for x in in_folds if x) >= 2


def legal(folding: Folding, folds: Sequence[Sample]) -> bool:
    """Whether the folding could have fallen like this."""
    p, n, k = folding.p, folding.n, folding.k
    sizes = sorted(s.p + s.n for s in folds)
    return (
        len(folds) == k
        and all(s.p >= 0 and s.n >= 0 for s in folds)
        and sum(s.p for s in folds) == p
        and sum(s.n for s in folds) == n
        and sizes[-1] - sizes[0] <= 1
        and appears_twice(p, [s.p for s in folds])
        and appears_twice(n, [s.n for s in folds])
    )


def positives_range(p: int, n: int, size: int, both_classes: bool = False) -> tuple[int, int]:
    """The fewest and the most positives a fold of this size can hold."""
    return max(size - n, int(both_classes), 0), min(p, size - int(both_classes))


def _ascending(total: int, parts: int, lo: int, hi: int) -> Iterator[tuple[int, ...]]:
    """All non-decreasing tuples of so many numbers in lo..hi with the given sum."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    # the others are at least the first and at most hi
    for first in range(max(lo, total - (parts - 1) * hi), min(hi, total // parts) + 1):
        for rest in _ascending(total - first, parts - 1, first, hi):
            yield (first, *rest)


def foldings(
    p: int, n: int, k: int, *, both_classes: bool = False, two_folds: bool = True
) -> Iterator[tuple[Sample, ...]]:
    """Every folding once, larger folds first, in a fixed order.

    ``two_folds`` asks that each class appears in at least two folds (unless it has a single
    item, or there is a single fold), ``both_classes`` that every fold has both classes.

    >>> sum(1 for _ in foldings(30, 300, 5))
    673
    """
    sizes = fold_sizes(p, n, k)
    (big, many), (small, rest) = (*sizes, (0, 0))[:2]
    first, last = positives_range(p, n, big, both_classes)
    lo, hi = positives_range(p, n, small, both_classes)
    for inside in range(many * max(first, 0), min(p, many * last) + 1):
        for one in _ascending(inside, many, first, last):
            for two in _ascending(p - inside, rest, lo, hi):
                folds = tuple(Sample(x, big - x) for x in one) + tuple(Sample(x, small - x) for x in two)
                if not two_folds or (
                    appears_twice(p, [s.p for s in folds]) and appears_twice(n, [s.n for s in folds])
                ):
                    yield folds


def _multisets(parts: int, cap: int, top: int) -> list[int]:
    """How many multisets of so many numbers in 0..cap have the sum 0, 1, …, top.

    These are the coefficients of the Gaussian binomial ``∏ (1-x^(cap+i)) / (1-x^i)``.
    """
    ways = [0] * (top + 1)
    if cap < 0:
        ways[0] = int(parts == 0)
        return ways
    ways[0] = 1
    # the coefficients are the same with cap and parts exchanged; the fewer factors, the sooner
    parts, cap = min(parts, cap), max(parts, cap)
    for i in range(1, parts + 1):
        for total in range(top, cap + i - 1, -1):
            ways[total] -= ways[total - cap - i]
        for total in range(i, top + 1):
            ways[total] += ways[total - i]
    return ways


def count_foldings(p: int, n: int, k: int, *, condition: Condition) -> int:
    """How many foldings there are, without listing them.

    ``any``: sizes differ by at most one; ``two-folds``: and each class appears in at least
    two folds; ``both-classes``: and every fold has both classes.

    >>> count_foldings(30, 300, 5, condition="any"), count_foldings(30, 300, 5, condition="two-folds")
    (674, 673)
    """
    if condition not in ("any", "two-folds", "both-classes"):
        raise BadClaim("condition", "expected 'any', 'two-folds' or 'both-classes'")
    least = int(condition == "both-classes")
    sizes = fold_sizes(p, n, k)
    top = p - least * k
    if top < 0:
        return 0
    ways = [_multisets(many, size - 2 * least, top) for size, many in sizes]
    # the larger folds hold i of the positives, the smaller ones the others
    found = ways[0][top] if len(ways) == 1 else sum(ways[0][i] * ways[1][top - i] for i in range(top + 1))
    return found - len(_alone(p, n, k)) if condition == "two-folds" else found


def _alone(p: int, n: int, k: int) -> set[tuple[tuple[int, int], ...]]:
    """The foldings that put all of a class with several items into one of several folds."""
    sizes = [size for size, many in fold_sizes(p, n, k) for _ in range(many)]
    found = set()
    for count, flip in ((p, False), (n, True)):
        if count < 2 or k < 2:
            continue
        for place, size in enumerate(sizes):
            if count <= size:
                inside = [(count if i == place else 0) for i in range(k)]
                pairs = [(x, s - x) for x, s in zip(inside, sizes, strict=True)]
                found.add(tuple(sorted((b, a) if flip else (a, b) for a, b in pairs)))
    return found


@lru_cache(maxsize=256)
def stratified_folds(p: int, n: int, k: int) -> tuple[Sample, ...]:
    """The folds of scikit-learn's StratifiedKFold: classes and sizes differ by at most one.

    The larger shares of the positives go to the first folds, those of the negatives
    start where the positives' stopped.

    >>> stratified_folds(7, 11, 3)
    (Sample(p=3, n=3), Sample(p=2, n=4), Sample(p=2, n=4))
    """
    p_div, p_mod = divmod(p, k)
    n_div, n_mod = divmod(n, k)
    return tuple(Sample(p_div + (i < p_mod), n_div + ((i - p_mod) % k < n_mod)) for i in range(k))


def caret_folds(p: int, n: int, k: int) -> list[tuple[Sample, ...]]:
    """The stratified folds R's caret may deal: what is left of each class goes to folds drawn by lot.

    >>> [[(fold.p, fold.n) for fold in folds] for folds in caret_folds(3, 5, 2)]
    [[(2, 2), (1, 3)], [(2, 3), (1, 2)]]
    """
    p_div, p_mod = divmod(p, k)
    n_div, n_mod = divmod(n, k)
    together = range(max(0, p_mod + n_mod - k), min(p_mod, n_mod) + 1)
    return [
        tuple(Sample(p_div + (i < p_mod), n_div + (p_mod - both <= i < p_mod - both + n_mod)) for i in range(k))
        for both in together
    ]


def folds_in_order(p: int, n: int, k: int, negatives_first: bool = False) -> tuple[Sample, ...]:
    """The folds cut one after the other from data sorted by class.

    >>> folds_in_order(3, 5, 2)
    (Sample(p=3, n=1), Sample(p=0, n=4))
    """
    sizes = [size for size, many in fold_sizes(p, n, k) for _ in range(many)]
    first = n if negatives_first else p
    found, done = [], 0
    for size in sizes:
        own = max(0, min(first, done + size) - done)
        found.append(Sample(size - own, own) if negatives_first else Sample(own, size - own))
        done += size
    return tuple(found)
