"""Confusion matrices in a text: cells in words, and matrices in brackets."""

from __future__ import annotations

import re
from typing import NamedTuple

from scoreproof.reading.pasting.found import SetUp
from scoreproof.reading.prose.lexicon import CELL
from scoreproof.reading.prose.phrases import side

#: "4 false negatives", "145 were true positives"
_CELL = re.compile(rf"(?<![\w.,/])(\d{{1,9}})\s+(?:(?:were|was|are)\s+)?{CELL.pattern}", re.IGNORECASE)
#: "correctly identified 146 of 163 positives and 77 of 113 negatives"
_PART = r"(\d{1,9})\s?(?:/|(?:out\s+)?of)\s+(?:the\s+)?(\d{1,9})\s+"
_RIGHT = re.compile(
    r"\b(?:correct(?:ly)?|right(?:ly)?|accurately)\b[^.\d]{0,60}?"
    rf"{_PART}([A-Za-z][\w -]{{0,40}}?)\s*,?\s+and\s+{_PART}([A-Za-z][\w-]*(?: [\w-]+)?)",
    re.IGNORECASE,
)


def use_cell(found: SetUp, text: str, at: tuple[int, int], key: str, value: int) -> None:
    """A cell of the matrix, unless the text gave it already."""
    if found.matrix.setdefault(key, value) != value:
        first = next(each.words for each in found.spans if each.key == f"matrix.{key}")
        found.notes.append(f"{text[slice(*at)].strip()} was not used: {first.strip()} stands before it")
    else:
        found.note_span(text, *at, f"matrix.{key}", value)


def cells(text: str, found: SetUp) -> None:
    """Cells of the matrix in words: "4 false negatives", "correctly 4 of 5 positives and 6 of 7 negatives"."""
    for mark in _CELL.finditer(text):
        if found.free(mark.span()):
            use_cell(found, text, mark.span(), f"{mark[2][0]}{mark[3][0]}".casefold(), int(mark[1]))
    for mark in _RIGHT.finditer(text):
        sides = side(mark[3]), side(mark[6])
        right, every = (int(mark[1]), int(mark[4])), (int(mark[2]), int(mark[5]))
        if set(sides) != {1, -1} or any(a > b for a, b in zip(right, every, strict=True)):
            continue
        for which, count, whole in zip(sides, right, every, strict=True):
            found.experiment.setdefault("p" if which > 0 else "n", whole)
            use_cell(found, text, mark.span(), "tp" if which > 0 else "tn", count)


#: Words that say that rows and columns are those of a confusion matrix.
_MATRIX = re.compile(
    r"\bpredict\w*|\bconfusion\b|\bclassified\b|\bactual\w*|\breference standard\b|\btrue (?:class|label)s?\b"
    r"|\btest\s+(?:result|positive|negative)\w*|\bgold standard\b|\bground truth\b",
    re.IGNORECASE,
)
_TRUE = re.compile(r"\b(?:true|actual\w*|reference|gold|truth|observed|real)\b", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:predict\w*|classified|called|test|output)\b", re.IGNORECASE)
_CELLS = re.compile(
    r"(?P<name>[^\n\d]*[A-Za-z][^\n\d]*?)[\s,;|:]+(\d{1,9})[\s,;|]+(\d{1,9})(?:[\s,;|]+\d{1,9})?[\s|]*"
)
_ROW = r"\[\s{0,9}\d{1,18}\.?[\s,]{1,9}\d{1,18}\.?\s{0,9}\]"
#: "[[50 10] [5 35]]", "[[50, 10], [5, 35]]", on one line or two
_BRACKETS = re.compile(rf"\[\s{{0,9}}{_ROW}[\s,]{{0,9}}{_ROW}\s{{0,9}}\]")


class Grid(NamedTuple):
    """The counts of a matrix as it is printed, where it stands, and what is not said of rows and columns."""

    rows: tuple[tuple[int, int], tuple[int, int]]
    start: int
    end: int
    ways: frozenset[str]


def grid_in(text: str) -> Grid | None:
    """A confusion matrix of two classes, in brackets or with a class before each of its rows.

    >>> sorted(grid_in("Predicted: yes no\\nactual positive 8 2\\nactual negative 1 9").ways)
    ['rows true, positive first']
    """
    if mark := _BRACKETS.search(text):
        a, b, c, d = map(int, re.findall(r"\d+", mark[0]))
        return Grid(((a, b), (c, d)), *mark.span(), WAYS)
    if not _MATRIX.search(text):
        return None
    at = 0
    last: tuple[int, re.Match[str]] | None = None
    for line in text.splitlines(keepends=True):
        row = _CELLS.fullmatch(line.rstrip("\n"))
        which = side(row["name"]) if row else 0
        if row and last and last[1] and which == -side(last[1]["name"]) != 0:
            above = text[: last[0]].rstrip().rpartition("\n")[2]
            first = last[1]
            return Grid(
                ((int(first[2]), int(first[3])), (int(row[2]), int(row[3]))),
                last[0],
                at + len(line.rstrip()),
                frozenset(way for way in WAYS if _said(way, first["name"], above)),
            )
        last = (at, row) if row and which else None
        at += len(line)
    return None


def _said(way: str, name: str, above: str) -> bool:
    """Whether rows may be read so, by the name of the first and the line above it."""
    of_truth = bool(_TRUE.search(name)) - bool(_CALLED.search(name))
    of_truth = of_truth or bool(_CALLED.search(above)) - bool(_TRUE.search(above))
    return ("positive first" in way) == (side(name) > 0) and of_truth in (0, 1 if "rows true" in way else -1)


WAYS = frozenset(
    f"rows {what}, {first} first" for what in ("true", "predicted") for first in ("negative", "positive")
)


def grid(text: str, said: Grid, found: SetUp) -> None:
    """A confusion matrix that is printed, whose rows may be true or predicted, either class first."""
    if found.matrix or found.experiment.keys() & {"one_of", "classes", "folds"}:
        found.notes.append("the confusion matrix was not used: the text says other counts, or folds")
        return
    (a, b), (c, d) = said.rows
    ways = {
        "rows true, negative first": {"tp": d, "fp": b, "fn": c, "tn": a},
        "rows true, positive first": {"tp": a, "fp": c, "fn": b, "tn": d},
        "rows predicted, negative first": {"tp": d, "fp": c, "fn": b, "tn": a},
        "rows predicted, positive first": {"tp": a, "fp": b, "fn": c, "tn": d},
    }
    tried = []
    for name, matrix in ways.items():
        p, n = matrix["tp"] + matrix["fn"], matrix["fp"] + matrix["tn"]
        sums = (("p", p), ("n", n), ("total", p + n))
        if name in said.ways and all(found.experiment.get(key, sum_) == sum_ for key, sum_ in sums):
            tried.append({"name": name, "p": p, "n": n, "matrix": matrix})
    if not tried:
        found.notes.append("the confusion matrix was not used: it has other sums than the counts of the text")
        return
    found.note_span(text, said.start, said.end, "experiment.matrix", list(map(list, said.rows)))
    found.choose("confusion matrix", tried)
    if len(tried) == 1:
        found.notes.append(f"the confusion matrix was read with {tried[0]['name']}")
    else:
        found.notes.append("the confusion matrix may be written in several ways, and each is tried")
