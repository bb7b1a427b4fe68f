"""From cells to headers and rows: headings of several lines, merged ones, scores down the side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from scoreproof.claim.fields import COUNTS
from scoreproof.errors import BadClaim, shorten
from scoreproof.reading.report import report_in
from scoreproof.reading.tables.aligned import is_figure
from scoreproof.reading.tables.claims import is_missing
from scoreproof.reading.tables.columns import Column, bare, column_of, leans, means, names_score, neighbours
from scoreproof.reading.tables.grid import grids
from scoreproof.reading.tables.markup import Grid
from scoreproof.reading.tables.several import one_figure_each

#: How many lines are looked at for a heading.
MOST_HEADINGS = 12
#: ... and how many of their cells.
WIDEST = 300
#: How many cells may be lacking in lines that are shorter than the longest.
MOST_LACKING = 1_000_000
#: The column that tells apart what stood under several headings.
GROUP = "group"


@dataclass(frozen=True, slots=True)
class Shaped:
    """A table with one line of headers, one claim a row; ``notes`` say what was done to get it."""

    headers: list[str]
    rows: list[list[str]]
    notes: tuple[str, ...] = ()
    plain: bool = False  # nothing was done


def read_table(text: str) -> Shaped:
    """The table in a text that was pasted, or stands in a document.

    >>> read_table("Model\\tAcc (%)\\tF1\\nours\\t95.67\\t0.93").headers
    ['Model', 'Acc (%)', 'F1']
    """
    found = grids(text)
    shaped = [each for cells in found if (each := shape(cells)) is not None]
    if not shaped:
        what = "no heading with names of scores was found; the first row (or column) must name them, as in "
        raise BadClaim("table", f"{what}Accuracy, Recall, F1" if found else NO_TABLE)
    first, *others = shaped
    if not first.rows:
        raise BadClaim("table", "the table has names of scores but no figures under them")
    for header, *column in zip(first.headers, *first.rows, strict=True):
        if (
            names_score(header)
            and not any(map(is_figure, column))
            and any(cell.isalpha() and not is_missing(cell) for cell in column)
        ):
            raise BadClaim("table", f"words stand under the heading {shorten(header)!r}, where figures should")
    if others:
        more = (f"the first of {len(shaped)} tables with names of scores was read",)
        return replace(first, notes=(*first.notes, *more), plain=False)
    return first


def read_document(text: str) -> Shaped | dict[str, Any]:
    """The table in a text; or the one claim that a printed report makes."""
    report = report_in(text)
    if report is not None:
        return report
    table = read_table(text)
    return reported(table) or table


def reported(table: Shaped) -> dict[str, Any] | None:
    """The one claim of a table that is a printed report; None of any other."""
    heads = [header.casefold() for header in table.headers]
    if not set(_REPORTED) <= set(heads):
        return None
    places = [heads.index(word) for word in _REPORTED]
    lines = ["  ".join([row[0], *(row[at] or "-" for at in places)]) for row in table.rows]
    return report_in("\n".join(["  ".join(_REPORTED), *lines]))


#: What is said of a report.
REPORT = "read as a printed report: one claim about all its classes"
_REPORTED = ("precision", "recall", "f1-score", "support")

NO_TABLE = "no table was found; paste rows of names and figures, with a heading"


def shape(cells: Grid) -> Shaped | None:
    """The table in a grid of cells; None where no line and no column names scores."""
    sizes = [len(row) for row in cells]
    wide = max(sizes)
    if wide * len(sizes) - sum(sizes) > MOST_LACKING:
        lines = f"the lines have from {min(sizes)} to {wide} cells; in a table all have as many"
        raise BadClaim("table", lines)
    alone = one_figure_each([row + [""] * (wide - len(row)) for row in cells])
    cells = alone.cells
    turned = [list(column) for column in zip(*cells, strict=True)]
    across, down = (
        max((_named(row[:WIDEST]) for row in grid[:MOST_HEADINGS]), default=0) for grid in (cells, turned)
    )
    if not across and not down:
        return None
    notes = list(alone.notes)
    if down > across or (down == across == 1 and len(cells) == 1):
        cells = turned
        notes.append("the scores stand down the side, so each column is a row here")
    start = next(at for at, row in enumerate(cells) if _named(row[:WIDEST]))
    end = start + 1
    while end < min(len(cells), start + MOST_HEADINGS) and _is_heading(cells[end], cells[end - 1]):
        end += 1
    heads = [_filled(row) for row in cells[:start] if len({cell for cell in row[1:] if cell}) > 1]
    heads += [*map(_filled, cells[start : end - 1]), cells[end - 1]]
    headers, groups = _headers(heads)
    headers, groups = _dealt(headers, groups, heads)
    if len(heads) > 1:
        notes.append(f"the heading has {len(heads)} lines")
    plain = not notes and start == 0 and headers == cells[0]
    rows, left = _without_sections([row for row in cells[end:] if row not in cells[start:end]])
    if left:
        notes.append(f"lines without figures were passed over: {shorten(', '.join(left), 100)}")
    if any(often > 1 and means(header) for header, often in Counter(headers).items()):
        headers, rows = _told_apart(headers, groups, rows)
        several = ", ".join(dict.fromkeys(filter(None, groups)))
        notes.append(f"what stands under {several} became rows of their own")
        plain = False
    if alone.counts and not any(map(_counts, headers)):
        notes.append(
            f"read from the headings: {', '.join(f'{key} = {count}' for key, count in alone.counts.items())}"
        )
        headers = [*headers, *alone.counts]
        rows = [[*row, *map(str, alone.counts.values())] for row in rows]
        plain = False
    return Shaped(headers, rows, tuple(notes), plain)  # cc: the steps from cells to rows, one after the other


def _named(row: Sequence[str]) -> int:
    """How many different scores a line names, if it holds no figures."""
    if any(is_figure(cell) for cell in row[1:] if cell):
        return 0
    around = neighbours(row)
    return len({cell for cell in row if cell and len(cell) < 80 and names_score(cell, around)})


def _is_heading(row: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a line below the names of scores belongs to the heading: words that say more about them."""
    words = [cell for cell in row[1:] if cell]
    if not words or len(set(row)) == 1 or any(is_figure(cell) or is_missing(cell) for cell in words):
        return False
    merged = any(left == right != "" for left, right in pairwise(_filled(list(above))))
    return merged or any(leans(cell) or names_score(cell) or not bare(cell) for cell in words)


