"""Which average over folds is biased, and how much?  Cross-validations with a known truth are simulated."""

from __future__ import annotations

from typing import Any

from scoreproof.aggregate.ways import F_WAYS
from scoreproof.errors import BadClaim
from scoreproof.insight.display.chart import Curve, Panel, chart
from scoreproof.insight.display.drawing import Picture, html
from scoreproof.web.desk import Found
from scoreproof.web.form import Form
from scoreproof.web.tools.fields import Field, count, listed
from scoreproof.web.tools.page import Tool, Values

SHARES = "shares such as 1 %, 5 % or 0.01, 0.05 or a range 0.6-0.9:0.1"
#: Every way in words, with its sign in brackets.
WAYS = {
    **{key: f"{way.words} ({way.heading})" for key, way in F_WAYS.items()},
    "auc_avg": "mean of the folds' AUCs, empty folds left out (AUC_avg)",
    "auc_avg_zero": "the same, but an empty fold counts 0 (AUC_avg, 0)",
    "auc_merge": "AUC of all folds merged (AUC_merge)",
}
SHORT = {
    **{key: way.heading for key, way in F_WAYS.items()},
    "auc_avg": "AUC_avg",
    "auc_avg_zero": "AUC_avg, empty folds 0",
    "auc_merge": "AUC_merge",
}
MEASURES = (
    ("bias", "Bias: how far the average is from the truth", "bias, % of the truth"),
    ("sd", "Deviation: how much it varies", "deviation, % of the truth"),
)
MOST_PANELS = 6


def _shares(text: str) -> list[float]:
    found = list(listed(SHARES)(text))
    if not all(0 < share < 1 for share in found):
        raise BadClaim("", f"expected {SHARES}, each above 0 and below 1")
    return found


def _shifts(text: str) -> list[float]:
    found = list(listed("numbers such as 0, 0.5, 1")(text))
    if not all(0 <= shift <= 1000 for shift in found):
        raise BadClaim("", "expected numbers from 0 to 1,000")
    return found


FIELDS = (
    Field(
        "what",
        "What is averaged",
        default="fmeasure",
        needed="choose one",
        choices=(("fmeasure", "F1 score, in five ways"), ("auc", "area under the curve (AUC)")),
    ),
    Field(
        "positives",
        "Shares of positive cases",
        "Such as 1 %, 2 %, 5 %.",
        default="1 %, 2 %, 3 %, 4 %, 5 %",
        read=_shares,
        needed="say which shares, such as 1 %, 5 %",
        size=24,
    ),
    Field(
        "truth",
        "The true score",
        "What the classifier really has: one or several.",
        default="0.8",
        read=_shares,
        needed="say it, such as 0.8",
    ),
    Field(
        "shift",
        "Differences between folds",
        "AUC only: how differently calibrated the folds are, in deviations.",
        default="0, 1",
        read=_shifts,
    ),
    Field(
        "cases", "Cases in all folds together", default="1,000", read=count(2, 100_000), needed="such as 1,000"
    ),
    Field("folds", "Folds", default="10", read=count(2, 1000), needed="such as 10"),
    Field(
        "stratified",
        "How the folds are made",
        choices=(("yes", "stratified only"), ("no", "at random only")),
        unsaid="both ways",
    ),
    Field(
        "trials",
        "Cross-validations for each setting",
        "More make the figures surer.",
        default="5,000",
        read=count(2, 100_000),
        needed="such as 5,000",
    ),
    Field("seed", "Seed", "The same number gives the same figures again.", default="0", read=count(0, 2**63)),
)


def wish(values: Values, form: Form) -> Values:
    if values.get("what") == "auc":
        if "shift" not in values and "shift" not in form.errors:
            form.complain("shift", "say how different the folds are, such as 0, 1")
    else:
        values.pop("shift", None)
    if "stratified" in values:
        values["stratified"] = values["stratified"] == "yes"
    cases, folds = values.get("cases"), values.get("folds")
    if cases is not None and folds is not None and folds > cases:
        form.complain("folds", f"{folds:,} folds cannot be made of {cases:,} cases")
    for share in values.get("positives", ()) if cases is not None else ():
        if not 0 < round(share * cases) < cases:
            form.complain("positives", f"{100 * share:g} % of {cases:,} cases leave a class empty")
    return values


