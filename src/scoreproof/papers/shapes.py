"""Tables whose claims are not one a row: scores of classes, and one score of models by data sets."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.papers.document import Table
from scoreproof.reading.counts import said_count
from scoreproof.reading.prose.lexicon import listed
from scoreproof.reading.prose.phrases import Said
from scoreproof.reading.reports.found import Report, average_of, claim_of
from scoreproof.reading.tables.aligned import is_figure
from scoreproof.reading.tables.claims import is_missing
from scoreproof.reading.tables.columns import Column, names_score, neighbours
from scoreproof.reading.tables.heading import Shaped
from scoreproof.reading.tables.pasted import Pasted
from scoreproof.scores.names import known

At = tuple[int, int]
#: Lines that may be headings.
MOST_HEADINGS = 3
#: Names of scores, as they stand in sentences and captions.
NAMES = listed(r"""
    sensitivity specificity accuracy precision recall F1(?:[-_]score)? F-score F-measure AUC AUROC PPV NPV MCC
    positive_predictive_value negative_predictive_value balanced_accuracy
    Matthews_correlation_coefficient kappa""")
_NAME = re.compile(rf"\b(?:{NAMES})\b", re.IGNORECASE)
_CLASS = re.compile(
    r"(?:class|label|category|diagnosis|condition|target|type)(?:e?s)?(?: names?)?", re.IGNORECASE
)
_REPORTED = {"ppv": "precision", "sens": "recall", "f1": "f1"}
_MEAN = re.compile(r"(?:means?|averages?|avg)\b", re.IGNORECASE)
_SIZES = ("n", "total", "samples", "p")
#: "mean (SD)", "standard deviations in brackets"; and a figure with one.
_IN_BRACKETS = re.compile(
    r"\b(?:standard deviations?|SDs?|std)\b[^.;]{0,20}\bin (?:brackets|parenthes[ei]s)\b"
    r"|\bmeans?\s*[(\[]\s*±?\s*(?:SD|std\.?|standard deviations?)\s*[)\]]",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"^(\d*[.,]?\d+\s*%?)\s*[(\[]\s*±?\s*(\d*[.,]?\d+\s*%?)\s*[)\]]")
_OVERALL = re.compile(r"(?:overall )?accuracy|overall", re.IGNORECASE)


class Cell(str):
    """The text of a cell that knows its place in the table."""

    at: At = (-1, -1)

    def __new__(cls, text: str, at: At) -> Cell:
        cell = super().__new__(cls, " ".join(text.split()))
        cell.at = at
        return cell


def by_caption(table: Table, cells: Sequence[Sequence[str]]) -> Shaped | None:
    """A table of one score, which its caption names: every cell is a row of its own; None of any other."""
    meant = {found.score.name: mark[0] for mark in _NAME.finditer(table.caption) if (found := known(mark[0]))}
    if len(meant) != 1 or len(cells) < 2 or len(cells[0]) < 2:
        return None
    heads, *body = cells
    figures = [cell for row in body for cell in row[1:] if cell]
    if any(map(is_figure, heads[1:])) or not figures or 2 * sum(map(is_figure, figures)) < len(figures) + 1:
        return None
    percent = " (%)" if "%" in table.caption else ""
    score = next(iter(meant.values())) + percent
    rows = [
        [row[0], head, cell]
        for row in body
        for head, cell in zip(heads[1:], row[1:], strict=False)
        if is_figure(cell) and not _MEAN.match(head)
    ]
    note = f"the caption names the score ({score}), so each figure is a row here"
    return Shaped([heads[0] or "Model", "group", score], rows, (note,)) if names_score(score) else None


def by_heads(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """The cells; headings such as "Graz Acc." and "Linz Acc." as two lines, the group over the score."""
    around = neighbours(head.rpartition(" ")[2] for head in cells[0])
    halves = [_halves(head, around) for head in cells[0]]
    groups = {group for group, _ in halves[1:]}
    if "" in groups or len(groups) < 2 or len({score for _, score in halves[1:]}) == len(halves) - 1:
        return [list(row) for row in cells]
    lines = [[cells[0][0], *(half[at] for half in halves[1:])] for at in (0, 1)]
    return [*lines, *map(list, cells[1:])]


def _halves(head: str, around: Collection[str]) -> tuple[str, str]:
    """What stands before the name of a score, and the name; nothing and all where there is none."""
    words = head.split(" ")
    for at in range(1, len(words)):
        if names_score(" ".join(words[at:]), around):
            return " ".join(words[:at]), " ".join(words[at:])
    return "", head


def by_figures(cells: Sequence[Sequence[str]]) -> tuple[list[list[str]], tuple[str, ...]]:
    """The cells with headings that the figures below make clear: Se above what an error can be, k for κ.

    >>> by_figures([["Model", "Precision", "Se"], ["A", "0.91", "0.87"]])[0][0]
    ['Model', 'Precision', 'Sens']
    """
    found = [list(row) for row in cells]
    notes: dict[str, None] = {}
    for line, row in enumerate(cells[:MOST_HEADINGS]):
        for head in {*row} & {"Se", "SE", "k"}:
            if name := _cleared(head, row, cells[line + 1 :]):
                found[line] = [name if other == head else other for other in found[line]]
                notes[f"{head} was read as {name}, by its figures"] = None
    return found, tuple(notes)


def _cleared(head: str, row: Sequence[str], below: Sequence[Sequence[str]]) -> str:
    """What a heading of the row is by the figures below it; nothing where they do not tell."""
    around = neighbours(row)
    scores = {at: other for at, other in enumerate(row) if names_score(other, around)}
    places = [at for at, other in enumerate(row) if other == head]
    if not all(at - 1 in scores and at not in scores for at in places):
        return ""
    figures = [line[at] for line in below for at in places if at < len(line) and is_figure(line[at])]
    name, told = _CLEARED[head.casefold()]
    clear = figures and all(map(_SHARE.fullmatch, figures)) and told(figures, {*scores.values()})
    return name if clear else ""


def with_deviations(table: Table, cells: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The cells, with ± before deviations that stand in brackets, where the words beside the table say so."""
    if not any(map(_IN_BRACKETS.search, (table.caption, *table.notes))):
        return [list(row) for row in cells]
    return [[Cell(_BRACKETED.sub(r"\1 ± \2", cell), cell.at) for cell in row] for row in cells]


