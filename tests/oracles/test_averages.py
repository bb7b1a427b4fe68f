"""The averages engine against plain enumeration."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest
from brute_averages import possible
from campaign import share
from claims_averages import random_problem

from scoreproof.proof.averages import confirms, from_dict, replay
from scoreproof.solve.averages import ALL, Consistent, Inconsistent, Undecided, branching, decide

STAGES = [
    ALL,
    frozenset({"sums"}),
    frozenset({"range", "hull"}),
    frozenset({"trim", "range"}),
    frozenset({"sample"}),
    frozenset({"trim", "sample"}),
    frozenset({"branch"}),
    frozenset({"branch", "hull"}),
    frozenset({"branch", "join"}),
    frozenset({"trim", "branch", "hull", "join"}),
]


def compare(cases: int, seed: int, stages: frozenset[str] = ALL) -> Counter[str]:
    """How often the engine said what, over random claims, each checked by enumeration."""
    rng = Random(seed)
    said: Counter[str] = Counter()
    for case in range(cases):
        problem = random_problem(rng, extras=case % 3 == 0)
        truth = possible(problem)
        # sampling alone cannot say "inconsistent", so it is given little time
        limit = time.monotonic() + 0.05 if "sample" in stages and stages != ALL else None
        answer = decide(problem, stages=stages, seed=case, deadline=limit)
        said[type(answer).__name__] += 1
        match answer:
            case Consistent(witness):
                assert truth, problem
                assert confirms(problem, witness)
            case Inconsistent(certificate):
                assert not truth, (problem, certificate)
                assert replay(problem, from_dict(certificate.to_dict()))
            case Undecided(reason, _):
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
    assert compare(100, seed=2)["Undecided"] == 0


@pytest.mark.campaign
@pytest.mark.parametrize("stages", STAGES, ids=named)
def test_no_verdict_contradicts_enumeration_at_length(stages, listing):
    compare(share(3500 if stages == ALL else 800), seed=3 + listing, stages=stages)
