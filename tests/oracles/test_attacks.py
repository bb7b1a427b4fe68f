"""No forged proof and no verdict that was tampered with is confirmed, and nothing breaks on the way."""

from __future__ import annotations

import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import attacks
import pytest
from attacks import (
    Tally,
    Victim,
    answered,
    attack,
    attempt,
    confined,
    figures,
    mutated,
    places,
    verdict_on,
    victim,
)
from campaign import share
from claims import enumerate as brute
from claims import generate
from claims.reader import further, readings
from tests.frozen.corpus import read as frozen

import scoreproof
from scoreproof.asking.flatten import flatten
from scoreproof.exact import Surd
from scoreproof.proof.kinds import kind_of
from scoreproof.scores import SCORES, Matrix

MUTATED, FORGED = 100_000, 1_000_000
#: The same in the default run.
SOME_MUTATED, SOME_FORGED = 800, 3_000


# -- forged certificates ----------------------------------------------------------------------------------


@cache
def victims(each: int, seed: int = 1) -> tuple[Victim, ...]:
    """Claims of every kind of question that matrices are known to fit."""
    rng = Random(seed)
    kinds: dict[str, list[Any]] = {}
    for row in frozen():
        if row.verdict == "consistent" and row.seconds < 0.1 and row.readings == "c":
            experiment = row.claim.get("experiment", {})
            scores = row.claim.get("scores", {})
            with_limits = any("(" in str(text) for text in scores.values())
            shape = (*sorted(experiment), len(scores), with_limits, row.witness and sorted(row.witness))
            kinds.setdefault(str(shape), []).append(row.claim)
    found = []
    for claims in kinds.values():
        for claim in rng.sample(claims, min(each, len(claims))):
            one = victim(json.loads(json.dumps(claim)), rng)
            if one is not None:
                found.append(one)
    rng.shuffle(found)
    return tuple(found)


def test_no_forged_certificate_is_accepted() -> None:
    tally = attack(list(victims(1)), SOME_FORGED, 1)
    assert tally.clean, tally.summary()


@pytest.mark.campaign
def test_no_forged_certificate_is_accepted_in_a_million(capsys: pytest.CaptureFixture[str]) -> None:
    tally = attack(list(victims(12)), share(FORGED), 2)
    with capsys.disabled():
        print("\n" + tally.summary())
    assert tally.clean, tally.summary()


# -- mutated verdicts ----------------------------------------------------------------------------------------

#: What a verdict says beside what it proves.
BESIDE = ("reason", "notes", "untried")


def small(seed: int) -> dict[str, Any] | None:
    """The verdict on a claim that can be enumerated."""
    return verdict_on(generate.claim(seed)[1])


def right(data: dict[str, Any]) -> bool:
    """Whether enumeration of the claim gives what a verdict says: status, and count where it has one."""
    every, takes = readings(data["claim"]), data.get("takes") or {}
    if "plus_minus" in takes:
        raise LookupError("the second reader knows no other meaning of ±")
    every += further(data["claim"], every) if takes else []
    fits = [reading for reading in every if brute.possible(reading)]
    if data["verdict"] == "undecided":
        return True
    if data["verdict"] == "inconsistent":
        return not fits
    if data.get("count") is None or len(every) > 1:
        return bool(fits)
    count = brute.count(every[0])
    return data["count"] <= count if data.get("count_exact") is False else data["count"] == count


def tampered(first: int, count: int, each: int = 25) -> Tally:
    """So many mutated verdicts, ``each`` on every claim; those that are confirmed are enumerated."""
    tally, pool = Tally(), []
    rng = Random(first)
    seed = first
    with confined():
        while sum(tally.outcomes.values()) < count:
            seed += 1
            data = small(seed)
            if data is None:
                continue
            if data["certificate"] is not None:
                pool = [*pool[-40:], data["certificate"]]
            data = {key: value for key, value in data.items() if key not in BESIDE}
            claimed = [("claim", *path) for path in figures(data["claim"])]
            proof = [path for path in places(data) if path[0] not in ("claim", "format")]
            for _ in range(each):
                forged = mutated(data, rng, pool, proof if rng.random() < 0.7 or not claimed else claimed)
                answer = answered(forged)
                if answer is True:
                    confirmed(forged, data, tally)
                elif isinstance(answer, (str, bool)):
                    tally.outcomes[str(answer)] += 1
                else:
                    tally.fault(answer, forged["claim"], forged)
    return tally


