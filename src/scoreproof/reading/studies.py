"""A claim about one 2x2 table as the facts it states: figures with their intervals, counts, a prevalence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.asking.confidence import limits_of
from scoreproof.claim.claim import Claim
from scoreproof.claim.conventions import Conventions
from scoreproof.claim.counts import share_of, span_of
from scoreproof.claim.matrix import SHARE_OF
from scoreproof.claim.telling import TELLING, interval_of
from scoreproof.claim.tree import Leaf, Printed, Ranking, Uncounted, told
from scoreproof.errors import BadClaim
from scoreproof.interval import Interval
from scoreproof.printed import Rounding
from scoreproof.question.question import TableFigure, TwoByTwo
from scoreproof.reading.load import load
from scoreproof.scores import SCORES
from scoreproof.solve.studies.facts import Span

#: What the cells of a matrix are called among the facts.
CELLS = {"tp": "tp", "fp": "fp", "fn": "fn", "tn": "tn", "predicted_positive": "pp", "predicted_negative": "pn"}
#: Keys of an experiment that say how many items there are, and those that change nothing for one table.
SAID = ("p", "n", "total")
IDLE = {"aggregate": ("pooled",), "folds": (1,), "repeats": (1,)}


@dataclass(frozen=True, slots=True)
class Study:
    """What a claim says about one table; ``ignored`` names what it prints beyond that, each with the reason."""

    question: TwoByTwo
    used: tuple[str, ...]
    ignored: tuple[str, ...]
    notes: tuple[str, ...] = ()


def study_of(source: Mapping[str, Any], conventions: Conventions | None = None) -> Study | None:
    """The facts of a claim in the shape of a claim file; None if it is about more, or less, than one table.

    ``conventions`` stand in place of those that it states.
    """
    experiment, matrix, scores = (source.get(key) or {} for key in ("experiment", "matrix", "scores"))
    if not all(isinstance(each, Mapping) for each in (experiment, matrix, scores)) or _more(experiment):
        return None
    plain = {key: source[key] for key in ("rounding", "conventions") if key in source}
    claim = load({**plain, "experiment": {}, "scores": dict(scores) or {"acc": "1"}})
    figures = _printed(claim)
    conventions = conventions or claim.conventions
    if figures is None or claim.rounding is None or not _usual(conventions):
        return None
    reader = _Reader(claim.rounding, conventions, experiment, matrix)
    for each in figures if scores else ():
        reader.read(each)
    question = TwoByTwo(
        tuple(reader.figures),
        tuple(reader.counts.items()),
        reader.prevalence,
        conventions.betas,
        conventions.undefined,  # type: ignore[arg-type]
    )
    return Study(question, tuple(dict.fromkeys(reader.used)), tuple(reader.ignored), claim.notes)


def _more(experiment: Mapping[str, Any]) -> bool:
    """Whether an experiment says more than the counts of one table."""
    rest = {key: value for key, value in experiment.items() if key not in (*SAID, "prevalence")}
    return any(key not in IDLE or value not in IDLE[key] for key, value in rest.items())


def _printed(claim: Claim) -> tuple[Printed, ...] | None:
    """The figures of one matrix."""
    node = claim.usual()[0].experiment
    node = node.inner if isinstance(node, Ranking) and not node.points else node
    whole = isinstance(node, Uncounted) and not node.averaged and not node.partial
    if not whole and not isinstance(node, Leaf):  # counts such as 59/60 make it one
        return None
    own = told(node)
    return None if own.within or own.bounds else own.scores


def _usual(conventions: Conventions) -> bool:
    """Whether nothing is agreed on that changes what a figure of one table is."""
    return (
        conventions.averages == "positive"
        and conventions.positive == "given"
        and conventions.zero_cells == "plain"
        and conventions.undefined in ("impossible", "zero")
    )


class _Reader:
    """Collects figures, and the counts that stand in them."""

    def __init__(
        self,
        rounding: Rounding,
        conventions: Conventions,
        experiment: Mapping[str, Any],
        matrix: Mapping[str, Any],
    ) -> None:
        self.rounding, self.conventions = rounding, conventions
        self.figures: list[TableFigure] = []
        self.ignored: list[str] = []
        self.used = [key for key in (*SAID, "prevalence") if key in experiment] + list(matrix)
        self.counts: dict[str, Span] = {
            key: span_of(experiment[key], f"experiment.{key}") for key in SAID if key in experiment
        }
        self.prevalence: Interval | None = None
        if "prevalence" in experiment:
            self.prevalence = share_of(experiment["prevalence"], "experiment.prevalence", self.rounding)
        for name, value in matrix.items():
            if name not in CELLS:
                raise BadClaim(f"matrix.{name}", f"is no cell of a matrix (known: {', '.join(CELLS)})")
            self.counts[CELLS[name]] = span_of(value, f"matrix.{name}")

    def read(self, printed: Printed) -> None:
        name, label = printed.name.score.name, printed.label
        if name not in SCORES:
            self.ignored.append(f"{label}: it says nothing about one table")
            return
        self.used.append(label)
        if printed.figure.spread is not None:
            self.ignored.append(f"± of {label}: one table has no spread")
        self.figures.append(TableFigure(label, printed.name.score, printed.interval(self.rounding)))
        limits = list(limits_of((printed,), self.conventions, self.rounding))
        self.figures += limits
        self.used += [each.label for each in limits]
        if printed.figure.confidence is not None and not limits:
            why = (
                "no known method gives it beside the rest"
                if name in TELLING
                else "it follows from no one formula"
            )
            self.ignored.append(f"{interval_of(label)}: {why}")
        if printed.figure.fraction is not None and printed.figure.fraction[1] > 0:
            self.count(printed, *printed.figure.fraction)

    def count(self, share: Printed, up: int, down: int) -> None:
        """The counts of a share such as 59/60."""
        name = share.name.score.name
        up = down - up if share.name.complement else up
        if name == "acc":
            point = Interval(Fraction(up, down), Fraction(up, down))
            self.figures.append(TableFigure(share.label, share.name.score, point))
            self.narrow("total", down)
        elif name in SHARE_OF and up <= down:
            for cell, value in zip(SHARE_OF[name], (up, down - up), strict=True):
                if cell in CELLS:
                    self.narrow(cell, value)

    def narrow(self, what: str, value: int) -> None:
        low, high = self.counts.get(what, (value, value))
        self.counts[what] = max(low, value), min(high, value)
