"""What one reading of a claim takes for granted, stated or not: plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoreproof.claim.confidence import intervals
from scoreproof.claim.conventions import Reading
from scoreproof.claim.further import undefined_somewhere
from scoreproof.claim.tree import (
    AnyFolding,
    Averaged,
    Node,
    Pooled,
    Ranking,
    Regression,
    averages_f_measure,
    every_figure,
    told,
)

SIZES: dict[str | int, str] = {"equal": "differ by at most one", "any": "differ by any number"}


def assumptions(readings: Sequence[Reading], rounding_assumed: bool) -> list[dict[str, Any]]:
    """Every assumption of readings that matters to their figures: what, its value, and whether it is stated.

    Of several readings, those that take nothing unusual count.
    """
    usual = [reading for reading in readings if not reading.takes] or readings
    found = dict.fromkeys(each for reading in usual for each in _told(reading, rounding_assumed))
    return [{"what": what, "value": value, "stated": stated} for what, value, stated in found]


def _told(reading: Reading, rounding_assumed: bool) -> Iterator[tuple[str, str, bool]]:
    conventions, node = reading.conventions, reading.experiment
    said, sizes = conventions.stated, conventions.fold_sizes
    figures = list(every_figure(node))
    rule, eps = reading.rounding.rule, reading.rounding.eps
    yield "rounding", rule if rule != "eps" else f"eps {eps}", not rounding_assumed
    percent = [printed.label for printed in figures if printed.percent]
    if percent:
        yield "percent", ", ".join(dict.fromkeys(percent)), False
    machine = [printed.label for printed in figures if printed.figure.binary]
    if machine:
        yield "machine numbers", ", ".join(dict.fromkeys(machine)), False
    yield from _of_parts(list(_nodes(node)), sizes, said)
    if undefined_somewhere(node, conventions.betas):
        yield "undefined", conventions.undefined, "undefined" in said
    if averages_f_measure(node):
        yield "f_mean", conventions.f_mean, "f_mean" in said
    if conventions.averages != "positive":
        yield "averages", conventions.averages, "averages" in said
    if conventions.plus_minus != "sd":
        yield "plus_minus", conventions.plus_minus, "plus_minus" in said
    if "sd" in said or any(printed.figure.spread is not None for printed in figures) or _tells_sd(node):
        yield "sd", conventions.sd, "sd" in said
    if intervals(node):
        yield "ci", conventions.ci, "ci" in said
    if isinstance(node, Regression) and node.spread is not None:
        yield "variance", node.spread_kind, "sd" in said


def _of_parts(nodes: list[Node], sizes: str | int, said: frozenset[str]) -> Iterator[tuple[str, str, bool]]:
    if any(isinstance(each, AnyFolding) for each in nodes):
        yield "fold sizes", SIZES.get(sizes, f"differ by at most {sizes}"), "fold_sizes" in said
        yield "classes in folds", "each in at least two folds", False
    if any(isinstance(each, Averaged) and each.dealt is not None for each in nodes):
        yield "folds", "scikit-learn's stratified folds", False


def _tells_sd(node: Node) -> bool:
    return any("sd" in dict(each.figures) for inner in _nodes(node) for each in told(inner).within)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Pooled() | Averaged():
            for part in set(node.parts):
                yield from _nodes(part)
        case Ranking():
            yield from _nodes(node.inner)
