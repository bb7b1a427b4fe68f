"""The answer about a study in the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scoreproof.reviews.study import CELLS, StudyTables

UNREADABLE = "unreadable"
#: Tables of a study that are kept beside its row.
MOST_KEPT = 200


class StudyCells(NamedTuple):
    """What is said of a study, in the columns of the output; counts stand alone where there is one table."""

    status: str
    TP: int | None = None
    FP: int | None = None
    FN: int | None = None
    TN: int | None = None
    TP_lower: int | None = None
    TP_upper: int | None = None
    FP_lower: int | None = None
    FP_upper: int | None = None
    FN_lower: int | None = None
    FN_upper: int | None = None
    TN_lower: int | None = None
    TN_upper: int | None = None
    tables: int | None = None
    unique: str | None = None
    exact: str | None = None
    interval_method: str | None = None
    used: str | None = None
    ignored: str | None = None
    conflict: str | None = None
    note: str | None = None

    @property
    def ends(self) -> tuple[tuple[int | None, int | None], ...]:
        """The least and the most of TP, FP, FN and TN."""
        return tuple(zip(self[5:13:2], self[6:13:2], strict=True))

    @property
    def in_words(self) -> list[str]:
        """The four counts, or their ends."""
        found = []
        for low, high in self.ends:
            several = f"{low} or more" if high is None else f"{low} to {high}"
            found.append("" if low is None else str(low) if low == high else several)
        return found


#: The columns of the output, in their order.
STUDY = StudyCells._fields
#: ... and those that hold numbers.
NUMBERS = STUDY[1:14]


def cells_of_study(found: StudyTables, remark: str | None = None) -> StudyCells:
    """The cells of one answer."""
    known = bool(found.cells)
    counts: dict[str, int | None] = {}
    for at, name in enumerate(CELLS):
        low, high = found.cells.get(name, (None, None))
        counts |= {f"{name.upper()}_lower": low, f"{name.upper()}_upper": high}
        counts[name.upper()] = None if found.table is None else found.table[at]
    return StudyCells(
        found.status,
        **counts,
        tables=found.count if known else None,
        unique=_yes(found.unique) if known else None,
        exact=_yes(found.exact) if known else None,
        interval_method=", ".join(found.methods) or None,
        used=", ".join(found.used) or None,
        ignored="; ".join(found.ignored) or None,
        conflict=", ".join(found.conflict) or None,
        note="; ".join((*found.notes, *((remark,) if remark else ()))) or None,
    )


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


class Answered(NamedTuple):
    """What is kept of a study: its cells, its tables (or two of them), and the claim it makes."""

    cells: StudyCells
    tables: list[list[int]]  # all of them, if they are few; else those of the least and the most accuracy
    claim: Mapping[str, Any]


def answered(found: StudyTables, remark: str | None = None) -> Answered:
    """One answer, as it is kept."""
    few = found.tables if found.listed and len(found.tables) <= MOST_KEPT else found.extremes
    return Answered(cells_of_study(found, remark), [list(each) for each in few], found.claim)


def unanswered(status: str, note: str) -> Answered:
    """A study about which nothing can be said but why."""
    return Answered(StudyCells(status, note=note), [], {})
