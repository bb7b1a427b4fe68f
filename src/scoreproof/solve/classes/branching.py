"""Branch and bound over the ranges of tp and m, with a tree that can be replayed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.classes import Cut, Exhausted, Node, Separating, Vacant
from scoreproof.proof.classes.matrices import Grid
from scoreproof.proof.classes.model import Box
from scoreproof.proof.classes.tree import Replayer, listed
from scoreproof.solve.classes.field import Array, Field, columns_in
from scoreproof.solve.classes.hull import Mixture, separate
from scoreproof.solve.classes.shaving import Cutting

LISTED = 1000  # so few choices are listed rather than bounded
#: Work of one node, and what every column of predictions adds to it.
NODE = 3_000_000
COLUMN = 5_000


@dataclass(slots=True)
class Record:
    """A node of the tree while it grows."""

    box: Box
    hint: Array | None
    leaf: Node | None = None
    at: tuple[int, int, int] | None = None
    below: Record | None = None
    above: Record | None = None

    def node(self) -> Node:
        if self.at is None:
            assert self.leaf is not None
            return self.leaf
        # a side without any choice needs no proof
        sides = [Vacant() if side is None else side.node() for side in (self.below, self.above)]
        return Cut(*self.at, *sides)


class Branching:
    """A resumable search for a proof; it may come upon a witness."""

    def __init__(self, replayer: Replayer, field: Field, cuts: list[Cutting]) -> None:
        self.replayer, self.field = replayer, field
        assert replayer.model.root is not None
        self.root = here = Record(replayer.model.root, None)
        for at, below, leaf in cuts:
            sides = replayer.children(here.box, *at)
            assert sides is not None
            here.at = at
            here.below, here.above = (None if side is None else Record(side, None) for side in sides)
            gone, left = (here.below, here.above) if below else (here.above, here.below)
            if gone is not None:
                gone.leaf = leaf
            assert left is not None
            here = left
        self.stack = [here]
        self.nodes = 0
        self.price = NODE + COLUMN * columns_in(field, here.box)
        self.witness: tuple[Grid, ...] | None = None

    @property
    def finished(self) -> bool:
        return not self.stack

    def run(self, nodes: int, budget: Budget) -> tuple[Grid, ...] | None:
        """Go on for so many nodes; the witness, if one turns up."""
        stop = self.nodes + nodes
        while self.stack and self.nodes < stop and self.witness is None:
            if not budget.allows(self.price):
                break
            self.nodes += 1
            self._visit(self.stack[-1], budget)
        return self.witness

    def _visit(self, record: Record, budget: Budget) -> None:
        model = self.replayer.model
        box = record.box
        rows = model.rows_at(box)
        if rows is None:
            self._close(record, Vacant())
            return
        if listed(model.of_set, box) <= LISTED:
            self.witness = self.replayer.first_fit(box)
            if self.witness is None:
                self._close(record, Exhausted())
            return
        holes = model.open_holes(box)
        field = self.field.with_rows(rows)
        hint = record.hint if record.hint is not None and len(record.hint) == len(rows) else None
        found = separate(field, box, rows, hint, budget)
        if isinstance(found, Separating):
            self._close(record, found)
            return
        if not found.complete:
            return  # out of time
        record.hint = found.direction
        if holes:
            i, m = holes[0]
            self._cut(record, (i, 1, m), 0.0)
        else:
            self._cut(record, *self._where(box, found, field))

    def _close(self, record: Record, leaf: Node) -> None:
        record.leaf = leaf
        self.stack.pop()

    def _cut(self, record: Record, at: tuple[int, int, int], share: float) -> None:
        sides = self.replayer.children(record.box, *at)
        assert sides is not None
        record.at = at
        record.below, record.above = (None if s is None else Record(s, record.hint) for s in sides)
        self.stack.pop()
        order = [record.below, record.above]
        if share > 0.5:
            order.reverse()  # the likelier side comes last, so it is looked at first
        self.stack += [side for side in order if side is not None]

    def _where(self, box: Box, mixture: Mixture, field: Field) -> tuple[tuple[int, int, int], float]:
        """The cut through the cell whose choices are mixed the most."""
        best, score = None, 1e-9
        # Counts of correct items that several figures pin down come first: once they are fixed, the
        # predictions are nearly so, while the hull of all of them shows nothing of whole numbers.
        pinned = len(field.correct) > 1 and any(a < b for a, b, _, _ in box)
        for i, (points, shares) in enumerate(zip(mixture.points, mixture.shares, strict=True)):
            if len(points) < 2 or (pinned and box[i][0] == box[i][1]):
                continue
            weights = np.array(shares)
            at = np.array(points, dtype=float)
            vectors = field.at(i, at[:, 0], at[:, 1]) / field.width
            if pinned:
                vectors = vectors[:, field.correct]
            mean = weights @ vectors
            spread = float(weights @ np.minimum((vectors - mean) ** 2, 1e6).sum(axis=1))
            if spread > score:
                best, score = i, spread
        if pinned and best is None:
            best = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
        if best is not None:
            a, b, c, d = box[best]
            weights = np.array(mixture.shares[best])
            at = np.array(mixture.points[best], dtype=float)
            mean = weights @ at
            deviation = np.sqrt(weights @ (at - mean) ** 2) / np.array([b - a + 1, d - c + 1])
            axis = 0 if pinned or (b > a and (deviation[0] >= deviation[1] or d == c)) else 1
            low, high = (a, b) if axis == 0 else (c, d)
            if low < high:
                cut = min(max(int(np.floor(mean[axis])), low), high - 1)
                return (best, axis, cut), float(weights @ (at[:, axis] <= cut))
        widest = max(range(len(box)), key=lambda i: max(box[i][1] - box[i][0], box[i][3] - box[i][2]))
        a, b, c, d = box[widest]
        axis = 0 if b - a >= d - c else 1
        low, high = (a, b) if axis == 0 else (c, d)
        return (widest, axis, (low + high) // 2), 0.5
