"""One confusion matrix: what every figure leaves of TP and TN, until nothing is left.

The box of all (TP, TN) is narrowed figure by figure.  Scores rise (or fall) with TP and with TN, so the
value in one corner settles a whole rectangle: if it is too small where TP and TN are largest, it is too
small everywhere.  What no figure narrows further is gone through in cases: some values of TP, for which one
figure needs more true negatives than another allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from scoreproof.interval import Interval
from scoreproof.proof.one_matrix import first_true
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Exact, Matrix, zones, zones_undefined

TP, TN = 0, 1
Line = tuple[dict[str, int], Interval]  # a sum of counts, and where it lies
NAMES = ("TP", "TN")
#: Cases that are gone through, at most.
MOST_CASES = 4_000
MOST_LOOKS = 30_000  # at matrices, to find them


class Box(NamedTuple):
    """TP in tp[0]..tp[1] and TN in tn[0]..tn[1]."""

    tp: tuple[int, int]
    tn: tuple[int, int]

    @property
    def empty(self) -> bool:
        return self.tp[0] > self.tp[1] or self.tn[0] > self.tn[1]


class Case(NamedTuple):
    """For these TP one figure is too small up to ``level`` true negatives, another too large above."""

    tp: tuple[int, int]
    level: int
    low: Target | None
    high: Target | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed figure with its words: "sens 0.8500"."""

    target: Target
    words: str


class Move(NamedTuple):
    """One figure narrows one count."""

    figure: int
    of: int  # TP or TN


