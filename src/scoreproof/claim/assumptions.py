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
)
from scoreproof.printed import Rounding

SIZES: dict[str | int, str] = {"equal": "differ by at most one", "any": "differ by any number"}
TWO_FOLDS = "each in at least two folds"
AS_DEALT = "scikit-learn's stratified folds"


def assumptions(readings: Sequence[Reading], rounding_assumed: bool) -> list[dict[str, Any]]:
    """Every assumption of readings that matters to their figures: what, its value, and whether it is stated.

    Of several readings, those that take nothing unusual count.
    """
    usual = [reading for reading in readings if not reading.takes] or readings
    told = dict.fromkeys(each for reading in usual for each in _told(reading, rounding_assumed))
    return [{"what": what, "value": value, "stated": stated} for what, value, stated in told]


def _told(reading: Reading, rounding_assumed: bool) -> Iterator[tuple[str, str, bool]]:
    conventions, node = reading.conventions, reading.experiment
    said, sizes = conventions.stated, conventions.fold_sizes
    figures = list(every_figure(node))
    yield "rounding", _rule(reading.rounding), not rounding_assumed
    percent = [printed.label for printed in figures if printed.percent]
    if percent:
        yield "percent", ", ".join(dict.fromkeys(percent)), False
    machine = [printed.label for printed in figures if printed.figure.binary]
    if machine:
        yield "machine numbers", ", ".join(dict.fromkeys(machine)), False
    if any(isinstance(each, AnyFolding) for each in _nodes(node)):
        yield "fold sizes", SIZES.get(sizes, f"differ by at most {sizes}"), "fold_sizes" in said
        yield "classes in folds", TWO_FOLDS, False
    if any(isinstance(each, Averaged) and each.dealt is not None for each in _nodes(node)):
        yield "folds", AS_DEALT, False
    if undefined_somewhere(node, conventions.betas):
        yield "undefined", conventions.undefined, "undefined" in said
    if averages_f_measure(node):
        yield "f_mean", conventions.f_mean, "f_mean" in said
    if any(printed.figure.spread is not None for printed in figures) or "sd" in said:
        yield "sd", conventions.sd, "sd" in said
    if intervals(node):
        yield "ci", conventions.ci, "ci" in said
    if isinstance(node, Regression) and node.spread is not None:
        yield "variance", node.spread_kind, "sd" in said


def _rule(rounding: Rounding) -> str:
    return rounding.rule if rounding.rule != "eps" else f"eps {rounding.eps}"


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Pooled() | Averaged():
            for part in set(node.parts):
                yield from _nodes(part)
        case Ranking():
            yield from _nodes(node.inner)
