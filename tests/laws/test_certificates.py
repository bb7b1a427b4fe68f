"""Laws of certificates as data: what is written is read back, what is mangled proves nothing by accident."""

from __future__ import annotations

import contextlib
import copy
import json
import random

import pytest

import scoreproof
from scoreproof.proof import kinds

#: One claim that is impossible for every kind of proof outside sums and classes.
IMPOSSIBLE = {
    "one matrix": {"experiment": {"p": 40, "n": 41}, "scores": {"f1": "0.8123", "ji": "0.6844"}},
    "undefined": {"experiment": {"p": 5, "n": 5}, "scores": {"ppv": "1.01", "npv": "0.5"}},
    "interval": {
        "experiment": {"p": 30, "n": 40},
        "scores": {"sens": "0.90 (0.60-0.95)", "spec": "0.80 (0.60-0.95)"},
        "conventions": {"ci": "wilson"},
    },
    "no counts": {"scores": {"ppv": "0.90", "sens": "0.80", "f1": "0.92"}},
    "no counts, in pieces": {
        "experiment": {"aggregate": "pooled"},
        "scores": {"acc": "0.9512", "f1": "0.8123", "kappa": "0.8000"},
    },
    "means": {"experiment": {"aggregate": "mean"}, "scores": {"ppv": "0.90", "sens": "0.80", "f1": "0.92"}},
    "residuals": {"experiment": {"samples": 100}, "scores": {"mae": "0.50", "rmse": "0.40"}},
    "residuals, derived": {
        "experiment": {"samples": 50, "variance": "1"},
        "scores": {"mae": "0.10", "rmse": "0.40", "r2": "0.10", "explained_variance": "0.90"},
    },
    "ranking": {"experiment": {"p": 38, "n": 262}, "scores": {"auc": "0.5", "sens": "0.9", "spec": "0.9"}},
    "ranking of thresholds": {
        "experiment": {"p": 10, "n": 10},
        "scores": {"auc": "0.95", "sens": "0.8", "spec": "0.9"},
        "points": [{"sens": "0.9", "spec": "0.3"}, {"sens": "0.1", "spec": "0.5"}],
    },
    "ranking without counts": {"scores": {"auc": "0.5", "sens": "0.9", "spec": "0.9"}},
    "areas": {"experiment": {"p": 3, "n": 3}, "scores": {"auc": "0.93"}},
}

JUNK = (
    None,
    True,
    -1,
    0,
    10**40,
    0.5,
    "",
    "1/0",
    "x",
    [],
    [[]],
    {},
    {"kind": "steps"},
    {"kind": ["no-matrix"]},
)


def places(value, path=()):
    """Every place in nested data."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    yield path
    for key, each in inside:
        yield from places(each, (*path, key))


def changed(data, path, value):
    if not path:
        return value
    data = copy.deepcopy(data)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_certificate_is_read_back_as_it_was_written(name):
    verdict = scoreproof.check(IMPOSSIBLE[name])
    assert verdict.status == "inconsistent"
    for outcome in verdict.outcomes:
        data = json.loads(json.dumps(outcome.certificate.to_dict()))
        found = kinds.kind_of(outcome.problem).read(data)
        assert json.loads(json.dumps(found.to_dict())) == data
        assert kinds.replays(outcome.problem, data)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_mangled_certificate_gives_true_false_or_one_clear_error(name):
    rng = random.Random(name)
    data = json.loads(json.dumps(scoreproof.check(IMPOSSIBLE[name]).to_dict()))
    found = list(places(data["certificate"]))
    for path in rng.sample(found, min(len(found), 60)):
        for value in rng.sample(JUNK, 4):
            try:
                answer = scoreproof.verify({**data, "certificate": changed(data["certificate"], path, value)})
                assert answer is True or answer is False
            except scoreproof.ScoreproofError as error:
                assert len(str(error).splitlines()) == 1


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_certificate_does_not_refute_another_claim(name):
    """The figures of a possible claim are refuted by no certificate of an impossible one."""
    certificate = scoreproof.check(IMPOSSIBLE[name]).to_dict()["certificate"]
    possible = {**IMPOSSIBLE[name], "rounding": {"eps": 1000}}
    answer = scoreproof.check(possible)
    if answer.status == "consistent":
        rows = [{**row, "verdict": "inconsistent"} for row in answer.to_dict()["readings"]]
        forged = {"claim": possible, "verdict": "inconsistent", "certificate": certificate, "readings": rows}
        with contextlib.suppress(scoreproof.ScoreproofError):
            assert not scoreproof.verify(forged)
