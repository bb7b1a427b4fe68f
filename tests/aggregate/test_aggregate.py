"""The forward direction: folds to figures."""

from __future__ import annotations

import json
import math
import statistics
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from scoreproof.aggregate import F_WAYS, WAYS, aggregate, auc, from_labels, parse
from scoreproof.aggregate.numbers import Deviation, as_fraction, deviation, extremes, shown
from scoreproof.cli.aggregate import aggregate as command
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.exact import RootSum, Surd, surd
from scoreproof.question.statistics import mean
from scoreproof.scores import SCORES, Matrix

counts = st.integers(0, 12)
matrices = st.lists(st.builds(Matrix, counts, counts, counts, counts), min_size=1, max_size=6).filter(
    lambda some: any(map(any, some))
)
ROOTS = tuple(name for name in SCORES if name in ("fm", "gm", "mcc", "pt"))


def root(number: int | Fraction, times: int | Fraction = 1) -> Fraction | Surd:
    return surd(Fraction(0), Fraction(times), Fraction(number))


def floats(values):
    return [float(value) for value in values]


# -- exact numbers -------------------------------------------------------------


def test_a_mean_of_roots_is_rounded_correctly_to_forty_digits() -> None:
    some = mean([root(k) for k in (2, 3, 5)])
    with localcontext() as context:
        context.prec = 60
        digits = (sum(Decimal(k).sqrt() for k in (2, 3, 5)) / 3).quantize(Decimal(1).scaleb(-40))
    assert shown(some, 40) == str(digits)


def test_roots_that_cancel_give_a_fraction() -> None:
    assert mean([root(2), root(2, -1), Fraction(3)]) == 1


def test_a_sum_of_roots_on_a_tie_is_still_rounded() -> None:
    """√8 - 2√2 + 5/1000 is exactly the tie 0.005, which no enclosure can tell."""
    tie = RootSum.of(Fraction(5, 1000), root(8), root(2, -2))
    assert as_fraction(tie) == Fraction(1, 200)
    assert shown(tie, 2) == "0.00"


def test_a_deviation_of_roots_on_a_tie_is_still_rounded() -> None:
    """Of ±√q the sample deviation is √(2q): rational, and here exactly 0.25."""
    spread = deviation([root(Fraction(1, 32)), root(Fraction(1, 32), -1)], 1)
    assert isinstance(spread, Deviation)
    assert as_fraction(spread) == Fraction(1, 4)
    assert shown(spread, 1) == "0.2"


def test_equal_roots_written_differently_do_not_deviate() -> None:
    assert deviation([root(8), root(2, 2)], 1) == 0


def test_extremes_of_sums_of_roots_are_exact() -> None:
    # √2 + √3 against 3.14626: they differ in the seventh digit
    sums = [mean([root(2), root(3)]), Fraction(314626, 200000)]
    assert extremes(sums) == (sums[1], sums[0])


# -- laws ----------------------------------------------------------------------


@given(matrices)
def test_every_mean_and_deviation_is_that_of_the_folds(some) -> None:
    result = aggregate(some)
    assert set(result.scores) == set(SCORES)
    for name, found in result.scores.items():
        values = [SCORES[name].value(matrix, (1, 1)) for matrix in some] if name[:2] != "fb" else found.folds
        assert list(found.folds) == list(values)
        for reading in ("impossible", "zero", "skip"):
            over = found.summary("mean", reading)
            taken = floats(0 if v is None else v for v in values if v is not None or reading == "zero")
            if not taken or (reading == "impossible" and None in values):
                assert over.mean is None and over.count == 0
                continue
            assert over.count == len(taken)
            assert math.isclose(float(over.mean), statistics.fmean(taken), abs_tol=1e-12)
            assert math.isclose(float(over.sd_population), statistics.pstdev(taken), abs_tol=1e-7)
            if len(taken) > 1:
                assert math.isclose(float(over.sd_sample), statistics.stdev(taken), abs_tol=1e-7)
            else:
                assert over.sd_sample is None
            assert math.isclose(float(over.lowest), min(taken))
            assert math.isclose(float(over.highest), max(taken))


