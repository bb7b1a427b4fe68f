"""Clashes and nearest values against plain enumeration."""

from __future__ import annotations

import random
from functools import reduce
from itertools import combinations
from math import ceil, floor

import pytest
from brute import Case, Figure, fits, nearly, roundings
from campaign import share
from test_one_matrix import some_case, some_size

import scoreproof
from scoreproof.budget import Budget
from scoreproof.insight.conflict import every_clash
from scoreproof.insight.nearest import Mender
from scoreproof.insight.places import places
from scoreproof.insight.trial import Trials


def pairs_by_figure(case):
    """For every figure the (tp, tn) that give it."""
    return {label: set(case._replace(figures={label: case.figures[label]}).pairs()) for label in case.figures}


def brute_clashes(given):
    """Every inclusion-minimal set of figures that no matrix gives together, the shortest first."""
    found = []
    for size in range(1, len(given) + 1):
        for kept in combinations(given, size):
            smaller = any(set(clash) <= set(kept) for clash in found)
            if not smaller and not reduce(set.__and__, (given[label] for label in kept)):
                found.append(kept)
    return found


def printable(value, figure, rule):
    """All k such that the value can be printed as k units of the figure's last digit."""
    if isinstance(rule, str):
        return roundings(value, figure.unit, rule)
    middle, reach = nearly(value) / figure.unit, rule / figure.unit + 2
    candidates = range(floor(middle - reach), ceil(middle + reach) + 1)
    return {k for k in candidates if fits(value, figure._replace(k=k), rule)}


def brute_nearest(case, given, label):
    """(digits changed, k) of the value that mends the claim with the fewest digits changed, then by least.

    Only values with the same sign and as many digits count.
    """
    figure = case.figures[label]
    width = sum(character.isdecimal() for character in figure.text)
    every = {(tp, tn) for tp in range(case.p + 1) for tn in range(case.n + 1)}
    left = reduce(set.__and__, (given[other] for other in given if other != label), every)
    values = {case.value(label, tp, tn) for tp, tn in left} - {None}
    numbers = {k for value in values for k in printable(value, figure, case.rules[label])}
    best = None
    for k in numbers:
        if (k > 0 and figure.k < 0) or (k < 0 and figure.k >= 0) or abs(k) >= 10**width:
            continue
        old, new = (f"{abs(each):0{width}d}" for each in (figure.k, k))
        changed = sum(a != b for a, b in zip(old, new, strict=True))
        key = (changed, abs(k - figure.k), k)
        if changed and (best is None or key < best):
            best = key
    return None if best is None else (best[0], best[2])


def compare_with_enumeration(seed, cases, largest):
    rng = random.Random(seed)
    sizes = set()
    while cases:
        case, _ = some_case(
            rng, max(1, some_size(rng, largest)), max(1, some_size(rng, largest)), perturbed=True
        )
        given = pairs_by_figure(case)
        if reduce(set.__and__, given.values()):
            continue
        cases -= 1
        verdict = scoreproof.check(case.claim())
        found = every_clash(verdict.outcomes, Budget())
        expected = brute_clashes(given)
        assert found.complete, case
        assert set(map(frozenset, found.sets)) == set(map(frozenset, expected)), case
        assert [len(each) for each in found.sets] == [len(each) for each in expected], case
        sizes |= {len(each) for each in expected}
        mends = Mender(verdict.claim.source, Trials(Budget())).every(places(verdict.claim.source))
        nearest = {mend.label: (mend.change, scoreproof.figure(mend.value).value) for mend in mends}
        for label, figure in case.figures.items():
            mended = brute_nearest(case, given, label)
            if mended is not None:
                mended = mended[0], mended[1] * figure.unit
            assert nearest.get(label) == mended, (case, label)
    assert {1, 2} <= sizes  # else the comparison would say little


def test_clashes_and_nearest_values_are_those_of_enumeration():
    compare_with_enumeration(seed=11, cases=60, largest=20)


@pytest.mark.campaign
def test_clashes_and_nearest_values_are_those_of_enumeration_in_a_long_campaign():
    compare_with_enumeration(seed=12, cases=share(5000), largest=60)


def test_a_figure_that_is_wrong_in_several_digits_is_mended():
    case = Case(40, 60, {"acc": Figure(950, 3), "sens": Figure(487, 3)}, {"acc": "nearest", "sens": "nearest"})
    given = pairs_by_figure(case)
    found = scoreproof.explain(case.claim())
    assert {mend.label: mend.change for mend in found.nearest} == {
        label: mended[0] for label in case.figures if (mended := brute_nearest(case, given, label)) is not None
    }
