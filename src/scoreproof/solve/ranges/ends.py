"""The ends of a range: what is never passed, and what matrices that fit reach."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scoreproof.exact import compare
from scoreproof.scores import Exact, Matrix

#: Values this close, as a share of them, are taken for one: sums of roots are only ever enclosed.
CLOSE = Fraction(1, 10**13)
BITS = 80

Parts = tuple[Matrix, ...]


@dataclass(frozen=True, slots=True)
class End:
    """One end of a range: ``bound`` is never passed, ``reached`` is what ``parts`` give."""

    bound: Exact | None = None  # None: no bound
    reached: Exact | None = None
    parts: Parts | None = None
    reading: int = 0

    @property
    def exact(self) -> bool:
        if self.bound is None or self.reached is None:
            return False
        gap, size = _gap(self.bound, self.reached), abs(enclosed(self.reached)[0])
        return compare(self.bound, self.reached) == 0 or gap <= CLOSE * max(Fraction(1), size)


@dataclass(frozen=True, slots=True)
class Span:
    """Both ends; ``undefined`` has matrices that fit and leave the score undefined, if any."""

    low: End
    high: End
    undefined: End | None = None


def enclosed(value: Exact) -> tuple[Fraction, Fraction]:
    """Two close fractions around the value."""
    return (value, value) if isinstance(value, Fraction) else value.enclosure(BITS)


def _gap(one: Exact, two: Exact) -> Fraction:
    """An upper bound of the distance."""
    ends = enclosed(one), enclosed(two)
    return max(ends[0][1] - ends[1][0], ends[1][1] - ends[0][0])


def united(one: Span | None, two: Span | None) -> Span | None:
    """The span of what either allows."""
    if one is None or two is None:
        return one or two
    return Span(outer(one.low, two.low, -1), outer(one.high, two.high, 1), one.undefined or two.undefined)


def outer(one: End, two: End, sign: int) -> End:
    bound = (
        None
        if one.bound is None or two.bound is None
        else (one.bound if compare(one.bound, two.bound) * sign >= 0 else two.bound)
    )
    if one.reached is None or two.reached is None:
        best = one if two.reached is None else two
    else:
        best = one if compare(one.reached, two.reached) * sign >= 0 else two
    return End(bound, best.reached, best.parts, best.reading)
