"""Papers as Word documents and workbooks."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from .sheet import Cell, Heading, Paper, Paragraph, Sheet


def changed(paragraph: Any, text: str) -> None:
    """A figure that replaced another while changes were tracked."""
    from docx.oxml import OxmlElement

    gone, come = OxmlElement("w:del"), OxmlElement("w:ins")
    for parent, name, words in ((gone, "w:delText", "0.000"), (come, "w:t", text)):
        run, inner = OxmlElement("w:r"), OxmlElement(name)
        inner.text = words
        run.append(inner)
        parent.append(run)
        paragraph._p.append(parent)


def fill(target: Any, cell: Cell, rng: random.Random) -> None:
    paragraph = target.paragraphs[0]
    bold = cell.bold or cell.head
    way = rng.random()
    if way < 0.05 and not cell.head and cell.text:
        changed(paragraph, cell.text)
    elif way < 0.2 and len(cell.text) > 2:
        at = rng.randint(1, len(cell.text) - 1)  # Word cuts text into runs wherever it likes
        for part in (cell.text[:at], cell.text[at:]):
            paragraph.add_run(part).bold = bold
    elif way < 0.3 and " (" in cell.text:
        before, after = cell.text.split(" (", 1)
        paragraph.add_run(before).add_break()
        paragraph.add_run("(" + after).bold = bold
    elif way < 0.35 and " (" in cell.text:
        before, after = cell.text.split(" (", 1)
        paragraph.add_run(before).bold = bold
        paragraph = target.add_paragraph()
        paragraph.add_run("(" + after).bold = bold
    else:
        paragraph.add_run(cell.text).bold = bold
    if cell.mark:
        paragraph.add_run(cell.mark).font.superscript = True


def word_table(document: Any, sheet: Sheet, rng: random.Random) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    places = sheet.places()
    table = document.add_table(rows=len(places), cols=len(places[0]))
    table.style = (
        "Table Grid" if sheet.rules == "grid" else "Light List" if sheet.rules == "hline" else "Normal Table"
    )
    done: list[Cell] = []
    for i, row in enumerate(places):
        for j, cell in enumerate(row):
            if cell is None or any(cell is each for each in done):
                continue
            done.append(cell)
            target = table.cell(i, j)
            if cell.rows > 1 or cell.cols > 1:
                target = target.merge(table.cell(i + cell.rows - 1, j + cell.cols - 1))
            fill(target, cell, rng)
            if cell.rotated:
                turned = OxmlElement("w:textDirection")
                turned.set(qn("w:val"), "btLr")
                target._tc.get_or_add_tcPr().append(turned)
    if sheet.long:
        repeated = OxmlElement("w:tblHeader")
        table.rows[0]._tr.get_or_add_trPr().append(repeated)


def write_docx(paper: Paper, path: Path) -> None:
    from docx import Document

    rng = random.Random(paper.seed + 8)
    document = Document()
    document.add_heading(paper.title, 0)
    document.add_paragraph(paper.authors)
    document.add_heading("Abstract", 1)
    document.add_paragraph(paper.abstract)
    for block in paper.blocks:
        match block:
            case Heading(words):
                document.add_heading(words, 1)
            case Paragraph(words):
                document.add_paragraph(words)
            case Sheet():
                caption = f"Table {block.number}. {block.caption}"
                if block.above:
                    document.add_paragraph(caption, style="Caption")
                word_table(document, block, rng)
                if not block.above:
                    document.add_paragraph(caption, style="Caption")
                for note in block.notes:
                    document.add_paragraph(note)
    document.save(str(path))


NUMBER = re.compile(r"^-?\d+(\.(\d+))?(%?)$")


def put(cell: Any, text: str, rng: random.Random) -> None:
    """A number as a number, with digits that its format hides; anything else as text."""
    found = NUMBER.match(text)
    if not found:
        cell.value = text
        return
    decimals = len(found[2] or "")
    if not decimals and not found[3]:
        cell.value = int(text)
        return
    value = float(text.rstrip("%")) + rng.choice((0, 0.3, -0.3)) * 10**-decimals
    cell.value = value / 100 if found[3] else value
    cell.number_format = ("0." + "0" * decimals if decimals else "0") + found[3]


def write_xlsx(paper: Paper, path: Path) -> None:
    """A supplement: a sheet of words, then a sheet a table."""
    from openpyxl import Workbook
    from openpyxl.styles import Font

    rng = random.Random(paper.seed + 3)
    book = Workbook()
    first = book.active
    first.title = "Text"
    for block in paper.blocks:
        if not isinstance(block, Sheet):
            first.append([block.words])
    for sheet in paper.sheets:
        page = book.create_sheet(f"Table {sheet.number}")
        page["A1"] = f"Table {sheet.number}. {sheet.caption}"
        start, left = rng.choice(((3, 1), (3, 1), (5, 2), (2, 3)))
        places = sheet.places()
        done: list[Cell] = []
        for i, row in enumerate(places):
            for j, cell in enumerate(row):
                if cell is None or any(cell is each for each in done):
                    continue
                done.append(cell)
                target = page.cell(start + i, left + j)
                put(target, cell.text + ("" if cell.mark.isalpha() else cell.mark), rng)
                target.font = Font(bold=cell.bold or cell.head)
                if cell.rows > 1 or cell.cols > 1:
                    page.merge_cells(
                        start_row=start + i, start_column=left + j,
                        end_row=start + i + cell.rows - 1, end_column=left + j + cell.cols - 1,
                    )  # fmt: skip
        for k, note in enumerate(sheet.notes):
            page.cell(start + len(places) + 1 + k, left).value = note
    book.save(str(path))
