"""Data that a document names or tabulates: known datasets, and tables of class counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scoreproof.papers.document import Table
from scoreproof.reading.counts import said_count
from scoreproof.reading.prose.phrases import Said, scope_of, side
from scoreproof.reading.tables.heading import shape

# -- tables of the data ----------------------------------------------------------------------------


_NOT_DATA = re.compile(
    r"characteristic|demographic|baseline|\bage\b|female|\bBMI\b|hyper-?param|p-value", re.IGNORECASE
)
#: Rows that can be classes.
MOST_CLASSES = 12
_ALL = re.compile(r"\b(?:total|all|sum|overall)\b", re.IGNORECASE)
_CLASSES = re.compile(r"class|label|diagnos|categor", re.IGNORECASE)
_PREDICTED = re.compile(r"predict|confusion", re.IGNORECASE)


def counts_of_table(table: Table, positive: frozenset[str]) -> list[Said]:
    """Class counts in a table about the data: by row, by column, by data set; or in a confusion matrix."""
    words = " ".join([table.caption, *(cell for row in table.cells for cell in row[:1])])
    if len(table.cells) < 2 or len(table.cells) > 40 or _NOT_DATA.search(words):
        return []
    if (shaped := shape(table.cells)) is not None and shaped.rows:
        return []
    cells = _even(table.cells)
    if _PREDICTED.search(" ".join([table.caption, *cells[0], *cells[1]])):
        return _of_matrix(table, cells, positive)
    start = next((at for at, row in enumerate(cells) if any(map(_is_count, row[1:]))), 0)
    if not start:
        return []
    heads = [" ".join(dict.fromkeys(filter(None, column))) for column in zip(*cells[:start], strict=True)]
    body = cells[start:]
    return _by_class(table, heads, body, positive) or [
        each for row in body for each in _by_scope(table, heads, row, positive)
    ]


def _is_count(cell: str) -> bool:
    return isinstance(said_count(cell), int)


def _by_class(
    table: Table, heads: Sequence[str], body: Sequence[Sequence[str]], positive: frozenset[str]
) -> list[Said]:
    """The counts of a table with a row for each class."""
    names = [row[0] for row in body]
    if not any(side(name, positive) for name in names) and not _CLASSES.search(heads[0] + table.caption):
        return []
    found = [
        _said(table, names, [row[at] for row in body], heads[at], "", heads, positive)
        for at in range(1, len(heads))
    ]
    return [each for each in found if each is not None]


def _by_scope(table: Table, heads: Sequence[str], row: Sequence[str], positive: frozenset[str]) -> list[Said]:
    """The counts of a data set, whose classes stand side by side, for training and for testing."""
    scopes: dict[str, list[int]] = {}
    for at in range(1, len(heads)):
        if not _ALL.search(heads[at]):
            scopes.setdefault(scope_of(heads[at]), []).append(at)
    found = [
        _said(
            table,
            [heads[at] for at in places],
            [row[at] for at in places],
            heads[places[0]],
            row[0],
            heads,
            positive,
        )
        for places in scopes.values()
    ]
    return [each for each in found if each is not None]


def _said(
    table: Table,
    names: Sequence[str],
    cells: Sequence[str],
    head: str,
    about: str,
    heads: Sequence[str],
    positive: frozenset[str],
) -> Said | None:
    """The counts of classes by their names; None where they are no counts, or do not add up to their total."""
    counts = [(name, said_count(cell)) for name, cell in zip(names, cells, strict=True)]
    classes = {name: count for name, count in counts if isinstance(count, int) and not _ALL.search(name)}
    totals = [count for name, count in counts if _ALL.search(name)]
    if len(classes) + len(totals) < len(counts) or totals not in ([], [sum(classes.values())]):
        return None
    what = _what(classes, positive)
    if what is None:
        return None
    shown = ", ".join(f"{name} {count}" for name, count in classes.items())
    where = about or head
    scope = scope_of(head) or scope_of(table.caption)
    if _ALL.fullmatch(head.strip()) and any(map(scope_of, heads)):
        scope = "before"  # of which some are for training, some for testing
    words = f"{table.label or 'a table'}: {shown}{f' ({where})' if where else ''}"
    return Said(what, words, scope, True, table.place, about, "table")


def _what(classes: dict[str, int], positive: frozenset[str]) -> dict[str, Any] | None:
    """The classes as an experiment has them; None of two of which it is not known which is positive."""
    if len(classes) != 2:
        return {"classes": classes} if 2 < len(classes) <= MOST_CLASSES else None
    (one, first), (other, second) = classes.items()
    sides = side(one, positive), side(other, positive)
    if sides[0] == sides[1]:
        return None
    p, n = (first, second) if sides[0] > sides[1] else (second, first)
    return {"p": p, "n": n}


def _of_matrix(table: Table, cells: Sequence[Sequence[str]], positive: frozenset[str]) -> list[Said]:
    """The sums of the rows of a confusion matrix whose rows are the true classes."""
    heads = " ".join(cell for row in cells[:2] for cell in row)
    body = [row for row in cells if sum(isinstance(said_count(cell), int) for cell in row[1:]) > 1]
    if len(body) != 2 or not re.search(r"predict", heads, re.I) or _PREDICTED.search(body[0][0]):
        return []
    names = [next(cell for cell in reversed(row) if not isinstance(said_count(cell), int)) for row in body]
    rows = [[count for cell in row[1:] if isinstance(count := said_count(cell), int)] for row in body]
    if any(len(row) != 2 for row in rows):
        return []
    found = _said(table, names, [str(sum(row)) for row in rows], "", "", [""], positive)
    return [found] if found is not None else []


def _even(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    wide = max(map(len, cells))
    return [[*row, *[""] * (wide - len(row))] for row in cells]
