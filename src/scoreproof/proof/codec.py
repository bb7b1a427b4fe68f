"""Proofs as data: every node is a frozen dataclass, written down and read back by its fields alone.

A node is declared once, with the word it is known by and typed fields:

>>> @node("example")
... class Example(Proof):
...     row: int
...     weights: tuple[int, ...] = ()
>>> Example(3, (1, -2)).to_dict()
{'kind': 'example', 'row': 3, 'weights': [1, -2]}
>>> read(Example, {"kind": "example", "row": 3, "weights": [1, -2]})
Example(row=3, weights=(1, -2))

Fields are whole numbers, truth values, words, fractions (written "3/4"), other nodes, None, and tuples
of these.  Reading takes nothing else: a float, a missing or an unknown key makes a verdict unreadable.
A field of type ``Proof`` holds a proof about another question, which alone says how it is read: until
then it stays :class:`Written`.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Any, Union, dataclass_transform, get_args, get_origin, get_type_hints

from scoreproof.errors import UnreadableVerdict, quoted, shorten

#: No proof is nested deeper, so that neither writing nor reading one can run out of stack.
DEEPEST = 200


class Proof:
    """What every node of a proof can do: become data."""

    __slots__ = ()
    kind: str

    def to_dict(self) -> dict[str, Any]:
        """The node as JSON-able data."""
        written = _written(self, 0)
        assert isinstance(written, dict)
        return written


@dataclass(frozen=True, slots=True)
class Written(Proof):
    """A proof as it was written down, not read yet."""

    data: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return dict(self.data)


@dataclass_transform(frozen_default=True)
def node(kind: str) -> Any:
    """Make a class a node of proofs, known by this word."""

    def made(plain: type) -> type:
        found: Any = dataclass(frozen=True, slots=True)(plain)
        found.kind = kind
        return found  # type: ignore[no-any-return]

    return made


def _written(value: object, depth: int) -> object:
    if depth > 3 * DEEPEST:
        raise RecursionError("a proof nested too deeply")
    if isinstance(value, Proof) and not isinstance(value, Written):
        own = {each.name: _written(getattr(value, each.name), depth + 1) for each in fields(value)}  # type: ignore[arg-type]
        return {"kind": value.kind, **own}
    if isinstance(value, tuple):
        return [_written(each, depth + 1) for each in value]
    if isinstance(value, Written):
        return value.to_dict()
    return str(value) if isinstance(value, Fraction) else value


def read(hint: Any, data: object, place: str = "certificate", depth: int = 0) -> Any:
    """The value of this type (a node, a union of nodes, a tuple …) that was written down as this data."""
    if depth > 3 * DEEPEST:
        raise UnreadableVerdict("certificate: nested too deeply")
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _read_one_of(get_args(hint), data, place, depth)
    if origin is tuple:
        return _read_tuple(get_args(hint), data, place, depth)
    if hint is Fraction:
        return _fraction(data, place)
    if hint is Proof:
        if not isinstance(data, Mapping):
            raise UnreadableVerdict(f"{place}: expected an object, found {quoted(data)}")
        return Written(data)
    if isinstance(hint, type) and issubclass(hint, Proof):
        return _read_one_of((hint,), data, place, depth)
    # bool is an int to isinstance, but not to a proof
    if hint is not None and type(data) is not hint:
        raise UnreadableVerdict(f"{place}: expected {_called(hint)}, found {quoted(data)}")
    return data


def _read_one_of(choices: tuple[Any, ...], data: object, place: str, depth: int) -> Any:
    """The node (or plain value) among several that the data says it is."""
    if data is None and type(None) in choices:
        return None
    kinds = {} if Proof in choices else _by_kind(choices)
    if not kinds:
        (only,) = (each for each in choices if each is not type(None))
        return read(only, data, place, depth)
    if not isinstance(data, Mapping):
        raise UnreadableVerdict(f"{place}: expected an object, found {quoted(data)}")
    kind = data.get("kind")
    known = kinds.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise UnreadableVerdict(f"{place}.kind: expected one of {', '.join(kinds)}, found {quoted(kind)}")
    hints = _hints(known)
    strange = data.keys() - hints.keys() - {"kind"}
    if strange:
        raise UnreadableVerdict(f"{place}: {shorten(min(map(str, strange)))} does not belong to {kind}")
    found = {}
    for name, (hint, needed) in hints.items():
        if name in data:
            found[name] = read(hint, data[name], f"{place}.{name}" if depth < 6 else place, depth + 1)
        elif needed:
            raise UnreadableVerdict(f"{place}.{name}: is missing")
    return known(**found)


def _read_tuple(inner: tuple[Any, ...], data: object, place: str, depth: int) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise UnreadableVerdict(f"{place}: expected a list, found {quoted(data)}")
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(read(inner[0], each, place, depth + 1) for each in data)
    if len(data) != len(inner):
        raise UnreadableVerdict(f"{place}: expected {len(inner)} values, found {len(data)}")
    return tuple(read(hint, each, place, depth + 1) for hint, each in zip(inner, data, strict=True))


def _fraction(data: object, place: str) -> Fraction:
    # Only what str(Fraction) writes: "1e999999999" would be a number no memory holds.
    if isinstance(data, str) and len(data) < 10_000:
        up, _, down = data.partition("/")
        if up.lstrip("-").isascii() and up.lstrip("-").isdigit() and (not down or down.isdigit()):
            try:
                return Fraction(int(up), int(down or 1))
            except (ValueError, ZeroDivisionError):
                pass
    raise UnreadableVerdict(f'{place}: expected a fraction like "3/4", found {quoted(data)}')


def _called(hint: type) -> str:
    return {int: "a whole number", bool: "true or false", str: "a word"}.get(hint, hint.__name__)


@cache
def _by_kind(choices: tuple[Any, ...]) -> dict[str, Any]:
    return {each.kind: each for each in choices if isinstance(each, type) and issubclass(each, Proof)}


@cache
def _hints(known: Any) -> dict[str, tuple[Any, bool]]:
    """The type of every field of a node, and whether it must be there."""
    hints = get_type_hints(known)
    return {
        each.name: (hints[each.name], each.default is MISSING and each.default_factory is MISSING)
        for each in fields(known)
    }
