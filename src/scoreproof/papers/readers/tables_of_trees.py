"""The tables of HTML and JATS: merged cells, labels, captions, and footnotes whose marks leave the cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.papers.document import Place
from scoreproof.papers.readers.draft import Draft
from scoreproof.papers.readers.words import raised, tidy
from scoreproof.reading.tables.markup import Cell, spread

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

_UNSEEN = frozenset(
    ("script", "style", "noscript", "template", "svg", "tex-math", "graphic", "annotation", "button")
)
_BREAKS = frozenset(
    ("br", "break", "p", "div", "li", "list-item", "tr", "td", "th", "hr", "dd", "dt", "title", "label")
)
_RAISED = frozenset(("sup", "xref"))
_MARKS = frozenset(("fn", "table-fn", "table-footnote"))
_FORMULA = re.compile(r"\\\((.{1,500}?)\\\)", re.DOTALL)
_DIGITS = re.compile(r"\d{1,4}")


class Seen(NamedTuple):
    """The text of an element as it is seen, and the marks of footnotes that stood in it."""

    text: str
    marks: tuple[str, ...] = ()


def name_of(element: Element) -> str:
    """The name of an element without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def seen(element: Element) -> Seen:
    """The text of an element, tables inside of it left out.

    A raised figure or letter is a power, a unit or the mark of a footnote (``words.raised``).
    """
    parts: list[str] = []
    marks: list[str] = []
    stack: list[tuple[Element | None, str | None]] = [(element, None)]
    while stack:
        each, said = stack.pop()
        if each is None:
            parts.append(said or "")
            continue
        name = name_of(each)
        inner = not isinstance(each.tag, str) or name in _UNSEEN or (name == "table" and each is not element)
        tail = each.tail if each is not element else None
        stack.append((None, f" {tail or ''}" if name in _BREAKS and each is not element else tail))
        if inner:
            continue
        if name in _RAISED and (name == "sup" or each.get("ref-type") in _MARKS):
            # a mark may be a link inside of a superscript, or the other way round
            text, mark = raised("".join(map(str, each.itertext())), "".join(parts[-12:]).rstrip())
            stack.append((None, text))
            marks += [mark] if mark else []
            continue
        if name in _BREAKS and each is not element:
            parts.append(" ")
        stack += [(child, None) for child in reversed(each)]
        stack.append((None, each.text))
    return Seen(tidy(without_tex("".join(parts))), tuple(marks))


def without_tex(text: str) -> str:
    """The text with the formulas that a page leaves to a script, \\\\( … \\\\), as they are seen."""
    if r"\(" not in text:
        return text
    from scoreproof.papers.readers.tex_words import seen as shown

    return _FORMULA.sub(lambda formula: shown(f"${formula[1]}$"), text)


def add_tables(element: Element, draft: Draft, part: str = "") -> bool:
    """The tables in an element go to the draft; True where one only arranges a page, to be walked."""
    name = name_of(element)
    if name == "table":
        if _arranges(element):
            return True
        _add(element, draft, part, "", _own_caption(element), [])
        return False
    label, caption, notes = _around(element)
    tables = [
        each for each in element.iter() if name_of(each) in ("table", "tgroup") and not _within(each, element)
    ]
    for table in tables:
        own = _own_caption(table)
        _add(table, draft, part, label, f"{caption} {own}".strip() if own != caption else caption, notes)
    if not tables:
        draft.add(f"{label} {caption}", Place(line=element.sourceline, part=part), "caption")
        if label:
            draft.remark(f"{label} is a picture, not text: it was not read")
    return False


def _within(table: Element, outer: Element) -> bool:
    """Whether a table stands inside another one that is to be read."""
    parent = table.getparent()
    while parent is not None and parent is not outer:
        if name_of(parent) in ("table", "tgroup"):
            return name_of(table) == "tgroup" or not _arranges(parent)
        parent = parent.getparent()
    return False


def _arranges(table: Element) -> bool:
    """Whether a table holds others, or one cell of many paragraphs: then it is part of the page's layout."""
    inner = [each for each in table.iter() if each is not table and name_of(each) == "table"]
    if inner:
        own = [row for row in _rows(table) if sum(1 for _ in _cells(row)) > 1]
        figures = [
            cell for row in own for cell in _cells(row) if re.fullmatch(r"[\d.,%± ()–-]+", seen(cell).text)
        ]
        return len(figures) < 4
    return bool(table.get("role") == "presentation")


