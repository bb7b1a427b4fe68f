"""The 2x2 tables of one diagnostic study, from what it prints."""

from __future__ import annotations

from typing import Any

from scoreproof.claim.fields import SPOKEN
from scoreproof.web.desk import Found
from scoreproof.web.form import Form
from scoreproof.web.links import pack
from scoreproof.web.tools.fields import Field, chosen, count, figure, in_words
from scoreproof.web.tools.page import Tool, Values

#: Scores that may carry an interval: the two that are asked for first, and the others.
FIRST = ("sens", "spec")
OTHERS = ("ppv", "npv", "acc", "lrp", "lrn", "dor")
MARGINS = ("p", "n", "total", "prevalence")
#: Tables that are shown as tables, and those that are listed.
MOST_GRIDS = 6
MOST_LISTED = 200

_HINTS = {"sens": "As printed, with its interval: 0.92 (0.84-0.97).", "spec": "Likewise."}
_METHODS = tuple((value, words) for value, words in SPOKEN["ci"].choices if value not in ("open", "each"))

FIELDS = (
    *(
        Field(
            name,
            in_words(name)[0].upper() + in_words(name)[1:],
            _HINTS.get(name, ""),
            read=figure(name),
            size=20,
        )
        for name in (*FIRST, *OTHERS)
    ),
    Field(
        "total", "All patients", "Leave empty if it is not printed.", read=count(1), keys=("experiment.total",)
    ),
    Field(
        "prevalence",
        "Share with the condition (prevalence)",
        "As printed, such as 12.7 %.",
        read=figure(),
        keys=("experiment.prevalence",),
    ),
    Field("p", "With the condition (p)", read=count(), keys=("experiment.p",)),
    Field("n", "Without it (n)", read=count(), keys=("experiment.n",)),
    Field(
        "ci",
        "Method of the intervals",
        choices=_METHODS,
        unsaid="not said: each is tried",
        keys=("conventions.ci",),
    ),
    chosen("level", SPOKEN["ci_level"], "Level of the intervals"),
    chosen("rounding", SPOKEN["rounding"], but="open"),
)


def wish(values: Values, form: Form) -> Values:
    scores = {name: values.pop(name) for name in (*FIRST, *OTHERS) if name in values}
    if not scores and not form.errors:
        form.complain("sens", "type at least one figure as printed, such as 0.92 (0.84-0.97)")
    p, n, total = (values.get(name) for name in MARGINS[:3])
    if p is not None and n is not None and total is not None and p + n != total:
        form.complain("total", f"{total:,} is not {p:,} + {n:,} = {p + n:,}; correct one of the three")
    return {"scores": scores, **values}


def claim_of(wish: Values) -> Values:
    """The same as a claim, whose page has the proof."""
    claim: Values = {
        "experiment": {name: wish[name] for name in MARGINS if name in wish},
        "scores": wish["scores"],
    }
    conventions = {key: wish[name] for key, name in (("ci", "ci"), ("ci_level", "level")) if name in wish}
    if conventions:
        claim["conventions"] = conventions
    if "rounding" in wish:
        claim["rounding"] = wish["rounding"]
    return claim


def view(found: Found, wish: Values) -> Values:
    said = found["json"]
    methods = said["methods"]
    names = dict(SPOKEN["ci"].choices)
    tables = list(dict.fromkeys(tuple(each.values()) for one in methods.values() for each in one["tables"]))
    listed = all(one["count"] == len(one["tables"]) for one in methods.values())
    rows = [
        {
            "method": "" if name == "any" else names.get(name, name),
            "count": one["count"],
            "cells": [_span(ends) for ends in one["cells"].values()] or [""] * 4,
            "reason": "" if one["complete"] else one["reason"],
        }
        for name, one in methods.items()
    ]
    fitting = [row["method"] for row in rows if row["count"] and row["method"]]
    return {
        "verdict": said["verdict"],
        "sentence": _sentence(said, len(tables), listed),
        "fitting": fitting,
        "tables": [_grid(each) for each in tables[:MOST_GRIDS]],
        "listed": tables[:MOST_LISTED],
        "more": not listed or len(tables) > MOST_LISTED,
        "count": len(tables),
        "methods": rows if len(rows) > 1 or rows[0]["reason"] else [],
        "claim": f"/claim?c={pack(claim_of(wish))}",
        "figures": [(in_words(name), text) for name, text in wish["scores"].items()],
    }


def _span(ends: list[int]) -> str:
    return f"{ends[0]:,}" if ends[0] == ends[1] else f"{ends[0]:,} to {ends[1]:,}"


def _grid(cells: tuple[int, ...]) -> Values:
    tp, fp, fn, tn = cells
    return {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "p": tp + fn, "n": fp + tn, "total": sum(cells)}


def _sentence(said: Values, tables: int, listed: bool) -> str:
    if said["verdict"] == "inconsistent":
        return "No 2x2 table, of any size, gives these figures."
    if said["verdict"] == "undecided":
        return "No 2x2 table was found, but not everything could be tried."
    rest = " There is no other, of any size." if said["complete"] else " There may be more."
    if tables == 1 and listed:
        only = "Exactly one 2x2 table gives these figures." if said["complete"] else "One 2x2 table was found."
        return only + rest
    many = f"{tables:,}" if listed else f"At least {tables:,}"
    return f"{many} different 2x2 tables give these figures." + rest.replace("is no other", "are no others")


def _examples() -> tuple[tuple[str, dict[str, Any]], ...]:
    return (
        (
            "sensitivity 0.86 (0.78-0.91), specificity 0.90 (0.85-0.95), 265 patients",
            {"sens": "0.86 (0.78-0.91)", "spec": "0.90 (0.85-0.95)", "total": "265"},
        ),
        (
            "87 % and 90 % of 300 patients, 12.7 % with the condition",
            {"sens": "0.87", "spec": "0.90", "total": "300", "prevalence": "12.7 %"},
        ),
        (
            "a figure that no table gives: 78.2 % of 69 patients with the condition",
            {"sens": "78.2 %", "spec": "64.3 %", "p": "69", "n": "14"},
        ),
    )


TOOL = Tool("tables", "study", FIELDS, wish, view, _examples())
