"""Word documents: paragraphs and tables in their order, merged cells, captions and footnotes.

No macro is run and nothing outside of the file is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scoreproof.papers.document import Document, Place
from scoreproof.papers.readers.draft import Draft, Kind
from scoreproof.papers.readers.limits import Unreadable
from scoreproof.papers.readers.packed import checked
from scoreproof.papers.readers.tables_of_trees import name_of
from scoreproof.papers.readers.tree import INSTRUCTION
from scoreproof.papers.readers.words import raised, tidy
from scoreproof.reading.tables.markup import Cell, spread

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: What is not seen: what was deleted, the second of two forms of a drawing, codes of fields.
_UNSEEN = frozenset(
    ("del", "moveFrom", "Fallback", "instrText", "delText", "pPr", "rPr", "tblPr", "tcPr", "trPr")
)
_HEADING = re.compile(r"(?:heading|title|berschrift|titre)", re.IGNORECASE)
_DEEPEST = 6


def read_word(name: str, data: bytes, draft: Draft) -> Document:
    """A Word document."""
    import docx

    try:
        document = docx.Document(checked(name, data))
    except Unreadable:
        raise
    except (KeyError, ValueError) as error:
        raise Unreadable(
            name, f"is no Word document: {error.args[0] if error.args else 'parts are missing'}"
        ) from None
    _Reader(document, draft).blocks(document.element.body, 0)
    if "macroEnabled" in str(document.part.content_type):
        draft.remark("it holds macros, which are not run")
    return draft.finished()


class _Reader:
    def __init__(self, document: Any, draft: Draft) -> None:
        self.draft = draft
        self.styles = {style.style_id: str(style.name) for style in document.styles}
        self.footnotes = dict(_footnotes(document))
        self.notes: list[str] = []  # footnotes of the table that is being read
        self.count = 0

    def blocks(self, parent: Any, depth: int) -> None:
        """The paragraphs and tables of the body, of a content control, or of a text box."""
        for child in parent:
            match name_of(child):
                case "p":
                    self._paragraph(child, depth)
                case "tbl":
                    self._table(child, depth)
                case "sdt" | "sdtcontent" | "ins" | "customxml" | "smarttag":
                    self.blocks(child, depth)

    def _paragraph(self, paragraph: Any, depth: int) -> None:
        style = self._style(paragraph)
        words = self._words(paragraph, keep_marks=True)
        if said := INSTRUCTION.fullmatch(words):
            self.draft.add(said[1], kind="comment")
            return
        kind: Kind = (
            "heading" if _HEADING.search(style) else "caption" if "caption" in style.lower() else "text"
        )
        self.draft.add(words, kind=kind)
        if depth < _DEEPEST:
            for box in paragraph.iter(f"{_W}txbxContent"):
                if not any(name_of(up) == "fallback" for up in box.iterancestors()):
                    self.blocks(box, depth + 1)

    def _style(self, paragraph: Any) -> str:
        found = paragraph.find(f"{_W}pPr/{_W}pStyle")
        return "" if found is None else self.styles.get(found.get(f"{_W}val"), found.get(f"{_W}val") or "")

    def _words(self, element: Any, *, keep_marks: bool = False) -> str:
        """The text of a paragraph or cell: tables inside of it left out, raised marks read as footnotes'."""
        parts: list[str] = []
        for each in _seen(element):
            name = name_of(each)
            if name in ("tab", "br", "cr"):
                parts.append(" ")
            elif name == "nobreakhyphen":
                parts.append("-")
            elif name == "p" and parts:
                parts.append(" ")
            elif name == "footnotereference" or name == "endnotereference":
                self.notes += filter(None, [self.footnotes.get(f"{name[:3]}{each.get(f'{_W}id')}", "")])
            elif name == "sym":
                parts.append(_symbol(each))
            elif name == "t" and each.text:
                if _raised(each):
                    text, mark = raised(each.text, "".join(parts[-6:]).rstrip())
                    starts = not "".join(parts).strip()
                    parts.append((f"{mark} " if starts and keep_marks else text) if mark else text)
                else:
                    parts.append(each.text)
        return tidy("".join(parts))

    # -- tables --------------------------------------------------------------------------------------

    def _table(self, table: Any, depth: int) -> None:
        if depth >= _DEEPEST:
            self.draft.remark("tables nested very deeply were not read")
            return
        self.count += 1
        self.notes = []
        inner: list[Any] = []
        rows = [self._row(row, inner) for row in _rows(table)]
        grid = spread(_joined(rows))
        self.draft.table(grid, notes=self.notes, place=Place())
        for each in inner:
            self._table(each, depth + 1)

    def _row(self, row: Any, inner: list[Any]) -> list[tuple[Cell, str]]:
        """The cells of a row, and how each is merged with those above and below it."""
        before = row.find(f"{_W}trPr/{_W}gridBefore")
        found = [(Cell("", _number(before)), "")] if before is not None and _number(before) else []
        for cell in _cells(row):
            merge = cell.find(f"{_W}tcPr/{_W}vMerge")
            how = "" if merge is None else merge.get(f"{_W}val") or "continue"
            wide = _number(cell.find(f"{_W}tcPr/{_W}gridSpan"))
            inner += [each for each in cell.iter(f"{_W}tbl") if _owner(each) is cell]
            found.append((Cell(self._words(cell), max(wide, 1)), how))
        return found


