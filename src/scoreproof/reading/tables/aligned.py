"""Columns held apart by blanks alone, as programs print them: a cell belongs to the heading it is aligned with.

Where the lines are not aligned nothing is said, so that no cell slips under another heading.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scoreproof.printed.marks import blank
from scoreproof.reading.tables.markup import Grid

#: How many lines of a title may stand above the headings, and how many columns are told apart by their places.
MOST_TITLES = 12
MOST_COLUMNS = 500
_FIGURE = re.compile(
    r"[<>≤≥=~≈]*+\s*+[-+−–]?\s*+[(\[]?\s*+[.,·]?\d[\s\d.,·%±()\[\]<>≤≥–—−+*/;:†‡⁰¹²³⁴⁵⁶⁷⁸⁹-]*"
    r"|[<>≤≥=~≈]*+\s*+[-+−–]?(?:\d++(?:[.,·]\d++)?[.·]?|[.,·]\d++)\s*+%?\s*+(?:[(\[±,;]|\+/-|95\s*%).*"
)
_DECIMAL = re.compile(r"(?<![\w.])\d{0,3}[.,]\d+(?![\w.])")
_WORD = re.compile(r"\S+")
_GOES_ON = re.compile(r"[(\[±;,/–—-]|\+/-|%|to\b|95\s*%")


def is_figure(cell: str) -> bool:
    """Whether a cell looks like a figure, with whatever stands beside one.

    >>> [is_figure(cell) for cell in ("0.92 (0.84-0.97)", "95% CI", "5-fold CV", ".91", "59/60")]
    [True, False, False, True, True]
    """
    return len(cell) < 200 and _FIGURE.fullmatch(cell.strip()) is not None


class Span(NamedTuple):
    """Where something stands in its line."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


def by_place(lines: list[str]) -> Grid:
    """The cells of aligned lines below a line of headings, perhaps with a title above it; else nothing.

    >>> by_place(["        acc Balanced accuracy", "ours 0.9567              0.90", "his    0.95"])
    [['', 'acc', 'Balanced accuracy'], ['ours', '0.9567', '0.90'], ['his', '0.95', '']]
    """
    for at in range(min(len(lines) - 1, MOST_TITLES)):
        if at and _DECIMAL.search(lines[at]):
            break  # a row, no heading
        if found := _below(lines[at], lines[at + 1 :]):
            return found
        if "  " in lines[at].strip():
            break
    return []


def _below(heads: str, body: list[str]) -> Grid:
    """The cells of aligned lines below a line of headings; nothing where they are not aligned."""
    columns = _rivers(body) if any(body) else []
    if not 1 < len(columns) <= MOST_COLUMNS:
        return []
    for at in range(len(columns) - 1, 0, -1):
        if columns[at].start - columns[at - 1].end == 1 and _one_cell(heads, body, columns, at):
            columns[at - 1 : at + 1] = [Span(columns[at - 1].start, columns[at].end)]
    rows = [[line[start:end].strip() for start, end in columns] for line in body]
    whole = len(columns) > 1 and not any("  " in cell for row in rows for cell in row)
    row = _headings(heads, body, columns) if whole else None
    return [] if row is None else [row, *rows]


def _rivers(body: list[str]) -> list[Span]:
    """What stands between the blanks that go through all lines."""
    wide = max(map(len, body))
    taken = [any(line[at : at + 1].strip() for line in body) for at in range(wide)] + [False]
    starts = [at for at in range(wide) if taken[at] and (at == 0 or not taken[at - 1])]
    return [Span(start, taken.index(False, start)) for start in starts]


def _one_cell(heads: str, body: list[str], columns: list[Span], at: int) -> bool:
    """Whether a single blank goes through cells, not between them."""
    left, right = (
        [cell for line in body if not blank(cell := line[start:end].strip())]
        for start, end in columns[at - 1 : at + 1]
    )
    words = [Span(*word.span()) for word in _WORD.finditer(heads)]
    above = [[word for word in words if word.overlaps(column)] for column in columns[at - 1 : at + 1]]
    if set(above[0]) & set(above[1]) or set(right) == {"%"}:
        return True
    if any(map(_GOES_ON.match, right)) and (not above[1] or _GOES_ON.match(heads, above[1][0].start)):
        return True
    # an index stands alone, and so do figures
    return not all(above) and not all(map(is_figure, left)) and not all(map(is_figure, right))


def _headings(line: str, body: list[str], columns: list[Span]) -> list[str] | None:
    """The words of a line above their columns; None where they are not aligned with the figures."""
    words = [Span(*word.span()) for word in _WORD.finditer(line)]
    cells = [
        Span(start + len(part) - len(part.lstrip()), start + len(part.rstrip()))
        for start, end in columns
        for part in (text[start:end] for text in body)
        if is_figure(part)
    ]
    ends, starts = {word.end for word in words}, {word.start for word in words}
    if sum(cell.end in ends for cell in cells) >= sum(cell.start in starts for cell in cells):
        found = _above(words, columns, cells)
    else:  # aligned at the left is aligned at the right in a mirror
        turned = _above(_mirrored(words), _mirrored(columns), _mirrored(cells))
        found = turned and [_mirrored(each) for each in reversed(turned)]
    if found is None:
        return None
    return [" ".join(line[word.start : word.end] for word in heading) for heading in found]


def _mirrored(spans: list[Span]) -> list[Span]:
    return [Span(-end, -start) for start, end in reversed(spans)]


def _above(words: list[Span], columns: list[Span], cells: list[Span]) -> list[list[Span]] | None:
    """The words above each column, where every heading ends with the figures below it."""
    found: list[list[Span]] = [[] for _ in columns]
    for word, after in zip(words, [*words[1:], None], strict=True):
        under = [at for at, column in enumerate(columns) if word.overlaps(column)]
        if not under and (after is None or after.start - word.end > 1):
            continue  # the heading of a column without any cell
        under = under or [at for at, column in enumerate(columns) if column.end > word.end][:1]
        if len(under) != 1:
            return None
        found[under[0]].append(word)
    for column, heading in zip(columns, found, strict=True):
        ends = {cell.end for cell in cells if cell.overlaps(column)}
        if heading and ends and heading[-1].end not in ends:
            return None
    return found
