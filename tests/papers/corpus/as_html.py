"""Papers as pages: plain HTML, pages shaped like those of large publishers, pandas, and JATS."""

from __future__ import annotations

import random
import re
from html import escape
from pathlib import Path

from .sheet import Cell, Heading, Paper, Paragraph, Sheet


def written(text: str, rng: random.Random) -> str:
    """The same text with the entities, breaks and formulas that pages are full of."""
    if "±" in text and "%" not in text and rng.random() < 0.3:
        inside = text.replace("±", r"\pm")
        return rf'<span class="mathjax-tex">\({inside}\)</span>'
    made = escape(text, quote=False)
    if rng.random() < 0.3:
        made = made.replace(" ± ", "&nbsp;±&nbsp;").replace("\u2009", "&thinsp;").replace("–", "&ndash;")
    if " (" in made and rng.random() < 0.3:
        made = made.replace(" (", "<br/>(", 1)
    return f"<span>{made}</span>" if rng.random() < 0.1 else made


def cell(each: Cell, pandas: bool = False, rng: random.Random | None = None) -> str:
    name = "th" if each.head else "td"
    spans = "".join(
        f' {word}="{count}"' for word, count in (("rowspan", each.rows), ("colspan", each.cols)) if count > 1
    )
    turned = ' style="writing-mode: vertical-rl"' if each.rotated else ""
    text = written(each.text, rng) if rng else escape(each.text, quote=False)
    text = f"<b>{text}</b>" if each.bold and not pandas else text
    text += f"<sup>{escape(each.mark)}</sup>" if each.mark and not pandas else ""
    return f"<{name}{spans}{turned}>{text}</{name}>"


def rows(sheet: Sheet, kind: str = "", rng: random.Random | None = None) -> str:
    pandas = kind == "pandas"
    head, body = [], []
    for i, row in enumerate(sheet.rows):
        texts = []
        for j, each in enumerate(row):
            if pandas and i >= sheet.head and j == 0:
                each = Cell(each.text, head=True)
            texts.append(cell(each, pandas, rng))
        start = '<tr style="text-align: right;">' if pandas and i < sheet.head else "<tr>"
        (head if i < sheet.head else body).append(f"{start}\n      " + "\n      ".join(texts) + "\n    </tr>")
    if kind == "bare":  # no thead at all
        return "<tbody>" + "\n".join(head + body) + "</tbody>"
    return f"<thead>\n    {chr(10).join(head)}\n  </thead>\n  <tbody>\n    {chr(10).join(body)}\n  </tbody>"


def generic(sheet: Sheet, rng: random.Random) -> str:
    caption = f"Table {sheet.number}. {escape(sheet.caption, quote=False)}"
    notes = "".join(f'<p class="note">{note(words)}</p>' for words in sheet.notes)
    kind = rng.choice(("", "bare"))
    if rng.random() < 0.5:
        return f"<table border=1><caption>{caption}</caption>{rows(sheet, kind, rng)}</table>{notes}"
    return f"<p><b>{caption}</b></p><table class='t'>{rows(sheet, kind, rng)}</table>{notes}"


def note(words: str) -> str:
    mark, space, rest = words.partition(" ")
    if len(mark) <= 2 and space:
        return f"<sup>{escape(mark)}</sup> {escape(rest)}"
    return escape(words)


def pmc(sheet: Sheet, rng: random.Random) -> str:
    notes = "".join(
        f'<div class="fn p" id="fn{sheet.number}-{i}"><p>{note(w)}</p></div>' for i, w in enumerate(sheet.notes)
    )
    foot = f'<div class="tw-foot p"><div class="fn-wrap">{notes}</div></div>' if notes else ""
    return (
        f'<section class="tw xbox font-sm" id="T{sheet.number}"><h4 class="obj_head">Table {sheet.number}.</h4>'
        f'<div class="caption p"><p>{escape(sheet.caption)}</p></div>'
        f'<div class="tbl-box p"><table class="content" frame="hsides" rules="groups">{rows(sheet, "", rng)}'
        "</table></div>"
        f'<div class="p text-right"><a href="table/T{sheet.number}/">Open in a new tab</a></div>'
        f"{foot}</section>"
    )


def nature(sheet: Sheet, rng: random.Random) -> str:
    notes = "".join(f"<li>{note(words)}</li>" for words in sheet.notes)
    foot = f'<div class="c-article-table-footer"><ol>{notes}</ol></div>' if notes else ""
    return (
        f'<div class="c-article-table" data-test="inline-table" id="table-{sheet.number}"><figure>'
        f'<figcaption class="c-article-table__figcaption"><b id="Tab{sheet.number}" data-test="table-caption">'
        f"Table {sheet.number} {escape(sheet.caption)}</b></figcaption>"
        f'<div class="c-article-table-container"><div class="c-article-table-border c-table-scroll-wrapper">'
        f'<table class="data last-table">{rows(sheet, "", rng)}</table></div></div>{foot}'
        f'<div class="u-text-right u-hide-print"><a class="c-pill" href="/articles/x/tables/{sheet.number}">'
        f"<span>Full size table</span></a></div></figure></div>"
    )


