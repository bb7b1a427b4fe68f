"""Printed confidence intervals beside the figures of one matrix."""

from __future__ import annotations

from scoreproof.claim.claim import Conventions
from scoreproof.claim.confidence import PROPORTIONS, interval_of, intervals
from scoreproof.claim.tree import Node
from scoreproof.printed import Rounding
from scoreproof.question.question import Limits, Problem, WithIntervals

#: A method of which nothing is known but that its interval holds the figure.
UNKNOWN = "bootstrap"


def with_intervals(
    problem: Problem, node: Node, conventions: Conventions, rounding: Rounding
) -> WithIntervals | None:
    """The problem with the printed intervals, if there are any."""
    limits = []
    for printed in intervals(node):
        name = printed.name.score.name
        method, score = conventions.method(name), conventions.row(printed.name.score)
        of_halves = name in PROPORTIONS and conventions.a_zero and score.name != name
        if method == UNKNOWN or of_halves:
            continue
        assert printed.figure.confidence is not None
        rule = printed.rounding or rounding
        lower, upper = (end.interval(rule) for end in printed.figure.confidence)
        if printed.name.complement:
            lower, upper = upper.reflected(), lower.reflected()
        level = printed.figure.level or conventions.ci_level
        limits.append(Limits(interval_of(printed.label), score, lower, upper, level, method))
    return WithIntervals(problem, tuple(limits)) if limits else None
