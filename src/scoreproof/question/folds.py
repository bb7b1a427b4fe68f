"""All ways in which the items of a cross-validation can fall into its folds.

Only counts matter, so a folding is a multiset of fold sizes (p_i, n_i): seed 001's fold
configuration.  Unless other sizes are given, those of the folds differ by at most one, so
``(p+n) mod k`` of them are larger by one item.  A folding is a partition of the positives into
the folds of each size; the negatives fill up what is left.

>>> next(foldings(3, 5, 2))
(Sample(p=1, n=3), Sample(p=2, n=2))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoreproof.errors import BadClaim

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
    two folds (a class with a single item, or a single fold, excepted).  Where these are fewer than
    p + n items, the others are in no fold: a single fold is a test set drawn from all items.
    """

    p: int
    n: int
    k: int
    uneven: Sizes = ()  # where sizes differ by more than one

    @property
    def sizes(self) -> Sizes:
        return self.uneven or fold_sizes(self.p, self.n, self.k)

    @property
    def inside(self) -> tuple[int, int]:
        """The fewest and the most positives of all folds together; p is both, unless items are left out."""
        return positives_range(self.p, self.n, sum(size * many for size, many in self.sizes))


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


def legal(folding: Folding, folds: Sequence[Sample]) -> bool:
    """Whether the folding could have fallen like this."""
    least, most = folding.inside
    classes = (folding.p, [s.p for s in folds]), (folding.n, [s.n for s in folds])
    return (
        len(folds) == folding.k
        and all(s.p >= 0 and s.n >= 0 for s in folds)
        and least <= sum(s.p for s in folds) <= most
        and sorted((s.p + s.n for s in folds), reverse=True) == each_size(folding.sizes)
        # a single item, or a single fold, cannot be in two
        and all(count < 2 or len(own) < 2 or sum(map(bool, own)) >= 2 for count, own in classes)
    )


def positives_range(p: int, n: int, size: int) -> tuple[int, int]:
    """The fewest and the most positives a fold of this size can hold."""
    return max(size - n, 0), min(p, size)


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


def foldings(p: int, n: int, k: int, *, sizes: Sizes = ()) -> Iterator[tuple[Sample, ...]]:
    """Every legal folding once, larger folds first, in a fixed order.

    ``sizes`` are (size, how many), larger first, if they differ by more than one.

    >>> sum(1 for _ in foldings(30, 300, 5))
    673
    """
    folding = Folding(p, n, k, sizes)
    ranges = [(size, many, *positives_range(p, n, size)) for size, many in folding.sizes]
    yield from (folds for folds in _filled(*folding.inside, ranges) if legal(folding, folds))


def _filled(lo: int, hi: int, ranges: Sequence[tuple[int, int, int, int]]) -> Iterator[tuple[Sample, ...]]:
    """All folds of (size, how many, fewest and most positives) with lo to hi positives in all."""
    if not ranges:
        yield ()
        return
    (size, many, first, last), *others = ranges
    if first > last:
        return
    least, most = (sum(each[1] * each[end] for each in others) for end in (2, 3))
    for inside in range(max(many * first, lo - most), min(many * last, hi - least) + 1):
        for positives in _ascending(inside, many, first, last):
            mine = tuple(Sample(x, size - x) for x in positives)
            for rest in _filled(lo - inside, hi - inside, others):
                yield mine + rest
