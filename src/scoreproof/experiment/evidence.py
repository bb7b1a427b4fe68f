"""Printed confidence intervals as evidence about one confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.experiment.problem import Limits, Problem, WithIntervals
from scoreproof.experiment.tree import Leaf, Node, Pooled, Printed, silent, told
from scoreproof.reported import Rounding

if TYPE_CHECKING:
    from scoreproof.experiment.claim import Conventions

#: Scores that are a number of items out of others, so that a method for proportions applies.
PROPORTIONS = frozenset({"acc", "sens", "spec", "ppv", "npv"})
#: Scores whose logarithm has the interval.
RATIOS = frozenset({"lrp", "lrn", "dor"})

METHODS_READ = (
    "confidence intervals are taken to be Wilson's, Wald's, Clopper and Pearson's or Agresti and Coull's; if "
    "another method may have been used (a bootstrap, a continuity correction), leave them out"
)


def interval_of(label: str) -> str:
    """What the printed interval of a score is called among the figures."""
    return f"interval of {label}"


def one_matrix(node: Node) -> bool:
    """Whether the figures of the node are those of a single matrix."""
    return isinstance(node, Leaf) or (isinstance(node, Pooled) and silent(node))


def intervals(node: Node) -> list[Printed]:
    """The figures printed with a confidence interval that says something about the counts."""
    if not one_matrix(node):
        return []
    return [
        printed
        for printed in told(node).scores
        if printed.figure.confidence is not None and printed.name.score.name in PROPORTIONS | RATIOS
    ]


def needs_method(node: Node) -> bool:
    """Whether the intervals depend on a method for proportions."""
    return any(printed.name.score.name in PROPORTIONS for printed in intervals(node))


def with_intervals(
    problem: Problem, node: Node, conventions: Conventions, rounding: Rounding
) -> WithIntervals | None:
    """The problem with the printed intervals, if there are any."""
    limits = []
    for printed in intervals(node):
        assert printed.figure.confidence is not None
        rule = printed.rounding or rounding
        lower, upper = (end.interval(rule) for end in printed.figure.confidence)
        if printed.name.complement:
            lower, upper = upper.reflected(), lower.reflected()
        level = printed.figure.level or conventions.ci_level
        limits.append(Limits(interval_of(printed.label), printed.name.score, lower, upper, level))
    return WithIntervals(problem, tuple(limits), conventions.ci) if limits else None
