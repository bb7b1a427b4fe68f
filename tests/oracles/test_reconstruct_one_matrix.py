"""Ranges and lists of one confusion matrix against plain enumeration."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from brute import NAMES, Root, Threshold, compare, sign
from campaign import share
from test_one_matrix import some_case, some_size

import scoreproof
from scoreproof.exact import Surd


def order(one, two):
    """-1, 0, 1: how two values of the same score compare, exactly."""
    if isinstance(two, F):
        return compare(one, two)
    if isinstance(one, F):
        return -compare(two, one)
    if isinstance(one, Root):
        signed = [each.sign * each.square for each in (one, two)]
        return sign(signed[0] - signed[1])
    assert isinstance(one, Threshold)
    # √fpr/(√sens+√fpr) rises with fpr/sens
    return sign(one.fpr * two.sens - two.fpr * one.sens)


def same(mine, brute):
    """Whether the package's number is the oracle's, exactly."""
    if isinstance(brute, Root):
        if isinstance(mine, Surd):
            return mine.a == 0 and sign(mine.b) == brute.sign and mine.b**2 * mine.q == brute.square
        return compare(brute, mine) == 0
    if isinstance(brute, Threshold):
        if not isinstance(mine, Surd):
            return compare(brute, mine) == 0
        low, high = mine.enclosure(200)
        return compare(brute, low) >= 0 >= compare(brute, high)
    return mine == brute


def agree(case, names):
    """Whether list, counts and ranges are those of plain enumeration; whether anything fits."""
    pairs = case.pairs()
    found = scoreproof.reconstruct(case.claim(), names, timeout=None, most=10**6)
    if not pairs:
        assert found.status == "inconsistent" and not found.ranges and not found.cells, case
        return False
    assert {(m.tp, m.tn) for m in found.matrices} == set(pairs) and found.count == len(pairs), case
    counts = {
        "tp": [tp for tp, _ in pairs],
        "tn": [tn for _, tn in pairs],
        "fp": [case.n - tn for _, tn in pairs],
        "fn": [case.p - tp for tp, _ in pairs],
    }
    for cell, values in counts.items():
        each = found.cells[cell]
        assert (each.lowest, each.highest, each.exact) == (min(values), max(values), True), (case, cell)
        assert getattr(each.lowest_witness, cell) == each.lowest
        assert getattr(each.highest_witness, cell) == each.highest
    for name in names:
        values = {pair: case.value(name, *pair) for pair in pairs}
        defined = [value for value in values.values() if value is not None]
        each = found.ranges[name]
        if not defined:
            assert each is None, (case, name)
            continue
        assert each.exact and (each.undefined is not None) == (len(defined) < len(pairs)), (case, name)
        for end, witness, side in (
            (each.lowest, each.lowest_witness, -1),
            (each.highest, each.highest_witness, 1),
        ):
            there = values[witness.tp, witness.tn]
            assert same(end, there), (case, name)
            assert all(order(value, there) * side <= 0 for value in defined), (case, name)
    return True


def compare_with_enumeration(seed, cases, largest):
    rng = random.Random(seed)
    fitting = 0
    for number in range(cases):
        p, n = some_size(rng, largest), some_size(rng, largest)
        if p + n:
            case, _ = some_case(rng, p, n, perturbed=number % 4 == 1)
            fitting += agree(case, rng.sample(NAMES, 4))
    assert fitting > cases // 2  # else little was compared


def test_ranges_counts_and_matrices_equal_plain_enumeration():
    compare_with_enumeration(seed=1, cases=300, largest=20)


@pytest.mark.campaign
def test_ranges_counts_and_matrices_equal_plain_enumeration_at_length():
    compare_with_enumeration(seed=2, cases=share(5000), largest=60)


def test_without_any_figure_the_ranges_are_those_of_all_matrices():
    found = scoreproof.reconstruct({"experiment": {"p": 3, "n": 4}}, timeout=None)
    assert found.count == 20 == len(found.matrices)
    assert (found["acc"].lowest, found["acc"].highest) == (0, 1)
    assert (found["lrp"].highest, found["dor"].highest) == (4, 6)  # one false positive; one of each
    assert found["dor"].undefined is not None


def test_a_range_over_several_readings_covers_every_reading():
    claim = {"experiment": {"total": 30}, "scores": {"acc": "0.9", "sens": "0.8"}}
    found = scoreproof.reconstruct(claim, timeout=None)
    each = []
    for p in range(31):
        one = {**claim, "experiment": {"p": p, "n": 30 - p}}
        part = scoreproof.reconstruct(one, timeout=None)
        if part.status == "consistent":
            each.append(part)
    assert len(each) > 3
    assert {m for part in each for m in part.matrices} == set(found.matrices)
    for label in ("spec", "ppv", "mcc", "tp", "fp"):
        parts = [part[label] for part in each if part[label] is not None]
        assert float(found[label].lowest) == min(float(part.lowest) for part in parts)
        assert float(found[label].highest) == max(float(part.highest) for part in parts)
        reading = found[label].lowest_witness
        assuming = dict(found.verdict.outcomes[reading.reading].reading.assuming)
        assert assuming["counts"] == f"p={reading.matrix.p}, n={reading.matrix.n}"
