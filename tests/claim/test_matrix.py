"""Counts of the confusion matrix in a claim: where they may stand, and what follows from them."""

from __future__ import annotations

import pytest

import scoreproof
from scoreproof import BadClaim

MATRIX = {"tp": 56, "fp": 15, "fn": 3, "tn": 92}
TRUE = {"sens": "0.949", "spec": "0.860"}
WRONG = {"sens": "0.80", "spec": "0.99"}


def status(**claim):
    verdict = scoreproof.check(claim)
    assert scoreproof.verify(verdict, against=claim)
    return verdict.status


@pytest.mark.parametrize(
    "names", [MATRIX, ("tp", "fn", "predicted_positive", "tn"), ("tp", "fp", "fn", "predicted_negative")]
)
def test_class_counts_follow_from_the_matrix(names):
    matrix = {name: {**MATRIX, "predicted_positive": 71, "predicted_negative": 95}[name] for name in names}
    for experiment in ({}, {"p": 59}, {"total": 166}):
        verdict = scoreproof.check({"experiment": experiment, "matrix": matrix, "scores": TRUE})
        assert tuple(verdict.witness.matrix) == (56, 15, 3, 92)
        assert status(experiment=experiment, matrix=matrix, scores=WRONG) == "inconsistent"


def test_class_counts_that_contradict_the_matrix_are_a_verdict():
    for experiment in ({"p": 60, "n": 107}, {"p": 59, "n": 100}, {"total": 165}, {"p": 60}):
        assert status(experiment=experiment, matrix=MATRIX, scores=TRUE) == "inconsistent"


def test_the_matrix_is_set_beside_the_figures():
    sentence = scoreproof.check({"matrix": MATRIX, "scores": WRONG}).sentence
    assert "sens 0.80 printed, 56/59 = 0.949 from the matrix; spec 0.99 printed, 92/107 = 0.860" in sentence
    sentence = scoreproof.check({"matrix": MATRIX, "scores": {"fpr": "20 %"}}).sentence
    assert "fpr 20 % printed, 15/107 = 14.0" in sentence
    sentence = scoreproof.check({"experiment": {"p": 60, "n": 107}, "matrix": MATRIX, "scores": TRUE}).sentence
    assert "TP 56 and FN 3 are 59 positives, not 60" in sentence


def test_counts_may_stand_among_the_scores():
    scores = {"TP": "56", "False positives": "15", "fn": 3, "tn": "92"}
    assert status(scores=scores | TRUE) == "consistent"
    assert status(scores=scores | WRONG) == "inconsistent"


def test_counts_of_a_part_are_about_that_part():
    folds = [{"p": 10, "n": 10, "matrix": {"tp": 9, "tn": 8}}, {"p": 10, "n": 10, "scores": {"acc": "0.75"}}]
    assert status(experiment={"folds": folds, "aggregate": "mean"}, scores={"acc": "0.80"}) == "consistent"
    assert status(experiment={"folds": folds, "aggregate": "mean"}, scores={"acc": "0.85"}) == "inconsistent"


def test_counts_of_repeats_are_added_up():
    claim = {"experiment": {"folds": 5, "repeats": 2}, "scores": {"acc": "0.80"}}
    for tp, expected in ((16, "consistent"), (8, "inconsistent")):
        matrix = {"tp": tp, "fn": 20 - tp, "fp": 4, "tn": 16}
        assert status(**claim, matrix=matrix) == expected


@pytest.mark.parametrize(
    "matrix, scores, expected",
    [
        ({"tp": 56, "fp": 15}, {"ppv": "0.79"}, "consistent"),
        ({"tp": 56, "fp": 15}, {"ppv": "0.80"}, "inconsistent"),
        ({"tp": 56, "predicted_positive": 71}, {"fdr": "0.25"}, "inconsistent"),
        ({"tp": 56, "fn": 3, "fp": 15}, {"f1": "0.86"}, "consistent"),
        ({"tp": 56, "fn": 3, "fp": 15}, {"f1": "0.87"}, "inconsistent"),
    ],
)
def test_shares_follow_from_cells_without_class_counts(matrix, scores, expected):
    assert status(matrix=matrix, scores=scores) == expected


def test_what_is_not_used_is_said():
    assert "tp could not be used" in scoreproof.check({"matrix": {"tp": 5}, "scores": {"ppv": "0.8"}}).notes[0]
    (note,) = scoreproof.check({"matrix": {"predicted_positive": 5}, "scores": {"ppv": "0.8"}}).notes
    assert "predicted_positive was not used" in note
    large = {
        "experiment": {"p": 10**6, "n": 10**6},
        "matrix": {"predicted_positive": 10**6},
        "scores": {"acc": "0.8"},
    }
    assert "predicted_positive was not used" in scoreproof.check(large).notes[0]
    means = {
        "experiment": {"p": 10, "n": 20, "folds": 5, "aggregate": "mean"},
        "scores": {"acc": "0.9 (27/30)"},
    }
    assert "the counts 27/30 beside acc were not used" in scoreproof.check(means).notes


@pytest.mark.parametrize(
    "scores, expected",
    [
        ({"sens": "98.33 % (59/60)"}, "consistent"),
        ({"sens": "97 % (59/60)"}, "inconsistent"),
        ({"sens": "98.33 % (59/60)", "spec": "50.0 % (10/20)", "acc": "0.863"}, "consistent"),
        ({"sens": "98.33 % (59/60)", "spec": "50.0 % (10/20)", "acc": "0.873"}, "inconsistent"),
        ({"sens": "59/60", "spec": "10/20", "bacc": "0.7417"}, "consistent"),
        ({"sens": "59/60", "spec": "10/20", "bacc": "0.7517"}, "inconsistent"),
    ],
)
def test_counts_beside_figures_say_what_the_class_counts_were(scores, expected):
    assert status(scores=scores) == expected


@pytest.mark.parametrize(
    "claim, field",
    [
        ({"matrix": {"tp": -1}}, "matrix.tp"),
        ({"matrix": {"tp": "5"}}, "matrix.tp"),
        ({"matrix": {"tpp": 5}}, "matrix.tpp"),
        ({"matrix": {"tp": 5}, "scores": {"tp": "5"}}, "scores.tp"),
        ({"scores": {"tp": "5.5"}}, "scores.tp"),
        ({"matrix": [1, 2, 3, 4]}, "matrix"),
        ({"experiment": {"classes": [3, 4, 5]}, "matrix": {"tp": 3}, "scores": {"acc": "0.5"}}, "matrix"),
        ({"experiment": {"samples": 3}, "matrix": {"tp": 3}, "scores": {"mae": "0.5"}}, "matrix"),
    ],
)
def test_what_is_wrong_with_a_matrix_is_said(claim, field):
    with pytest.raises(BadClaim) as caught:
        scoreproof.check({"experiment": {"p": 10, "n": 10}, **claim})
    assert caught.value.field == field
