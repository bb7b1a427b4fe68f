"""Laws of the engine for one matrix: its parts against one another and against enumeration."""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import combinations
from math import gcd

import numpy
import pytest
from brute import NAMES, RULES, Case, Figure, compare, roundings
from hypothesis import given
from hypothesis import strategies as st
from some_cases import cases

import scoreproof
from scoreproof.budget import Budget
from scoreproof.exact import Surd
from scoreproof.interval import Interval
from scoreproof.proof.certificate import Hole
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.solve.answer import Refuted
from scoreproof.solve.one_matrix import decide as one_matrix
from scoreproof.solve.one_matrix import sweep
from scoreproof.solve.one_matrix.extremes import attainable
from scoreproof.solve.one_matrix.regions import regions


def exact_or_nearby(rng, value):
    """The value itself where it is rational (a tie), else a short fraction beside it."""
    if isinstance(value, Surd) or rng.random() < 0.5:
        low = value.enclosure(60)[0] if isinstance(value, Surd) else value
        return low.limit_denominator(10 ** rng.randint(1, 9))
    return value


def random_problem(rng, largest):
    """Bounds that run exactly through, or close to, a point of the box."""
    p, n = (rng.randint(1, 10 ** rng.randint(1, largest)) for _ in range(2))
    tp, tn = rng.randint(0, p), rng.randint(0, n)
    targets = []
    for name in rng.sample(NAMES, rng.randint(1, 3)):
        score = SCORES[name]
        value = score.value(Matrix.of(tp, tn, p, n), ONE)
        if value is None:
            continue
        at = exact_or_nearby(rng, value)
        width = F(rng.randint(0, 30), 10 ** rng.randint(2, 6))
        interval = Interval(at - rng.choice([0, width]), at + width, rng.random() < 0.7, rng.random() < 0.7)
        targets.append(Target(name, Kind.MEAN, score, interval, (F(1),)))
    return Problem((Sample(p, n),), tuple(targets), rng.choice(["impossible", "zero"]))


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("largest", [2, 4, 6, 9, 15])
def test_the_sweep_equals_the_exact_columns(largest, flipped):
    """Floats steer the sweep; what it returns is what integers give, ties included."""
    rng = random.Random(largest)
    swept = 0
    while swept < 4000:
        for region in regions(random_problem(rng, largest)):
            if isinstance(region, Hole):
                continue
            region = region.flipped() if flipped else region
            first = rng.randint(region.a, region.b)
            last = min(region.b, first + rng.choice([0, 5, 60]))
            low, high = sweep.columns(region, first, last)
            expected = [region.column(x) for x in range(first, last + 1)]
            # Where nothing fits, only that matters.
            for (a, b), c, d in zip(expected, low.tolist(), high.tolist(), strict=True):
                assert (a, b) == (c, d) or (a > b and c > d)
            assert sweep.count(region, first, last) == sum(max(0, b - a + 1) for a, b in expected)
            swept += last - first + 1


def test_the_sweep_is_exact_where_every_column_is_a_tie():
    """gm = 1/2 and mcc = 0 at square sizes meet integers again and again."""
    bounds = [
        ("gm", F(1, 2)), ("mcc", F(0)), ("mcc", F(1, 3)), ("mcc", F(-1, 2)), ("fm", F(2, 3)), ("upm", F(1, 2)),
        ("dor", F(1)), ("mk", F(1, 4)), ("mk", F(-1, 4)), ("acc", F(1, 2)), ("kappa", F(0)),
    ]  # fmt: skip
    for name, v in bounds:
        for closed in (True, False):
            target = Target(name, Kind.MEAN, SCORES[name], Interval(v, None, closed), (F(1),))
            for region in regions(Problem((Sample(400, 900),), (target,))):
                if not isinstance(region, Hole):
                    low, _ = sweep.columns(region, region.a, region.b)
                    expected = numpy.array([region.column(x)[0] for x in range(region.a, region.b + 1)])
                    assert (low == expected).all()


@given(cases(largest=12))
def test_every_column_of_a_region_is_the_interval_that_fits(drawn):
    case, _ = drawn
    problem = scoreproof.check(case.claim()).outcomes[0].problem
    pairs = set(case.pairs())
    covered = 0
    for region in regions(problem):
        if isinstance(region, Hole):
            (a, b), (c, d) = region.tp, region.tn
            assert not any(a <= tp <= b and c <= tn <= d for tp, tn in pairs)
        else:
            a, b, c, d = region.a, region.b, region.c, region.d
            for tp in range(a, b + 1):
                low, high = region.column(tp)
                assert {tn for x, tn in pairs if x == tp and c <= tn <= d} == set(range(low, high + 1))
        covered += (b - a + 1) * (d - c + 1)
    assert covered == (case.p + 1) * (case.n + 1)


