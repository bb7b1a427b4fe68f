"""The engine for one confusion matrix against plain enumeration."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from brute import NAMES, OTHER_NAMES, RULES, Case, Figure, meaning, roundings
from campaign import share

import scoreproof

BETAS = [F(1), F(1), F(2), F(1, 2), F(3, 2)]


def some_size(rng, largest):
    """A class count: mostly small, the edges 0 and 1 often."""
    pick = rng.random()
    if pick < 0.06:
        return 0
    if pick < 0.15:
        return 1
    return rng.randint(1, 12 if pick < 0.7 else largest)


def some_count(rng, size):
    """A number of hits: the edges often, near misses of perfection too."""
    pick = rng.random()
    if pick < 0.15:
        return 0
    if pick < 0.3:
        return size
    if pick < 0.4:
        return max(0, size - 1)
    return rng.randint(0, size)


def some_rule(rng):
    return F(rng.randint(0, 30), 10 ** rng.randint(1, 5)) if rng.random() < 0.1 else rng.choice(RULES)


def some_figure(rng, value, rule, decimals, percent):
    """The value as it would be printed under the rule."""
    unit = F(1, 10 ** (decimals + 2 * percent))
    name = rule if isinstance(rule, str) else "nearest"
    return Figure(rng.choice(sorted(roundings(value, unit, name))), decimals, percent)


def some_case(rng, p, n, *, perturbed):
    """Figures of a random matrix with p positives and n negatives, perhaps spoilt, and the matrix."""
    betas = rng.choice(BETAS), rng.choice(BETAS)
    undefined = rng.choice(["impossible", "impossible", "zero"])
    tp, tn = some_count(rng, p), some_count(rng, n)
    labels = rng.sample([*NAMES, *rng.sample(sorted(OTHER_NAMES), 6)], rng.randint(1, 5))
    shared = some_rule(rng)
    empty = Case(p, n, {}, {}, undefined, *betas)
    figures, rules, taken = {}, {}, set()
    for label in labels:
        # A rule is given per score, and complements are read by their own.
        if meaning(label) in taken:
            continue
        taken.add(meaning(label))
        rule = some_rule(rng) if rng.random() < 0.2 else shared
        value = empty.value(label, tp, tn)
        if value is None:
            # Undefined here: print it all the same, now and then.
            if rng.random() < 0.8:
                continue
            value = F(rng.choice([0, 1]))
        percent = rng.random() < 0.15
        decimals = rng.randint(0, 3) if percent else rng.randint(1, 5)
        figures[label] = some_figure(rng, value, rule, decimals, percent)
        rules[label] = rule
    if not figures:
        figures["acc"], rules["acc"] = some_figure(rng, empty.value("acc", tp, tn), shared, 3, False), shared
    if perturbed:
        label = rng.choice(sorted(figures))
        by = rng.choice([-1, 1, -2, 2, rng.randint(-30, 30)])
        figures[label] = figures[label]._replace(k=figures[label].k + by)
    return Case(p, n, figures, rules, undefined, *betas), (tp, tn)


def agree(case):
    """Whether verdict, count and witness are those of plain enumeration; the pairs."""
    pairs = case.pairs()
    verdict = scoreproof.check(case.claim(), timeout=None)
    expected = "consistent" if pairs else "inconsistent"
    assert (verdict.status, verdict.count, verdict.count_exact) == (expected, len(pairs), True), case
    if pairs:
        assert (verdict.witness.tp, verdict.witness.tn) in pairs, case
    return pairs


def compare_with_enumeration(seed, cases, largest):
    rng = random.Random(seed)
    seen = {True: 0, False: 0}
    for number in range(cases):
        p, n = some_size(rng, largest), some_size(rng, largest)
        if p + n:
            case, _ = some_case(rng, p, n, perturbed=number % 2 == 1)
            seen[bool(agree(case))] += 1
    # Without both answers in number the comparison would say little.
    assert min(seen.values()) > cases // 10, seen
    return seen


def test_verdict_and_count_equal_plain_enumeration():
    compare_with_enumeration(seed=1, cases=2000, largest=16)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 111))
def test_verdict_and_count_equal_plain_enumeration_in_a_long_campaign(seed):
    compare_with_enumeration(seed=seed, cases=share(2000), largest=60)


def test_figures_exactly_on_a_rounding_boundary_follow_their_rule():
    """With 4, 8, 16 … items many scores end in a 5 just behind the last printed digit."""
    rng = random.Random(5)
    ties = 0
    while ties < 30:
        p, n = rng.choice([(2, 6), (4, 4), (8, 8), (4, 16), (16, 4), (1, 7), (0, 8), (16, 0), (20, 20)])
        label = rng.choice(["acc", "sens", "spec", "bacc", "error rate", "bm", "FNR"])
        value = Case(p, n, {}, {}).value(label, rng.randint(0, p), rng.randint(0, n))
        decimals = rng.randint(1, 3)
        if value is None or (value * 10**decimals).denominator != 2:
            continue
        ties += 1
        below = value * 10**decimals - F(1, 2)
        for k in (int(below), int(below) + 1):
            for rule in RULES:
                agree(Case(p, n, {label: Figure(k, decimals)}, {label: rule}))


def test_negative_figures_are_rounded_like_positive_ones_mirrored():
    rng = random.Random(6)
    for _ in range(80):
        p, n = rng.randint(1, 12), rng.randint(1, 12)
        tp, tn = rng.randint(0, p // 3), rng.randint(0, n // 3)
        for label in ("bm", "mk", "mcc", "kappa"):
            value = Case(p, n, {}, {}).value(label, tp, tn)
            rule = rng.choice(RULES)
            if value is not None:
                agree(
                    Case(p, n, {label: some_figure(rng, value, rule, rng.randint(1, 3), False)}, {label: rule})
                )


# -- huge counts ---------------------------------------------------------------------


def known_matrices(seed, cases):
    """Figures of known matrices with up to 10^9 items a class are never refused."""
    rng = random.Random(seed)
    for _ in range(cases):
        p, n = (rng.choice([1, rng.randint(1, 10 ** rng.randint(1, 9))]) for _ in range(2))
        case, (tp, tn) = some_case(rng, p, n, perturbed=False)
        if not case.admits(tp, tn):
            continue  # an undefined score was printed
        verdict = scoreproof.check(case.claim())
        assert verdict.status != "inconsistent", case
        if verdict.status == "consistent":
            computed = any(each["what"] == "machine numbers" for each in verdict.assumptions)
            assert computed or case.admits(verdict.witness.tp, verdict.witness.tn), case
            assert verdict.count >= 1
        yield verdict.status


def test_figures_of_a_known_matrix_are_never_refused_at_any_size():
    statuses = list(known_matrices(seed=7, cases=300))
    assert statuses.count("consistent") > 250


@pytest.mark.campaign
def test_figures_of_a_known_matrix_are_never_refused_in_a_long_campaign():
    statuses = list(known_matrices(seed=8, cases=share(6000)))
    assert len(statuses) >= share(5000)
    assert statuses.count("undecided") == 0
