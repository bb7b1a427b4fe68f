"""Printed confidence intervals against textbook formulas and plain enumeration."""

from __future__ import annotations

import json
import math
import random
import time
from fractions import Fraction as F
from math import comb

import pytest
from brute_intervals import METHODS, all_printed
from campaign import share

import scoreproof
from scoreproof.budget import Budget, OutOfWork
from scoreproof.claim.fields import CHOICES
from scoreproof.interval import Interval
from scoreproof.printed import Rounding, read
from scoreproof.proof import confidence, kinds
from scoreproof.proof.confidence import METHODS as ROWS
from scoreproof.proof.confidence import largest_size, proportion_fits, proportions, ratio_fits
from scoreproof.scores import Matrix

LEVEL = F(95, 100)


def window(k, decimals):
    unit = F(1, 10**decimals)
    return Rounding().interval(k * unit, unit)


@pytest.mark.parametrize("method", METHODS)
def test_a_printed_interval_fits_exactly_if_the_formula_gives_it(method):
    rng = random.Random(1)
    for _ in range(60):
        m = rng.randint(1, 40)
        x, decimals = rng.randint(0, m), rng.choice((1, 2, 3))
        possible = all_printed(method, x, m, decimals)
        low, high = rng.choice(sorted(possible))
        for a, b in {(low, high), (low + 1, high), (low, high - 1), (low - 1, high), (low + 1, high + 1)}:
            printed = window(a, decimals), window(b, decimals)
            assert proportion_fits(method, x, m, printed, LEVEL) == ((a, b) in possible), (method, x, m, a, b)


def test_clopper_pearson_decides_ties_of_the_tail_exactly():
    """One of one item: the lower limit is 1/40 itself."""
    point = Interval.point(F(1, 40))
    below, above = Interval(F(0), F(1, 40), True, False), Interval(F(1, 40), F(1), False)
    one = Interval(F(1), F(1))
    assert proportion_fits("clopper-pearson", 1, 1, (point, one), LEVEL)
    assert not proportion_fits("clopper-pearson", 1, 1, (below, one), LEVEL)
    assert not proportion_fits("clopper-pearson", 1, 1, (above, one), LEVEL)


@pytest.mark.parametrize("method", METHODS)
def test_no_larger_sample_has_an_interval_as_wide(method):
    rng = random.Random(2)
    for _ in range(6):
        m = rng.randint(5, 30)
        x = rng.randint(0, m)
        low, high = min(all_printed(method, x, m, 2))
        k = round(100 * x / m)
        printed, limits = window(k, 2), (window(low, 2), window(high, 2))
        last = largest_size(method, printed, limits, LEVEL)
        if last is None or last > 400:
            continue
        assert last >= m
        assert not list(proportions(method, printed, limits, LEVEL, 2 * last, last + 1))


def test_the_interval_of_a_ratio_is_that_of_its_logarithm():
    matrix = Matrix(tp=80, fp=24, fn=7, tn=176)
    error = {
        "lrp": 1 / 80 - 1 / 87 + 1 / 24 - 1 / 200,
        "lrn": 1 / 7 - 1 / 87 + 1 / 176 - 1 / 200,
        "dor": 1 / 80 + 1 / 24 + 1 / 7 + 1 / 176,
    }
    for name, square in error.items():
        value = float(scoreproof.SCORES[name].value(matrix))
        low, high = (value * math.exp(side * 1.96 * math.sqrt(square)) for side in (-1, 1))
        k, top = round(low * 100), round(high * 100)
        assert ratio_fits(name, matrix, (window(k, 2), window(top, 2)), LEVEL)
        assert not ratio_fits(name, matrix, (window(k + 1, 2), window(top, 2)), LEVEL)
        assert not ratio_fits(name, matrix, (window(k, 2), window(top - 1, 2)), LEVEL)


# -- whole claims --------------------------------------------------------------------------

COUNTS = {
    "sens": lambda m: (m.tp, m.p),
    "spec": lambda m: (m.tn, m.n),
    "ppv": lambda m: (m.tp, m.tp + m.fp),
    "npv": lambda m: (m.tn, m.tn + m.fn),
    "acc": lambda m: (m.tp + m.tn, m.p + m.n),
}


def shares(x, m, decimals):
    """The whole numbers of last digits x/m can be printed as."""
    exact = F(x, m) * 10**decimals
    return {k for k in (math.floor(exact), math.ceil(exact)) if abs(exact - k) <= F(1, 2)}


