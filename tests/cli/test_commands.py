"""The command line as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run
from scoreproof.cli import cli

CONSISTENT = ("check", "--p", "100", "--n", "200", "acc=0.9567")
INCONSISTENT = ("check", "--p", "100", "--n", "200", "sens=0.8545")


def test_exit_codes_tell_the_verdict() -> None:
    assert run(*CONSISTENT).exit_code == 0
    assert run(*INCONSISTENT).exit_code == 1
    assert run("check", "--p", "100", "--n", "200").exit_code == 2


def test_json_is_the_verdict_and_verifies(tmp_path: Path) -> None:
    for words in (CONSISTENT, INCONSISTENT):
        printed = run(*words, "--json").stdout
        data = json.loads(printed)
        path = tmp_path / "verdict.json"
        path.write_text(printed, encoding="utf-8")
        confirmed = run("verify", str(path))
        assert confirmed.exit_code == 0 and data["verdict"] in confirmed.stdout
        data["verdict"] = "consistent" if data["verdict"] == "inconsistent" else "inconsistent"
        refused = run("verify", "-", stdin=json.dumps(data))
        assert refused.exit_code == 1 and refused.stdout.startswith("Refused")


def test_claims_come_from_files_and_standard_input(tmp_path: Path) -> None:
    toml = 'scores = {acc = "0.9567"}\nexperiment = {p = 100, n = 200}\n'
    path = tmp_path / "claim.toml"
    path.write_text(toml, encoding="utf-8")
    text = '{"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}'
    answers = [
        run("check", str(path), "--json").stdout,
        run("check", "-", "--json", stdin=toml).stdout,
        run("check", "-", "--json", stdin=text).stdout,
    ]
    assert len({json.dumps(json.loads(answer)["certificate"]) for answer in answers}) == 1
    assert all(json.loads(answer)["count"] == 14 for answer in answers)


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("check",), "claim"),
        (("check", "missing.toml"), "claim"),
        (("check", "--p", "10", "acc=0.9"), "--n"),
        (("check", "--p", "10", "--n", "5", "acc=0.9", "acc=0.8"), "scores.acc"),
        (("check", "--p", "10", "--n", "5", "acc"), "scores"),
        (("check", "--p", "-1", "--n", "5", "acc=0.9"), "--p"),
        (("check", "--p", "10", "--n", "5", "acurracy=0.9"), "scores"),
        (("check", "--p", "10", "--n", "5", "acc=x"), "scores.acc"),
        (("check", "--p", "10", "--n", "5", "--eps", "-1", "acc=0.9"), "--eps"),
        (("check", "--p", "10", "--n", "5", "--eps", "0.1", "--rounding", "any", "acc=0.9"), "--eps"),
        (("check", "--p", "10", "--n", "5", "--folds", "16", "acc=0.9"), "--folds"),
        (("check", "--timeout", "0", "--p", "10", "--n", "5", "acc=0.9"), "timeout"),
        (("verify", "missing.json"), "verdict"),
        (("cases", "nothing"), "name"),
    ],
)
def test_bad_input_is_one_sentence_that_names_the_field(words: tuple[str, ...], field: str) -> None:
    result = run(*words)
    assert result.exit_code == 2 and result.stdout == ""
    first = result.stderr.splitlines()[0]
    assert first.startswith(f"scoreproof: {field}: "), first
    assert "Traceback" not in result.stderr


def test_with_json_standard_output_holds_nothing_but_json() -> None:
    result = run("check", "--p", "10", "--n", "5", "acc=x", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"]["field"] == "scores.acc"


def test_unknown_options_are_refused_with_exit_code_2() -> None:
    assert run("check", "--nonsense").exit_code == 2


def test_explain_speaks_in_three_forms() -> None:
    words = ("explain", *INCONSISTENT[1:])
    text, markdown, data = run(*words), run(*words, "--format", "markdown"), run(*words, "--json")
    assert text.exit_code == markdown.exit_code == data.exit_code == 1
    assert text.stdout.startswith("Inconsistent with 100 positives")
    assert markdown.stdout.startswith("## The reported figures: inconsistent")
    assert data.stdout == run(*words, "--format", "json").stdout
    assert json.loads(data.stdout)["nearest"][0]["score"] == "sens"
    assert max(map(len, text.stdout.splitlines())) <= 110
    assert run("explain", *CONSISTENT[1:]).exit_code == 0
    refused = run("explain", "--p", "10", "--n", "5", "acc=x", "--format", "json")
    assert refused.exit_code == 2 and json.loads(refused.stdout)["error"]["field"] == "scores.acc"


def test_no_colour_unless_on_a_terminal() -> None:
    for words in (CONSISTENT, INCONSISTENT, ("scores",), ("cases",)):
        assert "\x1b" not in run(*words).output


def test_scores_lists_every_score_and_searches() -> None:
    rows = json.loads(run("scores", "--json").stdout)
    assert len(rows) == 31
    assert [row["name"] for row in json.loads(run("scores", "informedness", "--json").stdout)] == ["bm"]


def test_cases_are_all_decided() -> None:
    for name, data in json.loads(run("cases", "--json").stdout).items():
        assert data["verdict"] != "undecided", name
        assert data["claim"]["citation"], name


@pytest.mark.parametrize("command", [[], *([name] for name in cli.list_commands(None))])
def test_help_exists_for_every_command(command: list[str]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0 and len(result.output) > 150


def test_import_is_light() -> None:
    code = (
        "import sys, scoreproof; heavy = {'numpy', 'scipy', 'pandas', 'matplotlib', 'rich', 'fastapi'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_logger_has_no_output_handler() -> None:
    import logging

    import scoreproof

    handlers = logging.getLogger(scoreproof.__name__).handlers
    assert all(isinstance(handler, logging.NullHandler) for handler in handlers)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize(
    "words", [["check", "--p", "10", "--n", "20", "acc=0.9"], ["scores", "--json"], ["--help"]]
)
def test_a_full_disk_is_one_sentence(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, "-m", "scoreproof", *words], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert found.returncode == 2
    assert found.stderr == "scoreproof: output: cannot be read or written: No space left on device\n"
