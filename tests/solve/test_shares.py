"""The counts that a printed share and its interval leave are those that each method, asked one by one, says."""

from __future__ import annotations

import random
from fractions import Fraction
from math import exp, sqrt

import pytest

from scoreproof.budget import Budget, OutOfWork
from scoreproof.interval import Interval
from scoreproof.printed import Rounding, read
from scoreproof.proof.confidence import METHODS, counts, proportion_fits
from scoreproof.solve.shares import segments

NAMES = tuple(name for name in METHODS if name not in ("open", "mercaldo"))
LEVELS = [Fraction(90, 100), Fraction(95, 100), Fraction(99, 100)]


def drawn(rng, m, digits):
    """A share of m items, often none or all, with limits about as far away as those of a method."""
    x = rng.choice([rng.randint(0, m), rng.randint(0, m), m, 0, m - 1])
    share = x / m
    error = 2 * (share * (1 - share) / m + 1 / m**2) ** 0.5 * rng.uniform(0.7, 1.3)
    low, high = share - error * rng.uniform(0.8, 1.2), share + error * rng.uniform(0.8, 1.2)
    if 0 < x < m and rng.random() < 0.3:  # by their odds
        odds, error = x / (m - x), exp(1.96 * sqrt(m / (x * (m - x))))
        low, high = odds / error / (1 + odds / error), odds * error / (1 + odds * error)
    if rng.random() < 0.8:
        low, high = max(low, 0), min(high, 1)
    rule = Rounding(rng.choice(["nearest", "any", "down", "up"]))
    printed, *limits = (read(f"{value:.{digits}f}").interval(rule) for value in (share, low, high))
    return printed, tuple(limits)


def by_method(found, m):
    """The methods that fit, by count."""
    row = {x: mask for a, b, mask in found.get(m, ()) for x in range(a, b + 1)}
    return {x: {name for bit, name in enumerate(NAMES) if mask >> bit & 1} for x, mask in row.items()}


def asked(x, m, limits, level):
    return {name for name in NAMES if proportion_fits(name, x, m, limits, level)}


def test_every_count_of_every_size_has_the_methods_that_give_it():
    rng = random.Random(1)
    seen = set()
    for _ in range(25):
        printed, limits = drawn(rng, rng.randint(1, 70), rng.choice([2, 2, 3, 4]))
        level = rng.choice(LEVELS)
        found = segments([printed], [(limits, level)], NAMES, (1, 70), Budget(10**12))
        for m in range(1, 71):
            mine = by_method(found, m)
            for x in counts([printed], m):
                want = asked(x, m, limits, level)
                assert mine.pop(x, set()) == want, (x, m, printed, limits, level)
                seen |= want
            assert not mine
    assert seen == set(NAMES)


@pytest.mark.parametrize("digits", [2, 3])
def test_the_ends_of_large_sizes_are_those_the_method_says(digits):
    """At sizes of thousands: the first and last count of each stretch fit, their neighbours do not."""
    rng = random.Random(digits)
    looked = 0
    for _ in range(3):
        m = rng.randint(1_500, 4_000)
        x = round(m * rng.uniform(0.6, 0.98))
        error = 1.96 * (x * (m - x) / m**3) ** 0.5
        printed, *limits = (
            read(f"{value:.{digits}f}").interval(Rounding()) for value in (x / m, x / m - error, x / m + error)
        )
        level = Fraction(95, 100)
        found = segments([printed], [(tuple(limits), level)], NAMES, (m - 40, m + 40), Budget(10**12))
        for size in range(m - 40, m + 41, 8):
            row = by_method(found, size)
            first, *_, last = [*counts([printed], size)] or [0, -1]
            edges = {
                first,
                last,
                *(x + step for a, b, _ in found.get(size, ()) for x in (a, b) for step in (-1, 0, 1)),
            }
            for x in edges & set(counts([printed], size)):
                assert row.get(x, set()) == asked(x, size, tuple(limits), level), (x, size, printed, limits)
                looked += 1
    assert looked > 60


def test_sizes_that_cannot_fit_are_passed_over():
    """The interval of a hundred thousand items is found without looking at those of fewer, for little work."""
    printed, *limits = (read(text).interval(Rounding()) for text in ("0.9544", "0.9531", "0.9557"))
    budget = Budget(10**9)  # looking at each size from 1 on would take more
    found = segments([printed], [(tuple(limits), Fraction(95, 100))], ("wilson", "logit"), (1, 150_000), budget)
    assert found and min(found) > 90_000 and budget.left > 0


def test_work_that_runs_out_is_said():
    printed, *limits = (read(text).interval(Rounding()) for text in ("0.90", "0.88", "0.92"))
    with pytest.raises(OutOfWork):
        segments([printed], [(tuple(limits), Fraction(95, 100))], NAMES, (1, None), Budget(10**6))


def test_nothing_bounds_a_share_without_an_interval():
    half = Interval(Fraction(49, 100), Fraction(51, 100))
    assert segments([half], [], (), (1, None), Budget()) is None
    assert segments([half], [], (), (2, 3), Budget()) == {2: [(1, 1, 0)]}
