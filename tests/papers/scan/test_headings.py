"""Headings and cells that mean something only with the figures below them, or the words beside the table."""

from __future__ import annotations

import pytest

from scoreproof.papers.claims import read_one
from scoreproof.papers.document import Table
from scoreproof.papers.set_up import Facts
from scoreproof.papers.shapes import by_figures


def scores_of(table: Table) -> list[str]:
    layout = read_one(table, 1, Facts(binary=True)).layout
    return [column.score for column in layout.scores] if layout else []


def test_signs_are_names_of_scores() -> None:
    assert scores_of(Table([["Model", "Acc", "F₁", "κ"], ["A", "0.90", "0.80", "0.70"]])) == [
        "acc",
        "f1",
        "kappa",
    ]


@pytest.mark.parametrize(
    ("heads", "figures", "scores"),
    [
        (["Precision", "Se"], ["0.91", "0.87"], ["ppv", "sens"]),
        (["Precision", "SE"], ["0.91", "0.02"], ["ppv"]),  # a standard error
        (["Acc", "PPV", "F1", "k"], ["0.91", "0.87", "0.88", "0.75"], ["acc", "ppv", "f1", "kappa"]),
        (["Acc", "PPV", "F1", "k"], ["0.91", "0.87", "0.88", "5"], ["acc", "ppv", "f1"]),  # of neighbours
        (["k", "Acc", "PPV", "F1"], ["0.25", "0.91", "0.87", "0.88"], ["acc", "ppv", "f1"]),  # a setting
        (["Acc", "k"], ["0.91", "0.75"], ["acc"]),
    ],
)
def test_figures_tell_what_a_heading_is(heads: list[str], figures: list[str], scores: list[str]) -> None:
    assert scores_of(Table([["Model", *heads], ["A", *figures]])) == scores


def test_all_figures_under_a_heading_tell_together() -> None:
    cells = [["", "a", "a", "b", "b"], ["Model", "Precision", "Se", "Precision", "Se"]]
    cells += [["A", "0.91", "0.87", "0.91", "0.42"], ["B", "0.91", "0.77"]]
    found, notes = by_figures(cells)
    assert found[1] == ["Model", "Precision", "Sens", "Precision", "Sens"]
    assert notes == ("Se was read as Sens, by its figures",)


@pytest.mark.parametrize(
    ("caption", "figure"),
    [
        ("Mean (standard deviation in brackets) over the folds.", "0.91 ± 0.02"),
        ("Results, mean (SD).", "0.91 ± 0.02"),
        ("Results with rank in brackets.", "0.91 (0.02)"),
    ],
)
def test_deviations_in_brackets_are_those_the_caption_speaks_of(caption: str, figure: str) -> None:
    table = Table([["Model", "Sens", "Spec"], ["A", "0.91 (0.02)", "0.87 (0.03)"]], caption=caption)
    row = read_one(table, 1, Facts(binary=True)).rows[0]
    assert [claim["scores"]["Sens"] for _, claim in row.claims] == [figure] * len(row.claims)
    assert row.claims and row.cells["Sens"] == (1, 1)


def test_a_column_of_figures_names_no_model() -> None:
    cells = [["Class", "n", "Precision", "Sens", "Odd"], ["a", "40", "0.90", "0.80", "1.5"]]
    cells += [["b", "30", "0.70", "0.60", "2.5"], ["c", "20", "0.50", "0.40", "3.5"]]
    assert len(read_one(Table(cells), 1, Facts()).rows) == 1
