"""Printed confidence intervals beside the figures of one matrix."""

from __future__ import annotations

from fractions import Fraction

from scoreproof.claim.claim import Conventions
from scoreproof.claim.confidence import intervals
from scoreproof.claim.telling import PROPORTIONS, TELLING, interval_of
from scoreproof.claim.tree import Node, Printed, Told
from scoreproof.interval import Interval
from scoreproof.printed import Figure, Rounding
from scoreproof.proof.intervals import MOST_COUNTS
from scoreproof.question.question import Limits, Problem, TableFigure, TwoByTwo, WithIntervals

#: Items behind an interval, about, up to which tables of unknown size are gone through.
MOST_ITEMS = 300
#: A method of which nothing is known but that its interval holds the figure.
UNKNOWN = "bootstrap"


def with_intervals(
    problem: Problem, node: Node, conventions: Conventions, rounding: Rounding
) -> tuple[WithIntervals | Problem, tuple[str, ...]]:
    """The problem with the printed intervals, if there are any, and remarks if they are not used.

    Large classes are left to those who state the method.
    """
    limits = []
    (sample,) = problem.parts
    for printed in intervals(node):
        name = printed.name.score.name
        method, score = conventions.method(name), conventions.row(printed.name.score)
        of_halves = name in PROPORTIONS and conventions.a_zero and score.name != name
        if method == UNKNOWN or of_halves:
            continue
        level = printed.figure.level or conventions.ci_level
        limits.append(Limits(interval_of(printed.label), score, *ends_of(printed, rounding), level, method))
    if max(sample.p, sample.n) > MOST_COUNTS and all(each.method == "open" for each in limits):
        why = f"it is computed for classes of up to {MOST_COUNTS} items"
        return problem, tuple(f"the {each.label} was not used: {why}" for each in limits)
    return WithIntervals(problem, tuple(limits)) if limits else problem, ()


def ends_of(printed: Printed, rounding: Rounding) -> tuple[Interval, Interval]:
    """What the lower and the upper limit of the score can be."""
    assert printed.figure.confidence is not None
    rule = printed.rounding or rounding
    lower, upper = (end.interval(rule) for end in printed.figure.confidence)
    return (upper.reflected(), lower.reflected()) if printed.name.complement else (lower, upper)


def table_of_unknown_size(
    told: Told, conventions: Conventions, rounding: Rounding
) -> tuple[TwoByTwo | None, tuple[str, ...]]:
    """The question about one table of any size, where its intervals bound it; else why they are not used."""
    figures, listed, unused = [], set(), []
    for printed in told.scores:
        name = printed.name.score.name
        method = conventions.method(name)
        used = printed.figure.confidence is not None and name in TELLING and method != UNKNOWN
        limits = ends_of(printed, rounding) if used else None
        level = printed.figure.level or conventions.ci_level
        interval = printed.interval(rounding)
        figures.append(TableFigure(printed.label, printed.name.score, interval, limits, level, method))
        if used:
            unused.append(printed.label)
            listed |= {name} if _items(printed.figure) <= MOST_ITEMS else set()
    if listed >= {"sens", "spec"}:
        return TwoByTwo(tuple(figures), betas=conventions.betas), ()
    why = f"without counts, those of sensitivity and specificity are, for up to about {MOST_ITEMS} items each"
    return None, tuple(f"the confidence interval of {label} was not used: {why}" for label in unused)


def _items(figure: Figure) -> Fraction:
    """About how many items an interval as wide as this stands for."""
    assert figure.confidence is not None
    low, high = figure.confidence
    width = max(high.value - low.value, high.unit / 2)
    return 16 * figure.value * (1 - figure.value) / width**2 + 4 / width
