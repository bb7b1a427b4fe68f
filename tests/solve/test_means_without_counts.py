"""Means over test sets nobody described: what some matrices give is found to be possible."""

from __future__ import annotations

from random import Random

import pytest

import scoreproof
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.writing import show

SETS = (
    ("ppv", "sens", "f1"),
    ("acc", "ppv", "sens", "f1"),
    ("acc", "sens", "spec", "ppv", "npv", "f1"),
    ("acc", "sens", "spec", "f1", "kappa"),
)


def uneven(draw: Random) -> Matrix:
    """A test set on which a classifier may do well or badly."""
    size = draw.choice((20, 100, 1_000))
    p = draw.randint(1, size - 1)
    tp, tn = (max(1, round(n * draw.choice((0.1, 0.5, 0.8, 0.95, 1.0)))) for n in (p, size - p))
    return Matrix(tp, size - p - tn, p - tp, tn)


@pytest.mark.parametrize("seed", range(24))
def test_means_over_any_test_sets_are_possible(seed: int) -> None:
    draw = Random(seed)
    sets = [uneven(draw) for _ in range(draw.choice((2, 5, 10, 40)))]
    scores = {}
    for name in draw.choice(SETS):
        values = [SCORES[name].value(matrix, ONE) for matrix in sets]
        scores[name] = show(sum(values) / len(values), draw.choice((2, 3, 4)))  # type: ignore[arg-type, type-var]
    verdict = scoreproof.check({"experiment": {"aggregate": "mean"}, "scores": scores})
    assert verdict.status == "consistent", (scores, verdict.sentence)
    assert scoreproof.verify(verdict)


def test_means_at_the_very_end_of_what_is_possible_are_found() -> None:
    # a mean F-measure is above P + R - 1, by less and less as sets with one of both near 0 are more extreme
    scores = {"precision": "85.5%", "recall": "85.5%", "f1": "0.71"}
    verdict = scoreproof.check({"experiment": {"aggregate": "mean"}, "scores": scores})
    assert verdict.status == "consistent" and scoreproof.verify(verdict)
    scores["f1"] = "0.70"
    assert scoreproof.check({"experiment": {"aggregate": "mean"}, "scores": scores}).status != "consistent"