def _filled(row: list[str]) -> list[str]:
    """A line above the last of the heading: what stands in it holds for the empty cells to its right."""
    if any(left and left == right for left, right in pairwise(row)):
        return row  # merged cells are filled in
    found: list[str] = []
    for at, cell in enumerate(row):
        found.append(cell or (found[-1] if at > 1 else ""))
    return found


def _headers(heads: Grid) -> tuple[list[str], list[str]]:
    """A header for every column, and the words above it that are no part of its meaning."""
    headers: list[str] = []
    groups: list[str] = []
    around = neighbours(cell for row in heads for cell in row)
    for column in zip(*heads, strict=True):
        words = [word for word, _ in groupby(filter(None, column))]
        tails = [" ".join(words[at:]) for at in range(len(words))]
        at = next((at for at, tail in enumerate(tails) if means(tail, around)), 0)
        if at == 0 and words and not means(tails[0], around):
            # "Sensitivity" over "Reader 1": the heading stands above what tells the columns apart
            top = next((i for i, word in enumerate(words[:-1]) if names_score(word, around)), None)
            if top is not None:
                headers.append(words[top])
                groups.append(" ".join(words[top + 1 :]))
                continue
        headers.append(tails[at] if words else "")
        groups.append(" ".join(words[:at]))
    owner = ""
    often = Counter(headers)
    for at, header in enumerate(headers):
        if often[header] > 1 and leans(header):
            headers[at] = f"{owner} {header}".strip()
        if names_score(headers[at]):
            owner = headers[at]
    return headers, groups


def _counts(header: str) -> bool:
    """Whether a heading gives a number of items."""
    column = column_of(header)
    return isinstance(column, Column) and not column.score and column.key in (*COUNTS, "dataset")


def _dealt(headers: list[str], groups: list[str], heads: Grid) -> tuple[list[str], list[str]]:
    """Headers and groups; groups that lost their places (Word pastes them so) are dealt out in order."""
    often = Counter(header for header in headers if means(header))
    times = set(often.values())
    names = list(dict.fromkeys(word for word in heads[0] if word and not means(word)))
    if len(heads) < 2 or times != {len(names)} or len(names) == 1:
        return headers, groups
    first, size = next(at for at, header in enumerate(headers) if often[header]), len(often)
    block, end = headers[first : first + size], first + size * len(names)
    whole = headers[first:end] == block * len(names) and {*headers[end:]} <= {*names, ""}
    said = [{*groups[at : at + size]} for at in range(first, end, size)]
    if not whole or (all(len(each) == 1 for each in said) and len(set.union(*said)) == len(names)):
        return headers, groups
    rest = [""] * len(headers[end:])
    return [*headers[:end], *rest], [*groups[:first], *(name for name in names for _ in block), *rest]


def _told_apart(headers: list[str], groups: list[str], rows: Grid) -> tuple[list[str], Grid]:
    """The columns that stand under several headings, one below the other."""
    places = {pair: at for at, pair in enumerate(zip(headers, groups, strict=True))}
    parted: dict[str, None] = {}
    often, apart = Counter(headers), Counter(header for header, _ in places)
    for header, group in zip(headers, groups, strict=True):
        if often[header] > 1 and means(header):
            if not group or often[header] != apart[header]:
                raise BadClaim(
                    "table", f"the heading {shorten(header)!r} stands twice; paste one column of each score"
                )
            parted[group] = None
    common = [at for at, group in enumerate(groups) if group not in parted]
    kept = list(dict.fromkeys(header for header, group in places if group in parted))
    found = []
    for row in rows:
        for group in parted:
            cells = [row[places[header, group]] if (header, group) in places else "" for header in kept]
            if not all(map(is_missing, cells)):
                found.append([*(row[at] for at in common), group, *cells])
    return [*(headers[at] for at in common), GROUP, *kept], found


def _without_sections(rows: Grid) -> tuple[Grid, list[str]]:
    """The rows, and what stood in lines of a single word: headings of sections."""
    kept, left = [], []
    for row in rows:
        words = {cell for cell in row if cell}
        if len(words) == 1 and len(row) > 1 and not is_figure(next(iter(words))):
            left.append(next(iter(words)))
        elif words:
            kept.append(row)
    return kept, left
