"""The interval example of the one-matrix test.

A. Fazekas, G. Kovács, "Testing the Consistency of Performance Scores Reported for Binary
Classification Problems", section 3.2, equation (4): with p = 40, n = 70 and accuracy 0.927
(uncertainty 0.001), tp = 30 leads to tn in [71.86, 72.08], "that is, the only integer tn can
take is tn = 72".
"""

from __future__ import annotations

from fractions import Fraction

import scoreproof
from scoreproof.solve.one_matrix.regions import regions

CLAIM = {"experiment": {"p": 40, "n": 70}, "scores": {"acc": "0.927"}, "rounding": {"eps": "0.001"}}


def test_the_interval_for_tn_is_the_printed_one():
    low, high = (Fraction(end) * 110 - 30 for end in ("0.926", "0.928"))
    assert (low, high) == (Fraction("71.86"), Fraction("72.08"))


def test_the_paper_stops_short_of_the_box():
    """tn = 72 is more than the 70 negatives, so tp = 30 fits no matrix at all."""
    (region,) = regions(scoreproof.check(CLAIM).outcomes[0].problem)
    low, high = region.column(30)
    assert low > high


def test_nine_matrices_give_the_accuracy():
    """102 of 110 items are right: tp = 32 … 40."""
    verdict = scoreproof.check(CLAIM)
    assert (verdict.status, verdict.count) == ("consistent", 9)
    assert verdict.witness.tp + verdict.witness.tn == 102
    assert scoreproof.verify(verdict)
