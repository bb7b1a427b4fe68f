"""Branch and bound by count-splitting, with a tree that can be replayed.

A cell is cut and one branch is followed for every number of its parts in the lower half, so
equal parts are never told apart.  The search can be stopped after any number of nodes and
taken up again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from dataclasses import field as default

import numpy as np

from scoreproof.proof.averages import Exhausted, Joined, Node, OutOfRange, Separating, Split, Vacant
from scoreproof.proof.averages.bounds import State
from scoreproof.proof.averages.figures import confirms
from scoreproof.proof.averages.tables import Array
from scoreproof.question.question import Kind
from scoreproof.solve.averages.field import Field
from scoreproof.solve.averages.separate import Meeting, separate

LISTED = 400  # this few choices are listed rather than bounded
EACH = 100_000  # choices of one half, when listing by halves
MATCHES = 1_000_000  # pairs of them looked at
CHECKS = 500  # pairs that pass every row and are checked exactly
WANTED = frozenset({Kind.POOLED, Kind.OF_MEANS, Kind.SD})

Points = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Record:
    """A node of the tree while it grows."""

    state: State
    hint: Array | None
    joinable: float = float("inf")  # listing by halves is tried below this many choices
    leaf: Node | None = None
    at: tuple[int, int, int, int] | None = None
    children: list[Record | None] = default(default_factory=list)

    def node(self) -> Node:
        """The finished tree below here."""
        if self.at is None:
            assert self.leaf is not None
            return self.leaf
        # a child without any admissible point needs no proof
        below = tuple(Vacant() if c is None else c.node() for c in self.children)
        return Split(*self.at, below)


class Branching:
    """A search over one model."""

    def __init__(self, field: Field, hull: bool = True, join: bool = True) -> None:
        self.field, self.replayer, self.hull, self.join = field, field.replayer, hull, join
        problem = field.model.problem
        # targets that the rows describe only partly
        self.loose = [
            t
            for t, target in enumerate(problem.targets)
            if target.kind in WANTED or problem.undefined == "skip" or not hull
        ]
        start = self.replayer.root()
        self.root = None if start is None else Record(start, None)
        self.stack = [] if self.root is None else [self.root]
        self.nodes = 0
        self.witness: Points | None = None

    @property
    def finished(self) -> bool:
        return not self.stack

    def proof(self) -> Node:
        """The tree, once the search has finished without a witness."""
        return Vacant() if self.root is None else self.root.node()

    def run(self, work: int, deadline: float | None) -> Points | None:
        """Go on for so much work; the witness, if one turns up."""
        stop = self.field.work + work
        while self.stack and self.field.work < stop and self.witness is None:
            if deadline is not None and time.monotonic() > deadline:
                break
            self.nodes += 1
            self._visit(self.stack[-1], deadline)
        return self.witness

    def _visit(self, record: Record, deadline: float | None) -> None:
        state = record.state
        if self.replayer.listed(state) <= LISTED:
            for choice in self.replayer.every(state):
                self.field.work += 100_000
                if confirms(self.field.model.problem, choice):
                    self.witness = tuple(choice)
                    return
            self._close(record, Exhausted())
            return
        meeting: Meeting | None = None
        direction: Array | None = record.hint
        if self.hull and len(self.field.model.rows):
            found = separate(self.field, state, record.hint, deadline)
            if isinstance(found, Separating):
                self._close(record, found)
                return
            meeting, direction = found, found.direction
        if self.join and self._joined(record):
            return
        for t in self.loose:
            leaf = OutOfRange(t)
            self.field.work += 200_000
            if self.replayer.holds(state, leaf):
                self._close(record, leaf)
                return
        self._split(record, meeting, direction)

    def _joined(self, record: Record) -> bool:
        """Whether listing by halves settles the node."""
        join = self.replayer.join()
        if join is None:
            return False
        dealt = join.halves(record.state, EACH)
        if dealt is None or dealt[1][0] * dealt[1][1] > record.joinable:
            return False
        before = join.cost
        complete, witness = join.search(record.state, EACH, MATCHES, CHECKS)
        # too many pairs passed: no use to try again before many fewer are left
        record.joinable = dealt[1][0] * dealt[1][1] / 10
        self.field.work += 50_000 + join.cost - before
        if witness is not None:
            self.witness = tuple(witness)
        elif complete:
            self._close(record, Joined())
        return complete

    def _close(self, record: Record, leaf: Node) -> None:
        record.leaf = leaf
        self.stack.pop()

    def _split(self, record: Record, meeting: Meeting | None, direction: Array | None) -> None:
        at, share = self._where(record.state, meeting)
        below = self.replayer.children(record.state, at)
        assert below is not None
        record.at = at
        record.children = [None if s is None else Record(s, direction, record.joinable) for s in below]
        self.stack.pop()
        count = len(below) - 1
        # the likeliest number of parts below the cut comes last, so it is looked at first
        order = sorted(range(count + 1), key=lambda j: -abs(j - share * count))
        self.stack.extend(c for j in order if (c := record.children[j]) is not None)

    def _where(self, state: State, meeting: Meeting | None) -> tuple[tuple[int, int, int, int], float]:
        """Which cell to cut, how, and the share of its parts expected in the lower half."""
        cells = [(g, k, rect, count) for g, row in enumerate(state) for k, (rect, count) in enumerate(row)]
        if meeting is not None:
            best, score = None, 1e-18
            for c, (g, _, (a, b, c_, d), count) in enumerate(cells):
                if a == b and c_ == d:
                    continue  # nothing to cut; what floats see there is rounding
                points = np.array([choice[c] for choice in meeting.points])
                vectors = self.field.at(g, points[:, 0], points[:, 1])
                mean = meeting.weights @ vectors
                spread = count * float(meeting.weights @ ((vectors - mean) ** 2).sum(axis=1))
                if spread > score:
                    best, score = c, spread
            if best is not None:
                g, k, rect, _ = cells[best]
                points = np.array([choice[best] for choice in meeting.points], dtype=float)
                mean = meeting.weights @ points
                deviation = np.sqrt(meeting.weights @ (points - mean) ** 2)
                a, b, c_, d = rect
                relative = deviation / (np.array([b - a, d - c_]) + 1e-9)
                axis = 0 if b > a and (relative[0] >= relative[1] or d == c_) else 1
                low, high = (a, b) if axis == 0 else (c_, d)
                cut = min(max(int(np.floor(mean[axis])), low), high - 1)
                share = float(meeting.weights @ (points[:, axis] <= cut))
                return (g, k, axis, cut), share
        g, k, (a, b, c_, d), _ = max(
            cells, key=lambda cell: ((cell[2][1] - cell[2][0] + 1) * (cell[2][3] - cell[2][2] + 1), cell[3])
        )
        axis = 0 if b - a >= d - c_ else 1
        low, high = (a, b) if axis == 0 else (c_, d)
        return (g, k, axis, (low + high) // 2), 0.5
