"""Why no confusion matrix fits: proofs as plain data.

The box of all (tp, tn) is cut into *regions*.  A region is refuted whole or in steps that
cover its range of tp one after the other:

    Hole      a reported score is undefined on the whole region
    Block     every tn up to ``level`` makes one score too small (checked in the corner with
              the largest tp), every tn above it makes another too large (checked in the
              corner with the smallest): two evaluations settle the block, whatever its size
    Strip     two scores whose bounds are straight lines: either the lower line runs above
              the upper one, or the points between them are counted, and there are none
    Sweep     the columns first..last, to be gone through one by one

Scores are named by their position among the targets of the problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from scoreproof.errors import UnreadableVerdict


class Block(NamedTuple):
    first: int
    last: int
    level: int
    floor: int | None  # too small up to ``level``; None: no tn of the region is that small
    ceiling: int | None  # too large above ``level``; None: no tn of the region is that large


class Strip(NamedTuple):
    first: int
    last: int
    floor: int | None  # None: the region's own lower edge
    ceiling: int | None


class Sweep(NamedTuple):
    first: int
    last: int


Step = Block | Strip | Sweep


@dataclass(frozen=True, slots=True)
class Hole:
    """A region on which the target's score is undefined, so no matrix in it counts."""

    tp: tuple[int, int]
    tn: tuple[int, int]
    target: int


@dataclass(frozen=True, slots=True)
class Refuted:
    """A region whose columns are refuted by the steps, in order."""

    tp: tuple[int, int]
    tn: tuple[int, int]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class NoMatrix:
    """No matrix of a problem with one part hits all targets."""

    regions: tuple[Hole | Refuted, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "no-matrix", "regions": [_region(region) for region in self.regions]}

    @staticmethod
    def from_dict(data: Any) -> NoMatrix:
        kind = data.get("kind") if isinstance(data, dict) else None
        if not isinstance(kind, str) or kind != "no-matrix":
            raise UnreadableVerdict("certificate: expected one of kind 'no-matrix'")
        regions = data.get("regions")
        if not isinstance(regions, list):
            raise UnreadableVerdict("certificate.regions: expected a list")
        return NoMatrix(tuple(_read_region(region) for region in regions))


_STEPS: dict[str, tuple[type[Block] | type[Strip] | type[Sweep], tuple[str, ...]]] = {
    "block": (Block, ("first", "last", "level", "floor", "ceiling")),
    "strip": (Strip, ("first", "last", "floor", "ceiling")),
    "sweep": (Sweep, ("first", "last")),
}
_OPTIONAL = {"floor", "ceiling"}


def _region(region: Hole | Refuted) -> dict[str, Any]:
    place = {"tp": list(region.tp), "tn": list(region.tn)}
    if isinstance(region, Hole):
        return {**place, "undefined": region.target}
    steps = []
    for step in region.steps:
        word = type(step).__name__.lower()
        steps.append([word, *(getattr(step, name) for name in _STEPS[word][1])])
    return {**place, "steps": steps}


def _read_region(data: Any) -> Hole | Refuted:
    if not isinstance(data, dict):
        raise UnreadableVerdict("certificate.regions: expected objects")
    tp, tn = _pair(data.get("tp")), _pair(data.get("tn"))
    if "undefined" in data:
        return Hole(tp, tn, _integer(data["undefined"]))
    steps = data.get("steps")
    if not isinstance(steps, list):
        raise UnreadableVerdict("certificate.regions.steps: expected a list")
    return Refuted(tp, tn, tuple(_read_step(step) for step in steps))


def _read_step(data: Any) -> Step:
    if not isinstance(data, list) or not data or not isinstance(data[0], str) or data[0] not in _STEPS:
        raise UnreadableVerdict("certificate.regions.steps: expected block, strip or sweep")
    kind, names = _STEPS[data[0]]
    if len(data) != len(names) + 1:
        raise UnreadableVerdict(f"certificate.regions.steps: a {data[0]} has {len(names)} entries")
    values = [
        None if value is None and name in _OPTIONAL else _integer(value)
        for name, value in zip(names, data[1:], strict=True)
    ]
    return kind(*values)  # type: ignore[arg-type]


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise UnreadableVerdict("certificate: expected whole numbers")
    return value


def _pair(value: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise UnreadableVerdict("certificate: expected a pair of whole numbers")
    return _integer(value[0]), _integer(value[1])
