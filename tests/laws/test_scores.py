"""Laws of the table of scores: what its rows promise to everything built on them."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import brute
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from scoreproof.exact import Surd, compare
from scoreproof.scores import ONE, SCORES, Betas, Matrix, inequality, zones, zones_undefined
from scoreproof.scores.averages import AVERAGED
from scoreproof.scores.binary import HALF, INSIDE

SIZES = [(0, 1), (1, 0), (1, 1), (0, 4), (5, 0), (1, 6), (6, 1), (2, 2), (3, 7), (8, 5), (9, 9)]
BETAS = [ONE, Betas(F(4), F(1, 4)), Betas(F(9, 4), F(100))]

VARIANTS = {HALF[name].name: HALF[name] for name in ("lrp", "lrn", "dor", "mcc", "pt", "kappa", "fm", "acc")}
VARIANTS |= {INSIDE[name].name: INSIDE[name] for name in ("dor", "mcc")}
VARIANTS |= {row.name: row for rows in AVERAGED.values() for row in rows.values()}
every_row = pytest.mark.parametrize("score", (SCORES | VARIANTS).values(), ids=SCORES | VARIANTS)
every_score = pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)


def box(p, n):
    return product(range(p + 1), range(n + 1))


def at(polynomial, tp, tn):
    a, b, c, d, e, f = polynomial
    return a * tp * tp + b * tp * tn + c * tn * tn + d * tp + e * tn + f


def defined(score, p, n, betas=ONE):
    """(tp, tn, value) wherever the score is defined."""
    for tp, tn in box(p, n):
        value = score.value(Matrix.of(tp, tn, p, n), betas)
        if value is not None:
            yield tp, tn, value


@every_score
@pytest.mark.parametrize("beta", [F(1), F(2), F(1, 3)])
def test_a_score_has_its_textbook_value(score, beta):
    for p, n in SIZES:
        for tp, tn in box(p, n):
            value = score.value(Matrix.of(tp, tn, p, n), Betas(beta**2, 1 / beta**2))
            expected = brute.score(score.name, tp, n - tn, p - tp, tn, beta, 1 / beta)
            assert (value is None) == (expected is None), (p, n, tp, tn)
            if value is None:
                continue
            if isinstance(value, Surd):
                low, high = value.enclosure(80)
                assert brute.compare(expected, low) >= 0 >= brute.compare(expected, high)
            else:
                assert brute.compare(expected, value) == 0


@pytest.mark.parametrize("how", AVERAGED)
def test_an_average_over_both_classes_is_that_of_scikit_learn(how):
    """The same as precision_recall_fscore_support(average=…), with zero_division=0."""
    average, _, never = how.partition(",")
    for p, n in [(1, 1), (1, 3), (4, 2), (3, 3)]:
        for tp, tn in box(p, n):
            truth = [1] * p + [0] * n
            guess = [1] * tp + [0] * (p - tp) + [0] * tn + [1] * (n - tn)
            theirs = precision_recall_fscore_support(truth, guess, average=average, zero_division=0)
            uncalled = len(set(guess)) == 1
            for name, expected in zip(("ppv", "sens", "f1"), theirs, strict=False):
                value = AVERAGED[how][name].value(Matrix.of(tp, tn, p, n))
                if name == "ppv" and average != "micro" and bool(never) != uncalled:
                    assert value is None
                else:
                    assert float(value) == pytest.approx(expected)


@every_row
@pytest.mark.parametrize("betas", BETAS)
def test_a_score_is_monotone_in_tp_and_in_tn(score, betas):
    better = 1 if score.rises else -1
    for p, n in SIZES:
        values = {(tp, tn): value for tp, tn, value in defined(score, p, n, betas)}
        for (tp, tn), value in values.items():
            for further in ((tp + 1, tn), (tp, tn + 1)):
                if further in values:
                    assert compare(values[further], value) * better >= 0


@every_row
def test_a_score_is_monotone_even_across_the_points_where_it_is_undefined(score):
    better = 1 if score.rises else -1
    found = list(defined(score, 5, 6))
    for tp, tn, value in found:
        for more_tp, more_tn, other in found:
            if more_tp >= tp and more_tn >= tn:
                assert compare(other, value) * better >= 0


@every_row
@pytest.mark.parametrize("betas", BETAS)
def test_undefined_values_fill_whole_zones(score, betas):
    for p, n in SIZES:
        holes = zones_undefined(score, p, n, betas)
        seen = set()
        for (i, (a, b)), (j, (c, d)) in product(zones(p), zones(n)):
            for tp, tn in product(range(a, b + 1), range(c, d + 1)):
                seen.add((tp, tn))
                undefined = score.value(Matrix.of(tp, tn, p, n), betas) is None
                assert undefined == ((i, j) in holes), (p, n, tp, tn)
        assert seen == set(box(p, n))


@every_row
@pytest.mark.parametrize("betas", BETAS)
def test_a_denominator_is_positive_where_its_score_is_defined(score, betas):
    for p, n in SIZES:
        for tp, tn, value in defined(score, p, n, betas):
            below = at(score.polynomials(p, n, betas)[1], tp, tn)
            # The threshold 1/(1+√r) is 0 where r is infinite; its inequality holds there too.
            assert below > 0 or (score.threshold and below == 0 and value == 0)


@every_row
@pytest.mark.parametrize("betas", BETAS)
def test_numerator_over_denominator_is_the_value(score, betas):
    for p, n in SIZES:
        for tp, tn, value in defined(score, p, n, betas):
            above = at(score.polynomials(p, n, betas)[0], tp, tn)
            below = at(score.polynomials(p, n, betas)[1], tp, tn)
            if not below:
                continue
            ratio = F(above, below)
            if score.threshold:
                assert brute.compare(brute.Threshold(F(1), ratio), as_fraction(value)) in (0, 1)
                assert near(value, 1 / (1 + F(float(ratio) ** 0.5)))
            elif score.squared:
                assert square(value) == ratio
            else:
                assert value == ratio


def as_fraction(value):
    return value.enclosure(80)[0] if isinstance(value, Surd) else value


def near(value, other):
    return abs(as_fraction(value) - other) < F(1, 10**12)


def square(value):
    return value.b**2 * value.q if isinstance(value, Surd) else value * value


@every_row
@pytest.mark.parametrize("strict", [False, True])
def test_the_polynomial_of_a_bound_has_the_sign_of_the_comparison(score, strict):
    bounds = [F(k, 20) for k in range(-25, 45, 3)] + [F(0), F(1), F(-1), F(1, 2), F(-1, 2), F(1, 3), F(7)]
    for p, n in SIZES:
        for v in bounds:
            polynomial = inequality(score, v, strict, p, n, ONE)
            for tp, tn, value in defined(score, p, n):
                order = compare(value, v) * (1 if score.rises else -1)
                holds = order > 0 or (order == 0 and not strict)
                if isinstance(polynomial, bool):
                    assert holds == polynomial
                elif score.signed:
                    # Squares are compared; where score and bound differ in sign that says nothing.
                    if compare(value, F(0)) == (v > 0) - (v < 0) != 0:
                        assert holds == (at(polynomial, tp, tn) >= 0)
                else:
                    assert holds == (at(polynomial, tp, tn) >= 0), (p, n, tp, tn, v)


@every_row
def test_a_score_stays_within_its_stated_range(score):
    for p, n in SIZES:
        for _, _, value in defined(score, p, n):
            assert score.lowest is None or compare(value, score.lowest) >= 0
            assert score.highest is None or compare(value, score.highest) <= 0


@every_score
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(2, 9))
def test_a_score_depends_only_on_proportions(score, tp, fp, fn, tn, times):
    """Why pooled parts, and repeats, collapse to one evaluation set."""
    once = score.value(Matrix(tp, fp, fn, tn), ONE) if tp + fp + fn + tn else None
    again = (
        score.value(Matrix(tp * times, fp * times, fn * times, tn * times), ONE) if tp + fp + fn + tn else None
    )
    assert (once is None) == (again is None)
    if once is not None:
        assert compare(once, again) == 0


SKLEARN = {
    "acc": "accuracy_score", "sens": "recall_score", "ppv": "precision_score", "f1": "f1_score",
    "bacc": "balanced_accuracy_score", "mcc": "matthews_corrcoef", "kappa": "cohen_kappa_score",
    "ji": "jaccard_score",
}  # fmt: skip


@pytest.mark.parametrize("name", SKLEARN)
def test_scikit_learn_computes_the_same_figures(name):
    metrics = pytest.importorskip("sklearn.metrics")
    function = getattr(metrics, SKLEARN[name])
    for matrix in (Matrix(7, 2, 3, 11), Matrix(1, 6, 9, 2), Matrix(20, 1, 1, 3), Matrix(5, 5, 1, 1)):
        truth = [1] * matrix.p + [0] * matrix.n
        called = [1] * matrix.tp + [0] * matrix.fn + [0] * matrix.tn + [1] * matrix.fp
        assert float(function(truth, called)) == pytest.approx(
            float(SCORES[name].value(matrix, ONE)), abs=1e-12
        )
