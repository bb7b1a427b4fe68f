"""Values as callers and files give them, written down as a claim holds them: plain data, figures as text.

A float has lost its trailing zeros.  It means its shortest decimal text, which allows the most values, unless
the number of decimals or an explicit distance says more.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import Any

from scoreproof.claim.counts import exact_number
from scoreproof.claim.fields import join
from scoreproof.claim.loader import distance
from scoreproof.errors import BadClaim, quoted
from scoreproof.printed import Figure, read

MOST_DECIMALS = 30
LARGEST_NUMBER = 10**100
#: Where figures stand, and how many names or places lead to each.
FIGURES = {"scores": 1, "within": 2, "per_class": 2, "points": 2}
#: What is nested deeper is left as it is; reading it as a claim will say so.
DEEPEST = 150
LONGEST = 200


class Bare(str):
    """A number written without quotes in a file, kept as its text."""

    __slots__ = ()


def figure(value: object, *, decimals: int | None = None, field: str = "") -> Figure:
    """A figure from text or a number, which means its shortest text unless ``decimals`` says more.

    >>> figure(0.9), figure(0.9, decimals=2)
    (Figure('0.9': 0.9, last digit 0.1), Figure('0.90': 0.9, last digit 0.01))
    """
    if isinstance(value, Figure):
        return value
    if isinstance(value, str):
        return read(value, field=field)
    where = field or "score"
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise BadClaim(where, f"found {value}, but a score is a finite number")
        return read(format(value, "f") if abs(value.adjusted()) < LONGEST else str(value), field=field)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadClaim(where, f"expected the figure as printed, in quotes, found {quoted(value)}")
    if isinstance(value, float):
        value = float(value)  # numpy's floats print their type
    number: Any = value if isinstance(value, Rational) else float(value)
    if number != number or abs(number) > LARGEST_NUMBER:
        raise BadClaim(where, f"found {quoted(value)}, but a score is a finite number")
    shortest = str(value)
    if decimals is None:
        return read(shortest, field=field)
    if type(decimals) is not int or not 0 <= decimals <= MOST_DECIMALS:
        raise BadClaim("decimals", f"expected 0 to {MOST_DECIMALS}, found {quoted(decimals)}")
    text = f"{value:.{decimals}f}"
    if Fraction(text) != Fraction(shortest):
        raise BadClaim(where, f"{quoted(value)} has more than the stated {decimals} decimals")
    return read(text, field=field)


def written(
    data: Mapping[str, Any], decimals: int | None = None, eps: object = None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The claim as plain data, which means the same without any options, and how numbers in it were read.

    >>> written({"scores": {"acc": 0.9}}, decimals=2)
    ({'scores': {'acc': '0.90'}}, ())
    """
    if decimals is not None and (type(decimals) is not int or not 0 <= decimals <= MOST_DECIMALS):
        raise BadClaim("decimals", f"expected 0 to {MOST_DECIMALS}, found {quoted(decimals)}")
    writer = _Writer(decimals, eps is not None or _own_distance(data) is not None)
    found = writer.value(data, "", 0)
    assert isinstance(found, dict)
    if eps is not None:
        if "rounding" in data:
            raise BadClaim("rounding", "is given twice: in the claim and by eps=; keep one")
        found["rounding"] = distance(eps, "eps").to_data()
    return found, tuple(writer.notes)


def read_as(label: str, text: str) -> str:
    """What is said of a number that is read as its shortest text."""
    places = len(text.partition("e")[0].partition(".")[2])
    digits = f"{places} decimal{'s' if places != 1 else ''}"
    return f"{label} was given as the number {text}; it is read as printed with {digits}"


def _own_distance(data: Mapping[str, Any]) -> object:
    """The distance that the claim itself states for its figures."""
    rounding = data.get("rounding")
    if isinstance(rounding, Mapping) and isinstance(rounding.get("default"), Mapping):
        rounding = rounding["default"]
    return rounding.get("eps") if isinstance(rounding, Mapping) else None


@dataclass(frozen=True, slots=True)
class _Writer:
    decimals: int | None
    distant: bool  # whether a distance says how far off each figure may be
    notes: list[str] = field(default_factory=list)

    def value(self, value: object, field: str, depth: int, figures: int = -1) -> Any:
        """The value as data; ``figures`` names further down it is a figure."""
        if type(value) is str or (type(value) is int and figures) or depth > DEEPEST:
            return value
        if isinstance(value, Mapping):
            return {str(key): self.named(str(key), each, field, depth, figures) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(each, f"{field}[{i}]", depth + 1, figures - 1) for i, each in enumerate(value)]
        if figures != 0:
            return _plain(value)
        if isinstance(value, Bare):
            value = float(value)
        elif isinstance(value, str):
            return value
        found = figure(value, decimals=self.decimals, field=field)
        if self.decimals is None and not self.distant and isinstance(value, (int, float)):
            self.notes.append(read_as(field.removeprefix("scores."), found.text))
        return found.text

    def named(self, key: str, value: object, field: str, depth: int, figures: int) -> Any:
        """What stands under a key of an object whose figures are so many names further down."""
        if type(value) is str:
            return value
        if key == "over" and figures == 1:  # what a deviation is over, among min, max and sd
            return _plain(value)
        if key == "prevalence" and isinstance(value, Bare):
            return str(value)
        inside = FIGURES.get(key, -1) if figures < 0 else figures - 1
        return self.value(value, join(field, key), depth + 1, inside)


def _plain(value: object) -> object:
    """A number, text or truth value as JSON can hold it, exactly."""
    if isinstance(value, Bare):
        number, near = exact_number(str(value), "claim"), float(value)
        return near if isfinite(near) and Fraction(repr(near)) == number else str(number)
    if isinstance(value, Figure):
        return value.text
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Decimal):
        return format(value, "f") if abs(value.adjusted()) < LONGEST else str(value)
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return str(value)
