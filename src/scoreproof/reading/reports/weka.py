"""What WEKA prints: a summary, "Detailed Accuracy By Class", and its confusion matrix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scoreproof.errors import BadClaim
from scoreproof.reading.reports.found import Report, claim_of, is_nothing, is_number
from scoreproof.reading.reports.matrices import count, counted

#: What the columns are called in a claim; areas under curves of several classes are not decided.
COLUMNS = {
    "TP Rate": "tpr", "FP Rate": "fpr", "Precision": "precision", "Recall": "recall", "F-Measure": "f1",
    "MCC": "mcc", "ROC Area": "", "PRC Area": "", "Class": "",
}  # fmt: skip
TITLE = "Detailed Accuracy By Class"
ARROW = "<-- classified as"
_HEADING = re.compile("|".join(map(re.escape, COLUMNS)))


def read_weka(lines: Sequence[str]) -> dict[str, Any] | None:
    """The claim of such a print; None if the lines are none."""
    start = next((k for k, line in enumerate(lines) if TITLE in line), None)
    arrow = next((k for k, line in enumerate(lines) if ARROW in line), None)
    if start is None and arrow is None:
        return None
    if arrow is None:
        raise BadClaim("report", "the confusion matrix that tells how many items each class has was not found")
    report = _matrix(lines[arrow + 1 :])
    _summary(report, lines[: start or arrow])
    if start is not None:
        _by_class(report, lines[start + 1 : arrow])
    return claim_of(report)


def _matrix(lines: Sequence[str]) -> Report:
    """The classes with their items: rows "50 3 | a = name" are the true classes."""
    names: list[str] = []
    rows: list[tuple[int, ...]] = []
    for line in lines:
        counts, bar, name = line.partition("|")
        found = [each for word in counts.split() if (each := count(word)) is not None]
        if not bar or not found:
            if rows:
                break
            continue
        names.append(name.partition("=")[2].strip())
        rows.append(tuple(found))
    if len(rows) < 2 or any(len(row) != len(rows) for row in rows):
        raise BadClaim("report", "the confusion matrix is not square: one row and one column per class")
    return counted(names, tuple(rows))


def _summary(report: Report, lines: Sequence[str]) -> None:
    for line in lines:
        match line.split():
            case ["Correctly", "Classified", "Instances", _, share, *_]:
                report.scores["acc"] = f"{share.rstrip('%')} %"
            case ["Kappa", "statistic", *_, last] if is_number(last):
                report.scores["kappa"] = last
            case ["Total", "Number", "of", "Instances", *_, last] if (total := count(last)) is not None:
                report.totals["Total Number of Instances"] = total


def _by_class(report: Report, lines: Sequence[str]) -> None:
    """Rows of figures with the class at their end, and the weighted averages."""
    columns: list[str] = []
    for line in lines:
        headings = _HEADING.findall(line)
        if len(headings) > 3:
            columns = headings[:-1] if headings[-1] == "Class" else headings
            continue
        weighted = line.strip().startswith("Weighted Avg.")
        words = line.replace("Weighted Avg.", "", 1).split()
        values = words[: len(columns)]
        if not columns or len(values) < len(columns) or not all(is_number(each) for each in values):
            continue
        figures = {
            COLUMNS[column]: value
            for column, value in zip(columns, values, strict=True)
            if COLUMNS[column] and not is_nothing(value)
        }
        if weighted:
            report.scores |= {f"{label}_weighted": value for label, value in figures.items()}
            continue
        report.add_figures({" ".join(words[len(columns) :]): figures})
    left = [column for column in columns if not COLUMNS[column]]
    if left:
        report.remarks.append(f"{', '.join(left)} not used")
