"""How surprising a fit is: the share of comparable figures that would have fitted as well.

Comparable are all figures within ``NEARBY`` units of the last digit of the printed ones.
For one matrix the share follows from the number of matrices whose scores fall near the
figures: each gives one printed set, or a few where the rounding rule is wide.  Where there
are many, and for several parts, it is estimated figure by figure: given the figures before it, how often would
another value of this one have fitted?
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import Any

from scoreproof.budget import Budget
from scoreproof.decision import INCONSISTENT, UNDECIDED
from scoreproof.insight.places import units
from scoreproof.insight.trial import LITTLE, Trial, settled
from scoreproof.interval import Interval
from scoreproof.question.question import (
    Problem,
    Ranked,
    Residuals,
    Target,
    TwoByTwo,
    WithIntervals,
    WithoutCounts,
)
from scoreproof.scores import Score
from scoreproof.solve.answer import Fits
from scoreproof.solve.decide import decide

NEARBY = 30
#: Other values tried for each figure about several parts.
DRAWS = 6
#: ... and about one matrix, where a trial takes next to no time.
SINGLE_DRAWS = 20
#: From this share on several matrices give the same figures, so that counting them says too much.
CROWDED = 0.02
#: After so many fits in a row a figure is taken to fit anywhere.
SURE = 2

Units = dict[str, Fraction]
Figures = tuple[tuple[str, Score, Interval], ...]


@dataclass(slots=True)
class Surprise:
    """Shares, remembered for questions of the same kind about the same parts."""

    budget: Budget
    known: dict[Any, float] = field(default_factory=dict)

    def share(self, trial: Trial) -> float:
        """The share of comparable figures that the rewriting of a fitting trial would explain."""
        problem = trial.problem
        worth = units(trial.source)
        if isinstance(problem, Problem) and problem.single:
            counted = boxed(problem, worth, self.budget)
            if counted < CROWDED:
                return counted
            return min(counted, self.chained(trial, worth, SINGLE_DRAWS))
        key = _kind(problem, worth)
        if key not in self.known:
            self.known[key] = self.chained(trial, worth)
        return self.known[key]

    def chained(self, trial: Trial, worth: Units, draws: int = DRAWS) -> float:
        problem = trial.problem
        rng = random.Random(1)
        found = 1.0
        labels = [label for label in problem.labels if label in worth]
        for index, label in enumerate(labels):
            before = problem.keeping(set(problem.labels) - set(labels[index + 1 :]))
            fits = tries = 0
            for step in rng.sample([k for k in range(-NEARBY, NEARBY + 1) if k], draws):
                if (fits == tries == SURE and draws == DRAWS) or self.budget.spent_up:
                    break
                tries += 1
                status = settled(shifted(before, label, step * worth[label]), self.budget.at_most(LITTLE))
                fits += status != INCONSISTENT
                if status == UNDECIDED:
                    break  # hard to refute is as good as fitting, and the next would be no easier
            # the printed value itself fits, which counts for half of one
            found *= (fits + 0.5) / (tries + 0.5) if tries else 1.0
        return found


def boxed(problem: Problem, worth: Units, budget: Budget) -> float:
    """The matrices whose scores come near the figures, compared with the figures that are near."""
    slots, times, targets = [1], Fraction(1), []
    for target in problem.targets:
        unit, interval = worth.get(target.label), target.interval
        if unit is None or interval.lo is None or interval.hi is None:
            targets.append(target)
            continue
        lo, hi = interval.lo - NEARBY * unit, interval.hi + NEARBY * unit
        lo = lo if target.score.lowest is None else max(lo, target.score.lowest - unit / 2)
        hi = hi if target.score.highest is None else min(hi, target.score.highest + unit / 2)
        slots.append(max(1, int((hi - lo) / unit)))
        times *= max(Fraction(1), (interval.hi - interval.lo) / unit)
        targets.append(replace(target, interval=Interval(min(lo, interval.lo), max(hi, interval.hi))))
    answer = decide(replace(problem, targets=tuple(targets)), budget)
    count = answer.count or 1 if isinstance(answer, Fits) else 1
    return float(min(Fraction(1), count * times / prod(slots)))


def shifted(problem: Any, label: str, by: Fraction) -> Any:
    """The question with one figure moved."""
    match problem:
        case WithIntervals():
            return replace(problem, problem=shifted(problem.problem, label, by))
        case TwoByTwo():
            moved = (
                replace(each, printed=_moved(each.printed, by)) if each.label == label else each
                for each in problem.figures
            )
            return replace(problem, figures=tuple(moved))
        case WithoutCounts() | Residuals():
            return replace(problem, figures=_shifted_rows(problem.figures, label, by))
        case Ranked():
            return replace(
                problem,
                base=shifted(problem.base, label, by),
                areas=_shifted_rows(problem.areas, label, by),
                points=tuple(shifted(point, label, by) for point in problem.points),
            )
    return replace(problem, targets=tuple(_shift(target, label, by) for target in problem.targets))


def _shifted_rows(rows: Figures, label: str, by: Fraction) -> Figures:
    return tuple(
        (each, score, _moved(interval, by) if each == label else interval) for each, score, interval in rows
    )


def _shift(target: Target, label: str, by: Fraction) -> Target:
    return replace(target, interval=_moved(target.interval, by)) if target.label == label else target


def _moved(interval: Interval, by: Fraction) -> Interval:
    lo = None if interval.lo is None else interval.lo + by
    hi = None if interval.hi is None else interval.hi + by
    return replace(interval, lo=lo, hi=hi)


def _kind(problem: Any, worth: Units) -> tuple[Any, ...]:
    """What the share depends on, up to where exactly the figures lie."""
    if not isinstance(problem, Problem):
        return (problem,)
    rows = []
    for target in problem.targets:
        interval, unit = target.interval, worth.get(target.label)
        width = None if interval.lo is None or interval.hi is None else interval.hi - interval.lo
        rows.append((target.kind, target.score.name, width, unit))
    return (problem.parts, problem.foldings, problem.undefined, frozenset(rows))
