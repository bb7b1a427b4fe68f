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
from core_claims import BEYOND, KINDS, Claim, claims

import scoreproof

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


def undecided_beside(verdict: dict[str, Any]) -> bool:
    """Whether a reading outside the claim is left undecided, such as a mean of curved scores over folds."""
    return any(each["verdict"] == "undecided" for each in verdict.get("other_readings") or ())


def compare(asked: list[Claim]) -> None:
    """The same JSON, but for two things that numpy and scipy steer: what other readings would give, and which
    of several proofs or examples of a mean is shown.  Both verdicts verify with the full package."""
    answers = answered(asked)
    assert len(answers) == len(asked)
    alike = 0
    for claim, answer in zip(asked, answers, strict=True):
        own = answer["verdict"]
        full = json.loads(json.dumps(scoreproof.check(claim, timeout=None).to_dict()))
        assert answer["verified"] and (own["verdict"], own["count"]) == (full["verdict"], full["count"]), claim
        alike += own == full
        free = {"sentence", "other_readings"} if undecided_beside(own) else set()
        if claim["experiment"].get("aggregate") == "mean":
            free |= {"witness", "certificate"}
            assert scoreproof.verify(own), claim
        assert all(own[key] == full[key] for key in full if key not in free), claim
    print(f"{alike} of {len(asked)} alike to the last character")
    assert alike >= 0.9 * len(asked)


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
