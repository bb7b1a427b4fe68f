# ruff: noqa: E501  # documents are quoted as they are
"""PDFs, written by LaTeX and by reportlab: every cell of known tables."""

from __future__ import annotations

import io
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from layouts import LAYOUTS, Layout
from opened import cells, document

from scoreproof.papers.document import Document, Table
from scoreproof.papers.readers.door import read_document

PACKAGES = r"\usepackage{booktabs,multirow,graphicx,threeparttable,makecell,longtable,pdflscape,rotating}"
WORDS = (
    "The performance of the proposed method was compared with that of others on the same data, and we found it "
    "to be better in most of the cases that we looked at, although not in all of them. "
)


def compiled(body: str, folder: Path, options: str = "") -> bytes:
    """The PDF that pdflatex makes; the test is skipped where there is none."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    source = (
        rf"\documentclass{options}{{article}}{PACKAGES}\begin{{document}}" + f"\n{body}\n\\end{{document}}\n"
    )
    (folder / "paper.tex").write_text(source, encoding="utf-8")
    for _ in range(2):
        command = ["pdflatex", "-interaction=batchmode", "paper.tex"]
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if "File `" in (log := (folder / "paper.log").read_text(errors="replace")) and "not found" in log:
        pytest.skip("a package of LaTeX is not installed")
    assert (folder / "paper.pdf").exists(), made.stdout
    return (folder / "paper.pdf").read_bytes()


@pytest.fixture(scope="module")
def one_column(tmp_path_factory: pytest.TempPathFactory) -> Document:
    pages = [f"{WORDS}\n\n{layout.source}\n\n{WORDS}\\clearpage" for layout in LAYOUTS]
    return document(compiled("\n".join(pages), tmp_path_factory.mktemp("one")), "paper.pdf")


#: Wider than a column of text, so that it goes across both.
WIDE = ("narrow columns", "confidence intervals", "three levels of headings", "a matrix", "missing cells")


@pytest.fixture(scope="module")
def two_columns(tmp_path_factory: pytest.TempPathFactory) -> Document:
    parts = []
    for layout in LAYOUTS:
        source = layout.source
        if layout.name in WIDE:
            source = source.replace("{table}[ht]", "{table*}[t]").replace(r"\end{table}", r"\end{table*}")
        parts.append(f"{WORDS * 4}\n\n{source}\n\n{WORDS * 3}\n\n")
    return document(compiled("\n".join(parts), tmp_path_factory.mktemp("two"), "[twocolumn]"), "paper.pdf")


def numbered(found: Document, layout: Layout) -> Table:
    label = f"Table {1 + [each.name for each in LAYOUTS].index(layout.name)}"
    (table,) = (each for each in found.tables if each.label == label)
    return table


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_layout_on_a_page_of_one_column(layout: Layout, one_column: Document) -> None:
    table = numbered(one_column, layout)
    assert table.cells == layout.cells
    assert (table.caption, table.notes) == ("Results.", layout.notes)
    assert table.place.page == 1 + LAYOUTS.index(layout)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_layout_among_two_columns_of_text(layout: Layout, two_columns: Document) -> None:
    table = numbered(two_columns, layout)
    assert table.cells == layout.cells
    assert (table.caption, table.notes) == ("Results.", layout.notes)


def test_no_table_is_seen_where_there_is_none(one_column: Document, two_columns: Document) -> None:
    assert len(one_column.tables) == len(two_columns.tables) == len(LAYOUTS)
    said = {passage.words for passage in one_column.passages}
    assert said == {WORDS.strip()}


def test_a_table_over_two_pages_is_one(tmp_path: Path) -> None:
    rows = "\n".join(rf"Method {n} & 0.{100 + n} & 0.{200 + n} \\" for n in range(70))
    heads = r"\toprule Method & Acc & F1 \\ \midrule"
    body = rf"""{WORDS * 12}
\begin{{longtable}}{{lcc}} \caption{{Long.}} \\ {heads} \endfirsthead
\multicolumn{{3}}{{c}}{{Table \thetable{{}} (continued)}} \\ {heads} \endhead \bottomrule \endfoot
{rows}
\end{{longtable}}"""
    (table,) = document(compiled(body, tmp_path), "paper.pdf").tables
    expected = [["Method", "Acc", "F1"], *([f"Method {n}", f"0.{100 + n}", f"0.{200 + n}"] for n in range(70))]
    assert table.cells == expected
    assert (table.label, table.caption, table.place.page) == ("Table 1", "Long.", 1)


@pytest.mark.parametrize("around", ["sidewaystable", "landscape"])
def test_a_table_on_its_side(around: str, tmp_path: Path) -> None:
    inner = r"\begin{tabular}{lcc}\toprule A & B & C \\ \midrule x & 0.11 & 0.22 \\ y & 0.33 & 0.44 \\ \bottomrule \end{tabular}"
    caption = r"\caption{On its side.}"
    body = rf"\begin{{{around}}}{caption}{inner}\end{{{around}}}"
    if around == "landscape":
        body = rf"\begin{{landscape}}\begin{{table}}{caption}{inner}\end{{table}}\end{{landscape}}"
    (table,) = document(compiled(body, tmp_path), "paper.pdf").tables
    assert table.cells == cells("A|B|C\nx|0.11|0.22\ny|0.33|0.44")
    assert (table.label, table.caption) == ("Table 1", "On its side.")


def test_the_words_of_a_paper(tmp_path: Path) -> None:
    body = r"""\title{Of figures}\author{A}\date{}\maketitle
