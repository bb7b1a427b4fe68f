"""Letters that are scores only among their likes."""

from __future__ import annotations

import pytest

from scoreproof.reading.tables.columns import recognise


@pytest.mark.parametrize(
    ("headers", "scores", "counts"),
    [
        (["model", "P", "R", "F1"], ["ppv", "sens", "f1"], []),
        (["model", "P (%)", "R (%)", "F1-score (%)"], ["ppv", "sens", "f1"], []),
        (["model", "Acc", "Prec", "Rec", "F1"], ["acc", "ppv", "sens", "f1"], []),
        (["study", "P", "N", "Sens", "F1"], ["sens", "f1"], ["p", "n"]),
        (["study", "P", "R", "Acc"], ["acc"], ["p"]),
        (["study", "P", "N", "Precision", "Recall", "F1"], ["ppv", "sens", "f1"], ["p", "n"]),
        (["study", "P", "N", "R", "F1"], ["f1"], ["p", "n"]),
        (["study", "P", "N", "Prec", "Rec", "F1"], ["ppv", "sens", "f1"], ["p", "n"]),
        (["study", "Rec", "Acc"], ["acc"], []),
    ],
)
def test_a_letter_is_a_score_only_beside_what_makes_it_one(
    headers: list[str], scores: list[str], counts: list[str]
) -> None:
    layout = recognise(headers)
    assert [column.score for column in layout.scores] == scores
    assert [column.key for column in layout.set_up] == counts
