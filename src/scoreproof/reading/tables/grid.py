"""From the text of a table to its cells, whatever it was copied from.

An empty corner stays: the first cell of a line may be empty, and is then a cell all the same.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

from scoreproof.errors import BadClaim, shorten
from scoreproof.printed.marks import blank
from scoreproof.reading.tables.aligned import by_place, is_figure
from scoreproof.reading.tables.columns import names_score
from scoreproof.reading.tables.markup import Grid, html, is_ruler, latex, markdown

_HTML = re.compile(r"<t[dhr][\s>]", re.IGNORECASE)
_RULED = re.compile(r"\|?[\s:]*--[-\s:|+]*")
#: What pandas and others print below a table, and polars below its headings.
_FOOT = re.compile(r"\[\d+ rows x \d+ columns\]|(?:dtype|Name|Length): .*|shape: \(.*\)")
_TYPES = frozenset(
    {"---", "str", "cat", "bool", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u32", "u64", ""}
)
#: What separates nothing: within quotation marks or brackets.
_WITHIN = re.compile(r'"[^"]*"?|\([^()]*\)|\[[^\[\]]*\]')
_GAP = re.compile(r" {2,}")
_BLANKS = re.compile(r" +")
_SPREAD = r"(?:\s*(?:±|\+/-)\s*[\d.,·]+%?)"
_WHOLE = re.compile(rf"[<>≤≥]?\s?[\d.,·]*\d(?:\s?%)?{_SPREAD}?(?:\s*[(\[][^()\[\]]*[)\]]%?)?(?=\s|$)|\S+")


def grids(text: str) -> list[Grid]:
    """The tables of a text, each as rows of cells.

    >>> grids("\\tacc\\tsens\\nours\\t0.95\\t0.90")
    [[['', 'acc', 'sens'], ['ours', '0.95', '0.90']]]
    """
    lines = _uncommented(text.lstrip("\ufeff").splitlines())
    if _HTML.search(text):
        found = html(text)
    elif "&" in text and (r"\\" in text or r"\begin" in text or r"\tabularnewline" in text):
        found = latex(text)
    elif any(map(_barred, lines)) or any(
        "|" in line and _RULED.fullmatch(after.strip()) for line, after in pairwise(lines)
    ):
        found = [[row for row in table if not _TYPES.issuperset(row)] for table in markdown("\n".join(lines))]
    else:
        found = [_delimited(lines)]
    tidy = [[[" ".join(cell.split()) for cell in row] for row in table] for table in found]
    return [kept for table in tidy if (kept := [row for row in table if any(row)])]


def _barred(line: str) -> bool:
    line = line.strip()
    return len(line) > 2 and line[0] in "|│┃║┆" and line[-1] in "|│┃║┆"


def _uncommented(lines: list[str]) -> list[str]:
    """The lines without the sign of a comment or of a quotation that all of them start with."""
    said = [line for line in lines if line.strip()]
    for sign in ("#", ">", "//"):
        if len(said) > 1 and all(line.lstrip().startswith(sign) for line in said):
            return [line.lstrip().removeprefix(sign) for line in said]
    return lines


def delimiter_of(lines: list[str]) -> str:
    """What separates the cells of the lines, if one sign does; a comma also stands inside numbers."""
    said = [_WITHIN.sub("", line) for line in lines if line.strip()]
    for mark in "\t;|":
        if sum(mark in line for line in said) > len(said) / 2:
            return mark
    commas = sum("," in line for line in said) > len(said) / 2
    if commas and any(re.search(r",(?!\d)|(?<!\d),", line) for line in said[:3]):
        heads = next(line for line in said if "," in line)
        return "" if len(_GAP.split(heads.strip())) > heads.count(",") + 1 else ","
    return ""


def _delimited(lines: list[str]) -> Grid:
    """Tabs (a spreadsheet), semicolons, commas, pairs of name and figure, or plain columns."""
    if mark := delimiter_of(lines):
        try:
            rows = csv.reader([f"{line}\n" for line in lines], delimiter=mark)
            return with_corner(list(rejoined((row for row in rows if row), mark)))
        except csv.Error as error:
            raise BadClaim("table", f"the columns cannot be told apart ({shorten(error, 60)})") from None
    kept = [line.expandtabs().rstrip() for line in lines if not (line.strip() and is_ruler(line))]
    kept = [line for line in kept if not _FOOT.fullmatch(line.strip())]
    # "acc = 0.95" or "acc: 0.95", a pair a line
    pairs = [[part.strip() for part in re.split("[=:]", line, maxsplit=1)] for line in kept if line]
    if pairs and all(len(pair) == 2 for pair in pairs):
        return pairs
    return _side_by_side(_wrapped(kept))


def rejoined(rows: Iterable[list[str]], mark: str) -> Iterator[list[str]]:
    """The rows; where one is longer than the first, cells cut at a mark within their brackets are whole again.

    >>> list(rejoined([["sens", "n"], ["0.86 [0.78", " 0.91]", "20"], ["1", "2", "3"]], ";"))
    [['sens', 'n'], ['0.86 [0.78; 0.91]', '20'], ['1', '2', '3']]
    """
    width = 0
    for row in rows:
        width = width or len(row)
        whole: list[str] = []
        for cell in row if len(row) > width else ():
            if whole and any(whole[-1].count(a) > whole[-1].count(b) for a, b in ("()", "[]")):
                whole[-1] += mark + cell
            else:
                whole.append(cell)
        yield whole if len(whole) == width else row


def with_corner(rows: Grid) -> Grid:
    """The rows; where the heading alone is one cell short (as R writes it), the first column has none."""
    if len(rows) > 2 and all(len(row) == len(rows[0]) + 1 for row in rows[1:]):
        return [["", *rows[0]], *rows[1:]]
    return rows


# -- plain columns -------------------------------------------------------------


def _wrapped(lines: list[str]) -> list[list[str]]:
    """The blocks of a wide table that pandas printed one below the other."""
    blocks = [[line.rstrip(" \\") for line in block] for said, block in groupby(lines, key=bool) if said]
    wrapped = any(line.endswith(" \\") for line in lines) and len({len(block) for block in blocks}) == 1
    return blocks if wrapped else [[line for line in lines if line]]


def _side_by_side(blocks: list[list[str]]) -> Grid:
    grids = [_in_columns(block) for block in blocks]
    first, *rest = grids
    for grid in rest:  # the index is printed with every block
        if [row[0] for row in grid] != [row[0] for row in first]:
            return [row for grid in grids for row in grid]
    return [sum((grid[at][1:] for grid in rest), row) for at, row in enumerate(first)]


def _in_columns(lines: list[str]) -> Grid:
    """The cells of lines whose columns are held apart by blanks."""
    if len(lines) < 2:
        return [_GAP.split(line.strip()) for line in lines]
    found = by_place(lines)
    if found:
        return found
    if len(lines) > 2 and len(_GAP.split(lines[0].strip())) == 1 < len(_GAP.split(lines[1].strip())):
        lines = lines[1:]  # a title
    for gap in (_GAP, _BLANKS):
        rows = with_corner([gap.split(line.strip()) for line in lines])
        if len(rows[0]) > 1 and {len(row) for row in rows} == {len(rows[0])}:
            alike = [len(set(map(_said_figure, column))) == 1 for column in zip(*rows[1:], strict=True)]
            if all(alike):  # below the heading every column holds figures in all rows, or in none
                return rows
    return _stacked(lines) or _names_first([_headings(lines[0]), *map(_tokens, lines[1:])])


def _stacked(lines: list[str]) -> Grid:
    """The rows of a table pasted with a cell a line: headings first, then rows of as many; else nothing."""
    wide = next((at for at, line in enumerate(lines) if _said_figure(line)), 0) - 1
    if wide < 3 or len(lines) % wide or len(lines) < 2 * wide or not any(map(names_score, lines[:wide])):
        return []
    rows = [lines[at : at + wide] for at in range(0, len(lines), wide)]
    return rows if all(not is_figure(row[0]) and all(map(_said_figure, row[1:])) for row in rows[1:]) else []


def _tokens(line: str) -> list[str]:
    """The words of a line; what belongs to a figure stands with it: "0.95 ± 0.01", "0.91 (0.88-0.94)"."""
    return [" ".join(word.split()) for word in _WHOLE.findall(line)]


def _headings(line: str) -> list[str]:
    """The words of a line of headings; the name of a score may have several."""
    words, found = line.split(), []
    while words:
        size = next(
            (size for size in (4, 3, 2) if names_score(" ".join(words[:size])) and len(words) >= size), 1
        )
        found.append(" ".join(words[:size]))
        del words[:size]
    return found


def _said_figure(cell: str) -> bool:
    return is_figure(cell) or blank(cell)


def _names_first(rows: Grid) -> Grid:
    """Lines of words: what stands before the figures is the name, of however many words."""
    wide = len(rows[0])
    found = [rows[0]]
    for row in rows[1:]:
        spare = len(row) - wide
        figures = row[spare + 1 :]
        if spare > 0 and wide > 1 and all(map(_said_figure, figures)):
            row = [" ".join(row[: spare + 1]), *figures]
        found.append(row)
    if len({len(row) for row in found}) > 1:
        raise BadClaim(
            "table", "the columns cannot be told apart; put tabs, commas or bars between them, or align them"
        )
    return found
