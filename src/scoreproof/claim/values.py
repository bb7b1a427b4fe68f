"""Values of a claim as a file or a caller gives them."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from decimal import Decimal

from scoreproof.errors import quoted
from scoreproof.printed import Figure


class Bare(str):
    """A number written without quotes in a file, kept as its text."""

    __slots__ = ()


def kind_of(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value)) or f"{type(value).__name__} {quoted(value, 40)}"


def jsonable(value: object) -> object:
    """The value as JSON can hold it, numbers of files with their text."""
    if isinstance(value, Bare):
        return float(value) if Decimal(repr(float(value))) == Decimal(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): jsonable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(each) for each in value]
    if isinstance(value, Figure):
        return value.text
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Decimal):
        return format(value, "f") if abs(value.adjusted()) < 200 else str(value)
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return str(value)