def bmc(sheet: Sheet, rng: random.Random) -> str:
    notes = "".join(f'<p class="TableFootnote">{note(words)}</p>' for words in sheet.notes)
    paragraphs = rows(sheet, "", rng).replace("<td>", "<td><p>").replace("</td>", "</p></td>")
    return (
        f'<div class="FigureTable"><div id="Tab{sheet.number}" class="Table"><div class="CaptionNumber">'
        f'<strong>Table {sheet.number}</strong></div><div class="CaptionContent"><p class="SimplePara">'
        f'{escape(sheet.caption)}</p></div><div class="TableWrapper"><table>{paragraphs}</table></div>'
        f'<div class="TableFooter">{notes}</div></div></div>'
    )


def pandas(sheet: Sheet, rng: random.Random) -> str:
    caption = f"<p>Table {sheet.number}: {escape(sheet.caption)}</p>"
    return f'{caption}<div><table border="1" class="dataframe">\n  {rows(sheet, "pandas")}\n</table></div>'


SHAPES = {"generic": generic, "pmc": pmc, "nature": nature, "bmc": bmc, "pandas": pandas}
SCRIPT = "<script>var table = '<table><tr><td>not a table</td></tr></table>';</script>"


def write_html(paper: Paper, path: Path, shape: str) -> None:
    rng = random.Random(paper.seed + 2)
    parts = [f"<h1>{escape(paper.title)}</h1>", f"<p class='authors'>{escape(paper.authors)}</p>"]
    parts.append(f"<section class='abstract'><h2>Abstract</h2><p>{escape(paper.abstract)}</p></section>")
    for block in paper.blocks:
        match block:
            case Heading(words):
                parts.append(f"<h2>{escape(words)}</h2>")
            case Paragraph(words):
                parts.append(f"<p>{escape(words, quote=False)}</p>")
            case Sheet():
                parts.append(SHAPES[shape](block, rng))
    page = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(paper.title)}</title>'
        f"{SCRIPT}"
        f"<style>td {{ padding: 2px }}</style></head><body><nav><ul><li>Home</li><li>Articles</li></ul></nav>"
        f"<article>{chr(10).join(parts)}</article><footer>© 2024</footer></body></html>\n"
    )
    path.write_text(page, encoding="utf-8")


def formula(found: re.Match[str]) -> str:
    mean, sd = found[1], found[2]
    inside = f"<mml:mn>{mean}</mml:mn><mml:mo>±</mml:mo><mml:mn>{sd}</mml:mn>"
    return f"<td><inline-formula><mml:math>{inside}</mml:math></inline-formula></td>"


def jats_table(sheet: Sheet, rng: random.Random) -> str:
    notes = "".join(
        f'<fn id="fn{sheet.number}-{i}"><p>{note(words)}</p></fn>' for i, words in enumerate(sheet.notes)
    )
    foot = f"<table-wrap-foot>{notes}</table-wrap-foot>" if notes else ""
    inside = (
        rows(sheet)
        .replace("<b>", "<bold>")
        .replace("</b>", "</bold>")
        .replace(' style="writing-mode: vertical-rl"', "")
    )
    if rng.random() < 0.4:
        inside = re.sub(r"<td>([0-9.]+) ?± ?([0-9.]+)</td>", formula, inside)
        inside = inside.replace("<sup>", f'<xref ref-type="table-fn" rid="fn{sheet.number}-0"><sup>')
        inside = inside.replace("</sup>", "</sup></xref>").replace(" (%)</th>", "<break/>(%)</th>")
    alternatives, end = rng.choice(
        (("", ""), ('<alternatives><graphic xlink:href="t1.jpg"/>', "</alternatives>"))
    )
    return (
        f'<table-wrap id="T{sheet.number}" position="float"><label>Table {sheet.number}</label><caption><p>'
        f'{escape(sheet.caption)}</p></caption>{alternatives}<table frame="hsides">{inside}</table>{end}{foot}'
        "</table-wrap>"
    )


def write_jats(paper: Paper, path: Path) -> None:
    rng = random.Random(paper.seed + 9)
    parts: list[str] = []
    opened = False
    for block in paper.blocks:
        match block:
            case Heading(words):
                parts.append(("</sec>" if opened else "") + f"<sec><title>{escape(words)}</title>")
                opened = True
            case Paragraph(words):
                parts.append(f"<p>{escape(words)}</p>")
            case Sheet():
                parts.append(jats_table(block, rng))
    body = "\n".join(parts) + ("</sec>" if opened else "")
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) '
        'Journal Archiving DTD v1.2 20190208//EN" "JATS-archivearticle1.dtd">\n'
        '<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML" '
        'article-type="research-article"><front><article-meta>'
        f"<title-group><article-title>{escape(paper.title)}</article-title></title-group><abstract><p>"
        f"{escape(paper.abstract)}</p></abstract></article-meta></front><body>{body}</body>"
        "<back><ref-list><ref id='r1'><mixed-citation>An older work.</mixed-citation></ref></ref-list></back>"
        "</article>\n",
        encoding="utf-8",
    )