@given(cases(largest=10), st.sampled_from(NAMES))
def test_the_extremes_of_a_score_are_those_of_the_matrices_that_fit(drawn, name):
    case, _ = drawn
    problem = scoreproof.check(case.claim()).outcomes[0].problem
    plain = case._replace(undefined="impossible")
    values = [value for tp, tn in case.pairs() if (value := plain.value(name, tp, tn)) is not None]
    found = attainable(problem, SCORES[name])
    assert (found is None) == (not values)
    if found is not None:
        low, high = found
        for extreme, worse in ((low, 1), (high, -1)):
            assert extreme.exact
            assert case.admits(extreme.matrix.tp, extreme.matrix.tn)
            here = plain.value(name, extreme.matrix.tp, extreme.matrix.tn)
            below, above = enclosure(extreme.value)
            assert compare(here, below) >= 0 >= compare(here, above)
            assert all(compare(value, above if worse < 0 else below) * worse >= 0 for value in values)


def enclosure(value):
    return value.enclosure(90) if isinstance(value, Surd) else (value, value)


@given(cases(largest=9, most=5, spoilt=True))
def test_a_conflict_is_a_shortest_set_of_figures_that_clash(drawn):
    case, _ = drawn
    verdict = scoreproof.check(case.claim())
    if verdict.status != "inconsistent":
        assert verdict.conflict is None
        return

    def clash(labels):
        return not case._replace(figures={label: case.figures[label] for label in labels}).pairs()

    conflict = verdict.conflict
    assert clash(conflict)
    assert not any(
        clash([other for other in conflict if other != label]) for label in conflict if len(conflict) > 1
    )
    for size in range(1, len(conflict)):
        assert not any(clash(labels) for labels in combinations(case.figures, size))


@given(cases(largest=9, most=3))
def test_ranges_say_what_the_other_figures_leave_possible(drawn):
    case, _ = drawn
    verdict = scoreproof.check(case.claim())
    for label, found in verdict.ranges.items():
        others = case._replace(figures={other: f for other, f in case.figures.items() if other != label})
        values = [
            v
            for tp, tn in others.pairs()
            if (v := others._replace(undefined="impossible").value(label, tp, tn)) is not None
        ]
        assert (found is None) == (not values)
        if found is not None:
            assert all(compare(v, enclosure(found.lowest)[0]) >= 0 for v in values)
            assert all(compare(v, enclosure(found.highest)[1]) <= 0 for v in values)
            assert found.exact


@pytest.mark.parametrize(
    "labels", [["f1", "ji"], ["bm", "bacc"], ["ppv", "lrp"], ["acc", "bacc"], ["gm", "upm"], ["mcc", "bm"]]
)
def test_a_count_by_any_route_is_the_same(labels):
    """Side by side bounds take other routes (counted lines, sweeps, rows instead of columns)."""
    rng = random.Random(3)
    for _ in range(6):
        p = rng.randint(120, 400)
        n = rng.choice([p, p + 1, p - 1, 40])
        tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
        case = Case(p, n, {}, dict.fromkeys(labels, "nearest"))
        for label in labels:
            k = min(roundings(case.value(label, tp, tn), F(1, 100), "nearest")) + rng.choice([0, 0, 1])
            case.figures[label] = Figure(k, 2)
        problem = scoreproof.check(case.claim()).outcomes[0].problem
        columns = sum(
            max(0, high - low + 1)
            for region in regions(problem)
            if not isinstance(region, Hole)
            for low, high in (region.column(tp) for tp in range(region.a, region.b + 1))
        )
        answer = one_matrix.decide(problem, Budget())
        if columns:
            assert (answer.count, answer.count_exact) == (columns, True)
        else:
            assert isinstance(answer, Refuted)


def test_a_lower_bound_on_a_count_is_below_the_count(monkeypatch):
    """Beyond the budget a count is a bound, said to be one, and never too large."""
    case = Case(
        3000, 2500, {"mcc": Figure(71, 2), "gm": Figure(85, 2)}, dict.fromkeys(["mcc", "gm"], "nearest")
    )
    exact = scoreproof.check(case.claim())
    assert exact.count_exact
    monkeypatch.setattr(one_matrix, "SWEEP", 100)
    bound = scoreproof.check(case.claim())
    assert not bound.count_exact
    assert 1 <= bound.count < exact.count
    assert scoreproof.verify(bound)


@pytest.mark.parametrize("rule", RULES)
def test_bounds_outside_the_range_of_a_score_are_answers_too(rule):
    for name in NAMES:
        for text in ("-7.5", "-1.5", "-1.0", "1.0", "1.5", "250.0"):
            figure = Figure(int(text.replace(".", "")), 1)
            case = Case(5, 4, {name: figure}, {name: rule})
            verdict = scoreproof.check(case.claim())
            assert verdict.count == len(case.pairs()), (name, text)
            assert scoreproof.verify(verdict)


@pytest.mark.parametrize("size", [1, 1000, 10**9])
def test_a_score_of_exactly_zero_is_decided_like_any_other(size):
    """At zero the bounds of mcc are straight lines, which a strip of the proof must know."""
    for p in range(1, 8):
        for n in range(1, 8):
            claim = {
                "experiment": {"p": p * size + 1, "n": n * size},
                "scores": {"mcc": "0.0"},
                "rounding": {"eps": "0"},
                "conventions": {"strict": True},
            }
            p_, n_ = claim["experiment"].values()
            # tp/p + tn/n = 1, without the corners in which mcc is undefined
            fitting = gcd(p_, n_) - 1
            verdict = scoreproof.check(claim)
            assert verdict.status == ("consistent" if fitting else "inconsistent"), claim
            assert verdict.count == fitting and scoreproof.verify(verdict)
