"""Cells with several figures, "91.4/97.3" under "Sens/Spec", and headings that count, "Sensitivity (n=38)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from scoreproof.reading.tables.claims import is_missing
from scoreproof.reading.tables.columns import Column, column_of, names_score, neighbours
from scoreproof.reading.tables.markup import Grid
from scoreproof.reading.tables.words import PERCENT

#: How far from the edge of a table its headings stand, and how long one is.
MOST_HEADINGS = 12
WIDEST = 300
LONGEST = 80
_SLASH = re.compile(r"\s*/\s*")
_BRACKET = re.compile(r"([^()\[\]]+?)\s*[(\[]([^()\[\]]+)[)\]]")
_COUNTED = re.compile(r"[\s,;]*[(\[]?\s*\b[nN]\s*=\s*(\d{1,3}(?:[, ]\d{3})+|\d{1,9})\s*[)\]]?")


@dataclass(frozen=True, slots=True)
class Plain:
    """A grid with one figure a cell; what was done, and the counts that stood in headings of scores."""

    cells: Grid
    notes: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


def one_figure_each(cells: Grid) -> Plain:
    """The grid with a column (or row) for each of the scores that shared one, and headings without counts.

    >>> one_figure_each([["", "Sens/Spec (%)"], ["a", "91.4/97.3"]]).cells
    [['', 'Sens (%)', 'Spec (%)'], ['a', '91.4', '97.3']]
    >>> one_figure_each([["", "Sens (n=38)"], ["a", "91.4"]]).counts
    {'p': 38}
    """
    notes: list[str] = []
    counts: dict[str, int] = {}
    cells = [[_uncounted(cell, counts) if _near(at, of) else cell for of, cell in enumerate(row)]
             for at, row in enumerate(cells)]  # fmt: skip
    if counts.get("total") == counts.get("p", 0) + counts.get("n", 0) and "p" in counts:
        del counts["total"]
    if counts.keys() >= {"p", "n", "total"}:
        notes.append(f"the counts in the headings do not add up, and were not used: {_said(counts)}")
        counts = {}
    cells = _parted(cells, notes)
    turned = [list(column) for column in zip(*cells, strict=True)]
    again = _parted(turned, notes)
    if again is not turned:
        cells = [list(row) for row in zip(*again, strict=True)]
    return Plain(cells, tuple(notes), counts)


def _near(at: int, of: int) -> bool:
    return (at < MOST_HEADINGS and of < WIDEST) or (of == 0 and at < WIDEST)


def _said(counts: dict[str, int]) -> str:
    return ", ".join(f"{key} = {count}" for key, count in counts.items())


def _uncounted(cell: str, counts: dict[str, int]) -> str:
    """The heading of a score without "(n=38)": the number of those that the score is a share of."""
    mark = _COUNTED.search(cell) if len(cell) < LONGEST else None
    if mark is None:
        return cell
    bare = (cell[: mark.start()] + cell[mark.end() :]).strip()
    column = column_of(bare)
    if not isinstance(column, Column) or not column.score or column.part or names_score(cell):
        return cell
    key = {"sens": "p", "spec": "n"}.get(column.score, "total")
    number = int(re.sub(r"[, ]", "", mark[1]))
    if column.score in ("ppv", "npv") or counts.setdefault(key, number) != number:
        return cell  # of those called positive; or another number than before
    return bare


def _parted(cells: Grid, notes: list[str]) -> Grid:
    """The rows with a column for each score of a heading that names several, where all cells below agree."""
    for at, row in enumerate(cells[:MOST_HEADINGS]):
        for of in range(min(len(row), WIDEST) - 1, -1, -1):
            if not (names := _several(row[of])):
                continue
            below = [_split(each[of], len(names), "/" in row[of]) for each in cells[at + 1 :]]
            if not any(filter(None, below)) or None in below:
                continue
            notes.append(f"{row[of]!r} was read as {len(names)} columns: {', '.join(names)}")
            parts = [*([each[of]] * len(names) for each in cells[:at]), names, *(each or [] for each in below)]
            cells = [[*each[:of], *part, *each[of + 1 :]] for each, part in zip(cells, parts, strict=True)]
    return cells


def _several(heading: str) -> list[str]:
    """The names in a heading of several scores: "Sens/Spec (%)", "Accuracy (AUC)"; none in any other."""
    if not 2 < len(heading) < LONGEST or not ("/" in heading or "(" in heading) or names_score(heading):
        return []
    percent = PERCENT.search(heading)
    bare = PERCENT.sub(" ", heading).strip()
    mark = _BRACKET.fullmatch(bare)
    names = [mark[1].strip(), mark[2].strip()] if mark else _SLASH.split(bare)
    around = neighbours(names)
    columns = [column_of(name, around) for name in names]
    scores = {each.score for each in columns if isinstance(each, Column) and each.score and not each.part}
    if len(names) < 2 or len(scores) < len(names):
        return []
    return [f"{name} (%)" if percent else name for name in names]


def _split(cell: str, count: int, slash: bool) -> list[str] | None:
    """The figures of a cell, so many; None where it holds another number of them."""
    if is_missing(cell):
        return [""] * count
    mark = None if slash else _BRACKET.fullmatch(cell.strip())
    parts: Sequence[str] = _SLASH.split(cell.strip()) if slash else mark.groups() if mark else ()
    good = len(parts) == count and all(any(sign.isdigit() for sign in part) for part in parts)
    if not good:
        return None
    if "%" in parts[-1] and not any("%" in part for part in parts[:-1]):
        parts = [*(f"{part}%" for part in parts[:-1]), parts[-1]]
    return [part.strip() for part in parts]
