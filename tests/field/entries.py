"""The published figures, what their printed matrices say, and what ``check`` says of them.

The scores of a printed matrix are recomputed here in fractions, without the package.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import scoreproof

ROOT = Path(__file__).parents[2]
#: The folder with ``field.json`` in it.
FOLDER = Path(os.environ.get("SCOREPROOF_FIELD", ROOT.parent / "shared" / "data"))
FILE = FOLDER / "field.json"
#: Seconds for one entry; nothing here needs them.
LIMIT = 20.0
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Entry:
    """One set of printed figures: ``kind`` is what a reader of the source found out about it."""

    source: str
    text: str
    claim: dict[str, Any]
    truth: str
    kind: str
    comment: str

    @property
    def name(self) -> str:
        return self.text.split(":")[0]

    @property
    def matrix(self) -> dict[str, int]:
        """The counts printed beside the figures, by name; empty where there are none."""
        found = re.search(r"matrix TP (\d+) FP (\d+) FN (\d+) TN (\d+)", self.text)
        return dict(zip(("tp", "fp", "fn", "tn"), map(int, found.groups()), strict=True)) if found else {}

    @property
    def wrong(self) -> set[str]:
        """The printed figures known to be wrong by more than rounding: one of these has to be found."""
        if "specificities" in self.comment:
            return {"spec"}
        if "accuracy does not follow" in self.comment:
            return {"acc"}
        if "upper limit 83.3" in self.comment:
            return {"sens"}
        if self.matrix:
            return {
                label for label, text in self.claim["scores"].items() if distance(label, text, self.matrix) > 1
            }
        return set()


@cache
def entries() -> tuple[Entry, ...]:
    return tuple(
        Entry(each["source"], each["text"], each["claim"], each["truth"], each["class"], each["comment"])
        for each in json.loads(FILE.read_text())
    )


def score(label: str, matrix: dict[str, int]) -> Fraction | None:
    """A score by its textbook formula; None where it is 0/0 or not known here."""
    tp, fp, fn, tn = (matrix[name] for name in ("tp", "fp", "fn", "tn"))
    over = {
        "acc": (tp + tn, tp + fp + fn + tn),
        "sens": (tp, tp + fn),
        "spec": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
    }.get(label)
    return Fraction(*over) if over and over[1] else None


def distance(label: str, text: str, matrix: dict[str, int]) -> Fraction:
    """How far the printed figure is from the matrix, in units of its last digit."""
    value = score(label, matrix)
    found = NUMBER.search(text)
    if value is None or found is None:
        return Fraction(0)
    printed = Decimal(found.group())
    unit = Fraction(10) ** int(printed.as_tuple().exponent)
    return abs(value * (100 if "%" in text else 1) - Fraction(printed)) / unit


# -- what the package says ---------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """The verdict on an entry: what it takes to fit, and how far off it is if it does not."""

    status: str
    takes: str = ""
    severity: str = ""
    sentence: str = ""

    @property
    def column(self) -> str:
        return f"{self.status}, with a convention" if self.takes else self.status


def asked(entry: Entry, *, strict: bool = False, matrix: bool = False) -> dict[str, Any]:
    """The claim as it is put: with the printed matrix as evidence, or kept to what is stated."""
    claim = dict(entry.claim)
    if matrix and entry.matrix and not claim.get("bundle"):
        # the counts of the claim were made from the figures; the matrix is what is printed
        claim["matrix"] = entry.matrix
    if strict and not claim.get("bundle"):
        claim["conventions"] = {**claim.get("conventions", {}), "strict": True}
    return claim


def said(entry: Entry, *, strict: bool = False, matrix: bool = False) -> Said:
    claim = asked(entry, strict=strict, matrix=matrix)
    if "bundle" in claim:
        return _survey(claim["bundle"], tuple(claim["scores"].items()))
    verdict = scoreproof.check(claim, timeout=LIMIT)
    told = verdict.to_dict()
    takes = ", ".join(f"{what}: {value}" for what, value in pairs(told.get("takes")))
    return Said(verdict.status, takes, str(told.get("severity") or ""), verdict.sentence)


def pairs(takes: Any) -> list[tuple[Any, Any]]:
    """What a fit takes, whether it is written as an object or as a list of objects or pairs."""
    if not takes:
        return []
    if isinstance(takes, dict):
        return list(takes.items())
    return [
        (each.get("what", each.get("convention")), each.get("value"))
        if isinstance(each, dict)
        else (tuple(each) if not isinstance(each, str) else (each, ""))
        for each in takes
    ]


@cache
def _survey(name: str, scores: tuple[tuple[str, str], ...]) -> Said:
    survey = scoreproof.bundle(name, dict(scores))
    return Said(survey.status, sentence=survey.sentence)


@cache
def knows(key: str) -> bool:
    """Whether a key of claims is known yet."""
    claim: dict[str, Any] = {"experiment": {"p": 5, "n": 5}, "scores": {"acc": "0.9"}}
    claim |= {"matrix": {"tp": 5}} if key == "matrix" else {"conventions": {key: True}}
    try:
        scoreproof.load(claim)
    except scoreproof.ScoreproofError:
        return False
    return True
