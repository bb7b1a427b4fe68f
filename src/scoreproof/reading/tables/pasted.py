"""A table that was pasted: its rows as claims, and how it was read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.errors import BadClaim, quoted
from scoreproof.reading.tables.aligned import is_figure
from scoreproof.reading.tables.claims import Settings, claim_of
from scoreproof.reading.tables.columns import Layout, Say, layout_of
from scoreproof.reading.tables.files import Stretch
from scoreproof.reading.tables.heading import REPORT, Shaped, read_document
from scoreproof.reading.tables.settling import read_otherwise, settle

MOST_CELLS = 20_000
_SETS = re.compile(r"data[\s_-]*sets?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pasted:
    """The rows of a pasted table, each with a name, and what its columns say."""

    layout: Layout
    settings: Settings
    names: list[str]
    rows: Stretch

    def claims(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The claim of every row with its name; what may be a share or a percentage stands as printed."""
        for at, name in enumerate(self.names):
            if at in self.rows.claims:
                yield name, self.rows.claims[at]
                continue
            row = self.rows.row(at)
            yield name, claim_of(read_otherwise(self.layout, row, printed=True), self.settings, row)


def read_pasted(
    text: str, settings: Settings, say: Say, columns: Mapping[str, str | None] | None = None
) -> Pasted:
    """The table in a text; rows without any figure are left out, with a note.

    A column of datasets names the rows where it is not said to be more.
    """
    table = read_document(text)
    if isinstance(table, dict):
        whole = Layout((), (), notes=(REPORT,))
        return Pasted(whole, settings, ["report"], Stretch(1, {}, claims={0: table}))
    return read_shaped(table, settings, say, columns)


def read_shaped(
    table: Shaped, settings: Settings, say: Say, columns: Mapping[str, str | None] | None = None
) -> Pasted:
    """The rows of a table whose cells are known; see :func:`read_pasted`."""
    if len(table.rows) * len(table.headers) > MOST_CELLS:
        raise BadClaim("table", f"more than {MOST_CELLS} cells; upload a large table as a file instead")
    sets: dict[str, str | None] = {header: None for header in table.headers if _SETS.fullmatch(header.strip())}
    layout = layout_of(table.headers, {**sets, **(columns or {})}, None, say, settings.experiment)
    rows = [dict(zip(table.headers, row, strict=True)) for row in table.rows]
    kept = _with_figures(rows, layout)
    notes = table.notes
    if len(kept) < len(rows):
        notes = (*notes, f"{len(rows) - len(kept)} rows without figures were passed over")
    cells = {header: [row[header] for row in kept] for header in table.headers}
    layout = replace(settle(layout, [cells], say), notes=notes)
    used = {column.header for column in layout.used}
    named = [
        header
        for header, column in cells.items()
        if header not in used and not any(map(is_figure, column)) and any(cell.strip(" -–") for cell in column)
    ]
    names = []
    for number, row in enumerate(kept, 1):
        words = [row[header].strip(" *†‡§") for header in named if row[header].strip(" -–*†‡§")]
        names.append(" ".join(words[:2]) or f"row {number}")
    return Pasted(layout, settings, names, Stretch(len(kept), cells))


def _with_figures(rows: list[dict[str, str]], layout: Layout) -> list[dict[str, str]]:
    """The rows with any figure; that there is none is an error."""
    kept = [row for row in rows if any(row[column.header].strip() for column in layout.scores)]
    if not kept:
        shown = ", ".join(quoted(column.header) for column in layout.scores)
        raise BadClaim("table", f"no row has a figure in a column of scores ({shown}); are cells missing?")
    return kept
