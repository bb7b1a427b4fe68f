"""Preterm delivery, 5-fold cross-validation, if the counts of the folds had been pooled.

A. Fazekas, G. Kovács, "Testing the Consistency of Performance Scores Reported for Binary
Classification Problems", sections 4.2 and 5.2: accuracy 0.9447, sensitivity 0.9139, specificity
0.9733, uncertainty 0.0001; the TPEHG dataset has 38 positive and 262 negative records.  Scores
of summed counts are tested as those of one evaluation set (section 4.2).
"""

from __future__ import annotations

import scoreproof


def test_the_pooled_reading_is_inconsistent_with_the_original_dataset():
    verdict = scoreproof.check(
        {
            "experiment": {"p": 38, "n": 262, "folds": 5, "aggregate": "pooled"},
            "scores": {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"},
            "rounding": {"eps": "0.0001"},
        }
    )
    assert verdict.status == "inconsistent"
    assert len(verdict.conflict) == 1  # no count of 38, 262 or 300 items gives its figure
    assert scoreproof.verify(verdict)
