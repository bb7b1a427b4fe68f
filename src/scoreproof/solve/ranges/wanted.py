"""What an unreported score of a claim would be: one more figure about the whole experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from scoreproof.asking.flatten import flatten
from scoreproof.claim.claim import Reading
from scoreproof.claim.tree import Printed, Told, telling
from scoreproof.interval import Interval
from scoreproof.printed import read
from scoreproof.question.question import Kind, Problem, Target, WithoutCounts
from scoreproof.scores import SCORES, Score
from scoreproof.scores.names import Name

ANYTHING = Interval(None, None)
_MARK = "\0"  # no label of a claim starts like this


def aims(reading: Reading, wanted: Mapping[str, Name]) -> dict[str, Target]:
    """For each wanted score the figure that would be printed about the whole, as a target.

    The tree is flattened with these figures in it, so that means, pooled scores and the
    conventions apply as they would to a printed one.  A score that has no such figure in
    this reading (a mean of pooled scores, say) is missing.  Complements are their scores here, and
    all are of the positive class.
    """
    reading = replace(reading, conventions=replace(reading.conventions, averages="positive"))
    figure = read("0")
    said = tuple(Printed(_MARK + label, Name(name.score), figure) for label, name in wanted.items())
    question, _ = flatten(replace(reading, experiment=telling(reading.experiment, Told(said))))
    if isinstance(question, WithoutCounts):
        return {label: _target(label, name.score) for label, name in wanted.items()}
    if not isinstance(question, Problem):
        return {}
    return {
        target.label[1:]: replace(target, interval=ANYTHING)
        for target in question.targets
        if target.label.startswith(_MARK)
    }


def _target(label: str, score: Score) -> Target:
    return Target(_MARK + label, Kind.MEAN, score, ANYTHING, ())


def summed(label: str, name: str, parts: int) -> Target:
    """The score of the summed counts of all parts."""
    return Target(_MARK + label, Kind.POOLED, SCORES[name], ANYTHING, (Fraction(1),) * parts)
