"""What each score could have been, given the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.decision import CONSISTENT, Decision
from scoreproof.exact import show
from scoreproof.insight.phrases import printed_figures
from scoreproof.interval import Interval
from scoreproof.printed import Figure
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Exact, Matrix, Score
from scoreproof.solve.one_matrix.extremes import Extreme, attainable, extreme


@dataclass(frozen=True, slots=True)
class Range:
    """The smallest and largest value of one score that the other figures leave possible."""

    label: str
    score: Score
    complement: bool
    lowest: Exact
    highest: Exact
    lowest_matrix: Matrix
    highest_matrix: Matrix
    exact: bool

    def words(self, places: int) -> str:
        """The values that are possible: "only 0.9500", "0.9431 to 0.9512"."""
        low, high = show(self.lowest, places), show(self.highest, places)
        return f"only {low}" if self.lowest == self.highest else f"{low} to {high}"

    def __repr__(self) -> str:
        return f"{self.label} in [{show(self.lowest, 6)}, {show(self.highest, 6)}]"

    def to_dict(self) -> dict[str, Any]:
        return {
            "lowest": show(self.lowest, 8),
            "highest": show(self.highest, 8),
            "lowest_matrix": self.lowest_matrix._asdict(),
            "highest_matrix": self.highest_matrix._asdict(),
            "exact": self.exact,
        }


def ranges(verdict: Decision) -> dict[str, Range | None]:
    """For each figure, what the others leave possible (None: they clash among themselves)."""
    if len(verdict.usual) > 1 and verdict.status != CONSISTENT:
        return {}  # every reading would leave its own
    flat = verdict.decisive.problem
    if not isinstance(flat, Problem) or not flat.single:
        return {}
    printed = printed_figures(verdict)
    return {
        target.label: left_by_others(flat, index, printed[target.label].name.complement)
        for index, target in enumerate(flat.targets)
        if target.label in printed
    }


def reflected(value: Exact) -> Exact:
    """One minus the value."""
    return 1 - value if isinstance(value, Fraction) else replace(value, a=1 - value.a, b=-value.b)


def left_by_others(problem: Problem, index: int, complement: bool) -> Range | None:
    """What target ``index`` could say if all other figures stand; None if those clash already."""
    target = problem.targets[index]
    others = [other for other in range(len(problem.targets)) if other != index]
    found = attainable(problem, target.score, others)
    if found is None:
        return None
    low, high = found
    if complement:
        low, high = (replace(each, value=reflected(each.value)) for each in (high, low))
    return Range(
        target.label,
        target.score,
        complement,
        low.value,
        high.value,
        low.matrix,
        high.matrix,
        low.exact and high.exact,
    )


def neighbours(problem: Problem, index: int) -> tuple[Extreme | None, Extreme | None]:
    """The nearest values of one score below and above its figure that counts can give."""
    target = problem.targets[index]
    interval = target.interval
    below = above = None
    if interval.lo is not None:
        side = replace(target, interval=Interval(None, interval.lo, hi_closed=not interval.lo_closed))
        below = extreme(_alone(problem, side), target.score, None, largest=True)
    if interval.hi is not None:
        side = replace(target, interval=Interval(interval.hi, None, lo_closed=not interval.hi_closed))
        above = extreme(_alone(problem, side), target.score, None, largest=False)
    return below, above


def _alone(problem: Problem, target: Target) -> Problem:
    return replace(problem, targets=(target,))


def digits(figure: Figure) -> int:
    """How many decimals to show beside a printed figure."""
    places = 0
    unit = figure.unit
    while unit < 1 and places < 12:
        unit, places = unit * 10, places + 1
    return max(places, 2)
