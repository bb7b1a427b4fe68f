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
from scipy.stats import beta

import scoreproof
from scoreproof.budget import Budget, OutOfWork
from scoreproof.claim.fields import SPOKEN
from scoreproof.interval import Interval
from scoreproof.printed import Rounding, read
from scoreproof.proof import kinds, tails
from scoreproof.proof.confidence import METHODS as ROWS
from scoreproof.proof.confidence import OPEN, fits, largest_size, proportion_fits, ratio_fits
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
        low, high = rng.choice(sorted(possible) or [(x, m)])
        for a, b in {(low, high), (low + 1, high), (low, high - 1), (low - 1, high), (low + 1, high + 1)}:
            printed = window(a, decimals), window(b, decimals)
            assert proportion_fits(method, x, m, printed, LEVEL) == ((a, b) in possible), (method, x, m, a, b)


def test_clopper_pearson_decides_ties_of_the_tail_exactly():
    """One of one item: the lower limit is 1/40 itself."""
    point = Interval(F(1, 40), F(1, 40))
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
        x = rng.randint(1, m - 1)
        low, high = min(all_printed(method, x, m, 2))
        k = round(100 * x / m)
        printed, limits = window(k, 2), (window(low, 2), window(high, 2))
        last = largest_size(method, printed, limits, LEVEL)
        if last is None or last > 400:
            continue
        assert last >= m
        for size in range(last + 1, 2 * last + 1):
            counts = (count for count in range(size + 1) if F(count, size) in printed)
            assert not any(proportion_fits(method, count, size, limits, LEVEL) for count in counts)


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


def some_claim(rng, largest=9):
    """A claim with intervals by one method, now and then off by a digit; what it says in numbers."""
    p, n, decimals = rng.randint(1, largest), rng.randint(1, largest), rng.choice((1, 2))
    matrix = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
    method = rng.choice(METHODS)
    said, scores = {}, {}
    for name in rng.sample(sorted(COUNTS), rng.randint(1, 3)):
        x, m = COUNTS[name](matrix)
        if not m or (method == "logit" and x in (0, m)):
            continue
        k, (low, high) = min(shares(x, m, decimals)), min(all_printed(method, x, m, decimals))
        if rng.random() < 0.2:
            low, high = (low - 1, high) if rng.random() < 0.5 else (low, high + 1)
        said[name] = k, low, high
        texts = [f"{'-' if v < 0 else ''}{abs(v) / 10**decimals:.{decimals}f}" for v in (k, low, high)]
        scores[name] = f"{texts[0]} ({texts[1]} to {texts[2]})"
    claim = {"experiment": {"p": p, "n": n}, "scores": scores, "conventions": {"ci": method}}
    return claim, said, decimals


def fitting(claim, said, decimals, *methods):
    p, n = claim["experiment"]["p"], claim["experiment"]["n"]
    for tp in range(p + 1):
        for tn in range(n + 1):
            matrix = Matrix.of(tp, tn, p, n)
            pairs = {name: COUNTS[name](matrix) for name in said}
            if all(
                m
                and k in shares(x, m, decimals)
                and any((low, high) in all_printed(method, x, m, decimals) for method in methods)
                for (k, low, high), (x, m) in ((said[name], pairs[name]) for name in said)
            ):
                yield matrix


def compare(seed, cases, largest=9):
    rng = random.Random(seed)
    seen = {"consistent": 0, "inconsistent": 0}
    while sum(seen.values()) < cases:
        claim, said, decimals = some_claim(rng, largest)
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
    compare(seed=6, cases=share(300), largest=30)


def test_an_unknown_method_means_any_known_one_for_each_figure():
    rng = random.Random(5)
    for _ in range(60):
        claim, said, decimals = some_claim(rng)
        if not said:
            continue
        verdict = scoreproof.check({**claim, "conventions": {"strict": True}}, timeout=None)
        expected = set(fitting(claim, said, decimals, *METHODS))
        found = set(verdict.matrices())
        assert expected <= found, claim
        if not {"ppv", "npv"} & set(said):  # whose interval may be Mercaldo's, too
            assert found == expected, claim
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
    assert scoreproof.check({**claim, "conventions": {"ci_level": 0.99}}).takes == {
        "intervals": "another method"
    }
    with pytest.raises(scoreproof.BadClaim, match=r"conventions.ci_level: expected 0.90"):
        scoreproof.check({**claim, "conventions": {"ci_level": 0.5}})


