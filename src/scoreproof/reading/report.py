"""A printed ``classification_report`` of scikit-learn, read as a claim."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoreproof.errors import BadClaim, shorten

_HEADINGS = ("precision", "recall", "f1-score", "support")
_ROW = re.compile(r"\s*(?P<name>\S.*?)\s+(?P<figures>(?:(?:[0-9]*\.[0-9]+|nan)\s+){3})(?P<support>[0-9]+)\s*")
_ACCURACY = re.compile(r"\s*accuracy\s+(?P<figure>[0-9]*\.[0-9]+)\s+(?P<support>[0-9]+)\s*")

#: The rows below the classes, and what their figures are called in a claim.
AVERAGES = {"macro avg": "macro", "weighted avg": "weighted", "avg / total": "weighted", "micro avg": "micro"}


def from_report(text: str) -> dict[str, Any]:
    """The claim that a pasted report makes: class counts, figures per class, averages.

    A class that was never predicted counts as 0, as scikit-learn prints it; where undefined figures
    are printed as nan, they are skipped.  Figures that may be a 1 put in place of an undefined one
    (``zero_division=1``) are left out, with the averages they entered, and the title says so.

    >>> claim = from_report('''
    ...               precision    recall  f1-score   support
    ...
    ...          cat       0.75      1.00      0.86         3
    ...          dog       1.00      0.50      0.67         2
    ...
    ...     accuracy                           0.80         5
    ...    macro avg       0.88      0.75      0.76         5
    ... weighted avg       0.85      0.80      0.78         5
    ... ''')
    >>> claim["experiment"], claim["scores"]["f1_macro"], claim["per_class"]["dog"]["recall"]
    ({'classes': {'cat': 3, 'dog': 2}}, '0.76', '0.50')
    """
    report = _read(text)
    _check_totals(report)
    counts, per_class = report.counts, report.per_class
    skipped = any("nan" in figures.values() for figures in (*per_class.values(), report.scores))
    replaced = [] if skipped else _replaced(counts, per_class)
    claim: dict[str, Any] = {
        "experiment": {"classes": counts},
        "scores": _without(report.scores, replaced, counts),
        "per_class": {
            name: {
                label: figure
                for label, figure in figures.items()
                if (name, label) not in replaced and figure != "nan"
            }
            for name, figures in per_class.items()
        },
        "rounding": "nearest",
        "conventions": {"undefined": "skip" if skipped else "zero"},
    }
    if replaced:
        left_out = ", ".join(f"{label} ({name})" for name, label in replaced)
        claim["title"] = f"{left_out} may stand for 0/0 (zero_division=1): left out, and the averages with it"
    return claim


@dataclass(frozen=True, slots=True)
class _Report:
    """What stands in a report: the classes with their support and figures, and the averages."""

    counts: dict[str, int] = field(default_factory=dict)
    per_class: dict[str, dict[str, str]] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)  # the support of each row below the classes

    def add(self, line: str, where: str) -> None:
        """One row: accuracy, an average, or a class."""
        accuracy = _ACCURACY.fullmatch(line)
        if accuracy is not None:
            self.scores["acc"] = accuracy["figure"]
            self.totals["accuracy"] = int(accuracy["support"])
            return
        row = _ROW.fullmatch(line)
        if row is None:
            raise BadClaim(
                where,
                f"expected a class with its three figures and its support, found {shorten(line.strip(), 40)!r}",
            )
        name, support = row["name"], int(row["support"])
        figures = dict(zip(("precision", "recall", "f1"), row["figures"].split(), strict=True))
        if name == "samples avg":
            raise BadClaim(
                "report",
                "is about several labels an item; give every label as one of the parts of an experiment",
            )
        if name in AVERAGES:
            how = AVERAGES[name]
            self.scores.update({f"{label}_{how}": figure for label, figure in figures.items()})
            self.totals[name] = support
        elif self.totals:
            raise BadClaim(where, f"{shorten(name)!r} stands below the averages")
        elif name in self.counts:
            raise BadClaim(where, f"the class {shorten(name)!r} stands there twice")
        else:
            self.counts[name], self.per_class[name] = support, figures


def _read(text: str) -> _Report:
    if not isinstance(text, str):
        raise BadClaim("report", f"expected the printed report as text, found {type(text).__name__}")
    lines = [line for line in text.splitlines() if line.strip()]
    start = next((k for k, line in enumerate(lines) if tuple(line.split()) == _HEADINGS), None)
    if start is None:
        raise BadClaim("report", f"no line with the headings {', '.join(_HEADINGS)} was found")
    report = _Report()
    for number, line in enumerate(lines[start + 1 :], start + 2):
        report.add(line, f"report line {number}")
    return report


def _check_totals(report: _Report) -> None:
    """Whether one confusion matrix of the listed classes is described, and its items add up."""
    if len(report.counts) < 2:
        raise BadClaim("report", f"expected at least two classes, found {len(report.counts)}")
    whole = sum(report.counts.values())
    for name, total in report.totals.items():
        if total != whole:
            raise BadClaim(
                "report", f"the support of {name} is {total}, but that of the classes adds up to {whole}"
            )
    if "micro avg" in report.totals and "acc" not in report.scores:
        # errors may go to and come from classes that are not listed
        raise BadClaim(
            "report",
            "micro avg stands in place of accuracy, so classes were left out or items have several labels, and "
            "no one confusion matrix of the classes listed is described; if these are all the classes, write "
            f"accuracy {report.scores['recall_micro']} {report.totals['micro avg']} in that row",
        )


def _replaced(counts: dict[str, int], per_class: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    """The figures printed as 1 that may stand for an undefined one, as (class, figure).

    A class with items that was never predicted has the recall and the F1 0, whatever its precision
    is printed as; a class without items has no recall, nor anything else if it was never predicted.
    """
    found = []
    for name, figures in per_class.items():
        values = {label: Fraction(figure) for label, figure in figures.items()}
        if not counts[name]:
            found += [(name, label) for label, value in values.items() if value == 1]
        elif values == {"precision": 1, "recall": 0, "f1": 0}:
            found.append((name, "precision"))
    return found


def _without(scores: dict[str, str], replaced: list[tuple[str, str]], counts: dict[str, int]) -> dict[str, str]:
    """The averages that neither contain a replaced figure nor are undefined."""
    gone = {f"{label}_macro" for _, label in replaced}
    gone |= {f"{label}_weighted" for name, label in replaced if counts[name]}
    return {label: figure for label, figure in scores.items() if label not in gone and figure != "nan"}
