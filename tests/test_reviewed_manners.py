"""Laws of tables and of the command line that a hostile reader once found broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scoreproof.cli import COMMANDS, cli


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def rows(folder: Path, text: str, *words: str, name: str = "t.csv") -> list[dict[str, str]]:
    (folder / name).write_text(text, encoding="utf-8")
    run("batch", str(folder / name), "-o", str(folder / "out.jsonl"), *words)
    return [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]


def test_no_words_at_all_give_the_help_and_no_verdicts_exit_code() -> None:
    done = run()
    assert done.exit_code == 2 and "Usage:" in done.output and "\ufffd" not in done.output
    for name, about in COMMANDS.items():
        assert name in done.output and about in done.output  # none is cut off


@pytest.mark.parametrize("command", ["batch", "verify", "tables", "simulate"])
def test_a_missing_argument_is_named(command: str) -> None:
    done = run(command)
    assert done.exit_code == 2 and "is missing" in done.output


def test_a_misspelt_command_gets_a_suggestion() -> None:
    done = run("chek")
    assert done.exit_code == 2 and "did you mean 'check'" in done.output


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


def test_columns_with_the_cells_of_a_matrix_get_the_right_hint(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, "TP,FP,FN,TN,acc\n35,14,3,248,0.9433\n")
    assert "TP + FN" in row["note"] and "tpr" not in row["note"]


def test_an_empty_table_says_that_nothing_was_checked(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("p,n,acc\n", encoding="utf-8")
    assert "nothing was checked" in run("batch", str(tmp_path / "t.csv")).output


def test_numbers_that_lost_zeros_name_the_way_out_of_the_command_line(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, '{"p": 38, "n": 262, "acc": 0.9433}\n', name="t.jsonl")
    assert row["status"] == "unreadable" and "--decimals 4" in row["note"]
    (row,) = rows(tmp_path, '{"p": 38, "n": 262, "acc": 0.9433}\n', "--decimals", "4", name="t.jsonl")
    assert row["status"] == "consistent"
