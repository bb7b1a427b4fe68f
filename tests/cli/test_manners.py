"""Manners of the command line: whoever slips is helped, and every terminal can be written to."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from command_line import run
from scoreproof.cli import cli


def test_no_words_at_all_give_the_help_and_no_verdicts_exit_code() -> None:
    done = run()
    assert done.exit_code == 2 and "Usage:" in done.output and "\ufffd" not in done.output
    for name, command in cli.commands.items():
        assert name in done.output and str(command.short_help) in done.output  # none is cut off


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
