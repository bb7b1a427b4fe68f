"""The figures of a claim, one by one: what each stands for, what it could be, which matrices give it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.asking.figures import labels_of
from scoreproof.claim.telling import interval_of
from scoreproof.decision import CONSISTENT, INCONSISTENT, Decision
from scoreproof.insight.conflict import impossible_alone
from scoreproof.insight.phrases import printed_figures
from scoreproof.interval import Interval
from scoreproof.printed import Figure
from scoreproof.question.question import Problem, Ranked, Target, TwoByTwo
from scoreproof.scores import Exact, Matrix
from scoreproof.solve.one_matrix.decide import every
from scoreproof.solve.one_matrix.extremes import attainable, extreme
from scoreproof.verdict import Verdict
from scoreproof.writing import show, span


@dataclass(frozen=True, slots=True)
class Range:
    """The smallest and largest value of one score that the other figures leave possible."""

    label: str
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


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    printed: str
    interval: str
    range: str
    clashes: bool


def figures(verdict: Verdict) -> list[Row]:
    """One row per figure printed about the whole experiment."""
    reading = verdict.outcomes[0].reading
    alone = impossible(verdict) if verdict.status == INCONSISTENT and len(verdict.usual) == 1 else ()
    clashing = {*(verdict.conflict or ()), *alone}
    ranges = verdict.ranges
    rows = []
    for label, printed in printed_figures(verdict).items():
        interval = printed.figure.interval(printed.rounding or reading.rounding)
        stands = span(interval) if verdict.claim.rounding is not None else "depends on the rounding"
        found = ranges.get(label)
        text = ""
        if len(ranges) == 1:
            pass  # there are no others
        elif found is not None:
            text = found.words(min(digits(printed.figure) + 2, 12))
        elif label in ranges and verdict.status == INCONSISTENT:
            text = "nothing: they clash without it"  # of figures that fit: undefined wherever the others hold
        clashes = label in clashing or interval_of(label) in clashing
        rows.append(Row(label, printed.figure.text.strip(), stands, text, clashes))
    return rows


def ranges(verdict: Decision) -> dict[str, Range | None]:
    """For each figure, what the others leave possible (None: they clash among themselves)."""
    if len(verdict.usual) > 1 and verdict.status != CONSISTENT:
        return {}  # every reading would leave its own
    flat = verdict.decisive.problem
    if not isinstance(flat, Problem) or not flat.single:
        return {}
    printed = printed_figures(verdict)
    return {
        target.label: _left_by_others(flat, index, printed[target.label].name.complement)
        for index, target in enumerate(flat.targets)
        if target.label in printed
    }


def _left_by_others(problem: Problem, index: int, complement: bool) -> Range | None:
    """What target ``index`` could say if all other figures stand; None if those clash already."""
    target = problem.targets[index]
    others = [other for other in range(len(problem.targets)) if other != index]
    found = attainable(problem, target.score, others)
    if found is None:
        return None
    low, high = found
    if complement:
        low, high = (replace(each, value=reflected(each.value)) for each in (high, low))
    return Range(target.label, low.value, high.value, low.matrix, high.matrix, low.exact and high.exact)


def reflected(value: Exact) -> Exact:
    """One minus the value."""
    return 1 - value if isinstance(value, Fraction) else replace(value, a=1 - value.a, b=-value.b)


def neighbours(problem: Problem, target: Target) -> list[Exact]:
    """The nearest values of one score below and above its figure that counts can give."""
    printed = target.interval
    below = Interval(None, printed.lo, hi_closed=not printed.lo_closed)
    above = Interval(printed.hi, None, lo_closed=not printed.hi_closed)
    found = []
    for end, side in ((printed.lo, below), (printed.hi, above)):
        if end is not None:
            beside = replace(problem, targets=(replace(target, interval=side),))
            found.append(extreme(beside, target.score, None, largest=side is below))
    return [each.value for each in found if each is not None]


def digits(figure: Figure) -> int:
    """How many decimals to show beside a printed figure."""
    return next((places for places in range(2, 12) if figure.unit * 10**places >= 1), 12)


def one_matrix_problems(verdict: Decision) -> list[Problem]:
    """The flat problem of every reading; empty where some reading is not about one matrix."""
    found = [outcome.problem for outcome in verdict.outcomes]
    single = [problem for problem in found if isinstance(problem, Problem) and problem.single]
    return single if len(single) == len(found) else []


def impossible(verdict: Verdict) -> tuple[str, ...]:
    """The figures that no matrix gives even on their own; none where some reading is not about one matrix."""
    problems = one_matrix_problems(verdict)
    return impossible_alone(problems[0], verdict.budget()) if problems else ()


def matrices(verdict: Decision) -> Iterator[Matrix]:
    """Every matrix that fits, over all readings about one matrix, in order."""
    for outcome in verdict.outcomes:
        problem = outcome.problem
        if outcome.status != CONSISTENT:
            continue
        if isinstance(problem, Ranked) and not problem.points:
            from scoreproof.proof.ranking.no_ranking import closely_confined

            problem = closely_confined(problem) if labels_of(problem.base) else None
        if isinstance(problem, TwoByTwo) or (isinstance(problem, Problem) and problem.single):
            yield from every(problem)
