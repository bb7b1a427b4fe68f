"""What ``confusionMatrix`` of R's caret prints: the table, figures of the whole, figures by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoreproof.errors import BadClaim
from scoreproof.reading.reports.found import claim_of, is_nothing
from scoreproof.reading.reports.matrices import Grid, counted, named, transposed

#: What the lines are called in a claim.
FIGURES = {
    "Accuracy": "acc", "Kappa": "kappa", "Sensitivity": "sens", "Specificity": "spec", "Pos Pred Value": "ppv",
    "Neg Pred Value": "npv", "Precision": "precision", "Recall": "recall", "F1": "f1",
    "Balanced Accuracy": "bacc",
}  # fmt: skip
#: Lines that no score of the claim stands for.
ASIDE = (
    "No Information Rate", "P-Value [Acc > NIR]", "Mcnemar's Test P-Value", "Prevalence", "Detection Rate",
    "Detection Prevalence",
)  # fmt: skip
WHOLE = ("acc", "kappa")


def read_caret(lines: Sequence[str]) -> dict[str, Any] | None:
    """The claim of such a print; None if the lines are none."""
    start = next((k for k, line in enumerate(lines) if "Confusion Matrix and Statistics" in line), None)
    if start is None:
        return None
    lines = lines[start + 1 :]
    table = named(lines)
    if table is None:
        raise BadClaim("report", "the table of counts under 'Confusion Matrix and Statistics' was not found")
    scores = _whole(lines)
    other = [name for name in ASIDE if any(line.strip().startswith(name) for line in lines)]
    names = list(table)
    grid = transposed(tuple(table.values()))  # caret prints predictions in rows
    remark = f"{', '.join(other)} not used" if other else ""
    if len(names) == 2 and not any("Class:" in line and "'Positive'" not in line for line in lines):
        return _two_classes(names, grid, scores, lines) | ({"title": remark} if remark else {})
    report = counted(names, grid)
    report.scores = {label: scores[label] for label in WHOLE if label in scores}
    report.remarks += [remark] if remark else []
    report.undefined = "impossible"
    report.add_figures(_by_class(lines))
    return claim_of(report)


def _two_classes(names: list[str], grid: Grid, scores: dict[str, str], lines: Sequence[str]) -> dict[str, Any]:
    said = next((line.partition(":")[2].strip() for line in lines if "'Positive' Class" in line), "")
    one = names.index(said) if said in names else 0  # caret's own choice is the first
    sides = {"true positive rate": grid[one], "true negative rate": grid[1 - one][::-1]}
    p, n = map(sum, sides.values())
    return {
        "experiment": {"p": p, "n": n},
        "scores": scores | {label: f"{row[one]}/{sum(row)}" for label, row in sides.items() if any(row)},
        "rounding": "nearest",
        "conventions": {"ci": "clopper-pearson"},
    }


def _whole(lines: Sequence[str]) -> dict[str, str]:
    """The figures of lines "name : value"."""
    scores: dict[str, str] = {}
    for line in lines:
        name, colon, value = (part.strip() for part in line.partition(" : "))
        if not colon:
            continue
        if name in FIGURES and not is_nothing(value) and FIGURES[name] not in scores:
            scores[FIGURES[name]] = value
        elif name == "95% CI" and "acc" in scores and "(" not in scores["acc"]:
            scores["acc"] += f" {value}"
    return scores


def _by_class(lines: Sequence[str]) -> dict[str, dict[str, str]]:
    """The figures by class, whose columns may go on below each other."""
    found: dict[str, dict[str, str]] = {}
    names: list[str] = []
    for line in lines:
        if "Class: " in line and ":" in line.strip()[:6]:
            names = [name.strip() for name in line.split("Class: ")[1:]]
            continue
        label = next((name for name in FIGURES if line.strip().startswith(f"{name} ")), None)
        if label is None or " : " in line:
            continue
        values = line.strip()[len(label) :].split()
        if len(values) == len(names):
            for name, value in zip(names, values, strict=True):
                if not is_nothing(value):
                    found.setdefault(name, {})[FIGURES[label]] = value
    return found
