"""Printed classification reports, pasted: a real one is never inconsistent."""

from __future__ import annotations

import random
import time
import warnings
from contextlib import suppress

import numpy as np
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
    verdict = check(scoreproof.from_report(text))
    assert [outcome.status for outcome in verdict.outcomes] == ["inconsistent", "consistent"]
    assert "classes left out, or several labels an item" in verdict.sentence
    whole = text.replace("micro avg       0.80      0.80      0.80        10", "accuracy 0.80 10")
    assert check(scoreproof.from_report(whole)).status == "inconsistent"


# -- several labels an item --------------------------------------------------------------------


def several_labels(draw: random.Random, items: int, labels: int, share: float) -> tuple[list[list[int]], ...]:
    truth = [[int(draw.random() < share) for _ in range(labels)] for _ in range(items)]
    called = [[each ^ (draw.random() < 0.15) for each in row] for row in truth]
    return truth, [[int(each) for each in row] for row in called]


@pytest.mark.parametrize("instead", [0, 1, float("nan")])
def test_a_report_about_several_labels_an_item_is_consistent(instead: float) -> None:
    draw = random.Random(7)
    for items, labels in ((4, 2), (12, 3), (60, 8), (500, 15)):
        truth, called = several_labels(draw, items, labels, draw.choice((0.05, 0.3)))
        truth[0][0] = 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = metrics.classification_report(np.array(truth), np.array(called), zero_division=instead)
        assert "samples avg" in text
        claim = scoreproof.from_report(text)
        assert "samples avg" in claim["title"]
        verdict = check(claim)
        assert verdict.status != "inconsistent", text
        assert verdict.status == "consistent" or instead != instead  # averages over fewer labels are not used
        assert scoreproof.verify(verdict.to_dict()) is True


def test_a_moved_average_over_labels_is_found() -> None:
    draw = random.Random(3)
    truth, called = several_labels(draw, 80, 5, 0.3)
    text = metrics.classification_report(np.array(truth), np.array(called), digits=3, zero_division=0)
    claim = scoreproof.from_report(text)
    for label in claim["scores"]:
        moved = {**claim, "scores": {**claim["scores"]}}
        moved["scores"][label] = f"{float(claim['scores'][label]) - 0.02:.3f}"
        verdict = check(moved)
        assert verdict.status == "inconsistent", label
        assert label in verdict.conflict or label.startswith("recall")  # weighted and micro recall are the same
        assert scoreproof.verify(verdict.to_dict()) is True


# -- what does not add up, and other habits ----------------------------------------------------

HEADINGS = "precision recall f1-score support\n"
CATS = "cat 0.75 0.90 0.82 10\ndog 0.88 0.70 0.78 10\n"


def test_supports_that_do_not_add_up_are_a_finding() -> None:
    for last in ("accuracy 0.80 21\n", "macro avg 0.81 0.80 0.80 21\n"):
        verdict = check(scoreproof.from_report(HEADINGS + CATS + last))
        assert verdict.status == "inconsistent"
        assert "the items add up to 20, not to 21" in verdict.sentence
        assert scoreproof.verify(verdict.to_dict()) is True


def test_supports_that_contradict_the_accuracy_are_a_finding() -> None:
    verdict = check(scoreproof.from_report(HEADINGS + CATS + "accuracy 0.82 20\n"))
    assert verdict.status == "inconsistent" and "acc" in verdict.conflict


REPORT = """
              precision    recall  f1-score   support

     big cat       0.75      0.90      0.82        10
           2       0.88      0.70      0.78        10

    accuracy                           0.80        20
   macro avg       0.81      0.80      0.80        20
weighted avg       0.81      0.80      0.80        20
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("        20", "      20.0"),
        ("macro avg", "macro-avg"),
        ("weighted avg", "weighted avg / total"),
        ("weighted avg", "avg / total"),
        ("accuracy                      ", "accuracy        -         -     "),
        ("\n", "\n# "),
        ("\n", "\n// "),
        ("\n", "\n> "),
        ("\n", "\n2024-01-05 10:11:12,345 - INFO - "),
        ("\n   ", "\nINFO:root:   "),
        ("\n              precision", "\nINFO:root:              precision"),
        ("\n", "\n\x1b[32m"),
        ("f1-score   support", "f1   support"),
        ("              precision", "    label     precision"),
    ],
)
def test_the_same_report_in_other_clothes_is_the_same_claim(old: str, new: str) -> None:
    claim = scoreproof.from_report(REPORT.replace(old, new) if old else REPORT)
    assert claim == scoreproof.from_report(REPORT)
    assert claim["experiment"] == {"classes": {"big cat": 10, "2": 10}}


@pytest.mark.parametrize("separator", [" | ", "\t", ","])
def test_separated_columns_are_the_same_claim(separator: str) -> None:
    rows = [line.strip() for line in REPORT.strip().splitlines() if line.strip()]
    cells = [["", *rows[0].split()]]
    for row in rows[1:]:
        words = row.split()
        width = 2 if words[0] == "accuracy" else 4
        filled = ["", "", *words[-2:]] if width == 2 else words[-4:]
        cells.append([" ".join(words[:-width]), *filled])
    if separator == " | ":
        cells.insert(1, ["---"] * 5)
        text = "\n".join(f"| {separator.join(row)} |" for row in cells)
    else:
        text = "\n".join(separator.join(row) for row in cells)
    assert scoreproof.from_report(text) == scoreproof.from_report(REPORT)


def test_a_report_in_percent_says_so() -> None:
    text = HEADINGS + "cat 75.0 90.0 81.8 10\ndog 87.5 70.0 77.8 10\naccuracy 80.0 20\n"
    claim = scoreproof.from_report(text)
    assert claim["scores"]["acc"] == "80.0 %" and "percent" in claim["title"]
    assert check(claim).status == "consistent"


def test_averages_over_a_class_that_is_not_listed() -> None:
    # one item was called a third class, which has no items: (1.00 + 0.91 + 0.00) / 3 is 0.64
    text = (
        HEADINGS + "a 1.00 0.90 0.95 20\nb 0.91 1.00 0.95 10\naccuracy 0.93 30\nmacro avg 0.64 0.63 0.63 30\n"
    )
    verdict = check(scoreproof.from_report(text))
    assert verdict.status == "consistent" and "1 without items is not listed" in verdict.sentence


def test_one_class_is_checked_with_any_number_of_others() -> None:
    for f1, status in (("0.8793", "consistent"), ("0.8813", "inconsistent")):
        text = f"{HEADINGS}Disease 0.8498 0.9110 {f1} 708\nmicro avg 0.8498 0.9110 {f1} 708\n"
        assert check(scoreproof.from_report(text)).status == status


def test_hostile_lines_take_no_time() -> None:
    started = time.perf_counter()
    for piece in ("a ", "0.5 ", "0.", ".", " ", "\t", "- ", "|", "nan ", "[[1 2", "Class 0.0 ", "a = "):
        for text in (piece * 100_000, HEADINGS + piece * 100_000, HEADINGS + (piece * 40 + "\n") * 2000):
            with suppress(scoreproof.ScoreproofError):
                scoreproof.from_report(text)
    assert time.perf_counter() - started < 20
