"""Thresholds of one ranking: which AUC and average precision they leave possible.

A ranking of p positive and n negative items is a list of groups (a, b) of tied items, from the
top score down.  U = AUC·p·n counts the pairs in order, ties half, so 2·U is a whole number
between 0 and 2·p·n, and each of them occurs.

*Thresholds.*  A matrix of a threshold has the tp positives and fp negatives above it.  Of several
thresholds the higher has fewer of both: the points (tp, fp) form a chain from (0, 0) to (p, n).
Between two neighbours of the chain lie Δa positives and Δb negatives in an order of their own, and

    L = Σ Δb·(tp above)  <=  U  <=  H = Σ Δb·(tp below),        H - L = Σ Δa·Δb.

Every multiple of one half between L and H occurs: within a stretch the pairs in order can be
any whole number from 0 to Δa·Δb (move one positive up by one place at a time), and tying the two
items of such a move instead gives the half in between.  One threshold: tp·tn <= U <= p·n - fp·fn.

*Regions.*  L and H rise with every tp and tn of a chain.  If the points may be anywhere in boxes,
the chains inside them have a least and a greatest element (thresholds in order, so minima and
maxima of chains are chains).  Some chain has a U with u <= 2·U <= v exactly if 2·L(least) <= v and
2·H(greatest) >= u.  For then climb from the least to the greatest by single steps: a step raises L
by at most H - L of the chain before (the stretch it enters has an item of each kind left), so from
the last chain with 2·L <= v the next L, above v/2, is at most H, and u <= v < 2·H.

*Average precision* is Σ a/p·(precision at the end of the group).  Let a positive be the i-th from the
top, in a stretch with A positives and B negatives above it, Δa and Δb inside.  Its group ends within
the stretch, after at least i positives and at most B + Δb negatives, so its precision is at least
i/(i + B + Δb): so it is with the negatives first and no ties.  And the group ends after at most A + Δa
positives and at least B negatives, so the precision is at most (A + Δa)/(A + Δa + B): so it is with the
positives first, all tied.  For given tp both bounds rise with every tn, so for the chains of one
column each they are taken at the least and the greatest.  They are summed in whole numbers, rounded
outwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, permutations, product
from operator import attrgetter
from typing import NamedTuple

from scoreproof.budget import Budget, TooMuch
from scoreproof.exact import ZERO
from scoreproof.interval import Interval
from scoreproof.proof import one_matrix
from scoreproof.proof.confidence import counts
from scoreproof.proof.one_matrix import Zone
from scoreproof.question.question import Kind, Problem, Ranked, Target

#: Combinations of boxes looked at.
COMBINATIONS = 20_000
#: Terms of sums of precisions.
TERMS = 3_000_000
BITS = 80
#: Work of looking at one of each.
COMBINATION = 50_000
TERM = 300

#: (tp, tn) per threshold, in the order of the chain.
Chain = tuple[tuple[int, int], ...]


class Box(NamedTuple):
    """Matrices of one threshold with tp in first..last; their tn lie in low..high."""

    zone: Zone
    first: int
    last: int
    low: int
    high: int


#: Which threshold stands where in some chains, and the least and the greatest of them.
Candidates = tuple[tuple[int, ...], Chain, Chain]


def doubled(question: Ranked) -> tuple[int, int]:
    """The smallest and the largest 2·U that the printed areas allow, for one ranking."""
    assert isinstance(question.plain, Problem)
    (sample,) = question.plain.parts
    found = counts([area(question)], 2 * sample.p * sample.n)
    return found.start, found.stop - 1


def area(question: Ranked) -> Interval:
    """The values of AUC, or of its mean over all parts, that are printed."""
    figures = [each for each in question.areas if of_all(each) or not question.averaged]
    return Interval(ZERO, Fraction(1)).intersect(*(each.interval for each in figures))


def of_all(target: Target) -> bool:
    """Whether the figure is a plain mean over all parts."""
    return target.kind is Kind.MEAN and len(set(target.weights)) == 1


def candidates(question: Ranked, budget: Budget) -> Iterator[Candidates]:
    """Chains that the printed figures do not exclude; together they hold every possible one.

    Boxes of matrices, one per threshold, are halved until their chains are excluded or every
    box has a single tp.  If only AUC and Gini are printed about the ranking, then each
    answer holds a chain that fits.  Raises TooMuch beyond the budget.
    """
    base = question.plain
    assert isinstance(base, Problem)
    (sample,) = base.parts
    p, n = sample.p, sample.n
    first, last = doubled(question)
    if first > last:
        return
    printed = [each.interval for each in question.precisions]
    starts = [_boxes(point) for point in filter(attrgetter("targets"), (base, *question.points))]
    work = terms = 0
    for order in permutations(range(len(starts))):
        waiting = product(*(starts[i][::-1] for i in order))
        stack: list[tuple[Box, ...]] = []
        while (boxes := stack.pop() if stack else next(waiting, None)) is not None:
            work += 1
            if work > COMBINATIONS:
                raise TooMuch
            budget.spend(COMBINATION)
            ends = extremes(boxes)
            if ends is None:
                continue
            least, greatest = ends
            if 2 * bounds(least, p, n)[0] > last or 2 * bounds(greatest, p, n)[1] < first:
                continue
            widest = max(range(len(boxes)), key=lambda i: boxes[i].last - boxes[i].first, default=None)
            if widest is not None and boxes[widest].first < boxes[widest].last:
                halves = _halves(boxes[widest])
                stack += [(*boxes[:widest], half, *boxes[widest + 1 :]) for half in reversed(halves)]
                continue
            terms += 2 * p * len(printed)
            if terms > TERMS:
                raise TooMuch
            budget.spend(2 * p * len(printed) * TERM)
            low, high = (precision_bounds(chain, p, n) if printed else (ZERO, ZERO) for chain in ends)
            if not any(each.intersect(Interval(low[0], high[1])).empty for each in printed):
                yield order, least, greatest


def _boxes(point: Problem) -> list[Box]:
    """The boxes that hold every matrix of the threshold."""
    return [box for zone in one_matrix.defined_zones(point) for box in _box(zone, *zone.tp)]


def _box(zone: Zone, first: int, last: int) -> list[Box]:
    """The box over these tp, if a matrix can be in it: neither edge of the tn rises with tp."""
    low, high = zone.column(last)[0], zone.column(first)[1]
    return [Box(zone, first, last, low, high)] if low <= high else []


def _halves(box: Box) -> list[Box]:
    middle = (box.first + box.last) // 2
    return [*_box(box.zone, box.first, middle), *_box(box.zone, middle + 1, box.last)]


def extremes(boxes: Sequence[Box]) -> tuple[Chain, Chain] | None:
    """The least and the greatest chain in the boxes; tp never falls along a chain, tn never rises."""
    tps = list(accumulate((box.first for box in boxes), max))
    tns = list(accumulate((box.low for box in reversed(boxes)), max))[::-1]
    if any(tp > box.last or tn > box.high for tp, tn, box in zip(tps, tns, boxes, strict=True)):
        return None
    highest = list(accumulate((box.last for box in reversed(boxes)), min))[::-1]
    widest = list(accumulate((box.high for box in boxes), min))
    return tuple(zip(tps, tns, strict=True)), tuple(zip(highest, widest, strict=True))


def stretches(chain: Chain, p: int, n: int) -> list[tuple[int, int, int, int]]:
    """(positives, negatives) above each stretch of the ranking between thresholds, and in it."""
    points = [(0, 0), *((tp, n - tn) for tp, tn in chain), (p, n)]
    return [(a, b, tp - a, fp - b) for (a, b), (tp, fp) in pairwise(points)]


def bounds(chain: Chain, p: int, n: int) -> tuple[int, int]:
    """The smallest and the largest U of a ranking with these thresholds.

    >>> bounds(((8, 7),), 10, 10)  # tp·tn and p·n - fp·fn
    (56, 94)
    """
    rows = stretches(chain, p, n)
    return sum(db * a for a, _, _, db in rows), sum(db * (a + da) for a, _, da, db in rows)


def precision_bounds(chain: Chain, p: int, n: int) -> tuple[Fraction, Fraction]:
    """Numbers below and above every average precision of a ranking with these thresholds."""
    least = most = 0
    for a, b, da, db in stretches(chain, p, n):
        least += sum((i << BITS) // (i + b + db) for i in range(a + 1, a + da + 1))
        if da:
            most += da * -(-((a + da) << BITS) // (a + da + b))
    scale = p << BITS
    return Fraction(least, scale), Fraction(most, scale)