\begin{abstract}We had 38 preterm and 262 term records.\end{abstract}
\section{Methods} Five-fold cross-validation was used for the classification of the records, and the specificity was
found to be 95\,\% ($n = 300$); the significance of differences in the performance was tested with the official method."""
    found = document(compiled(body, tmp_path), "paper.pdf")
    said = [(passage.kind, passage.words) for passage in found.passages]
    assert ("heading", "Of figures") in said
    assert ("abstract", "We had 38 preterm and 262 term records.") in said
    assert ("heading", "1 Methods") in said
    text = " ".join(words for kind, words in said if kind == "text")
    assert "Five-fold cross-validation was used for the classification" in text
    assert "the specificity was found to be 95 % (n = 300); the significance of differences" in text


# -- reportlab ---------------------------------------------------------------------------------------------

ROWS = cells("""Method|Accuracy|Sensitivity|F1
SVM|0.912|0.874|0.889
Random forest|0.934|0.901|0.918
Ours|0.951|0.922|0.937""")


def printed(parts: list[Any]) -> Document:
    from reportlab.platypus import SimpleDocTemplate

    out = io.BytesIO()
    SimpleDocTemplate(out).build(parts)
    return document(out.getvalue(), "paper.pdf")


def styles() -> dict[str, list[Any]]:
    from reportlab.lib import colors

    whole, first, last = ((0, 0), (-1, -1)), ((0, 0), (-1, 0)), ((0, -1), (-1, -1))
    rules = [
        ("LINEABOVE", *first, 1, colors.black),
        ("LINEBELOW", *first, 0.5, colors.black),
        ("LINEBELOW", *last, 1, colors.black),
    ]
    return {
        "a grid": [("GRID", *whole, 0.5, colors.black)],
        "three rules": rules,
        "a box and shaded rows": [
            ("ROWBACKGROUNDS", *whole, [colors.lightgrey, colors.white]), ("BOX", *whole, 0.5, colors.black)
        ],
        "nothing": [],
        "a shaded heading": [("BACKGROUND", *first, colors.grey), *rules],
        "columns of figures at the right": [("ALIGN", (1, 0), (-1, -1), "RIGHT"), *rules],
    }  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "a grid",
        "three rules",
        "a box and shaded rows",
        "nothing",
        "a shaded heading",
        "columns of figures at the right",
    ],
)
def test_a_table_of_a_word_processor(name: str) -> None:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, Spacer, Table, TableStyle

    normal = getSampleStyleSheet()["Normal"]
    table = Table(ROWS)
    table.setStyle(TableStyle(styles()[name]))
    words = Paragraph(WORDS * 2, normal)
    found = printed(
        [words, Spacer(1, 12), Paragraph("<b>Table 3.</b> Of all.", normal), table, Spacer(1, 12), words]
    )
    (read,) = found.tables
    assert read.cells == ROWS
    assert (read.label, read.caption) == ("Table 3", "Of all.")
    assert [passage.words for passage in found.passages] == [(WORDS * 2).strip()] * 2


def test_merged_and_wrapped_cells_in_a_grid() -> None:
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, Table, TableStyle

    normal = getSampleStyleSheet()["Normal"]
    name = Paragraph("A method with a long name that is sure to wrap", normal)
    table = Table(
        [["Method", "Test", "", "AUC"], ["", "Acc", "F1", ""], [name, "0.91", "0.92", "0.93"]],
        colWidths=[100, 50, 50, 50],
    )
    spans = [("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (3, 1))]
    table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), *spans]))
    (read,) = printed([Paragraph("Table 1. Of all.", normal), table]).tables
    assert read.cells == cells("""Method|Test|Test|AUC
Method|Acc|F1|AUC
A method with a long name that is sure to wrap|0.91|0.92|0.93""")


def test_raised_marks_leave_the_cells() -> None:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, Table, TableStyle

    normal = getSampleStyleSheet()["Normal"]

    def cell(text: str) -> Paragraph:
        return Paragraph(text, normal)

    rows = [
        ["Model", cell("Sens<super>a</super>"), "Rate"],
        ["X", cell("0.91<super>*</super>"), cell("10<super>-3</super>")],
        ["Y", "0.90", "0.2"],
    ]
    table = Table(rows, colWidths=[60, 60, 60])
    table.setStyle(TableStyle(styles()["three rules"]))
    (read,) = printed([cell("Table 1. Of all."), table, cell("<super>a</super> Of the test set.")]).tables
    assert read.cells == cells("Model|Sens|Rate\nX|0.91|10⁻³\nY|0.90|0.2")
    assert read.notes == ("a Of the test set.",)


def test_a_scanned_document_says_so() -> None:
    from hostile import one_page, stream

    from scoreproof.papers.readers.limits import Unreadable

    image = stream(
        b"\0" * 100,
        b"/Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray",
    )
    scan = one_page(stream(b"q 600 0 0 700 0 0 cm /I Do Q"), b"/XObject << /I 6 0 R >>", [image])
    with pytest.raises(Unreadable, match="OCR"):
        read_document(scan, "scan.pdf")


def test_a_paper_of_twenty_pages_takes_less_than_ten_seconds(tmp_path: Path) -> None:
    pages = [f"{WORDS * 5}\n\n{LAYOUTS[n].source}\n\n{WORDS * 3}\\clearpage" for n in range(20)]
    data = compiled("\n".join(pages), tmp_path)
    said: list[str] = []
    start = time.monotonic()
    found = read_document(data, "paper.pdf", say=said.append)
    assert time.monotonic() - start < 10
    assert (found.pages, len(found.tables)) == (20, 20)
    assert said == [f"page {n} of 20" for n in range(1, 21)]
