"""Medians, quartiles, ranges and the best of the folds: against enumeration, and as programs compute them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from statistics import median
from typing import Any

import numpy as np
import pytest
from brute_averages import possible
from campaign import share

import scoreproof
from scoreproof.budget import Budget, OutOfBudget
from scoreproof.claim.dealing import stratified_folds
from scoreproof.claim.over_parts import QUARTILES
from scoreproof.interval import Interval
from scoreproof.proof.kinds import confirms, replays
from scoreproof.question.evaluate import value_of
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.question.statistics import ordered, place
from scoreproof.scores import SCORES, Matrix
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.sums.decide import decide

ORDERED = (Kind.MIN, Kind.MAX, Kind.MEDIAN, Kind.Q1, Kind.Q3)
CAMPAIGN, FEW = 4_000, 40
NUMPY = {"linear": "linear", "weibull": "weibull", "hazen": "hazen", "average": "averaged_inverted_cdf"}


def quartiles_by(rule: str, values: list[Fraction]) -> tuple[float, float]:
    """The quartiles as the programs compute them."""
    if rule in NUMPY:
        low, high = np.quantile([float(v) for v in values], [0.25, 0.75], method=NUMPY[rule])
        return float(low), float(high)
    found = sorted(values)
    half = (len(found) + (rule == "hinges")) // 2
    return float(median(found[:half] or found)), float(median(found[-half:] if half else found))


@pytest.mark.parametrize("rule", QUARTILES)
def test_every_rule_for_quartiles_is_that_of_its_program(rule: str) -> None:
    rng = Random(rule)
    for count in range(1, 30):
        values = [Fraction(rng.randint(0, 50), 50) for _ in range(count)]
        own = [ordered(values, place(kind, count, QUARTILES[rule](count))) for kind in (Kind.Q1, Kind.Q3)]
        assert [float(v) for v in own] == pytest.approx(quartiles_by(rule, values)), (rule, values)


def random_problem(seed: int) -> Problem:
    """Two to four small folds, with such statistics of one or two scores, true or moved a little."""
    rng = Random(f"ordered {seed}")
    count = rng.choice((2, 3, 3, 4))
    top = {2: 6, 3: 4, 4: 3}[count]
    kinds = [Sample(rng.randint(1, top), rng.randint(1, top)) for _ in range(rng.choice((1, 2)))]
    parts = tuple(rng.choice(kinds) for _ in range(count))
    rule = QUARTILES[rng.choice(list(QUARTILES))](count)
    draft = Problem(parts, (), rng.choice(("impossible", "zero", "skip")))  # type: ignore[arg-type]
    weights = (Fraction(1, count),) * count
    names = rng.sample(("acc", "sens", "f1", "ppv", "mcc"), rng.choice((1, 1, 2)))
    drawn = [
        (name, kind) for name in names for kind in rng.sample((*ORDERED, Kind.MEAN), rng.choice((1, 2, 3)))
    ]
    everywhere = Interval(None, None)
    while True:
        points = [(rng.randint(0, s.p), rng.randint(0, s.n)) for s in parts]
        targets = [Target(f"{k.value} {n}", k, SCORES[n], everywhere, weights, (), rule) for n, k in drawn]
        values = [value_of(draft, target, points) for target in targets]
        if None not in values:
            break
    honest, unit = rng.random() < 0.4, Fraction(1, 10 ** rng.choice((1, 2, 3)))
    hit = []
    for target, value in zip(targets, values, strict=True):
        assert value is not None
        steps = round(value.enclosure(60)[0] / unit) + (0 if honest else rng.choice((0, 0, 0, 1, -1, 2)))
        ends = (steps - Fraction(1, 2)) * unit, (steps + Fraction(1, 2)) * unit
        hit.append(replace(target, interval=Interval(*ends)))
    return replace(draft, targets=tuple(hit))


def compare(first: int, last: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(first, last):
        problem = random_problem(seed)
        try:
            answer = decide(problem, Budget(3_000_000_000))
        except OutOfBudget:
            seen["open"] += 1
            continue
        match answer:
            case Fits(witness):
                assert confirms(problem, witness) and possible(problem), seed
                seen["fits"] += 1
            case Refuted(certificate):
                assert replays(problem, certificate, Budget()) and not possible(problem), seed
                seen["refuted"] += 1
            case _:
                seen["open"] += 1
    return seen


def test_ordered_statistics_are_decided_as_by_enumeration() -> None:
    seen = compare(0, FEW)
    assert min(seen["fits"], seen["refuted"]) > FEW // 5 and seen["open"] <= FEW // 10, seen


@pytest.mark.campaign
def test_many_ordered_statistics_are_decided_as_by_enumeration() -> None:
    seen = compare(FEW, FEW + share(CAMPAIGN))
    assert seen["open"] <= seen.total() // 10, seen


def drawn_folds(rng: Random, k: int) -> tuple[dict[str, Any], list[Matrix]]:
    p, n = rng.choice(((40, 60), (97, 111), (38, 262)))
    matrices = []
    for fold in stratified_folds(p, n, k):
        tp = sum(rng.random() < 0.85 for _ in range(fold.p))
        tn = sum(rng.random() < 0.8 for _ in range(fold.n))
        matrices.append(Matrix.of(tp, tn, fold.p, fold.n))
    return {"p": p, "n": n, "folds": k, "stratified": True}, matrices


@pytest.mark.parametrize("rule", QUARTILES)
def test_a_true_median_with_quartiles_is_never_inconsistent_whatever_the_program(rule: str) -> None:
    rng = Random(f"true {rule}")
    found = Counter()
    for k in (5, 5, 10, 4):
        experiment, matrices = drawn_folds(rng, k)
        values = [SCORES["acc"].value(m) for m in matrices]
        low, high = quartiles_by(rule, values)  # type: ignore[arg-type]
        text = f"{float(median(values)):.3f} ({low:.3f}-{high:.3f})"  # type: ignore[type-var]
        claim = {
            "experiment": {**experiment, "aggregate": "median"},
            "scores": {"acc": text},
            "conventions": {"limits": "quartiles"},
        }
        verdict = scoreproof.check(claim, timeout=3)
        assert verdict.status != "inconsistent", (claim, verdict.sentence)
        found[verdict.status] += 1
    assert found["consistent"] >= 3, found


def test_figures_of_the_best_fold_are_never_inconsistent_and_others_are() -> None:
    rng = Random("best")
    for _ in range(10):
        experiment, matrices = drawn_folds(rng, 5)
        best = max(matrices, key=lambda m: m.tp + m.tn)
        figures = {name: f"{float(SCORES[name].value(best)):.3f}" for name in ("acc", "sens", "spec")}  # type: ignore[arg-type]
        claim = {"experiment": {**experiment, "aggregate": "best"}, "scores": figures}
        assert scoreproof.check(claim).status == "consistent", claim
    wrong = {"experiment": {**experiment, "aggregate": "best"}, "scores": {"sens": "0.9999"}}
    verdict = scoreproof.check(wrong)
    assert verdict.status == "inconsistent" and scoreproof.verify(verdict)
