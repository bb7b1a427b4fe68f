"""Tables as people write them: cells that say nothing, odd separators, lost zeros, rules by the row."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

import scoreproof
from scoreproof.cli import cli
from scoreproof.frames.vectorised import questions
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.columns import recognise
from scoreproof.solve.one_matrix import many


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def rows(folder: Path, text: str, *words: str, name: str = "t.csv") -> list[dict[str, str]]:
    (folder / name).write_text(text, encoding="utf-8")
    run("batch", str(folder / name), "-o", str(folder / "out.jsonl"), *words)
    return [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("nothing", ["", "-", "--", "—", "...", "n/a", "NR", "n.d.", "not reported"])
def test_a_cell_that_says_nothing_leaves_the_others_to_be_checked(nothing: str, tmp_path: Path) -> None:
    (row,) = rows(tmp_path, f"p,n,acc,sens\n38,262,0.9433,{nothing}\n")
    assert row["status"] == "consistent"


def test_bars_separate_cells(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, "p|n|acc\n38|262|0.9483\n")
    assert row["status"] == "inconsistent"


def test_an_open_quotation_mark_is_told(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, 'study,p,n,acc\n"A,38,262,0.9433\nB,38,262,0.9433\n')
    assert row["status"] == "unreadable" and "quotation mark" in row["note"] and "1 cell," in row["note"]


def test_columns_with_the_cells_of_a_matrix_are_evidence(tmp_path: Path) -> None:
    true, false = rows(tmp_path, "TP,FP,FN,TN,acc\n35,14,3,248,0.9433\n56,15,3,92,0.99\n")
    assert (true["status"], true["witness"]) == ("consistent", "TP 35, FP 14, FN 3, TN 248")
    assert (false["status"], false["conflict"]) == ("inconsistent", "acc, tp")


def test_positives_beside_true_positives_are_those_that_add_up() -> None:
    there = pl.DataFrame(
        {"TP": [35, 30], "FP": [14, 10], "FN": [3, 8], "Positives": [38, 38], "acc": ["0.9", ""]}
    )
    assert scoreproof.row_verdicts(there).columns["Positives"] == "positive items (p)"
    called = there.with_columns(Positives=pl.Series([49, 40]))
    assert scoreproof.row_verdicts(called).columns["Positives"] == "predicted positives"
    told = scoreproof.row_verdicts(called.drop("FP", "FN"), columns={"Positives": "predicted_positive"})
    assert told.columns["Positives"] == "predicted positives"
    with pytest.raises(scoreproof.BadClaim, match="those there are or those predicted"):
        scoreproof.row_verdicts(called.drop("FP", "FN"))


def test_an_empty_table_says_that_nothing_was_checked(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("p,n,acc\n", encoding="utf-8")
    assert "nothing was checked" in run("batch", str(tmp_path / "t.csv")).output


def test_numbers_mean_their_shortest_text_unless_the_command_line_says_more(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, '{"p": 38, "n": 262, "acc": 0.9433}\n', name="t.jsonl")
    assert row["status"] == "consistent"
    (row,) = rows(tmp_path, '{"p": 38, "n": 262, "acc": 0.9433}\n', "--decimals", "5", name="t.jsonl")
    assert row["status"] == "inconsistent"


def test_rows_that_name_their_rounding_are_judged_as_the_single_check_judges_them() -> None:
    rng = random.Random(5)
    names = ("nearest", "half-even", "half-up", "down", "up", "any", " Down ", "", None, "nearst")
    table = [
        {
            "p": str(p := rng.choice([1, 2, 8, 20, 38])),
            "n": str(n := rng.choice([1, 5, 16, 40])),
            "acc": f"{rng.randint(0, p + n) / (p + n):.{rng.randint(1, 3)}f}",
            "sens": rng.choice(["", "0.5", "0.50", "50%", "1.0", "0.0"]),
            "ppv": rng.choice(["", "0.75", "0.6"]),
            "rounding": rng.choice(names),
        }
        for _ in range(300)
    ]
    found = scoreproof.check_frame(pl.DataFrame(table))
    layout = recognise(found.columns[:6])
    fast = 0
    columns = {name: found[name].to_list() for name in found.columns[:6]}
    for asked in questions(layout, Settings(), columns, 300):
        decided = many.decide(asked.rows)
        fast += int((decided.fits | decided.refuted).sum())
    assert fast > 200  # so the two ways are compared
    for row, status, conflict in zip(table, found["status"], found["conflict"], strict=True):
        scores = {name: row[name] for name in ("acc", "sens", "ppv") if row[name]}
        claim = {"experiment": {"p": int(row["p"]), "n": int(row["n"])}, "scores": scores}
        if row["rounding"]:
            claim["rounding"] = row["rounding"].strip().casefold()
        if claim.get("rounding") == "nearst":
            assert status == "unreadable"
            continue
        verdict = scoreproof.check(claim)
        assert status == verdict.status
        assert conflict == (", ".join(verdict.conflict) if verdict.status == "inconsistent" else None)


def test_a_column_without_any_figure_is_no_obstacle() -> None:
    empty = pl.DataFrame(
        {"p": [38], "n": [262], "acc": ["0.9433"], "sens": [None]}, schema_overrides={"sens": float}
    )
    assert scoreproof.check_frame(empty)["status"].to_list() == ["consistent"]
    assert scoreproof.check_frame(empty.head(0))["status"].to_list() == []


@pytest.mark.parametrize("wrong", [{"rounding": "nearst"}, {"conventions": {"undefind": "zero"}}, {"eps": "x"}])
def test_what_would_spoil_every_row_is_refused_at_once(wrong: dict[str, object]) -> None:
    frame = pl.DataFrame({"p": [38], "n": [262], "acc": ["0.9433"]})
    with pytest.raises(scoreproof.ScoreproofError):
        scoreproof.check_frame(frame, **wrong)


def test_a_share_under_a_percent_header_is_tried_both_ways() -> None:
    frame = pl.DataFrame({"p": [38, 38], "n": [262, 262], "acc (%)": ["0.9433", "0.9483"]})
    found = scoreproof.check_frame(frame)
    assert found["status"].to_list() == ["consistent", "inconsistent"]
    assert found["note"].to_list()[1] == "acc (%) was read as 0.9483 %"
    assert [each.status for each in scoreproof.row_verdicts(frame)] == found["status"].to_list()


def test_a_column_with_figures_above_one_is_in_percent_for_all_its_rows() -> None:
    frame = pl.DataFrame({"p": [38] * 4, "n": [262] * 4, "fpr": ["5.34", "0.38", "0.05", "17"]})
    found = scoreproof.check_frame(frame)
    assert found["status"].to_list() == ["consistent"] * 4  # 0.38 % is 1 of 262, 0.05 is not 0.05 %
    assert scoreproof.row_verdicts(frame).columns["fpr"] == (
        "1 - specificity, in percent (some of its figures are above 1)"
    )
    just_above = pl.DataFrame({"p": [38, 38], "n": [262, 262], "acc": ["1.003", "0.9433"]})
    assert scoreproof.row_verdicts(just_above).columns["acc"] == "accuracy"


def test_a_run_is_not_resumed_with_other_datasets(tmp_path: Path) -> None:
    table, out, data = tmp_path / "t.csv", tmp_path / "out.csv", tmp_path / "my.toml"
    table.write_text("dataset,acc\nmine,0.9433\n" * 1 + "mine,0.9433\n" * 600, encoding="utf-8")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    data.write_text("[datasets.mine]\np = 38\nn = 262\n", encoding="utf-8")
    with scoreproof.using_data(data), pytest.raises(KeyboardInterrupt):
        scoreproof.check_file(table, out, progress=stop)
    data.write_text("[datasets.mine]\np = 39\nn = 2620\n", encoding="utf-8")
    with scoreproof.using_data(data), pytest.raises(scoreproof.ScoreproofError, match="different: datasets"):
        scoreproof.check_file(table, out, resume=True)
