"""Explanations of claims that are not only about confusion matrices."""

from __future__ import annotations

import pytest

import scoreproof

CLAIMS = [
    {"experiment": {"p": 50, "n": 100}, "scores": {"auc": "0.91", "sens": "0.911"}},
    {"experiment": {"p": 50, "n": 100}, "scores": {"auc": "0.50", "sens": "0.90", "spec": "0.90"}},
    {"experiment": {"p": 50, "n": 100}, "scores": {"gini": "0.1", "sens": "0.901"}},
    {"experiment": {"p": 50, "n": 100}, "scores": {"ap": "0.95", "sens": "0.901"}},
    {"experiment": {"samples": 100, "variance": "0.0831"}, "scores": {"mae": "0.5", "rmse": "0.1"}},
    {"experiment": {"classes": [10, 20, 30]}, "scores": {"acc": "0.911"}},
    {
        "experiment": {"p": 96, "n": 200},
        "scores": {"sens": "0.92 (0.84-0.97)"},
        "conventions": {"ci": "wilson"},
    },
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: " ".join(claim["scores"]))
def test_every_explanation_fits_and_says_how_surprising_that_is(claim):
    found = scoreproof.explain(claim, timeout=60)
    assert found.verdict.status == "inconsistent" and found.clashes and found.paragraph
    for each in found.explanations:
        assert 0 <= each.share <= 1
        assert scoreproof.check(each.claim, timeout=60).status == "consistent"


def test_a_figure_of_a_ranking_is_mended():
    found = scoreproof.explain(CLAIMS[0], timeout=60)
    assert any("sens 0.911" in each.words for each in found.explanations)


def test_a_slip_in_a_report_on_classes_is_named():
    report = {
        "experiment": {"classes": {"a": 50, "b": 50, "c": 50}},
        "per_class": {"a": {"ppv": "0.9792", "sens": "0.9400", "f1": "0.9092"}},
        "scores": {"acc": "0.9400", "sens_macro": "0.9400"},
    }
    first = scoreproof.explain(report, timeout=None).explanations[0]
    assert first.words == "f1 (a) 0.9092 is a slip for 0.9592" and not first.weak
    macro = {**report, "per_class": {}, "scores": {"acc": "0.9400", "sens_macro": "0.9600"}}
    first = scoreproof.explain(macro, timeout=None).explanations[0]
    assert "sens_macro 0.9600 is a slip for 0.9400" in (first.words, *first.also)


def test_a_slip_after_the_sign_is_named():
    # four folds of 10 and 20, sensitivity 8, 9, 7 and 8 of 10, specificity 18, 18, 19 and 17 of 20
    claim = {
        "experiment": {"p": 40, "n": 80, "folds": 4, "stratified": True, "aggregate": "mean"},
        "scores": {"sens": "0.8000 ± 0.0816", "spec": "0.9000 ± 0.0408", "acc": "0.8667 ± 0.0212"},
    }
    # (26, 27, 26, 25) of 30: ± 0.0272
    first = scoreproof.explain(claim, timeout=None).explanations[0]
    assert first.cause == "slip after ±"
    assert "acc 0.8667 ± 0.0212 is a slip for 0.8667 ± 0.0272" in (first.words, *first.also)
