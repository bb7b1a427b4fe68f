"""Branch and bound over all foldings at once, with a tree that can be replayed.

First the admissible numbers of errors are told apart, where they are few.  Then a box is
cut, along its positives or one of its error counts, and one branch is followed for every
number of folds in the lower half; or a count of a whole slot is halved, since it is an
integer and the hull does not know that.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from scoreproof.proof.averages.tables import Array
from scoreproof.proof.foldings import Certificate, Errors, Halve, Separating, Split, Vacant
from scoreproof.proof.foldings.bounds import State
from scoreproof.proof.foldings.walk import children, error_totals, halves, with_errors
from scoreproof.solve.foldings.hull import Hull, Meeting

SPLITS = 60


@dataclass(slots=True)
class Record:
    """A node of the tree while it grows."""

    state: State
    hint: Array | None = None
    leaf: Certificate | None = None
    errors: int | None = None
    halved: tuple[int, int] | None = None
    cut: tuple[int, int, int, int] | None = None
    below: list[Record | None] = field(default_factory=list)

    def node(self) -> Certificate:
        """The finished tree below here."""
        if self.leaf is not None:
            return self.leaf
        below = tuple(Vacant() if c is None else c.node() for c in self.below)
        if self.errors is not None:
            return Errors(self.errors, below)
        if self.halved is not None:
            return Halve(*self.halved, *below)
        assert self.cut is not None
        return Split(*self.cut, below)


class Branching:
    """A resumable search; it only ever proves, a witness is the samplers' business."""

    def __init__(self, hull: Hull, start: State, accuracies: list[int]) -> None:
        self.hull, self.bounds = hull, hull.bounds
        self.root = Record(start)
        self.stack = [self.root]
        self.nodes = 0
        self.stuck = False
        for t in accuracies:
            totals = error_totals(self.bounds.model.loose, t)
            if totals is not None and 0 < len(totals) <= SPLITS:
                self.root.errors = t
                states = [with_errors(start, e) for e in totals]
                self.root.below = [None if s is None else Record(s) for s in states]
                self.stack = [r for r in self.root.below if r is not None]
                break

    @property
    def finished(self) -> bool:
        return not self.stack and not self.stuck

    def proof(self) -> Certificate:
        return self.root.node()

    def run(self, nodes: int, deadline: float | None) -> None:
        """Go on for so many nodes."""
        stop = self.nodes + nodes
        while self.stack and self.nodes < stop and not self.stuck:
            if deadline is not None and time.monotonic() > deadline:
                return
            self.nodes += 1
            self._visit(self.stack[-1])

    def _visit(self, record: Record) -> None:
        found = self.hull.separate(record.state, record.hint)
        if isinstance(found, Separating):
            record.leaf = found
            self.stack.pop()
            return
        states = self._halved(record, found) or self._cut(record, found)
        if states is None:
            # single points everywhere, and the rows hold: a solution of the relaxation
            self.stuck = True
            return
        record.below = [None if s is None else Record(s, found.direction) for s in states]
        self.stack.pop()
        self.stack.extend(r for r in record.below if r is not None)

    def _halved(self, record: Record, meeting: Meeting) -> list[State | None] | None:
        """Cut a count of a slot at a value it takes between two integers."""
        best: tuple[float, int, int] | None = None
        place = 0
        for s, row in enumerate(record.state.cells):
            size = self.bounds.model.slots[s].size
            counts = np.array([row_[1] for row_ in row], dtype=float)
            points = np.array(
                [choice[place : place + len(row)] for choice in meeting.points], dtype=float
            ).reshape(len(meeting.points), len(row), 3)
            place += len(row)
            fn = points[:, :, 0] - points[:, :, 1]
            fp = size - points[:, :, 0] - points[:, :, 2]
            for k, values in enumerate((fn, fp)):
                total = float(meeting.weights @ (values @ counts))
                rest = total - np.floor(total)
                lo, hi = record.state.counts[3 * s + k]
                if min(rest, 1 - rest) > 0.02 and lo <= np.floor(total) < hi:
                    score = min(rest, 1 - rest)
                    if best is None or score > best[0]:
                        best = score, 3 * s + k, int(np.floor(total))
        if best is None:
            return None
        both = halves(record.state, best[1], best[2])
        if both is None:
            return None
        record.halved = best[1:]
        return list(both)

    def _cut(self, record: Record, meeting: Meeting) -> list[State | None] | None:
        """Cut the box whose points are spread the most in the meeting."""
        cells = [(s, c, box, m) for s, row in enumerate(record.state.cells) for c, (box, m) in enumerate(row)]
        best: tuple[float, tuple[int, int, int, int]] | None = None
        for i, (s, c, box, count) in enumerate(cells):
            size = self.bounds.model.slots[s].size
            at = np.array([choice[i] for choice in meeting.points], dtype=float)
            spots = np.stack([at[:, 0], at[:, 0] - at[:, 1], size - at[:, 0] - at[:, 2]], axis=1)
            mean = meeting.weights @ spots
            spread = np.sqrt(np.maximum(meeting.weights @ (spots - mean) ** 2, 0))
            for axis in range(3):
                low, high = box[2 * axis], box[2 * axis + 1]
                if low == high:
                    continue
                cut = min(max(int(np.floor(mean[axis])), low), high - 1)
                score = count * (float(spread[axis]) / (high - low) + 1e-3) * (1.5 if axis == 0 else 1.0)
                if best is None or score > best[0]:
                    best = score, (s, c, axis, cut)
        if best is None:
            return None
        record.cut = best[1]
        return children(self.bounds, record.state, best[1])
