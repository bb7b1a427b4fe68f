"""All ways in which the items of a cross-validation can fall into its folds.

Only counts matter, so a folding is a multiset of fold sizes (p_i, n_i): seed 001's fold
configuration.  Unless other sizes are given, those of the folds differ by at most one, so
``(p+n) mod k`` of them are larger by one item.  A folding is a partition of the positives into
the folds of each size; the negatives fill up what is left.

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
Sizes = tuple[tuple[int, int], ...]  # (size, how many folds have it), the larger folds first


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

    Legal are all ways in which the folds have the ``sizes`` and each class appears in at least
    two folds (a class with a single item, or a single fold, excepted).
    """

    p: int
    n: int
    k: int
    uneven: Sizes = ()  # where sizes differ by more than one

    @property
    def sizes(self) -> Sizes:
        return self.uneven or fold_sizes(self.p, self.n, self.k)


def fold_sizes(p: int, n: int, k: int) -> Sizes:
    """(size, how many folds have it), the larger folds first, none listed that do not occur.

    >>> fold_sizes(244, 262, 5)
    ((102, 1), (101, 4))
    """
    if k < 1 or p < 0 or n < 0:
        raise BadClaim("folds", "counts must not be negative, and there must be at least one fold")
    size, larger = divmod(p + n, k)
    return tuple((s, m) for s, m in ((size + 1, larger), (size, k - larger)) if m)


def each_size(sizes: Sizes) -> list[int]:
    """The size of every fold, the larger folds first."""
    return [size for size, many in sizes for _ in range(many)]


def sizes_within(items: int, k: int, difference: int) -> Iterator[Sizes]:
    """Every way to cut so many items into k folds whose sizes differ by at most so much; none is empty.

    >>> list(sizes_within(10, 3, 2))
    [((4, 1), (3, 2)), ((4, 2), (2, 1))]
    """
    for least in range(items // k, 0, -1):
        more = items - k * least  # beyond the smallest fold, of which there is at least one
        if more > (k - 1) * difference:
            return
        for parts in _descending(more, k - 1, difference):
            rest = k - sum(many for _, many in parts)
            yield (*((least + extra, many) for extra, many in parts), (least, rest))


def _descending(total: int, parts: int, most: int) -> Iterator[Sizes]:
    """All multisets of at most so many numbers in 1..most with the given sum, as (number, how many)."""
    if total == 0:
        yield ()
        return
    for first in range(min(most, total), 0, -1):
        if first * parts < total:
            return
        for many in range(min(total // first, parts), 0, -1):
            left = total - many * first
            if left > (parts - many) * (first - 1):
                break  # fewer of the largest leave even more to smaller ones
            for rest in _descending(left, parts - many, first - 1):
                yield ((first, many), *rest)


def appears_twice(count: int, in_folds: Sequence[int]) -> bool:
    """Whether a class falls into at least two folds; a single item or a single fold cannot."""
    return count < 2 or len(in_folds) < 2 or sum(1 for x in in_folds if x) >= 2


def legal(folding: Folding, folds: Sequence[Sample]) -> bool:
    """Whether the folding could have fallen like this."""
    p, n = folding.p, folding.n
    return (
        len(folds) == folding.k
        and all(s.p >= 0 and s.n >= 0 for s in folds)
        and sum(s.p for s in folds) == p
        and sum(s.n for s in folds) == n
        and sorted((s.p + s.n for s in folds), reverse=True) == each_size(folding.sizes)
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
    p: int, n: int, k: int, *, both_classes: bool = False, two_folds: bool = True, sizes: Sizes = ()
) -> Iterator[tuple[Sample, ...]]:
    """Every folding once, larger folds first, in a fixed order.

    ``two_folds`` asks that each class appears in at least two folds (unless it has a single
    item, or there is a single fold), ``both_classes`` that every fold has both classes.  ``sizes``
    are (size, how many), larger first, if they differ by more than one.

    >>> sum(1 for _ in foldings(30, 300, 5))
    673
    """
    ranges = [
        (size, many, *positives_range(p, n, size, both_classes)) for size, many in sizes or fold_sizes(p, n, k)
    ]
    for folds in _filled(p, ranges):
        if not two_folds or (appears_twice(p, [s.p for s in folds]) and appears_twice(n, [s.n for s in folds])):
            yield folds


def _filled(left: int, ranges: Sequence[tuple[int, int, int, int]]) -> Iterator[tuple[Sample, ...]]:
    """All folds of (size, how many, fewest and most positives) with so many positives in all."""
    if not ranges:
        yield ()
        return
    (size, many, first, last), *others = ranges
    if first > last:
        return
    least, most = (sum(each[1] * each[end] for each in others) for end in (2, 3))
    for inside in range(max(many * first, left - most), min(many * last, left - least) + 1):
        for positives in _ascending(inside, many, first, last):
            mine = tuple(Sample(x, size - x) for x in positives)
            for rest in _filled(left - inside, others):
                yield mine + rest


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


def count_foldings(p: int, n: int, k: int, *, condition: Condition, sizes: Sizes = ()) -> int:
    """How many foldings there are, without listing them.

    ``any``: sizes differ by at most one, unless ``sizes`` are given; ``two-folds``: and each class
    appears in at least two folds; ``both-classes``: and every fold has both classes.

    >>> count_foldings(30, 300, 5, condition="any"), count_foldings(30, 300, 5, condition="two-folds")
    (674, 673)
    """
    if condition not in ("any", "two-folds", "both-classes"):
        raise BadClaim("condition", "expected 'any', 'two-folds' or 'both-classes'")
    least = int(condition == "both-classes")
    sizes = sizes or fold_sizes(p, n, k)
    top = p - least * k
    if top < 0:
        return 0
    ways, *others = [_multisets(many, size - 2 * least, top) for size, many in sizes]
    # folds of the sizes so far hold i of the positives, those of the next size the others
    for place, more in enumerate(others, 1):
        sums = range(top + 1) if place < len(others) else [top]
        ways = [sum(ways[i] * more[total - i] for i in range(total + 1)) for total in sums]
    return ways[-1] - len(_alone(p, n, k, each_size(sizes))) if condition == "two-folds" else ways[-1]


def _alone(p: int, n: int, k: int, sizes: Sequence[int]) -> set[tuple[tuple[int, int], ...]]:
    """The foldings that put all of a class with several items into one of several folds."""
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
    first = n if negatives_first else p
    found, done = [], 0
    for size in each_size(fold_sizes(p, n, k)):
        own = max(0, min(first, done + size) - done)
        found.append(Sample(size - own, own) if negatives_first else Sample(own, size - own))
        done += size
    return tuple(found)