@given(matrices)
def test_pooled_is_the_score_of_the_added_counts(some) -> None:
    result = aggregate(some)
    added = Matrix(*(sum(column) for column in zip(*some, strict=True)))
    single = aggregate([added])
    for name, found in result.scores.items():
        assert found["pooled"] == single[name]["pooled"] == single[name]["mean"]


@given(matrices)
def test_f_avg_is_the_mean_with_zero_and_f_tp_fp_the_pooled(some) -> None:
    for name in ("f1", "f1n", "fbp", "fbn"):
        found = aggregate(some, beta_positive=2, beta_negative="0.5")[name]
        assert found["f_avg"] == found["mean_zero"]
        assert found["f_tp_fp"] == found["pooled"]


@given(matrices, st.integers(0, 6))
def test_no_figure_depends_on_the_order_of_the_folds(some, turn) -> None:
    turned = some[turn % len(some) :] + some[: turn % len(some)]
    one, other = aggregate(some), aggregate(turned)
    for name in SCORES:
        for way in one[name].ways:
            assert one.shown(name, way) == other.shown(name, way)


@given(matrices)
def test_the_other_class_called_positive_swaps_the_f_measures(some) -> None:
    swapped = aggregate([Matrix(m.tn, m.fn, m.fp, m.tp) for m in some])
    result = aggregate(some)
    assert {way: result["f1n"][way] for way in F_WAYS} == {way: swapped["f1"][way] for way in F_WAYS}


def test_shown_agrees_with_the_enclosure_for_every_irrational_score() -> None:
    result = aggregate([(9, 5, 1, 15), (5, 2, 5, 20), (8, 4, 3, 16)], decimals=30)
    for name in ROOTS:
        text = result.shown(name, "mean")
        low, high = result[name]["mean"].enclosure(200)
        half = Fraction(1, 2 * 10**30)
        assert Fraction(text) - half <= low <= high <= Fraction(text) + half


# -- nesting -------------------------------------------------------------------

NESTED = """\
dataset,repeat,p,n,tp,tn
a,1,10,20,9,15
a,1,10,20,5,20
a,2,10,20,8,16
b,1,5,20,5,20
b,2,5,20,0,18
"""


def test_every_level_of_nesting() -> None:
    sens = aggregate(parse(NESTED))["sens"]
    a, b = (Fraction(9, 10), Fraction(5, 10), Fraction(8, 10)), (Fraction(1), Fraction(0))
    assert sens["mean"] == sum(a + b) / 5
    assert sens["pooled"] == Fraction(27, 40)
    assert sens["mean_of_dataset_means"] == (sum(a) / 3 + sum(b) / 2) / 2
    assert sens["mean_of_pooled_datasets"] == (Fraction(22, 30) + Fraction(5, 10)) / 2
    assert sens["mean_of_run_means"] == (sum(a[:2]) / 2 + a[2] + b[0] + b[1]) / 4
    assert sens["mean_of_pooled_runs"] == (Fraction(14, 20) + a[2] + b[0] + b[1]) / 4
    assert sens["mean_of_datasets_of_runs"] == ((Fraction(14, 20) + a[2]) / 2 + (b[0] + b[1]) / 2) / 2
    assert sens.summary("mean_of_pooled_datasets").sd_population == Fraction(7, 60)


def test_datasets_and_runs_can_be_given_beside_the_matrices() -> None:
    counted = [fold.matrix for fold in parse(NESTED).folds]
    result = aggregate(counted, datasets="aaabb", runs=[1, 1, 2, 1, 2])
    for name, found in aggregate(parse(NESTED)).scores.items():
        assert result[name].ways == found.ways


def test_one_dataset_and_one_run_have_no_nested_ways() -> None:
    assert set(aggregate([(1, 2, 3, 4)])["acc"].ways) == {"pooled", "mean", "mean_zero", "mean_skip"}


def test_skipping_leaves_out_a_dataset_without_any_defined_fold() -> None:
    table = "dataset,tp,fp,fn,tn\na,0,0,2,5\na,0,0,3,5\nb,2,0,1,5\n"
    ppv = aggregate(parse(table))["ppv"]
    assert ppv["mean_of_dataset_means"] is None
    assert ppv["mean_of_dataset_means_zero"] == Fraction(1, 2)
    assert ppv["mean_of_dataset_means_skip"] == 1


# -- reading -------------------------------------------------------------------

