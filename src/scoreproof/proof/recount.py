"""How many matrices hit all targets of a problem with one part: recounted, from both sides.

The tn that fit at a tp lie between a floor and a ceiling, and neither ever rises with tp.  So the
columns l..r hold at least what lies between the floor at l and the ceiling at r in each of them, and
at most what lies between the floor at r and the ceiling at l; the stretch of columns about which least
is known is halved until both agree, or until enough is known.  Where all bounds are straight lines, a
stretch with one tightest floor and one tightest ceiling is counted at once, whatever its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.lattice import points_between
from scoreproof.proof.one_matrix import Zone, _first, defined_zones, straight
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Matrix, Score, inequality

Line = tuple[int, int, int]  # (s, t, m): tn against (s·tp + t)/m, m > 0

#: Work of comparing one matrix with one end of one target, or two lines at one tp.
COMPARISON = 1_500


@dataclass(frozen=True, slots=True)
class Recount:
    """So many matrices fit at least; ``exact`` if these are all."""

    least: int
    exact: bool


def recount(problem: Problem, budget: Budget, enough: int | None = None) -> Recount:
    """The matrices that fit: all of them, as far as the budget leads, or until ``enough`` are known."""
    least = 0
    # what is not known (negative), then an order among equals, then the stretch with its fewest points
    stretches: list[tuple[int, int, _Bounds, int, int, int]] = []
    made = count()

    def known(bounds: _Bounds, first: int, last: int) -> int:
        low, high = bounds.between(first, last, budget)
        if high > low:
            heappush(stretches, (low - high, next(made), bounds, first, last, low))
        return low

    try:
        for zone in defined_zones(problem):
            bounds, first, last = _bounds(zone)
            if first <= last:
                least += known(bounds, first, last)
        while stretches and (enough is None or least < enough):
            _, _, bounds, first, last, low = heappop(stretches)
            middle = (first + last) // 2
            least += known(bounds, first, middle) + known(bounds, middle + 1, last) - low
    except OutOfBudget:
        return Recount(least, False)
    return Recount(least, not stretches)


class _Bounds(Protocol):
    def between(self, first: int, last: int, budget: Budget) -> tuple[int, int]:
        """The fewest and the most points that can lie in the columns first..last."""


def _bounds(zone: Zone) -> tuple[_Bounds, int, int]:
    """What bounds the zone, and the columns that bounds on tp alone leave of it."""
    lows: list[Line] = [(0, zone.tn[0], 1)]
    highs: list[Line] = [(0, zone.tn[1], 1)]
    first, last = zone.tp
    for target in zone.targets:
        for floor in (True, False):
            if not straight(target.score, _end(target, floor)[0]).linear:
                return _Staircases(zone), *zone.tp
            bound = _polynomial(zone.problem, target, floor)
            if bound is None or bound is floor:
                continue  # no bound, or one that every matrix keeps
            if isinstance(bound, bool):
                return _Staircases(zone), 1, 0
            if any(bound[:3]) or bound[4] < 0 or (not bound[4] and bound[3] <= 0):
                return _Staircases(zone), *zone.tp
            _, _, _, d, e, f = bound
            # d·tp + e·tn + f >= 0 is asked of a floor, its contrary of a ceiling: <= -1 in integers.
            if e:
                (lows if floor else highs).append((-d, -f, e) if floor else (-d, -f - 1, e))
            elif floor:
                first = max(first, -(f // d))
            else:
                last = min(last, (-f - 1) // d)
    return _Lines(lows, highs, zone.tn), first, last


def _polynomial(problem: Problem, target: Target, floor: bool) -> tuple[int, ...] | bool | None:
    """What must be at least 0 (as a floor) or must not be (as a ceiling), in the direction of tp and tn."""
    (sample,) = problem.parts
    end, closed = _end(target, floor)
    if end is None:
        return None
    # As a floor: score >= end.  As a ceiling: not (score > end).
    strict = not closed if floor else closed
    return inequality(straight(target.score, end), end, strict, sample.p, sample.n, problem.betas)


def _end(target: Target, floor: bool) -> tuple[Fraction | None, bool]:
    """The end of the interval that is a floor (a ceiling) for tp and tn, and whether it belongs to it."""
    interval = target.interval
    if floor == target.score.rises:
        return interval.lo, interval.lo_closed
    return interval.hi, interval.hi_closed


class _Lines:
    """Points between the highest of some lines and the lowest of others."""

    def __init__(self, lows: list[Line], highs: list[Line], tn: tuple[int, int]) -> None:
        self.lows, self.highs = lows, highs
        self.rows = tn[1] - tn[0] + 1

    def between(self, first: int, last: int, budget: Budget) -> tuple[int, int]:
        budget.spend(COMPARISON * (len(self.lows) + len(self.highs)))
        low, high = self._tightest(self.lows, first, last, 1), self._tightest(self.highs, first, last, -1)
        if low is not None and high is not None:
            gaps = [_above(high, low, tp) for tp in (first, last)]
            if max(gaps) < 0:
                return 0, 0  # the lower line runs above the upper one at both ends, so everywhere
            if min(gaps) >= 0:
                points = points_between(first, last, low, high)
                return points, points
        return 0, (last - first + 1) * self.rows

    @staticmethod
    def _tightest(lines: list[Line], first: int, last: int, sign: int) -> Line | None:
        """The line that is highest (lowest) at both ends, and so, lines being straight, between them."""
        for line in lines:
            if all(sign * _above(line, other, tp) >= 0 for other in lines for tp in (first, last)):
                return line
        return None


def _above(one: Line, two: Line, tp: int) -> int:
    """Something with the sign of (one - two) at tp."""
    return (one[0] * tp + one[1]) * two[2] - (two[0] * tp + two[1]) * one[2]


class _Staircases:
    """Points between a floor and a ceiling that are found by halving, between those already known."""

    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self.known: dict[int, tuple[int, int]] = {}
        self.ends: dict[int, list[tuple[Fraction, bool, Score, int]]] = {-1: [], 1: []}
        for each in zone.targets:
            for sign, end, closed in (
                (-1, each.interval.lo, each.interval.lo_closed),
                (1, each.interval.hi, each.interval.hi_closed),
            ):
                if end is not None:
                    side = sign if each.score.rises else -sign
                    self.ends[side].append((end, closed, each.score, sign))

    def between(self, first: int, last: int, budget: Budget) -> tuple[int, int]:
        top = self.known.get(first - 1, (self.zone.tn[1] + 1, self.zone.tn[1]))
        bottom = self.known.get(last + 1, (self.zone.tn[0], self.zone.tn[0] - 1))
        left = self._column(first, top, bottom, budget)
        right = self._column(last, left, bottom, budget)
        width = last - first + 1
        return width * max(0, right[1] - left[0] + 1), width * max(0, left[1] - right[0] + 1)

    def _column(
        self, tp: int, top: tuple[int, int], bottom: tuple[int, int], budget: Budget
    ) -> tuple[int, int]:
        """(floor, ceiling) at this tp, between those of a column before and one after."""
        found = self.known.get(tp)
        if found is None:
            halvings = (top[0] - bottom[0] + 1).bit_length() + (top[1] - bottom[1] + 1).bit_length()
            budget.spend(COMPARISON * len(self.zone.targets) * halvings)
            floor = _first(bottom[0], top[0] - 1, lambda tn: not self._misses(tp, tn, -1))
            ceiling = _first(bottom[1] + 1, top[1], lambda tn: self._misses(tp, tn, 1)) - 1
            found = self.known[tp] = (floor, ceiling)
        return found

    def _misses(self, tp: int, tn: int, side: int) -> bool:
        """Whether a score is too low (-1) or too high (1) here, in the direction of tp and tn."""
        problem = self.zone.problem
        (sample,) = problem.parts
        matrix = Matrix(tp, sample.n - tn, sample.p - tp, tn)
        for end, closed, score, sign in self.ends[side]:
            order = score.order(matrix, end, problem.betas)
            if order == sign or (order == 0 and not closed):
                return True
        return False
