"""Rows of a table put to the vectorised engine: plain figures of one matrix whose counts are given.

Every row of any other shape is left to the single check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoreproof.claim.further import further_for
from scoreproof.frames.figures import counts, figures
from scoreproof.printed import RULES
from scoreproof.reading.tables.claims import Settings, is_missing, word
from scoreproof.reading.tables.columns import Column, Layout
from scoreproof.solve.one_matrix.many_rows import LARGEST_COUNT, LINES, Flags, Ints, Rows

Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Asked:
    """Some rows of a table as one question, with the names their figures go by."""

    at: Ints  # which rows of the table
    rows: Rows
    columns: tuple[Column, ...]  # of the figures
    rule: str
    strict: bool

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(column.key for column in self.columns)

    @property
    def final(self) -> Flags:
        """The rows that are inconsistent if their plain reading is: no other convention could help."""
        pairs = zip(self.rows.figures, self.labels, strict=True)
        open_ = [each.given for each, label in pairs if further_for(each.score, label) and not self.strict]
        return ~np.logical_or.reduce(open_) if open_ else np.ones(len(self.rows), dtype=bool)

    def one_unit_off(self, at: Ints) -> Rows:
        """Some of the rows, with every figure up to one unit of its last digit away from what is printed."""
        left, _, right, _ = RULES[self.rule]
        below, above = int(2 * (1 + left)), int(2 * (1 - right))  # in halves of the last digit, as the ends are
        rows = self.rows.of(at)
        pairs = zip(rows.figures, self.columns, strict=True)
        wide = (each.wider(above, below) if of.complement else each.wider(below, above) for each, of in pairs)
        return replace(rows, figures=tuple(wide))


def questions(layout: Layout, settings: Settings, columns: Columns, size: int) -> Iterator[Asked]:
    """What can be asked at once; rows that name their rounding together with those of the same rule."""
    named = [column.header for column in layout.set_up if column.key == "rounding"]
    if not named:
        yield from _question(layout, settings, columns, np.arange(size))
        return
    rest = replace(layout, set_up=tuple(column for column in layout.set_up if column.key != "rounding"))
    groups: dict[str | None, list[int]] = {}
    for at, value in enumerate(columns[named[0]]):
        groups.setdefault(None if is_missing(value) else word(value), []).append(at)
    for rule, rows in groups.items():
        part = {header: [values[at] for at in rows] for header, values in columns.items()}
        ruled = settings if rule is None else replace(settings, rounding=rule)
        yield from _question(rest, ruled, part, np.array(rows))


def _question(layout: Layout, settings: Settings, columns: Columns, at: Ints) -> Iterator[Asked]:
    scores = [column for column in layout.scores if column.score in LINES and not column.average]
    rule = "nearest" if settings.rounding is None else settings.rounding
    if (
        not scores
        or not len(at)
        or set(settings.conventions) - {"strict"}
        or settings.eps is not None
        or not isinstance(rule, str)
        or rule not in RULES
        or len({column.score for column in scores}) < len(scores)
    ):
        return
    sizes = _sizes(layout, settings, columns, len(at))
    if sizes is None:
        return
    p, n, fine = sizes
    for column in _others(layout, scores):
        fine &= np.fromiter(map(is_missing, columns[column.header]), dtype=bool, count=len(at))
    printed = []
    for column in scores:
        found, readable = figures(column, settings, columns[column.header], rule)
        printed.append(found)
        fine &= readable
    kept = np.flatnonzero(fine)
    rows = Rows(p, n, tuple(printed))
    strict = bool(settings.conventions.get("strict"))
    yield Asked(at[kept], rows if len(kept) == len(at) else rows.of(kept), tuple(scores), rule, strict)


def _others(layout: Layout, scores: Sequence[Column]) -> Iterator[Column]:
    """The columns that must be empty for a row to be about one matrix and these scores."""
    own_counts = any(column.key in ("p", "n") for column in layout.set_up)
    for column in layout.used:
        # a dataset's name is only a name where the row has counts of its own
        named = column.key == "dataset" and own_counts
        if column.key not in ("p", "n") and column not in scores and not named:
            yield column


def _sizes(layout: Layout, settings: Settings, columns: Columns, size: int) -> tuple[Ints, Ints, Flags] | None:
    """p and n of every row, and where they are plain; None if the table does not say just these."""
    headers = {column.key: column.header for column in layout.set_up if column.key in ("p", "n")}
    if set(headers) | set(settings.experiment) != {"p", "n"}:
        return None
    fine = np.ones(size, dtype=bool)
    found = []
    for key in ("p", "n"):
        if key in headers:
            # a blank count falls back on the common one, if there is any: left to the single check
            values, readable = counts(columns[headers[key]])
            fine &= readable
        else:
            common = settings.experiment[key]
            if type(common) is not int or not 0 < common < LARGEST_COUNT:
                return None
            values = np.full(size, common, dtype=np.int64)
        found.append(values)
    return found[0], found[1], fine
