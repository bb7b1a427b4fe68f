"""The steps of a derivation: what each figure leaves, in whole numbers, and the step that leaves nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoreproof.interval import Interval
from scoreproof.question.question import Target
from scoreproof.writing import show

#: Decimals of a number that is not written in full.
PLACES = 4
#: A number with more decimals than this is not written in full.
FULL = 7


class Named(dict[str, str]):
    """Figures in words by their labels; one without words is called by its label."""

    def __missing__(self, label: str) -> str:
        return label


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation: the figures it uses, what follows in words, and the numbers behind them."""

    figures: tuple[str, ...]
    words: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {"figures": list(self.figures), "words": self.words, **self.data}


@dataclass(frozen=True, slots=True)
class Derivation:
    """Why some figures cannot hold together under one reading.

    ``cases`` is how many cases the argument goes through; with more than are shown, the steps show the
    closest.  Not ``by_hand``: the proof is told, but it is the certificate that carries it.
    """

    reading: str
    figures: tuple[str, ...]
    steps: tuple[Step, ...]
    cases: int = 1
    by_hand: bool = True

    @property
    def words(self) -> str:
        """The steps in words, as one text."""
        return " ".join(step.words for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        return {
            "reading": self.reading,
            "figures": list(self.figures),
            "steps": [step.to_dict() for step in self.steps],
            "cases": self.cases,
            "by_hand": self.by_hand,
        }


def number(value: Fraction, down: bool) -> str:
    """The number in full if it is short, else rounded down or up, never across a whole number."""
    if any(10**places % value.denominator == 0 for places in range(FULL + 1)):
        return show(value)
    places = PLACES
    while True:
        scaled = value * 10**places
        rounded = Fraction(scaled.__floor__() if down else scaled.__ceil__(), 10**places)
        if rounded.denominator > 1:
            return show(rounded, places)
        places += 2


def exactly(value: Fraction) -> str:
    """The number in full, with its decimals where it is a fraction."""
    text = show(value)
    return f"{text} (about {show(value, PLACES)})" if "/" in text else text


def between(interval: Interval) -> str:
    """Where a number lies: "between 84.995 and 85.005", "at least 3", "above 2 and at most 2.5"."""
    lo, hi = interval.lo, interval.hi
    if lo is not None and hi is not None and interval.lo_closed and interval.hi_closed:
        return exactly(lo) if lo == hi else f"between {number(lo, True)} and {number(hi, False)}"
    ends = []
    if lo is not None:
        ends.append(f"{'at least' if interval.lo_closed else 'above'} {number(lo, True)}")
    if hi is not None:
        ends.append(f"{'at most' if interval.hi_closed else 'below'} {number(hi, False)}")
    return " and ".join(ends) or "anywhere"


def ranged(name: str, first: int, last: int) -> str:
    """What a count can be: "TP = 85", "TP is 85 to 91"."""
    return f"{name} = {first}" if first == last else f"{name} is {first} to {last}"


def form(terms: Mapping[str, int]) -> str:
    """A sum of counts: "TP + TN", "7·A + 8·B"."""
    return " + ".join(name if times == 1 else f"{times}·{name}" for name, times in terms.items())


def ends(interval: Interval) -> list[str | None]:
    """An interval as data: its ends in exact decimals or fractions."""
    return [None if end is None else show(end) for end in (interval.lo, interval.hi)]


def nowhere(window: Interval, most: int) -> str:
    """Why no sum from 0 to ``most`` lies there."""
    if (window.hi is not None and window.hi < 0) or (window.lo is not None and window.lo > most):
        return f"it is 0 to {most}"
    return "no whole number lies there"


def errors(target: Target, window: Interval, items: int) -> str:
    """The correct items of an accuracy in errors: " (16.575 to 16.605 errors of 300 items)"."""
    if target.score.name != "acc" or window.lo is None or window.hi is None:
        return ""
    return f" ({number(items - window.hi, True)} to {number(items - window.lo, False)} errors of {items} items)"