SAME = Matrix(tp=9, fp=5, fn=1, tn=15)


@pytest.mark.parametrize(
    "text",
    [
        "tp,fp,fn,tn\n9,5,1,15\n",
        "\ufeffTP;FN;True Negatives;False-Positives\r\n9;1;15;5\r\n",
        "p\tn\ttp\ttn\n10\t20\t9\t15\n",
        "# a comment\n\nPositives,Negatives,fn,fp,note\n10,20,1,5,x\n",
        "tp,fp,fn,tn,p,n\n9.0,5,1,15,10,20\n",
        '[{"tp": 9, "fp": 5, "fn": 1, "tn": 15}]',
        '{"folds": [{"P": 10, "N": 20, "TP": 9.0, "TN": "15"}]}',
    ],
)
def test_tables_that_say_the_same(text: str) -> None:
    assert [fold.matrix for fold in parse(text).folds] == [SAME]


@pytest.mark.parametrize(
    "entry",
    [
        SAME,
        (9, 5, 1, 15),
        [9, 5, 1, 15],
        np.array([9, 5, 1, 15]),
        np.array([[15, 5], [1, 9]]),
        [[15, 5], [1, 9]],
    ],
)
def test_values_that_say_the_same(entry) -> None:
    assert aggregate([entry]).folds[0].matrix == SAME


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ("empty", "tp, fp, fn, tn")),
        ("# nothing\n", ("no data",)),
        ("tp,fp,fn,tn\n", ("no rows",)),
        ("1,2,3,4\n", ("first line", "name the columns")),
        ("tp,fp,fn\n1,2,3\n", ("lacks one of tn, n", "needed are tp, fp, fn, tn")),
        ("tp,fp,fn,true negatves\n1,2,3,4\n", ("did you mean 'tn' by 'true negatves'",)),
        ("a,b\n1,2\n", ("two of tp, fn, p and two of tn, fp, n",)),
        ("tp,fp,fn,tn\n1,2,3,4\n1,-2,3,4\n", ("row 2 (line 3), fp", "negative")),
        ("tp,fp,fn,tn\n1,2,3.5,4\n", ("row 1 (line 2), fn", "whole number")),
        ("tp,fp,fn,tn\n1,2,,4\n", ("row 1 (line 2), fn", "is empty")),
        ("tp,fp,fn,tn\n1,2,nan,4\n", ("fn", "whole number")),
        ("tp,fp,fn,tn\n1,2,1e400,4\n", ("fn", "whole number")),
        ("tp,fp,fn,tn\n1,2,x,4\n", ("fn", "whole number")),
        ("tp,fp,fn,tn\n1,2,3\n", ("row 1", "3 cells", "header has 4")),
        ("p,n,tp,tn\n5,5,6,1\n", ("row 1 (line 2), tp", "more than p = 5")),
        ("p,n,tp,tn\n5,5,1,6\n", ("tn", "more than n = 5")),
        ("tp,fp,fn,tn,p\n1,2,3,4,5\n", (", p", "tp + fn = 4")),
        ("tp,fp,fn,tn,TP\n1,2,3,4,5\n", ("two columns for tp",)),
        ("fold,tp,fp,fn,tn\n1,2,3,4,5\nTotals:,2,3,4,5\n", ("row 2", "sums up")),
        ("dataset,tp,fp,fn,tn\n,2,3,4,5\n", ("dataset", "every row")),
        ("tp,fp,fn,tn\n0,0,0,0\n", ("undefined everywhere",)),
        ("[1, 2", ("not JSON",)),
        ("[]", ("empty",)),
        ("[3]", ("fold 1", "tuple")),
        ('[{"tp": true, "fp": 5, "fn": 1, "tn": 15}]', ("fold 1, tp", "whole number")),
        ("tp,fp,fn,tn\n" + "9" * 5000 + ",1,1,1\n", ("tp",)),
    ],
)
def test_bad_tables_are_named_in_one_sentence(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(ScoreproofError) as caught:
        parse(text, "folds.csv")
    message = str(caught.value)
    assert message.startswith("folds.csv") and "\n" not in message
    for word in words:
        assert word in message


def test_columns_that_are_not_used_and_folds_that_come_twice_are_mentioned() -> None:
    notes = parse("fold,tp,fp,fn,tn,AUC\n1,2,3,4,5,0.9\n1,2,3,4,5,0.8\n").notes
    assert notes[0] == "columns not used: AUC"
    assert "fold 1 occurs more than once" in notes[1]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"decimals": -1}, "decimals"),
        ({"decimals": 2.0}, "decimals"),
        ({"beta_positive": 0}, "beta_positive"),
        ({"beta_negative": "x"}, "beta_negative"),
        ({"datasets": ["a", "b"]}, "datasets"),
        ({"runs": []}, "runs"),
    ],
)
def test_bad_options_are_named(options, field) -> None:
    with pytest.raises(BadClaim) as caught:
        aggregate([SAME], **options)
    assert caught.value.field == field


