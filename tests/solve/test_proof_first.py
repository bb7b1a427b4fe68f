"""Readings that take a further convention: most are refuted by one direction, before anything is looked for."""

from __future__ import annotations

from scoreproof import check, verify
from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget
from scoreproof.claim.further import further
from scoreproof.claim.load import load
from scoreproof.proof.kinds import replays
from scoreproof.question.question import Problem
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.sums.decide import decide

#: The F-measure was moved by 0.04: with so many folds, each a search of its own.
TEN_TIMES = {"p": 126, "n": 225, "folds": 10, "repeats": 5, "stratified": True, "aggregate": "mean"}
FIGURES = {"acc": "0.90 ± 0.06", "sens": "0.89 ± 0.09", "spec": "0.91 ± 0.08", "f1": "0.91 ± 0.08"}
LITTLE = 200_000_000  # work that a search among so many folds does not end with


def readings() -> dict[tuple[tuple[str, str], ...], Problem]:
    usual = load({"experiment": TEN_TIMES, "scores": FIGURES}).usual()
    found = {reading.takes: flatten(reading)[0] for reading in (*usual, *further(usual)[0])}
    return {takes: problem for takes, problem in found.items() if isinstance(problem, Problem)}


def test_a_deviation_taken_for_a_standard_error_is_refuted_at_once() -> None:
    problem = readings()[("plus_minus", "se"),]
    answer = decide(problem, Budget(LITTLE), unlikely=True)
    assert isinstance(answer, Refuted)
    assert replays(problem, answer.certificate)


def test_what_an_undefined_score_counts_as_is_no_matter_where_none_is() -> None:
    """The proof of the usual reading serves those that differ in this alone."""
    figures = ("0.927 ± 0.029", "0.890 ± 0.053", "0.943 ± 0.031", "0.881 ± 0.047", "0.836 ± 0.068")
    claim = {
        "experiment": {"p": 300, "n": 700, "folds": 5, "repeats": 10, "stratified": True, "aggregate": "mean"},
        "scores": dict(zip(("acc", "sens", "spec", "f1", "mcc"), figures, strict=True)),
    }
    usual = load(claim).usual()
    budget = Budget(10**10)
    first, _ = flatten(usual[0])
    assert isinstance(first, Problem) and isinstance(decide(first, budget), Refuted)
    others = [reading for reading in further(usual)[0] if dict(reading.takes).keys() == {"undefined"}]
    assert len(others) == 3
    for reading in others:
        problem, _ = flatten(reading)
        assert isinstance(problem, Problem)
        answer = decide(problem, budget.at_most(LITTLE), unlikely=True)
        assert isinstance(answer, Refuted)
        assert replays(problem, answer.certificate)


def test_a_divisor_under_which_some_score_may_be_undefined_has_a_proof_of_its_own() -> None:
    """Under one divisor all matrices with an undefined score are too far off, under the other they are not."""
    figures = ("0.7859 ± 0.1006", "0.7803 ± 0.0788", "0.6912 ± 0.2176", "0.7319 ± 0.1536")
    claim = {
        "experiment": {"p": 139, "n": 164, "folds": 10, "stratified": True, "aggregate": "mean"},
        "scores": dict(zip(("acc", "ppv", "sens", "f1"), figures, strict=True)),
    }
    usual = load(claim).usual()
    every = {tuple(sorted(reading.takes)): flatten(reading)[0] for reading in further(usual)[0]}
    budget, interval = Budget(10**10), ("plus_minus", "ci")
    plain, skipping = every[interval,], every[interval, ("undefined", "skip: F is 0/0")]
    for problem in (plain, skipping):
        assert isinstance(problem, Problem)
        answer = decide(problem, budget.at_most(LITTLE), unlikely=True)
        assert isinstance(answer, Refuted)
        assert replays(problem, answer.certificate)


def test_deviations_over_repeats_are_shown_where_folds_must_differ_a_lot() -> None:
    claim = {
        "experiment": {"p": 139, "n": 164, "folds": 5, "repeats": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.64 ± 0.00", "ppv": "0.62 ± 0.09", "sens": "0.52 ± 0.13", "f1": "0.56 ± 0.10"},
    }
    verdict = check(claim, timeout=None)
    assert (verdict.status, verdict.takes) == ("consistent", {"plus_minus": "repeats"})
    assert verify(verdict)
    (usual,) = load(claim).usual()
    problem, _ = flatten(usual)
    assert isinstance(problem, Problem)
    assert not isinstance(decide(problem, Budget(10**9)), Fits)
