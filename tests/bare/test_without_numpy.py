"""The core with the standard library alone: the same verdicts, counts and proofs; clear words for the rest."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from campaign import share
from core_claims import BEYOND, KINDS, Claim, Writer, claims

import scoreproof

TAKES = "takes numpy, which is not installed here (pip install numpy scipy)"
SOURCE = Path(scoreproof.__file__).parents[1]


def answered(asked: Iterable[Claim]) -> list[dict[str, Any]]:
    """The answers of the package without numpy, one for each claim."""
    text = "".join(f"{json.dumps(claim)}\n" for claim in asked)
    command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("answers_alone.py")), str(SOURCE)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    *answers, others = [json.loads(line) for line in done.stdout.splitlines()]
    assert others == [], "something beyond the standard library was imported"
    return answers


def compare(asked: list[Claim]) -> None:
    """The same JSON, but for what readings beside the claim would give where only numpy settles them, which is
    said; of a mean in five hundred another example may be shown, or no more even one may be known."""
    answers = answered(asked)
    assert len(answers) == len(asked)
    others = 0
    for claim, answer in zip(asked, answers, strict=True):
        own = answer["verdict"]
        full = json.loads(json.dumps(scoreproof.check(claim, timeout=None).to_dict()))
        assert answer["verified"], claim
        unlike = {key for key in {**own, **full} if own.get(key) != full.get(key)}
        if any(each["verdict"] == "undecided" for each in own["other_readings"]):
            unlike -= {"sentence", "other_readings"}
            assert TAKES in own["sentence"]
            own_words, full_words = (each["sentence"].split(";")[0].rstrip(".") for each in (own, full))
            assert own_words == full_words
        if unlike:
            assert claim["experiment"].get("aggregate") == "mean" and unlike <= {"witness", "unevenness"}, claim
            assert scoreproof.verify(own), claim
            others += 1
    assert others <= 0.002 * len(asked)


def test_the_core_gives_the_same_json_without_numpy() -> None:
    compare(list(claims(60, seed=21)))


def test_folds_whose_denominators_no_float_holds_are_decided_as_well() -> None:
    writer = Writer(0)
    folds = [dict(zip("pn", writer.counts(10**9), strict=True)) for _ in range(40)]
    claim = {"experiment": {"folds": folds, "aggregate": "mean"}, "scores": {"sens": "0.7600", "acc": "0.7500"}}
    (alone,) = answered([claim])
    assert (
        alone["verdict"]["verdict"]
        == scoreproof.check(claim, timeout=None).to_dict()["verdict"]
        == "consistent"
    )
    assert alone["verified"]


@pytest.mark.campaign
@pytest.mark.parametrize("kind", sorted(set(KINDS)))
def test_the_core_gives_the_same_json_without_numpy_at_length(kind: str) -> None:
    compare(list(claims(share(500), seed=2026, kinds=(kind,))))


def test_what_takes_numpy_says_so_and_is_undecided() -> None:
    for kind, answer in zip(BEYOND, answered(BEYOND.values()), strict=True):
        verdict = answer["verdict"]
        assert verdict["verdict"] == "undecided", kind
        assert TAKES in json.dumps(verdict), kind
        assert verdict["would_settle"] == ["the same check where numpy and scipy are installed"], kind


FIGURES = ["acc=0.9567", "sens=0.8500", "--p", "100", "--n", "200"]
FOLDS = "tp,fp,fn,tn\n3,0,0,373\n4,1,0,371\n"
STUDIES = "study,total,sens,spec\nLee,300,0.87,0.90\n"
#: Words of a command, what it reads, its exit code and what it says.
COMMANDS: list[tuple[list[str], str, int, str]] = [
    (["check", *FIGURES], "", 1, "INCONSISTENT"),
    (["check", "--plot", "picture.png", *FIGURES], "", 2, TAKES),
    (["explain", *FIGURES], "", 1, "What may have happened"),
    (["reconstruct", *FIGURES[:1], *FIGURES[2:]], "", 0, "f1"),
    (["tables", "sens=0.92 (0.84-0.97)", "spec=0.88 (0.83-0.92)", "--p", "87"], "", 0, "109"),
    (["tables", "-"], STUDIES, 0, "7 to 253"),
    (["aggregate", "-"], FOLDS, 0, "pooled"),
    (["cases"], "", 0, "fazekas-kovacs-2024"),
    (["bundle", "drive", "acc=0.95", "sens=0.75"], "", 0, "CONSISTENT"),
    (["scores"], "", 0, "mcc"),
    (["datasets", "diabetes"], "", 0, "pima"),
    (["simulate", "fmeasure", "--trials", "10"], "", 2, TAKES),
    (["power", "acc", *FIGURES[2:]], "", 2, TAKES),
    (["batch", "-"], "p,n,acc\n100,200,0.9567\n100,200,0.9568\n", 1, "clashing: acc (1)"),
]


@pytest.mark.parametrize(("words", "given", "code", "says"), COMMANDS, ids=[each[0][0] for each in COMMANDS])
def test_every_command_works_or_ends_with_one_sentence(
    words: list[str], given: str, code: int, says: str, tmp_path: Path
) -> None:
    command = [sys.executable, str(Path(__file__).with_name("command_alone.py")), *words]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == code, done.stderr[-2000:]
    assert says in done.stdout + done.stderr
    assert code != 2 or done.stderr.count("\n") == 1
