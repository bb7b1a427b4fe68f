# ruff: noqa: E501  # documents are quoted as they are
"""Word, Excel, notebooks, Markdown, plain text and CSV: the cells of handmade documents."""

from __future__ import annotations

import io
import json
from typing import Any

import docx
import openpyxl
import pandas
import pytest
from opened import cells, document, only_table

from scoreproof.papers.document import Place

GRID = cells("""Method|Test|Test
Method|Acc (%)|F1
Ours|95.2|0.94 ± 0.02
B|91.0|10⁻³""")


# -- Word --------------------------------------------------------------------------------------------------


def saved(made: Any) -> bytes:
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def raised(paragraph: Any, text: str) -> None:
    paragraph.add_run(text).font.superscript = True


def add_table(made: Any) -> None:
    table = made.add_table(4, 3)
    table.cell(0, 0).merge(table.cell(1, 0)).text = "Method"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "Test"
    for at, text in {(1, 1): "Acc (%)", (1, 2): "F1", (2, 0): "Ours", (2, 1): "95.2", (2, 2): "0.94 ± 0.02",
                     (3, 0): "B", (3, 1): "91.0", (3, 2): "10"}.items():  # fmt: skip
        table.cell(*at).text = text
    raised(table.cell(2, 0).paragraphs[0], "a")
    raised(table.cell(3, 2).paragraphs[0], "-3")


@pytest.mark.parametrize("above", [True, False])
def test_a_word_document(above: bool) -> None:
    made = docx.Document()
    made.add_heading("Results", 1)
    made.add_paragraph("We had 38 records.")
    for number in (1, 2):
        if above:
            made.add_paragraph(f"Table {number}. Of A{number}", style="Caption")
        add_table(made)
        if not above:
            made.add_paragraph(f"Table {number}. Of A{number}", style="Caption")
        note = made.add_paragraph()
        raised(note, "a")
        note.add_run("Trained twice.")
        made.add_paragraph("Words below.")
    found = document(saved(made), "paper.docx")
    assert [table.cells for table in found.tables] == [GRID, GRID]
    assert [(table.label, table.caption) for table in found.tables] == [
        ("Table 1", "Of A1"),
        ("Table 2", "Of A2"),
    ]
    assert [table.notes for table in found.tables] == [("a Trained twice.",)] * 2
    assert [table.order for table in found.tables] == [2, 3]
    assert [(passage.kind, passage.words) for passage in found.passages] == [
        ("heading", "Results"),
        ("text", "We had 38 records."),
        ("text", "Words below."),
        ("text", "Words below."),
    ]


def test_a_table_in_a_cell_is_a_table_of_its_own() -> None:
    made = docx.Document()
    outer = made.add_table(2, 2)
    for at, text in enumerate("abcd"):
        outer.cell(at // 2, at % 2).text = text
    inner = outer.cell(1, 1).add_table(2, 2)
    for at, text in enumerate("1234"):
        inner.cell(at // 2, at % 2).text = text
    found = document(saved(made), "paper.docx")
    assert [table.cells for table in found.tables] == [cells("a|b\nc|d"), cells("1|2\n3|4")]


def test_what_was_deleted_with_changes_tracked_is_not_read() -> None:
    from hostile import word

    cell = "<w:tc><w:p>{}</w:p></w:tc>"
    run, gone = "<w:r><w:t>{}</w:t></w:r>", "<w:del><w:r><w:delText>{}</w:delText></w:r></w:del>"
    new = "<w:ins><w:r><w:t>{}</w:t></w:r></w:ins>"
    rows = [
        cell.format(run.format("Acc")) + cell.format(run.format("F1")),
        cell.format(gone.format("0.90") + new.format("0.91"))
        + cell.format(run.format("0.8") + run.format("2")),
    ]
    body = "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"
    assert only_table(word(body), "paper.docx").cells == cells("Acc|F1\n0.91|0.82")


# -- Excel -------------------------------------------------------------------------------------------------


def test_a_workbook_shows_what_its_formats_show() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Results"
    for row in (
        ["Table 1. Of all"], [], ["Method", "Scores", None, "Seen"], [None, "Acc", "F1"],
        ["A", 0.95, 0.9, "2024"], ["B", 0.912, 1], [], ["Note: bold is best"], ["# scoreproof: p=38 n=262"],
    ):  # fmt: skip
        sheet.append(row)
    sheet.merge_cells("B3:C3")
    sheet["B5"].number_format, sheet["C5"].number_format, sheet["C6"].number_format = "0.00%", "0.000", "0.00"
    second = book.create_sheet("More")
    second.append(["x", "y"])
    second.append([1, 2])
    book.create_sheet("Hidden").sheet_state = "hidden"
    found = document(saved(book), "paper.xlsx")
    first, other = found.tables
    assert first.cells == cells("""Method|Scores|Scores|Seen
|Acc|F1|
A|95.00%|0.900|2024
B|0.912|1.00|""")
    assert (first.label, first.caption, first.notes) == ("Table 1", "Of all", ("Note: bold is best",))
    assert (first.place, first.lines) == (Place(line=3, part="Results"), (3, 4, 5, 6))
    assert (other.cells, other.place.part) == (cells("x|y\n1|2"), "More")
    assert [(passage.kind, passage.words) for passage in found.passages] == [("comment", "p=38 n=262")]
    assert found.remarks == ("the sheet Hidden is hidden and was not read",)


# -- notebooks ---------------------------------------------------------------------------------------------

FRAME = pandas.DataFrame({"acc": [0.95, 0.9], "f1": [0.9123, 0.88]}, index=["ours", "other"])
REPORT = """              precision    recall  f1-score   support

           0       1.00      0.50      0.67         2
           1       0.75      1.00      0.86         3

    accuracy                           0.80         5
   macro avg       0.88      0.75      0.76         5
weighted avg       0.85      0.80      0.78         5
"""


def notebook(*cells_: dict[str, Any]) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells_}).encode()


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": source, "outputs": outputs}


