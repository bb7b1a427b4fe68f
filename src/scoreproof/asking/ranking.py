"""The question about rankings: AUC and the like beside the matrices at thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from scoreproof.asking.figures import labels_of
from scoreproof.claim.claim import Reading
from scoreproof.claim.tree import Node, Printed, Ranking, Uncounted, of_ranking, told
from scoreproof.question.question import (
    SAME_FOR_ONE_PART,
    Kind,
    Problem,
    Question,
    Ranked,
    Target,
    TwoByTwo,
    WithoutCounts,
)
from scoreproof.scores import RANKING, SCORES

WHOLE, HALF = (Fraction(1),), Fraction(1, 2)
SEVERAL = "AUC of the pooled items of parts that have figures of their own is not decided"


def without_areas(node: Node) -> Node:
    """Without counts, the figures of the matrix alone; else nothing changes."""
    if not isinstance(node, Uncounted):
        return node
    scores = tuple(printed for printed in node.told.scores if not of_ranking(printed))
    return replace(node, told=replace(node.told, scores=scores))


def question(
    reading: Reading, node: Ranking, inner: Question, notes: tuple[str, ...]
) -> tuple[Ranked, tuple[str, ...]]:
    """The question about rankings, and remarks about what could not be used."""
    plain = getattr(inner, "plain", inner)
    assert isinstance(plain, (Problem, WithoutCounts))
    figures = tuple(_areas(reading, node.inner, plain))
    why = {area.label: _unusable(plain, area) for area in figures}
    areas = [area for area in figures if not why[area.label]]
    remarks = [*notes, *_unused(node.inner)]
    remarks += [f"{label} was left out: {each}" for label, each in why.items() if each]
    several = bool(node.points) or any(area.score.name == "ap" for area in figures)
    base = _bare(inner if isinstance(inner, TwoByTwo) and inner.sample is not None and not several else plain)
    known = {*labels_of(base), *why}
    remarks += [f"the {label} was not used" for label in labels_of(inner) if label not in known]
    averaged = isinstance(node.inner, Uncounted) and node.inner.averaged
    partial = plain.partial or any(why.values()) or (averaged and any(map(_spread, told(node.inner).scores)))
    of_pairs, precisions = (
        tuple(_share(area) for area in areas if (area.score.name == "ap") == wanted) for wanted in (False, True)
    )
    found = Ranked(base, of_pairs, (), partial, precisions)
    return _with_points(reading, node, found, remarks)


def _with_points(
    reading: Reading, node: Ranking, found: Ranked, remarks: list[str]
) -> tuple[Ranked, tuple[str, ...]]:
    """The question with its further operating points, where they can be used."""
    one = found.plain
    if node.points and isinstance(one, Problem) and one.size == 1 and not found.averaged:
        return replace(found, points=tuple(_point(reading, one, each) for each in node.points)), tuple(remarks)
    if node.points:
        remarks.append("points were left out: operating points are decided for one test set with known counts")
        found = replace(found, partial=True)
    return found, tuple(remarks)


def _areas(reading: Reading, node: Node, plain: Problem | WithoutCounts) -> Iterator[Target]:
    """The figures about rankings."""
    if isinstance(plain, Problem):
        yield from (target for target in plain.targets if target.score.name in RANKING)
    else:
        for printed in filter(of_ranking, told(node).scores):
            interval = printed.interval(reading.rounding)
            yield Target(printed.label, Kind.MEAN, printed.name.score, interval, WHOLE)


def _share(area: Target) -> Target:
    """The figure as one about a share, like a sensitivity; the Gini coefficient is 2·AUC - 1."""
    interval = area.interval
    if area.score.name == "gini":
        interval = interval.moved(HALF, 0 if area.kind is Kind.SD else HALF)
    return replace(area, score=SCORES["sens"], interval=interval)


def _bare(base: Problem | WithoutCounts | TwoByTwo) -> Problem | WithoutCounts | TwoByTwo:
    """The question about the matrices alone."""
    match base:
        case TwoByTwo(figures=figures):
            return replace(base, figures=tuple(each for each in figures if each.score.name not in RANKING))
        case Problem(targets=targets):
            rest = tuple(target for target in targets if target.score.name not in RANKING)
            return replace(base, targets=rest)
    return base


def _unused(node: Node) -> Iterator[str]:
    """Remarks about what stands beside an area where nothing is known about the parts."""
    for printed in filter(of_ranking, told(node).scores if isinstance(node, Uncounted) else ()):
        if printed.figure.confidence is not None:
            yield f"the confidence interval of {printed.label} was not used"
        if _spread(printed):
            yield f"the ± of {printed.label} was not used"


def _spread(printed: Printed) -> bool:
    return of_ranking(printed) and printed.figure.spread is not None


def _unusable(inner: Problem | WithoutCounts, area: Target) -> str:
    """Why a figure about rankings cannot be used; empty if it can."""
    one = isinstance(inner, Problem) and inner.size == 1 and area.kind in SAME_FOR_ONE_PART
    if area.kind is Kind.POOLED and not one:
        return SEVERAL
    known = isinstance(inner, Problem) and not inner.foldings
    if area.score.name == "ap" and isinstance(inner, WithoutCounts):
        return "average precision is decided where the class counts are known"
    if isinstance(inner, WithoutCounts) or inner.undefined == "impossible":
        return ""
    if known and all(part.p and part.n for part in inner.parts):
        return ""
    return "parts without positives or negatives leave it undefined"


def _point(reading: Reading, inner: Problem, printed: tuple[Printed, ...]) -> Problem:
    targets = tuple(
        Target(each.label, Kind.MEAN, each.name.score, each.interval(reading.rounding), WHOLE)
        for each in printed
    )
    return replace(inner, targets=targets, partial=False)
