"""How much work is spent can be said wherever something is decided, and reaches the budget."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from scoreproof import effort as effort_module
from scoreproof.cli import cli
from scoreproof.effort import EFFORTS
from scoreproof.web.links import Asked
from scoreproof.web.openapi import PATHS
from scoreproof.web.work.jobs import answer

COUNTS = ("--p", "100", "--n", "200")
COMMANDS = {
    "check": (*COUNTS, "acc=0.9567"),
    "explain": (*COUNTS, "acc=0.9567"),
    "reconstruct": (*COUNTS, "acc=0.9567", "mcc"),
    "tables": ("--p", "88", "--n", "208", "sens=0.92 (0.84-0.97)", "spec=0.88 (0.83-0.92)"),
    "bundle": ("isic2016", "acc=0.855"),
    "batch": ("table.csv",),
    "power": (*COUNTS, "--trials", "2", "--decimals", "2", "acc"),
}
CLAIM = '{"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}'
JOBS = {"check": CLAIM, "explain": CLAIM, "reconstruct": CLAIM, "report": CLAIM,
        "bundle": '{"bundle": "isic2016", "scores": {"acc": "0.855"}}'}  # fmt: skip


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The efforts that budgets are made of."""
    seen: list[str] = []

    class Noted(dict[str, float]):
        def __getitem__(self, effort: str) -> float:
            seen.append(effort)
            return super().__getitem__(effort)

    monkeypatch.setattr(effort_module, "EFFORTS", Noted(EFFORTS))
    return seen


@pytest.mark.parametrize("effort", [*EFFORTS, None])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_spends_the_effort_it_is_told(
    name: str, effort: str | None, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # unknown folds: a row that the quick way for one matrix does not take
    Path("table.csv").write_text("p,n,folds,acc\n38,262,5,0.9483\n", encoding="utf-8")
    said = () if effort is None else ("--effort", effort)
    done = CliRunner().invoke(cli, [name, *COMMANDS[name], *said])
    assert done.exit_code in (0, 1), done.output
    assert asked and set(asked) == {effort or "normal"}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_effort_that_is_none_is_refused(name: str) -> None:
    done = CliRunner().invoke(cli, [name, *COMMANDS[name], "--effort", "huge"])
    assert done.exit_code == 2 and "--effort" in done.output


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("name", JOBS)
def test_the_page_and_the_api_spend_the_effort_they_are_told(name: str, effort: str, asked: list[str]) -> None:
    given = {"claim": JOBS[name], "timeout": 10.0, "effort": effort}
    assert "answer" in answer({"do": name, "with": given}, print)
    assert asked and set(asked) == {effort}
    refused = answer({"do": name, "with": {**given, "effort": "huge"}}, print)
    assert refused["error"]["field"] == "effort"


def test_the_description_of_the_api_has_the_efforts() -> None:
    for path in ("/api/check", "/api/explain", "/api/reconstruct", "/api/bundle"):
        (effort,) = [each for each in PATHS[path]["post"]["parameters"] if each["name"] == "effort"]
        assert effort["schema"] == {"enum": list(EFFORTS)}


def test_a_link_keeps_the_effort_only_where_it_is_not_the_usual() -> None:
    assert "effort" not in Asked(CLAIM).query()
    assert Asked(CLAIM, "high").query().endswith("&effort=high")
