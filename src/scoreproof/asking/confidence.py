"""Printed confidence intervals beside the figures of one matrix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scoreproof.claim.claim import Conventions
from scoreproof.claim.confidence import intervals
from scoreproof.claim.further import UNKNOWN
from scoreproof.claim.telling import CLOSED, PROPORTIONS, TELLING, interval_of
from scoreproof.claim.tree import Node, Printed, Uncounted
from scoreproof.interval import Interval
from scoreproof.printed import Rounding
from scoreproof.question.question import Problem, TableFigure, TwoByTwo

#: Items of one class up to which intervals are computed.
MOST_COUNTS = 1_000_000


def with_intervals(
    problem: Problem, node: Node, conventions: Conventions, rounding: Rounding
) -> tuple[TwoByTwo | Problem, tuple[str, ...]]:
    """The problem with the printed intervals, if there are any, and remarks if they are not used."""
    (sample,) = problem.parts
    limits = list(limits_of(intervals(node), conventions, rounding))
    if max(sample.p, sample.n) > MOST_COUNTS:
        why = f"it is computed for classes of up to {MOST_COUNTS} items"
        return problem, tuple(f"the {each.label} was not used: {why}" for each in limits)
    if not limits:
        return problem, ()
    plain = (TableFigure(each.label, each.score, each.interval) for each in problem.targets)
    counts = (("p", (sample.p, sample.p)), ("n", (sample.n, sample.n)))
    found = TwoByTwo((*plain, *limits), counts, None, problem.betas, problem.undefined, problem.partial)
    return found, ()


def limits_of(
    figures: Iterable[Printed], conventions: Conventions, rounding: Rounding
) -> Iterator[TableFigure]:
    """The printed intervals that say something about counts."""
    for printed in figures:
        name = printed.name.score.name
        method, score = conventions.method(name), conventions.row(printed.name.score)
        of_halves = name in PROPORTIONS and conventions.a_zero and score.name != name
        if printed.figure.confidence is None or name not in TELLING or method == UNKNOWN or of_halves:
            continue
        level = printed.figure.level or conventions.ci_level
        # without a zero cell nothing is added, and the figure itself says that there is none
        score = printed.name.score if name in PROPORTIONS else score
        ends = ends_of(printed, rounding)
        yield TableFigure(interval_of(printed.label), score, limits=ends, level=level, method=method)


def ends_of(printed: Printed, rounding: Rounding) -> tuple[Interval, Interval]:
    """What the lower and the upper limit of the score can be."""
    assert printed.figure.confidence is not None
    rule = printed.rounding or rounding
    lower, upper = (end.interval(rule) for end in printed.figure.confidence)
    return (upper.reflected(), lower.reflected()) if printed.name.complement else (lower, upper)


def table_of_unknown_size(
    node: Uncounted, more: Sequence[Printed], conventions: Conventions, rounding: Rounding
) -> tuple[TwoByTwo | None, tuple[str, ...]]:
    """The question about one table, where intervals or counts bound it; else why they are not used.

    ``more`` are figures that follow from printed counts.
    """
    figures = (*node.told.scores, *more)
    limits = tuple(limits_of(figures, conventions, rounding))
    known = node.known
    if known is not None or any({each.score.name for each in limits} >= pair for pair in CLOSED):
        plain = tuple(
            TableFigure(each.label, conventions.row(each.name.score), each.interval(rounding))
            for each in figures
        )
        counts, share = (known.counts, known.prevalence) if known is not None else ((), None)
        return TwoByTwo((*plain, *limits), counts, share, conventions.betas, conventions.undefined), ()  # type: ignore[arg-type]
    why = "without counts, those of sensitivity and specificity are, or of PPV and NPV"
    return None, tuple(f"the {each.label} was not used: {why}" for each in limits)
