"""Tables of counts rebuilt from figures with their intervals."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import scoreproof
from scoreproof import Matrix
from scoreproof.cli import cli


@pytest.mark.parametrize("sens", ["1.2 (0.96-1.00)", "-0.3 (0.1-0.2)"])
def test_a_share_above_one_or_below_nought_has_no_table_of_any_size(sens):
    found = scoreproof.tables({"sens": sens, "spec": "0.9 (0.8-1)"}, timeout=None)
    assert found.status == "inconsistent" and found.complete


def test_a_list_that_would_take_too_long_ends_early_with_the_tables_up_to_there(monkeypatch):
    # Limits printed without digits stand for nearly anything, so the lists never end by themselves.
    monkeypatch.setattr("scoreproof.budget.NORMAL", 20_000_000)
    found = scoreproof.tables({"sens": "0.9 (0-1)", "spec": "0.9 (0-1)"}, ci="wilson", timeout=None)
    assert found.status == "consistent" and not found.complete
    (wilson,) = found.by_method
    assert "cut short" in wilson.reason or "may stand for more than" in wilson.reason
    assert Matrix(tp=6, fp=1, fn=1, tn=6) in found.tables


def run(*words):
    return CliRunner().invoke(cli, list(words))


def test_tables_of_nothing_asks_for_a_figure():
    result = run("tables")
    assert result.exit_code == 2 and "give at least one figure" in result.output


def test_a_table_that_is_not_written_is_said_not_to_be(tmp_path):
    file = tmp_path / "table.csv"
    result = run("reconstruct", "--p", "20", "--n", "30", "sens=0.53", "--csv", str(file))
    assert result.exit_code == 1 and "no 2x2 table is written" in result.output and not file.exists()


@pytest.mark.parametrize("sizes", [{}, {"p": 3}, {"ci": "open"}])
def test_scores_without_intervals_that_bound_no_table_are_a_question_not_a_crash(sizes):
    with pytest.raises(scoreproof.BadClaim, match="do not bound the table"):
        scoreproof.tables({"acc": "0.9", "f1": "0.8"}, timeout=1, **sizes)
