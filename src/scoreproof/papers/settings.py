"""What is said on purpose: in a comment of the source, or with ``--set``; both in the same words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoreproof.claim.fields import SPOKEN, Kind, placed
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import nearest
from scoreproof.papers.document import Passage, Table
from scoreproof.reading.counts import said_count, said_folds
from scoreproof.reading.tables.claims import YES_NO

IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Setting:
    """A claim without scores for some tables and rows: all of them, unless ``table`` and ``row`` say which."""

    claim: Mapping[str, Any]
    words: str
    table: str = ""
    row: str = ""
    ignore: bool = False
    passage: Passage | None = field(default=None, compare=False)

    def holds_for(self, table: Table, number: int, names: tuple[str, ...] = ()) -> bool:
        """Whether the table is meant, by its label, its number or its place; and the row, by name or number."""
        if self.table and not _is(
            self.table, number, (table.label, table.label.rpartition(" ")[2], table.place.part)
        ):
            return False
        return not self.row or any(_is(self.row, -1, (name,)) for name in names)


def _is(asked: str, number: int, names: tuple[str, ...]) -> bool:
    asked = _plain(asked)
    known = [_plain(name) for name in names if name]
    labelled = any(name.isdecimal() for name in known)
    return asked in known or (not labelled and asked == str(number))


def _plain(name: str) -> str:
    return " ".join(name.casefold().strip(" .:").split())


def setting_of(words: str, passage: Passage | None = None, name: str = "") -> Setting:
    """What the words set.

    >>> setting_of("p=38 n=262 folds=5 table=2").claim["experiment"]
    {'p': 38, 'n': 262, 'folds': 5}
    """
    try:
        parts = shlex.split(words.strip())
    except ValueError:
        raise BadClaim(name, f"a quotation mark is open in {shorten(words)!r}") from None
    said: dict[str, Any] = {}
    where = {"table": "", "row": ""}
    ignore = False
    for part in parts:
        key, equals, value = part.strip(",;").partition("=")
        key = key.strip().replace("-", "_")
        if key in where and equals:
            where[key] = value
        elif part == IGNORE:
            ignore = True
        elif key not in SPOKEN:
            known = (*SPOKEN, *where, IGNORE)
            raise BadClaim(name, f"{quoted(key)} is nothing that can be set{nearest(key, known)}")
        elif key in said:
            raise BadClaim(name, f"{key} is set twice; keep one")
        else:
            said[key] = _value(key, value if equals else "yes", name)
    if not said and not ignore:
        raise BadClaim(name, "says nothing; write p=38 n=262 folds=5, or ignore")
    return Setting(placed(said), words.strip(), where["table"], where["row"], ignore, passage)


def _value(key: str, text: str, name: str) -> Any:
    match SPOKEN[key].kind:
        case Kind.COUNT:
            return said_count(text)
        case Kind.FOLDS:
            return said_folds(text)
        case Kind.YES_NO:
            if text.casefold() not in YES_NO:
                raise BadClaim(name, f"{key} is yes or no, found {quoted(text)}")
            return YES_NO[text.casefold()]
        case Kind.WHOLE:
            if not re.fullmatch(r"\d{1,60}", text):
                raise BadClaim(name, f"{key} is a whole number, found {quoted(text)}")
            return int(text)
    return text
