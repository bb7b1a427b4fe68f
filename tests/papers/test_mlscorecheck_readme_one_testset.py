"""The examples of one test set without folds.

G. Kovács, A. Fazekas, "mlscorecheck: testing the consistency of binary classification
performance scores", documentation, "1 testset with no kfold".  The counts of the ADA dataset
(1029 positive, 3118 negative) are those of its registry.
"""

from __future__ import annotations

import scoreproof


def test_the_first_example_is_consistent():
    verdict = scoreproof.check(
        {
            "experiment": {"p": 530, "n": 902},
            "scores": {"acc": "0.62", "sens": "0.22", "spec": "0.86", "f1p": "0.3", "fm": "0.32"},
            "rounding": {"eps": "0.01"},
        }
    )
    assert (verdict.status, verdict.count) == ("consistent", 130)
    assert scoreproof.verify(verdict)


def test_the_second_example_is_inconsistent():
    verdict = scoreproof.check(
        {
            "experiment": {"p": 1029, "n": 3118},
            "scores": {"acc": "0.954", "sens": "0.934", "spec": "0.985", "ppv": "0.901"},
            "rounding": {"eps": "0.001"},
        }
    )
    assert verdict.status == "inconsistent"
    assert set(verdict.conflict) == {"acc", "sens", "spec"}
    assert scoreproof.verify(verdict)
