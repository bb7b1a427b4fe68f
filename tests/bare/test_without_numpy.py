"""The core with the standard library alone: the same verdicts, counts and proofs, and clear words for the rest."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import scoreproof
from core_claims import BEYOND, KINDS, Claim, claims
from campaign import share

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
    answers = answered(asked)
    assert len(answers) == len(asked)
    for claim, answer in zip(asked, answers, strict=True):
        full = json.loads(json.dumps(scoreproof.check(claim, timeout=None).to_dict()))
        assert answer == {"verdict": full, "verified": True}, claim


def test_the_core_gives_the_same_json_without_numpy() -> None:
    compare(list(claims(60, seed=21)))


@pytest.mark.campaign
@pytest.mark.parametrize("kind", sorted(set(KINDS)))
def test_the_core_gives_the_same_json_without_numpy_at_length(kind: str) -> None:
    compare(list(claims(share(500), seed=2026, kinds=(kind,))))


def test_what_takes_numpy_says_so_and_is_undecided() -> None:
    for kind, answer in zip(BEYOND, answered(BEYOND.values()), strict=True):
        verdict = answer["verdict"]
        assert verdict["verdict"] == "undecided", kind
        assert "takes numpy, which is not installed here (pip install numpy scipy)" in json.dumps(verdict), kind
