"""How many matrices hit all targets of a problem with one part: recounted, from both sides.

The tn that fit at a tp lie between a floor and a ceiling, and neither ever rises with tp.  So the
columns l..r hold at least what lies between the floor at l and the ceiling at r in each of them, and
at most what lies between the floor at r and the ceiling at l; the stretch of columns about which least
is known is halved until both agree, or until enough is known.  Where all bounds are straight lines, a
stretch with one tightest floor and one tightest ceiling is counted at once, whatever its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, product

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.proof.one_matrix import COMPARISON, Line, Zone, above, defined_zones, line, points, straight
from scoreproof.question.question import Problem


@dataclass(frozen=True, slots=True)
class Recount:
    """So many matrices fit at least; ``exact`` if these are all."""

    least: int
    exact: bool


def recount(problem: Problem, budget: Budget, enough: int | None = None) -> Recount:
    """The matrices that fit: all of them, as far as the budget leads, or until ``enough`` are known."""
    least = 0
    # what is not known (negative), then an order among equals, then the stretch with its fewest points
    stretches: list[tuple[int, int, Zone | _Lines, int, int, int]] = []
    made = count()

    def known(bounds: Zone | _Lines, first: int, last: int) -> int:
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


def _bounds(zone: Zone) -> tuple[Zone | _Lines, int, int]:
    """What bounds the zone, and the columns that bounds on tp alone leave of it."""
    lows: list[Line] = [(0, zone.tn[0], 1)]
    highs: list[Line] = [(0, zone.tn[1], 1)]
    first, last = zone.tp
    for target, floor in product(zone.targets, (True, False)):
        bound = straight(zone.problem, target, floor)
        if bound is None:
            return zone, *zone.tp
        if bound is True:
            continue
        if bound is False:
            return zone, 1, 0
        d, e, f = bound
        if e:
            (lows if floor else highs).append(line(d, e, f))
        elif floor:
            first = max(first, -(f // d))
        else:
            last = min(last, f // -d)
    return _Lines(lows, highs, zone.tn), first, last


class _Lines:
    """Points between the highest of some lines and the lowest of others."""

    def __init__(self, lows: list[Line], highs: list[Line], tn: tuple[int, int]) -> None:
        self.lows, self.highs = lows, highs
        self.rows = tn[1] - tn[0] + 1

    def between(self, first: int, last: int, budget: Budget) -> tuple[int, int]:
        budget.spend(COMPARISON * (len(self.lows) + len(self.highs)))
        low, high = self._tightest(self.lows, first, last, 1), self._tightest(self.highs, first, last, -1)
        found = None if low is None or high is None else points(low, high, first, last)
        return (0, (last - first + 1) * self.rows) if found is None else (found, found)

    @staticmethod
    def _tightest(lines: list[Line], first: int, last: int, sign: int) -> Line | None:
        """The line that is highest (lowest) at both ends, and so, lines being straight, between them."""
        for each in lines:
            if all(sign * above(each, other, tp) >= 0 for other in lines for tp in (first, last)):
                return each
        return None