def test_unknown_ways_and_scores_are_named() -> None:
    result = aggregate([SAME])
    with pytest.raises(BadClaim, match="did you mean 'pooled'"):
        result["f1"]["poled"]
    with pytest.raises(ScoreproofError, match="did you mean"):
        result["acuracy"]
    with pytest.raises(BadClaim, match="one minus acc"):
        result["error rate"]
    with pytest.raises(BadClaim, match="mean"):
        result["f1"].summary("pooled")
    with pytest.raises(BadClaim, match="impossible, zero, skip"):
        result["f1"].summary("mean", "nought")


# -- labels --------------------------------------------------------------------


def test_labels_give_the_matrices_of_their_folds() -> None:
    truth, called = [1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0]
    expected = [Matrix(1, 1, 1, 0), Matrix(1, 0, 0, 2)]
    ways_to_say_it = (
        from_labels(truth, called, folds=[1, 1, 1, 2, 2, 2]),
        from_labels(np.array(truth), np.array(called), folds=np.array(list("aaabbb"))),
        from_labels(truth, called, folds=[np.array([0, 1, 2]), np.array([3, 4, 5])]),
        from_labels([truth[:3], truth[3:]], [called[:3], called[3:]]),
        from_labels(["no yes"[3 * t :][:3].strip() for t in truth],
                    ["no yes"[3 * t :][:3].strip() for t in called], folds="aaabbb", positive="yes"),
    )  # fmt: skip
    for result in ways_to_say_it:
        assert [fold.matrix for fold in result.folds] == expected


def test_a_fold_name_used_in_two_datasets_is_two_folds() -> None:
    result = from_labels([1, 0, 1, 0], [1, 0, 0, 0], folds=[1, 1, 1, 1], datasets=["a", "a", "b", "b"])
    assert [(fold.dataset, fold.matrix) for fold in result.folds] == [
        ("a", Matrix(1, 0, 0, 1)),
        ("b", Matrix(0, 0, 1, 1)),
    ]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=20))
def test_auc_counts_pairs_and_half_of_the_ties(items) -> None:
    def by_pairs(some):
        up, down = [s for t, s, _ in some if t], [s for t, s, _ in some if not t]
        if not up or not down:
            return None
        won = sum(Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0) for a in up for b in down)
        return won / (len(up) * len(down))

    truth = [int(t) for t, _, _ in items]
    if not any(truth):
        return
    result = from_labels(truth, truth, folds=[k for *_, k in items], y_score=[s / 5 for _, s, _ in items])
    assert result["auc"]["pooled"] == by_pairs(items)
    folds = dict.fromkeys(k for *_, k in items)
    assert list(result["auc"].folds) == [by_pairs([x for x in items if x[2] == k]) for k in folds]


def test_auc_agrees_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    seeded = np.random.default_rng(3)
    truth, score = seeded.integers(0, 2, 200), seeded.integers(0, 30, 200) / 30
    found = auc(score[truth == 1].tolist(), score[truth == 0].tolist())
    assert math.isclose(float(found), metrics.roc_auc_score(truth, score))


