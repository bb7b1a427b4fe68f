"""A check that needs no parser of commands says, letter for letter, what the command says."""

from __future__ import annotations

import subprocess
import sys

import pytest

from command_line import run
from scoreproof.claim.fields import SPOKEN, Kind
from scoreproof.cli import quick

PLAIN = [
    "--p 100 --n 200 acc=0.9567 sens=0.85",
    "--p 100 --n 200 acc=0.9567 sens=0.87",
    "--p=100 --n=200 acc=0.9567 sens=0.8545 --json",
    "acc=0.9567 sens=0.8545",
    "--json --p 38 --n 262 --rounding any accuracy=94.47% recall=0.9139",
    "--p 38 --n 262 --folds 5 --stratified acc=0.95 sens=0.9",
    "--p 30000 --n 500000 --title T acc=0.95 sens=0.9",
    "--total 300 acc=0.9567",
    "--dataset isic2016 acc=0.855 sens=0.507 spec=0.941",
    "--samples 100 --variance 0.0831 mae=0.112 rmse=0.143 r2=0.754",
    "--p 38 --n 262 auc=0.912 sens=0.842 spec=0.802",
    "--p 100 --n 200 --undefined zero --not-strict ppv=0.0 sens=0.0",
]
#: Left to the command: what is wrong, asks for more, or is written in another way.
OTHER = [
    "--help",
    "-h",
    "",
    "claim.toml",
    "--p 100 --n 200 acc=0.9567 --why",
    "--p 100 --p 100 --n 200 acc=0.9567",
    "--p 100 --n 200 acc=0.9567 --",
    "--p 100 --n -200 acc=0.9567",
    "--p 100 --n 200 acc",
    "--p 100 --n 200 acc=0.9567 --rounding sideways",
    "--p 100 --n 200 acc=0.9567 --folds five",
    "--p 100 --n 200 acc=0.9567 --repeats two",
    "--p 100 --n",
    "--p 100 --n 200 --stratified=yes acc=0.9567",
    "--p 100 --n 200 --effort high acc=0.9567",
    "--frm x --p 100 --n 200 acc=0.9567",
    "--json=1 --p 100 --n 200 acc=0.9567",
]


@pytest.mark.parametrize("line", PLAIN)
def test_the_same_words(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = line.split()
    code = quick.answered(words)
    done = run("check", *words)
    assert code == done.exit_code
    said = capsys.readouterr()
    assert (said.out, said.err) == (done.stdout, done.stderr)


@pytest.mark.parametrize("line", OTHER)
def test_whatever_is_not_plain_is_left_to_the_command(line: str) -> None:
    assert quick.answered(line.split()) is None


@pytest.mark.parametrize("words", [["--p", "100", "acc=0.95"], ["--p", "1", "--n", "2", "acc=x", "--json"]])
def test_a_slip_is_told_by_the_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert quick.answered(words) is None
    assert capsys.readouterr() == ("", "")
    assert run("check", *words).exit_code == 2


def test_every_option_of_a_key_is_known() -> None:
    for key in SPOKEN.values():
        words = [f"--{key.option}"] if key.kind is Kind.YES_NO else [f"--{key.option}", _some(key)]
        assert quick.plainly([*words, "acc=0.9"]) is not None, key.option


def _some(key: object) -> str:
    choices = getattr(key, "values", ())
    return str(choices[0]) if choices else "3"


HEAVY = ("click", "rich", "numpy", "json", "pathlib", "logging", "tomllib", "difflib")


def test_one_matrix_takes_few_modules() -> None:
    """No parser, no painter, no room that one matrix does not need."""
    code = (
        "import sys\nfrom scoreproof.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    words = ["check", "--p", "100", "--n", "200", "acc=0.9567", "sens=0.85"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    found = set(done.stderr.split())
    assert "INCONSISTENT" in done.stdout
    assert not {name for name in found if name.split(".")[0] in HEAVY and name != "rich._win32_console"}
    rooms = ("sums", "narrow", "ranking", "datasets", "regression", "load_classes", "verifier", "frames", "web")
    assert not [name for name in found if name.startswith("scoreproof.") and set(name.split(".")) & set(rooms)]
    assert sum(name.startswith("scoreproof") for name in found) < 110
