"""A printed ``classification_report`` of scikit-learn, read as a claim."""

from __future__ import annotations

import re
from typing import Any

from scoreproof.errors import BadClaim, shorten

_HEADINGS = ("precision", "recall", "f1-score", "support")
_ROW = re.compile(r"\s*(?P<name>\S.*?)\s+(?P<figures>(?:[0-9]*\.[0-9]+\s+){3})(?P<support>[0-9]+)\s*")
_ACCURACY = re.compile(r"\s*accuracy\s+(?P<figure>[0-9]*\.[0-9]+)\s+(?P<support>[0-9]+)\s*")

#: The rows below the classes, and what their figures are called in a claim.
AVERAGES = {"macro avg": "macro", "weighted avg": "weighted", "avg / total": "weighted", "micro avg": "micro"}


def from_report(text: str) -> dict[str, Any]:
    """The claim that a pasted report makes: class counts, figures per class, averages.

    A class that was never predicted counts as 0, as scikit-learn prints it.

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
    if not isinstance(text, str):
        raise BadClaim("report", f"expected the printed report as text, found {type(text).__name__}")
    lines = [line for line in text.splitlines() if line.strip()]
    start = next((k for k, line in enumerate(lines) if tuple(line.split()) == _HEADINGS), None)
    if start is None:
        raise BadClaim("report", f"no line with the headings {', '.join(_HEADINGS)} was found")
    counts: dict[str, int] = {}
    per_class: dict[str, dict[str, str]] = {}
    scores: dict[str, str] = {}
    totals: dict[str, int] = {}
    for number, line in enumerate(lines[start + 1 :], start + 2):
        accuracy = _ACCURACY.fullmatch(line)
        if accuracy is not None:
            scores["acc"] = accuracy["figure"]
            totals["accuracy"] = int(accuracy["support"])
            continue
        row = _ROW.fullmatch(line)
        if row is None:
            raise BadClaim(
                f"report line {number}",
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
            if how == "micro" and len(set(figures.values())) > 1:
                raise BadClaim(
                    "report",
                    "micro avg differs between precision and recall, so it leaves out classes or is about "
                    "several labels an item; it does not describe one confusion matrix of the classes listed",
                )
            scores.update({f"{label}_{how}": figure for label, figure in figures.items()})
            totals[name] = support
        elif totals:
            raise BadClaim(f"report line {number}", f"{shorten(name)!r} stands below the averages")
        elif name in counts:
            raise BadClaim(f"report line {number}", f"the class {shorten(name)!r} stands there twice")
        else:
            counts[name], per_class[name] = support, figures
    if len(counts) < 2:
        raise BadClaim("report", f"expected at least two classes, found {len(counts)}")
    for name, total in totals.items():
        if total != sum(counts.values()):
            raise BadClaim(
                "report",
                f"the support of {name} is {total}, but that of the classes adds up to {sum(counts.values())}",
            )
    return {
        "experiment": {"classes": counts},
        "scores": scores,
        "per_class": per_class,
        "rounding": "nearest",
        "conventions": {"undefined": "zero"},
    }
