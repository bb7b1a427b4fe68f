"""Certificates about averages: every kind is confirmed, and refused once it no longer proves."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from asking import ALL, Fits, Refuted, decide, from_dict, replay
from brute_averages import possible
from campaign import share
from claims_averages import random_problem

from scoreproof.errors import UnreadableVerdict
from scoreproof.interval import Interval
from scoreproof.proof.sums.nodes import Case, Divisors, GroupSums, Joined, Split, Vacant
from scoreproof.question.evaluate import confirms
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES
from scoreproof.solve.sums import branching

KINDS = {"group-sums", "separating", "out-of-range", "exhausted", "joined", "vacant", "split"}
SEARCHES = [
    ALL,
    frozenset({"hull", "branch"}),
    frozenset({"branch"}),
    frozenset({"hull", "branch", "join"}),
]


def kinds_in(data):
    """The kinds of proof used anywhere in a certificate."""
    if isinstance(data, dict):
        if "kind" in data:
            yield data["kind"]
        for value in data.values():
            yield from kinds_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from kinds_in(value)


def numbers_in(data, path=()):
    """The place of every number in a certificate."""
    if isinstance(data, int):
        yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from numbers_in(value, (*path, key))


def changed(data, path, to):
    copied = copy.deepcopy(data)
    place = copied
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return copied


def refutations(cases, seed, monkeypatch):
    """Random claims that were refuted, by each kind of search in turn."""
    rng = Random(seed)
    for case in range(cases):
        problem = random_problem(rng, extras=case % 3 == 0)
        monkeypatch.setattr(branching, "LISTED", 1 if case % 2 else 400)
        answer = decide(problem, stages=SEARCHES[case % 4], seed=case)
        if isinstance(answer, Refuted):
            yield problem, answer.certificate


def check_certificates(cases, seed, monkeypatch):
    """Replay refutations of random claims; tamper with every one.  The kinds met."""
    rng = Random(seed)
    met = set()
    for problem, certificate in refutations(cases, seed, monkeypatch):
        data = json.loads(json.dumps(certificate.to_dict()))
        met |= set(kinds_in(data))
        assert from_dict(data) == certificate
        assert replay(problem, from_dict(data))
        # the same proof must not work for a claim that fits
        loose = replace(
            problem, targets=tuple(replace(t, interval=Interval(None, None)) for t in problem.targets)
        )
        if possible(loose):
            assert not replay(loose, certificate)
        places = list(numbers_in(data))
        for path in rng.sample(places, min(3, len(places))):
            wrong = changed(data, path, rng.choice((0, -1, 1, 7, 10**6)))
            # a changed number may still prove it: what counts is that replay only ever says
            # True of a claim that is truly impossible, and never fails
            assert replay(problem, from_dict(wrong)) in (True, False)
    return met


def test_certificates_replay_and_loosened_claims_refuse_them(monkeypatch):
    assert check_certificates(160, 5, monkeypatch) >= KINDS - {"joined"}


@pytest.mark.campaign
def test_certificates_replay_at_length(monkeypatch):
    found = check_certificates(share(2400), 6, monkeypatch)
    assert found >= KINDS or share(2400) < 2400


def mean(name, lo, hi, count):
    weights = (Fraction(1, count),) * count
    return Target(name, Kind.MEAN, SCORES[name], Interval(Fraction(lo), Fraction(hi)), weights)


def ten_folds(*targets):
    return Problem((Sample(20, 40),) * 10, targets)


CLAIMS = {
    # folds of two sizes: with one, every row but the first would be about one sum alone
    "sums": replace(
        ten_folds(
            mean("acc", "0.895", "0.905", 10),
            mean("sens", "0.795", "0.805", 10),
            mean("spec", "0.695", "0.705", 10),
        ),
        parts=(Sample(20, 40), Sample(21, 41)) * 5,
    ),
    "separating": ten_folds(mean("sens", "0.5", "0.51", 10), mean("f1", "0.8", "0.81", 10)),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_proof_that_is_changed_in_every_number_is_refused(claim):
    problem = CLAIMS[claim]
    answer = decide(problem)
    assert isinstance(answer, Refuted)
    data = answer.certificate.to_dict()
    assert replay(problem, from_dict(data))
    # all weights set to zero, or turned round, prove nothing
    for change in (lambda x: 0, lambda x: -abs(x) - 3):
        wrong = data
        for path in numbers_in(data):
            value = data
            for key in path:
                value = value[key]
            wrong = changed(wrong, path, change(value))
        assert not replay(problem, from_dict(wrong))


def test_a_mean_between_two_reachable_sums_needs_no_search():
    problem = ten_folds(mean("sens", "0.8012", "0.8014", 10))
    assert decide(problem) == Refuted(GroupSums((), (), 0))
    assert not replay(ten_folds(mean("sens", "0.8012", "0.805", 10)), GroupSums((), (), 0))


def test_a_proof_of_one_claim_is_no_proof_of_its_neighbour():
    problem = CLAIMS["separating"]
    answer = decide(problem)
    fitting = ten_folds(mean("sens", "0.5", "0.51", 10), mean("f1", "0.6", "0.61", 10))
    assert isinstance(answer, Refuted)
    assert isinstance(decide(fitting), Fits)
    assert not replay(fitting, answer.certificate)


def test_a_tree_must_cover_every_divisor_and_every_count():
    weights = (Fraction(1, 5),) * 5
    clusters = tuple((i,) for i in range(5))
    window = Interval(Fraction("0.11215"), Fraction("0.11225"))
    sd = Target("sd", Kind.SD, SCORES["f1"], window, weights, clusters)
    parts = (Sample(8, 52),) * 3 + (Sample(7, 53),) * 2
    problem = Problem(parts, (mean("f1", "0.71485", "0.71495", 5), sd), spread="sample")
    answer = decide(problem)
    assert isinstance(answer, Refuted) and isinstance(answer.certificate, Split | Joined)
    data = answer.certificate.to_dict()
    assert "joined" in set(kinds_in(data))
    # a listing is not about one divisor: it proves the same of both, if it is true of both
    assert isinstance(decide(replace(problem, spread="either")), Refuted)
    assert replay(replace(problem, spread="either"), answer.certificate)
    assert not replay(problem, Divisors(()))

    def shortened(node):
        if node.get("kind") == "split":
            return {**node, "children": node["children"][:-1]}
        return {"kind": "vacant"}

    assert not replay(problem, from_dict(shortened(data)))


def test_every_divisor_needs_its_proof():
    # between what eight and what nine as divisor could give
    weights, clusters = (Fraction(1, 9),) * 9, tuple((i,) for i in range(9))
    sd = Target(
        "sd", Kind.SD, SCORES["f1"], Interval(Fraction("0.0455"), Fraction("0.0470")), weights, clusters
    )
    # one of nine is 6/7, so the deviation is 0.0476 or 0.0449
    problem = Problem((Sample(3, 4),) * 9, (mean("f1", "0.98", "0.99", 9), sd), spread="either")
    proof = Vacant()
    for case in (("sample",), ("population",), ("either",), ("either", "either"), ()):
        assert not replay(problem, Divisors((Case(case, proof),)))


def test_a_witness_must_hit_every_target_with_whole_counts_in_range():
    problem = ten_folds(mean("sens", "0.5", "0.5", 10), mean("f1", "0.6", "0.61", 10))
    answer = decide(problem)
    assert isinstance(answer, Fits)
    witness = [(matrix.tp, matrix.tn) for matrix in answer.witness.parts]
    assert confirms(problem, witness)
    assert not confirms(problem, witness[:-1])
    assert not confirms(problem, [*witness[:-1], (21, 0)])
    assert not confirms(problem, [*witness[:-1], (witness[-1][0] + 0.0, witness[-1][1])])
    tp, tn = witness[0]
    assert not confirms(problem, [(tp + 1 if tp < 20 else tp - 1, tn), *witness[1:]])


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "divisors"},
        {"kind": "divisors", "cases": [{"kind": "case", "sd": [], "proof": {"kind": "guess"}}]},
        {"kind": "group-sums", "directions": [["x"]], "order": [], "nodes": 1},
        {"kind": "hunch"},
        {},
    ],
)
def test_what_is_no_certificate_is_called_unreadable(data):
    with pytest.raises(UnreadableVerdict):
        from_dict(data)


def test_group_sums_never_prove_a_claim_that_fits():
    problem = ten_folds(mean("acc", "0.8", "0.9", 10), mean("sens", "0.6", "0.9", 10))
    for nodes in (0, 1, 10**9):
        for directions in ((), ((1, 0), (0, 1)), ((0, 0),), ((10**9, -(10**9)),)):
            for order in ((), (0, 1), (1, 0), (0, 0)):
                assert not replay(problem, GroupSums(directions, order, nodes))
