"""Reconstructed ranges on matrices of the Adult data's size and balance.

F. Giobergia, E. Baralis, "RECLAIM: Reverse Engineering Classification Metrics", IEEE AIKE 2022,
section IV-E and Table III: 48,842 samples, 7,841 positive, a fifth of them for testing; some of
accuracy, precision, recall and F1 are given with four digits.  RECLAIM finds the least and the
largest of each count by integer programming, and the scores at those bounds.  The classifier itself is
not needed: random matrices of that kind stand for it.
"""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import combinations

import pytest
from campaign import share

import scoreproof
from scoreproof.exact import compare
from scoreproof.scores import SCORES, Matrix
from scoreproof.writing import show

P, N = 1568, 8200
GIVEN = ("acc", "ppv", "sens", "f1")
EPS = F(1, 20_000)


def needed(name, v, tp):
    """The (real) tn at which the score reaches v > 0 with this tp; for recall whether tp does."""
    return {
        "acc": lambda: v * (P + N) - tp,
        "ppv": lambda: N + tp - tp / v,
        "f1": lambda: tp + P + N - 2 * tp / v,
    }[name]()


def integer_programme(printed):
    """The least and largest tp and tn under the rounded figures, one tp after the other.

    tp = 0 is left out, as the paper does: precision is 0/0 there, not what is printed.
    """
    found = []
    for tp in range(1, P + 1):
        low, high = F(0), F(N)
        for name, v in printed.items():
            if name == "sens":
                if not v - EPS <= F(tp, P) <= v + EPS:
                    high = F(-1)
            else:
                low, high = max(low, needed(name, v - EPS, tp)), min(high, needed(name, v + EPS, tp))
        first, last = -(-low.numerator // low.denominator), high.numerator // high.denominator
        if first <= last:
            found.append((tp, first, last))
    return (
        (found[0][0], found[-1][0]),
        (min(first for _, first, _ in found), max(last for _, _, last in found)),
    )


def some_matrix(rng):
    return Matrix.of(rng.randint(P // 2, 3 * P // 4), rng.randint(9 * N // 10, 98 * N // 100), P, N)


def compare_with_bounds(rng, names):
    matrix = some_matrix(rng)
    texts = {name: show(SCORES[name].value(matrix), 4) for name in names}
    found = scoreproof.reconstruct({"experiment": {"p": P, "n": N}, "scores": texts}, timeout=None, most=1)
    tp, tn = integer_programme({name: F(text) for name, text in texts.items()})
    assert (found["tp"].lowest, found["tp"].highest) == tp
    assert (found["tn"].lowest, found["tn"].highest) == tn
    for name, each in found.ranges.items():
        truth = SCORES[name].value(matrix)
        assert each.exact and compare(each.lowest, truth) <= 0 <= compare(each.highest, truth), (matrix, name)
        # Interval arithmetic on the counts: every score is monotone, so its bounds are in two corners.
        corners = [SCORES[name].value(Matrix.of(a, b, P, N)) for a, b in zip(tp, tn, strict=True)]
        if None in corners:
            continue  # a perfect class in the corner: RECLAIM's range has no end there
        low, high = corners if SCORES[name].rises else corners[::-1]
        assert compare(each.lowest, low) >= 0 >= compare(each.highest, high), (matrix, name)
    return found


def test_ranges_hold_the_truth_and_are_never_wider_than_those_from_bounded_counts():
    rng = random.Random(1)
    for size in (1, 2, 3):
        for names in combinations(GIVEN, size):
            compare_with_bounds(rng, names)


def test_recall_says_nothing_about_the_negatives_as_in_the_table():
    """Table III: from (rounded) recall the width of recall is 0, that of accuracy 0.8408 ± 0.0039."""
    found = compare_with_bounds(random.Random(2), ("sens",))
    assert found["sens"].width == 0 and found["acc"].width == F(N, P + N)
    assert abs(found["acc"].width - F("0.8408")) < F("0.0039")


@pytest.mark.campaign
def test_ranges_hold_the_truth_at_length():
    rng = random.Random(3)
    choices = [names for size in (1, 2, 3) for names in combinations(GIVEN, size)]
    for _ in range(share(300)):
        compare_with_bounds(rng, rng.choice(choices))