class Narrowed(NamedTuple):
    box: Box
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Plane:
    """The matrices of one set of items, and the figures printed about them."""

    problem: Problem
    figures: Sequence[Figure]

    @property
    def size(self) -> tuple[int, int]:
        (sample,) = self.problem.parts
        return sample.p, sample.n

    @property
    def lenient(self) -> bool:
        """Whether a figure may hold where its score is undefined, or is about some tables only."""
        p, n = self.size
        for target in self.problem.targets:
            holes = zones_undefined(target.score, p, n, self.problem.betas)
            if holes and self.problem.undefined == "zero" and Fraction(0) in target.interval:
                return True
            if (1, 1) in holes or not p or not n:
                return True
        return False

    def bare(self, target: Target, box: Box) -> Box:
        """The box without its outer rows and columns in which the score is nowhere defined."""
        holes = zones_undefined(target.score, *self.size, self.problem.betas)
        for count, size in enumerate(self.size):
            others = [each for each, _ in zones(self.size[1 - count])]
            for zone, (first, last) in zones(size):
                if first == last and all(((zone, k) if count == TP else (k, zone)) in holes for k in others):
                    low, high = box[count]
                    box = with_count(
                        box, count, (max(low, 1), high) if not first else (low, min(high, first - 1))
                    )
        return box

    # -- what one corner says --------------------------------------------------------------------

    def value(self, target: Target, tp: int, tn: int) -> Exact | None:
        return target.score.value(Matrix.of(tp, tn, *self.size), self.problem.betas)

    def side(self, target: Target, tp: int, tn: int) -> int | None:
        """-1 if TP and TN are too small here, 1 if too large, 0 if the figure holds; None if undefined."""
        value = self.value(target, tp, tn)
        if value is None:
            return None
        return target.interval.side(value) * (1 if target.score.rises else -1)

    def corner(self, target: Target, box: Box, side: int) -> tuple[int, int] | None:
        """The corner that shows that the figure is missed on this side all over the box; None if it is not.

        Where the score is undefined in the corner, both neighbours must show it; one is returned.
        """
        at = 1 if side < 0 else 0
        tp, tn = box.tp[at], box.tn[at]
        found = self.side(target, tp, tn)
        if found is not None:
            return (tp, tn) if found == side else None
        smaller = [replaced for count in (TP, TN) if not (replaced := _cut(box, count, at)).empty]
        shown = [self.corner(target, each, side) for each in smaller]
        return None if None in shown else (shown[0] if shown else (tp, tn))

    def misses(self, target: Target, box: Box, side: int) -> bool:
        return self.corner(target, box, side) is not None

    # -- narrowing -------------------------------------------------------------------------------

    def narrowed(self, box: Box, most: int) -> Narrowed:
        """The box after the figures have narrowed it, plain ones first, up to so many times."""
        moves: list[Move] = []
        order = sorted(range(len(self.figures)), key=self._weight)
        while len(moves) < most and not box.empty:
            for figure in order:
                # the count of which less is known first
                for count in sorted((TP, TN), key=lambda c: box[c][0] - box[c][1]):
                    smaller = self.narrow(box, Move(figure, count))
                    if smaller != box:
                        moves.append(Move(figure, count))
                        box = smaller
                        break
                else:
                    continue
                break
            else:
                break
        return Narrowed(box, tuple(moves))

    def _weight(self, figure: int) -> tuple[int, int]:
        target = self.figures[figure].target
        line = self.line(target)
        kind = 3 - bool(target.score.linear) if line is None else (0 if len(line[0]) == 1 else 1)
        return kind, figure

    def after(self, box: Box, moves: Sequence[Move]) -> Narrowed:
        for move in moves:
            box = self.narrow(box, move)
        return Narrowed(box, tuple(moves))

    def needed(self, moves: Sequence[Move], start: Box) -> tuple[Move, ...]:
        """The moves without those that are not needed to leave nothing."""
        left = list(moves)
        for at in reversed(range(len(moves))):
            fewer = left[:at] + left[at + 1 :]
            if self.after(start, fewer).box.empty:
                left = fewer
        return tuple(left)

    def plain(self, moves: Sequence[Move]) -> int:
        """How many of the first moves are by figures about one count."""
        return next((k for k, move in enumerate(moves) if self._weight(move.figure)[0]), len(moves))

    def narrow(self, box: Box, move: Move) -> Box:
        """The box without the ends of one count at which the figure is missed."""
        if box.empty:
            return box
        target, count = self.figures[move.figure].target, move.of
        first, last = box[count]
        line = self.line(target)
        if line is not None and _nothing(line[1]):
            return with_count(box, count, (first, first - 1))

        def low(value: int) -> bool:
            return not self.misses(target, with_count(box, count, (first, value)), -1)

        def high(value: int) -> bool:
            return self.misses(target, with_count(box, count, (value, last)), 1)

        return with_count(box, count, (first_true(first, last, low), first_true(first, last, high) - 1))

    # -- cases -----------------------------------------------------------------------------------

    def cases(self, box: Box) -> list[Case] | None:
        """The values of TP in stretches, in each of which figures leave no TN; None if there are too many."""
        found: list[Case] = []
        first, last = box.tp
        # every case takes a search among the values of TN for each figure
        each = len(self.problem.targets) * max(1, (box.tn[1] - box.tn[0]).bit_length())
        while first <= last:
            case = self._case_from(first, box)
            if case is None or len(found) == MOST_CASES or len(found) * each > MOST_LOOKS:
                return None
            found.append(case)
            first = case.tp[1] + 1
        return found

    def _case_from(self, first: int, box: Box) -> Case | None:
        """The longest stretch of TP from ``first`` on that one argument rules out."""
        low, high = box.tn
        level, above = high, None
        for target in self.problem.targets:

            def too_large(tn: int, target: Target = target) -> bool:
                return self.misses(target, Box((first, first), (tn, high)), 1)

            ceiling = first_true(low, level, too_large)
            if ceiling <= level:
                level, above = ceiling - 1, target
        if level < low:
            last, below = box.tp[1], None
        else:
            last, below = self._too_small(first, box, level)
        if above is not None and not self.misses(above, Box((first, last), (level + 1, high)), 1):
            last = first  # the corner is one of the few at which the score is undefined
        return None if last < first else Case((first, last), level, below, above)

    def _too_small(self, first: int, box: Box, level: int) -> tuple[int, Target | None]:
        """Up to which TP some figure is too small for every TN up to the level, and which figure."""
        last, below = first - 1, None
        for target in self.problem.targets:

            def too_small(tp: int, target: Target = target) -> bool:
                return self.misses(target, Box((first, tp), (box.tn[0], level)), -1)

            reach = _gallop(first, box.tp[1], too_small)
            if reach > last:
                last, below = reach, target
        return last, below

    def line(self, target: Target) -> Line | None:
        """A figure that is a sum of counts, and what the sum lies in: TP + TN, of acc."""
        score = target.score
        if not score.affine:
            return None
        found = score.line(*self.size, self.problem.betas)
        if found is None or (not found[TP] and not found[TN]):
            return None
        unit = lcm(found[TP].denominator, found[TN].denominator)
        whole = [int(factor * unit) for factor in found[:2]]
        common = Fraction(gcd(*whole), unit)
        if whole[TP] < 0 or whole[TN] < 0:
            common = -common
        terms = {name: int(found[i] / common) for i, name in enumerate(NAMES) if found[i]}
        return terms, target.interval.moved(1 / common, -found[2] / common)


def _nothing(window: Interval) -> bool:
    """Whether no whole number lies there."""
    first, last = window.whole()
    return first is not None and last is not None and first > last


def with_count(box: Box, count: int, values: tuple[int, int]) -> Box:
    return Box(values, box.tn) if count == TP else Box(box.tp, values)


def _cut(box: Box, count: int, at: int) -> Box:
    """The box without its last (1) or first (0) value of one count."""
    first, last = box[count]
    return with_count(box, count, (first, last - 1) if at else (first + 1, last))


def _gallop(first: int, last: int, holds: Callable[[int], bool]) -> int:
    """The last whole number in first..last up to which a condition holds; else first - 1."""
    good, step = first - 1, 1
    while good + step <= last and holds(good + step):
        good, step = good + step, 2 * step
    return first_true(good + 1, min(good + step, last), lambda value: not holds(value)) - 1
