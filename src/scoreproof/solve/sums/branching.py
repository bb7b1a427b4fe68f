"""Branch and bound with a tree that can be replayed.

A cell is cut and one branch is followed for every number of its parts in the lower half, so
equal parts are never told apart; or a count of a whole group of folds is halved, since it is an
integer and the hull does not know that.  Where all that fits must have undefined scores, the points
at which they are come first.  The search can be stopped after any amount of work and taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as default

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.codec import DEEPEST
from scoreproof.proof.sums.bounds import State
from scoreproof.proof.sums.choice import Choice, fitting
from scoreproof.proof.sums.grid import Array
from scoreproof.proof.sums.listing import every_choice, idle, listable, listed
from scoreproof.proof.sums.model import Shape
from scoreproof.proof.sums.nodes import (
    Defined,
    Exhausted,
    Halve,
    Joined,
    Known,
    Node,
    OutOfRange,
    Separating,
    Split,
    Vacant,
)
from scoreproof.question.question import Kind
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.real import step_of
from scoreproof.solve.sums.separate import Meeting, separate

LISTED, LISTED_CLASSES = 400, 1000  # this few choices are listed rather than bounded
EACH = 100_000  # choices of one half, when listing by halves
MATCHES = 1_000_000  # pairs of them looked at
CHECKS = 500  # pairs that pass every row and are checked exactly
SPLITS = 20  # ranges of errors that are told apart before anything else
#: Targets that the rows describe only partly.
PARTLY = frozenset({Kind.POOLED, Kind.OF_MEANS, Kind.SD, Kind.MEDIAN, Kind.Q1, Kind.Q3, Kind.MICRO})

#: Work of a node, of asking for the range of a target, and of a choice that is listed.
NODE, RANGE, CHOICE = 150_000, 150_000, 80_000


@dataclass(slots=True)
class Record:
    """A node of the tree while it grows."""

    state: State
    hint: Array | None = None
    depth: int = 0
    joinable: float = float("inf")  # listing by halves is tried below this many choices
    leaf: Node | None = None
    branch: Split | Halve | None = None  # without its children
    children: list[Record | None] = default(default_factory=list)

    def node(self) -> Node:
        """The finished tree below here."""
        if self.branch is None:
            assert self.leaf is not None
            return self.leaf
        # a child without any admissible point needs no proof
        below = tuple(Vacant() if c is None else c.node() for c in self.children)
        match self.branch:
            case Split(group, cell, axis, cut, _):
                return Split(group, cell, axis, cut, below)
            case Halve(group, count, value, _, _):
                return Halve(group, count, value, *below)


class Halving:
    """Where counts of groups of folds lie between whole numbers, which the hull does not know."""

    def __init__(self, field: Field) -> None:
        self.field, self.walker = field, field.walker
        self.groups = [g for g, group in enumerate(field.model.groups) if group.shape is Shape.FOLD]
        self.left = SPLITS

    def totals(self, state: State, meeting: Meeting) -> Iterator[tuple[int, int, float]]:
        """The fn (0), the fp (1) and the errors (2) of every group in a meeting."""
        place = 0
        for g, row in enumerate(state.cells):
            first, place = place, place + len(row)
            if g in self.groups:
                counts = np.array([count for _, count in row], dtype=float)
                points = np.array([choice[first:place] for choice in meeting.points], dtype=float)
                points = points.reshape(len(meeting.points), len(row), 3)
                fn = points[:, :, 0] - points[:, :, 1]
                fp = self.field.model.groups[g].size - points[:, :, 0] - points[:, :, 2]
                for which, values in enumerate((fn, fp, fn + fp)):
                    yield g, which, float(meeting.weights @ (values @ counts))

    def between(self, state: State, meeting: Meeting) -> tuple[int, int, int] | None:
        """The count that lies farthest between two whole numbers; errors first."""
        best: tuple[bool, float, tuple[int, int, int]] | None = None
        for g, which, total in self.totals(state, meeting):
            below = int(np.floor(total))
            lo, hi = self.walker.errors_range(state, g, which)
            score = min(total - below, below + 1 - total)
            if score > 0.02 and lo <= below < hi and (best is None or (which == 2, score) > best[:2]):
                best = which == 2, score, (g, which, below)
        return None if best is None else best[2]

    def proof(self, state: State) -> Separating | Halve | None:
        """A proof that halves errors only, until every range is separated or is one number."""
        self.left -= 1
        found = separate(self.field, state)
        if isinstance(found, Separating) or self.left < 0:
            return found if isinstance(found, Separating) else None
        for g, which, total in self.totals(state, found):
            lo, hi = self.walker.errors_range(state, g, which)
            if which == 2 and lo < hi:
                value = min(max(int(np.floor(total)), lo), hi - 1)
                halves = self.walker.halves(state, g, 2, value)
                below = halves and self.proof(halves[0])
                above = below and halves and self.proof(halves[1])
                return Halve(g, 2, value, below, above) if below and above else None
        return None


class Branching:
    """A resumable search over one model."""

    def __init__(self, field: Field, *, hull: bool = True, join: bool = True) -> None:
        self.field, self.walker, self.model = field, field.walker, field.model
        self.hull, self.join = hull, join
        problem = field.model.problem
        self.partly = [
            t
            for t, target in enumerate(problem.targets)
            if target.kind in PARTLY or problem.undefined == "skip" or not hull
        ]
        start = self.walker.root()
        self.listable = listable(self.model.problem)
        self.idle = {g for g, group in enumerate(self.model.groups) if idle(self.model, group)}
        self.few = LISTED_CLASSES if problem.matrices else LISTED
        # classes are told apart in units of what the rows allow
        self.unit = _units(field) if problem.matrices else np.ones(len(self.model.rows))
        self.halving = Halving(field)
        self.root = None if start is None else Record(start)
        self.stack = [] if self.root is None else [self.root]
        self.stuck = False
        self.witness: Choice | None = None
        self.plain: Known | None = None  # a proof that nothing fits where every score is defined

    @property
    def finished(self) -> bool:
        return not self.stack and not self.stuck

    def proof(self) -> Node:
        """The tree, once the search has finished without a witness."""
        return Vacant() if self.root is None else self.root.node()

    def start(self, cuts: list[tuple[Split, bool, Separating]]) -> None:
        """Begin with cuts, one side of each of which is closed already (see ``shaving``)."""
        here = self.root
        for cut, lower_gone, leaf in cuts:
            assert here is not None
            below = self.walker.children(here.state, (cut.group, cut.cell, cut.axis, cut.cut))
            assert below is not None and len(below) == 2
            here.branch = cut
            # child 0 has its only part in the upper half
            here.children = [None if s is None else Record(s, None, here.depth + 1) for s in below]
            upper, lower = here.children
            gone, here = (lower, upper) if lower_gone else (upper, lower)
            if gone is not None:
                gone.leaf = leaf
        self.stack = [] if here is None else [here]

    def _undefined(self, state: State) -> tuple[int, int, int, int] | None:
        """Where to cut so that points at which a score is undefined lie in a cell of their own: parts without
        a positive (or a negative) found first, which figures rule out the soonest."""
        for g, cells in enumerate(state.cells):
            for k, (box, _) in enumerate(cells):
                for low, axis in ((True, 0), (True, 1), (False, 1), (False, 0)):
                    first, last = box[2 * axis : 2 * axis + 2]
                    end = first if low else last
                    slab = (*box[: 2 * axis], end, end, *box[2 * axis + 2 :])
                    if first < last and not self.walker.defines(g, slab):
                        return g, k, axis, first if low else last - 1
        return None

    def run(self, budget: Budget) -> Choice | None:
        """Go on until the budget is used up; the witness, if one turns up."""
        self.field.budget = self.walker.budget = budget
        while self.stack and self.witness is None and not self.stuck:
            budget.spend(NODE)
            self._visit(self.stack[-1])
        return self.witness

    def _visit(self, record: Record) -> None:
        state = record.state
        if record.depth >= DEEPEST - 10:
            self.stuck = True  # no proof may be nested deeper
            return
        if self.listable and listed(self.model, self.walker.tables, state) <= self.few:
            for choice in every_choice(self.model, self.walker.tables, state):
                self.field.budget.spend(CHOICE)
                if fitting(self.model.problem, choice):
                    self.witness = choice
                    return
            self._close(record, Exhausted())
            return
        if self.plain is not None and self.walker.defined(state):
            self._close(record, Defined(self.plain))
            return
        meeting: Meeting | None = None
        direction: Array | None = record.hint
        if self.hull and self.model.rows:
            found = separate(self.field, state, record.hint)
            if isinstance(found, Separating):
                self._close(record, found)
                return
            meeting, direction = found, found.direction
        if self.join and self._joined(record):
            return
        for t in self.partly:
            leaf = OutOfRange(t)
            self.field.budget.spend(RANGE)
            if self.walker.holds(state, leaf):
                self._close(record, leaf)
                return
        self._branch(record, meeting, direction)

    def _joined(self, record: Record) -> bool:
        """Whether listing by halves settles the node."""
        join = self.walker.join()
        if join is None:
            return False
        dealt = join.halves(record.state, EACH)
        if dealt is None or dealt[1][0] * dealt[1][1] > record.joinable:
            return False
        join.budget = self.field.budget
        complete, witness = join.search(record.state, EACH, MATCHES, CHECKS)
        # too many pairs passed: no use to try again before many fewer are left
        record.joinable = dealt[1][0] * dealt[1][1] / 10
        if witness is not None:
            self.witness = witness
        elif complete:
            self._close(record, Joined())
        return complete

    def _close(self, record: Record, leaf: Node) -> None:
        record.leaf = leaf
        self.stack.pop()

    def _branch(self, record: Record, meeting: Meeting | None, direction: Array | None) -> None:
        share = 0.5
        halved = self.halving.between(record.state, meeting) if meeting is not None else None
        if halved is not None:
            g, which, value = halved
            record.branch = Halve(g, which, value, Vacant(), Vacant())
        else:
            corner = self._undefined(record.state) if self.plain is not None else None
            at = self._where(record.state, meeting) if corner is None else (corner, 0.0)
            if at is None:
                # single points everywhere, and the rows hold: a solution of the rows alone
                self.stuck = True
                return
            (g, k, axis, cut), share = at
            record.branch = Split(g, k, axis, cut, ())
        below = self.walker.below(record.state, record.branch)
        assert below is not None
        record.children = [
            None if s is None else Record(s, direction, record.depth + 1, record.joinable) for s in below
        ]
        self.stack.pop()
        count = len(below) - 1
        # the likeliest number of parts below the cut comes last, so it is looked at first
        order = sorted(range(count + 1), key=lambda j: -abs(j - share * count))
        self.stack.extend(c for j in order if (c := record.children[j]) is not None)

    def _where(self, state: State, meeting: Meeting | None) -> tuple[tuple[int, int, int, int], float] | None:
        """Which cell to cut, how, and the share of its parts expected in the lower half."""
        cells = [(g, k, box, count) for g, row in enumerate(state.cells) for k, (box, count) in enumerate(row)]
        if meeting is not None:
            found = self._spread_most(cells, meeting)
            if found is not None:
                return found
        widest: tuple[float, int, tuple[int, int, int, int]] | None = None
        for g, k, box, count in cells:
            if g in self.idle:
                continue
            lengths = [box[2 * axis + 1] - box[2 * axis] for axis in range(len(box) // 2)]
            axis = max(range(len(lengths)), key=lambda a: lengths[a])
            if lengths[axis]:
                size = float(np.prod([length + 1.0 for length in lengths]))
                at = (g, k, axis, (box[2 * axis] + box[2 * axis + 1]) // 2)
                if widest is None or (size, count) > widest[:2]:
                    widest = size, count, at
        return None if widest is None else (widest[2], 0.5)

    def _spread_most(
        self, cells: list[tuple[int, int, tuple[int, ...], int]], meeting: Meeting
    ) -> tuple[tuple[int, int, int, int], float] | None:
        """The cell whose points differ the most in the meeting, cut at their mean."""
        pinned = self._pinned(cells)
        best, score = None, 1e-18
        for c, (g, _, box, count) in enumerate(cells):
            if box[::2] == box[1::2]:
                continue  # nothing to cut; what floats see there is rounding
            if pinned is not None and box[0] == box[1]:
                continue
            points = np.array([choice[c] for choice in meeting.points])
            vectors = self._vectors(g, points)
            if pinned is not None:
                vectors = vectors[:, pinned]
            mean = meeting.weights @ vectors
            spread = count * float(meeting.weights @ np.minimum((vectors - mean) ** 2, 1e6).sum(axis=1))
            if spread > score:
                best, score = c, spread
        if best is None:
            return None
        g, k, box, _ = cells[best]
        places = self._axes(g, np.array([choice[best] for choice in meeting.points], dtype=float))
        mean = meeting.weights @ places
        deviation = np.sqrt(np.maximum(meeting.weights @ (places - mean) ** 2, 0))
        lengths = np.array([box[2 * a + 1] - box[2 * a] for a in range(len(box) // 2)])
        relative = np.where(lengths > 0, deviation / (lengths + 1e-9), -1.0)
        if len(lengths) == 3:
            relative[0] *= 1.5  # positives tell more than errors
        axis = 0 if pinned is not None and lengths[0] else int(relative.argmax())
        low, high = box[2 * axis], box[2 * axis + 1]
        cut = min(max(int(np.floor(mean[axis])), low), high - 1)
        return (g, k, axis, cut), float(meeting.weights @ (places[:, axis] <= cut))

    def _pinned(self, cells: list[tuple[int, int, tuple[int, ...], int]]) -> Array | None:
        """Rows that nearly pin down counts of correct items of classes, while some are open.

        They come first: once they are fixed, the calls are nearly so, while the hull of all of them
        shows nothing of whole numbers.
        """
        if not self.model.problem.matrices or not any(box[0] < box[1] for _, _, box, _ in cells):
            return None
        rows = self.correct_rows()
        return rows if len(rows) > 1 else None

    def correct_rows(self) -> Array:
        """Rows of correct items only whose interval is narrow beside what one class can add."""
        found = []
        for r, row in enumerate(self.model.rows):
            if row.interval.lo is None or row.interval.hi is None or len(row.shares) < 2 or row.target < 0:
                continue
            shares = [(g, share[0][1]) for g, share in row.shares.items()]
            if any(any(own[1:]) for _, own in shares):
                continue
            largest = max(abs(own[0]) * self.model.groups[g].options[0].p for g, own in shares)
            if row.interval.hi - row.interval.lo < largest / 50:
                found.append(r)
        return np.array(found, dtype=int)

    def _vectors(self, g: int, points: Array) -> Array:
        """Scaled rows at some points of a group."""
        if self.model.groups[g].shape is Shape.FOLD:
            size = self.model.groups[g].size
            whole = np.stack(
                [points[:, 0], points[:, 0] - points[:, 1], size - points[:, 0] - points[:, 2]], axis=1
            )
            return whole / max(size, 1)
        return self.field.at(g, points[:, 1], points[:, 2]) * self.unit

    def _axes(self, g: int, points: Array) -> Array:
        """Points in the coordinates of the group's boxes."""
        group = self.model.groups[g]
        p, tp, tn = points.T
        if group.shape is Shape.FOLD:
            return np.stack([p, p - tp, group.size - p - tn], axis=1)
        if group.shape is Shape.CLASS:
            return np.stack([tp, tp + group.options[0].n - tn], axis=1)
        return np.stack([tp, tn], axis=1)


def _units(field: Field) -> Array:
    """One over what a row of classes may be off, roughly: its interval, or half a step of its counts."""
    rows = field.model.rows
    steps = np.array([step_of(row) for row in rows]) * field.scale / 2
    width = np.maximum.reduce([field.body.hi - field.body.lo, steps, 1e-7 * field.scale])
    one_sided = np.array([row.interval.lo is None or row.interval.hi is None for row in rows], dtype=bool)
    return np.asarray(1 / np.where(one_sided & (steps == 0), 1e-2, width))
