"""Manners of the command line: whoever slips is helped, and every terminal can be written to."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from command_line import run
from scoreproof.cli import cli
from scoreproof.cli.overview import COMMANDS, overview


def test_no_words_at_all_give_the_help_and_no_verdicts_exit_code() -> None:
    done = run()
    assert done.exit_code == 2 and "Usage:" in done.output and "\ufffd" not in done.output
    for name, about in COMMANDS.items():
        assert name in done.output and about in done.output  # none is cut off


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("batch", "is missing"),
        ("verify", "is missing"),
        ("simulate", "is missing"),
        ("tables", "give at least one figure"),
    ],
)
def test_a_missing_argument_is_named(command: str, words: str) -> None:
    done = run(command)
    assert done.exit_code == 2 and words in done.output


def test_the_help_that_loads_nothing_is_the_one_of_the_commands() -> None:
    context = click.Context(cli, info_name="scoreproof", terminal_width=78)  # of 80 columns
    assert f"{cli.get_help(context)}\n" == overview()


def test_a_misspelt_command_gets_a_suggestion() -> None:
    done = run("chek")
    assert done.exit_code == 2 and "did you mean 'check'" in done.output


def test_a_terminal_without_these_characters_gets_plain_ones() -> None:
    """A count such as 2 652 826 holds a thin space that Windows' own encodings do not know."""
    for encoding in ("ascii", "cp1252"):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "scoreproof",
                "check",
                "--p",
                "3000",
                "--n",
                "30000",
                "--eps",
                "0.001",
                "acc=0.9",
            ],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        )
        said = done.stdout.decode(encoding)
        assert done.returncode == 0 and "?" not in said
        assert "CONSISTENT with 3000 positives and 30 000 negatives" in said


@pytest.mark.skipif(os.name != "posix", reason="pipes as POSIX has them")
def test_a_reader_that_has_gone_is_not_told_a_verdict() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "scoreproof", "scores"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert done.returncode == 141 and b"Traceback" not in done.stderr


LONG = "x" * 300


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["check", f"acc=0.{'9' * 290}"], "a figure has at most 200 characters"),
        (["check", LONG], "File name too long"),
        (["explain", f"{LONG}.toml"], "File name too long"),
        (["reconstruct", LONG], "is not a score known here"),
        (["power", LONG], "give the class counts"),
        (["batch", f"{LONG}.csv"], "there is no file"),
        (["aggregate", LONG], "File name too long"),
        (["verify", LONG], "cannot read"),
        (["datasets", "--from", LONG], "File name too long"),
        (["check", "--p", "9", "--n", "9", "acc=1.0", "--html", LONG], "--html: cannot write"),
        (["check", "--p", "9" * 70, "--n", "9", "acc=1.0"], "more than the 10^60"),
    ],
)
def test_what_is_too_long_is_one_sentence_and_no_bug(words: list[str], says: str) -> None:
    done = run(*words)
    assert done.exit_code == 2 and says in done.stderr and "please report" not in done.stderr
    assert len(done.stderr.splitlines()[0]) < 420


@pytest.mark.parametrize("command", ["check", "explain", "reconstruct"])
@pytest.mark.parametrize("experiment", [["--p", "100", "--n", "200"], ["--total", "300"], ["--samples", "100"]])
def test_a_figure_of_seventy_digits_gets_an_answer(command: str, experiment: list[str]) -> None:
    score = "mae" if "--samples" in experiment else "acc"
    done = run(command, *experiment, "--timeout", "20", f"{score}=0.{'9' * 70}")
    assert done.exit_code in (0, 1) or (command == "reconstruct" and done.exit_code == 2)
    assert "please report" not in done.output


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize(
    "words", [["explain", "--p", "9", "--n", "9", "acc=1.0"], ["datasets"], ["bundle", "--json"]]
)
def test_an_answer_that_cannot_be_written_is_no_bug(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scoreproof", *words], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2 and done.stderr.endswith("No space left on device\n")
