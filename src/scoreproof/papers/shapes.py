"""Tables whose claims are not one a row: scores of classes, and one score of models by data sets."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.papers.document import Table
from scoreproof.papers.lexicon import listed
from scoreproof.papers.phrases import Said
from scoreproof.reading.counts import said_count
from scoreproof.reading.reports.found import Report, average_of, claim_of
from scoreproof.reading.tables.aligned import is_figure
from scoreproof.reading.tables.claims import is_missing
from scoreproof.reading.tables.columns import Column, names_score, neighbours
from scoreproof.reading.tables.heading import Shaped
from scoreproof.reading.tables.pasted import Pasted
from scoreproof.scores.names import known

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
_OVERALL = re.compile(r"(?:overall )?accuracy|overall", re.IGNORECASE)


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


def of_classes(pasted: Pasted, counts: Sequence[Said]) -> list[tuple[str, list[int], dict[str, Any]]]:
    """(name, rows, claim) for each model of a table whose rows are classes; nothing for any other table."""
    # cc: a column is that of the classes if its names are theirs
    sizes = [column for column in pasted.layout.set_up if column.key in _SIZES]
    used = {column.header for column in pasted.layout.used}
    naming = [header for header in pasted.layout.headers if header not in used]
    stated = [each.what["classes"] for each in counts if "classes" in each.what]
    for header in naming:
        names = [str(pasted.rows.row(at)[header]).strip() for at in range(pasted.rows.size)]
        plain = {name.casefold() for name in names if not _is_average(name)}
        alike: Mapping[str, int] = next(
            (each for each in stated if {name.casefold() for name in each} == plain), {}
        )
        known_sizes = {name.casefold(): count for name, count in alike.items()}
        if len(plain) < 2 or not (alike or (sizes and _CLASS.fullmatch(header.strip()))):
            continue
        others = [each for each in naming if each != header and each.strip()] if alike else []
        found = [
            (name or "classes", rows, claim)
            for name, rows in _by_name(pasted, others[:1]).items()
            if (claim := _claim(pasted, header, rows, sizes[:1], known_sizes)) is not None
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
