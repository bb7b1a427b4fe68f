"""What is said about a claim is the same on a fast and on a slow machine; what the clock cut short says so."""

from __future__ import annotations

import itertools
import json
import time

import pytest

import scoreproof

MEAN = {"folds": 5, "stratified": True, "aggregate": "mean"}
LOOSE = {"folds": 3, "stratified": False, "aggregate": "mean"}

# fmt: off
CLAIMS = {
    "one matrix":     {"experiment": {"p": 100, "n": 200},
                       "scores": {"acc": "0.9567", "sens": "0.9700", "f1": "0.9333"}},
    "one figure":     {"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}},
    "a fit":          {"experiment": {"p": 20, "n": 30}, "scores": {"acc": "0.84", "sens": "0.80"}},
    "known folds":    {"experiment": {"p": 38, "n": 262, **MEAN},
                       "scores": {"acc": "0.9433", "sens": "0.9211"}},
    "folds that fit": {"experiment": {"p": 15, "n": 25, **MEAN}, "scores": {"acc": "0.85", "f1": "0.80"}},
    "unknown folds":  {"experiment": {"p": 6, "n": 9, **LOOSE}, "scores": {"acc": "0.85", "f1": "0.95"}},
    "classes":        {"experiment": {"classes": [6, 5, 4]}, "scores": {"acc": "0.80", "f1_macro": "0.91"}},
    "a ranking":      {"experiment": {"p": 20, "n": 30},
                       "scores": {"auc": "0.5", "sens": "0.95", "spec": "0.9"}},
    "a regression":   {"experiment": {"samples": 100, "variance": "0.08"},
                       "scores": {"mae": "0.1", "rmse": "0.05", "r2": "0.9"}},
}
# fmt: on


def everything(claim, timeout):
    verdict = scoreproof.check(claim, timeout=timeout)
    found = scoreproof.explain(verdict, timeout=timeout)
    said = [verdict.to_dict(), found.to_dict(), found.text(), found.markdown()]
    if verdict.status == "consistent":
        said.append(scoreproof.reconstruct(claim, ["f1", "mcc"], timeout=timeout).to_dict())
    return json.dumps(said, default=str)


@pytest.mark.parametrize("kind", CLAIMS)
def test_nothing_said_depends_on_the_speed_of_the_machine_nor_on_a_limit_that_is_not_reached(kind, monkeypatch):
    said = set()
    # Seconds that pass between two looks at the clock, and the limit.
    for step, timeout in ((0.0, 10.0), (10.0, 10.0**8), (1.0, None)):
        ticks = itertools.count()
        with monkeypatch.context() as patched:
            patched.setattr(time, "monotonic", lambda ticks=ticks, step=step: 1000 + step * next(ticks))
            said.add(everything(CLAIMS[kind], timeout))
    assert len(said) == 1


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is pushed beyond every limit."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize("kind", ["one matrix", "known folds", "unknown folds", "classes", "a ranking"])
def test_a_verdict_whose_meaning_was_cut_short_says_so(kind, clock, monkeypatch):
    verdict = scoreproof.check(CLAIMS[kind], timeout=5)
    assert verdict.status == "inconsistent" and not verdict.cut_short
    clock[0] = 100.0
    hand_out = type(verdict).budget

    def late(self):
        budget = hand_out(self)
        budget.deadline = 50.0
        return budget

    monkeypatch.setattr(type(verdict), "budget", late)
    assert verdict.conflict is None
    assert verdict.cut_short and verdict.to_dict()["cut_short"] is True
    assert "the time ran out before all was tried" in verdict.sentence
    assert scoreproof.verify(verdict.to_dict())


@pytest.mark.parametrize("kind", ["one matrix", "folds that fit", "unknown folds"])
def test_an_explanation_that_was_cut_short_says_so(kind, clock, monkeypatch):
    verdict = scoreproof.check(CLAIMS[kind], timeout=5)
    whole = scoreproof.explain(verdict, timeout=5)
    assert not whole.cut_short and not whole.to_dict()["cut_short"]
    ticks = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(ticks)))
    cut = scoreproof.explain(verdict, timeout=5)
    assert cut.cut_short and cut.to_dict()["cut_short"]
    assert "The time ran out before everything was tried." in cut.paragraph
    assert verdict.status == "consistent" or not (cut.complete and cut.clashes_complete)


def test_ranges_that_were_cut_short_say_so(monkeypatch):
    experiment = {"p": 38, "n": 262, **MEAN, "folds": 10, "repeats": 3}
    claim = {"experiment": experiment, "scores": {"acc": "0.85", "f1": "0.45", "sens": "0.5"}}
    ticks = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks) / 20)
    found = scoreproof.reconstruct(claim, ["mcc"], timeout=1)
    assert found.cut_short and found.to_dict()["cut_short"]
    assert found.sentence.endswith("The time ran out before every range was settled.")
