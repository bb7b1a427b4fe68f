"""The closed forms for a claim that prints nothing but its accuracy.

F. Giobergia, E. Baralis, "RECLAIM: Reverse Engineering Classification Metrics", IEEE AIKE 2022:
Table II (boundaries of tp), equations (3) recall, (6) and (7) precision, (10) F1.
"""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from campaign import share

import scoreproof
from scoreproof.writing import show

#: Sizes whose shares are short decimals, so that an exact accuracy can be printed.
SIZES = [2**a * 5**b for a in range(8) for b in range(6) if 4 <= 2**a * 5**b <= 50_000]


def table_2(c, positives, right):
    """Table II: the least and the most true positives."""
    least = right - c + positives if right > c - positives else 0
    most = positives if right > positives else right
    return least, most


def agree(rng):
    c = rng.choice(SIZES)
    positives, right = rng.randint(1, c - 1), rng.randint(0, c)
    claim = {
        "experiment": {"p": positives, "n": c - positives},
        "scores": {"acc": show(F(right, c))},
        "rounding": {"eps": "0"},
    }
    found = scoreproof.reconstruct(claim, ["sens", "ppv", "f1"], timeout=None, most=1)
    least, most = table_2(c, positives, right)
    assert (found["tp"].lowest, found["tp"].highest) == (least, most), claim
    assert (found["sens"].lowest, found["sens"].highest) == (F(least, positives), F(most, positives)), claim
    if c > right or least:
        ends = [F(2 * tp, 2 * tp + c - right) if tp or c > right else None for tp in (least, most)]
        assert [found["f1"].lowest, found["f1"].highest] == ends, claim
    below = [2 * tp + c - right - positives for tp in (least, most)]
    if 0 not in below:
        ends = sorted(F(tp, down) for tp, down in zip((least, most), below, strict=True))
        assert [found["ppv"].lowest, found["ppv"].highest] == ends, claim


def test_the_closed_forms_are_our_ranges():
    rng = random.Random(1)
    for _ in range(500):
        agree(rng)


@pytest.mark.campaign
def test_the_closed_forms_are_our_ranges_at_length():
    rng = random.Random(2)
    for _ in range(share(10_000)):
        agree(rng)