def test_merging_the_scores_of_models_on_different_scales_lowers_auc() -> None:
    """Forman & Scholz, section 2.4: every fold ranks perfectly, the merged scores do not."""
    result = from_labels([1, 0, 1, 0], [1, 0, 1, 0], folds=[1, 1, 2, 2], y_score=[0.2, 0.1, 0.9, 0.8])
    assert (result["auc"]["mean"], result["auc"]["pooled"]) == (1, Fraction(3, 4))
    assert any("AUC" in words for words in result.advice)
    assert "auc" in result.disagreements


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([], []), {}, "y_true: is empty"),
        (([1, 0], [1]), {}, "y_pred: has 1 entries, but y_true has 2"),
        (([1, 0], [1, 0]), {"folds": [1]}, "folds: has 1 entries"),
        (([1, 0], [1, 0]), {"folds": [[0], [2]]}, "folds, fold 2: expected positions from 0 to 1"),
        (([1, 0], [1, 0]), {"positive": "yes"}, "positive: 'yes' is none of the labels; found 0, 1"),
        (([1, 0], ["1", "0"]), {}, "y_pred: shares no label with y_true"),
        (([1, math.nan], [1, 0]), {}, "y_true: has missing labels"),
        (([1, 0], [1, 0]), {"y_score": [0.5, math.nan]}, "y_score, entry 1: is not a number"),
        (([1, 0], [1, 0]), {"y_score": ["a", 1]}, "y_score, entry 0: expected a number"),
        (("10", "10"), {}, "y_true: expected a list"),
    ],
)
def test_bad_labels_are_named(arguments, options, words) -> None:
    with pytest.raises(BadClaim) as caught:
        from_labels(*arguments, **options)
    assert words in str(caught.value)


# -- the result and the command ------------------------------------------------


def test_the_result_as_plain_values() -> None:
    data = aggregate(parse(NESTED), decimals=3).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert set(data["scores"]) == set(SCORES)
    assert data["scores"]["sens"]["pooled"] == {"shown": "0.675", "exact": "27/40"}
    assert data["scores"]["mcc"]["mean"]["impossible"]["mean"]["exact"] is None
    assert data["scores"]["lrp"]["mean"]["impossible"]["mean"] is None
    assert set(data["scores"]["f1"]["f_measure"]) == set(F_WAYS)
    assert {way for way in WAYS if way in data["scores"]["acc"]} == set(WAYS)


def test_reprs_are_readable() -> None:
    result = aggregate(parse(NESTED))
    assert repr(result) == "Aggregate(5 folds, 140 items: 22 scores; f1 mean 0.6288, pooled 0.6923)"
    assert repr(result["sens"]) == "Averages(sens: mean over 5 folds 0.640000, pooled 0.675000)"
    assert repr(result["sens"].summary()).startswith("Summary(mean 0.640000, sd 0.403733 (population 0.361109)")


def test_a_score_undefined_everywhere_is_said_to_be() -> None:
    result = aggregate([(2, 0, 1, 5), (3, 0, 1, 5)])
    assert result["lrp"]["mean"] is result["lrp"]["pooled"] is None
    assert "lrp, dor are undefined (division by zero) in every fold." in result.sentences


def run(*words: str, text: str | None = None):
    return CliRunner().invoke(command, words, input=text)


def test_the_command_prints_every_score(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text(NESTED)
    done = run(str(path))
    assert done.exit_code == 0
    first = {line.split()[0] for line in done.output.splitlines() if line.strip()}
    assert set(SCORES) <= first
    assert "\x1b" not in done.output
    assert max(map(len, done.output.splitlines())) <= 110
    assert "F_tp,fp" in done.output and "Forman & Scholz" in done.output


def test_the_command_reads_standard_input_and_chosen_scores() -> None:
    done = run("-", "--score", "recall", "--decimals", "2", text=NESTED)
    assert done.exit_code == 0
    assert "sens   0.64    0.68" in done.output
    assert "\nacc " not in done.output


def test_the_command_prints_the_same_as_python_as_json() -> None:
    done = run("-", "--json", text=NESTED)
    assert json.loads(done.output) == aggregate(parse(NESTED)).to_dict()


@pytest.mark.parametrize("words", [("-",), ("-", "--json"), ("missing.csv",), ("-", "--score", "nonesuch")])
def test_the_command_fails_with_one_sentence(words) -> None:
    text = NESTED if "--score" in words else "tp,fp\n1,2\n"
    done = run(*words, text=text)
    assert done.exit_code == 2
    assert done.stderr.startswith("scoreproof: ") and done.stderr.count("\n") == 1
    if "--json" in words:
        assert json.loads(done.stdout)["error"]["field"] == "standard input"
