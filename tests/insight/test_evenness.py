"""A fit that needs folds further apart than chance puts them says so, and only such a fit."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt
from typing import Any

import scoreproof
from scoreproof.insight.display import markdown, report

#: Pima Indians Diabetes in ten stratified folds: eight of 77 items, two of 76.
PIMA = {"p": 268, "n": 500, "folds": 10, "stratified": True, "aggregate": "mean"}


def pima(acc: str) -> dict[str, Any]:
    return {"experiment": PIMA, "scores": {"acc": acc}}


def fits_evenly(acc: str, low: Fraction, high: Fraction) -> bool:
    """Whether correct items of folds that all lie between the two shares have the mean."""
    half = Fraction(1, 20_000)
    large = [k for k in range(78) if low <= Fraction(k, 77) <= high]
    small = [k for k in range(77) if low <= Fraction(k, 76) <= high]
    return any(
        abs((Fraction(a, 77) + Fraction(b, 76)) / 10 - Fraction(acc)) <= half
        for a in range(8 * large[0], 8 * large[-1] + 1)
        for b in range(2 * small[0], 2 * small[-1] + 1)
    )


def test_a_fit_that_needs_unlike_folds_says_so() -> None:
    verdict = scoreproof.check(pima("0.7338"))
    assert verdict.status == "consistent"
    assert verdict.unevenness == (
        "these figures need folds that are very unlike: acc runs from 0.50 to 0.79 over the folds of the "
        "example, while chance alone leaves nearly all folds between 0.53 and 0.94, and no such folds fit"
    )
    assert not fits_evenly("0.7338", Fraction(53, 100), Fraction(94, 100))
    assert fits_evenly("0.7338", Fraction(40, 100), Fraction(94, 100))
    for shown in (report(verdict), markdown(verdict), scoreproof.explain(verdict).paragraph):
        assert "hese figures need folds that are very unlike" in shown
    assert verdict.to_dict()["unevenness"] == verdict.unevenness


def test_unlike_folds_are_said_to_be_needed_exactly_where_no_others_fit() -> None:
    said = 0
    for acc in range(7300, 7400, 2):
        verdict = scoreproof.check(pima(f"0.{acc}"))
        if verdict.status == "consistent":
            mean = acc / 10_000
            reach = 4 * sqrt(mean * (1 - mean) / 76)
            low, high = Fraction(int((mean - reach) * 100), 100), Fraction(int((mean + reach) * 100) + 1, 100)
            said += bool(verdict.unevenness)
            assert bool(verdict.unevenness) == (not fits_evenly(f"0.{acc}", low, high)), acc
    assert said > 5


def test_folds_that_chance_made_are_not_called_unlike() -> None:
    chance = random.Random(4)
    for _ in range(30):
        folds = [(chance.randint(20, 22), chance.randint(40, 42)) for _ in range(5)]
        found = [(sum(chance.random() < 0.8 for _ in range(p)), sum(chance.random() < 0.9 for _ in range(n)))
                 for p, n in folds]  # fmt: skip
        sens = sum(tp / p for (tp, _), (p, _) in zip(found, folds, strict=True)) / 5
        spec = sum(tn / n for (_, tn), (_, n) in zip(found, folds, strict=True)) / 5
        parts = [{"p": p, "n": n} for p, n in folds]
        scores = {"sens": f"{sens:.4f}", "spec": f"{spec:.4f}"}
        verdict = scoreproof.check({"experiment": {"folds": parts, "aggregate": "mean"}, "scores": scores})
        assert verdict.status == "consistent" and not verdict.unevenness


def test_datasets_may_be_unlike() -> None:
    parts = [{"p": 100, "n": 100}, {"p": 100, "n": 100}]
    claim = {"experiment": {"parts": parts, "aggregate": "mean"}, "scores": {"sens": "0.500"}}
    assert scoreproof.check(claim).unevenness == ""


def test_one_matrix_has_nothing_to_be_uneven() -> None:
    assert scoreproof.check({"experiment": {"p": 10, "n": 10}, "scores": {"acc": "0.90"}}).unevenness == ""
