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


class Settling:
    """A look at all rows of a table, stretch by stretch, before any of them is judged."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.open = {
            column.header
            for column in layout.scores
            if not column.percent and column.of.highest == 1 and column.of.lowest is not None
        }
        self.percent: set[str] = set()
        self.sums = {column.header: Counter[int]() for column in layout.set_up if column.doubt}

    def see(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Look at some rows, column by column."""
        for header in [header for header in self.open if header in columns]:
            if any(map(_in_percent, columns[header])):
                self.percent.add(header)
                self.open.discard(header)
        cells = {column.key: column.header for column in self.layout.matrix}
        for column in [each for each in self.layout.set_up if each.header in self.sums]:
            for way, parts in enumerate(SUMS[column.key]):
                if all(part in cells for part in parts):
                    given = (columns[header] for header in (column.header, *(cells[part] for part in parts)))
                    self.sums[column.header][way] += sum(map(_adds_up, zip(*given, strict=True)))

    def settled(self, say: Say) -> Layout:
        """The layout as the cells seen so far settle it; what they leave open is a question."""
        scores = tuple(
            replace(column, percent=True, by_value=True) if column.header in self.percent else column
            for column in self.layout.scores
        )
        called = [column for column in self.layout.set_up if column.doubt and self._called(column, say)]
        set_up = tuple(column for column in self.layout.set_up if column not in called)
        matrix = tuple(replace(column, key=CALLED[column.key], part="matrix") for column in called)
        return replace(self.layout, scores=scores, set_up=set_up, matrix=(*self.layout.matrix, *matrix))

    def _called(self, column: Column, say: Say) -> bool:
        """Whether the column counts what was predicted, which the rows show that add up."""
        there, called = (self.sums[column.header][way] for way in (0, 1))
        known = {each.key for each in self.layout.matrix}
        if not there + called or (there == called and known < {"tp", "fp", "fn", "tn"}):
            raise BadClaim(
                "columns",
                f"{quoted(column.header)} could be those there are or those predicted; "
                f"say {say(column.header, column.key)} or {say(column.header, CALLED[column.key])}",
            )
        return called > there


def settle(layout: Layout, stretches: Iterable[Mapping[str, Sequence[Any]]], say: Say = in_python) -> Layout:
    """The layout as all cells of the table settle it."""
    settling = Settling(layout)
    for columns in stretches:
        if not settling.open and not settling.sums:
            break
        settling.see(columns)
    return settling.settled(say)


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
