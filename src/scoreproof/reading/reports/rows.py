"""Reports with a line for every class: scikit-learn's, seqeval's, and tables printed from them.

The columns are found by their headings, so the lines may stand in Markdown, behind comment marks or
the prefix of a log, with tabs, and in any order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scoreproof.errors import BadClaim, shorten
from scoreproof.reading.reports.found import Report, is_nothing, is_number, whole

#: What the columns are called; the first is the name of the figure in a claim.
COLUMNS = {
    "precision": "precision", "prec": "precision", "ppv": "precision", "p": "precision",
    "recall": "recall", "rec": "recall", "sensitivity": "recall", "r": "recall",
    "f1-score": "f1", "f1score": "f1", "f1_score": "f1", "f1": "f1", "f-score": "f1", "fscore": "f1",
    "f-measure": "f1", "f1-measure": "f1",
    "support": "support", "supports": "support",
}  # fmt: skip
NEEDED = {"precision", "recall", "f1"}
#: What the column of names is called, if it has a heading.
NAMES = {"label", "labels", "class", "classes", "name", "names", "category", "tag", "entity", "index", "type"}
ACCURACY = {"accuracy", "acc", "overall accuracy"}
MARKS = "#>*/;%"
SEPARATOR = frozenset("-=_+|: ")
_ESCAPE = re.compile(r"\x1b\[[0-9;]{0,20}m")
_DIGIT = re.compile(r"[0-9]")
_WIDE = re.compile(r" {2,}|\t")


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns are, what separates their cells, and the prefix before each line."""

    columns: tuple[str, ...]
    separator: str  # "|", "," or "\t"; empty: blanks
    prefix: tuple[str, ...] = ()  # the shapes of its words

    def words(self, line: str) -> list[str]:
        """The words of a line without comment marks and prefix."""
        found = line.split()
        if found and not found[0].strip(MARKS):
            found = found[1:]
        lead = len(self.prefix)
        return found[lead:] if tuple(map(_shape, found[:lead])) == self.prefix else found


def _shape(word: str) -> str:
    """A word with every digit alike, so that the times in a log are."""
    return _DIGIT.sub("0", word)


def lines_of(text: str) -> list[str]:
    return [_ESCAPE.sub("", line).rstrip() for line in text.splitlines()]


def heading(line: str) -> Layout | None:
    """The layout, if the line holds the headings."""
    for separator in ("|", "\t", ",", ""):
        if separator and separator not in line:
            continue
        cells = _split(line, separator)
        names = [COLUMNS.get(cell.lower().replace(" ", "-")) for cell in cells]
        known = [name for name in names if name]
        if set(known) >= NEEDED and len(set(known)) == len(known):
            first = next(k for k, name in enumerate(names) if name)
            if None in names[first:]:
                continue  # something else stands between the columns
            before = [cell for cell in cells[:first] if cell.lower() not in NAMES and cell.strip(MARKS)]
            return Layout(tuple(known), separator, () if separator else tuple(map(_shape, before)))
    return None


def _split(line: str, separator: str) -> list[str]:
    """The cells of a line; without a separator its words."""
    if not separator:
        return line.split()
    return [cell.strip(' "*`') for cell in line.strip().strip("|").split(separator)]


def transposed(lines: Sequence[str]) -> list[str] | None:
    """Lines by class from a table that has the classes in its columns, as a data frame prints it."""
    for k in range(1, len(lines) - 2):
        rows = [line.lower().split() for line in lines[k : k + 4]]
        names = [cell.strip() for cell in _WIDE.split(lines[k - 1].strip()) if cell.strip()]
        found = [COLUMNS.get(row[0]) if len(row) == len(names) + 1 else None for row in rows]
        if found == ["precision", "recall", "f1", "support"]:
            columns = zip(names, *(row[1:] for row in rows), strict=True)
            return ["precision  recall  f1-score  support", *("  ".join(column) for column in columns)]
    return None


def read_rows(lines: Sequence[str]) -> Report | None:
    """The report in the lines; None if there is none."""
    layouts = ((start, heading(line)) for start, line in enumerate(lines, 1))
    start, layout = next(
        ((start, found) for start, found in layouts if found and "support" in found.columns), (0, None)
    )
    if layout is None:
        turned = transposed(lines)
        return None if turned is None else read_rows(turned)
    report = Report()
    strange: BadClaim | None = None
    blank = False
    for number, line in enumerate(lines[start:], start + 1):
        where = f"report line {number}"
        if not set("".join(layout.words(line))) - SEPARATOR:
            blank = True
        elif heading(line):
            raise BadClaim(where, "a second report begins; give one at a time")
        elif not _add(report, layout, line, where):
            if blank and report.scores:
                break  # what comes below is no part of the report
            strange = strange or BadClaim(
                where,
                f"expected a class with its three figures and its support, found {shorten(line.strip(), 40)!r}",
            )
            if report.counts:
                raise strange
        else:
            blank = False
    if strange and not report.counts:
        raise strange
    return report


def _add(report: Report, layout: Layout, line: str, where: str) -> bool:
    """Add what a line says; whether it says anything."""
    name, values = cells_of(layout, line)
    if not name or not values:
        return False
    if name.strip(" :").lower() in ACCURACY:
        said = [value for value in values if not is_nothing(value)]
        if not said:
            return False
        report.add_score("acc", said[0])
        # perhaps once for every column, and the items
        if len(said) > 1 and said[-1].rstrip("0") != said[0].rstrip("0"):
            report.totals["accuracy"] = whole(said[-1], where) or 0
        return True
    if len(values) != len(layout.columns):
        return False
    report.add_row(name, dict(zip(layout.columns, values, strict=True)), where)
    return True


def cells_of(layout: Layout, line: str) -> tuple[str, list[str]]:
    """The name in a line, and its values."""
    if layout.separator:
        cells = _split(line, layout.separator)
        width = len(layout.columns)
        name = next((cell for cell in cells[: len(cells) - width] if cell.strip(MARKS)), "")
        values = cells[-width:] if len(cells) > width else cells[1:]
        name = name or (cells[0] if len(cells) <= width else "")
        return name.strip(), values if all(is_number(value) for value in values) else []
    words = layout.words(line.replace(" %", "%"))
    most = len(layout.columns)
    first = len(words)
    while first and len(words) - first < most and is_number(words[first - 1]):
        first -= 1
    return " ".join(words[:first]), words[first:]
