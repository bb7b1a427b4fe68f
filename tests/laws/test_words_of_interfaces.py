"""Messages speak the words of the interface they appear in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import scoreproof
from scoreproof.cli.commands import cli
from scoreproof.hints import at_command_line, option
from scoreproof.reading.tables.columns import in_words

SOURCE = Path(scoreproof.__file__).parent
#: Its options, and its commands.
COMMAND_LINE = re.compile(r"(?<![\w-])--[a-z]{2,}|`scoreproof [a-z]")
#: Written for the command line on purpose: how to replay a dossier or a file of claims, how to
#: start the page so that it opens files, and what knows both sides.
MEANT = {
    "insight/display/dossier.py",
    "hints.py",
    "reading/tables/columns.py",
    "papers/writing.py",
    "web/named_files.py",
}


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that are no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def test_only_the_command_line_speaks_of_its_options_and_commands() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {text[:80]}"
        for path in sorted(SOURCE.rglob("*.py"))
        if not (name := path.relative_to(SOURCE).as_posix()).startswith("cli/") and name not in MEANT
        for line, text in sentences(path)
        if COMMAND_LINE.search(text)
    ]
    assert not found


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("check --p 10 --n 20 --folds 50 acc=0.9", "--folds"),
        ("check --dataset nothing-like-it acc=0.9", "--dataset"),
        ("reconstruct --dataset thyroid acc=0.9", "--dataset"),
        ("check --p 10 --n 20 --beta-positive x fbp=0.9", "--beta-positive"),
        ("check --p 10 --n 20 acc=x", "scores.acc"),
    ],
)
def test_what_is_wrong_with_an_option_names_the_option(words: str, start: str) -> None:
    shown = CliRunner().invoke(cli, words.split())
    assert shown.exit_code == 2
    assert shown.stderr.startswith(f"scoreproof: {start}:")


def test_what_is_wrong_with_a_claim_names_its_key() -> None:
    claim = {"experiment": {"p": 10, "n": 20, "folds": 50}, "scores": {"acc": "0.9"}}
    with pytest.raises(scoreproof.BadClaim, match=r"^experiment\.folds:"):
        scoreproof.check(claim)


def test_hints_are_written_as_the_reader_would_write_them() -> None:
    assert option("prefix", "x_") == 'prefix="x_"' and in_words("A", "acc") == "columns={'A': 'acc'}"
    token = at_command_line.set(True)
    try:
        assert option("prefix", "x_") == "--prefix x_" and in_words("A", "acc") == '--columns "A=acc"'
    finally:
        at_command_line.reset(token)


@pytest.mark.parametrize("name", ["check", "reconstruct", "explain", "dossier", "batch", "power", "tables"])
def test_long_help_has_examples_first_and_options_in_groups(name: str) -> None:
    lines = CliRunner().invoke(cli, [name, "--help"]).stdout.splitlines()
    heads = ["Counts:", "Reading the figures:", "Work:", "Output:"]
    places = [lines.index(head) for head in heads]
    assert places == sorted(places)
    examples = next(at for at, line in enumerate(lines) if "Example" in line)
    assert examples < places[0]