def _no_error(figures: Sequence[str], _: Collection[str]) -> bool:
    """Whether the shares are too large for standard errors."""
    return 2 * sum(cell[2:] > "5" for cell in figures) > len(figures)


def _agreement(figures: Sequence[str], scores: Collection[str]) -> bool:
    """Whether the shares can be κ, beside several scores: all with as many digits, as no setting has."""
    return len(scores) > 2 and len({len(cell) for cell in figures}) == 1


_SHARE = re.compile(r"0\.\d{2,4}")
#: Headings that stand for other things as often, what they are where the figures tell, and how these do.
_CLEARED = {"se": ("Sens", _no_error), "k": ("kappa", _agreement)}


def of_classes(pasted: Pasted, counts: Sequence[Said]) -> list[tuple[str, list[int], dict[str, Any]]]:
    """(name, rows, claim) for each model of a table whose rows are classes; nothing for any other table."""
    # cc: a column is that of the classes if its names are theirs
    sizes = [column for column in pasted.layout.set_up if column.key in _SIZES]
    used = {column.header for column in pasted.layout.used}
    rows = [pasted.rows.row(at) for at in range(pasted.rows.size)]
    naming = [
        header
        for header in pasted.layout.headers
        if header not in used and not all(is_figure(str(row[header])) for row in rows)
    ]
    stated = [each.what["classes"] for each in counts if "classes" in each.what]
    for header in naming:
        names = [str(row[header]).strip() for row in rows]
        plain = {name.casefold() for name in names if not _is_average(name)}
        alike: Mapping[str, int] = next(
            (each for each in stated if {name.casefold() for name in each} == plain), {}
        )
        known_sizes = {name.casefold(): count for name, count in alike.items()}
        if len(plain) < 2 or not (alike or (sizes and _CLASS.fullmatch(header.strip()))):
            continue
        others = [each for each in naming if each != header and each.strip()] if alike else []
        found = [
            (name or "classes", places, claim)
            for name, places in _by_name(pasted, others[:1]).items()
            if (claim := _claim(pasted, header, places, sizes[:1], known_sizes)) is not None
        ]
        if found:
            return found
    return []


def _is_average(name: str) -> bool:
    return average_of(name) is not None or _OVERALL.fullmatch(name) is not None


def _by_name(pasted: Pasted, headers: Sequence[str]) -> dict[str, list[int]]:
    """The rows by what stands in these columns, such as the name of the model."""
    groups: dict[str, list[int]] = {}
    for at in range(pasted.rows.size):
        row = pasted.rows.row(at)
        groups.setdefault(" ".join(str(row[each]) for each in headers).strip(), []).append(at)
    return groups


def _claim(
    pasted: Pasted, header: str, rows: Sequence[int], sizes: Sequence[Column], known_sizes: Mapping[str, int]
) -> dict[str, Any] | None:
    """The claim of the rows about all classes; None where they make none."""
    report = Report()
    try:
        for at in rows:
            row = pasted.rows.row(at)
            _add(report, str(row[header]).strip(), row, pasted, sizes[0] if sizes else None, known_sizes)
        if known_sizes and {name.casefold(): count for name, count in report.counts.items()} == known_sizes:
            report.apart = False
        return claim_of(report)
    except ScoreproofError:
        return None


def _add(
    report: Report,
    name: str,
    row: Mapping[str, Any],
    pasted: Pasted,
    size: Column | None,
    sizes: Mapping[str, int],
) -> None:
    """Add a row of the table to the report: a class, an average, or the share of all that are right."""
    figures = {
        _REPORTED.get(column.score, column.score) if not column.complement else column.key: _figure(
            column, cell
        )
        for column in pasted.layout.scores
        if not is_missing(cell := row.get(column.header))
    }
    if _OVERALL.fullmatch(name) and len(set(figures.values())) == 1:
        report.add_score("acc", next(iter(figures.values())))
        return
    own = said_count(str(row[size.header])) if size is not None and str(row[size.header]).strip() else None
    count = own if isinstance(own, int) else sizes.get(name.casefold())
    if count is not None and average_of(name) is None:
        figures["support"] = str(count)
    report.add_row(name, figures, "table")


def _figure(column: Column, cell: object) -> str:
    text = str(cell).strip()
    return f"{text} %" if column.percent and "%" not in text and not column.by_value else text
