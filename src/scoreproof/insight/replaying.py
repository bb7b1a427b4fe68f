"""A verdict from somebody else, replayed: whether it is proven, and what it says that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.decision import CONSISTENT, FORMAT, UNDECIDED
from scoreproof.errors import shorten
from scoreproof.reading.load import load
from scoreproof.verifier import REMARKS, TIMEOUT, OtherClaim, verify
from scoreproof.version import __version__

#: Keys of a claim, or of an experiment in it, that hold figures.
FIGURES = {"scores", "within", "bounds", "per_class", "points"}
#: What is assumed where a claim does not say.
ASSUMED = {"rounding": "nearest", "conventions.undefined": "impossible"}
#: Figures or counts that are restated, at most.
MOST = 40
#: ... and characters in a line.
LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of replaying a verdict; ``about`` restates what was confirmed, a line each."""

    confirmed: bool
    sentence: str
    about: tuple[str, ...] = ()
    same_claim: bool = True  # not known to be about another claim than the one that is held

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data."""
        return {
            "format": FORMAT,
            "confirmed": self.confirmed,
            "same_claim": self.same_claim,
            "sentence": self.sentence,
            "about": list(self.about),
        }


def replay(data: Mapping[str, Any], against: object = None, timeout: float | None = TIMEOUT) -> Replay:
    """The verdict, replayed and held against a claim; what cannot be read or followed raises."""
    said = data.get("verdict")
    try:
        confirmed = verify(data, against=None if against is None else load(against), timeout=timeout)
    except OtherClaim as other:
        return Replay(False, f"Refused: the verdict is about another claim; {other}.", same_claim=False)
    if not confirmed:
        return Replay(False, f"Refused: what this file carries does not prove that the claim is {said}.")
    if said == UNDECIDED:
        sentence = "Confirmed: the verdict is undecided and claims nothing."
    else:
        how = "its witness gives every figure" if said == CONSISTENT else "every step of its proof holds"
        sentence = f"Confirmed: {said}; {how}."
    return Replay(True, sentence, tuple(shorten(line, LONGEST) for line in restated(data)))


def restated(data: Mapping[str, Any]) -> Iterator[str]:
    """What a confirmed verdict is about, one line each: title, counts, figures, assumptions, version."""
    claim = data["claim"]
    if claim.get("title"):
        yield f"title: {claim['title']}"
    figures: dict[str, str] = {}
    counts: dict[str, str] = {}
    stated: dict[str, str] = {}
    for path, value in _said(claim, ""):
        keys = [key.partition("[")[0] for key in path.split(".")]
        kind = figures if set(keys) & FIGURES else counts if path.startswith("experiment.") else stated
        kind[path] = value
    yield f"counts: {_listed(counts) or 'none are given'}"
    yield f"figures: {_listed(figures)}"
    known = [f"{path} = {value}" for path, value in stated.items()]
    for key, value in ASSUMED.items():
        if not any(path == key or path.startswith(f"{key}.") for path in stated):
            known.append(f"{key} = {value} (not stated)")
    yield f"assumptions: {', '.join(known)}"
    yield from _readings(data)
    if data.get("count") is not None and data["verdict"] == "consistent":
        yield f"matrices that fit: {'' if data.get('count_exact', True) else 'at least '}{data['count']}"
    made = data.get("version")
    by = f"made by scoreproof {shorten(made)}, " if isinstance(made, str) else ""
    yield f"{by}replayed by scoreproof {__version__}"


def _readings(data: Mapping[str, Any]) -> Iterator[str]:
    """Which reading the witness is of, or how many were refuted; nothing where there is one."""
    witness, rows = data.get("witness"), data.get("readings") or []
    if isinstance(witness, Mapping) and len(rows) > 1:
        assuming = rows[witness.get("reading", 0)]["assuming"]
        yield f"reading: {', '.join(f'{what} = {value}' for what, value in assuming.items())}"
    elif len(rows) > 1:
        yield f"readings: all {len(rows)}"


def _said(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every plain value of a claim with the way to it; remarks are left out."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key not in REMARKS:
                yield from _said(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(each, (Mapping, list)) for each in value):
        for index, each in enumerate(value):
            yield from _said(each, f"{path}[{index}]")
    else:
        yield path, str(value)


def _listed(values: Mapping[str, str]) -> str:
    """The values with short names, as many as can be read."""
    shown = [
        f"{path.removeprefix('experiment.').removeprefix('scores.')} = {value}"
        for path, value in list(values.items())[:MOST]
    ]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f", and {more} more" if more else "")
