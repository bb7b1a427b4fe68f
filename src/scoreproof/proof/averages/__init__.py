"""Proofs about averages: the certificates, and their replay in exact arithmetic.

    Pooled        the pooled figures alone admit no matrix of summed counts
    GroupSums     the linear rows alone have no solution: directions and a counted sweep
    Tree          for every choice of divisor (of an sd), a tree over groups and cells

A tree's nodes:

    Separating    a direction in which the matrices cannot reach what the targets need
    OutOfRange    one target's figure misses its interval by its range alone
    Exhausted     the few choices left are listed and none fits
    Joined        the many choices left are listed by meeting in the middle, and none fits
    Vacant        no admissible point is left in some cell, or a row's interval is empty
    Split         a cell is cut; one child for each number of its parts in the lower half

``replay`` uses nothing but the problem and the certificate and a bounded amount of work;
whatever it cannot follow it refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.errors import UnreadableVerdict, shorten
from scoreproof.proof import one_matrix
from scoreproof.proof.averages.figures import confirms
from scoreproof.proof.averages.pooled import summed
from scoreproof.proof.averages.sums import build_sums, swept
from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.codec import read
from scoreproof.question.question import Problem

__all__ = [
    "Case",
    "Certificate",
    "Exhausted",
    "GroupSums",
    "Joined",
    "OutOfRange",
    "Pooled",
    "Separating",
    "Split",
    "Tree",
    "Vacant",
    "confirms",
    "from_dict",
    "replay",
]


@dataclass(frozen=True, slots=True)
class Separating:
    """Integer weights of the model's rows."""

    direction: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "separating", "direction": list(self.direction)}


@dataclass(frozen=True, slots=True)
class OutOfRange:
    """The target whose figure cannot be right."""

    target: int

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "out_of_range", "target": self.target}


@dataclass(frozen=True, slots=True)
class Exhausted:
    """All choices left can be listed."""

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "exhausted"}


@dataclass(frozen=True, slots=True)
class Joined:
    """All choices left can be listed in two halves."""

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "joined"}


@dataclass(frozen=True, slots=True)
class Vacant:
    """No choice is left at all."""

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "vacant"}


@dataclass(frozen=True, slots=True)
class Split:
    """Cell ``cell`` of group ``group`` is cut after ``cut`` along tp (axis 0) or tn (axis 1).

    Child j has j parts in the lower half and the others in the upper half.
    """

    group: int
    cell: int
    axis: int
    cut: int
    children: tuple[Node, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "split",
            "at": [self.group, self.cell, self.axis, self.cut],
            "children": [child.to_dict() for child in self.children],
        }


Leaf = Separating | OutOfRange | Exhausted | Joined | Vacant
Node = Leaf | Split


@dataclass(frozen=True, slots=True)
class GroupSums:
    """A sweep over group sums, see ``averages.sums``."""

    directions: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    nodes: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "group_sums",
            "directions": [list(d) for d in self.directions],
            "order": list(self.order),
            "nodes": self.nodes,
        }


@dataclass(frozen=True, slots=True)
class Case:
    """A tree for one choice of the divisor of every sd.

    First every ``trims`` direction drops the points that no part can take: with all other
    parts at their best the targets would still be missed in that direction.
    """

    sd: tuple[str, ...]
    trims: tuple[tuple[int, ...], ...]
    tree: Node

    def to_dict(self) -> dict[str, Any]:
        return {
            "sd": list(self.sd),
            "trims": [list(d) for d in self.trims],
            "tree": self.tree.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Tree:
    """Cases that together cover every choice of divisors."""

    cases: tuple[Case, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "tree", "cases": [case.to_dict() for case in self.cases]}


@dataclass(frozen=True, slots=True)
class Pooled:
    """The pooled figures of these parts alone admit no matrix of summed counts."""

    members: tuple[int, ...]
    proof: NoMatrix

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "pooled", "members": list(self.members), "proof": self.proof.to_dict()}


Certificate = GroupSums | Tree | Pooled


def from_dict(data: Mapping[str, Any]) -> Certificate:
    """The certificate that ``to_dict`` wrote down."""
    try:
        if data["kind"] == "group_sums":
            return GroupSums(
                tuple(tuple(_int(x) for x in d) for d in data["directions"]),
                tuple(_int(x) for x in data["order"]),
                _int(data["nodes"]),
            )
        if data["kind"] == "tree":
            return Tree(tuple(_case(c) for c in data["cases"]))
        if data["kind"] == "pooled":
            return Pooled(tuple(_int(i) for i in data["members"]), read(NoMatrix, data["proof"]))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UnreadableVerdict(f"certificate: {shorten(repr(error), 120)}") from None
    raise UnreadableVerdict(f"certificate: unknown kind {shorten(data['kind'])!r}")


def _int(x: Any) -> int:
    if type(x) is not int:
        raise ValueError(f"expected an integer, found {x!r}")
    return x


def _case(data: Mapping[str, Any]) -> Case:
    trims = tuple(tuple(_int(x) for x in d) for d in data["trims"])
    return Case(tuple(str(s) for s in data["sd"]), trims, _node(data["tree"]))


def _node(data: Mapping[str, Any]) -> Node:
    match data["kind"]:
        case "separating":
            return Separating(tuple(_int(x) for x in data["direction"]))
        case "out_of_range":
            return OutOfRange(_int(data["target"]))
        case "exhausted":
            return Exhausted()
        case "joined":
            return Joined()
        case "vacant":
            return Vacant()
        case "split":
            group, cell, axis, cut = (_int(x) for x in data["at"])
            return Split(group, cell, axis, cut, tuple(_node(c) for c in data["children"]))
    raise ValueError(f"unknown node {data['kind']!r}")


def replay(problem: Problem, certificate: Certificate) -> bool:
    """Whether the certificate proves that no matrices hit every target."""
    if isinstance(certificate, GroupSums):
        return swept(build_sums(problem), certificate.directions, certificate.order, certificate.nodes)
    if isinstance(certificate, Pooled):
        question = summed(problem, certificate.members)
        return question is not None and one_matrix.replay(question, certificate.proof)
    # Trees need numpy; linear claims, the most common, do not.
    from scoreproof.proof.averages.tree import replay_tree

    return replay_tree(problem, certificate)
