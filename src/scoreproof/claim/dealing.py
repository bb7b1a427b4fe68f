"""Ways to deal items to folds that a paper may mean without saying so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from scoreproof.question.folds import Sample, Sizes, each_size, fold_sizes


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


def stratified_sets(counts: tuple[int, ...], k: int) -> tuple[tuple[int, ...], ...]:
    """The folds of scikit-learn's StratifiedKFold, if the classes first appear in the given order.

    All items, sorted by class, are dealt out to the folds in turn.

    >>> stratified_sets((7, 11, 3), 3)
    ((3, 3, 1), (2, 4, 1), (2, 4, 1))
    """
    rows = []
    first = 0  # the fold that gets the first item of a class
    for count in counts:
        rows.append([count // k + ((fold - first) % k < count % k) for fold in range(k)])
        first += count
    return tuple(zip(*rows, strict=True))


@lru_cache(maxsize=256)
def stratified_folds(p: int, n: int, k: int) -> tuple[Sample, ...]:
    """The same of two classes.

    >>> stratified_folds(7, 11, 3)
    (Sample(p=3, n=3), Sample(p=2, n=4), Sample(p=2, n=4))
    """
    return tuple(Sample(*both) for both in stratified_sets((p, n), k))
