"""Keys with several values on one line: "cat 10, dog 20", "cat: precision 0.80, recall 0.90; dog: …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scoreproof.claim.fields import FIELDS, SPOKEN, Key, Kind
from scoreproof.patterns import pattern
from scoreproof.reading.counts import said_count

#: Keys that have a place of their own, stand in another's, or are only a remark.
_ELSEWHERE = ("format", "experiment", "scores", "conventions", "from")
_TOP = {key.name for key in FIELDS if not key.place}

#: The keys that no option and no field of their own asks for, by their names.
FURTHER: dict[str, Key] = {
    key.name: key
    for key in FIELDS
    if not key.label
    and key.name not in _ELSEWHERE
    and (not key.place or (key.place == "experiment" and key.name not in _TOP))
}

#: Those that are options of the command line; and all that are.
SEVERAL = {name: key for name, key in FURTHER.items() if key.several}
OPTIONS: dict[str, Key] = {**SPOKEN, **SEVERAL}

#: A name, and what starts like a figure.
_NAMED_FIGURE = pattern(r"(.*?)[\s=:]+([-+−<>≥≤]?\s*\.?\d.*)", re.DOTALL)
_NAMED_COUNT = pattern(r"(.*)[\s=:]+(\S+)", re.DOTALL)
_RANGE = pattern(r"\s*(-?\d*\.?\d+)\s*(?:-|–|to)\s*(-?\d*\.?\d+)\s*")


class Unwritten(ValueError):
    """What was typed is not in the notation."""


def read(key: Key, text: str) -> Any:
    """The value of a key as it was typed.

    >>> read(FURTHER["classes"], "cat 10, dog 1,000")
    {'cat': 10, 'dog': 1000}
    >>> read(FURTHER["per_class"], "cat: precision 0.80, recall 0.90; dog: f1 0.7")
    {'cat': {'precision': '0.80', 'recall': '0.90'}, 'dog': {'f1': '0.7'}}
    """
    try:
        if not text.strip(" ,;"):
            raise Unwritten
        return _READ.get(key.kind, str)(text.strip())
    except Unwritten:
        raise Unwritten(f"write it like this: {write(key, key.example)}") from None


def write(key: Key, value: Any) -> str | None:
    """The value as it would be typed; None where one line cannot hold it.

    >>> write(FURTHER["points"], [{"sens": "0.95", "spec": "0.52"}, {"sens": "0.8"}])
    'sens 0.95, spec 0.52; sens 0.8'
    """
    try:
        text = _written(key.kind, value)
        return text if read(key, text) == value else None
    except (Unwritten, TypeError, AttributeError, ValueError):
        return None


def _written(kind: Kind, value: Any) -> str:
    match kind:
        case Kind.BOUNDS:
            return ", ".join(f"{name} {low}-{high}" for name, (low, high) in value.items())
        case Kind.PER_CLASS | Kind.WITHIN:
            return "; ".join(f"{name}: {_pairs(figures)}" for name, figures in value.items())
        case Kind.POINTS | Kind.EXPERIMENTS | Kind.PAIRS:
            return "; ".join(map(_pairs, value))
        case Kind.NAMES if isinstance(value, list):
            return ", ".join(value)
    return _pairs(value) if isinstance(value, Mapping) else _plain(value)


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _pairs(value: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {each}" for name, each in value.items())


def _pieces(text: str, mark: str) -> Iterator[str]:
    """What stands between the marks; a comma inside a number is none."""
    between = r",(?!\d{3}(?!\d))" if mark == "," else re.escape(mark)
    yield from (piece.strip() for piece in re.split(between, text) if piece.strip())


def _named(text: str, form: re.Pattern[str], value: Callable[[str], Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for piece in _pieces(text, ","):
        parts = form.fullmatch(piece)
        if parts is None or not parts[1].strip() or parts[1].strip() in found:
            raise Unwritten
        found[parts[1].strip()] = value(parts[2].strip())
    if not found:
        raise Unwritten
    return found


def _count(text: str) -> int:
    found = said_count(text)
    if not isinstance(found, int):
        raise Unwritten
    return found


def _counts(text: str) -> Any:
    """Counts by name, or a list of them."""
    listed = list(_pieces(text, ","))
    if len(listed) > 1 and all(isinstance(said_count(each), int) for each in listed):
        return [_count(each) for each in listed]
    return _named(text, _NAMED_COUNT, _count)


def _names(text: str) -> Any:
    found = list(_pieces(text, ","))
    return found[0] if len(found) == 1 else found


def _bounds(text: str) -> dict[str, list[float | int]]:
    def ends(words: str) -> list[float | int]:
        found = _RANGE.fullmatch(words)
        if found is None:
            raise Unwritten
        return [int(end) if end.lstrip("-").isdigit() else float(end) for end in found.groups()]

    return _named(text, _NAMED_FIGURE, ends)


def _figures(text: str) -> dict[str, Any]:
    return _named(text, _NAMED_FIGURE, str)


def _grouped(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for piece in _pieces(text, ";"):
        name, mark, figures = piece.partition(":")
        if not mark or not name.strip() or name.strip() in found:
            raise Unwritten
        found[name.strip()] = _figures(figures)
    return found


_READ: dict[Kind, Callable[[str], Any]] = {
    Kind.WHOLE: _count,
    Kind.CLASSES: _counts,
    Kind.MATRIX: lambda text: {
        name.lower().replace(" ", "_"): count for name, count in _named(text, _NAMED_COUNT, _count).items()
    },
    Kind.NAMES: _names,
    Kind.BOUNDS: _bounds,
    Kind.PER_CLASS: _grouped,
    Kind.WITHIN: _grouped,
    Kind.POINTS: lambda text: [_figures(piece) for piece in _pieces(text, ";")],
    Kind.EXPERIMENTS: lambda text: [_counts(piece) for piece in _pieces(text, ";")],
    Kind.PAIRS: lambda text: [_counts(piece) for piece in _pieces(text, ";")],
}
