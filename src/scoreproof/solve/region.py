"""Rectangles of the (tp, tn) box on which every reported score is defined, or none is.

On such a rectangle the matrices that fit are the points between two staircases: above all
*floors* (up-sets they must lie in) and below all *ceilings* (up-sets they must avoid).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.experiment.problem import Problem
from scoreproof.metrics import zones, zones_undefined
from scoreproof.proof.certificate import Hole
from scoreproof.solve.frontier import Bound, bounds_of

ZERO = Fraction(0)


@dataclass(slots=True)
class Region:
    """tp in a..b, tn in c..d, with the bounds that hold there."""

    a: int
    b: int
    c: int
    d: int
    floors: list[Bound]
    ceilings: list[Bound]
    undefined: tuple[int, ...] = ()  # targets whose scores are undefined here, and count as 0

    @property
    def linear(self) -> bool:
        return all(bound.frontier.linear for bound in self.floors) and all(
            bound.frontier.linear for bound in self.ceilings
        )

    def column(self, tp: int) -> tuple[int, int]:
        """The tn that fit at this tp, as (first, last); none if first > last."""
        c, d = self.c, self.d
        low, high = c, d
        for bound in self.ceilings:
            first = bound.frontier.column(tp, c, d) - 1
            high = first if first < high else high
        for bound in self.floors:
            first = bound.frontier.column(tp, c, d)
            low = first if first > low else low
        return low, high

    def flipped(self) -> Region:
        """The region with tp and tn exchanged."""
        return Region(
            self.c,
            self.d,
            self.a,
            self.b,
            [Bound(bound.label, bound.frontier.flipped) for bound in self.floors],
            [Bound(bound.label, bound.frontier.flipped) for bound in self.ceilings],
        )


def regions(problem: Problem, only: Sequence[int] | None = None) -> list[Region | Hole]:
    """The box of a problem with one part, cut where reported scores become undefined.

    ``only`` keeps just the targets with these positions.
    """
    (sample,) = problem.parts
    p, n, betas = sample.p, sample.n, problem.betas
    kept = range(len(problem.targets)) if only is None else only
    holes: dict[tuple[int, int], list[int]] = {}
    for index in kept:
        for zone in zones_undefined(problem.targets[index].score, p, n, betas):
            holes.setdefault(zone, []).append(index)
    floors: list[Bound] = []
    ceilings: list[Bound] = []
    for index in kept:
        target = problem.targets[index]
        low, high = bounds_of(target.score, target.interval, index, p, n, betas)
        floors += low
        ceilings += high
    if not holes:
        return [Region(0, p, 0, n, floors, ceilings)]
    return _cut(problem, p, n, holes, floors, ceilings)


def _cut(
    problem: Problem,
    p: int,
    n: int,
    holes: dict[tuple[int, int], list[int]],
    floors: list[Bound],
    ceilings: list[Bound],
) -> list[Region | Hole]:
    found: list[Region | Hole] = []
    for i, (a, b) in zones(p):
        column: list[Region | Hole] = []
        for j, (c, d) in zones(n):
            undefined = holes.get((i, j))
            if undefined is None:
                column.append(Region(a, b, c, d, floors, ceilings))
                continue
            wrong = undefined[0]
            if problem.undefined == "zero":
                # An undefined score counts as 0 here: either that contradicts the figure,
                # or the score says nothing about this zone.
                contradicting = [index for index in undefined if ZERO not in problem.targets[index].interval]
                if not contradicting:
                    silent_floors = [bound for bound in floors if bound.label not in undefined]
                    silent_ceilings = [bound for bound in ceilings if bound.label not in undefined]
                    column.append(Region(a, b, c, d, silent_floors, silent_ceilings, tuple(undefined)))
                    continue
                wrong = contradicting[0]
            column.append(Hole((a, b), (c, d), wrong))
        _append_column(found, _merged(column))
    return found


def _merged(column: list[Region | Hole]) -> list[Region | Hole]:
    """Neighbours in one column of zones that have the same bounds, as one region."""
    done: list[Region | Hole] = []
    for piece in column:
        last = done[-1] if done else None
        if isinstance(piece, Region) and isinstance(last, Region) and _alike(piece, last):
            last.d = piece.d
        else:
            done.append(piece)
    return done


def _alike(one: Region, two: Region) -> bool:
    # The bounds of a region are those of the targets that are defined on it.
    return one.undefined == two.undefined


def _append_column(found: list[Region | Hole], column: list[Region | Hole]) -> None:
    """Add a column of zones, widening a region that goes on unchanged into it."""
    for piece in column:
        if isinstance(piece, Region):
            for other in found:
                if (
                    isinstance(other, Region)
                    and other.b + 1 == piece.a
                    and (other.c, other.d) == (piece.c, piece.d)
                    and _alike(other, piece)
                ):
                    other.b = piece.b
                    break
            else:
                found.append(piece)
        else:
            found.append(piece)
