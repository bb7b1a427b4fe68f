"""The averages engine against plain enumeration."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from asking import ALL, Fits, Open, Refuted, confirms_parts, decide, from_dict, replay, written
from brute_averages import possible
from campaign import share
from claims_averages import random_problem

from scoreproof.solve.sums import branching

STAGES = [
    ALL,
    frozenset({"sums"}),
    frozenset({"range", "hull"}),
    frozenset({"range"}),
    frozenset({"sample"}),
    frozenset({"sample"}),
    frozenset({"branch"}),
    frozenset({"branch", "hull"}),
    frozenset({"branch", "join"}),
    frozenset({"branch", "hull", "join"}),
]


def compare(cases: int, seed: int, stages: frozenset[str] = ALL) -> Counter[str]:
    """How often the engine said what, over random claims, each checked by enumeration."""
    rng = Random(seed)
    said: Counter[str] = Counter()
    for case in range(cases):
        problem = random_problem(rng, extras=case % 3 == 0)
        truth = possible(problem)
        # sampling alone cannot say "inconsistent", so it is given little work
        work = 50_000_000 if "sample" in stages and stages != ALL else 8_000_000_000
        answer = decide(problem, stages=stages, seed=case, work=work)
        said[type(answer).__name__] += 1
        match answer:
            case Fits(witness):
                assert truth, problem
                assert confirms_parts(problem, witness)
            case Refuted(certificate):
                assert not truth, (problem, certificate)
                assert replay(problem, from_dict(written(certificate)))
            case Open(reason):
                assert reason
    return said


def named(stages: frozenset[str]) -> str:
    return "all" if stages == ALL else "+".join(sorted(stages))


@pytest.fixture(params=[True, False], ids=["listing", "no listing"])
def listing(request, monkeypatch):
    """Whether a few choices left are simply listed, or bounded to the end."""
    if not request.param:
        monkeypatch.setattr(branching, "LISTED", 1)
    return request.param


@pytest.mark.parametrize("stages", STAGES, ids=named)
def test_no_verdict_contradicts_enumeration(stages):
    compare(30, seed=1, stages=stages)


def test_small_claims_are_all_decided():
    assert compare(100, seed=2)["Open"] == 0


@pytest.mark.campaign
@pytest.mark.parametrize("stages", STAGES, ids=named)
def test_no_verdict_contradicts_enumeration_at_length(stages, listing):
    compare(share(3500 if stages == ALL else 800), seed=3 + listing, stages=stages)
