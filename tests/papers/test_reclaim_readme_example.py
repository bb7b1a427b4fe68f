"""The worked example of RECLAIM's README.

F. Giobergia, E. Baralis, "RECLAIM: Reverse Engineering Classification Metrics", IEEE AIKE 2022,
pp. 106-113.  2000 points, 994 of them positive, accuracy 0.898 and F1 0.8968; the matrix behind
them has 886 true positives, 910 true negatives, 96 false positives and 108 false negatives.
"""

from __future__ import annotations

from fractions import Fraction

import scoreproof
from scoreproof.scores import Matrix

EXPERIMENT = {"p": 994, "n": 1006}


def test_all_matrices_are_listed_and_the_true_one_is_among_them():
    found = scoreproof.reconstruct({"experiment": EXPERIMENT, "scores": {"acc": "0.898", "f1": "0.8968"}})
    assert found.matrices == (
        Matrix(tp=882, fp=91, fn=112, tn=915),
        Matrix(tp=886, fp=96, fn=108, tn=910),
        Matrix(tp=891, fp=102, fn=103, tn=904),
    )
    for matrix in found.matrices:
        right = matrix.tp + matrix.tn
        assert abs(Fraction(right, 2000) - Fraction("0.898")) <= Fraction("0.0005")
        assert abs(
            Fraction(2 * matrix.tp, matrix.tp + 2000 - right + matrix.tp) - Fraction("0.8968")
        ) <= Fraction("0.00005")


def test_the_exact_accuracy_alone_bounds_f1():
    """Between tp = 790 (all negatives right) and tp = 994 (all positives right) of 1796."""
    claim = {"experiment": EXPERIMENT, "scores": {"acc": "0.898"}, "rounding": {"eps": "0"}}
    found = scoreproof.reconstruct(claim)["f1"]
    assert (found.lowest, found.highest) == (Fraction(2 * 790, 2 * 790 + 204), Fraction(2 * 994, 2 * 994 + 204))
    assert str(float(found.lowest)).startswith("0.88565") and str(float(found.highest)).startswith("0.90693")
    assert (found.lowest_witness.tn, found.highest_witness.tp) == (1006, 994)
