"""A PDF: all pages; a table that goes on from one page to the next is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoreproof.papers.document import Document, Grid, Place
from scoreproof.papers.readers import limits
from scoreproof.papers.readers.draft import Draft, Kind
from scoreproof.papers.readers.limits import Unreadable
from scoreproof.papers.readers.pdf.letters import read_sheet
from scoreproof.papers.readers.pdf.pages import Block, blocks_of
from scoreproof.papers.readers.words import continued, label_of

_SCANNED = (
    "holds pictures of pages and no text; recognise its text first (OCR), or take the publisher's HTML page"
)
_LOCKED = "is encrypted; open it with its password, print it to a new PDF, and take that"


@dataclass(slots=True)
class _Page:
    number: int
    blocks: list[Block]


def read_pdf(name: str, data: bytes, draft: Draft) -> Document:
    """A PDF, page by page; scripts and forms in it are not run."""
    document = _opened(name, data)
    number = len(document)
    draft.pages = number
    if number == 0:
        raise Unreadable(name, "has no pages")
    if number > limits.MOST_PAGES:
        draft.remark(f"it has {number} pages; the first {limits.MOST_PAGES} were read")
    pages: list[_Page] = []
    letters = pictures = 0
    for at in range(min(number, limits.MOST_PAGES)):
        draft.progress(f"page {at + 1} of {number}")
        sheet = _sheet(document, at, draft)
        if sheet is None:
            continue
        letters += len(sheet.letters)
        pictures += bool(sheet.pictures and len(sheet.letters) < 20)
        if sheet.cut:
            draft.remark(f"page {at + 1} holds more than a page can: not all of it was read")
        pages.append(_Page(at + 1, blocks_of(sheet)))
    document.close()
    if letters < 20 * max(pictures, 1):
        raise Unreadable(name, _SCANNED if pictures else "holds no text")
    if pictures:
        draft.remark(f"{pictures} pages are pictures without text: they were not read")
    _join(pages)
    _add(pages, draft)
    return draft.finished()


def _opened(name: str, data: bytes) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower() or "security" in str(error).lower()
        raise Unreadable(name, _LOCKED if locked else "is damaged: it cannot be opened as a PDF") from None


def _sheet(document: Any, at: int, draft: Draft) -> Any:
    import pypdfium2

    try:
        page = document[at]
        try:
            return read_sheet(page)
        finally:
            page.close()
    except (pypdfium2.PdfiumError, OSError):
        draft.remark(f"page {at + 1} cannot be read")
        return None


def _add(pages: list[_Page], draft: Draft) -> None:
    abstract = False  # after a heading that says so, up to the next
    repeated = _repeated(pages)
    for page in pages:
        place = Place(page=page.number)
        for block in page.blocks:
            if block.grid is not None:
                draft.table(block.grid, place=place)
            elif block.words not in repeated and not block.words.isdigit():
                named = block.words.lower().startswith("abstract")
                if block.heading or len(block.words) < 15:
                    abstract = named
                kind: Kind = "heading" if block.heading else "abstract" if abstract or named else "text"
                draft.add(block.words, place, kind)


def _repeated(pages: list[_Page]) -> set[str]:
    """The running heads: words that stand first or last on several pages."""
    edges = [
        block.words for page in pages for block in (*page.blocks[:1], *page.blocks[-1:]) if block.grid is None
    ]  # fmt: skip
    short = {words for words in edges if len(words) < 120 and label_of(words) is None}
    return {words for words in short if edges.count(words) > 2}


# -- tables that go on -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Known:
    """A table, the page where it begins, the page it has reached, and its label."""

    table: Block
    home: _Page
    reached: int
    label: str


def _join(pages: list[_Page]) -> None:
    """A table that goes on from an earlier page is made part of the one it goes on from."""
    known: list[_Known] = []
    above_only = False  # tables of one document have their captions on the same side
    for page in pages:
        for table in [block for block in page.blocks if block.grid is not None]:
            at = next(i for i, block in enumerate(page.blocks) if block is table)
            caption, label, goes_on = _caption(page.blocks, at, above_only)
            below = caption is not None and caption.top < table.top
            above_only = above_only or (caption is not None and not below)
            owner = _owner(known, page.number, table, label if goes_on else None)
            if owner is None or (label and not goes_on and not (below and not owner.label)):
                known.append(_Known(table, page, page.number, label))
                continue
            _merge(owner, page, table, caption)
            if below and not goes_on:
                _put_below(owner, caption, label)


def _put_below(owner: _Known, caption: Block | None, label: str) -> None:
    """The caption that stands below the last part of a table is put below the first."""
    place = next(i for i, block in enumerate(owner.home.blocks) if block is owner.table)
    owner.home.blocks[place + 1 : place + 1] = [caption] if caption else []
    owner.label = label


def _merge(owner: _Known, page: _Page, table: Block, caption: Block | None) -> None:
    """Make a table part of the one it goes on from."""
    assert owner.table.grid is not None and table.grid is not None
    owner.table.grid += table.grid[_heads_again(owner.table.grid, table.grid) :]
    owner.reached = page.number
    page.blocks = [block for block in page.blocks if block is not table and block is not caption]


def _caption(blocks: list[Block], at: int, above_only: bool) -> tuple[Block | None, str, bool]:
    """The caption above a table, or below it, its label, and whether it says that the table goes on."""
    below = [] if above_only else blocks[at + 1 : at + 2]
    for near in (*blocks[max(at - 2, 0) : at][::-1], *below):
        if near.grid is not None:
            break
        if found := label_of(near.words):
            return near, found[0].lower(), continued(found[1])
    return None, "", False


def _owner(known: list[_Known], number: int, table: Block, label: str | None) -> _Known | None:
    """The table that goes on: the one with the label, else the last of the page before with these headings."""
    assert table.grid is not None
    for each in reversed(known):
        grid = each.table.grid
        if grid is None or len(grid[0]) != len(table.grid[0]) or each.reached < number - 4:
            continue
        if label is not None and each.label == label:
            return each
        if label is None and each.reached == number - 1 and _heads_again(grid, table.grid):
            return each
    return None


def _heads_again(first: Grid, second: Grid) -> int:
    """How many lines at the beginning of both are the same."""
    count = 0
    while count < min(len(first), len(second)) and first[count] == second[count]:
        count += 1
    return count
