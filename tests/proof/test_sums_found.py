"""Claims with a solution that were once refuted, and certificates that were once too much to follow."""

from __future__ import annotations


import pytest

from scoreproof import check, verify


@pytest.mark.parametrize(
    ("classes", "scores"),
    [
        ({"a": 8, "b": 9, "c": 5}, {"dor_macro": "4.324", "acc": "0.4545"}),
        ({"a": 4, "b": 15, "c": 5}, {"dor_macro": "6.646", "acc": "0.5833"}),
        ({"a": 4, "b": 10, "c": 7}, {"dor_macro": "3.922", "acc": "0.5238"}),
    ],
)
def test_odds_ratios_next_to_an_undefined_one_are_reached(classes, scores):
    claim = {"experiment": {"classes": classes}, "scores": scores, "conventions": {"undefined": "impossible"}}
    assert check(claim).status != "inconsistent"
    forged = check(claim).to_dict() | {
        "verdict": "inconsistent",
        "witness": None,
        "count": 0,
        "certificate": {"kind": "separating", "weights": [[0, 4096]]},
    }
    assert not verify(forged)
