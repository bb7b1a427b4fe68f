"""How near to a printed figure, or how far from it, its value could be while the other figures stand.

Each end is found by asking: a refutation moves what is proven, an example what is possible.  The work is
limited, and where it ends the last proof stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.decide import decide
from scoreproof.solve.ranges.asking import figure_of
from scoreproof.solve.ranges.ends import Parts

#: Questions asked for one end, and how closely it is found, as a share of what it is away from.
QUESTIONS = 24
CLOSE = Fraction(1, 50)
DEVIATIONS = frozenset({Kind.SD, Kind.WHOLE_SD})
#: Deviations and figures of single parts are not one number of an example.
NOT_ONE = DEVIATIONS | {Kind.EACH}


@dataclass(frozen=True, slots=True)
class Nearest:
    """Nothing lies before ``bound`` (None: nothing at all); ``parts`` are at it if it is ``reached``."""

    bound: Fraction | None
    parts: Parts | None = None
    reached: bool = False


Ends = tuple[Nearest, Nearest]


@dataclass(frozen=True, slots=True)
class Example:
    """Matrices that fit, and the figure they give; None where it is only enclosed or several numbers."""

    value: Fraction | None = None
    parts: Parts | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Asks whether a figure could lie somewhere else, the others as printed."""

    question: Problem
    target: Target
    budget: Budget

    def scale(self) -> tuple[Fraction, Fraction] | None:
        """The lowest and the highest value there is, if the figure has two ends and lies within."""
        bottom, top = self.target.score.lowest, self.target.score.highest
        if bottom is None or top is None or self.target.interval.lo is None or self.target.interval.hi is None:
            return None
        return (Fraction(0), top - bottom) if self.target.kind in DEVIATIONS else (bottom, top)

    def beside(self) -> Ends | None:
        """The nearest values below and above a printed one that clashes; None where that is not known."""
        printed, scale = self.target.interval, self.scale()
        if scale is None:
            return None
        assert printed.lo is not None and printed.hi is not None
        below = self._clashing(printed.lo, not printed.lo_closed, scale[0], -1, self.budget.share(2))
        above = self._clashing(printed.hi, not printed.hi_closed, scale[1], 1, self.budget)
        return None if below is None or above is None else (below, above)

    def _clashing(
        self, edge: Fraction, closed: bool, far: Fraction, sign: int, budget: Budget
    ) -> Nearest | None:
        """The first possible value on the way from the printed figure to the end of the scale."""
        answer = self.ask(edge, far, closed, budget) if (far - edge) * sign > 0 else False
        if answer is False:
            return Nearest(None)
        return None if answer is None else self.first(edge, closed, far, answer, budget)

    def ends(self) -> Ends | None:
        """The lowest and the highest value of a figure that fits."""
        printed, scale = self.target.interval, self.scale()
        if scale is None or self.target.kind in NOT_ONE:
            return None
        assert printed.lo is not None and printed.hi is not None
        low = self.first(scale[0], True, printed.hi, Example(), self.budget.share(2))
        return low, self.first(scale[1], True, printed.lo, Example(), self.budget)

    def first(self, edge: Fraction, closed: bool, far: Fraction, known: Example, budget: Budget) -> Nearest:
        """The first possible value on the way from the edge; there is a ``known`` one, not beyond ``far``."""
        proven, nearest = edge, far if known.value is None else known.value
        last = abs(far - edge) * CLOSE  # from here on, whether there is anything at all before it
        for _ in range(QUESTIONS):
            off = abs(nearest - proven)
            strict = known.value is not None and off <= last
            if not off or (off <= CLOSE * abs(nearest - edge) and not strict):
                break
            to = nearest if strict else (proven + nearest) / 2
            answer = self.ask(proven, to, closed or proven != edge, budget, strict)
            if answer is None:
                break
            if answer is False:
                proven = to
            else:
                known, nearest = answer, to if answer.value is None else answer.value
                last = abs(nearest - proven) / 16 if strict else last
        return Nearest(proven, known.parts, known.value == proven)

    def ask(
        self, edge: Fraction, to: Fraction, closed: bool, budget: Budget, strict: bool = False
    ) -> Example | Literal[False] | None:
        """An example with the figure between (at ``to`` unless ``strict``), False if there is none, None if
        that is not known."""
        ends = sorted(((edge, closed), (to, not strict)))
        interval = Interval(ends[0][0], ends[1][0], ends[0][1], ends[1][1])
        moved = replace(self.target, interval=interval)
        targets = tuple(moved if each is self.target else each for each in self.question.targets)
        answer = decide(replace(self.question, targets=targets), budget.share(3), counting=False)
        if not isinstance(answer, Fits):
            return False if isinstance(answer, Refuted) else None
        if self.target.kind in NOT_ONE or not isinstance(answer.witness, Witness) or self.question.matrices:
            return Example()
        parts = answer.witness.parts
        value = figure_of(self.question, self.target, parts)
        known = value is not None and value[0] == value[1] and value[0] in interval  # else only enclosed
        return Example(value[0] if known and value else None, parts)
