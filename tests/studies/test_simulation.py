"""Simulated cross-validation: against exact expectations, and against one fold at a time."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from command_line import run as command
from scoreproof import BadClaim, simulate
from scoreproof.aggregate import aggregate
from scoreproof.studies.simulation import auc, chance, fmeasure
from scoreproof.studies.simulation.empty import chance_of_empty_fold

SMALL = {"cases": 40, "folds": 4, "trials": 20_000}


def binomial_chances(n, q):
    return [comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)]


# -- the five ways ---------------------------------------------------------------


def test_the_ways_are_those_of_aggregate_fold_by_fold():
    rng = random.Random(4)
    for _ in range(60):
        folds = [tuple(rng.randint(0, most) for most in (2, 2, 2, 9)) for _ in range(4)]
        tables = [dict(zip(("tp", "fp", "fn", "tn"), fold, strict=True)) for fold in folds]
        exact = aggregate(tables)["f1"].f_measure
        tp, fp, fn = (np.array([[fold[i] for fold in folds]]) for i in range(3))
        for key, values in fmeasure.ways(tp, fp, fn).items():
            found = float(values[0])
            if exact[key] is None:
                # 0/0 of the pooled counts, or of two means that are 0: the simulation takes 0, or none
                assert np.isnan(found) or found == 0, key
            else:
                assert found == pytest.approx(float(exact[key]), abs=1e-12), (key, folds)


def exact_bias(truth, cases, folds, positives):
    """Exact relative bias with stratified, equal folds: F_tp,fp, and the mean over folds."""
    p, n = positives // folds, (cases - positives) // folds
    alarms = positives * (1 - truth) / (cases - positives)

    def expected(many, others, value):
        hits, false = binomial_chances(many, truth), binomial_chances(others, alarms)
        return sum(
            hits[tp] * false[fp] * value(tp, fp, many - tp)
            for tp, fp in product(range(many + 1), range(others + 1))
        )

    def f(tp, fp, fn):
        return 2 * tp / (2 * tp + fp + fn) if tp else 0

    return (
        expected(p * folds, n * folds, f) / truth - 1,
        expected(p, n, f) / truth - 1,
    )


@pytest.mark.parametrize(("positives", "truth"), [(0.1, 0.8), (0.2, 0.6), (0.3, 0.9)])
def test_bias_is_the_exact_expectation(positives, truth):
    found = simulate(positives=positives, truth=truth, stratified=True, **SMALL)
    pooled, averaged = exact_bias(truth, 40, 4, round(40 * positives))
    for way, exact in (("f_tp_fp", pooled), ("f_avg", averaged)):
        row = found.find(way)
        assert abs(row.bias - exact) < 5 * row.error, way
        assert row.mean == pytest.approx(truth * (1 + row.bias))


def test_plain_folds_leave_the_pooled_measure_as_it_is():
    plain = simulate(positives=0.1, stratified=False, **SMALL).find("f_tp_fp")
    assert abs(plain.bias - exact_bias(0.8, 40, 4, 4)[0]) < 5 * plain.error


# -- Forman and Scholz, section 4.3 ----------------------------------------------


@pytest.fixture(scope="module")
def one_percent():
    return simulate(positives=0.01, trials=40_000)


@pytest.mark.parametrize("stratified", [True, False])
def test_at_one_percent_positives_only_the_pooled_f_measure_is_unbiased(one_percent, stratified):
    def bias(way):
        return one_percent.find(way, stratified=stratified).bias

    assert abs(bias("f_tp_fp")) < 0.002 + 2 * one_percent.find("f_tp_fp", stratified=stratified).error
    assert bias("f_avg") < -0.05 and bias("f_pr_re") < -0.04
    assert bias("f_avg_skip") > 0.08 and bias("f_pr_re_skip") > 0.1


def test_the_exact_bias_of_the_pooled_f_measure_at_one_percent_is_within_a_fifth_of_a_percent():
    truth, hits, false = 0.8, binomial_chances(10, 0.8), binomial_chances(990, 2 / 990)
    mean = sum(hits[tp] * false[fp] * 2 * tp / (tp + fp + 10) for tp in range(11) for fp in range(40))
    assert sum(false[40:]) < 1e-30
    assert -0.002 < mean / truth - 1 < 0


def test_without_stratification_averages_are_off_by_more(one_percent):
    assert (
        one_percent.find("f_avg", stratified=False).bias
        < 3 * one_percent.find("f_avg", stratified=True).bias
        < 0
    )


def test_at_five_percent_the_pooled_f_measure_varies_least_among_the_nearly_unbiased():
    found = simulate(positives=0.05, stratified=True, trials=20_000)
    assert found.find("f_tp_fp").sd < found.find("f_avg").sd
    assert found.find("f_pr_re").bias > 0.01 > 0 > found.find("f_avg").bias


# -- AUC -------------------------------------------------------------------------


def test_the_area_is_the_share_of_pairs_in_order():
    rng = np.random.default_rng(1)
    scores, positive = rng.random((30, 9)), rng.random((30, 9)) < 0.4
    found = auc._area(scores, positive)
    for s, y, area in zip(scores, positive, found, strict=True):
        pairs = [a > b for a in s[y] for b in s[~y]]
        assert np.isnan(area) if not pairs else area == pytest.approx(sum(pairs) / len(pairs))


def test_merging_folds_of_different_calibration_lowers_the_auc_and_averaging_does_not():
    found = simulate("auc", positives=0.1, truth=0.9, shift=[0, 1], cases=200, folds=5, trials=1500)
    for stratified in (True, False):
        for shift in (0, 1):
            row = found.find("auc_avg", shift=shift, stratified=stratified)
            assert abs(row.bias) < 5 * row.error
        merged = found.find("auc_merge", shift=0, stratified=stratified)
        assert abs(merged.bias) < 5 * merged.error
        assert found.find("auc_merge", shift=1, stratified=stratified).bias < -0.05


def test_empty_folds_counted_as_zero_lower_the_auc():
    found = simulate(
        "auc", positives=0.05, truth=0.9, shift=0, cases=100, folds=5, trials=1500, stratified=False
    )
    empty = float(1 - sum_of_kept(5, 100, 5))
    row = found.find("auc_avg_zero")
    assert abs(row.bias + empty) < 6 * row.error


def sum_of_kept(positives, cases, folds):
    """The expected share of folds with positives."""
    size = cases // folds
    return 1 - Fraction(comb(cases - size, positives), comb(cases, positives))


# -- chance ----------------------------------------------------------------------


def test_tables_draw_what_they_are_told():
    rng = np.random.default_rng(2)
    table = chance.binomial(6, 0.3)
    rows = np.repeat(np.arange(7), 20_000)
    drawn = table.draw(rows, rng.random(len(rows)))
    for n in range(7):
        seen = np.bincount(drawn[rows == n], minlength=7) / 20_000
        assert np.abs(seen[: n + 1] - binomial_chances(n, 0.3)).max() < 0.02
        assert seen[n + 1 :].sum() == 0


def test_dealt_positives_follow_the_hypergeometric_distribution():
    rng = np.random.default_rng(3)
    drawn = chance.folded(rng, 40_000, 3, [4, 4, 3])
    assert (drawn.sum(1) == 3).all() and (drawn <= [4, 4, 3]).all()
    for fold, size in enumerate((4, 4, 3)):
        for k in range(4):
            exact = comb(size, k) * comb(11 - size, 3 - k) / comb(11, 3)
            assert abs((drawn[:, fold] == k).mean() - exact) < 0.02


@pytest.mark.parametrize(
    ("positives", "cases", "folds"), [(2, 6, 3), (3, 7, 3), (4, 9, 2), (1, 4, 2), (5, 6, 3)]
)
def test_the_chance_of_an_empty_fold_is_that_of_enumeration(positives, cases, folds):
    from itertools import combinations

    size, larger = divmod(cases, folds)
    home = [fold for fold in range(folds) for _ in range(size + (fold < larger))]
    ways = list(combinations(range(cases), positives))
    empty = sum(len({home[item] for item in way}) < folds for way in ways)
    assert chance_of_empty_fold(positives, cases, folds) == Fraction(empty, len(ways))


# -- running ---------------------------------------------------------------------


def test_a_setting_does_not_depend_on_the_others():
    together = simulate(positives=[0.01, 0.05], truth=[0.7, 0.8], trials=50)
    alone = simulate(positives=0.05, truth=0.8, trials=50, stratified=False)
    assert set(alone.rows) <= set(together.rows)
    assert simulate(positives=0.05, truth=0.8, trials=50, stratified=False, seed=1).rows != alone.rows


def test_batches_only_save_memory(monkeypatch):
    from scoreproof.studies.simulation import run

    one = simulate(positives=0.2, stratified=True, trials=3000, cases=50, folds=5)
    monkeypatch.setattr(run, "BATCH", 5000)
    many = simulate(positives=0.2, stratified=True, trials=3000, cases=50, folds=5)
    for a, b in zip(one.rows, many.rows, strict=True):
        assert abs(a.bias - b.bias) < 6 * a.error and b.trials == 3000


def test_an_interrupt_keeps_the_settings_that_are_done():
    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    found = simulate(trials=10, progress=stop)
    assert found.stopped == "interrupted" and len(found.rows) == 2 * 5


def test_trials_in_which_every_fold_is_skipped_are_counted():
    found = simulate(positives=0.1, truth=0.05, cases=20, folds=2, trials=500, stratified=True)
    assert found.find("f_avg_skip").left_out > 0 == found.find("f_avg").left_out


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"what": "fmesure"}, "what"),
        ({"what": 3}, "what"),
        ({"positives": 0}, "positives"),
        ({"positives": 0.0001}, "positives"),
        ({"positives": 0.9, "truth": 0.5}, "positives"),
        ({"positives": "x"}, "positives"),
        ({"positives": []}, "positives"),
        ({"truth": 1}, "truth"),
        ({"what": "auc", "shift": -1}, "shift"),
        ({"cases": 1}, "cases"),
        ({"folds": 1}, "folds"),
        ({"folds": 20, "cases": 10}, "folds"),
        ({"trials": 1}, "trials"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_questions_name_the_field(more, field):
    with pytest.raises(BadClaim) as caught:
        simulate(**{"trials": 5, **more})
    assert caught.value.field == field


# -- the command -----------------------------------------------------------------


def test_the_command_prints_what_python_finds():
    words = ("simulate", "fmeasure", "--positives", "1%,0.05", "--truth", "0.7-0.8:0.1", "--trials", "60")
    found = simulate(positives=[0.01, 0.05], truth=[0.7, 0.8], trials=60)
    data = json.loads(command(*words, "--json").stdout)
    assert [row["bias"] for row in data["rows"]] == [row.bias for row in found.rows]
    assert command(*words, "--csv").stdout == found.to_csv()
    assert f"{100 * found.find('f_avg').bias:+.2f}" in command(*words).stdout


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (
            ("fmeasure", "--positives", "1%,5%", "--truth", "0.7,0.8", "--trials", "40", "--plain"),
            {"positives", "truth", "empty"},
        ),
        (("auc", "--positives", "5%", "--trials", "5", "--cases", "100", "--stratified"), {"shift"}),
    ],
)
def test_figures_are_drawn_into_the_folder(words, names, tmp_path):
    result = command("simulate", *words, "--plot", str(tmp_path / "new"), "--format", "svg")
    assert result.exit_code == 0
    made = {path.name for path in (tmp_path / "new").iterdir()}
    assert all(name in result.stdout for name in made)
    assert {name.removesuffix(".svg").split("-")[2 if "by" in name else 0] for name in made} == names


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("simulate",), "what"),
        (("simulate", "f1"), "what"),
        (("simulate", "fmeasure", "--positives", "one"), "--positives"),
        (("simulate", "fmeasure", "--truth", "0.6-0.9:0"), "--truth"),
        (("simulate", "fmeasure", "--truth", "1.5"), "truth"),
        (("simulate", "fmeasure", "--csv", "--json"), "--csv"),
    ],
)
def test_bad_commands_are_one_sentence(words, field):
    result = command(*words)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0].startswith(f"scoreproof: {field}"), result.stderr
