"""A slip in one cell of a document, and whether the claim it stands in can be refuted at all."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import scoreproof

from .claims import claim_of, slipped
from .sheet import Paper, Sheet
from .write import Planned, planned, possible

TRIES = 6


def chosen(paper: Paper, rng: random.Random) -> tuple[Sheet, int, int, int] | None:
    """A figure of a table whose set-up the paper states: the table, its claim, row and column."""
    sheets = [sheet for sheet in paper.sheets if sheet.claims and sheet.stated]
    if not sheets:
        return None
    sheet = rng.choice(sheets)
    number = rng.randrange(len(sheet.claims))
    figure = rng.choice([f for f in sheet.claims[number].figures if f.score != "auc"])
    return sheet, number, figure.row, figure.col


def planted(each: Planned, folder: Path) -> Path | None:
    """Writes the document with a slip, if there is a place for one; the truth tells the verdict."""
    rng = random.Random(each.number)
    paper = each.made()
    for left in reversed(range(TRIES)):
        found = chosen(paper, rng)
        if found is None:
            return None
        sheet, number, row, col = found
        cell = sheet.places()[row][col]
        assert cell is not None
        was = cell.text
        cell.text = slipped(rng, was)
        table = sheet.truth()
        verdict = scoreproof.check(claim_of(table, table["claims"][number]), timeout=20)
        if verdict.status == "inconsistent":
            break
        if left:
            cell.text = was
    slip: dict[str, Any] = {"table": sheet.number, "row": row, "col": col, "was": was, "now": cell.text}
    path = folder / each.name
    each.form.write(paper, path)
    truth = {
        "format": each.form.name,
        "file": path.name,
        **paper.truth(),
        "slip": {**slip, "claim": verdict.status},
    }
    path.with_suffix(".truth").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def plant(folder: Path, count: int = 100) -> list[Path]:
    """Slips in as many documents, spread over all formats."""
    folder.mkdir(parents=True, exist_ok=True)
    every = [each for each in planned() if possible(each)]
    made: list[Path] = []
    for each in [*every[::2], *every[1::2]]:
        if len(made) == count:
            break
        path = planted(each, folder)
        if path is not None:
            made.append(path)
    return made
