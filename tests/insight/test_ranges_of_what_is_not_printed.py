"""Ranges of claims that say little, and ranges under printed confidence intervals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import scoreproof
from scoreproof import SCORES, Matrix
from scoreproof.errors import BadClaim
from scoreproof.printed import read

TWO_FOLDS = [{"p": 2, "n": 3}, {"p": 1, "n": 2}]


def means_of(name: str, undefined: str) -> list[Fraction]:
    """The mean of a score over every pair of matrices of the two folds."""
    values = []
    for fold in TWO_FOLDS:
        p, n = fold["p"], fold["n"]
        matrices = [Matrix.of(tp, tn, p, n) for tp in range(p + 1) for tn in range(n + 1)]
        each = [SCORES[name].value(matrix) for matrix in matrices]
        values.append([Fraction(0) if value is None and undefined == "zero" else value for value in each])
    return [(a + b) / 2 for a, b in product(*values) if a is not None and b is not None]


@pytest.mark.parametrize("undefined", ["impossible", "zero"])
def test_means_of_which_nothing_is_reported_have_the_ranges_of_all_matrices(undefined):
    claim = {"experiment": {"folds": TWO_FOLDS, "aggregate": "mean"}, "conventions": {"undefined": undefined}}
    names = ["acc", "sens", "ppv", "f1", "lrn", "kappa", "dor"]
    found = scoreproof.reconstruct(claim, names)
    for name in names:
        means = means_of(name, undefined)
        if not means:
            assert found[name] is None
            continue
        assert (found[name].lowest, found[name].highest) == (min(means), max(means))
        assert found[name].exact
    assert (found["tp"].lowest, found["tp"].highest) == (0, 3)
    assert (found["fp"].lowest, found["fp"].highest) == (0, 5)


@pytest.mark.parametrize("folds", [2, 3, 5])
def test_folds_of_which_nothing_is_reported_have_ranges(folds):
    set_up = {"p": 6, "n": 9, "folds": folds, "stratified": True, "aggregate": "mean"}
    found = scoreproof.reconstruct({"experiment": set_up}, ["acc", "mcc"])
    assert (found["acc"].lowest, found["acc"].highest) == (0, 1)
    assert (found["tn"].lowest, found["tn"].highest) == (0, 9)


@pytest.mark.parametrize("most", [-1, "ten", None, 1.5, True])
def test_a_number_of_matrices_to_list_is_a_whole_number(most):
    with pytest.raises(BadClaim, match="most"):
        scoreproof.reconstruct({"experiment": {"p": 5, "n": 5}}, ["f1"], most=most)


def test_the_names_of_scores_are_a_list():
    with pytest.raises(BadClaim, match="names of scores"):
        scoreproof.reconstruct({"experiment": {"p": 5, "n": 5}}, 3)


# -- under printed intervals ------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "n", "scores"),
    [
        (87, 40, {"sens": "0.92 (0.84-0.97)"}),
        (87, 40, {"spec": "0.90 (0.77-0.96)", "acc": "0.91"}),
        (87, 40, {"sens": "0.92 (0.84-0.97)", "spec": "0.90 (0.76-0.97)"}),
        (30, 25, {"fnr": "0.10 (0.03-0.26)"}),
        (30, 25, {"sens": "0.90 (0.74-0.97)", "ppv": "0.9 (0.7-1.0)"}),
    ],
)
@pytest.mark.parametrize("method", ["wilson", "wald", "clopper-pearson", "agresti-coull"])
def test_ranges_under_printed_intervals_are_those_of_the_listed_matrices(p, n, scores, method):
    claim = {"experiment": {"p": p, "n": n}, "scores": scores, "conventions": {"ci": method}}
    found = scoreproof.reconstruct(claim, ["f1", "npv"], timeout=None, most=10**6)
    one_by_one = []
    for tp, tn in product(range(p + 1), range(n + 1)):
        matrix = Matrix.of(tp, tn, p, n)
        if fits(claim, matrix, method):
            one_by_one.append(matrix)
    if not one_by_one:
        assert found.status == "inconsistent"
        return
    assert found.count == len(one_by_one)
    assert set(found.matrices) == set(one_by_one)
    for name in ("f1", "npv"):
        values = [SCORES[name].value(matrix) for matrix in one_by_one]
        defined = [value for value in values if value is not None]
        assert (found[name].lowest, found[name].highest) == (min(defined), max(defined))
        assert found[name].exact and (found[name].undefined is not None) == (None in values)
    tps = [matrix.tp for matrix in one_by_one]
    assert (found["tp"].lowest, found["tp"].highest) == (min(tps), max(tps))


def fits(claim: dict, matrix: Matrix, method: str) -> bool:
    """Figures and limits of one matrix, each compared on its own."""
    from scoreproof.proof.confidence import fits as has_limits
    from scoreproof.scores.names import look_up

    for label, text in claim["scores"].items():
        name, printed = look_up(label), read(text)
        value = name.score.value(matrix)
        if value is None:
            return False
        rule = scoreproof.printed.Rounding()
        if (1 - value if name.complement else value) not in printed.interval(rule):
            return False
        if printed.confidence is not None:
            lower, upper = (end.interval(rule) for end in printed.confidence)
            limits = (upper.reflected(), lower.reflected()) if name.complement else (lower, upper)
            if not has_limits(method, name.score.name, matrix, limits, Fraction(95, 100)):
                return False
    return True


def test_an_interval_far_too_wide_for_a_million_items_leaves_no_ranges():
    claim = {
        "experiment": {"p": 10**6, "n": 10**6},
        "scores": {"sens": "0.92 (0.91-0.93)"},
        "conventions": {"ci": "wilson"},
    }
    found = scoreproof.reconstruct(claim, ["sens"], timeout=None)
    assert found.status == "inconsistent" and not found.cells and scoreproof.verify(found.verdict)
    claim["scores"]["sens"] = "0.92 (0.9195-0.9205)"
    found = scoreproof.reconstruct(claim, ["sens"], timeout=None)
    assert found.status == "consistent" and found["tp"].exact
    # 1.96 times the root of sens times 1 - sens in a million is 0.00053, and the limits are within half a unit
    assert abs(found["tp"].lowest - 920_000) < 100 > abs(found["tp"].highest - 920_000)


def test_many_matrices_with_one_interval_are_counted_without_listing_them():
    claim = {
        "experiment": {"p": 1000, "n": 10**4},
        "scores": {"sens": "0.92 (0.90-0.94)"},
        "conventions": {"ci": "wilson"},
    }
    found = scoreproof.reconstruct(claim, ["f1"], timeout=None)
    (outcome,) = found.verdict.outcomes
    columns = int(found["tp"].highest - found["tp"].lowest) + 1
    assert outcome.count == columns * (10**4 + 1)
    assert found["f1"].exact and scoreproof.verify(found.verdict)


@pytest.mark.parametrize("method", ["clopper-pearson", "open"])
def test_a_count_under_printed_intervals_is_verified(method):
    claim = {
        "experiment": {"p": 87, "n": 200},
        "scores": {"sens": "0.92 (0.84-0.97)", "acc": "0.89"},
        "conventions": {"ci": method},
    }
    verdict = scoreproof.check(claim)
    found = verdict.to_dict()
    assert verdict.status == "consistent" and found["count"] and scoreproof.verify(found)
    assert not scoreproof.verify(found | {"count": found["count"] + 1})
