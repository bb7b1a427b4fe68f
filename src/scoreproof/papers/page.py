"""A scan as one page: every table with its cells marked, the words behind each set-up, the letter."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from scoreproof.api import explain
from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.errors import ScoreproofError
from scoreproof.insight.display.explanation import Link
from scoreproof.insight.display.html import Html, badge, copy_button, tag, text
from scoreproof.insight.display.report import framed, whole_page
from scoreproof.papers.judging import CLASHES, FITS, OPEN, UNCHECKED, UNUSED, Judged, JudgedTable
from scoreproof.papers.scanning import Scan
from scoreproof.papers.set_up import Readings
from scoreproof.papers.telling import heading, reading_words, row_words, said_words
from scoreproof.verdict import Verdict

#: A sign for each mark, so that colour is not needed to tell it.
SIGNS = {FITS: "✓", CLASHES: "✗", OPEN: "~", UNUSED: "–"}
CLASSES = {FITS: "consistent", CLASHES: "inconsistent", OPEN: "undecided", UNUSED: "unused"}
#: Clashing rows of a document for which the letter is written.
MOST_LETTERS = 20


def page(scans: Sequence[Scan], shown: Sequence[str] = ()) -> str:
    """A whole page that needs no other file and runs no script; ``shown`` are bodies that were made before."""
    title = f"Scan of {scans[0].document.name}" if len(scans) == 1 else f"Scan of {len(scans)} documents"
    whole = text([tag("h1", title), *(map(Html, shown) if shown else map(body, scans))])
    last = "A clash means that figures and set-up, as read here, do not belong together; it does not say why."
    return whole_page(title, whole, last)


def fragment(scan: Scan) -> str:
    """What a notebook shows."""
    return framed(body(scan))


def _legend() -> Html:
    told = [f"{SIGNS[mark]} {mark}" for mark in (FITS, CLASHES, OPEN, UNUSED)]
    return tag("p", "Marks on cells: ", ", ".join(told), ".", class_="hint")


@dataclass(slots=True)
class Pen:
    """How rows are written: a name leads to its claim where there is a link; letters are found once."""

    link: Link | None = None
    letters: dict[int, str] = field(default_factory=dict)

    def letter(self, verdict: Verdict) -> str:
        if id(verdict) not in self.letters:
            self.letters[id(verdict)] = explain(verdict).paragraph
        return self.letters[id(verdict)]


def body(scan: Scan, pen: Pen | None = None) -> Html:
    """A document without a page round it."""
    pen = pen or Pen()
    # Where nothing was checked, nothing was found to fit.
    checked = text([badge(scan.status), " "]) if any(table.rows for table in scan.tables) else None
    parts: list[object] = [tag("h2", scan.document.name), tag("p", checked, scan.sentence)]
    parts.append(_legend())
    if scan.remarks:
        parts.append(tag("ul", [tag("li", each) for each in scan.remarks]))
    letters = MOST_LETTERS
    for table in scan.tables:
        parts.append(_table(table, letters, pen))
        letters -= table.alarms
    return tag("div", parts)


def _table(table: JudgedTable, letters: int, pen: Pen) -> Html:
    read = table.read
    parts: list[object] = [tag("h3", heading(read))]
    if read.table.cells:
        parts.append(_cells(table))
    for note in read.table.notes:
        parts.append(tag("p", note, class_="hint"))
    if read.unread:
        parts.append(tag("p", f"Not checked: {read.unread}."))
        return tag("section", parts, class_="read")
    if read.layout is not None:
        columns = [f"{header}: {words}" for header, words in read.layout.meanings().items()]
        parts.append(tag("p", "Read as: ", "; ".join((*columns, *read.notes)), ".", class_="hint"))
    told: Readings | None = None
    for row in table.rows:
        if row.claimed.readings != told and row.status != UNCHECKED:
            told = row.claimed.readings
            parts.append(_set_up(told))
        parts.append(_row(row, letters, pen))
        letters -= row.status == INCONSISTENT
    for mean in table.means:
        parts.append(tag("p", badge(CONSISTENT if mean.fits else INCONSISTENT), f" {mean.sentence}."))
    if table.together:
        parts.append(tag("p", badge(INCONSISTENT if table.clash else CONSISTENT), f" {table.together}."))
    return tag("section", parts, class_="read")


def _cells(table: JudgedTable) -> Html:
    """The table as printed, its cells marked."""
    marks = table.marks
    lines = []
    for r, row in enumerate(table.read.table.cells):
        made = []
        for c, cell in enumerate(row):
            mark = marks.get((r, c))
            sign = tag("span", SIGNS[mark], class_="mark", title=mark, aria_label=mark) if mark else None
            made.append(tag("td", cell, sign, class_=CLASSES[mark] if mark else None))
        lines.append(tag("tr", made))
    inner = tag("table", tag("tbody", lines), class_="printed")
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=heading(table.read))


def _set_up(readings: Readings) -> Html:
    items = []
    for reading in readings.readings:
        quotes = [tag("blockquote", said_words(said)) for said in reading.said]
        items.append(tag("li", reading_words(reading), *quotes))
    what = "Set-up" if readings.certain else f"Set-ups that are possible ({readings.why or 'not certain'})"
    return text([tag("p", f"{what}:"), tag("ul", items)])


def _row(row: Judged, letters: int, pen: Pen) -> Html:
    if row.verdict is None:
        return tag("p", tag("strong", row.name), f": not checked: {row.why}.")
    name: Html | str = (
        row.name if pen.link is None else tag("a", row.name, href=pen.link(row.verdict.claim.source))
    )
    told = [tag("p", badge(row.status), " ", tag("strong", name), f": {row_words(row)}")]
    if row.status == INCONSISTENT and letters > 0:
        with suppress(ScoreproofError):
            place = f"letter-{letters}"
            words = tag("blockquote", tag("p", pen.letter(row.verdict), id=place))
            copy = None if pen.link is None else tag("p", copy_button("Copy the letter", place))
            told.append(tag("details", tag("summary", "For a letter"), words, copy, open=True))
    return text(told)
