"""Excel: every sheet, numbers as they are shown; a line of one cell is a caption or a note, not a row."""

from __future__ import annotations

from typing import Any

from scoreproof.errors import shorten
from scoreproof.papers.document import Document, Place
from scoreproof.papers.readers import limits
from scoreproof.papers.readers.draft import Draft
from scoreproof.papers.readers.limits import Unreadable
from scoreproof.papers.readers.packed import checked
from scoreproof.papers.readers.plain import INSTRUCTION
from scoreproof.reading.tables.files import merged_cells, plain, shown

MOST_ROWS = 5_000


def read_sheets(name: str, data: bytes, draft: Draft) -> Document:
    """A workbook: the tables of its sheets; formulas show what they gave when it was saved."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(checked(name, data), data_only=True, keep_links=False, keep_vba=False)
    except Unreadable:
        raise
    except (OSError, ValueError, KeyError, TypeError, InvalidFileException) as error:
        raise Unreadable(name, f"is no workbook that can be read: {shorten(error, 80)}") from None
    for sheet in book.worksheets:
        draft.progress(f"sheet {sheet.title}")
        if sheet.sheet_state != "visible":
            draft.remark(f"the sheet {shorten(sheet.title)} is hidden and was not read")
        elif (sheet.max_column or 0) > limits.WIDEST or (sheet.max_row or 0) > MOST_ROWS:
            size = f"{sheet.max_row} rows and {sheet.max_column} columns"
            draft.remark(f"the sheet {shorten(sheet.title)} has {size}: too large for a table of a paper")
        else:
            _sheet(sheet, draft)
    return draft.finished()


def _sheet(sheet: Any, draft: Draft) -> None:
    merged = merged_cells(sheet)
    rows: list[list[str]] = []
    lines: list[int] = []

    def end() -> None:
        if rows:
            draft.table(list(rows), place=Place(line=lines[0], part=sheet.title), lines=list(lines))
        rows.clear()
        lines.clear()

    for number, line in enumerate(sheet.iter_rows(), 1):
        alone = {
            str(merged.get(cell.coordinate, cell).value)
            for cell in line
            if merged.get(cell.coordinate, cell).value is not None
        }
        cells = [_shown(merged.get(cell.coordinate, cell)) for cell in line]
        if not any(cells):
            end()
        elif len(alone) == 1 and (not rows or not _more_rows(sheet, number)) and not _figure(alone):
            end()
            words = next(iter(filter(None, cells)))
            said = INSTRUCTION.fullmatch(words)
            draft.add(
                said[1] if said else words, Place(line=number, part=sheet.title), "comment" if said else "text"
            )
        else:
            rows.append(cells)
            lines.append(number)
    end()


def _figure(cells: set[str]) -> bool:
    return all(cell.replace(".", "").replace("%", "").isdecimal() for cell in cells)


def _more_rows(sheet: Any, number: int) -> bool:
    """Whether a row of several cells follows, before an empty one: then a line of one cell is a section."""
    for line in sheet.iter_rows(min_row=number + 1, max_row=number + 5, values_only=True):
        said = sum(value is not None for value in line)
        if said != 1:
            return said > 1
    return False


def _shown(cell: Any) -> str:
    value = cell.value
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).replace("T00:00:00", "")
    return plain(shown(value, getattr(cell, "number_format", "") or ""))
