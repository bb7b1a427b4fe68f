"""What programs print of Spark's ``MulticlassMetrics``: one figure a line, "Class 0.0 precision = 0.87"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoreproof.errors import BadClaim, shorten
from scoreproof.reading.reports.found import claim_of, is_nothing, is_number
from scoreproof.reading.reports.matrices import bracketed, counted, plain

#: What figures of a class, and of the whole, are called in a claim.
OF_CLASS = {
    "precision": "precision", "recall": "recall", "f1 measure": "f1", "f1-score": "f1", "f1": "f1",
    "fpr": "fpr", "false positive rate": "fpr",
}  # fmt: skip
OF_ALL = {
    "accuracy": "acc", "precision": "precision_micro", "recall": "recall_micro", "f1 score": "f1_micro",
    "weighted precision": "precision_weighted", "weighted recall": "recall_weighted",
    "weighted f(1) score": "f1_weighted", "weighted f1 score": "f1_weighted",
    "weighted false positive rate": "fpr_weighted",
}  # fmt: skip


def read_spark(lines: Sequence[str]) -> dict[str, Any] | None:
    """The claim of such a print; None if the lines are none."""
    by_class: dict[str, dict[str, str]] = {}
    scores: dict[str, str] = {}
    other = []
    for line in lines:
        name, equals, value = (part.strip() for part in line.rpartition("="))
        if not equals or not is_number(value) or is_nothing(value):
            continue
        words = name.lower().split()
        if len(words) > 2 and words[0] == "class" and " ".join(words[2:]) in OF_CLASS:
            by_class.setdefault(name.split()[1], {})[OF_CLASS[" ".join(words[2:])]] = value
        elif " ".join(words) in OF_ALL:
            scores[OF_ALL[" ".join(words)]] = value
        else:
            other.append(name)
    if not by_class:
        return None
    start = next((k for k, line in enumerate(lines) if "confusion matrix" in line.lower()), None)
    grid = bracketed(lines)
    if grid is None and start is not None:
        grid = plain(lines[start + 1 :])
    if grid is None:
        raise BadClaim(
            "report", "has no confusion matrix, so it is not known how many items each class has; print it, too"
        )
    names = list(by_class)
    if len(names) != len(grid):
        raise BadClaim("report", f"figures of {len(names)} classes beside a confusion matrix of {len(grid)}")
    report = counted(names, grid)
    report.add_figures(by_class)
    report.scores = scores
    if other:
        report.remarks.append(f"{shorten(', '.join(other), 200)} not used")
    return claim_of(report)
