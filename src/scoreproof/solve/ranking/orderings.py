"""Rankings with given thresholds and a given number of pairs in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from scoreproof.interval import Interval
from scoreproof.proof.ranking.chains import Candidates, Chain, bounds, stretches
from scoreproof.proof.ranking.witness import Ordering

Groups = list[tuple[int, int]]
#: Places between the evenest and the most lopsided order of a stretch that are tried.
SHAPES = 33
CLOSER = 12
#: Values of 2·U, and chains, tried for an average precision.
VALUES = 5


def filled(a: int, b: int, doubled: int) -> Groups:
    """An order of a positives and b negatives with ``doubled`` = 2·U.

    Some positives stand above everything.  Then negatives, one positive among them (tied with
    one of them for the odd half), and the others at the bottom.

    >>> filled(2, 3, 7)
    [(1, 0), (0, 2), (1, 1)]
    """
    if not a or not b:
        return [(a, b)] if a or b else []
    full, rest = divmod(doubled, 2 * b)
    groups: Groups = [(full, 0)]
    if full < a:
        below, tied = divmod(rest, 2)
        groups += [(0, b - below - tied), (1, tied), (0, below), (a - full - 1, 0)]
    else:
        groups.append((0, b))
    return [group for group in _joined(groups) if group != (0, 0)]


def flipped(a: int, b: int, doubled: int, top: int = 0) -> Groups:
    """The same with the negatives moved instead: some at the very bottom, below all positives."""
    if not a or not b:
        return [(a, b)] if a or b else []
    if top:
        return [(top, 0), *flipped(a - top, b, doubled - 2 * top * b)]
    # Turned upside down with the classes exchanged, a ranking keeps its pairs in order.
    return [(positives, negatives) for negatives, positives in reversed(filled(b, a, doubled))]


def _joined(groups: Groups) -> Groups:
    """Neighbours of one class put together."""
    found: Groups = []
    for a, b in groups:
        if found and a and not b and not found[-1][1]:
            found[-1] = (found[-1][0] + a, 0)
        elif found and b and not a and not found[-1][0]:
            found[-1] = (0, found[-1][1] + b)
        elif a or b:
            found.append((a, b))
    return found


def spread(chain: Chain, p: int, n: int, doubled: int, order: Sequence[int] | None = None) -> Ordering:
    """A ranking with these thresholds and this 2·U, which the caller keeps between the bounds."""
    return assembled(chain, p, n, doubled, order, None, True)


def assembled(
    chain: Chain,
    p: int,
    n: int,
    doubled: int,
    order: Sequence[int] | None,
    share: Fraction | None,
    top_first: bool,
) -> Ordering:
    """The same, stretches filled from the top or from the bottom, a share of their positives on top."""
    rows = stretches(chain, p, n)
    left = doubled - 2 * bounds(chain, p, n)[0]
    amounts = [0] * len(rows)
    for i in range(len(rows)) if top_first else reversed(range(len(rows))):
        amounts[i] = max(0, min(left, 2 * rows[i][2] * rows[i][3]))
        left -= amounts[i]
    groups: Groups = []
    cuts: list[int] = []
    for (_, _, a, b), amount in zip(rows, amounts, strict=True):
        if share is None:
            groups += filled(a, b, amount)
        else:
            top = int(share * (amount // (2 * b))) if b else 0
            groups += flipped(a, b, amount, min(top, a))
        cuts.append(len(groups))
    places = cuts[:-1]
    if order is not None:
        back = dict(zip(order, places, strict=True))
        places = [back[i] for i in range(len(places))]
    return Ordering(tuple(groups), tuple(places))


def shaped(
    each: Candidates, p: int, n: int, first: int, last: int, precisions: Sequence[Interval]
) -> Iterator[Ordering]:
    """Rankings with thresholds from the least to the greatest chain and 2·U in first..last."""
    order, least, greatest = each
    for chain in _climb(least, greatest, 1 if not precisions else 3, p, n, first, last):
        low, high = (2 * end for end in bounds(chain, p, n))
        start, end = max(first, low), min(last, high)
        if start > end:
            continue
        if not precisions:
            yield spread(chain, p, n, start, order)
            continue
        for step in range(VALUES):
            doubled = start + (end - start) * step // (VALUES - 1)
            for top_first in (True, False):
                yield from _towards(chain, p, n, doubled, order, top_first, precisions[0])
        yield from _by_paths(chain, p, n, start, end, order, precisions[0])


def _climb(least: Chain, greatest: Chain, most: int, p: int, n: int, first: int, last: int) -> Iterator[Chain]:
    """Chains from the least to the greatest: the first whose bounds meet first..last, then others."""
    chain = list(least)
    found = 0
    while True:
        low, high = bounds(tuple(chain), p, n)
        if 2 * low > last:
            return
        if 2 * high >= first:
            yield tuple(chain)
            found += 1
            if found >= most:
                if most > 1:
                    yield greatest
                return
        # raise the tn of the first threshold first, so that the chain stays one
        for k, (tp, tn) in enumerate(chain):
            if tn < greatest[k][1]:
                chain[k] = (tp, tn + max(1, (greatest[k][1] - tn) // 64 if most > 1 else 1))
                break
        else:
            return


def _towards(
    chain: Chain, p: int, n: int, doubled: int, order: Sequence[int], top_first: bool, wanted: Interval
) -> Iterator[Ordering]:
    """With 2·U fixed: more positives at the top of a stretch, and the others lower."""
    last, ends = 0, (Fraction(0), Fraction(0))
    for step in range(SHAPES):
        share = Fraction(step, SHAPES - 1)
        ranking = assembled(chain, p, n, doubled, order, share, top_first)
        side = wanted.side(ranking.average_precision)
        ends = ends[1], share
        for _ in range(CLOSER if last * side < 0 else 0):  # what is wanted lies between two shapes
            middle = sum(ends, Fraction(0)) / 2
            ranking = assembled(chain, p, n, doubled, order, middle, top_first)
            here = wanted.side(ranking.average_precision)
            if here == 0:
                yield ranking
                return
            ends = (middle, ends[1]) if here == last else (ends[0], middle)
        if side == 0:
            yield ranking
            return
        last, ends = side, (share, share)


def _by_paths(
    chain: Chain, p: int, n: int, start: int, end: int, order: Sequence[int], wanted: Interval
) -> Iterator[Ordering]:
    """Rankings with few ties."""
    from scoreproof.solve.ranking.paths import places, towards

    where = places(chain, p, n)
    for step in range(VALUES):
        for ranking in towards(where, start + (end - start) * step // (VALUES - 1), wanted):
            back = dict(zip(order, ranking.thresholds, strict=True))
            yield Ordering(ranking.groups, tuple(back[i] for i in range(len(order))))


def one_threshold(printed: Interval) -> Ordering | None:
    """A ranking with an AUC that is printed, and nothing else; the smallest of square shape."""
    for size in (1, 2, 3, 5, 10, 30, 100, 1000, 10**6):
        pairs = 2 * size * size
        middle = ((printed.lo or Fraction(0)) + (1 if printed.hi is None else printed.hi)) / 2
        doubled = min(max(round(pairs * middle), 0), pairs)
        if Fraction(doubled, pairs) in printed:
            ranking = spread((), size, size, doubled)
            return Ordering(ranking.groups, (0,))
    return None
