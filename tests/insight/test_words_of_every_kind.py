"""Laws of the words about several classes, predicted numbers and rankings."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof

CLASSES = {"classes": {"a": 8, "b": 5, "c": 7}}
RECALL = {"a": {"recall": "0.63"}}
KINDS: list[tuple[dict[str, Any], str]] = [
    ({"experiment": CLASSES, "scores": {"acc": "0.85"}, "per_class": RECALL}, "confusion matrices"),
    ({"experiment": CLASSES, "scores": {"acc": "0.86"}, "per_class": RECALL}, "confusion matrices"),
    ({"experiment": {"samples": 10}, "scores": {"mae": "0.2", "rmse": "0.3"}}, "residuals"),
    ({"experiment": {"samples": 10}, "scores": {"mae": "0.4", "rmse": "0.3"}}, "residuals"),
    ({"experiment": {"p": 9, "n": 20}, "scores": {"auc": "0.9"}, "points": [{"spec": "0.5"}]}, "rankings"),
    ({"experiment": {"p": 9, "n": 20}, "scores": {"auc": "0.9"}, "points": [{"spec": "0.51"}]}, "rankings"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "things"), KINDS)
def test_an_explanation_speaks_of_what_the_figures_are_made_of_and_names_them_all(
    claim: dict[str, Any], things: str
) -> None:
    told = scoreproof.explain(claim).paragraph
    assert things in told.casefold()
    assert things == "confusion matrices" or "confusion matrices" not in told.casefold()
    tables = [claim["scores"], *claim.get("per_class", {}).values(), *claim.get("points", [])]
    for table in tables:
        assert all(figure in told for figure in table.values())


def test_the_strength_of_a_test_is_not_told_from_some_of_its_figures() -> None:
    some = {"experiment": {"p": 9, "n": 20}, "scores": {"auc": "0.9", "sens": "0.89"}}
    assert scoreproof.explain(some).strength is None
    assert scoreproof.explain(KINDS[0][0]).strength is not None  # slips in all of them are tried