def some_claim(rng):
    """A claim with intervals by one method, now and then off by a digit; what it says in numbers."""
    p, n, decimals = rng.randint(1, 9), rng.randint(1, 9), rng.choice((1, 2))
    matrix = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
    method = rng.choice(METHODS)
    said, scores = {}, {}
    for name in rng.sample(sorted(COUNTS), rng.randint(1, 3)):
        x, m = COUNTS[name](matrix)
        if not m:
            continue
        k, (low, high) = min(shares(x, m, decimals)), min(all_printed(method, x, m, decimals))
        if rng.random() < 0.2:
            low, high = (low - 1, high) if rng.random() < 0.5 else (low, high + 1)
        said[name] = k, low, high
        texts = [f"{'-' if v < 0 else ''}{abs(v) / 10**decimals:.{decimals}f}" for v in (k, low, high)]
        scores[name] = f"{texts[0]} ({texts[1]} to {texts[2]})"
    claim = {"experiment": {"p": p, "n": n}, "scores": scores, "conventions": {"ci": method}}
    return claim, said, decimals


def fitting(claim, said, decimals, method):
    p, n = claim["experiment"]["p"], claim["experiment"]["n"]
    for tp in range(p + 1):
        for tn in range(n + 1):
            matrix = Matrix.of(tp, tn, p, n)
            pairs = {name: COUNTS[name](matrix) for name in said}
            if all(
                m and k in shares(x, m, decimals) and (low, high) in all_printed(method, x, m, decimals)
                for (k, low, high), (x, m) in ((said[name], pairs[name]) for name in said)
            ):
                yield matrix


def compare(seed, cases):
    rng = random.Random(seed)
    seen = {"consistent": 0, "inconsistent": 0}
    while sum(seen.values()) < cases:
        claim, said, decimals = some_claim(rng)
        if not said:
            continue
        expected = set(fitting(claim, said, decimals, claim["conventions"]["ci"]))
        verdict = scoreproof.check(claim, timeout=None)
        assert verdict.status == ("consistent" if expected else "inconsistent"), claim
        assert set(verdict.matrices()) == expected and (verdict.count or 0) == len(expected), claim
        assert scoreproof.verify(json.dumps(verdict.to_dict())), claim
        seen[verdict.status] += 1
    assert min(seen.values()) > cases // 10, seen


def test_claims_with_intervals_are_decided_as_by_enumeration():
    compare(seed=3, cases=60)


@pytest.mark.campaign
def test_claims_with_intervals_are_decided_as_by_enumeration_at_length():
    compare(seed=4, cases=share(2000))


def test_an_unknown_method_means_any_of_the_four_for_all_figures():
    rng = random.Random(5)
    for _ in range(15):
        claim, said, decimals = some_claim(rng)
        if not said:
            continue
        open_claim = {**claim, "conventions": {}}
        verdict = scoreproof.check(open_claim, timeout=None)
        each = {method: set(fitting(claim, said, decimals, method)) for method in METHODS}
        assert len(verdict.outcomes) == 4
        for outcome in verdict.outcomes:
            method = dict(outcome.reading.assuming)["intervals"]
            assert (outcome.status == "consistent") == bool(each[method])
        assert scoreproof.verify(json.dumps(verdict.to_dict()))


