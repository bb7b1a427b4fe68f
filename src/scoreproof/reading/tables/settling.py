"""What the cells of a column settle together: whether it is in percent, and whom "Positives" counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.errors import BadClaim, quoted
from scoreproof.reading.counts import said_count
from scoreproof.reading.tables.claims import DOUBTFUL, is_missing, leading
from scoreproof.reading.tables.columns import CALLED, Column, Layout, Say, in_python

#: The cells of a matrix that a count is the sum of, as a class and as what was predicted.
SUMS = {"p": (("tp", "fn"), ("tp", "fp")), "n": (("tn", "fp"), ("tn", "fn"))}


def settle(layout: Layout, stretches: Iterable[Mapping[str, Sequence[Any]]], say: Say = in_python) -> Layout:
    """The layout as all cells of the table settle it; what they leave open is a question."""
    percent, sums = _looked_at(layout, stretches)
    scores = tuple(
        replace(column, percent=True, by_value=True) if column.header in percent else column
        for column in layout.scores
    )
    known = {column.key for column in layout.matrix}
    called = []
    for column in layout.set_up:
        there, predicted = (sums[column.header, way] for way in (0, 1))
        if column.doubt and (there == predicted and (not there or known < {"tp", "fp", "fn", "tn"})):
            raise BadClaim(
                "columns",
                f"{quoted(column.header)} could be those there are or those predicted; "
                f"say {say(column.header, column.key)} or {say(column.header, CALLED[column.key])}",
            )
        if predicted > there:
            called.append(column)
    set_up = tuple(column for column in layout.set_up if column not in called)
    matrix = tuple(replace(column, key=CALLED[column.key], part="matrix") for column in called)
    return replace(layout, scores=scores, set_up=set_up, matrix=(*layout.matrix, *matrix))


def _looked_at(
    layout: Layout, stretches: Iterable[Mapping[str, Sequence[Any]]]
) -> tuple[set[str], Counter[tuple[str, int]]]:
    """The headers of columns in percent; and how many rows add up, by the header and the way they do."""
    unsigned = {
        column.header
        for column in layout.scores
        if not column.percent and column.of.highest == 1 and column.of.lowest is not None
    }
    percent: set[str] = set()
    cells = {column.key: column.header for column in layout.matrix}
    doubts = [column for column in layout.set_up if column.doubt]
    sums = Counter[tuple[str, int]]()
    for columns in stretches:
        if not unsigned and not doubts:
            break
        percent |= {header for header in unsigned & columns.keys() if any(map(_in_percent, columns[header]))}
        unsigned -= percent
        for column in doubts:
            for way, parts in enumerate(SUMS[column.key]):
                if all(part in cells for part in parts):
                    given = (columns[header] for header in (column.header, *(cells[part] for part in parts)))
                    sums[column.header, way] += sum(map(_adds_up, zip(*given, strict=True)))
    return percent, sums


def _adds_up(cells: Sequence[Any]) -> bool:
    counts = [count for cell in cells if isinstance(count := said_count(str(cell)), int)]
    return len(counts) == len(cells) and counts[0] == sum(counts[1:])


def _in_percent(cell: Any) -> bool:
    """Whether no share can be meant; a figure just above 1 is as likely a slip."""
    if type(cell) is str and cell[:1] in ("0", "."):  # most of them
        return False
    return (leading(cell) or 0) >= DOUBTFUL


def doubtful(layout: Layout, row: Mapping[str, Any]) -> list[Column]:
    """The columns of percentages in which a figure of this row is small enough to be a share."""
    return [
        column
        for column in layout.scores
        if column.percent
        and not is_missing(cell := row.get(column.header))
        and 0 < (leading(cell) or 0) < DOUBTFUL
    ]


def read_otherwise(layout: Layout, row: Mapping[str, Any], *, printed: bool = False) -> Layout:
    """The layout with the other reading of such figures; or with them as they are ``printed``."""
    doubts = doubtful(layout, row)
    scores = tuple(
        replace(column, percent=column.by_value and not printed, by_value=False) if column in doubts else column
        for column in layout.scores
    )
    return replace(layout, scores=scores)
