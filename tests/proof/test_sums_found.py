"""Claims with a solution that were once refuted, and certificates that were once too much to follow."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest

from scoreproof import check, verify
from scoreproof.budget import NORMAL, Budget
from scoreproof.interval import Interval
from scoreproof.proof.sums.nodes import Exhausted, Joined, Split
from scoreproof.proof.sums.replay import replay
from scoreproof.question.folds import Folding, Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES


@pytest.mark.parametrize(
    ("classes", "scores"),
    [
        ({"a": 8, "b": 9, "c": 5}, {"dor_macro": "4.324", "acc": "0.4545"}),
        ({"a": 4, "b": 15, "c": 5}, {"dor_macro": "6.646", "acc": "0.5833"}),
        ({"a": 4, "b": 10, "c": 7}, {"dor_macro": "3.922", "acc": "0.5238"}),
    ],
)
def test_odds_ratios_next_to_an_undefined_one_are_reached(classes, scores):
    claim = {"experiment": {"classes": classes}, "scores": scores, "conventions": {"undefined": "impossible"}}
    assert check(claim).status != "inconsistent"
    forged = check(claim).to_dict() | {
        "verdict": "inconsistent",
        "witness": None,
        "count": 0,
        "certificate": {"kind": "separating", "weights": [[0, 4096]]},
    }
    assert not verify(forged)


def test_a_mean_over_folds_of_means_that_leave_an_empty_class_out_is_that_mean():
    """Fold 1 has two recalls and fold 2 has three; each fold counts for half."""
    first = {Fraction(a, 4) + Fraction(b, 4) for a, b in product(range(5), repeat=2)}
    second = {Fraction(a, 2) + Fraction(b + c, 3) for a, b, c in product(range(3), range(4), range(4))}
    values = sorted({(one / 2 + two / 3) / 2 for one in first for two in second})
    folds = [{"classes": {"a": 4, "b": 4, "c": 0}}, {"classes": {"a": 2, "b": 3, "c": 3}}]
    claim = {
        "experiment": {"folds": folds, "aggregate": "mean"},
        "conventions": {"undefined": "skip"},
    }
    for value in values[::6]:
        verdict = check({**claim, "scores": {"sens_macro": f"{float(value):.6f}"}})
        assert verdict.status == "consistent", value
    between = next(b + (a - b) / 2 for b, a in pairwise(values) if a - b > Fraction(1, 200))
    assert check({**claim, "scores": {"sens_macro": f"{float(between):.4f}"}}).status == "inconsistent"


@pytest.mark.parametrize(("p", "n"), [(6_000, 6_000), (10**9 - 1, 9), (10**30 - 1, 9)])
def test_a_few_choices_of_huge_folds_are_joined_without_listing_the_others(p, n):
    """Cut down to one point of every fold, 10^10 others must not be looked at."""
    third = (Fraction(1, 3),) * 3
    window = Interval(Fraction(9, 10), Fraction(91, 100))
    target = Target("acc", Kind.MEAN, SCORES["acc"], window, third)
    problem = Problem((), (target,), foldings=(Folding(p, n, 3),))
    first = max(0, (p + n) // 3 - n)
    proof = Joined()
    for axis, cut in ((2, 0), (1, 0), (0, first)):
        if first or axis != 1:  # folds without positives have no false negatives to cut
            proof = Split(0, 0, axis, cut, (Joined(), Joined(), Joined(), proof))
    assert not replay(problem, proof, Budget(NORMAL))


def test_the_calls_of_the_last_class_are_worked_out_not_listed():
    """Two classes are never called and the third has no hits: of 3·10^9 numbers of calls none adds up."""
    third, many = (Fraction(1, 3),) * 3, 10**9
    target = Target("sens", Kind.MEAN, SCORES["sens"], Interval(Fraction(0), Fraction(1)), third)
    parts = (Sample(many, 2 * many),) * 3
    problem = Problem(parts, (target,), matrices=((0, 1, 2),), names=("a", "b", "c"))
    proof = Split(2, 0, 0, 0, (Exhausted(), Exhausted()))
    for group in (1, 0):
        proof = Split(group, 0, 1, 0, (Exhausted(), proof))
    assert not replay(problem, proof, Budget(NORMAL))
