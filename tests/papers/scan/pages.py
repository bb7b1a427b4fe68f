"""Published figures typed back into pages shaped like those of PMC, Nature and BMC, a table a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from field.entries import Entry

HEADINGS = {
    "sens": "Sensitivity",
    "spec": "Specificity",
    "acc": "Accuracy",
    "ppv": "PPV",
    "npv": "NPV",
    "f1": "F1 score",
}
PMC = """<!DOCTYPE html><html lang="en"><head><title>{title} - PMC</title></head><body>
<main><article><h1>Table 3</h1><div class="tw xbox font-sm" id="T3"><h4>Table 3.</h4>
<div class="caption p"><p>{caption}</p></div>
<div class="tbl-box p" tabindex="0"><table class="content" frame="hsides" rules="groups">
<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div></div></article></main></body></html>"""
NATURE = """<!DOCTYPE html><html lang="en"><head><title>Table 3 {title} | Scientific Reports</title></head>
<body><main><article><h1 class="c-article-table-title" id="table-3-title">Table 3 {caption}</h1>
<p>From: <a href="/articles/x">{title}</a></p>
<div class="c-article-table-container"><div class="c-article-table-border c-table-scroll-wrapper">
<table class="data last-table"><thead class="c-article-table-head"><tr>{heads}</tr></thead>
<tbody>{rows}</tbody></table></div></div></article></main></body></html>"""
BMC = """<!DOCTYPE html><html lang="en"><head><title>Table 3 | BMC</title></head><body><main>
<div class="c-article-table"><h1>Table 3 {caption}</h1><p>From: <a href="x">{title}</a></p>
<div class="c-article-table-container"><table class="data"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>
</table></div><ol class="c-article-table-footer"><li>{note}</li></ol></div></main></body></html>"""
SHAPES = (PMC, NATURE, BMC)


def counts_of(entry: Entry, *, matrix: bool = False) -> dict[str, str]:
    """The columns of counts that hold what the claim says of them; empty where they cannot."""
    if matrix and entry.matrix:
        return {key.upper(): str(value) for key, value in entry.matrix.items()}
    experiment = entry.claim.get("experiment", {})
    if set(experiment) == {"p", "n"}:
        return {"Positives": str(experiment["p"]), "Negatives": str(experiment["n"])}
    if set(experiment) <= {"total", "prevalence"} and experiment:
        return {
            {"total": "Total N", "prevalence": "Prevalence"}[key]: str(value)
            for key, value in experiment.items()
        }
    return {}


def page(
    entries: Sequence[Entry],
    shape: str = PMC,
    *,
    matrix: bool = False,
    wrong: dict[tuple[int, str], str] | None = None,
) -> str:
    """The entries as the rows of one table; ``wrong`` replaces figures, by row and score."""
    columns: dict[str, None] = {}
    rows: list[dict[str, str]] = []
    for at, entry in enumerate(entries):
        cells = {"Model": entry.name, **counts_of(entry, matrix=matrix)}
        for label, figure in entry.claim["scores"].items():
            cells[HEADINGS.get(label, label)] = (wrong or {}).get((at, label), figure)
        rows.append(cells)
        columns |= dict.fromkeys(cells)
    heads = "".join(
        f'<th align="left" valign="top" rowspan="1" colspan="1">{escape(name)}</th>' for name in columns
    )
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(row.get(name, '–'))}</td>" for name in columns) + "</tr>" for row in rows
    )
    said = {"title": "A study", "caption": "Performance of the models", "note": "PPV positive predictive value"}
    return shape.format(heads=heads, rows=body, **said)


def typed(entry: Entry, *, matrix: bool = False) -> dict[str, Any]:
    """The claim that the row makes: figures and counts as they stand in the table."""
    claim: dict[str, Any] = {
        "experiment": dict(entry.claim.get("experiment", {})),
        "scores": dict(entry.claim["scores"]),
    }
    if matrix and entry.matrix:
        claim |= {"matrix": dict(entry.matrix), "experiment": {}}
    return claim
