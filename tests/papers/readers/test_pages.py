# ruff: noqa: E501  # documents are quoted as they are
"""HTML and JATS: tables as publishers write them."""

from __future__ import annotations

import pytest
from opened import cells, document, only_table

GRID = cells("""Method|Test set|Test set
Method|Sens (%)|Spec (%)
Ours|91.4|97.3
B|-0.5|10⁻³""")
ROWS = """<thead><tr><th rowspan="2">Method</th><th colspan="2">Test set</th></tr>
<tr><th>Sens (%)</th><th>Spec (%)</th></tr></thead>
<tbody><tr><td>Ours<sup>a</sup></td><td><b>91.4</b></td><td>97.3<sup>*</sup></td></tr>
<tr><td>B</td><td>−0.5</td><td>10<sup>−3</sup></td></tr></tbody>"""

PAGES = {
    "a plain page": f"<p>Words.</p><table><caption>Table 2. Of A</caption>{ROWS}</table><p><sup>a</sup> Trained twice.</p>",
    "a figure": f"<figure><table>{ROWS}</table><figcaption>Table 2: Of A</figcaption></figure><p>a Trained twice.</p>",
    "PubMed Central": f"""<section class="tw xbox font-sm" id="t2"><h3 class="obj_head">Table 2.</h3>
<div class="caption p_in_tb"><p>Of A</p></div><div class="tbl-box p_in_tb"><table class="content">{ROWS}</table></div>
<div class="tw-foot p"><div class="fn" id="f1"><sup>a</sup><p>Trained twice.</p></div></div></section>""",
    "Nature, a page of its own": f"""<nav>Menu</nav><main><h1 class="c-article-table-title">Table 2 Of A</h1>
<p class="c-article-satellite-subtitle"><b>From: </b><a href="/articles/x">The article</a></p>
<div class="c-article-table-container"><table class="data last-table">{ROWS}</table></div>
<div class="c-article-table-footer"><ol><li><sup>a</sup>Trained twice.</li></ol></div></main>""",
    "BMC": f"""<figure><figcaption class="c-article-table__figcaption"><b id="Tab2">Table 2 Of A</b></figcaption>
<div class="c-article-table-container"><table>{ROWS}</table></div></figure><p>a Trained twice.</p>""",
    "headings above and below": f"<h4>Table 2</h4><p>Of A</p><table>{ROWS}</table><p>a Trained twice.</p>",
    "unclosed": f"<p>Words<table><caption>Table 2 – Of A{ROWS.replace('</td>', '').replace('</tr>', '')}</table><p>a Trained twice.",
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_page(name: str) -> None:
    table = only_table(f"<html><body>{PAGES[name]}</body></html>", "paper.html")
    assert table.cells == GRID
    assert (table.label, table.caption) == ("Table 2", "Of A")
    assert table.notes == ("a Trained twice.",)


ARTICLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96)//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"><front>
<journal-meta><journal-title>A journal</journal-title></journal-meta><article-meta><title-group>
<article-title>Of figures</article-title></title-group><abstract><p>We had 38 records.</p></abstract></article-meta></front>
<body><sec><title>Methods</title><p>See <xref ref-type="table" rid="t2">Table 2</xref> with
<inline-formula><mml:math><mml:mi>n</mml:mi><mml:mo>=</mml:mo><mml:mn>300</mml:mn></mml:math></inline-formula>.</p>
<table-wrap id="t2"><label>Table 2.</label><caption><title>Of A</title></caption><alternatives><graphic xlink:href="x"/>
<table>{ROWS.replace("<sup>a</sup>", '<xref ref-type="table-fn" rid="f1"><sup>a</sup></xref>')}</table></alternatives>
<table-wrap-foot><fn id="f1"><label>a</label><p>Trained twice.</p></fn></table-wrap-foot></table-wrap></sec></body>
<back><ref-list><ref><mixed-citation>Not read</mixed-citation></ref></ref-list></back></article>"""


@pytest.mark.parametrize("ending", [".xml", ".nxml"])
def test_an_article_in_jats(ending: str) -> None:
    found = document(ARTICLE, f"paper{ending}")
    (table,) = found.tables
    assert table.cells == GRID
    assert (table.label, table.caption, table.notes) == ("Table 2", "Of A", ("a Trained twice.",))
    assert [(passage.kind, passage.words) for passage in found.passages] == [
        ("heading", "Of figures"),
        ("abstract", "We had 38 records."),
        ("heading", "Methods"),
        ("text", "See Table 2 with n=300."),
    ]
    assert table.place.line == 9


def test_a_table_of_the_other_model() -> None:
    """CALS tables name their columns and say how many rows more a cell covers."""
    table = only_table("""<article><table-wrap><label>Table 1</label><table><tgroup cols="3"><colspec colname="c1"/>