def test_every_method_a_claim_can_name_has_its_row():
    """A method without a row cannot be claimed, and a row has a formula of its own beside the others'."""
    assert set(SPOKEN["ci"].values) - {"bootstrap", *OPEN} == set(ROWS) == {*METHODS, "mercaldo"}
    assert all(name == row.name for name, row in ROWS.items())
    found = {}
    for name in METHODS:
        pairs = [(x, m) for m in (7, 20, 53) for x in range(1, m)]
        found[name] = tuple(min(all_printed(name, x, m, 3)) for x, m in pairs)
        for (x, m), (low, high) in zip(pairs, found[name], strict=True):
            limits = tuple(Interval(F(2 * k - 1, 2000), F(2 * k + 1, 2000)) for k in (low, high))
            assert proportion_fits(name, x, m, limits, F(95, 100)), (name, x, m)
    assert len(set(found.values())) == len(METHODS)


@pytest.mark.parametrize("method", ["clopper-pearson", "jeffreys"])
def test_what_has_exact_limits_stands_together(method):
    """Halving finds the same counts as looking at each: both limits rise with the count."""
    rng = random.Random(17)
    row = ROWS[method]
    for _ in range(60):
        m = rng.randint(1, 40)
        x = rng.randint(0, m)
        low, high = min(all_printed(method, x, m, 2))
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
        for near, side in ((exact - F(1, 2**110), 1), (exact + F(1, 2**110), -1)):
            assert tails.order(2 * x, 2 * (m - x + 1), rate, near) == side
        assert tails.order(2 * x, 2 * (m - x + 1), rate, exact) == tails.tail_order(x, m, rate, exact) == 0


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
    found = scoreproof.reconstruct(claim)
    assert found.verdict.status == status
    assert [(m.tp, m.tn) for m in found.matrices or ()] == expected