def view(found: Found, wish: Values) -> Values:
    said = found["json"]
    rows = said["rows"]
    return {
        "rows": rows,
        "ways": WAYS,
        "pictures": [html(picture) for picture in _pictures(rows, said["cases"])],
        "settings": _settings(rows, said["cases"]),
        "columns": list(dict.fromkeys(row["way"] for row in rows)),
        "short": SHORT,
        "shifted": wish["what"] == "auc",
        "error": 100 * max((row["error"] for row in rows), default=0.0),
        "stopped": "stopped" in said,
        "sentence": _sentence(rows),
    }


def _settings(rows: list[Values], cases: int) -> list[Values]:
    """One line a setting, with the figures of every way."""
    lines: dict[tuple[Any, ...], Values] = {}
    for row in rows:
        key = tuple(row[name] for name in ("positives", "truth", "shift", "stratified"))
        line = lines.setdefault(key, {**row, "share": f"{100 * row['positives'] / cases:g} %", "by": {}})
        line["by"][row["way"]] = row
    return list(lines.values())


def _sentence(rows: list[Values]) -> str:
    """Which way is nearest to the truth at its worst, and which is farthest."""
    worst: dict[str, float] = {}
    for row in rows:
        if row["bias"] == row["bias"]:  # not every way exists in every trial
            worst[row["way"]] = max(worst.get(row["way"], 0.0), abs(row["bias"]))
    if len(worst) < 2:
        return ""
    best, other = min(worst, key=worst.__getitem__), max(worst, key=worst.__getitem__)
    return (
        f"Nearest to the truth: {WAYS[best]}, never off by more than {100 * worst[best]:.1f} % on average. "
        f"Farthest: {WAYS[other]}, off by up to {100 * worst[other]:.1f} %."
    )


#: What a curve may go over, and the words below its axis.
AXES = {"positives": "positives (% of the cases)", "shift": "difference between folds", "truth": "true score"}


def _pictures(rows: list[Values], cases: int) -> list[Picture]:
    """Bias and deviation over the first thing that varies, a panel for each setting of the others."""
    varied = [key for key in AXES if len({row[key] for row in rows}) > 1]
    if not varied:
        return []
    key = varied[0]
    panels: dict[str, list[Values]] = {}
    for row in rows:
        panels.setdefault(_title({**row, key: None}, varied, cases), []).append(row)
    found = []
    for measure, caption, along in MEASURES:
        some = [
            Panel(title, AXES[key], along, curves)
            for title, here in list(panels.items())[:MOST_PANELS]
            if (curves := _curves(here, key, measure, 100 / cases if key == "positives" else 1.0))
        ]
        if some:
            found.append(chart(some, caption))
    return found


def _curves(rows: list[Values], key: str, measure: str, scale: float) -> list[Curve]:
    """One curve a way, where the way gave something."""
    points: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row[measure] == row[measure]:  # not every way exists in every setting
            points.setdefault(SHORT[row["way"]], []).append((scale * row[key], 100 * row[measure]))
    return [Curve(label, each) for label, each in points.items()]


def _title(setting: Values, varied: list[str], cases: int) -> str:
    """What a panel is about: its folds, and what else varies between panels."""
    words = {
        "truth": lambda value: f"truth {value:g}",
        "shift": lambda value: f"difference {value:g}",
        "positives": lambda value: f"{100 * value / cases:g} % positive",
    }
    said = [words[key](setting[key]) for key in words if key in varied and setting[key] is not None]
    return ", ".join(["stratified folds" if setting["stratified"] else "folds at random", *said])


EXAMPLES = (
    (
        "F1 of a rare class over 10 folds",
        {
            "what": "fmeasure",
            "positives": "1 %, 2 %, 3 %, 4 %, 5 %",
            "truth": "0.8",
            "cases": "1000",
            "folds": "10",
            "trials": "5000",
        },
    ),
    (
        "F1 by how good the classifier is, 1 % positive",
        {
            "what": "fmeasure",
            "positives": "1 %",
            "truth": "0.6-0.9:0.1",
            "cases": "1000",
            "folds": "10",
            "trials": "5000",
        },
    ),
    (
        "AUC where folds are calibrated differently",
        {
            "what": "auc",
            "positives": "5 %",
            "truth": "0.9",
            "shift": "0, 0.5, 1, 2",
            "cases": "1000",
            "folds": "10",
            "trials": "500",
        },
    ),
)

TOOL = Tool("simulate", "simulate", FIELDS, wish, view, EXAMPLES, effort=False)