def _around(wrap: Element) -> tuple[str, str, list[str]]:
    """The label, the caption and the notes of an element that wraps a table."""
    label, captions, notes = "", [], []
    for each in wrap.iter():
        name = name_of(each)
        if _in_table(each, wrap):
            continue
        if name == "label" and not label and _up(each, wrap, "fn") is None:
            label = seen(each).text.rstrip(".: ")
        elif name in ("caption", "figcaption") and _up(each, wrap, "caption") is None:
            captions.append(seen(each).text)
        elif name in ("table-wrap-foot", "tfoot"):
            notes += _notes(each)
    return label, " ".join(filter(None, captions)), notes


def _up(element: Element, outer: Element, name: str) -> Element | None:
    """The nearest element of a name around this one, within the outer one."""
    parent = element.getparent()
    while parent is not None and parent is not outer:
        if name_of(parent) == name:
            return parent
        parent = parent.getparent()
    return None


def _in_table(element: Element, outer: Element) -> bool:
    return _up(element, outer, "table") is not None


def _notes(foot: Element) -> list[str]:
    """The notes below a table: its footnotes, else its paragraphs."""
    found = [
        each
        for each in foot.iter()
        if name_of(each) == "fn" or (name_of(each) in ("p", "attrib") and _up(each, foot, "fn") is None)
    ]
    return [_plain(each) for each in found or [foot]]


def _plain(element: Element) -> str:
    """The text of a note with its mark."""
    parts: list[str] = []
    for each in element.iter():
        if each is not element and name_of(each) in _BREAKS:
            parts.append(" ")
        parts.append(each.text or "" if isinstance(each.tag, str) and name_of(each) not in _UNSEEN else "")
        if each is not element:
            parts.append(f" {each.tail or ''}" if name_of(each) in (*_BREAKS, "sup") else each.tail or "")
    return tidy("".join(parts))


def _own_caption(table: Element) -> str:
    return next((seen(each).text for each in table if name_of(each) == "caption"), "")


def _add(table: Element, draft: Draft, part: str, label: str, caption: str, notes: list[str]) -> None:
    rows: list[list[Cell]] = []
    lines: list[int] = []
    for row in _rows(table):
        cells = [_cell(cell, table) for cell in _cells(row)]
        if len(cells) == 1 and cells[0].wide > 1 and name_of(row.getparent()) == "tfoot":
            notes = [*notes, _plain(row)]
            continue
        rows.append(cells)
        lines.append(row.sourceline or 0)
    height = len(rows)
    # a cell cannot reach below the last row
    rows = [[cell._replace(tall=min(cell.tall, height - at)) for cell in row] for at, row in enumerate(rows)]
    grid = spread(rows)[:height]
    place = Place(line=table.sourceline, part=part)
    draft.table(grid, caption=caption, label=label, notes=notes, place=place, lines=lines)


def _rows(table: Element) -> Iterator[Element]:
    """The rows of a table, not those of tables inside of it; a foot stands last."""
    waiting = list(table)
    last: list[Element] = []
    while waiting:
        each = waiting.pop(0)
        match name_of(each):
            case "tr" | "row":
                yield each
            case "thead" | "tbody" | "tgroup":
                waiting[:0] = list(each)
            case "tfoot":
                last += list(each)
    yield from (each for each in last if name_of(each) in ("tr", "row"))


def _cells(row: Element) -> Iterator[Element]:
    return (each for each in row if name_of(each) in ("td", "th", "entry"))


def _cell(cell: Element, table: Element) -> Cell:
    wide, tall = (_size(cell.get(word)) for word in ("colspan", "rowspan"))
    if name_of(cell) == "entry":  # CALS: columns by their names, further rows
        tall = _size(cell.get("morerows"), 0) + 1
        names = [each.get("colname") for each in table.iter() if name_of(each) == "colspec"]
        first, last = cell.get("namest"), cell.get("nameend")
        if first in names and last in names:
            wide = max(names.index(last) - names.index(first) + 1, 1)
    return Cell(seen(cell).text, wide, tall)


def _size(said: str | None, default: int = 1) -> int:
    """How many places a cell covers, as far as that is said in a number; rowspan=0 means all that follow."""
    found = _DIGITS.match((said or "").strip())
    if found is None:
        return default
    return int(found.group()) or (100 if said == "0" and default else default)
