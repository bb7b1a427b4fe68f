"""Markdown, reStructuredText, plain text and CSV: blocks of lines that are tables, headings or paragraphs.

Tables have bars or tabs between their cells, are drawn with rulers, or are held apart by blanks alone, as
programs print them; HTML and LaTeX tables stand in Markdown too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from scoreproof.errors import BadClaim
from scoreproof.papers.document import Document, Grid, Place
from scoreproof.papers.readers.draft import Draft, Kind
from scoreproof.papers.readers.limits import Unreadable
from scoreproof.papers.readers.tree import decoded, tables_in_html
from scoreproof.reading.tables.aligned import is_figure
from scoreproof.reading.tables.grid import grids
from scoreproof.reading.tables.markup import is_ruler, markdown, untexed

INSTRUCTION = re.compile(r"\s*(?:%+|#+|//|<!--|\.\.)\s*scoreproof\s*:\s*(.*?)\s*(?:-->)?\s*", re.IGNORECASE)
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_UNDERLINE = re.compile(r"([=\-~^\"'*#+:.`_])\1{2,}")
_RST_RULER = re.compile(r"={2,}(?:\s+={2,})+\s*")
_BAR = re.compile(r"[|│┃║┆]")
_REPORT = re.compile(r"\s*precision\s+recall\s+f1-score\s+support\s*")
_REPORTED = re.compile(r"\s*\S.*?(?:\s+[\d.]+){2,4}\s*")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()]*\))*\)")
_EMPHASIS = re.compile(r"\*\*|__|`|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])")
_DIRECTIVE = re.compile(r"\.\. (?:table|csv-table|list-table)::\s*(.*)")
_PANDOC = re.compile(r"(?:table)?:\s+(\S.*)", re.IGNORECASE)


def read_text(name: str, data: bytes, draft: Draft) -> Document:
    """A text: its tables, headings and paragraphs, each with its line."""
    text = decoded(data)
    if not text.strip():
        raise Unreadable(name, "is empty")
    add_text(text, draft)
    return draft.finished()


def read_cells(name: str, data: bytes, draft: Draft) -> Document:
    """A file of comma- or tab-separated cells: one table, or several with empty lines between them."""
    add_text(decoded(data), draft, delimited=True)
    return draft.finished()


def add_text(
    text: str, draft: Draft, part: str = "", *, printed: bool = False, delimited: bool = False
) -> None:
    """The blocks of a text go to the draft; what is ``printed`` by a program holds no paragraphs."""
    for block in _blocks(text.expandtabs() if printed and "\t" not in text else text, printed, delimited):
        block.add(draft, part)


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together, and the number of the first."""

    kind: str  # "text", "heading", "comment", "caption", "table", "report", "html"
    lines: list[str]
    first: int

    def add(self, draft: Draft, part: str) -> None:
        place = Place(line=self.first, part=part)
        words = "\n".join(self.lines)
        match self.kind:
            case "html":
                tables_in_html(words, draft, place)
            case "table":
                grid, lines = _cells(self.lines, self.first)
                if grid:
                    draft.table([[_cell(cell) for cell in row] for row in grid], place=place, lines=lines)
                else:
                    draft.add(words, place)
            case "heading":
                draft.add(_plain(words), place, "heading")
            case "comment":
                draft.add(words, place, "comment")
            case kind:
                said: Kind = "caption" if kind == "caption" else "text"
                draft.add(_plain(words), place, said)


def _plain(words: str) -> str:
    """The words without emphasis and links; formulas stay as they are."""
    parts = re.split(r"(\$[^$]{1,300}\$)", _LINK.sub(r"\1", words))
    return "".join(part if part.startswith("$") else _EMPHASIS.sub("", part) for part in parts)


def _cell(text: str) -> str:
    text = _LINK.sub(r"\1", text)
    if "$" in text or "\\" in text:
        return untexed(text)
    if "<" in text and re.search(r"<(?:sup|sub|b|i|br|em|strong)\b", text):
        text = re.sub(r"<sup>\s*([a-zA-Z*†‡§¶\d,]{1,3})\s*</sup>", _raised, text)
        text = re.sub(r"<br\s*/?>", " ", text)
        text = re.sub(r"</?[a-z]{1,8}>", "", text)
    return _EMPHASIS.sub("", text) if len(text) > 1 else text


def _raised(mark: re.Match[str]) -> str:
    from scoreproof.papers.readers.words import raised

    return raised(mark[1], mark.string[: mark.start()])[0]


# -- blocks ----------------------------------------------------------------------------------------------


def _blocks(text: str, printed: bool, delimited: bool) -> Iterator[_Block]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").split("\n")
    at = 0
    while at < len(lines):
        block = _next(lines, at, printed, delimited)
        if block is not None:
            yield block[0]
            at = block[1]
        else:
            at += 1


