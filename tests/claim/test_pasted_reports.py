"""Printed classification reports, pasted: a real one is never inconsistent."""

from __future__ import annotations

import random
import warnings

import pytest
from sklearn import metrics

import scoreproof
from scoreproof import check


def report(truth: list[int], called: list[int], **options: object) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return str(metrics.classification_report(truth, called, **options))


# -- pasted reports ----------------------------------------------------------------------------


@pytest.mark.parametrize("instead", [0, 1, float("nan")])
def test_a_real_report_is_never_inconsistent_whatever_stands_for_undefined_figures(instead: float) -> None:
    draw = random.Random(5)
    seen = set()
    for size in (2, 3, 9, 40, 150):
        for more in (0, 1):  # a class that has no items
            truth = [draw.choice((0, 0, 1, 2, 3)) for _ in range(size)] + [0, 1]
            called = [draw.choice((each, 0, 2, 3)) for each in truth]  # 1 is seldom predicted
            called = [0 if each == 1 else each for each in called] if size > 3 else called
            text = report(truth, called, zero_division=instead, labels=list(range(4 + more)), digits=3)
            seen.add("nan" in text)
            verdict = check(scoreproof.from_report(text), timeout=60)
            assert verdict.status == "consistent", text
    assert (True in seen) == (instead != instead)


def test_a_figure_put_in_place_of_an_undefined_one_is_left_out_and_said_to_be() -> None:
    claim = scoreproof.from_report(report([0] * 5 + [1] * 4 + [2] * 6, [0] * 9 + [2] * 6, zero_division=1))
    assert "precision (1)" in claim["title"]
    assert "precision_macro" not in claim["scores"] and "recall_macro" in claim["scores"]
    assert set(claim["per_class"]["1"]) == {"recall", "f1"}
    assert "title" not in scoreproof.from_report(report([0, 0, 1, 1, 2], [0, 0, 1, 0, 2]))


def test_a_report_that_leaves_classes_out_is_no_confusion_matrix_of_the_others() -> None:
    # what class 0 loses goes to class 2, which is not listed, and as much comes back
    truth, called = [0] * 5 + [1] * 5 + [2] * 5, [0] * 3 + [2] * 2 + [1] * 5 + [0] * 2 + [2] * 3
    text = report(truth, called, labels=[0, 1])
    assert "micro avg       0.80      0.80      0.80" in text
    with pytest.raises(scoreproof.BadClaim, match=r"accuracy 0\.80 10"):
        scoreproof.from_report(text)
    whole = text.replace("micro avg       0.80      0.80      0.80        10", "accuracy 0.80 10")
    assert check(scoreproof.from_report(whole)).status == "inconsistent"