def confirmed(forged: Any, data: Any, tally: Tally) -> None:
    """A mutated verdict that was confirmed must be right."""
    if (forged["claim"], forged["verdict"], forged.get("count")) == (
        data["claim"],
        data["verdict"],
        data["count"],
    ):
        tally.outcomes["confirmed, says the same"] += 1
        return
    try:
        holds = right(forged)
    except Exception as error:  # the second reader takes claims as they are generated, not every other figure
        tally.outcomes[f"confirmed, not enumerated ({type(error).__name__})"] += 1
        other = verdict_on(forged["claim"])
        claims_nothing = other is None or "undecided" in (forged["verdict"], other["verdict"])
        holds = claims_nothing or other["verdict"] == forged["verdict"]
    if holds:
        tally.outcomes["confirmed and right"] += 1
    else:
        tally.outcomes["accepted"] += 1
        tally.accepted.append((forged["claim"], forged))


def test_no_mutated_verdict_is_confirmed_unless_it_is_right() -> None:
    tally = tampered(0, SOME_MUTATED)
    assert tally.clean, tally.summary()
    assert tally.outcomes["False"] > SOME_MUTATED // 10, tally.summary()


@pytest.mark.campaign
def test_no_mutated_verdict_is_confirmed_in_100000(capsys: pytest.CaptureFixture[str]) -> None:
    tally = tampered(10_000, share(MUTATED))
    with capsys.disabled():
        print("\n" + tally.summary())
    assert tally.clean, tally.summary()


# -- sizes up to 10^60 ----------------------------------------------------------------------------------------

SIZES = (2**31, 2**50, 2**53 + 1, 2**62, 10**18, 10**30, 10**45, 10**60)


def enclosed(values: list[Fraction | Surd], digits: int) -> str:
    """A range around the mean of the values, with so many digits, as a paper could print it."""
    ends = [each.enclosure(400) if isinstance(each, Surd) else (each, each) for each in values]
    low, high = (sum((pair[side] for pair in ends), Fraction(0)) / len(values) for side in (0, 1))

    def printed(value: Fraction, rounding: str) -> str:
        context = Context(prec=digits, rounding=rounding)
        return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):e}"

    return f"[{printed(low, ROUND_FLOOR)}, {printed(high, ROUND_CEILING)}]"


def drawn_size(rng: Random, size: int) -> int:
    return rng.choice((size, size - 1, size + 1, rng.randint(1, size), rng.randint(1, 20)))


def cell(rng: Random, size: int) -> int:
    near = min(size, rng.randint(0, 3))
    return rng.choice((near, size - near, rng.randint(0, size)))


def giant(seed: int) -> tuple[dict[str, Any], list[Matrix]] | None:
    """A claim about sets of any size that its matrices are known to fit."""
    rng = Random(seed)
    size = rng.choice(SIZES)
    matrices = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        p, n = drawn_size(rng, size), drawn_size(rng, size)
        matrices.append(Matrix.of(cell(rng, p), cell(rng, n), p, n))
    scores = {}
    for name in rng.sample(sorted(SCORES), rng.randint(1, 3)):
        values = [SCORES[name].value(matrix) for matrix in matrices]
        if any(value is None for value in values):
            continue
        scores[name] = enclosed([value for value in values if value is not None], rng.choice((2, 3, 6, 12)))
    if not scores:
        return None
    parts = [{"p": matrix.p, "n": matrix.n} for matrix in matrices]
    experiment = parts[0] if len(parts) == 1 else {"parts": parts, "aggregate": "mean"}
    return {"experiment": experiment, "scores": scores}, matrices


def never_refuted(first: int, count: int) -> list[str]:
    """Claims that matrices of these sizes fit, and that were called inconsistent all the same."""
    wrong = []
    for seed in range(first, first + count):
        drawn = giant(seed)
        if drawn is None:
            continue
        claim, matrices = drawn
        try:
            data = verdict_on(claim, timeout=1)
        except Exception as error:
            wrong.append(f"{seed}: {type(error).__name__}: {error}")
            continue
        if data is None:
            continue  # a figure beyond what is read as one
        if data["verdict"] == "inconsistent":
            wrong.append(f"{seed}: called inconsistent, {json.dumps(claim)}")
        shown: dict[str, Any] = {"reading": 0, **sum_of(matrices)._asdict()}
        if len(matrices) > 1:
            shown["parts"] = [each._asdict() for each in matrices]
        fits = {"claim": claim, "verdict": "consistent", "witness": shown}
        try:
            if scoreproof.verify(fits) is not True:
                wrong.append(f"{seed}: its own matrices are refused, {json.dumps(claim)}")
        except scoreproof.ScoreproofError as error:
            wrong.append(f"{seed}: its own matrices: {error}")
    return wrong


