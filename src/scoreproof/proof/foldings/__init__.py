"""Proofs about experiments whose foldings are not known, and their replay.

    Vacant        a figure that no fold, or no number at all, can have
    Separating    a direction in which no folding reaches what the targets need
    Errors        the mean accuracy allows few numbers of errors per slot; one proof for each
    Halve         a count of a slot (fn, fp or errors) is at most, or above, a value
    Split         a box is cut; one child for each number of its folds in the lower half
    Foldings      the foldings are listed; a direction or a proof about known parts for each
    Fewer         some of the targets are enough

Slots, rows and states are those of ``foldings.model`` and ``foldings.bounds``.  ``replay``
uses nothing but the problem and the certificate, in exact arithmetic and bounded work;
``confirms`` checks a witness: that its foldings are legal, and every figure in fractions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.claim.folds import Sample, legal
from scoreproof.errors import UnreadableVerdict
from scoreproof.proof import averages
from scoreproof.question.question import Problem

__all__ = [
    "Certificate",
    "Errors",
    "Fewer",
    "Foldings",
    "Halve",
    "Separating",
    "Split",
    "Vacant",
    "confirms",
    "from_dict",
    "replay",
]


@dataclass(frozen=True, slots=True)
class Vacant:
    """Nothing is left to choose from."""

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "vacant"}


@dataclass(frozen=True, slots=True)
class Separating:
    """Integer weights of the model's rows."""

    direction: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "separating", "direction": list(self.direction)}


@dataclass(frozen=True, slots=True)
class Errors:
    """The mean accuracy ``target`` leaves these numbers of errors, one entry per slot.

    Without children the accuracy alone proves it: no number of errors gives the figure.
    """

    target: int
    children: tuple[Certificate, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "errors", "target": self.target, "children": [c.to_dict() for c in self.children]}


@dataclass(frozen=True, slots=True)
class Halve:
    """Count row ``row`` is at most ``value``, or above it."""

    row: int
    value: int
    below: Certificate
    above: Certificate

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "halve",
            "at": [self.row, self.value],
            "below": self.below.to_dict(),
            "above": self.above.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Split:
    """Box ``cell`` of slot ``slot`` is cut after ``cut`` along p (0), fn (1) or fp (2).

    Child j has j folds in the lower half and the others in the upper half.
    """

    slot: int
    cell: int
    axis: int
    cut: int
    children: tuple[Certificate, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "split",
            "at": [self.slot, self.cell, self.axis, self.cut],
            "children": [c.to_dict() for c in self.children],
        }


@dataclass(frozen=True, slots=True)
class Foldings:
    """All foldings, listed in a fixed order.

    Those that no direction refutes carry, in this order, a proof about known parts.
    """

    directions: tuple[tuple[int, ...], ...]
    proofs: tuple[averages.Certificate, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "foldings",
            "directions": [list(d) for d in self.directions],
            "proofs": [p.to_dict() for p in self.proofs],
        }


@dataclass(frozen=True, slots=True)
class Fewer:
    """A proof that uses these targets only; the others could only add to it."""

    targets: tuple[int, ...]
    proof: Certificate

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "fewer", "targets": list(self.targets), "proof": self.proof.to_dict()}


Certificate = Vacant | Separating | Errors | Halve | Split | Foldings | Fewer


def from_dict(data: Mapping[str, Any]) -> Certificate:
    """The certificate that ``to_dict`` wrote down."""
    try:
        return _node(data)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UnreadableVerdict(f"certificate: {error!r}") from error


def _node(data: Mapping[str, Any]) -> Certificate:
    match data["kind"]:
        case "vacant":
            return Vacant()
        case "separating":
            return Separating(_integers(data["direction"]))
        case "errors":
            return Errors(_int(data["target"]), tuple(_node(c) for c in data["children"]))
        case "halve":
            row, value = _integers(data["at"])
            return Halve(row, value, _node(data["below"]), _node(data["above"]))
        case "split":
            slot, cell, axis, cut = _integers(data["at"])
            return Split(slot, cell, axis, cut, tuple(_node(c) for c in data["children"]))
        case "foldings":
            return Foldings(
                tuple(_integers(d) for d in data["directions"]),
                tuple(averages.from_dict(p) for p in data["proofs"]),
            )
        case "fewer":
            return Fewer(_integers(data["targets"]), _node(data["proof"]))
    raise ValueError(f"unknown kind {data['kind']!r}")


def _int(x: Any) -> int:
    if type(x) is not int:
        raise ValueError(f"expected an integer, found {x!r}")
    return x


def _integers(data: Any) -> tuple[int, ...]:
    return tuple(_int(x) for x in data)


def confirms(loose: Problem, folds: Sequence[Sequence[Sample]], witness: Sequence[Sequence[int]]) -> bool:
    """Whether these folds are legal and these matrices, (tp, tn) per part, hit every target."""
    if len(folds) != len(loose.foldings) or not all(
        legal(folding, inside) for folding, inside in zip(loose.foldings, folds, strict=True)
    ):
        return False
    return averages.confirms(loose.with_folds(tuple(tuple(f) for f in folds)), witness)


def with_targets(loose: Problem, targets: Sequence[int]) -> Problem:
    """The same experiment, of which fewer figures are known."""
    return replace(loose, targets=tuple(loose.targets[t] for t in targets))


def replay(loose: Problem, certificate: Certificate) -> bool:
    """Whether the certificate proves that no folding and no matrices hit every target."""
    if isinstance(certificate, Fewer):
        if not set(certificate.targets) <= set(range(len(loose.targets))):
            return False
        return not isinstance(certificate.proof, Fewer) and replay(
            with_targets(loose, certificate.targets), certificate.proof
        )
    from scoreproof.proof.foldings.walk import walk

    return walk(loose, certificate)