def _owner(table: Any) -> Any:
    """The cell around a table."""
    return next((up for up in table.iterancestors() if name_of(up) == "tc"), None)


def _joined(rows: list[list[tuple[Cell, str]]]) -> list[list[Cell]]:
    """The cells, those that go on from above taken into the one they began with."""
    found: list[list[Cell]] = []
    open_: dict[int, tuple[int, int]] = {}  # by column, where the cell stands that goes on
    for row in rows:
        line: list[Cell] = []
        column = 0
        for cell, how in row:
            if how == "continue" and column in open_:
                at, place = open_[column]
                found[at][place] = found[at][place]._replace(tall=found[at][place].tall + 1)
            else:
                open_.pop(column, None)
                if how:
                    open_[column] = (len(found), len(line))
                line.append(cell)
            column += cell.wide
        found.append(line)
    return found


def _rows(table: Any) -> Iterator[Any]:
    for child in table:
        if name_of(child) == "tr":
            yield child
        elif name_of(child) in ("sdt", "sdtcontent", "ins", "customxml"):
            yield from _rows(child)


def _cells(row: Any) -> Iterator[Any]:
    for child in row:
        if name_of(child) == "tc":
            yield child
        elif name_of(child) in ("sdt", "sdtcontent", "ins", "customxml"):
            yield from _cells(child)


def _seen(element: Any) -> Iterator[Any]:
    """What is inside an element and is seen there, in its order, no table or text box."""
    waiting = list(reversed(element))
    while waiting:
        each = waiting.pop()
        if not isinstance(each.tag, str) or each.tag.rpartition("}")[2] in _UNSEEN:
            continue
        if name_of(each) in ("tbl", "txbxcontent"):
            continue
        yield each
        waiting += reversed(each)


def _raised(text: Any) -> bool:
    run = text.getparent()
    aligned = run.find(f"{_W}rPr/{_W}vertAlign") if run is not None else None
    return aligned is not None and aligned.get(f"{_W}val") == "superscript"


def _symbol(element: Any) -> str:
    """A sign of the font Symbol; Word writes ± and ≥ in it now and then."""
    code = (element.get(f"{_W}char") or "").upper()[-2:]
    return {"B1": "±", "B3": "≥", "A3": "≤", "B4": "×", "61": "α", "6B": "κ", "AE": "→", "2D": "−"}.get(
        code, ""
    )


def _number(element: Any) -> int:
    said = "" if element is None else element.get(f"{_W}val") or ""
    return min(int(said), 200) if said.isdecimal() and len(said) < 6 else 0


def _footnotes(document: Any) -> Iterator[tuple[str, str]]:
    """The words of the footnotes and endnotes, by their kind and number."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    for relation in document.part.rels.values():
        kind = relation.reltype.rpartition("/")[2]
        if kind in ("footnotes", "endnotes") and not relation.is_external:
            for note in etree.fromstring(relation.target_part.blob, parser=parser):
                words = "".join(each.text or "" for each in _seen(note) if name_of(each) == "t")
                yield f"{kind[:3]}{note.get(f'{_W}id')}", tidy(words)