def _next(lines: list[str], at: int, printed: bool, delimited: bool) -> tuple[_Block, int] | None:
    """The block that begins with a line, and the line after it."""
    line = lines[at]
    if said := INSTRUCTION.fullmatch(line):
        return _Block("comment", [said[1]], at + 1), at + 1
    if not line.strip() or (is_ruler(line) and not _RST_RULER.fullmatch(line) and "+" not in line):
        return None
    if _REPORT.fullmatch(line):
        return _report(lines, at)
    if delimited:
        return _until_blank(lines, at, "table")
    if not printed and (fence := _FENCE.match(line)):
        return _fenced(lines, at, fence[1])
    if "<table" in line.lower():
        end = next((i for i in range(at, len(lines)) if "</table" in lines[i].lower()), len(lines) - 1)
        return _Block("html", lines[at : end + 1], at + 1), end + 1
    if r"\begin{tab" in line or r"\begin{longtab" in line:
        end = next((i for i in range(at, len(lines)) if re.search(r"\\end\{(tab|longtab)", lines[i])), at)
        return _Block("table", lines[at : end + 1], at + 1), end + 1
    if found := _table(lines, at):
        return _Block("table", lines[at:found], at + 1), found
    return _aligned(lines, at) if printed else _words(lines, at)


def _words(lines: list[str], at: int) -> tuple[_Block, int]:
    """A heading, a caption, or a paragraph; one whose columns are held apart by blanks is a table."""
    line = lines[at]
    if head := _HEADING.fullmatch(line):
        return _Block("heading", [head[1]], at + 1), at + 1
    if said := (_DIRECTIVE.match(line) or _PANDOC.fullmatch(line)):
        return _Block("caption", [said[1]], at + 1), at + 1
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    if _UNDERLINE.fullmatch(below) and len(below) >= min(len(line.strip()), 4) and " " not in below:
        return _Block("heading", [line], at + 1), at + 2
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _begins(lines, end):
        end += 1
    block = lines[at:end]
    if _looks_aligned(block):
        return _Block("table", block, at + 1), end
    return _Block("text", block, at + 1), end


def _begins(lines: list[str], at: int) -> bool:
    """Whether something else than a paragraph begins with a line."""
    line = lines[at]
    return bool(
        INSTRUCTION.fullmatch(line)
        or _HEADING.fullmatch(line)
        or _FENCE.match(line)
        or "<table" in line.lower()
        or _table(lines, at)
    )


def _until_blank(lines: list[str], at: int, kind: str) -> tuple[_Block, int]:
    end = next((i for i in range(at, len(lines)) if not lines[i].strip()), len(lines))
    return _Block(kind, lines[at:end], at + 1), end


def _table(lines: list[str], at: int) -> int:
    """Where the table ends that begins with a line; 0 if none does."""
    line = lines[at]
    if _RST_RULER.fullmatch(line):
        rulers = (i for i in range(at + 1, min(len(lines), at + 2_000)) if _RST_RULER.fullmatch(lines[i]))
        return next((i + 1 for i in rulers if i + 1 >= len(lines) or not lines[i + 1].strip()), 0)
    end = at
    if "\t" in line:
        while end < len(lines) and "\t" in lines[end]:
            end += 1
        return end if end - at > 1 else 0
    while end < len(lines) and (_BAR.search(lines[end]) or _drawn(lines[end], inside=end > at)):
        end += 1
    return end if _looks_barred(lines[at:end]) else 0


def _looks_barred(block: list[str]) -> bool:
    """Whether lines with bars are a table: a ruler is among the first, bars are around all of them, or all
    have as many and figures between them."""
    barred = len(block) > 2 and all(line.strip()[:1] in "|│┃║┆+┌├└╔╠╚╒╞╘┏┡╭╰-─═" for line in block)
    return len(block) > 1 and (barred or any(is_ruler(line) for line in block[:4]) or _evenly_barred(block))


def _evenly_barred(block: list[str]) -> bool:
    cells = [[cell.split() for cell in _BAR.split(line)] for line in block]
    alike = len({len(row) for row in cells}) == 1 and len(cells[0]) > 2
    return alike and all(sum(bool(cell) and is_figure(cell[0]) for cell in row) > 1 for row in cells[1:])


def _drawn(line: str, inside: bool) -> bool:
    """Whether a line is a ruler of a table; only a corner begins one."""
    said = line.strip()
    return bool(said) and is_ruler(line) and (inside or said[0] in "+┌╔╒┏╭├╠")


