"""Which scores have confidence intervals that say something about counts."""

from __future__ import annotations

#: Scores that are a number of items out of others, so that a method for proportions applies.
PROPORTIONS = frozenset({"acc", "sens", "spec", "ppv", "npv"})
#: Scores whose logarithm has the interval.
RATIOS = frozenset({"lrp", "lrn", "dor"})
TELLING = PROPORTIONS | RATIOS
#: Scores whose intervals bound a table together.
CLOSED = (frozenset({"sens", "spec"}), frozenset({"ppv", "npv"}))


def interval_of(label: str) -> str:
    """What the printed interval of a score is called among the figures."""
    return f"interval of {label}"
