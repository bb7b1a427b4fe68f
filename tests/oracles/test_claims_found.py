"""Small claims that were once decided wrongly, each with what is right and why."""

from __future__ import annotations

from typing import Any

import pytest
from claims import enumerate as brute
from claims.reader import readings

import scoreproof

TWO_FOLDS = [{"p": 1, "n": 1}, {"p": 1, "n": 1}]
FOUND: dict[str, dict[str, Any]] = {
    # One fold of the first part with accuracy 0, the other with 1: the part itself has 1/2, as the second.
    "the smallest part of a pooled tree may be a mean over folds": {
        "experiment": {
            "parts": [{"folds": TWO_FOLDS, "aggregate": "mean"}, {"p": 1, "n": 1, "scores": {"acc": "0.5"}}],
            "aggregate": "pooled",
        },
        "scores": {"acc": "0.5", "sens": "0.3"},
        "within": {"acc": {"sd": "0.0"}, "sens": {"sd": "0.4"}},
    },
    # sens of the parts: 1 of 2 and 1 of 1; of their folds: 0, 1 and 1.
    "bounds on the parts of a pooled tree do not bind their folds": {
        "experiment": {
            "parts": [{"folds": TWO_FOLDS, "aggregate": "mean"}, {"p": 1, "n": 1}],
            "aggregate": "pooled",
        },
        "scores": {"sens": "0.67"},
        "bounds": {"sens": [0.5, 1]},
    },
    # Both positives found and one false alarm: F1 is 4/5, which no mean of 0, 2/3 and 1 (of one fold) is.
    "a part that pools a score is averaged with its pooled score": {
        "experiment": {
            "parts": [{"folds": TWO_FOLDS, "aggregate": {"f1": "pooled"}}, {"p": 1, "n": 1}],
            "aggregate": "mean",
        },
        "scores": {"f1": "0.9000"},
    },
    "a part of unknown folds that pools its scores is averaged with its pooled score": {
        "experiment": {
            "parts": [
                {"p": 2, "n": 2, "folds": 2, "aggregate": "pooled", "within": {"acc": {"max": "1.0"}}},
                {"p": 1, "n": 1},
            ],
            "aggregate": "mean",
        },
        "scores": {"f1": "0.9000"},
    },
    # Where nothing is called positive, precision is left out, so the bound says nothing of that part.
    "a bound says nothing of a pooled part whose score is left out": {
        "experiment": {
            "parts": [
                {
                    "folds": [{"p": 1, "n": 1, "scores": {"sens": "0.0"}}, {"p": 1, "n": 1}],
                    "aggregate": "pooled",
                },
                {"p": 1, "n": 1},
            ],
            "aggregate": "mean",
        },
        "scores": {"spec": "1.0", "sens": "0.5"},
        "bounds": {"ppv": [0.9, 1]},
        "conventions": {"undefined": "skip"},
    },
}


@pytest.mark.parametrize("law", FOUND)
def test_what_matrices_give_is_never_called_inconsistent(law: str) -> None:
    claim = FOUND[law]
    assert any(brute.possible(reading) for reading in readings(claim))
    verdict = scoreproof.check(claim)
    assert verdict.status != "inconsistent"
    assert scoreproof.verify(verdict) is True


# The folds: b -> b, where the specificity of b is 0/0 and left out, so that of a, 1, is the mean; and
# a -> b, b -> b with 1 and 0.  Their mean is 3/4, whatever was left out of the first.
LEFT_OUT_OF_ONE_FOLD: dict[str, Any] = {
    "experiment": {
        "folds": [{"classes": {"a": 0, "b": 1}}, {"classes": {"a": 1, "b": 1}}],
        "aggregate": "mean",
    },
    "scores": {"spec_macro": "0.75"},
    "conventions": {"undefined": "skip"},
}


def test_a_class_left_out_of_one_fold_leaves_the_weight_of_the_folds_alone() -> None:
    assert brute.possible(readings(LEFT_OUT_OF_ONE_FOLD)[0])
    assert scoreproof.check(LEFT_OUT_OF_ONE_FOLD).status == "consistent"


def test_equal_parts_may_have_statistics_about_their_folds() -> None:
    part = {"folds": TWO_FOLDS, "aggregate": "mean", "within": {"acc": {"sd": "0.0"}}}
    claim = {"experiment": {"parts": [part, {"p": 1, "n": 1}], "aggregate": "mean"}, "scores": {"acc": "0.5"}}
    assert scoreproof.check(claim).status == "consistent"


def test_figures_beside_a_left_out_one_still_refute() -> None:
    claim = {**FOUND["a part that pools a score is averaged with its pooled score"]}
    claim["scores"] = {"f1": "0.9000", "acc": "0.60"}  # quarters of the folds, halves of the set
    assert not any(brute.possible(reading) for reading in readings(claim))
    assert scoreproof.check(claim).status == "inconsistent"
