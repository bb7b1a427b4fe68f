"""Figures of predicted numbers: true residuals are never refused, refusals are proven, the rest is shown."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction as F
from itertools import combinations_with_replacement
from math import sqrt

import pytest
from campaign import share

import scoreproof
from scoreproof.budget import Budget
from scoreproof.exact import compare, surd
from scoreproof.interval import Interval
from scoreproof.proof.narrow.error_rules import fewest_squares, most_squares
from scoreproof.proof.narrow.no_residuals import confirms, replay
from scoreproof.question.question import Residuals
from scoreproof.scores import REGRESSION
from scoreproof.solve.answer import Fits, Open, Refuted
from scoreproof.solve.narrow.regression import decide

NAMES = list(REGRESSION)
EASY = [name for name in NAMES if name != "explained_variance"]


def figures_of(residuals, targets):
    """Every figure by its textbook definition, in fractions; rmse as the surd it is."""
    n = len(residuals)
    mean = sum(residuals, F(0)) / n
    middle = sum(targets, F(0)) / n
    squares = sum((r * r for r in residuals), F(0)) / n
    variance = sum(((y - middle) ** 2 for y in targets), F(0)) / n
    found = {
        "mae": sum((abs(r) for r in residuals), F(0)) / n,
        "mse": squares,
        "rmse": surd(F(0), F(1), squares),
        "max_error": max(abs(r) for r in residuals),
    }
    if variance:
        found["r2"] = 1 - squares / variance
        found["explained_variance"] = 1 - (squares - mean**2) / variance
    return found, variance


def printed(value, places):
    """The text of a figure rounded half up, in exact arithmetic."""
    unit = F(1, 10**places)
    if not isinstance(value, F):
        value = value.enclosure(200)[0]
    digits = round(value / unit)
    sign = "-" if digits < 0 else ""
    whole, rest = divmod(abs(digits), 10**places)
    return f"{sign}{whole}.{rest:0{places}d}" if places else f"{sign}{whole}"


def some_data(rng):
    n = rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 8, 13, 40])
    scale = F(rng.choice([1, 10, 100]), rng.choice([1, 10, 100]))
    kind = rng.random()
    if kind < 0.1:
        residuals = [F(0)] * n
    elif kind < 0.25:
        residuals = [scale * rng.choice([-1, 1]) * rng.choice([1, F(1, 3)])] * n
    elif kind < 0.4:
        residuals = [F(0)] * (n - 1) + [scale]
    else:
        residuals = [scale * F(rng.randint(-1000, 1000), 1000) for _ in range(n)]
    return residuals, [scale * F(rng.randint(-3000, 3000), 1000) for _ in range(n)]


def claim_about(rng, residuals, targets, slip=False):
    found, variance = figures_of(residuals, targets)
    names = rng.sample(list(found), rng.randint(1, len(found)))
    if rng.random() < 0.8:  # explained variance is the slow one
        names = [name for name in names if name != "explained_variance"] or ["mae"]
    scores = {name: printed(found[name], rng.randint(1, 5)) for name in names}
    if slip:
        name = rng.choice(names)
        scores[name] = printed(
            F(scores[name]) + F(rng.choice([-3, -1, 1, 3]), rng.choice([1, 10, 100, 1000])), 3
        )
    experiment = {}
    if rng.random() < 0.8:
        experiment["samples"] = len(residuals)
    if rng.random() < 0.6:
        experiment["variance"] = rng.choice([printed(variance, rng.randint(2, 5)), variance])
    return {"experiment": experiment, "scores": scores}


def test_true_residuals_are_never_refused():
    never_refused(61, 150)


@pytest.mark.campaign
def test_many_true_residuals_are_never_refused():
    never_refused(65, share(1500))


def never_refused(seed, cases):
    rng = random.Random(seed)
    open_cases = 0
    for _ in range(cases):
        claim = claim_about(rng, *some_data(rng))
        verdict = scoreproof.check(claim)
        assert verdict.status != "inconsistent", claim
        if verdict.status == "undecided":
            open_cases += 1
            assert "explained_variance" in claim["scores"] or "variance" in claim["experiment"], claim
        else:
            assert scoreproof.verify(json.loads(json.dumps(verdict.to_dict()))), claim
    assert open_cases <= 2 + cases // 10


def test_without_explained_variance_every_rounded_claim_is_decided():
    rng = random.Random(62)
    statuses = set()
    for _ in range(200):
        n = rng.choice([None, 1, 2, 3, 7, 50, 10**6])
        figures = []
        for name in rng.sample(EASY, rng.randint(1, 4)):
            low = F(rng.randint(-20 if name == "r2" else 1, 100 if name == "r2" else 300), 100)
            figures.append((name, REGRESSION[name], Interval(low, low + F(1, rng.choice([20, 1000])))))
        variance = rng.choice([None, Interval(F(1, 2), F(11, 20))])
        question = Residuals(tuple(figures), (n,), variance)
        answer = decide(question, Budget())
        assert not isinstance(answer, Open), question
        statuses.add(type(answer).__name__)
        if isinstance(answer, Fits):
            assert confirms(question, answer.witness)
        else:
            assert replay(question, answer.certificate, Budget())
    assert statuses == {"Fits", "Refuted"}


def squares_by_enumeration(n, total, largest, unit):
    """All sums of squares of n multiples of the unit with this sum, the largest of them given."""
    steps = int(largest / unit)
    for rest in combinations_with_replacement(range(steps + 1), n - 1):
        values = [unit * step for step in rest] + [largest]
        if sum(values) == total:
            yield sum(value**2 for value in values)


def test_the_extreme_sums_of_squares_are_those_of_enumeration():
    seen = 0
    for n in (1, 2, 3, 4):
        for largest in range(1, 7):
            for total in range(largest, n * largest + 1):
                sums = list(squares_by_enumeration(n, F(total), F(largest), F(1)))
                if not sums:
                    continue
                assert most_squares(n, F(total), F(largest)) == max(sums)
                assert fewest_squares(n, F(total), F(largest)) <= min(sums)
                if n == 1 or (total - largest) % (n - 1) == 0:
                    assert fewest_squares(n, F(total), F(largest)) == min(sums)
                seen += 1
    assert seen > 50


@pytest.mark.campaign
def test_no_refused_claim_is_given_by_any_small_residuals():
    """Every vector of three residuals on a grid, against claims near the border of what is possible."""
    grid = [F(i, 4) for i in range(-4, 5)]
    vectors = list(combinations_with_replacement(grid, 3))
    table = [figures_of(vector, (F(0), F(0), F(2)))[0] for vector in vectors]
    rng = random.Random(63)
    refused = 0
    for _ in range(share(600)):
        about = rng.choice(table)
        figures = []
        for name in rng.sample(NAMES, rng.randint(2, 4)):
            value = about[name] if isinstance(about[name], F) else about[name].enclosure(60)[0]
            low = value + F(rng.randint(-30, 10), 100)
            figures.append((name, REGRESSION[name], Interval(low, low + F(rng.choice([5, 20]), 100))))
        question = Residuals(tuple(figures), (3,), Interval(F(8, 9), F(8, 9)))
        if isinstance(decide(question, Budget()), Refuted):
            refused += 1
            for row in table:
                assert not all(row[score.name] in interval for _, score, interval in figures), figures
    assert refused


def test_means_over_folds_of_true_residuals_are_never_refused():
    means_never_refused(64, 50)


@pytest.mark.campaign
def test_many_means_over_folds_of_true_residuals_are_never_refused():
    means_never_refused(66, share(500))


def means_never_refused(seed, cases):
    rng = random.Random(seed)
    for _ in range(cases):
        k = rng.choice([2, 3, 5])
        size = rng.choice([2, 3, 6])
        data = [
            tuple([F(rng.randint(-99, 99), 10) for _ in range(size)] for _ in ("residuals", "targets"))
            for _ in range(k)
        ]
        rows = [figures_of(*each) for each in data]
        if any(not variance for _, variance in rows):
            continue
        targets = [y for _, each in data for y in each]
        whole = figures_of([F(0)] * len(targets), targets)[1]
        scores = {}
        for name in rng.sample(NAMES, rng.randint(1, 6)):
            values = [found[name] for found, _ in rows]
            ends = [value if isinstance(value, F) else value.enclosure(120)[0] for value in values]
            scores[name] = printed(sum(ends, F(0)) / k, rng.randint(1, 4))
        experiment = {"samples": k * size, "folds": k, "aggregate": "mean"}
        if rng.random() < 0.5:
            experiment["variance"] = printed(whole, 3)
        verdict = scoreproof.check({"experiment": experiment, "scores": scores})
        assert verdict.status != "inconsistent", (experiment, scores)
        assert scoreproof.verify(verdict)


STRICT = {"conventions": {"strict": True}}
IMPOSSIBLE = [
    ({"samples": 100}, {"mse": "0.0900", "rmse": "0.2500"}),
    ({"samples": 100}, {"mae": "0.020", "rmse": "0.250"}),
    ({"samples": 100, "variance": "0.0831"}, {"mse": "0.0200", "r2": "0.250"}),
    ({"samples": 100}, {"mae": "0.250", "rmse": "0.200"}),
    ({"samples": 100}, {"max_error": "0.30", "rmse": "0.40"}),
    ({"samples": 10}, {"mae": "1.00", "max_error": "4.00", "mse": "4.20"}),
    ({"samples": 10}, {"mae": "1.00", "max_error": "4.00", "mse": "1.50"}),
    ({"samples": 100}, {"explained_variance": "0.50", "r2": "0.60"}),
    ({"samples": 1}, {"mae": "1.00", "r2": "0.60"}),
    ({"samples": 50}, {"mae": "0.10", "rmse": "0.40", "r2": "0.10", "explained_variance": "0.90"}),
    ({"samples": 100, "folds": 5, "aggregate": "mean"}, {"rmse": "0.250", "mse": "0.050"}),
    ({"samples": 100, "folds": 5, "aggregate": "mean", "variance": "0.1000"}, {"rmse": "0.300", "r2": "0.20"}),
    ({}, {"mae": "0.250", "rmse": "0.200"}),
    ({}, {"r2": "120"}),
]  # fmt: skip


@pytest.mark.parametrize(("experiment", "scores"), IMPOSSIBLE)
def test_broken_relations_are_refused_with_a_proof(experiment, scores):
    verdict = scoreproof.check({"experiment": experiment, "scores": scores, **STRICT})
    assert verdict.status == "inconsistent"
    assert scoreproof.verify(json.loads(json.dumps(verdict.to_dict())))
    assert re.search(
        r"(cannot hold together|is impossible)( under any of the \d readings)? \(", verdict.sentence
    )
    assert set(verdict.conflict or scores) <= set(scores)


@pytest.mark.parametrize(("experiment", "scores"), IMPOSSIBLE)
def test_a_tampered_certificate_is_refused(experiment, scores):
    data = scoreproof.check({"experiment": experiment, "scores": scores, **STRICT}).to_dict()
    certificates = data["certificate"].get("readings", [data["certificate"]])
    if any(each["tree"][-1]["steps"] for each in certificates):
        for each in certificates:
            each["tree"][-1]["steps"] = each["tree"][-1]["steps"][:-1]
        assert not scoreproof.verify(data)
    data["claim"]["rounding"] = {"eps": 100}
    if experiment.get("samples") != 1:  # the r2 of one sample is undefined, whatever is printed
        assert not scoreproof.verify(data)


def test_a_tampered_witness_is_refused():
    claim = {
        "experiment": {"samples": 9, "variance": "2.00"},
        "scores": {"mae": "0.50", "rmse": "0.70", "r2": "0.75"},
    }
    for path, value in (("residuals", [["1/2", 9]]), ("residuals", [["1/2", 8]]), ("target_square", "1")):
        data = scoreproof.check(claim).to_dict()
        assert scoreproof.verify(data)
        data["witness"]["test_sets"][0][path] = value
        assert not scoreproof.verify(data)


@pytest.mark.campaign
@pytest.mark.parametrize(
    "scores", [{"mse": 0.09, "rmse": 0.25}, {"mae": 0.02, "rmse": 0.25}, {"mse": 0.02, "r2": 0.25}]
)
def test_what_the_peer_lets_pass_is_refused(scores):
    """mlscorecheck 1.0.3 accepts the first three impossible sets."""
    regression = pytest.importorskip("mlscorecheck.check.regression")
    answer = regression.check_1_testset_no_kfold(var=0.0831, n_samples=100, scores=scores, eps=1e-4)
    texts = {name: f"{value:.4f}" for name, value in scores.items()}
    verdict = scoreproof.check({"experiment": {"samples": 100, "variance": 0.0831}, "scores": texts})
    assert verdict.status == "inconsistent" and scoreproof.verify(verdict)
    assert answer["inconsistency"] is False


def test_an_sd_of_targets_is_read_both_ways_unless_said():
    claim = {"experiment": {"samples": 5, "sd": "1.000"}, "scores": {"mse": "0.8000", "r2": "0.0000"}}
    verdict = scoreproof.check(claim)
    assert [outcome.status for outcome in verdict.outcomes] == ["inconsistent", "consistent"]
    said = scoreproof.check({**claim, "conventions": {"sd": "population"}})
    assert said.status == "inconsistent" and len(said.usual) == 1


def test_a_sample_variance_is_tried_unless_something_else_is_said():
    claim = {"experiment": {"samples": 5, "variance": "1.0000"}, "scores": {"mse": "0.8000", "r2": "0.0000"}}
    verdict = scoreproof.check(claim)
    assert verdict.takes == {"variance": "sample"} and "the divisor N - 1" in verdict.sentence
    strict = scoreproof.check({**claim, **STRICT})
    assert strict.status == "inconsistent" and "computed with N - 1" in strict.sentence


@pytest.mark.parametrize(
    ("claim", "field"),
    [
        ({"experiment": {"samples": 0}, "scores": {"mae": "1"}}, "experiment.samples"),
        ({"experiment": {"samples": 10, "p": 3}, "scores": {"mae": "1"}}, "experiment.p"),
        ({"experiment": {"samples": 10, "variance": "1", "sd": "1"}, "scores": {"mae": "1"}}, "experiment.sd"),
        ({"experiment": {"samples": 10, "variance": "-1"}, "scores": {"mae": "1"}}, "experiment.variance"),
        ({"experiment": {"samples": 10, "folds": 11}, "scores": {"mae": "1"}}, "experiment.folds"),
        (
            {"experiment": {"samples": 10, "folds": [{"samples": 4}]}, "scores": {"mae": "1"}},
            "experiment.folds",
        ),
        ({"experiment": {"samples": 10, "aggregate": "mean"}, "scores": {"mae": "1"}}, "experiment.aggregate"),
        ({"experiment": {"samples": 10}, "scores": {"mae": "1"}, "within": {"mae": {"sd": "1"}}}, "within"),
        ({"experiment": {"samples": 10}, "scores": {"acc": "1"}}, "scores"),
        ({"experiment": {"p": 10, "n": 10}, "scores": {"mae": "1"}}, "scores"),
    ],
)
def test_a_claim_that_makes_no_sense_names_the_field(claim, field):
    with pytest.raises(scoreproof.ScoreproofError) as error:
        scoreproof.check(claim)
    assert str(error.value).startswith(field)


def test_roots_in_the_oracle_are_exact():
    found, _ = figures_of([F(1), F(2)], [F(0), F(1)])
    assert compare(found["rmse"], F(sqrt(2.5)).limit_denominator(10**9)) in (-1, 1)
