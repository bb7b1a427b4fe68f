"""A claim: what a paper says about its experiment, the figures it prints, and the conventions.

What the paper leaves open makes several *readings* of one claim.  A claim is inconsistent
only if every reading is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

from scoreproof.claim.averages import ask_averages
from scoreproof.claim.confidence import of_one_matrix
from scoreproof.claim.conventions import SKIPPED, Conventions, Reading
from scoreproof.claim.tree import Averaged, Leaf, Node, OneOf, Pooled, averages_f_measure, swapped
from scoreproof.errors import BadClaim
from scoreproof.printed import RULES, Rounding
from scoreproof.question.folds import Sample

MOST_READINGS = 20_000
#: ... and parts of them all together.
MOST_PARTS = 4_000_000


NEAREST = Rounding()
DEFAULT = Conventions()


@dataclass(frozen=True, slots=True)
class Claim:
    """An experiment, the figures printed about it, and how they are to be read.

    ``source`` is the claim as a plain mapping (the claim file's shape), from which it can
    be loaded again; in ``counted`` the datasets it names are replaced by their counts.  Build
    one with :func:`scoreproof.load`.
    """

    experiment: Node
    source: Mapping[str, Any] = field(repr=False, compare=False)
    counted: Mapping[str, Any] = field(repr=False, compare=False)
    title: str = ""
    rounding: Rounding | None = NEAREST  # None: every rule is a reading
    rounding_assumed: bool = True
    conventions: Conventions = DEFAULT
    notes: tuple[str, ...] = field(default=(), compare=False)  # how what was given came to be these figures
    otherwise: tuple[tuple[str, Node], ...] = ()  # other counts that may be meant, in words

    def usual(self) -> tuple[Reading, ...]:
        """Every way to read the claim that its own words leave open, in a fixed order."""
        return tuple(_readings(self))

    def readings(self) -> tuple[Reading, ...]:
        """The usual readings, then those that take a common convention the claim does not state."""
        usual = self.usual()
        return usual if self.conventions.strict else (*usual, *self.further(usual)[0])

    def further(self, usual: Sequence[Reading]) -> tuple[list[Reading], bool]:
        """The readings that take other counts or a common convention, and whether these are all."""
        from scoreproof.claim.further import further, taking

        others = [
            taking(reading, ("counts meant", words, lambda same: same))
            for words, node in self.otherwise
            for reading in replace(self, experiment=node).usual()
        ]
        found, complete = further(usual)
        return [*others, *found], complete


def _readings(claim: Claim) -> Iterator[Reading]:
    stated = claim.conventions
    roundings = [claim.rounding] if claim.rounding else [Rounding(rule) for rule in RULES]
    undefined = ["impossible", "zero", "skip"] if stated.undefined == "open" else [stated.undefined]
    classes = ["given", "exchanged"] if stated.positive == "open" else ["given"]
    settled = _settled(claim.experiment)
    if len(settled) * len(roundings) * len(undefined) * len(classes) > MOST_READINGS:
        raise BadClaim("experiment", TOO_MANY)
    for (words, tree), rounding, hole, positive in product(settled, roundings, undefined, classes):
        if hole == "skip" and stated.undefined == "open" and isinstance(tree, (Sample, Leaf)):
            continue  # one matrix: there is nothing to leave it out of
        choices = (
            ("rounding", rounding.rule, claim.rounding is None),
            ("undefined", hole, stated.undefined == "open"),
            ("positive class", positive, stated.positive == "open"),
        )
        assuming = words + tuple((what, chosen) for what, chosen, was_open in choices if was_open)
        closed = stated.undefined == hole and stated.positive == "given"
        chosen = stated if closed else replace(stated, undefined=hole, positive="given")
        tree = swapped(tree) if positive == "exchanged" else tree
        yield from _computed(Reading(tree, rounding, chosen, assuming))


def _computed(reading: Reading) -> Iterator[Reading]:
    """The reading in every way its mean F-measures, or scores of a table with a zero cell, may be computed."""
    if reading.conventions.averages != "positive":
        ask_averages(reading.experiment)
    conventions, node = reading.conventions, reading.experiment
    if conventions.undefined == "skip" and averages_f_measure(node):
        ways = [(replace(conventions, joint=joint), "folds left out", word) for joint, word in SKIPPED]
    elif conventions.zero_cells != "plain" and of_one_matrix(node):
        ways = [
            (replace(conventions, zero_cells=how, a_zero=a_zero), "zero cells", word)
            for word, how, a_zero in ZERO_CELLS[conventions.zero_cells]
        ]
    elif conventions.zero_cells in ("half", "half-all"):
        problem = "0.5 added to cells is decided for one table with known counts"
        raise BadClaim("conventions.zero_cells", problem)
    else:
        yield reading
        return
    for chosen, what, word in ways:
        yield replace(reading, conventions=chosen, assuming=(*reading.assuming, (what, word)))


#: By what is stated of tables with a zero cell: what it may have been, the convention, whether there is one.
ZERO_CELLS = {
    "half": (("none", "half", False), ("0.5 added", "half", True)),
    "half-all": (("none", "half-all", False), ("0.5 added", "half-all", True)),
    "open": (("plain", "plain", False), ("half", "half", True), ("half-all", "half-all", True)),
}


Words = tuple[tuple[str, str], ...]
Settled = tuple[Words, Node]
TOO_MANY = f"more than {MOST_READINGS} readings; say more about the set-up"


def _alike(part: Node, count: int) -> list[tuple[Words, tuple[Node, ...]]]:
    """The ways to read ``count`` equal parts: with the same protocol, each with its own counts."""
    options = _settled(part)
    if count == 1 or len(options) == 1:
        return [(words, (tree,) * count) for words, tree in options]
    protocols: dict[Words, list[Settled]] = {}
    for words, tree in options:
        protocol = tuple(word for word in words if word[0] == "aggregate")
        protocols.setdefault(protocol, []).append((words, tree))
    ways = sum(comb(len(group) + count - 1, count) for group in protocols.values())
    if ways > MOST_READINGS or ways * count > MOST_PARTS:
        raise BadClaim("experiment", TOO_MANY)
    found: list[tuple[Words, tuple[Node, ...]]] = []
    for protocol, group in protocols.items():
        for chosen in combinations_with_replacement(group, count):
            own = tuple(word for words, _ in chosen for word in words if word[0] != "aggregate")
            found.append((protocol + own, tuple(tree for _, tree in chosen)))
    return found


def _settled(node: Node) -> list[Settled]:
    """The tree with every choice made, in all ways, each with the words of its choices."""
    match node:
        case OneOf():
            return [
                (((choice.what, choice.value), *more), tree)
                for choice in node.choices
                for more, tree in _settled(choice.node)
            ]
        case Pooled() | Averaged():
            if all(not isinstance(part, (OneOf, Pooled, Averaged)) for part in node.parts):
                return [((), node)]
            # Equal parts share their protocol (how they were aggregated), but not their counts;
            # which of them has which counts makes no difference.
            places: dict[Node, list[int]] = {}
            for index, part in enumerate(node.parts):
                places.setdefault(part, []).append(index)
            variants = [_alike(part, len(where)) for part, where in places.items()]
            total = prod(map(len, variants))
            if total > MOST_READINGS or total * len(node.parts) > MOST_PARTS:
                raise BadClaim("experiment", TOO_MANY)
            settled: list[Settled] = []
            for combination in product(*variants):
                parts: list[Node] = list(node.parts)
                for where, (_, chosen) in zip(places.values(), combination, strict=True):
                    for index, tree in zip(where, chosen, strict=True):
                        parts[index] = tree
                words = tuple(word for each, _ in combination for word in each)
                settled.append((words, replace(node, parts=tuple(parts))))
            return settled
        case _:
            return [((), node)]


__all__ = ["Claim", "Conventions", "Reading"]
