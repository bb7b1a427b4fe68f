"""Averaged claims with a known answer: published ones, large ones, corners of the meaning."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from asking import Fits, Open, Refuted, decide, replay

from scoreproof.errors import BadClaim
from scoreproof.exact import RootSum
from scoreproof.interval import Interval
from scoreproof.question.evaluate import confirms
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES, Matrix


def printed(text, places=None):
    """The interval of a figure printed with so many places."""
    value = Fraction(text)
    places = len(text.partition(".")[2]) if places is None else places
    half = Fraction(1, 2 * 10**places)
    return Interval(value - half, value + half)


def about(kind, name, interval, count, clusters=()):
    return Target(name, kind, SCORES[name], interval, (Fraction(1, count),) * count, clusters)


def means(parts, undefined="impossible", **scores):
    targets = tuple(about(Kind.MEAN, name, printed(text), len(parts)) for name, text in scores.items())
    return Problem(tuple(parts), targets, undefined)


def folds(p, n, k, repeats=1):
    one = [Sample(p // k + (i < p % k), n // k + (i >= k - n % k)) for i in range(k)]
    return one * repeats


def points(answer):
    return [(matrix.tp, matrix.tn) for matrix in answer.witness.parts]


def settled(problem):
    """The engine's answer, checked."""
    answer = decide(problem)
    if isinstance(answer, Fits):
        assert confirms(problem, points(answer))
    elif isinstance(answer, Refuted):
        assert replay(problem, answer.certificate)
    return answer


