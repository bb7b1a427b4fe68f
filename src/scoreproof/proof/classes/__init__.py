"""Proofs about several classes: the certificates, the witness, and their replay.

    Empty         the figures about one sum leave no value that whole numbers can give
    Tree          cuts of the ranges of tp and m, every end of which is ruled out by

        Separating    weights of rows whose sum cannot get as large as it must
        Exhausted     the few choices left are listed, and none fits
        Vacant        nothing is left, or a figure is undefined whatever is chosen
        Cut           a range is cut in two

``replay`` uses nothing but the problem and the certificate, in whole numbers and fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.budget import ENDLESS, Budget
from scoreproof.errors import UnreadableVerdict
from scoreproof.proof.classes.figures import fits
from scoreproof.proof.classes.matrices import Grid
from scoreproof.question.classes import ClassProblem


@dataclass(frozen=True, slots=True)
class ClassWitness:
    """Confusion matrices that give the figures, one per evaluation set; rows are the true classes."""

    names: tuple[str, ...]
    matrices: tuple[Grid, ...]
    reading: int = 0

    @property
    def matrix(self) -> Grid:
        """The summed matrix; the only one where there is a single evaluation set."""
        return tuple(
            tuple(sum(cells) for cells in zip(*rows, strict=True)) for rows in zip(*self.matrices, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "reading": self.reading,
            "classes": list(self.names),
            "matrix": [list(row) for row in self.matrix],
        }
        if len(self.matrices) > 1:
            found["parts"] = [[list(row) for row in each] for each in self.matrices]
        return found


@dataclass(frozen=True, slots=True)
class Separating:
    """Integer weights of rows, by the number of the row."""

    weights: tuple[tuple[int, int], ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "separating", "weights": [list(pair) for pair in self.weights]}


@dataclass(frozen=True, slots=True)
class Exhausted:
    def to_dict(self) -> dict[str, Any]:
        return {"kind": "exhausted"}


@dataclass(frozen=True, slots=True)
class Vacant:
    def to_dict(self) -> dict[str, Any]:
        return {"kind": "vacant"}


@dataclass(frozen=True, slots=True)
class Empty:
    """The number of the row without a possible value."""

    row: int

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "empty", "row": self.row}


@dataclass(frozen=True, slots=True)
class Cut:
    """Cell ``cell`` has tp (axis 0) or m (axis 1) at most ``at``, or more."""

    cell: int
    axis: int
    at: int
    below: Node
    above: Node

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "cut",
            "at": [self.cell, self.axis, self.at],
            "below": self.below.to_dict(),
            "above": self.above.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Tree:
    root: Node

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "class-tree", "root": self.root.to_dict()}


Leaf = Separating | Exhausted | Vacant
Node = Leaf | Cut
Certificate = Empty | Tree


def from_dict(data: Mapping[str, Any]) -> Certificate:
    """The certificate its ``to_dict`` wrote."""
    match data.get("kind"):
        case "empty":
            return Empty(_whole(data.get("row")))
        case "class-tree":
            return Tree(_node(data.get("root")))
    raise UnreadableVerdict("certificate.kind: expected empty or class-tree for several classes")


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise UnreadableVerdict("certificate: expected whole numbers")
    return value


def _node(data: object) -> Node:
    if not isinstance(data, Mapping):
        raise UnreadableVerdict("certificate: expected an object for every node")
    match data.get("kind"):
        case "separating":
            pairs = data.get("weights")
            if not isinstance(pairs, list) or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
                raise UnreadableVerdict("certificate.weights: expected pairs of row and weight")
            return Separating(tuple((_whole(r), _whole(w)) for r, w in pairs))
        case "exhausted":
            return Exhausted()
        case "vacant":
            return Vacant()
        case "cut":
            at = data.get("at")
            if not isinstance(at, list) or len(at) != 3:
                raise UnreadableVerdict("certificate.at: expected cell, axis and place of a cut")
            cell, axis, place = map(_whole, at)
            return Cut(cell, axis, place, _node(data.get("below")), _node(data.get("above")))
    raise UnreadableVerdict("certificate: expected separating, exhausted, vacant or cut")


def replay(problem: ClassProblem, certificate: object, budget: Budget | None = None) -> bool:
    """Whether the certificate proves that no matrices give the figures."""
    from scoreproof.proof.classes.tree import Replayer

    match certificate:
        case Empty(row):
            return Replayer(problem).empty(row)
        case Tree(root):
            return Replayer(problem).refutes(root, budget or Budget(ENDLESS))
    return False


def read_witness(data: Mapping[str, Any]) -> ClassWitness:
    """The witness its ``to_dict`` wrote."""
    matrices = data.get("parts", [data.get("matrix")])
    if not isinstance(matrices, list) or not matrices:
        raise UnreadableVerdict("witness.parts: expected a list of matrices")
    grids = []
    for each in matrices:
        if not isinstance(each, list) or not all(isinstance(row, list) for row in each):
            raise UnreadableVerdict("witness.matrix: expected rows of whole numbers")
        grids.append(tuple(tuple(_whole(cell) for cell in row) for row in each))
    names = data.get("classes")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UnreadableVerdict("witness.classes: expected the names of the classes")
    witness = ClassWitness(tuple(names), tuple(grids))
    if "parts" in data and data.get("matrix") != [list(row) for row in witness.matrix]:
        raise UnreadableVerdict("witness.matrix: is not the sum of its parts")
    return witness


def confirms(problem: ClassProblem, witness: ClassWitness) -> bool:
    """Whether the matrices have the counts of the claim and give every figure."""
    return witness.names == problem.names and fits(problem, witness.matrices)


__all__ = [
    "Certificate",
    "ClassWitness",
    "Cut",
    "Empty",
    "Exhausted",
    "Leaf",
    "Node",
    "Separating",
    "Tree",
    "Vacant",
    "confirms",
    "from_dict",
    "read_witness",
    "replay",
]
