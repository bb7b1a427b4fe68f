"""What was pasted into the box of the first page, read by a worker."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.reading.pasting import read_text
from scoreproof.reading.tables.heading import read_document

#: Cells of a table that can be changed one by one.
MOST_CELLS = 600


def paste(text: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """What was read, and the cells of the table it is, if it is one."""
    found = read_text(text, known)
    return {"json": found.to_dict(), "grid": _grid(text) if len(found.claims) > 1 else None}


def _grid(text: str) -> dict[str, Any] | None:
    with suppress(ScoreproofError):
        table = read_document(text)
        if not isinstance(table, dict) and len(table.rows) * len(table.headers) <= MOST_CELLS:
            return {"headers": list(table.headers), "rows": [list(row) for row in table.rows]}
    return None
