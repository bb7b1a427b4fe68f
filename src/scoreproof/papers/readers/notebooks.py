"""Notebooks: the words of Markdown cells, and the tables that code cells have printed."""

from __future__ import annotations

import json
from typing import Any

from scoreproof.papers.document import Document, Place
from scoreproof.papers.readers.draft import Draft
from scoreproof.papers.readers.limits import Unreadable
from scoreproof.papers.readers.plain import INSTRUCTION, add_text
from scoreproof.papers.readers.tree import decoded, tables_in_html

MOST_CELLS = 10_000
MOST_OUTPUTS = 20_000


def read_notebook(name: str, data: bytes, draft: Draft) -> Document:
    """A notebook, cell by cell; nothing in it is run."""
    from nbformat import convert, from_dict

    notebook = _loaded(name, decoded(data))
    nested = notebook.get("worksheets") or [notebook]
    cells = [cell for sheet in nested if isinstance(sheet, dict) for cell in _list(sheet, "cells")]
    outputs = sum(len(_list(cell, "outputs")) for cell in cells)
    if len(cells) > MOST_CELLS or outputs > MOST_OUTPUTS:
        raise Unreadable(
            name, f"has more than {MOST_CELLS} cells or {MOST_OUTPUTS} outputs; clear those that are not needed"
        )
    try:
        upgraded = convert(from_dict(notebook), 4)  # type: ignore[no-untyped-call]
    except Exception:  # nbformat tells a damaged notebook in many ways
        raise Unreadable(name, "is no notebook that can be read; save it again in Jupyter") from None
    for number, cell in enumerate(upgraded.get("cells", ()), 1):
        _cell(cell, f"cell {number}", draft)
    return draft.finished()


def _loaded(name: str, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except RecursionError:
        raise Unreadable(name, "is nested too deeply to be a notebook") from None
    except ValueError as error:
        raise Unreadable(name, f"is no notebook: it is not valid JSON ({error})") from None
    if not isinstance(found, dict) or not isinstance(found.get("nbformat"), int):
        raise Unreadable(name, "is no notebook: it does not say which format of notebooks it has")
    return found


def _list(data: Any, key: str) -> list[Any]:
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, list) else []


def _text(said: Any) -> str:
    return "".join(map(str, said)) if isinstance(said, list) else str(said or "")


def _cell(cell: Any, part: str, draft: Draft) -> None:
    source = _text(cell.get("source"))
    if cell.get("cell_type") != "code":
        add_text(source, draft, part)
        return
    for number, line in enumerate(source.splitlines(), 1):
        if said := INSTRUCTION.fullmatch(line):
            draft.add(said[1], Place(line=number, part=part), "comment")
    printed = ""
    for output in _list(cell, "outputs"):
        if output.get("output_type") == "stream":
            printed += _text(output.get("text"))  # what is printed line by line is one text
            continue
        add_text(printed, draft, part, printed=True)
        printed = ""
        _shown(output.get("data") or {}, part, draft)
    add_text(printed, draft, part, printed=True)


def _shown(data: Any, part: str, draft: Draft) -> None:
    """What a cell shows: as a page where it is one, else as Markdown, else as text."""
    if not isinstance(data, dict):
        return
    page = _text(data.get("text/html"))
    if page and tables_in_html(page, draft, Place(part=part)):
        return
    if words := _text(data.get("text/markdown")):
        add_text(words, draft, part)
    else:
        plain = _text(data.get("text/plain"))
        if plain.startswith(("'", '"')) and "\\n" in plain:  # a text that was not printed but shown
            plain = plain.strip("'\"").replace("\\n", "\n")
        add_text(plain, draft, part, printed=True)
