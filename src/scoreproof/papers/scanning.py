"""``scan``: a document in, its tables with the verdicts on their rows out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from scoreproof.api import TIMEOUT
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import option
from scoreproof.papers.claims import Read, read_tables
from scoreproof.papers.document import Document, Place
from scoreproof.papers.judging import UNCHECKED, Judged, JudgedTable, judge_all
from scoreproof.papers.prose import read_prose
from scoreproof.papers.set_up import Facts, facts_of
from scoreproof.papers.settings import Setting, setting_of
from scoreproof.reading.prose.phrases import Said
from scoreproof.verdict import Verdict

Settings = str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Scan:
    """A document with what was read in it, and the verdicts on what it prints.

    ``claims`` are in the shape of claim files, ``verdicts`` on each of them; ``print`` shows it in words.
    """

    document: Document
    facts: Facts
    tables: tuple[JudgedTable, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def rows(self) -> list[Judged]:
        return [row for table in self.tables for row in table.rows]

    @property
    def claims(self) -> list[dict[str, Any]]:
        """The claims that were checked, each with its title: the table and the row."""
        return [
            {**row.claim, "title": f"{label_of(table.read)}, {row.name}"}
            for table in self.tables
            for row in table.rows
            if row.claim is not None
        ]

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on the claims, in their order."""
        return [row.verdict for row in self.rows if row.verdict is not None]

    @property
    def alarms(self) -> int:
        return sum(table.alarms for table in self.tables)

    @property
    def status(self) -> str:
        """Inconsistent if anything is, undecided if something is or nothing could be read, else consistent."""
        if self.alarms:
            return INCONSISTENT
        if self.document.refused or any(row.status == UNDECIDED for row in self.rows):
            return UNDECIDED
        return CONSISTENT

    @property
    def sentence(self) -> str:
        """What was found, in plain words."""
        if self.document.refused:
            return f"not read: {self.document.refused}"
        found = len(self.document.tables)
        often = {
            status: sum(row.status == status for row in self.rows)
            for status in (CONSISTENT, INCONSISTENT, UNDECIDED, UNCHECKED)
        }
        means = [mean for table in self.tables for mean in table.means]
        told = [f"{_many(found, 'table')}, {_many(len(self.rows), 'row')} with scores"]
        doubted = sum(bool(row.doubt) for row in self.rows)
        but = f" ({doubted} of them not with the set-up the document gives)" if doubted else ""
        told.append(f"{often[CONSISTENT]} fit{but}, {often[INCONSISTENT]} clash")
        if often[UNDECIDED]:
            told.append(f"{often[UNDECIDED]} not decided")
        if often[UNCHECKED]:
            told.append(f"{often[UNCHECKED]} not checked")
        if means:
            told.append(f"{sum(not mean.fits for mean in means)} of {_many(len(means), 'mean')} of rows clash")
        return "; ".join(told)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON-able data."""
        return {
            "format": 1,
            "document": self.document.name,
            "pages": self.document.pages,
            "status": self.status,
            "sentence": self.sentence,
            "refused": self.document.refused or None,
            "remarks": list(self.remarks),
            "tables": [_table(table) for table in self.tables],
        }

    def to_html(self) -> str:
        """One page that needs nothing beside itself."""
        from scoreproof.papers.page import page

        return page([self])

    def _repr_html_(self) -> str:
        from scoreproof.papers.page import fragment

        return fragment(self)

    def __str__(self) -> str:
        from scoreproof.papers.telling import told

        return told(self)

    __repr__ = __str__


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def label_of(read: Read) -> str:
    """What a table is called: as printed, else by its number; a sentence by where it stands."""
    if read.number < 1:
        return "Text"
    return read.table.label or f"table {read.number} (without a label)"


def place_words(place: Place) -> str:
    """Where something stands, in words."""
    parts = [f"page {place.page}" if place.page else "", f"line {place.line}" if place.line else "", place.part]
    return ", ".join(filter(None, parts))


def _table(table: JudgedTable) -> dict[str, Any]:
    read = table.read
    return {
        "label": read.table.label,
        "number": read.number,
        "caption": read.table.caption,
        "place": _place(read.table.place),
        "cells": read.table.cells,
        "columns": {} if read.layout is None else read.layout.meanings(),
        "notes": list(read.notes),
        "not_checked": read.unread or None,
        "rows": [_row(row) for row in table.rows],
        "means": [
            {
                "row": mean.row,
                "score": mean.score,
                "printed": mean.printed,
                "status": CONSISTENT if mean.fits else INCONSISTENT,
                "sentence": mean.sentence,
                "cell": list(mean.at),
            }
            for mean in table.means
        ],
        "together": {
            "status": INCONSISTENT if table.clash else CONSISTENT,
            "sentence": table.together,
        }
        if table.together
        else None,
        "marks": [{"cell": list(at), "mark": mark} for at, mark in sorted(table.marks.items())],
    }


def _row(row: Judged) -> dict[str, Any]:
    readings = row.claimed.readings
    return {
        "name": row.name,
        "row": row.claimed.row,
        "status": row.status,
        "sentence": row.verdict.sentence if row.verdict is not None else row.why,
        "conflict": list(row.verdict.conflict or ())
        if row.verdict is not None and row.status == INCONSISTENT
        else [],
        "claim": None if row.claim is None else dict(row.claim),
        "certain": readings.certain,
        "why_not_certain": readings.why or None,
        "doubt": row.doubt or None,
        "readings": [
            {"experiment": dict(each.experiment), "said": [_said(said) for said in each.said]}
            for each in readings.readings
        ],
    }


def _said(said: Said) -> dict[str, Any]:
    return {"what": dict(said.what), "words": said.words, "where": said.where, "place": _place(said.place)}


def _place(place: Place) -> dict[str, Any]:
    return {
        key: value for key, value in (("page", place.page), ("line", place.line), ("part", place.part)) if value
    }


def settings_of(given: Settings | None) -> list[Setting]:
    """What was set, as text ("p=38 n=262 table=2") or as a mapping, one or several."""
    if given is None:
        return []
    several = [given] if isinstance(given, str | Mapping) else list(given)
    found = []
    for each in several:
        if isinstance(each, Mapping):
            each = " ".join(f'{key}="{value}"' for key, value in each.items())
        if not isinstance(each, str):
            raise BadClaim("set", f"expected text such as 'p=38 n=262 table=2', found {quoted(each)}")
        found.append(setting_of(each, name=option("set")))
    return found


def scan_document(
    document: Document,
    settings: Sequence[Setting] = (),
    *,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Scan:
    """The tables and sentences of a document that was read, with the verdicts."""
    facts = facts_of(document)
    read = [*read_tables(document, facts, settings), *read_prose(document, facts, settings)]
    tables = judge_all(read, timeout=timeout, effort=effort, jobs=jobs, executor=executor, progress=progress)
    return Scan(document, facts, tuple(tables), (*document.remarks, *facts.problems))


def scan(
    source: str | os.PathLike[str] | bytes,
    *,
    name: str = "",
    set: Settings | None = None,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Scan:
    """A whole paper: every table found, read and checked against what the document says of its experiment.

    ``source`` is a file (PDF, LaTeX, HTML, JATS, Word, Markdown, notebook, Excel) or its bytes, with a
    ``name``.
    ``set`` corrects what was read: "p=38 n=262 table=2", or a mapping, or several of them.  ``timeout`` (for
    each row) and ``effort`` are those of :func:`check`; ``jobs`` processes do the work.

    >>> table = b"| Model | Sens | Spec |\\n|---|---|---|\\n| A | 0.90 | 0.80 |\\n"
    >>> scan(table + b"\\nOf the 30 images, 10 were malignant.\\n", name="paper.md").sentence
    '1 table, 1 row with scores; 1 fit, 0 clash'
    """
    from scoreproof.papers.readers.door import read_document

    document = read_document(source, name)
    return scan_document(
        document, settings_of(set), timeout=timeout, effort=effort, jobs=jobs, progress=progress
    )