def test_intervals_narrow_what_is_reconstructed():
    figures = {"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}
    claim = {"experiment": {"total": 296}, "scores": figures, "conventions": {"ci": "clopper-pearson"}}
    found = scoreproof.reconstruct(claim, ["ppv"])
    plain = scoreproof.reconstruct({**claim, "scores": {"sens": "0.92", "spec": "0.88"}}, ["ppv"])
    assert found["ppv"].exact and plain["ppv"].lowest < found["ppv"].lowest
    assert found["ppv"].highest < plain["ppv"].highest and found.count < 30
    assert all(76 <= matrix.p <= 89 for matrix in found.matrices)


def test_a_level_may_be_printed_or_agreed_upon():
    assert read("0.92 (90% CI 0.84 to 0.97)").level == F(90, 100)
    with pytest.raises(scoreproof.UnreadableScore, match="90, 95 or 99"):
        read("0.92 (90.5% CI 0.84 to 0.97)")
    claim = {"experiment": {"p": 87, "n": 200}, "scores": {"sens": "0.92 (0.84-0.97)"}}
    assert scoreproof.check({**claim, "conventions": {"ci_level": 0.95}}).status == "consistent"
    assert scoreproof.check({**claim, "conventions": {"ci_level": 0.99}}).status == "inconsistent"
    with pytest.raises(scoreproof.BadClaim, match=r"conventions.ci_level: expected 0.90"):
        scoreproof.check({**claim, "conventions": {"ci_level": 0.5}})


def test_every_method_a_claim_can_name_has_its_row():
    """A method without a row cannot be claimed, and a row has a formula of its own beside the others'."""
    assert set(CHOICES["ci"]) - {"open"} == set(ROWS) == set(METHODS)
    assert all(name == row.name for name, row in ROWS.items())
    found = {}
    for name in ROWS:
        pairs = [(x, m) for m in (7, 20, 53) for x in range(m + 1)]
        found[name] = tuple(min(all_printed(name, x, m, 3)) for x, m in pairs)
        for (x, m), (low, high) in zip(pairs, found[name], strict=True):
            limits = tuple(Interval(F(2 * k - 1, 2000), F(2 * k + 1, 2000)) for k in (low, high))
            assert proportion_fits(name, x, m, limits, F(95, 100)), (name, x, m)
    assert len(set(found.values())) == len(ROWS)


def test_what_has_exact_limits_stands_together():
    """Halving finds the same counts as looking at each: both limits rise with the count."""
    rng = random.Random(17)
    row = ROWS["clopper-pearson"]
    for _ in range(60):
        m = rng.randint(1, 40)
        x = rng.randint(0, m)
        low, high = min(all_printed("clopper-pearson", x, m, 2))
        limits = tuple(
            Interval(F(2 * k - 1, 200), F(2 * k + 1, 200))
            for k in (low + rng.choice([0, 0, 1, -3]), high + rng.choice([0, 0, 1, 4]))
        )
        sides = [row.side(each, m, limits, F(95, 100)) for each in range(m + 1)]
        fitting = [each for each in range(m + 1) if row.fits(each, m, limits, F(95, 100))]
        first = next((i for i, side in enumerate(sides) if side in (0, 1)), m + 1)
        after = next((i for i, side in enumerate(sides) if side in (1, 2)), m + 1)
        assert fitting == list(range(first, after))
        assert fitting == [each for each, side in enumerate(sides) if side == 0]


def test_binomial_tails_are_enclosed():
    rng = random.Random(3)
    for _ in range(200):
        m = rng.choice([1, 2, 5, 30, 200])
        x, rate = rng.randint(1, m), F(rng.randint(1, 999), 1000)
        exact = sum(comb(m, k) * rate**k * (1 - rate) ** (m - k) for k in range(x, m + 1))
        low, high = confidence._tail(x, m, rate)
        assert low <= exact * 2**confidence.BITS <= high
        assert high - low <= 3 * m + 3


def test_the_intervals_of_large_classes_are_followed_with_counted_work():
    claim = {
        "experiment": {"p": 20_000, "n": 20_000},
        "scores": {"sens": "0.9 (0.89-0.91)", "spec": "0.5 (0.49-0.51)"},
        "conventions": {"ci": "clopper-pearson"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == "inconsistent"
    start = time.process_time()
    assert scoreproof.verify(verdict)
    assert time.process_time() - start < 10
    question = verdict.outcomes[0].problem
    with pytest.raises(OutOfWork):
        kinds.replays(question, verdict.certificate, Budget(10**6))


@pytest.mark.parametrize("sens, auc, status", [
    ("0.92 (0.84-0.97)", "0.95", "consistent"),
    ("0.92 (0.81-0.97)", "0.95", "inconsistent"),
    ("0.92 (0.84-0.97)", "0.03", "inconsistent"),
])  # fmt: skip
def test_an_interval_may_stand_beside_an_area(sens, auc, status):
    claim = {
        "experiment": {"p": 87, "n": 200},
        "scores": {"auc": auc, "sens": sens, "spec": "0.50"},
        "conventions": {"ci": "clopper-pearson"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == status
    assert scoreproof.verify(json.dumps(verdict.to_dict()), against=claim)
    assert scoreproof.explain(claim).verdict.status == status
    expected = [] if status == "inconsistent" else [(80, tn) for tn in range(99, 102)]
    assert [(m.tp, m.tn) for m in verdict.matrices()] == expected
    assert (verdict.count or 0) == len(expected)
    with pytest.raises(scoreproof.BadClaim, match="two classes only"):
        scoreproof.reconstruct(claim)


def test_beside_several_thresholds_an_interval_is_left_out_with_a_word():
    claim = {
        "experiment": {"p": 87, "n": 200},
        "scores": {"ap": "0.9", "sens": "0.92 (0.84-0.97)"},
        "conventions": {"ci": "wald"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent"
    assert "the interval of sens was not used" in verdict.notes