def test_a_notebook() -> None:
    shown = {"output_type": "execute_result", "metadata": {}, "execution_count": 1,
             "data": {"text/html": FRAME.to_html(), "text/plain": repr(FRAME)}}  # fmt: skip
    plain = {
        "output_type": "execute_result",
        "metadata": {},
        "execution_count": 1,
        "data": {"text/plain": repr(FRAME)},
    }
    streams = [
        {"output_type": "stream", "name": "stdout", "text": text} for text in (str(FRAME) + "\n", "\n" + REPORT)
    ]
    words = {
        "cell_type": "markdown",
        "metadata": {},
        "source": ["# Title\n", "38 records.\n", "\n", "|a|b|\n", "|-|-|\n", "|x|**1**|\n"],
    }
    found = document(
        notebook(
            words,
            code("# scoreproof: p=38 n=262\nframe", shown),
            code("frame", plain),
            code("print()", *streams),
        ),
        "a.ipynb",
    )
    frame = cells("|acc|f1\nours|0.95|0.9123\nother|0.90|0.8800")
    report = cells("""|precision|recall|f1-score|support
0|1.00|0.50|0.67|2
1|0.75|1.00|0.86|3
accuracy|||0.80|5
macro avg|0.88|0.75|0.76|5
weighted avg|0.85|0.80|0.78|5""")
    assert [table.cells for table in found.tables] == [cells("a|b\nx|1"), frame, frame, frame, report]
    assert [table.place.part for table in found.tables] == ["cell 1", "cell 2", "cell 3", "cell 4", "cell 4"]
    assert [(passage.kind, passage.words, passage.place.part) for passage in found.passages] == [
        ("heading", "Title", "cell 1"),
        ("text", "38 records.", "cell 1"),
        ("comment", "p=38 n=262", "cell 2"),
    ]


# -- text --------------------------------------------------------------------------------------------------

TEXTS = {
    "bars": "Table 1: Of A\n\n| Method | Acc |\n|:---|---:|\n| Ours | **0.91** |\n| B | 0.82* |\n\nNote: bold is best",
    "bars within": "Table 1: Of A\n\nMethod | Acc\n---|---\nOurs | 0.91\nB | 0.82",
    "bars here and there": "Table 1: Of A\n\n| Method | Acc |\n|---|---|\nOurs | 0.91\nB | 0.82",
    "tabs": "Table 1. Of A\n\nMethod\tAcc\nOurs\t0.91\nB\t0.82\n\nWords.",
    "blanks": "Table 1. Of A\n\nMethod    Acc\nOurs     0.91\nB        0.82\n\nWords.",
    "fences": "Table 1. Of A\n\n```\nMethod    Acc\nOurs     0.91\nB        0.82\n```\n",
    "HTML": "Table 1. Of A\n\n<table><tr><th>Method</th><th>Acc</th></tr>\n<tr><td>Ours</td><td>0.91</td></tr><tr><td>B</td><td>0.82</td></tr></table>\n",
    "a grid": "Table 1. Of A\n\n+--------+------+\n| Method | Acc  |\n+========+======+\n| Ours   | 0.91 |\n+--------+------+\n| B      | 0.82 |\n+--------+------+\n",
    "rulers": "Table 1. Of A\n\n======  ====\nMethod  Acc\n======  ====\nOurs    0.91\nB       0.82\n======  ====\n",
    "pandoc": "| Method | Acc |\n|---|---|\n| Ours | 0.91 |\n| B | 0.82 |\n\nTable 1. Of A\n",
    "LaTeX": "Table 1. Of A\n\n\\begin{tabular}{lc}\nMethod & Acc \\\\\nOurs & 0.91 \\\\\nB & 0.82 \\\\\n\\end{tabular}\n",
    "formulas": "Table 1. Of A\n\n| Method | Acc |\n|---|---|\n| Ours | $0.91$ |\n| B | $\\mathbf{0.82}$ |\n",
    "links and marks": "Table 1. Of A\n\n| Method | Acc |\n|---|---|\n| [Ours](http://x.y/z) | 0.91[^1] |\n| B | 0.82<sup>a</sup> |\n",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_table_in_a_text(name: str) -> None:
    table = only_table(TEXTS[name], "paper.rst" if name == "rulers" else "paper.md")
    assert table.cells == cells("Method|Acc\nOurs|0.91\nB|0.82")
    assert (table.label, table.caption) == ("Table 1", "Of A")


def test_lines_and_words_of_a_text() -> None:
    found = document(
        "# Title\n\nTwo\nlines.\n\n<!-- scoreproof: p=3 n=4 -->\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSub\n---\nEnd.",
        "a.md",
    )
    (table,) = found.tables
    assert (table.place.line, table.lines, table.order) == (7, (7, 9), 3)
    assert [(passage.kind, passage.words, passage.place.line) for passage in found.passages] == [
        ("heading", "Title", 1),
        ("text", "Two lines.", 3),
        ("comment", "p=3 n=4", 6),
        ("heading", "Sub", 11),
        ("text", "End.", 13),
    ]


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("m,acc\nx,0.91\n", ".csv"),
        ("m;acc\nx;0,91\n", ".csv"),
        ("m\tacc\nx\t0.91\n", ".tsv"),
        ('"m","acc"\n"x","0.91"\n', ".csv"),
    ],
)
def test_cells_alone(text: str, ending: str) -> None:
    assert only_table(text, f"a{ending}").cells == [["m", "acc"], ["x", "0,91" if ";" in text else "0.91"]]
