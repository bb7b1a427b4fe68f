"""Values as callers and files give them, written down as a claim holds them: plain data, figures as text.

A float has lost its trailing zeros, so it is a figure only together with the number of decimals or an
explicit distance.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from scoreproof.claim.counts import exact_number
from scoreproof.claim.fields import join
from scoreproof.claim.loader import distance
from scoreproof.errors import BadClaim, quoted, shorten
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


def figure(value: object, *, decimals: int | None = None, eps: object = None, field: str = "") -> Figure:
    """A figure from text or a Decimal; from a float only with ``decimals`` or ``eps``.

    >>> figure(0.9, decimals=2)
    Figure('0.90': 0.9, last digit 0.01)
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
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadClaim(where, f"expected the figure as printed, in quotes, found {quoted(value)}")
    if isinstance(value, float):
        value = float(value)  # numpy's floats print their type
    if value != value or abs(value) > LARGEST_NUMBER:
        raise BadClaim(where, f"found {quoted(value)}, but a score is a finite number")
    if decimals is not None:
        if type(decimals) is not int or not 0 <= decimals <= MOST_DECIMALS:
            raise BadClaim("decimals", f"expected 0 to {MOST_DECIMALS}, found {quoted(decimals)}")
        text = f"{value:.{decimals}f}"
        if Fraction(text) != Fraction(repr(value)):
            raise BadClaim(where, f"{quoted(value)} has more than the stated {decimals} decimals")
        return read(text, field=field)
    if eps is not None:
        return read(repr(value), field=field)
    raise BadClaim(
        where,
        f"the number {quoted(value)} has lost its trailing zeros (0.90 is not 0.9); write it as "
        f'printed in quotes, "{quoted(value)}", or say decimals= or eps=',
    )


def written(data: Mapping[str, Any], decimals: int | None = None, eps: object = None) -> dict[str, Any]:
    """The claim as plain data, which means the same without any options.

    >>> written({"scores": {"acc": 0.9}}, decimals=2)
    {'scores': {'acc': '0.90'}}
    """
    if decimals is not None and (type(decimals) is not int or not 0 <= decimals <= MOST_DECIMALS):
        raise BadClaim("decimals", f"expected 0 to {MOST_DECIMALS}, found {quoted(decimals)}")
    found = _Writer(decimals, eps, _own_distance(data)).value(data, "", 0)
    assert isinstance(found, dict)
    if eps is not None:
        if "rounding" in data:
            raise BadClaim("rounding", "is given twice: in the claim and by eps=; keep one")
        found["rounding"] = distance(eps, "eps").to_data()
    return found


def _own_distance(data: Mapping[str, Any]) -> object:
    """The distance that the claim itself states for its figures."""
    rounding = data.get("rounding")
    if isinstance(rounding, Mapping) and isinstance(rounding.get("default"), Mapping):
        rounding = rounding["default"]
    return rounding.get("eps") if isinstance(rounding, Mapping) else None


@dataclass(frozen=True, slots=True)
class _Writer:
    decimals: int | None
    eps: object
    own: object  # the claim's own distance

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
            if self.decimals is None and self.eps is None:
                raise BadClaim(field, f'scores are text as printed: write "{shorten(value)}" in quotes')
            value = float(value)
        elif isinstance(value, str):
            return value
        eps = self.own if self.eps is None else self.eps
        return figure(value, decimals=self.decimals, eps=eps, field=field).text

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
        if Decimal(repr(float(value))) == Decimal(value):
            return float(value)
        return str(exact_number(str(value), "claim"))
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
