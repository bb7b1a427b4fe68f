"""Figures of three classes that mlscorecheck 1.0.3 accepts although no confusion matrix gives them.

Measured with check_1_testset_no_kfold_micro and check_1_testset_no_kfold_macro of that package,
testset {0: 30, 1: 40, 2: 50}, eps 1e-4: all report "inconsistency: False".  It treats every class
as a matrix of its own, but the false positives of all classes are their false negatives.
"""

from __future__ import annotations

import pytest

import scoreproof


@pytest.mark.parametrize(
    "scores",
    [
        {"sens_micro": "0.9167", "ppv_micro": "0.9016"},  # of 110 correct items both are 0.9167
        {"sens_macro": "0.9833", "spec_macro": "0.9000"},  # few missed, many false alarms
        {"acc_macro": "0.9500", "spec_macro": "0.9700"},  # 9 wrong items are at least 9/90 in all
        {"acc_macro": "0.9000", "sens_macro": "0.9000", "spec_macro": "0.9000"},
    ],
)
def test_classes_are_not_independent(scores: dict[str, str]) -> None:
    claim = {"experiment": {"classes": [30, 40, 50]}, "scores": scores, "rounding": {"eps": "0.0001"}}
    verdict = scoreproof.check(claim)
    assert verdict.status == "inconsistent"
    assert scoreproof.verify(verdict.to_dict()) is True
