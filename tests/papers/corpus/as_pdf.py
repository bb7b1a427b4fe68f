"""Papers as PDF without TeX: frames, paragraphs and ruled tables."""

from __future__ import annotations

import random
from html import escape
from pathlib import Path
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Spacer,
    Table,
)
from reportlab.platypus import Paragraph as Words

from .sheet import Cell, Heading, Paper, Paragraph, Sheet

#: Signs the standard fonts lack.
PLAIN = str.maketrans({"₁": "1", "κ": "k", "−": "-", "\u2009": " "})


class Turned(Flowable):  # type: ignore[misc]
    """A heading that runs upwards."""

    def __init__(self, text: str, size: float) -> None:
        super().__init__()
        self.text, self.size = text, size
        self.width, self.height = size * 1.3, stringWidth(text, "Helvetica", size) + 4

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        self.canv.saveState()
        self.canv.rotate(90)
        self.canv.setFont("Helvetica", self.size)
        self.canv.drawString(2, -self.size, self.text)
        self.canv.restoreState()


def shown(cell: Cell, style: ParagraphStyle) -> Any:
    if cell.rotated:
        return Turned(cell.text, style.fontSize)
    text = escape(cell.text, quote=False)
    if cell.mark:
        text += f"<super>{escape(cell.mark)}</super>"
    if cell.bold or cell.head:
        text = f"<b>{text}</b>"
    return Words(text, style)


def table(sheet: Sheet, width: float, rng: random.Random) -> list[Any]:
    size = 5.5 if sheet.tiny else 9 if sheet.width() < 7 else 7.5
    style = ParagraphStyle("cell", fontName="Helvetica", fontSize=size, leading=size * 1.2)
    places = sheet.places()
    seen: list[Cell] = []
    data, look = [], [("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    for i, row in enumerate(places):
        line = []
        for j, cell in enumerate(row):
            assert cell is not None
            if any(cell is each for each in seen):
                line.append("")
                continue
            seen.append(cell)
            line.append(shown(cell, style))
            if cell.rows > 1 or cell.cols > 1:
                look.append(("SPAN", (j, i), (j + cell.cols - 1, i + cell.rows - 1)))
        data.append(line)
    look += ruled(sheet)
    widths = measured(sheet, places, size, width)
    made = Table(data, colWidths=widths, repeatRows=sheet.head)
    made.setStyle(look)
    small = ParagraphStyle("caption", fontName="Helvetica-Oblique", fontSize=8.5, leading=10.5, spaceBefore=4)
    caption = Words(f"<b>Table {sheet.number}.</b> {escape(sheet.caption, quote=False)}", small)
    notes = [
        Words(escape(note, quote=False), ParagraphStyle("note", fontSize=7, leading=8.5))
        for note in sheet.notes
    ]
    parts = [caption, Spacer(1, 4), made, *notes] if sheet.above else [made, *notes, Spacer(1, 4), caption]
    parts.append(Spacer(1, 10))
    return parts if sheet.long else [KeepTogether(parts)]


def measured(sheet: Sheet, places: list[list[Cell | None]], size: float, most: float) -> list[float]:
    """Widths that hold the longest text of every column, shrunk together if the page is too narrow."""
    widths = []
    for j in range(len(places[0])):
        texts = [row[j] for row in places if row[j] is not None and row[j].cols == 1]  # type: ignore[union-attr]
        needed = max(
            (stringWidth(c.text + c.mark, "Helvetica-Bold", size) for c in texts if c and not c.rotated),
            default=20,
        )
        widths.append(max(needed, size * 1.6) + 13)
    total = sum(widths)
    return [w * most / total for w in widths] if total > most else widths


def ruled(sheet: Sheet) -> list[Any]:
    if sheet.rules == "grid":
        return [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    lines: list[Any] = [
        ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
        ("LINEBELOW", (0, sheet.head - 1), (-1, sheet.head - 1), 0.5, colors.black),
        ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
    ]
    if sheet.rules == "hline":
        lines.append(("BACKGROUND", (0, 0), (-1, sheet.head - 1), colors.whitesmoke))
    j = 0
    for cell in sheet.rows[0] if sheet.head > 1 else []:
        if cell.cols > 1:
            lines.append(("LINEBELOW", (j, 0), (j + cell.cols - 1, 0), 0.4, colors.black))
        j += cell.cols
    return lines


def plain(paper: Paper) -> None:
    """Only signs the standard fonts have: the truth says what is printed."""
    for sheet in paper.sheets:
        sheet.caption = sheet.caption.translate(PLAIN)
        for row in sheet.rows:
            for cell in row:
                cell.text = cell.text.translate(PLAIN)
                cell.mark = {"†": "*", "‡": "**"}.get(cell.mark, cell.mark)
        sheet.notes = [note.replace("†", "*").replace("‡", "**") for note in sheet.notes]


def write_pdf(paper: Paper, path: Path) -> None:
    rng = random.Random(paper.seed + 6)
    columns = 2 if rng.random() < 0.4 and all(s.width() <= 4 and not s.long for s in paper.sheets) else 1
    wide, high = A4
    edge, gap = 56.0, 18.0
    inner = (wide - 2 * edge - gap * (columns - 1)) / columns
    frames = [Frame(edge + k * (inner + gap), edge, inner, high - 2 * edge, id=f"f{k}") for k in range(columns)]
    across = landscape(A4)
    lying = [Frame(edge, edge, across[0] - 2 * edge, across[1] - 2 * edge, id="wide")]
    document = BaseDocTemplate(str(path), pagesize=A4, title=paper.title)
    document.addPageTemplates(
        [
            PageTemplate(id="page", frames=frames, pagesize=A4, onPage=numbered),
            PageTemplate(id="lying", frames=lying, pagesize=across, onPage=numbered),
        ]
    )
    sheet_styles = getSampleStyleSheet()
    body = ParagraphStyle("body", parent=sheet_styles["BodyText"], fontSize=10, leading=12.5, alignment=4)
    parts: list[Any] = [Words(escape(paper.title), sheet_styles["Title"]), Words(escape(paper.authors), body)]
    parts += [Words(f"<b>Abstract.</b> {escape(paper.abstract)}", body)]
    for block in paper.blocks:
        match block:
            case Heading(words):
                parts.append(Words(escape(words), sheet_styles["Heading2"]))
            case Paragraph(words):
                parts.append(Words(escape(words.translate(PLAIN), quote=False), body))
            case Sheet() if block.landscape:
                parts += [NextPageTemplate("lying"), PageBreak(), *table(block, across[0] - 2 * edge - 12, rng)]
                parts += [NextPageTemplate("page"), PageBreak()]
            case Sheet():
                parts += table(block, inner - 12, rng)
    document.build(parts)


def numbered(canvas: Any, document: Any) -> None:
    canvas.saveState()
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(A4[0] / 2, 28, f"{canvas.getPageNumber()}")
    canvas.restoreState()
