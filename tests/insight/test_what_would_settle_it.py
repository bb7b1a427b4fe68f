"""An undecided verdict speaks to a person: why, and what would settle it, found by trying."""

from __future__ import annotations

import re
from typing import Any

import pytest

import scoreproof
from scoreproof.api import judge
from scoreproof.budget import NORMAL, Budget
from scoreproof.insight.display import markdown, report
from scoreproof.insight.settling import MORE_TIME, MORE_WORK

Claim = dict[str, Any]
STRATIFIED = {"folds": 5, "stratified": True, "aggregate": "mean"}
IRIS = {"classes": [50, 50, 50]}
MEANS = {"experiment": {"p": 40, "n": 60, **STRATIFIED}, "scores": {"acc": "0.8700", "f1": "0.8391"}}

#: Words of the engines, which say nothing to whoever asked.
ENGINES = re.compile(r"\b(nodes|samples and|budget|hull|branch|tried:|jumps|columns|boxes|sweep|sums)\b")

#: Claims that no search decides, what their reason names, and what would settle them.
OPEN: list[tuple[Claim, str, str]] = [
    (
        {
            "experiment": {**IRIS, **STRATIFIED},
            "scores": {"acc": "0.953"},
            "within": {"f1_macro": {"min": "0.90"}},
        },
        "but min f1_macro could not be checked",
        "the confusion matrices themselves; more work would not",
    ),
    (
        {"experiment": {**IRIS, "folds": 5, "aggregate": "mean"}, "scores": {"f1_macro": "0.9521"}},
        "f1_macro could not be checked",
        "the items of each class in every fold (consistent if stratified)",
    ),
    (
        {
            "experiment": {"p": 97, "n": 111},
            "scores": {"ap": "0.5812", "auc": "0.82", "sens": "0.80", "spec": "0.75"},
        },
        "no ranking with this average precision was found",
        "the rankings themselves",
    ),
    (
        {
            "scores": {
                "acc": "0.912",
                "mcc": "0.8",
                "recall": "0.89",
                "f1": "0.65",
                "kappa": "0.31",
                "spec": "0.9",
            }
        },
        "no few test sets that give them were found",
        "the number of test sets, with the positives and negatives in each",
    ),
]


@pytest.mark.parametrize(("claim", "why", "settles"), OPEN)
def test_the_reason_and_what_would_settle_it_stand_in_every_medium(
    claim: Claim, why: str, settles: str
) -> None:
    verdict = scoreproof.check(claim)
    assert verdict.status == "undecided"
    assert why in verdict.reason and settles in verdict.sentence
    assert not ENGINES.search(verdict.sentence), verdict.sentence
    data = verdict.to_dict()
    assert data["would_settle"] == list(verdict.would_settle) and data["reason"] == verdict.reason
    assert settles in re.sub(r"\\(.)", r"\1", markdown(verdict)) and settles in report(verdict)
    paragraph = scoreproof.explain(verdict).paragraph
    assert why in paragraph and settles.partition(";")[0].partition(" themselves")[0] in paragraph


def of_work(claim: Claim, work: float, effort: str = "normal") -> scoreproof.Verdict:
    return judge(scoreproof.load(claim), Budget(work), effort=effort)


def test_more_work_is_named_where_it_ran_out_and_then_decides() -> None:
    short = of_work(MEANS, 1_000)
    assert short.status == "undecided" and short.would_settle[-1] == MORE_WORK
    assert MORE_WORK in short.sentence and not ENGINES.search(short.sentence)
    assert of_work(MEANS, NORMAL).status != "undecided"
    # there is no higher effort: nothing is promised
    highest = of_work(MEANS, 1_000, "high")
    assert highest.status == "undecided" and "--effort" not in highest.sentence


def test_a_letter_asks_the_authors_for_facts_and_not_for_computing() -> None:
    paragraph = scoreproof.explain(of_work(MEANS, 1_000)).paragraph
    assert "would settle it" in paragraph and "--effort" not in paragraph


def test_more_time_is_named_where_the_clock_ran_out() -> None:
    late = scoreproof.check(MEANS, timeout=1e-9)
    assert late.status == "undecided" and late.would_settle[-1] == MORE_TIME


def test_what_is_left_open_is_asked_for_where_one_of_its_values_is_refuted() -> None:
    claim = {
        "experiment": {"p": 40, "n": 60, "folds": 5, "stratified": True},
        "scores": {"f1": "0.8391", "acc": "0.87"},
    }
    pooled = scoreproof.check({**claim, "experiment": {**claim["experiment"], "aggregate": "pooled"}})
    assert pooled.status == "inconsistent"
    verdict = of_work(claim, 400_000)
    assert [each.status for each in verdict.usual] == ["inconsistent", "undecided"]
    assert "whether counts were pooled or scores averaged (inconsistent if pooled)" in verdict.would_settle


def test_the_make_up_of_folds_is_asked_for_where_stratified_ones_decide() -> None:
    claim = {
        "experiment": {"p": 38, "n": 262, "folds": 5, "aggregate": "mean"},
        "scores": {"acc": "0.9447", "f1": "0.81"},
    }
    verdict = of_work(claim, 1_000)
    known = scoreproof.check({**claim, "experiment": {**claim["experiment"], "stratified": True}})
    assert verdict.status == "undecided" and known.status == "inconsistent"
    assert "the positives and negatives in every fold (inconsistent if stratified)" in verdict.would_settle


def test_a_decided_claim_needs_nothing() -> None:
    assert scoreproof.check({"experiment": {"p": 10, "n": 20}, "scores": {"acc": "0.90"}}).would_settle == ()
