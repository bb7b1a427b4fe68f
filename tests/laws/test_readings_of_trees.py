"""Nested trees, equal parts and parts of parts: claims made from known matrices are never refused."""

from __future__ import annotations

import pytest

import scoreproof

TWO_MEANS = [{"folds": [{"p": 1, "n": 1}, {"p": 1, "n": 1}], "aggregate": "mean"}] * 2
HONEST = {
    "equal parts, each with its own unknown counts, pooled": {
        "experiment": {"parts": [{"total": 3}, {"total": 3}], "aggregate": "pooled"},
        "scores": {"sens": "0.3333", "spec": "0.3333"},
    },
    "equal parts with a range of counts, averaged": {
        "experiment": {"parts": [{"p": [2, 3], "n": 4}] * 2, "aggregate": "mean"},
        "scores": {"sens": "0.4167"},
    },
    "equal parts with dropped items, averaged": {
        "experiment": {"parts": [{"p": 3, "n": 4, "dropped": 1}] * 2, "aggregate": "mean"},
        "scores": {"sens": "0.4167"},
    },
    "equal choices, each its own": {
        "experiment": {"parts": [{"one_of": [{"p": 2, "n": 4}, {"p": 3, "n": 4}]}] * 2, "aggregate": "mean"},
        "scores": {"sens": "0.4167"},
    },
    "bounds on parts that are means": {
        "experiment": {"aggregate": "mean", "parts": TWO_MEANS, "bounds": {"sens": [0.4, 0.6]}},
        "scores": {"sens": "0.5000"},
    },
    "a deviation over parts that are means": {
        "experiment": {"aggregate": "mean", "parts": TWO_MEANS, "within": {"acc": {"sd": "0.1250"}}},
        "scores": {"acc": "0.6250"},
        "conventions": {"sd": "population"},
    },
    "± over parts that are means": {
        "experiment": {"aggregate": "mean", "parts": TWO_MEANS},
        "scores": {"acc": "0.6250 ± 0.1250"},
        "conventions": {"sd": "population"},
    },
    "a deviation over the runs of a list of folds": {
        "experiment": {
            "p": 4, "n": 6, "folds": [{"p": 2, "n": 3}] * 4, "aggregate": "mean",
            "within": {"acc": {"sd": "0.1414", "over": "repeats"}},
        },
        "scores": {"acc": "0.8000"},
    },
    "a deviation over repeats of pooled counts": {
        "experiment": {
            "p": 4, "n": 6, "folds": 2, "repeats": 2, "stratified": True, "aggregate": "pooled",
            "within": {"acc": {"sd": "0.1414", "over": "repeats"}},
        },
        "scores": {"acc": "0.8000"},
    },
    "F of means for the negative class": {
        "experiment": {"folds": [{"p": 2, "n": 2}, {"p": 2, "n": 2}], "aggregate": "mean"},
        "scores": {"f1n": "0.7895", "npv": "0.8333", "spec": "0.7500"},
        "conventions": {"f_mean": "of_means"},
    },
    "an F-measure printed only about the parts": {
        "experiment": {
            "parts": [{"p": 3, "n": 0}, {"p": 2, "n": 3}, {"p": 3, "n": 0}], "aggregate": "mean",
            "within": {"f1": {"max": "1.000", "sd": "0.707"}},
        },
        "scores": {"mk": "-1.000"},
        "conventions": {"undefined": "skip"},
    },
    "a prevalence cut off like the other figures": {
        "experiment": {"total": 1000, "prevalence": "12 %"},
        "scores": {"sens": "1.0000", "ppv": "0.1290", "spec": "0.0000"},
        "rounding": "down",
    },
}  # fmt: skip

#: Sound, but beyond what the engines express: never refused, perhaps undecided.
NOT_REFUSED = {
    "a mean of means that leaves undefined folds out": {
        "experiment": {"aggregate": "mean", "parts": [
            {"folds": [{"p": 0, "n": 2}, {"p": 1, "n": 2}], "aggregate": "mean"},
            {"folds": [{"p": 1, "n": 2}, {"p": 1, "n": 2}], "aggregate": "mean"},
        ]},
        "scores": {"sens": "0.5000"},
        "conventions": {"undefined": "skip"},
    },
    "extremes over parts that are means": {
        "experiment": {
            "aggregate": "mean", "parts": TWO_MEANS,
            "within": {"acc": {"min": "0.5000", "max": "0.7500"}},
        },
        "scores": {"acc": "0.6250"},
    },
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_honest_claims_about_trees_fit(name):
    verdict = scoreproof.check(HONEST[name])
    assert verdict.status == "consistent"
    assert scoreproof.verify(verdict)


@pytest.mark.parametrize("name", NOT_REFUSED)
def test_what_cannot_be_expressed_is_never_refused(name):
    verdict = scoreproof.check(NOT_REFUSED[name])
    assert verdict.status != "inconsistent" and scoreproof.verify(verdict)


@pytest.mark.parametrize(
    "experiment",
    [
        {"folds": [{"p": 2, "n": 3}] * 4, "aggregate": "mean"},
        {"p": 4, "n": 6, "folds": [{"p": 2, "n": 3}, {"p": 2, "n": 3}, {"p": 4, "n": 6}], "aggregate": "mean"},
        {"p": 4, "n": 6, "folds": 2, "aggregate": "mean"},
    ],
)
def test_a_deviation_over_repeats_needs_repeats(experiment):
    claim = {
        "experiment": {**experiment, "within": {"acc": {"sd": "0.1", "over": "repeats"}}},
        "scores": {"acc": "0.8"},
    }
    with pytest.raises(scoreproof.BadClaim, match="over"):
        scoreproof.check(claim)


def test_figures_about_parts_need_parts():
    for key, value in (("bounds", {"acc": [0, 1]}), ("within", {"acc": {"min": "0.5"}})):
        with pytest.raises(scoreproof.BadClaim, match=key):
            scoreproof.check({"experiment": {"p": 3, "n": 4}, "scores": {"acc": "0.57"}, key: value})


@pytest.mark.parametrize("score", ["bm", "kappa", "mcc"])
def test_a_deviation_above_one_is_a_verdict(score):
    claim = {
        "experiment": {
            "p": 4, "n": 4, "folds": 2, "repeats": 2, "stratified": True, "aggregate": "mean",
            "within": {score: {"sd": "1.41", "over": "repeats"}},
        },
        "scores": {score: "0.00"},
    }  # fmt: skip
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent" and scoreproof.verify(verdict)


def test_huge_counts_with_unknown_folds_are_a_verdict():
    claim = {
        "experiment": {"p": 10**30, "n": 3 * 10**30 + 7, "folds": 2, "aggregate": "mean"},
        "scores": {"mcc": "0.8312", "f1": "0.9301"},
    }
    assert scoreproof.check(claim, timeout=2).status == "undecided"


def test_an_undefined_score_counted_as_zero_makes_its_complement_one():
    claim = {"experiment": {"p": 5, "n": 5}, "conventions": {"undefined": "zero"}}
    said = {
        fdr: scoreproof.check({**claim, "scores": {"fdr": fdr, "sens": "0.0000", "spec": "1.0000"}}).status
        for fdr in ("1.0000", "0.0000")
    }
    assert said == {"1.0000": "consistent", "0.0000": "inconsistent"}
