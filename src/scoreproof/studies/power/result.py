"""What came of the trials: counts, the power with its confidence interval, tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scoreproof.insight.blocks import Block, Shown, Table
from scoreproof.studies.common import csv_text

#: The confidence level of every interval.
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Point:
    """The trials at one number of decimals, and how their checks ended."""

    decimals: int
    trials: int
    refuted: int
    undecided: int = 0

    @property
    def consistent(self) -> int:
        """How many slips went unnoticed for certain."""
        return self.trials - self.refuted - self.undecided

    @property
    def power(self) -> float | None:
        """The share refuted; an undecided check has refuted nothing.  None without trials."""
        return self.refuted / self.trials if self.trials else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of Clopper and Pearson.

        Undecided checks widen it: its upper end counts them as refuted.

        >>> [round(end, 3) for end in Point(4, 1000, 988).interval]
        [0.979, 0.994]
        """
        low, _ = clopper_pearson(self.refuted, self.trials)
        _, high = clopper_pearson(self.refuted + self.undecided, self.trials)
        return low, high

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval
        return {**asdict(self), "power": self.power, "low": low, "high": high}


@dataclass(frozen=True, slots=True)
class Power(Shown):
    """How often a slip is refuted, by the number of decimals printed.

    ``precision`` is how far an interval may reach from its middle for its trials to end early; ``stopped``
    says why the others were not made, and is empty if they were.
    """

    setup: Mapping[str, Any]
    scores: tuple[str, ...]
    model: str
    words: str
    draw: str
    seed: int
    points: tuple[Point, ...]
    stopped: str = ""
    precision: float = 0.0

    def __getitem__(self, decimals: int) -> Point:
        for point in self.points:
            if point.decimals == decimals:
                return point
        raise KeyError(decimals)

    def __repr__(self) -> str:
        shares = [
            f"{each.decimals}: {'—' if each.power is None else f'{each.power:.3f}'}" for each in self.points
        ]
        return f"Power({self.model}, {{{', '.join(shares)}}})"

    def blocks(self) -> Iterator[Block]:
        """What a notebook shows."""
        yield f"How often a slip is caught: {self.words}; printed {', '.join(self.scores)}."
        rows = [
            (
                each.decimals,
                each.trials,
                each.refuted,
                each.undecided,
                "" if each.power is None else f"{each.power:.3f}",
                "{:.3f} to {:.3f}".format(*each.interval),
            )
            for each in self.points
        ]
        headings = ("decimals", "trials", "caught", "undecided", "power", "95 % interval")
        yield Table(headings, rows, numbers=range(6))
        if self.stopped:
            yield self.stopped

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-able data."""
        return {
            "setup": dict(self.setup),
            "scores": list(self.scores),
            "model": self.model,
            "words": self.words,
            "draw": self.draw,
            "seed": self.seed,
            "confidence": LEVEL,
            "precision": self.precision,
            "points": [point.to_dict() for point in self.points],
            **({"stopped": self.stopped} if self.stopped else {}),
        }

    def to_csv(self) -> str:
        """The points as CSV with a header, one row per number of decimals."""
        rows = [{"model": self.model, **point.to_dict()} for point in self.points]
        return csv_text(rows, list(rows[0]))


def clopper_pearson(hits: int, trials: int) -> tuple[float, float]:
    """The exact binomial interval for a share: it covers the truth at least 95 % of the time."""
    from scipy.special import betaincinv

    if not trials:
        return 0.0, 1.0
    tail = (1 - LEVEL) / 2
    low = float(betaincinv(hits, trials - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1 - tail)) if hits < trials else 1.0
    return low, high
