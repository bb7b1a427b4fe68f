"""What the cells of a column settle together: whether it is in percent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.reading.tables.claims import DOUBTFUL, is_missing, leading
from scoreproof.reading.tables.columns import Column, Layout
from scoreproof.scores import SCORES


class Settling:
    """A look at all rows of a table, stretch by stretch, before any of them is judged."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.open = {
            column.header
            for column in layout.scores
            if not column.percent and SCORES[column.score].highest == 1
        }
        self.percent: set[str] = set()

    def see(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Look at some rows, column by column."""
        for header in [header for header in self.open if header in columns]:
            if any(map(_in_percent, columns[header])):
                self.percent.add(header)
                self.open.discard(header)

    def settled(self) -> Layout:
        """The layout as the cells seen so far settle it."""
        if not self.percent:
            return self.layout
        scores = tuple(
            replace(column, percent=True, by_value=True) if column.header in self.percent else column
            for column in self.layout.scores
        )
        return replace(self.layout, scores=scores)


def settle(layout: Layout, stretches: Iterable[Mapping[str, Sequence[Any]]]) -> Layout:
    """The layout as all cells of the table settle it."""
    settling = Settling(layout)
    for columns in stretches:
        if not settling.open:
            break
        settling.see(columns)
    return settling.settled()


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