def test_beside_several_thresholds_an_interval_is_left_out_with_a_word():
    claim = {
        "experiment": {"p": 87, "n": 200},
        "scores": {"ap": "0.9", "sens": "0.92 (0.84-0.97)"},
        "conventions": {"ci": "wald"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent"
    assert "the interval of sens was not used" in verdict.notes


# -- every method, figures of true counts -----------------------------------------------------------


def text(value, decimals):
    return f"{value:.{decimals}f}"


def float_limits(method, x, m):
    """Limits as a program computes them, in machine numbers."""
    z, q = 1.959963984540054, x / m
    if method == "jeffreys":
        return beta.ppf(0.025, x + 0.5, m - x + 0.5), beta.ppf(0.975, x + 0.5, m - x + 0.5)
    if method == "clopper-pearson":
        return (beta.ppf(0.025, x, m - x + 1) if x else 0.0), (beta.ppf(0.975, x + 1, m - x) if x < m else 1.0)
    if method == "logit":
        half = z * math.sqrt(1 / x + 1 / (m - x))
        return tuple(1 / (1 + math.exp(-(math.log(x / (m - x)) + side * half))) for side in (-1, 1))
    if method in ("wald", "wald-cc"):
        half = z * math.sqrt(q * (1 - q) / m) + (0.5 / m if method == "wald-cc" else 0)
        return max(0.0, q - half), min(1.0, q + half)
    if method == "agresti-coull":
        centre = (x + z * z / 2) / (m + z * z)
        half = z * math.sqrt(centre * (1 - centre) / (m + z * z))
        return centre - half, centre + half

    def wilson(p, side):
        half = z / (1 + z * z / m) * math.sqrt(p * (1 - p) / m + z * z / (4 * m * m))
        return (p + z * z / (2 * m)) / (1 + z * z / m) + side * half

    if method == "wilson":
        return wilson(q, -1), wilson(q, 1)
    yates = min(0.5, abs(x - m / 2)) / m
    return (wilson(q - yates, -1) if q - yates > 0 else 0.0), (wilson(q + yates, 1) if q + yates < 1 else 1.0)


@pytest.mark.parametrize("method", METHODS)
def test_the_limits_of_true_counts_are_always_admitted(method):
    rng = random.Random(7)
    for _ in range(2000):
        m = rng.choice((rng.randint(1, 12), rng.randint(1, 300), rng.randint(1, 5000)))
        x = rng.choice((rng.randint(0, m), max(0, m - rng.randint(0, 5))))
        if method == "logit" and x in (0, m):
            continue
        decimals = rng.choice((2, 3, 4))
        printed = [read(text(end, decimals)).interval(Rounding()) for end in float_limits(method, x, m)]
        assert proportion_fits(method, x, m, tuple(printed), LEVEL), (x, m, decimals)


def true_claim(rng, largest):
    """Figures of a matrix with intervals by a method each, as programs print them."""
    p, n = rng.randint(1, largest), rng.randint(1, largest)
    matrix = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
    digits, scores, chosen = rng.choice((2, 3, 4)), {}, {}
    for name in rng.sample(sorted(COUNTS), rng.randint(1, 5)):
        x, m = COUNTS[name](matrix)
        methods = [each for each in METHODS if each != "logit" or 0 < x < m]
        if name in ("ppv", "npv") and 0 < x < m:
            methods.append("mercaldo")
        if m:
            chosen[name] = rng.choice(methods)
            low, high = (
                mercaldo(name, matrix) if chosen[name] == "mercaldo" else float_limits(chosen[name], x, m)
            )
            scores[name] = f"{text(x / m, digits)} ({text(low, digits)} to {text(high, digits)})"
    return matrix, {"experiment": {"p": p, "n": n}, "scores": scores}, chosen


def test_true_claims_with_a_method_per_figure_are_consistent_without_any_convention():
    rng = random.Random(10)
    for _ in range(60):
        matrix, claim, chosen = true_claim(rng, 30)
        for ci in ("each", chosen) if claim["scores"] else ():
            verdict = scoreproof.check({**claim, "conventions": {"ci": ci, "strict": True}}, timeout=None)
            assert verdict.status == "consistent", (matrix, claim, chosen)
            assert matrix in verdict.matrices()
        if claim["scores"]:  # one method for all is usual, different ones are tried before anything is said
            verdict = scoreproof.check(claim, timeout=None)
            assert verdict.status == "consistent", (matrix, claim, chosen)
            assert verdict.takes in ({}, {"intervals": "different methods"}), (matrix, claim, chosen)


def mercaldo(score, m):
    sens, spec = m.tp / m.p, m.tn / m.n
    if score == "ppv":
        value = m.tp / (m.tp + m.fp)
        square = (1 - sens) / (sens * m.p) + spec / ((1 - spec) * m.n)
    else:
        value = m.tn / (m.tn + m.fn)
        square = sens / ((1 - sens) * m.p) + (1 - spec) / (spec * m.n)
    centre, half = math.log(value / (1 - value)), 1.959963984540054 * math.sqrt(square)
    return tuple(1 / (1 + math.exp(-(centre + side * half))) for side in (-1, 1))


def test_predictive_values_may_have_the_interval_of_mercaldo():
    rng = random.Random(8)
    for _ in range(1500):
        matrix = Matrix(*(rng.randint(1, rng.choice((5, 40, 400))) for _ in range(4)))
        for score in ("ppv", "npv"):
            decimals = rng.choice((2, 3, 4))
            ends = [text(end, decimals) for end in mercaldo(score, matrix)]
            printed = tuple(read(end).interval(Rounding()) for end in ends)
            assert fits("mercaldo", score, matrix, printed, LEVEL)


def test_a_table_as_medcalc_prints_it():
    """TP 80, FP 24, FN 7, TN 176: Clopper-Pearson, and the logits of the predictive values."""
    claim = {
        "experiment": {"p": 87, "n": 200},
        "scores": {
            "sens": "91.95% (84.12% to 96.70%)",
            "spec": "88.00% (82.67% to 92.16%)",
            "ppv": "76.92% (69.50% to 82.98%)",
            "npv": "96.17% (92.50% to 98.09%)",
        },
    }
    for ci in ("open", "mercaldo", {"default": "clopper-pearson", "ppv": "mercaldo", "npv": "mercaldo"}):
        verdict = scoreproof.check({**claim, "conventions": {"ci": ci}})
        assert verdict.matrices() == [Matrix(80, 24, 7, 176)], ci
    wrong = scoreproof.check({**claim, "conventions": {"ci": "clopper-pearson"}})
    assert wrong.status == "inconsistent"


def test_a_method_may_be_stated_for_each_figure():
    claim = {
        "experiment": {"p": 87, "n": 200},
        "scores": {"sens": "0.920 (0.843 to 0.960)", "recall": "0.92", "spec": "0.880 (0.835 to 0.925)"},
    }
    assert float_limits("wilson", 80, 87)[0] == pytest.approx(0.843, abs=5e-4)
    assert float_limits("wald", 176, 200)[0] == pytest.approx(0.835, abs=5e-4)
    for ci, status in (
        ({"sens": "wilson", "spec": "wald"}, "consistent"),
        ({"recall": "wilson", "default": "wald"}, "consistent"),
        ({"sens": "wald"}, "inconsistent"),
        ({"sens": "wilson", "spec": "wilson"}, "inconsistent"),
        ({"spec": "wald"}, "consistent"),
        ("wilson", "inconsistent"),
        ("bootstrap", "consistent"),
    ):
        verdict = scoreproof.check({**claim, "conventions": {"ci": ci}})
        assert verdict.status == status, ci
        assert scoreproof.verify(verdict)
    with pytest.raises(
        scoreproof.BadClaim, match=r"conventions.ci.sens: expected one of open, each, wilson.*'wilsons'"
    ):
        scoreproof.check({**claim, "conventions": {"ci": {"sens": "wilsons"}}})
    with pytest.raises(scoreproof.UnknownScore, match=r"conventions.ci: 'sensx'"):
        scoreproof.check({**claim, "conventions": {"ci": {"sensx": "wilson"}}})


# -- a method that is not known ---------------------------------------------------------------------


def test_an_interval_that_no_known_method_gives_is_told_beside_the_verdict():
    claim = {
        "experiment": {"p": 32, "n": 264},
        "scores": {"sens": "78.1% (63.8, 83.3)", "spec": "89.8% (86.1, 93.4)"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent" and verdict.takes == {"intervals": "another method: sens"}
    assert verdict.notes == ("no known method gives the interval of sens; it was not used",)
    assert scoreproof.verify(json.dumps(verdict.to_dict()), against=claim)
    for stated in ({"ci": "wald"}, {"ci": {"sens": "wilson"}}, {"strict": True}):
        assert scoreproof.check({**claim, "conventions": stated}).status == "inconsistent"
    other = scoreproof.check({**claim, "conventions": {"ci": {"spec": "wald"}}})
    assert other.status == "consistent" and other.takes == {"intervals": "another method"}


def test_figures_that_clash_do_so_whatever_the_method():
    claim = {
        "experiment": {"p": 32, "n": 264},
        "scores": {"sens": "78.1% (63.8, 83.3)", "spec": "89.8% (86.1, 93.4)", "acc": "70.0%"},
    }
    assert scoreproof.check(claim).status == "inconsistent"
    outside = {**claim, "scores": {"sens": "78.1% (79.8, 93.3)"}}
    verdict = scoreproof.check(outside)
    assert verdict.status == "inconsistent" and "outside its own confidence interval" in verdict.sentence


def test_true_figures_with_any_interval_that_holds_them_are_consistent():
    """Intervals of a bootstrap: anything around the figure."""
    rng = random.Random(9)
    for _ in range(60):
        p, n = rng.randint(5, 60), rng.randint(5, 60)
        matrix = Matrix.of(rng.randint(1, p), rng.randint(1, n), p, n)
        scores = {}
        for name in rng.sample(sorted(COUNTS), 3):
            x, m = COUNTS[name](matrix)
            if m:
                low, high = x / m - rng.random() / 5, x / m + rng.random() / 5
                scores[name] = f"{x / m:.3f} ({max(low, 0):.3f} to {min(high, 1):.3f})"
        claim = {"experiment": {"p": p, "n": n}, "scores": scores}
        assert scoreproof.check(claim).status == "consistent", claim


def test_intervals_of_very_large_classes_are_left_out_with_a_word():
    claim = {"experiment": {"p": 200_000, "n": 20}, "scores": {"sens": "0.900 (0.899-0.901)"}}
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent" and not verdict.notes and scoreproof.verify(verdict)
    # 1.96 times the root of 0.9 times 0.1 in 200,000 is 0.0013, which no method makes 0.004
    claim["scores"]["sens"] = "0.900 (0.896-0.904)"
    assert scoreproof.check(claim).takes == {"intervals": "another method"}
    verdict = scoreproof.check({**claim, "experiment": {"p": 2_000_000, "n": 20}})
    assert verdict.status == "consistent"
    assert verdict.notes == (
        "the interval of sens was not used: it is computed for classes of up to 1000000 items",
    )