<colspec colname="c2"/><colspec colname="c3"/><thead><row><entry morerows="1">M</entry>
<entry namest="c2" nameend="c3">Test</entry></row><row><entry>Acc</entry><entry>F1</entry></row></thead>
<tbody><row><entry>A</entry><entry>0.9</entry><entry>0.8</entry></row></tbody></tgroup></table></table-wrap></article>""", "a.xml")  # fmt: skip
    assert table.cells == cells("M|Test|Test\nM|Acc|F1\nA|0.9|0.8")


def test_a_table_that_arranges_a_page_is_not_one_of_it() -> None:
    inner = "<table><tr><th>Acc</th><th>F1</th></tr><tr><td>0.9</td><td>0.8</td></tr></table>"
    found = document(f"<table><tr><td>Menu</td><td><p>Words.</p>{inner}</td></tr></table>", "a.html")
    assert [table.cells for table in found.tables] == [cells("Acc|F1\n0.9|0.8")]
    assert [passage.words for passage in found.passages] == ["Menu", "Words."]


def test_what_a_page_hides_is_not_read() -> None:
    hidden = '<div style="display: none"><table><tr><td>1</td><td>2</td></tr></table></div>'
    found = document(
        f"{hidden}<p>Words of R<sup>2</sup> and 5<sup>th</sup>.<sup>3</sup></p><!-- scoreproof: p=3 -->",
        "a.html",
    )
    assert not found.tables
    assert [(passage.kind, passage.words) for passage in found.passages] == [
        ("text", "Words of R² and 5th."),
        ("comment", "p=3"),
    ]


@pytest.mark.parametrize(
    ("cell", "seen"),
    [
        ("0.95<sup>1,2</sup>", "0.95"),
        ("0.95†", "0.95"),
        ("p<sup>a</sup> &lt; 0.05", "p < 0.05"),
        ("0.91<br>(0.85&ndash;0.95)", "0.91 (0.85–0.95)"),
        ("F<sub>1</sub>", "F1"),
        ("1.2 × 10<sup>-4</sup>", "1.2 × 10⁻⁴"),
        (r"\(0.91 \pm 0.02\)", "0.91 ± 0.02"),
        ("0.91&nbsp;±&nbsp;0.02", "0.91 ± 0.02"),
        ("speci&shy;ficity", "specificity"),
        ("<p>two</p><p>lines</p>", "two lines"),
        ("cm<sup>2</sup>", "cm²"),
    ],
)
def test_the_text_of_cells(cell: str, seen: str) -> None:
    table = only_table(
        f"<table><tr><td>x</td><td>y</td></tr><tr><td>{cell}</td><td>1</td></tr></table>", "a.html"
    )
    assert table.cells[1][0] == seen


def test_a_foot_of_words_is_a_note_and_one_of_figures_a_row() -> None:
    rows = "<tr><th>M</th><th>N</th></tr><tr><td>A</td><td>1</td></tr>"
    foot = "<tr><td>Total</td><td>1</td></tr><tr><td colspan=2>* Of all.</td></tr>"
    table = only_table(f"<table>{rows}<tfoot>{foot}</tfoot></table>", "a.html")
    assert table.cells == cells("M|N\nA|1\nTotal|1")
    assert table.notes == ("* Of all.",)
