"""What one reading of a claim takes for granted, stated or not: plain data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from scoreproof.claim.confidence import intervals
from scoreproof.claim.conventions import Reading
from scoreproof.claim.tree import (
    AnyFolding,
    Averaged,
    Classes,
    Known,
    Leaf,
    Node,
    Pooled,
    Regression,
    Uncounted,
    averages_f_measure,
    every_figure,
    every_node,
    figures_of,
    of_ranking,
    size,
    told,
)
from scoreproof.question.folds import Sample
from scoreproof.scores import Betas, zones_undefined

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
    machine = [printed.label for printed in figures if printed.figure.binary]
    for what, labels in (("percent", percent), ("machine numbers", machine)):
        if labels:
            yield what, ", ".join(dict.fromkeys(labels)), False
    yield from _betas(reading)
    yield from _of_folds(set(every_node(node)), sizes, said)
    spreads = any(printed.figure.spread is not None for printed in figures)
    within = [within for each in every_node(node) for within in told(each).within]
    matters = {
        "undefined": undefined_somewhere(node, conventions.betas),
        "f_mean": averages_f_measure(node),
        "averages": conventions.averages != "positive",
        "plus_minus": conventions.plus_minus != "sd",
        "sd": "sd" in said or spreads or any("sd" in dict(each.figures) for each in within),
        "ci": intervals(node),
        "quartiles": any(word in ("q1", "q3") for each in within for word, _ in each.figures),
        "limits": conventions.limits != "ci",
    }
    yield from ((what, getattr(conventions, what), what in said) for what, does in matters.items() if does)
    if isinstance(node, Regression) and node.spread is not None:
        yield "variance", node.spread_kind, "sd" in said


def _betas(reading: Reading) -> Iterator[tuple[str, str, bool]]:
    used = {printed.name.score.name for printed in every_figure(reading.experiment)}
    for score, what in (("fbp", "beta_positive"), ("fbn", "beta_negative")):
        if score in used:
            yield what, str(getattr(reading.conventions, what)), what in reading.conventions.stated


def _of_folds(nodes: set[Node], sizes: str | int, said: frozenset[str]) -> Iterator[tuple[str, str, bool]]:
    folds = [each for each in nodes if isinstance(each, AnyFolding) and not each.drawn]
    if folds and (sizes != "equal" or not all(each.uneven for each in folds)):  # else they are listed
        yield "fold sizes", SIZES.get(sizes, f"differ by at most {sizes}"), "fold_sizes" in said
    if folds:
        yield "classes in folds", "each in at least two folds", False
    if any(isinstance(each, AnyFolding) and each.drawn for each in nodes):
        yield "test sets", "each drawn on its own from all items", False
    if any(isinstance(each, Averaged) and each.dealt is not None for each in nodes):
        yield "folds", "scikit-learn's stratified folds", False


def undefined_somewhere(node: Node, betas: Betas) -> bool:
    """Whether a printed score may be undefined in one of the parts it was computed on."""
    if any(
        isinstance(each, AnyFolding) and any(map(of_ranking, figures_of(each))) for each in every_node(node)
    ):
        return False  # a fold of one class has no AUC
    return any(
        zones_undefined(score, sample.p, sample.n, betas)
        for each in every_node(node)
        for sample in _computed_on(each)
        for score in {printed.name.score for printed in figures_of(each) if not of_ranking(printed)}
    )


def _computed_on(node: Node) -> Collection[Sample]:
    """The sets on which scores are computed whose figures are printed about the node itself."""
    match node:
        case Leaf() | Pooled():
            return [size(node)]
        case Averaged():
            return {size(part) for part in node.parts}
        case AnyFolding(sample=Sample(p, n)):
            return [Sample(p, n), Sample(0, n), Sample(p, 0)]
        case Uncounted(known=Known()):
            zero = any(printed.figure.value <= printed.figure.unit for printed in figures_of(node))
            return [Sample(2, 2), Sample(0, 2), Sample(2, 0)] if zero else ()
        case Classes():
            return {Sample(each, sum(counts) - each) for counts in node.sets for each in counts}
        case _:
            return ()