def sum_of(matrices: list[Matrix]) -> Matrix:
    return Matrix(*(sum(column) for column in zip(*matrices, strict=True)))


def test_what_matrices_of_any_size_give_is_never_called_inconsistent() -> None:
    with confined():
        wrong = never_refuted(0, 80)
    assert not wrong, "\n".join(wrong[:10])


@pytest.mark.campaign
def test_what_matrices_of_any_size_give_is_never_called_inconsistent_in_20000() -> None:
    with confined():
        wrong = never_refuted(1_000, share(20_000))
    assert not wrong, "\n".join(wrong[:10])


def test_no_number_is_taken_as_beyond_every_score() -> None:
    """A diagnostic odds ratio reaches p·n: with N - 1 of N right on both sides it is (N-1)²."""
    size = 2**50
    matrix = Matrix.of(size - 1, size - 1, size, size)
    claim = {
        "experiment": {"parts": [{"p": size, "n": size}] * 2, "aggregate": "mean"},
        "scores": {"dor": "[1.1e30, 1.3e30]"},
    }
    shown = {"reading": 0, **sum_of([matrix] * 2)._asdict(), "parts": [matrix._asdict()] * 2}
    assert scoreproof.verify({"claim": claim, "verdict": "consistent", "witness": shown}) is True
    data = verdict_on(claim, timeout=5)
    assert data is not None and data["verdict"] != "inconsistent"


def wide(size: int) -> list[Victim]:
    """Claims about sets of this size with figures that whatever matrices give."""
    experiments: list[dict[str, Any]] = [
        {"p": size, "n": size - 1},
        {"p": 3, "n": size, "folds": 2, "aggregate": "mean"},
        {"p": size, "n": size, "folds": 5, "aggregate": "mean"},
        {"p": size, "n": size, "folds": 5, "aggregate": "mean", "stratified": True},
        {"parts": [{"p": size, "n": 7}, {"p": 5, "n": size}], "aggregate": "mean"},
        {"classes": [3, 4, size]},
        {"aggregate": "mean"},
        {"aggregate": "pooled"},
    ]
    found = []
    for experiment in experiments:
        several = "classes" in experiment
        for name, text in (("acc", "[0, 1]"), ("bacc", "[0, 1]"), ("f1", "[0, 1]"), ("mcc", "[-1, 1]")):
            claim = {
                "experiment": experiment,
                "scores": {f"{name}_macro" if several and name == "f1" else name: text},
            }
            problem, _ = flatten(scoreproof.load(claim).readings()[0])
            close = tuple(each for one in victims(1) if one.asks == kind_of(problem).name for each in one.close)
            found.append(Victim(claim, {}, close, problem))
    return found


#: Certificates that once took all memory, or broke the verifier.
FOUND: tuple[dict[str, Any], ...] = (
    {"kind": "foldings", "directions": [], "proofs": []},
    {"kind": "no-counts", "tree": [[]]},
    {"kind": "paving", "tree": [[]]},
    {"kind": "exhausted"},
    {"kind": "no-table"},
    {"kind": "every-reading", "readings": []},
)


@pytest.mark.parametrize("size", [30, 10**7, 2**62, 10**60])
def test_what_once_broke_the_verifier_is_refused(size: int) -> None:
    tally = Tally()
    with confined():
        for target in wide(size):
            for certificate in FOUND:
                attempt(target, certificate, tally)
    assert tally.clean, tally.summary()


@pytest.mark.parametrize("size", [10**7, 2**50, 2**62, 10**30, 10**60])
def test_no_forged_certificate_is_accepted_at_any_size(size: int) -> None:
    tally = attack(wide(size), 800, size % 97)
    assert tally.clean, tally.summary()


@pytest.mark.campaign
@pytest.mark.parametrize("size", [10**7, 2**50, 2**62, 10**30, 10**60])
def test_no_forged_certificate_is_accepted_at_any_size_in_20000(size: int) -> None:
    tally = attack(wide(size), share(20_000), size % 89)
    assert tally.clean, tally.summary()


def test_the_grammar_of_proofs_is_known() -> None:
    """Every kind of node can be made up, so that a new one is attacked from its first day."""
    rng = Random(3)
    assert len(attacks.nodes()) >= 8
    for kind in attacks.nodes():
        for _ in range(20):
            assert attacks.made_up(kind, rng, (5,), ["a"])["kind"] == kind.kind