def _fenced(lines: list[str], at: int, fence: str) -> tuple[_Block, int]:
    """What a program printed, between fences: a table, a report, or nothing that is read."""
    end = next((i for i in range(at + 1, len(lines)) if lines[i].strip().startswith(fence)), len(lines))
    for start in range(at + 1, end):
        block = _next(lines[:end], start, True, False)
        if block is not None and block[0].kind in ("table", "comment"):
            return block
    return _Block("text", lines[at + 1 : end], at + 2), end + 1


def _report(lines: list[str], at: int) -> tuple[_Block, int]:
    """A classification report: its lines, with empty ones between them."""
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or _REPORTED.fullmatch(lines[end])):
        end += 1
    block = [line for line in lines[at:end] if line.strip()]
    return _Block("table", block, at + 1), end


def _aligned(lines: list[str], at: int) -> tuple[_Block, int]:
    block, end = _until_blank(lines, at, "table")
    while end + 1 < len(lines) and block.lines[0].endswith(" \\") and lines[end + 1].strip():
        more, end = _until_blank(lines, end + 1, "table")  # a wide table goes on below, as pandas prints it
        block = _Block("table", [*block.lines, "", *more.lines], at + 1)
    return (block if _looks_aligned(block.lines) else _Block("text", block.lines, at + 1)), end


def _looks_aligned(block: list[str]) -> bool:
    """Whether the lines of a block have gaps and figures like a table."""
    said = [line.strip() for line in block if line.strip()]
    gaps = sum("  " in line for line in said)
    figures = sum(sum(map(is_figure, line.split())) for line in said[1:])
    return len(said) > 1 and gaps * 3 >= len(said) * 2 and figures >= len(said) - 1


# -- cells -----------------------------------------------------------------------------------------------


def _cells(lines: list[str], first: int) -> tuple[Grid, list[int]]:
    """The cells of a block, and the line of every row where that is known."""
    if _RST_RULER.fullmatch(lines[0]):
        return _by_ruler(lines, first)
    if any(line.strip().startswith("+") and is_ruler(line) for line in lines):
        return _drawn_grid(lines, first)
    if ruler := next((line for line in lines[:3] if is_ruler(line) and "|" in line), None):
        lines = [_fitted(line, len(_bars(ruler).strip().strip("|").split("|"))) for line in lines]
    try:
        found = grids(_bars("\n".join(lines)))
    except BadClaim:
        return [], []
    if not found or max(map(len, found[0])) < 2:
        return [], []
    numbered = [first + at for at, line in enumerate(lines) if line.strip() and not is_ruler(line)]
    return found[0], numbered if len(numbered) == len(found[0]) else []


def _bars(line: str) -> str:
    return line.translate(str.maketrans("│┃║┆", "||||"))


def _fitted(line: str, wide: int) -> str:
    """A line of a Markdown table with bars around it, so that it has as many cells as its ruler."""
    if is_ruler(line):
        return line
    cells = re.split(r"(?<!\\)\|", _bars(line).strip())
    if len(cells) > wide and not cells[0].strip():
        cells = cells[1:]
    if len(cells) > wide and not cells[-1].strip():
        cells = cells[:-1]
    return f"|{'|'.join(cells)}|"


def _by_ruler(lines: list[str], first: int) -> tuple[Grid, list[int]]:
    """A simple table of reStructuredText: the ruler shows the columns; a word over two of them spans both."""
    starts = [mark.start() for mark in re.finditer("=+", lines[0])]
    grid: Grid = []
    numbers: list[int] = []
    for at, line in enumerate(lines):
        if not line.strip() or is_ruler(line):
            continue
        spans = pairwise([*starts, max(len(line), starts[-1]) + 1])
        row = [line[start:end].strip() for start, end in spans]
        for column in range(1, len(row)):
            start = starts[column]
            if line[start - 1 : start].strip() and line[start : start + 1].strip():
                row[column - 1] = row[column] = f"{row[column - 1]}{row[column]}"
        grid.append(row)
        numbers.append(first + at)
    return grid, numbers


def _drawn_grid(lines: list[str], first: int) -> tuple[Grid, list[int]]:
    """A table drawn with rulers: lines between two of them are one row where every row has its own ruler."""
    groups: list[list[tuple[int, list[str]]]] = [[]]
    for at, line in enumerate(lines):
        if is_ruler(line):
            groups.append([])
        elif found := markdown(line):
            groups[-1].append((first + at, found[0][0]))
    groups = [group for group in groups if group]
    whole = len(groups) > 2
    grid: Grid = []
    numbers: list[int] = []
    for group in groups:
        width = max(len(cells) for _, cells in group)
        rows = [cells + [""] * (width - len(cells)) for _, cells in group]
        if whole:
            rows = [[" ".join(filter(None, column)) for column in zip(*rows, strict=True)]]
        grid += rows
        numbers += [group[0][0]] if whole else [number for number, _ in group]
    return grid, numbers
