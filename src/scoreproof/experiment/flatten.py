"""From the tree of one reading to the flat problem the engines decide.

Pooled parts about which nothing is printed collapse to one evaluation set with the sums:
every score of the table is the same function of (tp, tn, p, n) and of their multiples.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from scoreproof.experiment.claim import Reading
from scoreproof.experiment.problem import Kind, Problem, Sample, Target
from scoreproof.experiment.tree import (
    AnyFolding,
    Averaged,
    Bound,
    Leaf,
    Node,
    OneOf,
    Pooled,
    Printed,
    Told,
    Within,
    silent,
    size,
    told,
)

ZERO, ONE = Fraction(0), Fraction(1)
WHOLE = (ONE,)


class NotFlat(Exception):
    """The reading is sound, but no engine here decides it; the message says why."""


@dataclass(slots=True)
class _Flattener:
    reading: Reading
    parts: list[Sample] = field(default_factory=list)
    targets: list[tuple[Kind, Printed | Within | Bound, dict[int, Fraction], tuple[tuple[int, ...], ...]]] = (
        field(default_factory=list)
    )
    notes: list[str] = field(default_factory=list)

    def visit(self, node: Node) -> dict[int, Fraction]:
        """Add the node's parts and targets; return the weight each part has in its score."""
        match node:
            case Sample() | Leaf():
                return self.single(node, size(node))
            case Pooled():
                if silent(node) and not told(node).within and not told(node).bounds:
                    return self.single(node, size(node))
                return self.pooled(node)
            case Averaged():
                return self.averaged(node)
            case AnyFolding():
                raise NotFlat(
                    "the folds are not described, and foldings that are not known are not decided here"
                )
            case OneOf():
                raise TypeError("a choice was left open")

    def single(self, node: Node, sample: Sample) -> dict[int, Fraction]:
        self.parts.append(sample)
        weights = {len(self.parts) - 1: ONE}
        for printed in told(node).scores:
            self.targets.append((Kind.MEAN, printed, weights, ()))
            if printed.figure.spread is not None:
                self.notes.append(
                    f"the ± of {printed.label} was not used: one confusion matrix has no spread over parts"
                )
        self.remarks(told(node))
        return weights

    def remarks(self, told: Told) -> None:
        self.notes += [
            f"{printed.label} {printed.figure.text.strip()} was read as the number it is; if a percentage "
            "is meant, write it with a % sign"
            for printed in told.scores
            if printed.name.score.highest is not None and 1 < printed.figure.value <= 100
        ]
        self.notes += [
            f"the confidence interval of {printed.label} was not used"
            for printed in told.scores
            if printed.figure.confidence is not None
        ]

    def pooled(self, node: Pooled) -> dict[int, Fraction]:
        first = len(self.parts)
        for part in node.parts:
            self.visit(part)
        indices = range(first, len(self.parts))
        weights = dict.fromkeys(indices, Fraction(1))
        for printed in node.told.scores:
            self.targets.append((Kind.POOLED, printed, weights, ()))
        self.within(node.told, weights, 1)
        self.remarks(node.told)
        return {-1: Fraction(1), **weights}

    def averaged(self, node: Averaged) -> dict[int, Fraction]:
        share = Fraction(1, len(node.parts))
        weights: dict[int, Fraction] = {}
        for part in node.parts:
            inner = self.visit(part)
            if -1 in inner:
                raise NotFlat(
                    "scores are averaged over parts that are themselves pooled, while figures are printed "
                    "for single folds inside them"
                )
            for index, weight in inner.items():
                weights[index] = weight * share
        kind = Kind.OF_MEANS if self.reading.conventions.f_mean == "of_means" else Kind.MEAN
        for printed in node.told.scores:
            f_measure = printed.name.score.name in ("f1", "fbp")
            self.targets.append((kind if f_measure else Kind.MEAN, printed, weights, ()))
            if printed.figure.spread is not None:
                spread = Printed(f"{printed.label} ±", printed.name, printed.figure.spread, printed.rounding)
                self.targets.append((Kind.SD, spread, weights, tuple((i,) for i in weights)))
        for printed in node.pooled:
            self.targets.append((Kind.POOLED, printed, dict.fromkeys(weights, Fraction(1)), ()))
        self.within(node.told, weights, node.repeats)
        self.remarks(node.told)
        return weights

    def within(self, told: Told, weights: dict[int, Fraction], repeats: int) -> None:
        indices = list(weights)
        length = len(indices) // repeats
        runs = [indices[i * length : (i + 1) * length] for i in range(repeats)]
        for each in told.within:
            if each.lowest is not None:
                self.targets.append((Kind.MIN, each.lowest, weights, ()))
            if each.highest is not None:
                self.targets.append((Kind.MAX, each.highest, weights, ()))
            if each.deviation is not None:
                clusters = runs if each.over == "repeats" else [[i] for i in indices]
                self.targets.append((Kind.SD, each.deviation, weights, tuple(tuple(c) for c in clusters)))
        for bound in told.bounds:
            self.targets.append((Kind.EACH, bound, weights, ()))

    def problem(self) -> Problem:
        reading = self.reading
        count = len(self.parts)
        targets = []
        for kind, said, weights, clusters in self.targets:
            if isinstance(said, Bound):
                interval, score = said.interval, said.score.score
            elif isinstance(said, Printed):
                score = said.name.score
                # An sd does not change under 1 - x, so a complement's needs no reflection;
                # the smallest error rate is the largest accuracy.
                if kind is Kind.SD:
                    interval = said.figure.interval(said.rounding or reading.rounding)
                else:
                    interval = said.interval(reading.rounding)
                    if said.name.complement and kind in (Kind.MIN, Kind.MAX):
                        kind = Kind.MAX if kind is Kind.MIN else Kind.MIN
            else:
                raise TypeError(said)
            full = WHOLE if count == 1 else tuple(weights.get(i, ZERO) for i in range(count))
            targets.append(Target(said.label, kind, score, interval, full, clusters))
        undefined = reading.conventions.undefined
        if undefined not in ("impossible", "zero", "skip"):
            raise TypeError("the convention for undefined scores was left open")
        return Problem(
            tuple(self.parts),
            tuple(targets),
            undefined,  # type: ignore[arg-type]
            reading.conventions.sd,  # type: ignore[arg-type]
            reading.conventions.betas,
        )


def flatten(reading: Reading) -> tuple[Problem, tuple[str, ...]]:
    """The flat problem of a reading, and remarks about what could not be used.

    Raises :class:`NotFlat` when the reading needs an engine that is not here.
    """
    flattener = _Flattener(reading)
    flattener.visit(reading.experiment)
    return flattener.problem(), tuple(flattener.notes)
