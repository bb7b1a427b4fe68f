"""Figures far outside their range and counts beyond all machine numbers give verdicts, not exceptions."""

from __future__ import annotations

import pytest

import scoreproof

FOLDS = {"p": 30, "n": 40, "folds": 5, "aggregate": "mean"}
EXPERIMENTS = {
    "one matrix": {"p": 30, "n": 40},
    "unknown folds": FOLDS,
    "stratified folds": {**FOLDS, "stratified": True},
    "parts": {"parts": [{"p": 3, "n": 4}, {"p": 5, "n": 6}], "aggregate": "mean"},
}
FAR = [("f1", "1e6 ± 1"), ("acc", "1e60"), ("mcc", "-1e9 ± 1e3"), ("dor", "1e60 ± 1e50"), ("lrp", "1e55")]


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=EXPERIMENTS)
@pytest.mark.parametrize(("score", "figure"), FAR)
def test_a_readable_figure_outside_its_range_is_a_verdict(experiment, score, figure):
    verdict = scoreproof.check({"experiment": experiment, "scores": {score: figure}})
    assert verdict.status == "inconsistent"
    assert scoreproof.verify(verdict.to_dict())


@pytest.mark.parametrize("size", [10**18, 10**30, 10**60])
@pytest.mark.parametrize(
    ("experiment", "scores"),
    [
        ({"classes": [3, 4, 0]}, {"f1_weighted": "0.8123", "f1_macro": "0.7777", "acc": "0.5"}),
        ({"classes": [3, 4, 0]}, {"recall_weighted": "0.9", "acc": "0.5"}),
        ({"p": 7, "n": 0, "folds": 3, "aggregate": "mean"}, {"mcc": "0.5", "sens": "0.2", "spec": "0.7"}),
        ({"p": 7, "n": 0, "folds": 3, "aggregate": "mean", "stratified": True}, {"f1": "0.95", "sens": "0.30"}),
        ({"p": 7, "n": 0, "folds": 3, "aggregate": "mean"}, {"acc": "0.9447"}),
    ],
)
def test_counts_beyond_all_machine_numbers_give_a_verdict(experiment, scores, size):
    """The proof about a small experiment is also put to the large one, which it may or may not refute."""

    def sized(count):
        if "classes" in experiment:
            return {"experiment": {"classes": [*experiment["classes"][:2], count]}, "scores": scores}
        return {"experiment": {**experiment, "n": count}, "scores": scores}

    assert scoreproof.check(sized(size), timeout=2).status in ("consistent", "inconsistent", "undecided")
    moved = {**scoreproof.check(sized(12)).to_dict(), "claim": sized(size)}
    assert scoreproof.verify(moved) in (True, False)
