"""Rectangles of the (tp, tn) box on which every reported score is defined, or none is.

On such a rectangle the matrices that fit are the points between two staircases: above all
*floors* (up-sets they must lie in) and below all *ceilings* (up-sets they must avoid).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scoreproof.proof.certificate import Hole
from scoreproof.question.question import Problem
from scoreproof.scores import zones, zones_undefined
from scoreproof.solve.one_matrix.frontier import Bound, bounds_of

ZERO = Fraction(0)
EXACT_FLOAT = 2**53


@dataclass(slots=True)
class Region:
    """tp in a..b, tn in c..d, with the bounds that hold there."""

    a: int
    b: int
    c: int
    d: int
    floors: list[Bound]
    ceilings: list[Bound]

    @property
    def linear(self) -> bool:
        return all(bound.frontier.linear for bound in (*self.floors, *self.ceilings))

    @property
    def fits_machine(self) -> bool:
        """Whether tp and tn are small enough for floats to hold exactly."""
        return self.b < EXACT_FLOAT and self.d < EXACT_FLOAT

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


def regions(problem: Problem) -> list[Region | Hole]:
    """The box of a problem with one part, cut where reported scores become undefined."""
    (sample,) = problem.parts
    p, n, betas = sample.p, sample.n, problem.betas
    holes: dict[tuple[int, int], list[int]] = {}
    floors: list[Bound] = []
    ceilings: list[Bound] = []
    for index, target in enumerate(problem.targets):
        for zone in zones_undefined(target.score, p, n, betas):
            holes.setdefault(zone, []).append(index)
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
    """The nine zones put together to as few rectangles as their undefined scores allow.

    A column of zones is a list of runs (c, d, state): a state is the target a hole is due
    to, or the tuple of targets that say nothing there.
    """
    columns: list[tuple[int, int, list[tuple[int, int, int | tuple[int, ...]]]]] = []
    rows = zones(n)
    for i, (a, b) in zones(p):
        runs: list[tuple[int, int, int | tuple[int, ...]]] = []
        for j, (c, d) in rows:
            state = _state(problem, holes.get((i, j)))
            if runs and runs[-1][2] == state:
                runs[-1] = (runs[-1][0], d, state)
            else:
                runs.append((c, d, state))
        if columns and columns[-1][2] == runs:
            columns[-1] = (columns[-1][0], b, runs)
        else:
            columns.append((a, b, runs))
    found: list[Region | Hole] = []
    for a, b, runs in columns:
        for c, d, state in runs:
            if isinstance(state, int):
                found.append(Hole((a, b), (c, d), state))
            else:
                kept = ([bound for bound in side if bound.label not in state] for side in (floors, ceilings))
                found.append(Region(a, b, c, d, *kept))
    return found


def _state(problem: Problem, undefined: list[int] | None) -> int | tuple[int, ...]:
    if undefined is None:
        return ()
    if problem.undefined != "zero":
        return undefined[0]
    # An undefined score counts as 0 here: either that contradicts the figure, or the score
    # says nothing about this zone.
    for index in undefined:
        if ZERO not in problem.targets[index].interval:
            return index
    return tuple(undefined)
