"""Tables as people paste them: from a spreadsheet, LaTeX, HTML, Markdown, or plain columns.

:func:`grid` finds the cells, :func:`read_table` what they mean: which row or column holds the names of
scores, which cells are figures, which are class counts.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

from scoreproof.claim.fields import COUNTS
from scoreproof.errors import BadClaim, shorten
from scoreproof.reading.tables.claims import in_percent, is_missing
from scoreproof.reading.tables.columns import Column, recognise

MOST_CELLS = 20_000

Grid = list[list[str]]

#: Headings that mean a count where a table is pasted, beside those of any table.
ALSO = {"positive": "p", "n+": "p", "negative": "n", "n-": "n", "size": "total", "samples": "total"}
UNIT = re.compile(r"[\[(]\s*(%|in %|percent|\\%)\s*[\])]|%\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PastedRow:
    """One line of a table: what it is called, its figures, and its own class counts."""

    name: str
    scores: dict[str, str]
    counts: dict[str, str] = field(default_factory=dict)


def read_table(text: str) -> tuple[list[PastedRow], list[str]]:
    """The rows of a pasted table, and the headings that were not understood.

    >>> read_table("Model\\tAcc (%)\\tF1\\nours\\t95.67\\t0.93")[0]
    [PastedRow(name='ours', scores={'Acc': '95.67 %', 'F1': '0.93'}, counts={})]
    """
    cells = grid(text)
    if not cells:
        raise BadClaim("table", "no table was found; paste rows of names and figures, with a heading")
    if not _headed(cells):
        cells = [list(column) for column in zip(*_square(cells), strict=True)]
        if not _headed(cells):
            raise BadClaim(
                "table",
                "no heading with names of scores was found; the first row (or column) must name them, as in "
                "Accuracy, Recall, F1",
            )
    start = next(index for index, row in enumerate(cells) if _score_names(row))
    heads = [_heading(cell) for cell in cells[start]]
    named = [head.key.casefold() for head in heads if head is not None and head.score]
    for name in named:
        if named.count(name) > 1:
            raise BadClaim(
                "table", f"the heading {shorten(name)!r} stands twice; paste one column of each score"
            )
    rows = [_row(heads, row, number) for number, row in enumerate(cells[start + 1 :], 1)]
    found = [row for row in rows if row.scores]
    if not found:
        raise BadClaim("table", "the table has names of scores but no figures under them")
    pairs = list(zip(heads, cells[start], strict=True))[1:]  # the first column names the rows
    return found, [cell for head, cell in pairs if head is None and cell.strip()]


def _row(heads: Sequence[Column | None], cells: Sequence[str], number: int) -> PastedRow:
    row = PastedRow("", {})
    words = []
    for head, cell in zip(heads, map(str.strip, cells), strict=False):
        if head is None:
            words += [cell] if any(c.isalpha() for c in cell) else []
        elif not is_missing(cell):
            (row.scores if head.score else row.counts)[head.key] = in_percent(cell) if head.percent else cell
    return PastedRow(" ".join(words[:2]) or f"row {number}", row.scores, row.counts)


def _heading(cell: str) -> Column | None:
    """The score or the part of the set-up that a heading names, if it names one."""
    plain = UNIT.sub("", cell).strip().rstrip("↑↓:").strip()
    if not plain or len(plain) > 60:
        return None
    words = ALSO.get(plain.casefold(), plain)
    try:
        layout = recognise([words], {words: words})
    except BadClaim:
        return None
    (found,) = (*layout.scores, *layout.set_up)
    if not found.score and found.key not in COUNTS:
        return None  # a dataset is the name of a row as often as not
    return Column(cell, found.key, found.score, found.complement, bool(UNIT.search(cell)))


def _score_names(row: Sequence[str]) -> int:
    return sum(head is not None and bool(head.score) for head in map(_heading, row))


def _headed(cells: Grid) -> bool:
    """Whether some row names scores and is followed by figures."""
    by_row = max(_score_names(row) for row in cells)
    by_column = max((_score_names(column) for column in zip(*_square(cells), strict=True)), default=0)
    return by_row >= max(by_column, 1) and not (by_row == by_column == 1 and len(cells) == 1)


def _square(cells: Grid) -> Grid:
    wide = max(len(row) for row in cells)
    return [row + [""] * (wide - len(row)) for row in cells]


# -- finding the cells ---------------------------------------------------------


def grid(text: str) -> Grid:
    """The cells of the table, whatever it was copied from."""
    if re.search(r"<t[dhr][\s>]", text, re.IGNORECASE):
        cells = _html(text)
    elif "&" in text and (r"\\" in text or r"\begin" in text):
        cells = _latex(text)
    elif re.search(r"^\s*\|.*\|\s*$", text, re.MULTILINE):
        cells = _markdown(text)
    else:
        cells = _delimited(text)
    cells = [[" ".join(cell.split()) for cell in row] for row in cells]
    cells = [row for row in cells if any(row)]
    if sum(map(len, cells)) > MOST_CELLS:
        raise BadClaim("table", f"more than {MOST_CELLS} cells; upload a large table as a file instead")
    return cells


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: Grid = []
        self.inside = False
        self.span = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr" or (tag in ("td", "th") and not self.rows):
            self.rows.append([])
        if tag in ("td", "th"):
            self.inside = True
            span = dict(attrs).get("colspan") or "1"
            self.span = min(int(span), 50) if span.isdecimal() and len(span) < 4 else 1
            self.rows[-1].append("")
        elif tag == "br" and self.inside:
            self.rows[-1][-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self.inside:
            self.inside = False
            self.rows[-1] += [""] * (self.span - 1)

    def handle_data(self, data: str) -> None:
        if self.inside and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def _html(text: str) -> Grid:
    cells = _Cells()
    cells.feed(text)
    cells.close()
    return cells.rows


_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\}|cmidrule(?:\([^)]*\))?\{[^}]*\}|addlinespace)"
)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\])?(?:\{[^}]*\})?")
_COMMENT = re.compile(r"(?<!\\)%.*")
_WRAPPED = re.compile(
    r"\\(?:textbf|textit|emph|underline|mathbf|mathrm|text|textsc|bm|boldsymbol)\s*\{([^{}]*)\}"
)
_SPANNING = re.compile(r"\\multi(?:column|row)\{(\d{1,2}|\*)\}\{[^}]*\}\{([^{}]*)\}")


def _latex(text: str) -> Grid:
    body = "\n".join(_COMMENT.sub("", line) for line in text.splitlines())
    inner = re.search(r"\\begin\{tabular[*x]?\}(.*?)\\end\{tabular", body, re.DOTALL)
    body = inner.group(1) if inner else body
    body = _RULES.sub("", _ENVIRONMENT.sub("", body))
    rows = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", body):
        row: list[str] = []
        for cell in re.split(r"(?<!\\)&", line):
            span = _SPANNING.search(cell)
            row.append(_untexed(cell))
            if span and span.group(1).isdecimal() and "multicolumn" in span.group():
                row += [""] * (min(int(span.group(1)), 50) - 1)
        rows.append(row)
    if inner and rows and rows[0]:  # what follows \begin{tabular} is the layout: {lcc}
        rows[0][0] = re.sub(
            r"^\s*(?:\[[^\]]*\])?\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "", inner.group(1).split("&")[0]
        )
        rows[0][0] = _untexed(_RULES.sub("", rows[0][0]))
    return rows


def _untexed(cell: str) -> str:
    cell = re.sub(
        r"\\(?:cite[a-z]*|ref|label|footnote)\*?(?:\[[^\]]*\])*\{[^{}]*\}", "", _SPANNING.sub(r"\2", cell)
    )
    for _ in range(4):  # bold inside italics
        cell = _WRAPPED.sub(r"\1", cell)
    cell = cell.replace(r"\pm", "±").replace(r"\%", "%").replace("$", "").replace("~", " ").replace(r"\,", " ")
    cell = cell.replace(r"\_", "_").replace(r"\&", "&").replace(r"\uparrow", "").replace(r"\downarrow", "")
    return re.sub(r"\\[a-zA-Z]+\s?|[{}]", "", cell).strip()


def _markdown(text: str) -> Grid:
    rows = []
    for line in text.splitlines():
        line = line.strip()
        if "|" not in line or re.fullmatch(r"[|:\-+\s]+", line):
            continue
        cells = re.split(r"(?<!\\)\|", line.strip("|"))
        rows.append(
            [re.sub(r"\*\*|__|`|\\(?=\|)|(?<![\w*])[*_]|[*_](?![\w*])", "", unescape(cell)) for cell in cells]
        )
    return rows


def _delimited(text: str) -> Grid:
    """Tabs (a spreadsheet), semicolons, commas, or columns held apart by two blanks."""
    lines = [line for line in text.splitlines() if line.strip()]
    for mark in ("\t", ";"):
        if sum(mark in line for line in lines) > len(lines) / 2:
            return _csv(text, mark)
    if sum(len(re.split(r"\s{2,}", line.strip())) > 1 for line in lines) > len(lines) / 2:
        return [re.split(r"\s{2,}", line.strip()) for line in lines]
    if sum("," in line for line in lines) > len(lines) / 2:
        return _csv(text, ",")
    # "acc = 0.95" or "acc: 0.95", a pair a line
    pairs = [re.split(r"\s*[=:]\s*", line.strip(), maxsplit=1) for line in lines]
    if all(len(pair) == 2 for pair in pairs):
        return pairs
    return [line.split() for line in lines]


def _csv(text: str, mark: str) -> Grid:
    try:
        return [list(row) for row in csv.reader(io.StringIO(text.strip("\n")), delimiter=mark)]
    except csv.Error as error:
        raise BadClaim("table", f"the columns cannot be told apart ({shorten(error, 60)})") from None
