"""The question about rankings: AUC and the like beside the matrices at thresholds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from scoreproof.asking.figures import labels_of
from scoreproof.claim.claim import Reading
from scoreproof.claim.ranking import of_ranking
from scoreproof.claim.tree import AnyFolding, Averaged, Leaf, Node, Pooled, Printed, Ranking, Uncounted
from scoreproof.question.folds import Sample
from scoreproof.question.question import (
    Kind,
    Problem,
    Question,
    Ranked,
    Target,
    TwoByTwo,
    WithIntervals,
    WithoutCounts,
)


def question(
    reading: Reading, node: Ranking, inner: Question, notes: tuple[str, ...]
) -> tuple[Ranked, tuple[str, ...]]:
    """The question about rankings, and remarks about what could not be used."""
    averaged = _averaged(node.inner)
    plain = _without_intervals(inner)
    several = node.points or any(map(_precision, node.told.scores))
    base = inner if isinstance(inner, WithIntervals) and not several else plain
    assert isinstance(plain, (Problem, WithoutCounts)) and isinstance(
        base, (Problem, WithoutCounts, WithIntervals)
    )
    used = labels_of(base)
    remarks = [*notes, *(f"the {label} was not used" for label in labels_of(inner) if label not in used)]
    areas = []
    partial = plain.partial
    for printed in filter(of_ranking, node.told.scores):
        why = _unusable(reading, plain, printed, averaged)
        if why:
            remarks.append(f"{printed.label} was left out: {why}")
            partial = True
            continue
        areas.append((printed.label, printed.name.score, printed.interval(reading.rounding)))
        if printed.figure.confidence is not None:
            remarks.append(f"the confidence interval of {printed.label} was not used")
        if printed.figure.spread is not None:
            remarks.append(f"the ± of {printed.label} was not used")
            partial = partial or averaged is True
    points: tuple[Problem, ...] = ()
    if averaged is False and isinstance(plain, Problem) and _known(plain):
        points = tuple(_point(reading, plain, point) for point in node.points)
    elif node.points:
        remarks.append("points were left out: operating points are decided for one test set with known counts")
        partial = True
    return Ranked(base, tuple(areas), points, averaged is True, partial), tuple(remarks)


def _without_intervals(inner: Question) -> Question:
    match inner:
        case WithIntervals():
            return inner.problem
        case TwoByTwo():
            return inner.plain
    return inner


def _precision(printed: Printed) -> bool:
    return printed.name.score.name == "ap"


def _known(inner: Question) -> bool:
    """Whether every part of the question about matrices is known."""
    return isinstance(inner, Problem) and not inner.foldings


def _averaged(inner: Node) -> bool | None:
    """Whether areas are means over parts; None where they are neither that nor of one ranking."""
    match inner:
        case Sample() | Leaf():
            return False
        case Uncounted():
            return inner.averaged
        case AnyFolding():
            return True
        case Averaged() if all(isinstance(part, (Sample, Leaf)) for part in inner.parts) and not inner.pooled:
            return True
        case Pooled() if all(isinstance(part, Sample) for part in inner.parts) and not (
            inner.told.within or inner.told.bounds
        ):
            return False
        case _:
            return None


def _unusable(reading: Reading, inner: Question, printed: Printed, averaged: bool | None) -> str:
    """Why a figure about rankings cannot be used; empty if it can."""
    if averaged is None:
        return "AUC over nested or mixed parts is not decided"
    if _precision(printed) and (averaged or not _known(inner)):
        return "average precision is decided for one test set with known counts"
    if reading.conventions.undefined == "impossible" or isinstance(inner, WithoutCounts):
        return ""
    if isinstance(inner, Problem) and _known(inner) and all(part.p and part.n for part in inner.parts):
        return ""
    return "parts without positives or negatives leave it undefined"


def _point(reading: Reading, inner: Problem, printed: tuple[Printed, ...]) -> Problem:
    targets = tuple(
        Target(each.label, Kind.MEAN, each.name.score, each.interval(reading.rounding), (Fraction(1),))
        for each in printed
    )
    return replace(inner, targets=targets, partial=False)
