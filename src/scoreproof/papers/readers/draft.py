"""A document while it is read: passages and tables in their order, within the limits.

A caption is a paragraph that begins like one ("Table 2.") right before or right after a table, and a note one
right after it that begins like one; a reader that knows better says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from scoreproof.errors import shorten
from scoreproof.papers.document import Document, Grid, Passage, Place, Table
from scoreproof.papers.readers import limits
from scoreproof.papers.readers.words import is_note, label_of, tidy, unmarked

Kind = Literal["text", "heading", "abstract", "comment", "caption", "note"]
NOWHERE = Place()
#: How many passages stand between a table and its caption, or its last note, at most.
FURTHEST = 5
MOST_NOTES = 12
_LONGEST_CAPTION = 2_500
_LONGEST_NOTE = 500


@dataclass(slots=True)
class _Item:
    words: str
    place: Place
    kind: Kind
    used: bool = False


def _quiet(words: str) -> None:
    """Nobody wants to know."""


class Draft:
    """What was read so far; ``finished`` gives the document."""

    def __init__(self, name: str, progress: Callable[[str], None] = _quiet, folder: Path | None = None) -> None:
        self.name = name
        self.folder = folder  # where what the document includes may stand; an upload has none
        self.progress = progress
        self.items: list[_Item | Table] = []
        self.remarks: dict[str, None] = {}
        self.pages: int | None = None
        self._room = {
            "tables": limits.MOST_TABLES,
            "cells": limits.MOST_CELLS,
            "paragraphs": limits.MOST_PASSAGES,
            "letters": limits.MOST_LETTERS,
        }

    def remark(self, words: str) -> None:
        """Something could not be read; the same is said once."""
        if len(self.remarks) < 100:
            self.remarks[shorten(words, 300)] = None

    def _takes(self, what: str, number: int) -> bool:
        self._room[what] -= number
        if self._room[what] < 0:
            self.remark(f"not all of it was read: a document may hold so many {what} and no more")
        return self._room[what] >= 0

    def add(self, words: str, place: Place = NOWHERE, kind: Kind = "text") -> None:
        """A passage, unless it is empty."""
        words = tidy(words)
        if words and self._takes("paragraphs", 1) and self._takes("letters", len(words)):
            self.items.append(_Item(words, place, kind))

    def table(
        self,
        cells: Grid,
        *,
        caption: str = "",
        label: str = "",
        notes: Iterable[str] = (),
        place: Place = NOWHERE,
        lines: Sequence[int] = (),
    ) -> None:
        """A table; what has a single column or line of words is a passage."""
        kept, lines = self._kept(cells, lines)
        if not kept or not self._takes("tables", 1) or not self._takes("cells", len(kept) * len(kept[0])):
            return
        caption = tidy(caption)
        if not label and (found := label_of(caption)):
            label, caption = found
        if len(kept[0]) == 1:
            self.add(" ".join(row[0] for row in kept), place)
            return
        said = tuple(words for note in notes if (words := tidy(note)))
        self.items.append(Table(kept, tidy(label), caption, said, place, 0, tuple(lines)))

    def _kept(self, cells: Grid, lines: Sequence[int]) -> tuple[Grid, list[int]]:
        """The cells without empty rows and columns, all rows equally long."""
        wide = max(map(len, cells), default=0)
        if wide > limits.WIDEST or wide * len(cells) > limits.MOST_CELLS_OF_ONE:
            self.remark(
                f"a table with {len(cells)} rows and up to {wide} columns was passed over: it is too large "
                "to be one of a paper; as a file of its own it can be checked row by row"
            )
            return [], []
        texts = [[_cell(cell) for cell in row] + [""] * (wide - len(row)) for row in cells]
        rows = [at for at, row in enumerate(texts) if any(row)]
        columns = [at for at in range(wide) if any(row[at] for row in texts)]
        found = [[texts[row][column] for column in columns] for row in rows]
        return found, [lines[row] for row in rows] if len(lines) == len(cells) else []

    def finished(self) -> Document:
        """The document: captions and notes stand with their tables, not among the passages."""
        _attach(self.items)
        tables: list[Table] = []
        passages: list[Passage] = []
        for item in self.items:
            if isinstance(item, Table):
                tables.append(replace(item, order=len(passages)))
            elif not item.used:
                kind = item.kind if item.kind in ("heading", "abstract", "comment") else "text"
                passages.append(Passage(item.words, item.place, kind))
        return Document(self.name, tuple(tables), tuple(passages), tuple(self.remarks), self.pages)


def _cell(text: str) -> str:
    return unmarked(tidy(text[: limits.LONGEST_CELL]))


# -- captions and notes find their tables --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Caption:
    """A caption that was found, and the items it is made of."""

    label: str
    words: str
    items: tuple[_Item, ...]

    @property
    def free(self) -> bool:
        return not any(item.used for item in self.items)


def _attach(items: list[_Item | Table]) -> None:
    """Every table gets its caption and its notes; tables of one document have theirs on the same side."""
    places = [at for at, item in enumerate(items) if isinstance(item, Table)]
    bare = [at for at in places if not _table(items, at).caption]
    above = {at: found for at in bare if (found := _caption_above(items, at))}
    below = {at: found for at in bare if (found := _caption_below(items, at))}
    sides = (above, below) if len(above) >= len(below) else (below, above)
    for side in sides:
        for at, found in side.items():
            table = _table(items, at)
            if found.free and not table.caption:
                items[at] = replace(table, label=table.label or found.label, caption=found.words)
                for item in found.items:
                    item.used = True
    for at in places:
        if notes := _notes_below(items, at):
            items[at] = replace(_table(items, at), notes=(*_table(items, at).notes, *notes))


def _table(items: list[_Item | Table], at: int) -> Table:
    found = items[at]
    assert isinstance(found, Table)
    return found


def _near(items: list[_Item | Table], at: int, step: int) -> list[_Item]:
    """The passages next to a table, the nearest first."""
    found: list[_Item] = []
    at += step
    while 0 <= at < len(items) and len(found) < FURTHEST:
        item = items[at]
        if isinstance(item, Table):
            break
        if item.kind != "comment":
            found.append(item)
        at += step
    return found


def _caption_above(items: list[_Item | Table], at: int) -> _Caption | None:
    """The caption right above: a label with words, perhaps in two paragraphs, or what is said to be one."""
    near = _near(items, at, -1)
    for distance, item in enumerate(near):
        if len(item.words) > _LONGEST_CAPTION:
            return None
        if found := label_of(item.words):
            label, words = found
            between = [each for each in reversed(near[:distance]) if not each.words.lower().startswith("from:")]
            if any(each.kind != "caption" for each in between[0 if words else 1 :]):
                return None  # a paragraph stands between: it is the caption of another table
            told = " ".join(filter(None, [words, *(each.words for each in between)]))
            return _Caption(label, told, (item, *between))
        if distance == 0 and item.kind == "caption" and not (len(near) > 1 and label_of(near[1].words)):
            return _Caption("", item.words, (item,))
    return None


def _caption_below(items: list[_Item | Table], at: int) -> _Caption | None:
    near = _near(items, at, 1)
    for distance, item in enumerate(near):
        found = label_of(item.words)
        if found and len(item.words) <= _LONGEST_CAPTION:
            label, words = found
            if not words and distance + 1 < len(near):
                after = near[distance + 1]
                return _Caption(label, after.words, (item, after))
            return _Caption(label, words, (item,))
        if item.kind == "caption":
            return _Caption("", item.words, (item,))
        noted = is_note(item.words) or item.kind == "note"
        if item.kind == "heading" or len(item.words) > _LONGEST_NOTE or (distance and not noted):
            break
    return None


def _notes_below(items: list[_Item | Table], at: int) -> list[str]:
    """What stands right below a table and begins like a note to it."""
    found: list[str] = []
    for item in items[at + 1 : at + 1 + MOST_NOTES]:
        if isinstance(item, Table):
            break
        if item.used or item.kind == "comment":
            continue
        if item.kind != "note" and (item.kind == "heading" or label_of(item.words) or not is_note(item.words)):
            break
        item.used = True
        found.append(item.words)
    return found
