"""Documents read without a process of their own, for the tests of what is read."""

from __future__ import annotations

from pathlib import Path

from scoreproof.papers.document import Document, Table
from scoreproof.papers.readers.draft import Draft
from scoreproof.papers.readers.kinds import kind_of, read


def document(data: bytes | str, name: str, folder: Path | None = None) -> Document:
    given = data.encode() if isinstance(data, str) else data
    return read(name, given, kind_of(name, given[:4096]), Draft(name, folder=folder))


def only_table(data: bytes | str, name: str) -> Table:
    (table,) = document(data, name).tables
    return table


def cells(text: str) -> list[list[str]]:
    """Cells written with bars between them, a line a row."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
