"""The worked example of the one-matrix test, which does not hold as printed.

A. Fazekas, G. Kovács, "Testing the Consistency of Performance Scores Reported for Binary
Classification Problems", section 3.3: p = 1000, n = 6000, accuracy 0.6801, negative predictive
value 0.9401, F1 0.4004, uncertainty 0.0001.  The paper finds the pairs (743, 4031) and
(743, 4032), none with accuracy 0.6811, and none with p = 1100.
"""

from __future__ import annotations

import json

import pytest
from brute import Case, Figure

import scoreproof


def claim(accuracy, p=1000):
    return {
        "experiment": {"p": p, "n": 6000},
        "scores": {"acc": accuracy, "npv": "0.9401", "f1": "0.4004"},
        "rounding": {"eps": "0.0001"},
    }


@pytest.mark.parametrize(
    "accuracy, p", [("0.6801", 1000), ("0.6811", 1000), ("0.6801", 1100), ("0.6811", 1100), ("0.6821", 1100)]
)
def test_no_matrix_gives_the_figures(accuracy, p):
    verdict = scoreproof.check(claim(accuracy, p))
    assert (verdict.status, verdict.count) == ("inconsistent", 0)
    assert scoreproof.verify(json.dumps(verdict.to_dict()))


def test_the_printed_figures_clash_only_all_together():
    assert set(scoreproof.check(claim("0.6801")).conflict) == {"acc", "npv", "f1"}


def test_accuracy_0_6821_gives_exactly_the_two_printed_pairs():
    verdict = scoreproof.check(claim("0.6821"))
    assert (verdict.status, verdict.count) == ("consistent", 2)
    assert (verdict.witness.tp, verdict.witness.tn) in {(743, 4031), (743, 4032)}
    figures = {"acc": Figure(6821, 4), "npv": Figure(9401, 4), "f1": Figure(4004, 4)}
    case = Case(1000, 6000, figures, dict.fromkeys(figures, figures["acc"].unit))
    around = [(tp, tn) for tp in range(740, 747) for tn in range(4020, 4043) if case.admits(tp, tn)]
    assert around == [(743, 4031), (743, 4032)]


def test_the_printed_pairs_have_accuracy_0_682():
    """(743 + 4031)/7000 = 0.6820 and (743 + 4032)/7000 = 0.68214…"""
    for tn in (4031, 4032):
        assert round((743 + tn) / 7000, 3) == 0.682


def test_the_others_leave_accuracy_a_narrow_range_around_0_682():
    found = scoreproof.check(claim("0.6801")).ranges["acc"]
    assert found.exact
    assert 0.6811 < float(found.lowest) < float(found.highest) < 0.6831
