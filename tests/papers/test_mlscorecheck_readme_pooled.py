"""The examples whose counts are pooled before scoring ("ratio of means").

G. Kovács, A. Fazekas, "mlscorecheck: testing the consistency of binary classification
performance scores", documentation, "1 dataset with kfold ratio-of-means (RoM)" and "n datasets
with k-folds, RoM over datasets and RoM over folds".  The counts of glass_0_1_6_vs_2 (17, 175)
and saheart (160, 302) are those of its registry.  Bounds on single folds are left out here: they
need the folds one by one.
"""

from __future__ import annotations

import scoreproof


def test_one_dataset_is_inconsistent_because_of_its_sensitivity_alone():
    """Two repeats of 17 positives: 34·0.59 = 20.06 and 34·0.61 = 20.74 enclose no whole number."""
    verdict = scoreproof.check(
        {
            "experiment": {
                "p": 17,
                "n": 175,
                "folds": 4,
                "repeats": 2,
                "stratified": True,
                "aggregate": "pooled",
            },
            "scores": {"acc": "0.9", "npv": "0.9", "sens": "0.6", "f1p": "0.95", "spec": "0.8"},
            "rounding": {"eps": "0.01"},
        }
    )
    assert verdict.status == "inconsistent"
    assert verdict.conflict == ("sens",)
    assert scoreproof.verify(verdict)


def test_two_datasets_are_consistent():
    verdict = scoreproof.check(
        {
            "experiment": {
                "parts": [
                    {"p": 389, "n": 630, "folds": 6, "repeats": 3, "stratified": True, "aggregate": "pooled"},
                    {"p": 160, "n": 302, "folds": 2, "repeats": 5, "stratified": True, "aggregate": "pooled"},
                ],
                "aggregate": "pooled",
            },
            "scores": {"acc": "0.467", "sens": "0.432", "spec": "0.488", "f1p": "0.373"},
            "rounding": {"eps": "0.001"},
        }
    )
    assert (verdict.status, verdict.count) == ("consistent", 25)
    assert verdict.witness.matrix.p == 3 * 389 + 5 * 160
    assert verdict.witness.matrix.n == 3 * 630 + 5 * 302
    assert scoreproof.verify(verdict)
