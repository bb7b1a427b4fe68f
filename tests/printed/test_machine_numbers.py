"""Digits of machine numbers contain the ratio they were computed from."""

from __future__ import annotations

import random
from fractions import Fraction as F

import numpy as np
import pytest

from scoreproof import Rounding, check
from scoreproof.printed import RULES, read
from scoreproof.writing import span

SINGLE = np.float32


def of_five(ratios, kind):
    return np.mean(np.array([float(each) for each in ratios], dtype=kind))


def five(k, n):
    return [F(random.Random(k * 7 + i).randint(n // 8, n), n) for i in range(5)]


#: How the share k/n of a random test set is printed, and what it truly is.
PRINTED = {
    "as Python prints it": lambda k, n: (repr(k / n), F(k, n)),
    "in 32 bits": lambda k, n: (str(SINGLE(k / n)), F(k, n)),
    "in 32 bits, widened": lambda k, n: (repr(float(SINGLE(k / n))), F(k, n)),
    "in 32 bits, eight places": lambda k, n: (f"{float(SINGLE(k / n)):.8f}", F(k, n)),
    "in 32 bits, nine places": lambda k, n: (f"{float(SINGLE(k / n)):.9f}", F(k, n)),
    "all places of 64 bits": lambda k, n: (f"{k / n:.20f}", F(k, n)),
    "in percent": lambda k, n: (f"{k / n * 100} %", F(k, n)),
    "in percent of 32 bits": lambda k, n: (f"{float(SINGLE(k / n)) * 100} %", F(k, n)),
    "the other share": lambda k, n: (repr(1 - k / n), 1 - F(k, n)),
    "the other share in percent": lambda k, n: (f"{(1 - k / n) * 100} %", 1 - F(k, n)),
    "a mean": lambda k, n: (repr(sum(map(float, five(k, n))) / 5), sum(five(k, n)) / 5),
    "a mean of 32 bits": lambda k, n: (str(of_five(five(k, n), SINGLE)), sum(five(k, n)) / 5),
    "a mean of 32 bits, widened": lambda k, n: (
        repr(float(np.mean([float(SINGLE(float(each))) for each in five(k, n)]))),
        sum(five(k, n)) / 5,
    ),
    "F1": lambda k, n: (
        repr(2 * (k / n) * (k / (k + 7)) / (k / n + k / (k + 7))),
        2 * F(k, n) * F(k, k + 7) / (F(k, n) + F(k, k + 7)),
    ),
}


@pytest.mark.parametrize("way", PRINTED)
def test_a_machine_number_contains_the_ratio_it_stands_for(way):
    rng = random.Random(way)
    for _ in range(1_500):
        n = rng.choice([rng.randint(2, 60), rng.randint(60, 3_000), rng.randint(3_000, 90_000)])
        text, truth = PRINTED[way](rng.randint(1, n - 1), n)
        assert truth in read(text).interval(Rounding()), (text, truth)


@pytest.mark.parametrize(
    "text, bits",
    [
        ("0.9908000230789185", 32), ("0.33333334", 32), ("0.666666687", 32), ("99.08000230789185 %", 32),
        ("0.7000000000000001", 64), ("0.6666666666666666", 64), ("66.66666666666666", 64),
        ("0.9333333333333332", 64),
        ("0.69999999999999995559", 64), ("0.9567", 0), ("0.956712", 0), ("0.66666667", 0), ("0.95000000", 0),
        ("0.5000000000", 0), ("1234567", 0), ("0." + "9" * 70, 0), ("9" * 70, 0),
    ],
)  # fmt: skip
def test_a_figure_says_whether_its_digits_are_a_machine_number(text, bits):
    assert read(text).binary == bits


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "text", ["0.9908000230789185", "0.7000000000000001", "0.33333334", "1e-17", "0.1234567"]
)
def test_it_never_stands_for_less_than_its_rounding_gives(text, rule):
    found = read(text)
    whole, rounded = found.interval(Rounding(rule)), Rounding(rule).interval(found.value, found.unit)
    for end, closed in ((rounded.lo, rounded.lo_closed), (rounded.hi, rounded.hi_closed)):
        assert end in whole or not closed
    assert whole.lo <= rounded.lo and rounded.hi <= whole.hi


def test_a_stated_distance_is_kept():
    assert (
        span(read("0.7000000000000001").interval(Rounding("eps", F(0))))
        == "[0.7000000000000001, 0.7000000000000001]"
    )


@pytest.mark.parametrize(
    "experiment, scores",
    [
        ({"p": 5000, "n": 5000}, {"acc": "0.9908000230789185"}),
        ({"p": 10, "n": 10}, {"f1": "0.7000000000000001"}),
        ({"p": 3, "n": 3}, {"sens": "0.6666666666666666", "spec": "0.33333334", "acc": "0.5"}),
        ({"p": 3, "n": 3}, {"sens": "66.66666666666666 %"}),
    ],
)
def test_what_programs_print_is_consistent(experiment, scores):
    assert check({"experiment": experiment, "scores": scores}).status == "consistent"


def test_a_machine_number_that_cannot_be_is_found():
    assert (
        check({"experiment": {"p": 5000, "n": 5000}, "scores": {"acc": "0.9908500230789185"}}).status
        == "inconsistent"
    )
