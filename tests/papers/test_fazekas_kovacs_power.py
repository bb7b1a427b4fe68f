"""A. Fazekas and G. Kovács, "Testing the consistency of performance scores reported for binary
classification problems", sections 5.2 and 5.3: the power of the tests (figures 3 and 5).
"""

from __future__ import annotations

import pytest

from scoreproof import power

LONG = 300.0


@pytest.mark.parametrize(
    ("p", "n"), [(75, 304), (117, 483), (90, 510)], ids=["ISIC2016", "ISIC2017 melanoma", "ISIC2017 keratosis"]
)
def test_figure_5_the_slightest_typo_is_always_noticed_from_three_decimals_on(p, n):
    found = power({"p": p, "n": n}, "typo:acc", decimals=[2, 3, 4], trials=150, timeout=LONG)
    assert found[3].power == found[4].power == 1
    assert 0.4 < found[2].power < 0.9


def test_figure_3_oversampling_before_the_folds_is_noticed_more_often_the_more_decimals_are_printed():
    setup = {"p": 38, "n": 262, "folds": 5, "aggregate": "mean"}
    found = power(setup, "oversampled", decimals=[2, 3, 4], trials=25, seed=3, timeout=LONG)
    two, three, four = (point.power for point in found.points)
    assert two < 0.5 < three < four
    assert four > 0.71  # the figure printed in section 5.2; an exact test refutes more


@pytest.mark.parametrize(("rounding", "least"), [("nearest", 0.93), ("any", 0.88)])
def test_accuracy_alone_refutes_more_than_section_5_2_reports(rounding, least):
    """300 items in 5 folds of 60: the mean accuracy is a multiple of 1/300, whatever the folding.

    A window of ±0.00005 (±0.0001) holds such a multiple in 3 % (6 %) of cases.
    """
    setup = {"p": 38, "n": 262, "folds": 5, "aggregate": "mean"}
    claim = {"experiment": setup, "rounding": rounding}
    found = power(claim, "oversampled", scores=["acc"], decimals=[4], trials=300, timeout=LONG)
    assert found[4].power > least
