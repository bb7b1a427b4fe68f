"""Tables of every kind: what is recognised, what comes back, what is said of what cannot be read."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import scoreproof
from scoreproof import BadClaim
from scoreproof.frames.verdicts import witness_words
from scoreproof.reading.tables.columns import NUMBERS, recognise
from scoreproof.reading.tables.words import SET_UP, VAGUE
from scoreproof.scores import REGRESSION
from scoreproof.scores.names import ALSO, COMPLEMENTS, SYNONYMS, family

ROWS = {
    "study": ["a", "b", "c", "d", "e"],
    "p": ["38", "38", "38", "38", ""],
    "n": ["262", "262", "262", "", ""],
    "acc": ["0.9433", "0.9483", "94.33 %", "0.9", "0.9"],
    "f1": ["", "", "0.8046", "0.8", "0.8"],
}


def as_rows(native) -> list[dict[str, object]]:
    if isinstance(native, pd.DataFrame):
        native = pa.Table.from_pandas(native, preserve_index=False)
    return native.to_dicts() if isinstance(native, pl.DataFrame) else native.to_pylist()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_the_same_kind_of_frame_comes_back_with_four_columns_more(make):
    frame = make(ROWS)
    result = scoreproof.check_frame(frame)
    assert type(result) is type(frame)
    rows = as_rows(result)
    assert [list(row) for row in rows] == [[*ROWS, "status", "conflict", "severity", "witness", "note"]] * 5
    assert [[row[name] for row in rows] for name in ROWS] == list(ROWS.values())
    assert [row["status"] for row in rows] == [
        "consistent", "inconsistent", "consistent", "unreadable", "consistent",
    ]  # fmt: skip
    assert rows[1]["conflict"] == "acc" and rows[1]["witness"] is None
    assert rows[0]["conflict"] is None and rows[0]["witness"].startswith("TP ")
    assert "experiment.n: is missing" in rows[3]["note"]
    assert "no class counts" in rows[4]["note"]


def test_an_index_of_any_kind_stays():
    frame = pd.DataFrame({"p": [38, 38], "n": [262, 262], "acc": ["0.9433", "0.9483"]}, index=[7, 7])
    result = scoreproof.check_frame(frame)
    assert result.index.tolist() == [7, 7]
    assert result["status"].tolist() == ["consistent", "inconsistent"]


def test_an_empty_table_stays_empty():
    result = scoreproof.check_frame(
        pl.DataFrame({"p": [], "n": [], "acc": []}, schema=dict.fromkeys(["p", "n", "acc"], pl.String))
    )
    assert result.columns[-5:] == ["status", "conflict", "severity", "witness", "note"] and len(result) == 0


def test_every_row_says_what_the_single_check_says():
    """Folds, ranges, curved scores and several readings go through a frame unchanged."""
    claims = [
        {"experiment": {"p": 38, "n": 262}, "scores": {"acc": "0.9433", "mcc": "0.762"}},
        {"experiment": {"p": 10, "n": 20, "folds": 5, "stratified": True}, "scores": {"acc": "0.9333"}},
        {"experiment": {"p": 10, "n": 20, "folds": 5, "aggregate": "mean"}, "scores": {"acc": "0.9331"}},
        {"experiment": {"p": [30, 45], "n": 262}, "scores": {"acc": "0.9433", "sens": "0.7777"}},
        {"experiment": {"total": 60, "prevalence": "20.0 %"}, "scores": {"kappa": "0.71", "sens": "0.91"}},
        {"experiment": {"p": 38, "n": 262}, "scores": {"error rate": "0.0567"}, "rounding": "down"},
    ]  # fmt: skip
    keys = ["p", "n", "total", "prevalence", "folds", "stratified", "aggregate"]
    names = ["acc", "mcc", "f1", "sens", "kappa", "error rate"]

    def cell(value):
        return None if value is None else "-".join(map(str, value)) if isinstance(value, list) else str(value)

    frame = pl.DataFrame(
        {key: [cell(claim["experiment"].get(key)) for claim in claims] for key in keys}
        | {name: [claim["scores"].get(name) for claim in claims] for name in names}
        | {"rounding": [claim.get("rounding") for claim in claims]},
        schema_overrides=dict.fromkeys([*keys, *names, "rounding"], pl.String),
    )
    for claim, row in zip(claims, scoreproof.check_frame(frame).to_dicts(), strict=True):
        verdict = scoreproof.check(claim)
        assert row["status"] == verdict.status
        assert row["conflict"] == (None if verdict.conflict is None else ", ".join(verdict.conflict))
        assert row["witness"] == (None if verdict.witness is None else witness_words(verdict.witness))


@pytest.mark.parametrize(
    "group, complement", [(SYNONYMS, False), (COMPLEMENTS, True)], ids=["scores", "complements"]
)
def test_every_name_of_a_score_is_a_header_in_percent_or_not(group, complement):
    for short, names in group.items():
        for name in names:
            if name in VAGUE:
                continue
            for header, percent in (
                (name.title(), False),
                (f"{name} (%)", True),
                (f"{name.upper()} [%]", True),
            ):
                (column,) = recognise([header]).scores
                assert (column.score, column.complement, column.percent) == (short, complement, percent), header


@pytest.mark.parametrize("short", ALSO)
def test_every_name_of_a_score_beyond_the_matrix_is_a_header(short):
    for name in (short, *ALSO[short]):
        if name not in VAGUE:
            for header, percent in ((name.title(), False), (f"{name} (%)", True)):
                (column,) = recognise([header]).scores
                assert (column.score, column.percent) == (short, percent), header
                assert (column.kind == "regression") == (short in REGRESSION)


@pytest.mark.parametrize("header", ["f1_macro", "Macro-F1", "F1 (macro avg)", "macro average F1 (%)"])
def test_averages_over_classes_are_used_where_the_classes_are_counted(header):
    (column,) = recognise([header], given=["classes"]).scores
    assert (column.score, column.average) == ("f1", "macro")
    assert "counts of the classes" in recognise(["p", "n", "acc", header]).unused[0][1]


CLASSES = {"classes": {"a": 10, "b": 20, "c": 30}}
KINDS = {
    "predicted numbers": ({"samples": "84", "variance": "1267.1", "mse": "678.4", "r2": "0.465"}, {}),
    "with their sd": ({"N": "84", "SD": "35.6", "RMSE": "26.0", "MAE": "27.0"}, {}),
    "sizes said once": ({"mse": "4.0", "rmse": "2.1"}, {"samples": 84}),
    "a ranking": ({"p": "5", "n": "7", "acc": "0.917", "AUC": "0.99"}, {}),
    "several classes": ({"Accuracy": "0.81", "F1 macro": "0.80"}, CLASSES),
}
SAID = {"samples": "samples", "N": "samples", "variance": "variance", "SD": "sd", "p": "p", "n": "n"}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_every_kind_of_score_have_the_verdict_of_their_claim(kind):
    row, experiment = KINDS[kind]
    frame = pl.DataFrame([row])
    result = scoreproof.check_frame(frame, experiment=experiment, timeout=None).to_dicts()[0]
    own = {SAID[name]: value for name, value in row.items() if name in SAID}
    own = {key: int(value) if value.isdigit() else value for key, value in own.items()}
    scores = {name: value for name, value in row.items() if name not in SAID}
    verdict = scoreproof.check({"experiment": experiment | own, "scores": scores}, timeout=None)
    assert (result["status"], result["severity"]) == (verdict.status, verdict.severity)
    assert result["conflict"] == (", ".join(verdict.conflict) if verdict.conflict else None)
    assert result["note"] is None or "not used" not in result["note"]
    assert scoreproof.row_verdicts(pl.DataFrame([row]), experiment=experiment)[0].to_dict() == verdict.to_dict()


def test_rows_without_a_figure_of_a_ranking_are_judged_as_before():
    frame = pl.DataFrame({"p": [38] * 2, "n": [262] * 2, "acc": ["0.9433"] * 2, "auc": ["0.94833333", None]})
    assert scoreproof.check_frame(frame)["status"].to_list() == ["inconsistent", "consistent"]


def test_scores_that_cannot_stand_in_one_claim_are_named_as_not_used():
    both = recognise(["p", "n", "acc", "mae", "variance"])
    assert [column.key for column in both.scores] == ["acc"]
    assert both.unused == tuple((name, " (it is about predicted numbers)") for name in ("mae", "variance"))
    numbers = recognise(["samples", "variance", "mae", "acc", "auc"])
    assert [column.key for column in numbers.scores] == ["mae"] and len(numbers.unused) == 2
    assert recognise(["acc", "auc"], given=["classes"]).unused == (("auc", " (it needs two classes)"),)


def test_a_dataset_of_other_classes_leaves_scores_out_with_a_word():
    names = {"dataset": ["iris", "tpehg"], "acc": ["0.9533", "0.9433"]}
    frame = pl.DataFrame({**names, "f1_macro": ["0.95", "0.9"], "auc": ["0.9", "0.8"]})
    result = scoreproof.check_frame(frame)
    assert result["status"].to_list() == ["consistent"] * 2
    assert [note.partition(";")[0] for note in result["note"]] == [
        f"{name} was not used: the dataset has other classes" for name in ("auc", "f1_macro")
    ]


def test_r2_below_zero_is_no_percentage():
    frame = pl.DataFrame({"samples": ["20"] * 2, "r2": ["-3.5", "0.5"]})
    assert "percent" not in scoreproof.row_verdicts(frame).columns["r2"]
    assert scoreproof.check_frame(frame)["status"].to_list() == ["consistent"] * 2


@pytest.mark.parametrize("name", VAGUE)
def test_a_header_that_often_means_something_else_has_to_be_mapped(name):
    """A standard error read as a sensitivity would be a false alarm."""
    beside = "mse" if family(name) == "regression" else "acc"
    layout = recognise([name.upper(), beside])
    assert [column.key for column in layout.scores] == [beside]
    assert layout.unused[0][1].startswith(" (map it if it is the ")
    assert len(recognise([name.upper(), beside], {name.upper(): name}).scores) == 2
    for other in VAGUE[name]:
        assert name.upper() in {column.header for column in recognise([name.upper(), other]).scores}


def test_a_share_in_a_percent_column_is_read_both_ways_and_noted():
    frame = pl.DataFrame({"p": [38] * 3, "n": [262] * 3, "Acc (%)": ["0.9433", "94.33", "0.33 %"]})
    result = scoreproof.check_frame(frame)
    assert result["note"].to_list() == ["Acc (%) was read as 0.9433", None, None]
    assert result["status"].to_list() == ["consistent"] * 3


def test_every_name_of_the_set_up_is_a_header():
    for key, names in SET_UP.items():
        for name in names:
            score = "mse" if key in NUMBERS else "acc"
            (column,) = recognise([name.upper().replace(" ", "_"), score]).set_up
            assert column.key == key


def test_percent_columns_hold_percentages():
    frame = pl.DataFrame(
        {"p": [38] * 4, "n": [262] * 4, "acc_pct": ["94.33", "94.33 %", "94.33 ± 0.4", " 94.33 (91-97)"]}
    )
    result = scoreproof.check_frame(frame)
    assert result["status"].to_list() == ["consistent"] * 4
    plain, *rest, interval = result["witness"].to_list()
    assert rest == [plain] * 2 and interval.startswith("TP ")  # the interval asks for more of a witness


def test_columns_are_mapped_left_out_and_named_when_not_used():
    frame = pl.DataFrame(
        {"p": [38], "n": [262], "Treffer": ["94.33"], "sens": ["0.5"], "Acuracy": ["1"], "x": [1]}
    )
    result = scoreproof.check_frame(frame, columns={"Treffer": "accuracy (%)", "sens": None})
    assert result["status"].to_list() == ["consistent"]
    assert result["note"].to_list() == ["not used: Acuracy (did you mean 'accuracy'?), x"]


@pytest.mark.parametrize(
    "columns, told",
    [
        ({"ac": "acc"}, "no column is called 'ac'; did you mean 'acc'"),
        ({"acc": "acuracy"}, "did you mean 'accuracy'"),
        ({"acc": 3}, "give a name, or None"),
        ({"acc": None}, "no column was recognised as a score"),
        ({"study": "p"}, "both give p"),
    ],
)
def test_a_wrong_mapping_is_refused_in_one_sentence(columns, told):
    with pytest.raises(BadClaim, match=told):
        scoreproof.check_frame(
            pl.DataFrame({"study": ["a"], "p": [1], "n": [2], "acc": ["0.5"]}), columns=columns
        )


@pytest.mark.parametrize(
    "headers, told",
    [
        (["N", "acc"], "negatives or all items"),
        (["p", "N", "acc"], "negatives or all items"),
        (["n", "prevalence", "acc"], "negatives or all items"),
        (["p", "n", "acc", "acc"], "two columns are called"),
    ],
)
def test_what_could_mean_two_things_has_to_be_said(headers, told):
    with pytest.raises(BadClaim, match=told):
        recognise(headers)


@pytest.mark.parametrize("headers", [["P", "N"], ["p", "n"], ["positives", "N"], ["n", "total"]])
def test_counts_that_can_mean_only_one_thing_are_taken(headers):
    assert {column.key for column in recognise(headers).set_up} >= {"n"}


def test_floats_mean_their_shortest_text_unless_their_digits_are_stated():
    frame = pl.DataFrame({"p": [100, 100], "n": [200, 200], "acc": [0.9, 0.95], "Sens (%)": [90.0, 91.5]})
    short = frame.with_columns(acc=pl.Series(["0.9", "0.95"]), **{"Sens (%)": pl.Series(["90.0", "91.5"])})
    assert scoreproof.check_frame(frame)[:, -4:].equals(scoreproof.check_frame(short)[:, -4:])
    digits = {"acc": 3, "Sens (%)": 1}
    texts = pl.DataFrame(
        {"p": [100] * 2, "n": [200] * 2, "acc": ["0.900", "0.950"], "Sens (%)": ["90.0", "91.5"]}
    )
    expected = scoreproof.check_frame(texts)[:, -4:]
    assert scoreproof.check_frame(frame, decimals=digits)[:, -4:].equals(expected)
    assert scoreproof.check_frame(frame, eps="0.0005")["status"].to_list() == ["consistent", "inconsistent"]
    too_few = scoreproof.check_frame(frame, decimals={"acc": 1, "Sens (%)": 1})
    assert (
        too_few["status"].to_list()[1] == "unreadable"
        and "more than the stated 1 decimals" in too_few["note"][1]
    )


def test_numbers_of_32_bits_mean_their_shortest_decimal():
    wide = pl.DataFrame({"p": [38], "n": [262], "acc": [0.9433]})
    narrow = wide.with_columns(pl.col("acc").cast(pl.Float32))
    expected = scoreproof.check_frame(wide, decimals=4)["witness"].to_list()
    assert scoreproof.check_frame(narrow, decimals=4)["witness"].to_list() == expected


def test_a_bug_of_ours_costs_no_other_row_and_is_no_verdict(monkeypatch, caplog):
    from scoreproof.frames import verdicts

    real = verdicts.check

    def check(claim, **options):
        if "lrp" in claim["scores"]:
            raise ZeroDivisionError("oops")
        return real(claim, **options)

    monkeypatch.setattr(verdicts, "check", check)
    frame = pl.DataFrame({"p": [38, 38], "n": [262, 262], "ppv": ["0.5", "0.5"], "lrp": ["0.5", ""]})
    result = scoreproof.check_frame(frame)
    assert result["status"].to_list() == ["undecided", "consistent"] and "oops" in result["note"][0]


def test_decimals_keep_their_zeros():
    frame = pd.DataFrame({"p": [100] * 2, "n": [200] * 2, "acc": [Decimal("0.90"), Decimal("0.9000")]})
    counts = [
        scoreproof.check({"experiment": {"p": 100, "n": 200}, "scores": {"acc": text}}).witness
        for text in ("0.90", "0.9000")
    ]
    assert scoreproof.check_frame(frame)["witness"].tolist() == [witness_words(each) for each in counts]


@pytest.mark.parametrize("cell", ["", " ", "-", "–", "NA", "n/a", "NaN", "not reported", None])
def test_an_empty_cell_reports_nothing(cell):
    frame = pl.DataFrame(
        {"p": ["38"], "n": ["262"], "acc": ["0.9433"], "sens": [cell]}, schema_overrides={"sens": pl.String}
    )
    without = scoreproof.check_frame(frame.drop("sens"))
    assert scoreproof.check_frame(frame).drop("sens").equals(without)


@pytest.mark.parametrize(
    "column, cell",
    [
        ("p", "x"),
        ("p", "3.5"),
        ("stratified", "perhaps"),
        ("aggregate", "median"),
        ("folds", "many"),
        ("rounding", "odd"),
    ],
)
def test_an_unreadable_cell_is_named_and_the_other_rows_go_on(column, cell):
    row = {"p": "38", "n": "262", "folds": "5", "stratified": "yes", "aggregate": "pooled", "rounding": "any"}
    frame = pl.DataFrame([{**row, "acc": "0.9433"}, {**row, column: cell, "acc": "0.9433"}])
    result = scoreproof.check_frame(frame)
    assert result["status"].to_list() == ["consistent", "unreadable"]
    assert column in result["note"][1]


def test_counts_as_people_write_them():
    cells = ["38", " 38 ", "38.0", "38-40", "[38, 40]", "about 40", "1,000"]
    frame = pl.DataFrame({"p": cells, "n": ["262"] * 7, "sens": ["0.5"] * 7})
    assert "unreadable" not in scoreproof.check_frame(frame)["status"].to_list()


def test_what_is_no_frame_or_has_the_columns_already_is_refused():
    with pytest.raises(BadClaim, match="pandas or polars"):
        scoreproof.check_frame([1, 2])
    with pytest.raises(BadClaim, match="collect it first"):
        scoreproof.check_frame(pl.LazyFrame({"acc": ["0.9"]}))
    twice = scoreproof.check_frame(pl.DataFrame({"p": [1], "n": [2], "acc": ["0.67"]}))
    with pytest.raises(BadClaim, match="prefix="):
        scoreproof.check_frame(twice)
    ignored = dict.fromkeys(["status", "conflict", "severity", "witness", "note"])
    again = scoreproof.check_frame(twice, prefix="new ", columns=ignored)
    assert again["new status"].to_list() == again["status"].to_list()


@pytest.mark.parametrize(
    "options", [{"decimals": -1}, {"timeout": 0}, {"experiment": 3}, {"eps": "0.1", "rounding": "any"}]
)
def test_options_without_sense_are_refused(options):
    with pytest.raises(BadClaim):
        scoreproof.check_frame(pl.DataFrame({"p": [1], "n": [2], "acc": ["0.67"]}), **options)


def test_rows_say_their_severity_and_audits_count_it_apart():
    near = {"p": ["38"] * 4, "n": ["262"] * 4, "acc": ["0.9433", "0.9434", "0.9483", "0.9434 (283/300)"]}
    table = pl.DataFrame({"set": ["a", "b", "b", "b"], **near})
    result = scoreproof.check_frame(table)
    assert result["severity"].to_list() == [None, "last digit", "beyond", "last digit"]
    audit = scoreproof.audit(result, by="set")
    assert "3 inconsistent, 2 of them within one unit of the last digit" in str(audit)
    assert audit.to_dict()["last_digit"] == 2 and [group.last_digit for group in audit.groups] == [0, 2]
    bare = scoreproof.audit(result.drop("severity"))
    assert bare.total.inconsistent == 3 and not bare.total.last_digit
    stated = scoreproof.check_frame(table[2:3], rounding="any")
    assert stated["status"].to_list() == ["inconsistent"] and stated["severity"].to_list() == [None]


def test_an_audit_counts_every_row_once():
    frame = scoreproof.check_frame(
        pl.DataFrame(ROWS | {"set": ["x", "y", "x", "x", None]}), columns={"set": None}
    )
    audit = scoreproof.audit(frame, by="set")
    assert audit.total.rows == 5 and sum(group.rows for group in audit.groups) == 5
    assert {group.key: (group.consistent, group.inconsistent, group.unreadable) for group in audit.groups} == {
        ("x",): (2, 0, 1), ("y",): (0, 1, 0), ("",): (1, 0, 0),
    }  # fmt: skip
    assert dict(audit.conflicts) == {"acc": 1}
    assert audit.to_dict()["rows"] == 5 and "inconsistent" in str(audit)
    with pytest.raises(BadClaim, match="did you mean 'set'"):
        scoreproof.audit(frame, by="sets")


@pytest.mark.parametrize("cell", [Decimal("Infinity"), Decimal("1e400"), float("inf"), 1e300, Decimal("3.5")])
def test_a_count_that_is_none_is_refused_in_one_sentence_and_the_other_rows_go_on(cell):
    frame = pd.DataFrame({"p": pd.Series([cell, 38], dtype=object), "n": [262, 262], "acc": ["0.9433"] * 2})
    result = scoreproof.check_frame(frame)
    assert result["status"].tolist() == ["unreadable", "consistent"]
    assert "expected a whole number" in result["note"][0] or "more than the 10^60" in result["note"][0]


@pytest.mark.parametrize("wrong", [True, 31, 10**30, "4", 4.0, {"acc": True}, [4]])
def test_a_number_of_digits_that_is_none_is_refused(wrong):
    with pytest.raises(BadClaim, match="decimals: expected 0 to 30"):
        scoreproof.check_frame(pd.DataFrame({"p": [5], "n": [7], "acc": [0.5]}), decimals=wrong)


def test_a_prefix_or_a_grouping_that_is_no_name_is_refused():
    frame = pd.DataFrame({"p": [38], "n": [262], "acc": ["0.9433"]})
    with pytest.raises(BadClaim, match="prefix: expected text"):
        scoreproof.check_frame(frame, prefix=3)
    with pytest.raises(BadClaim, match="by: expected the name of a column"):
        scoreproof.audit(frame, by=3)
    with pytest.raises(TypeError, match="there is no option 'roundig'"):
        scoreproof.check_frame(frame, roundig="any")
