"""Printed confidence intervals beside the figures of one matrix."""

from __future__ import annotations

from scoreproof.claim.claim import Conventions
from scoreproof.claim.confidence import interval_of, intervals
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
        method = conventions.method(printed.name.score.name)
        if method == UNKNOWN:
            continue
        assert printed.figure.confidence is not None
        rule = printed.rounding or rounding
        lower, upper = (end.interval(rule) for end in printed.figure.confidence)
        if printed.name.complement:
            lower, upper = upper.reflected(), lower.reflected()
        level = printed.figure.level or conventions.ci_level
        limits.append(Limits(interval_of(printed.label), printed.name.score, lower, upper, level, method))
    return WithIntervals(problem, tuple(limits)) if limits else None
