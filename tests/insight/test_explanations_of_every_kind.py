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
