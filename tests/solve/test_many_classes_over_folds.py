"""True means and deviations of many classes over folds, as scikit-learn has them, are found to be possible."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof

TRUE: list[tuple[list[int], int, dict[str, str]]] = [
    # few errors among many classes
    (
        [10, 16, 13, 20, 22, 19, 10, 12, 15, 15],
        10,
        {
            "acc": "0.856 ± 0.073",
            "f1_macro": "0.834 ± 0.103",
            "f1_weighted": "0.836 ± 0.098",
            "mcc": "0.846 ± 0.079",
        },
    ),
    (
        [36] * 14,
        10,
        {"acc": "0.8891 ± 0.0372", "ppv_weighted": "0.9048 ± 0.0430", "f1_weighted": "0.8829 ± 0.0433"},
    ),
    # many items, of which one says little
    (
        [5000] * 10,
        5,
        {"acc": "0.7655 ± 0.0046", "ppv_weighted": "0.7694 ± 0.0041", "f1_weighted": "0.7646 ± 0.0045"},
    ),
]


@pytest.mark.parametrize(("classes", "folds", "scores"), TRUE)
def test_true_figures_of_many_classes_are_possible(
    classes: list[int], folds: int, scores: dict[str, str]
) -> None:
    experiment: dict[str, Any] = {"classes": classes, "folds": folds, "stratified": True, "aggregate": "mean"}
    verdict = scoreproof.check({"experiment": experiment, "scores": scores}, timeout=60)
    assert verdict.status == "consistent", verdict.sentence
    assert scoreproof.verify(verdict)