def test_ten_times_ten_folds_of_linear_scores_are_decided_with_six_digits():
    rng = Random(1)
    parts = folds(38, 262, 10, 10)
    matrices = [(rng.randint(s.p // 2, s.p), rng.randint(s.n // 2, s.n)) for s in parts]
    acc = sum(Fraction(a + b, s.p + s.n) for (a, b), s in zip(matrices, parts, strict=True)) / 100
    sens = sum(Fraction(a, s.p) for (a, _), s in zip(matrices, parts, strict=True)) / 100
    good = Problem(
        tuple(parts),
        (
            about(Kind.MEAN, "acc", printed(f"{float(acc):.6f}"), 100),
            about(Kind.MEAN, "sens", printed(f"{float(sens):.6f}"), 100),
        ),
    )
    assert isinstance(settled(good), Fits)
    # sums of tp/3 and tp/4 over 100 folds are multiples of 1/1200: six digits miss most values
    bad = replace(good, targets=(about(Kind.MEAN, "sens", printed("0.800100"), 100),))
    assert isinstance(settled(bad), Refuted)


def test_linear_claims_need_neither_numpy_nor_scipy():
    code = (
        "import sys\n"
        "from fractions import Fraction as F\n"
        "from scoreproof.question.question import *\n"
        "from scoreproof.interval import Interval\n"
        "from scoreproof.scores import SCORES\n"
        "from scoreproof.budget import Budget\n"
        "from scoreproof.question.folds import Sample\n"
        "from scoreproof.solve.sums.decide import decide\n"
        "t = Target('acc', Kind.MEAN, SCORES['acc'], Interval(F(1,2), F(3,5)), (F(1,2),)*2)\n"
        "decide(Problem((Sample(3,4), Sample(3,5)), (t,)), Budget())\n"
        "print('numpy' in sys.modules, 'scipy' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_mean_f1_fits_where_the_other_scores_allow_it_and_not_beyond():
    parts = folds(100, 200, 5)
    assert isinstance(settled(means(parts, acc="0.80", sens="0.80", f1="0.73")), Fits)
    assert isinstance(settled(means(parts, acc="0.80", sens="0.80", f1="0.85")), Refuted)


@pytest.mark.parametrize("shift", [0, 40])
def test_images_with_millions_of_pixels_are_decided(shift):
    rng = Random(4)
    parts = [Sample(rng.randint(30_000, 800_000), rng.randint(1_000_000, 8_000_000)) for _ in range(20)]
    shares = [(rng.uniform(0.6, 0.9), rng.uniform(0.95, 0.99)) for _ in parts]
    matrices = [
        Matrix.of(round(a * s.p), round(b * s.n), s.p, s.n) for (a, b), s in zip(shares, parts, strict=True)
    ]

    def mean(name):
        return sum(SCORES[name].value(m, (Fraction(1), Fraction(1))) for m in matrices) / 20

    scores = {name: f"{float(mean(name)):.4f}" for name in ("acc", "sens", "spec")}
    scores["f1"] = f"{float(mean('f1')) + shift / 100:.4f}"
    answer = settled(means(parts, **scores))
    assert isinstance(answer, Refuted if shift else Fits)


def test_an_sd_larger_than_any_scores_can_have_is_inconsistent():
    singles = tuple((i,) for i in range(5))
    parts = tuple(folds(100, 200, 5))
    problem = Problem(
        parts,
        (
            about(Kind.MEAN, "f1", printed("0.95"), 5),
            about(Kind.SD, "f1", printed("0.30"), 5, singles),
        ),
        spread="either",
    )
    assert isinstance(settled(problem), Refuted)


def test_an_sd_over_repeats_is_hit_by_matrices():
    clusters = tuple(tuple(range(5 * r, 5 * r + 5)) for r in range(3))
    targets = (
        about(Kind.MEAN, "acc", printed("0.8756"), 15),
        about(Kind.SD, "acc", printed("0.0102"), 15, clusters),
        about(Kind.MEAN, "f1", printed("0.7712"), 15),
        about(Kind.SD, "f1", printed("0.0203"), 15, clusters),
    )
    answer = settled(Problem(tuple(folds(100, 200, 5, 3)), targets, spread="sample"))
    assert not isinstance(answer, Refuted)


def test_the_sample_sd_of_a_single_value_fits_nothing():
    one = (about(Kind.SD, "acc", Interval(Fraction(0), None), 1, ((0,),)),)
    assert isinstance(settled(Problem((Sample(3, 3),), one, spread="sample")), Refuted)
    assert isinstance(settled(Problem((Sample(3, 3),), one, spread="population")), Fits)


def test_undefined_parts_count_as_the_convention_says():
    # one fold without positives: sensitivity is undefined there
    parts = [Sample(0, 4), Sample(2, 4)]
    full = {"sens": "1.0"}
    assert isinstance(settled(means(parts, "impossible", **full)), Refuted)
    assert isinstance(settled(means(parts, "skip", **full)), Fits)
    assert isinstance(settled(means(parts, "zero", **full)), Refuted)
    assert isinstance(settled(means(parts, "zero", sens="0.5")), Fits)


def test_an_f_measure_of_means_needs_an_f_measure():
    with pytest.raises(BadClaim):
        decide(Problem((Sample(3, 3),) * 2, (about(Kind.OF_MEANS, "acc", printed("0.5"), 2),)))


def test_f_of_mean_precision_and_recall_is_bound_by_them():
    parts = tuple(folds(100, 200, 5))
    both = (about(Kind.MEAN, "ppv", printed("0.64"), 5), about(Kind.MEAN, "sens", printed("0.79"), 5))
    fits = Problem(parts, (*both, about(Kind.OF_MEANS, "f1", printed("0.707"), 5)))
    misses = Problem(parts, (*both, about(Kind.OF_MEANS, "f1", printed("0.680"), 5)))
    assert isinstance(settled(fits), Fits)
    assert isinstance(settled(misses), Refuted)


def test_the_same_claim_gives_the_same_answer():
    problem = means(folds(100, 200, 10), acc="0.8033", f1="0.7102", ppv="0.6802")
    first = decide(problem)
    assert not isinstance(first, Open)
    assert decide(problem) == first


def test_roots_that_cancel_are_compared_as_fractions():
    total = RootSum(Fraction(1, 2))
    total.add_root(Fraction(1), Fraction(2))
    total.add_root(Fraction(-1, 2), Fraction(8))
    assert not total.roots
    assert total.compare(Fraction(1, 2)) == 0
    total.add_root(Fraction(1), Fraction(3))
    assert total.compare(Fraction(22320508, 10**7)) == 1
