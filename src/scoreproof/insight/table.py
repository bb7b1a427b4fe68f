"""The figures of a claim, one row each: printed, what it stands for, what it could be."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.decision import INCONSISTENT
from scoreproof.insight.conflict import impossible_alone
from scoreproof.insight.matrices import one_matrix_problems
from scoreproof.insight.phrases import printed_figures
from scoreproof.insight.ranges import digits
from scoreproof.question.confidence import interval_of
from scoreproof.verdict import Verdict


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
    conflict = verdict.conflict or ()
    single = one_matrix_problems(verdict) if verdict.status == INCONSISTENT and len(verdict.usual) == 1 else []
    alone = impossible_alone(single[0], verdict.budget()) if single else ()
    ranges = verdict.ranges or {}
    rows = []
    for label, printed in printed_figures(verdict).items():
        interval = printed.figure.interval(printed.rounding or reading.rounding)
        stands = repr(interval) if verdict.claim.rounding is not None else "depends on the rounding"
        found = ranges.get(label)
        places = min(digits(printed.figure) + 2, 12)
        if found is None:  # of figures that fit: the score is undefined wherever the others hold
            clash = label in ranges and verdict.status == INCONSISTENT
            text = "nothing: they clash without it" if clash else ""
        else:
            text = found.words(places)
        if len(ranges) == 1:  # there are no others
            text = ""
        clashes = any(each in (label, interval_of(label)) for each in (*conflict, *alone))
        rows.append(Row(label, printed.figure.text.strip(), stands, text, clashes))
    return rows
