"""Branch and bound over (sensitivity, specificity, prevalence) on one pattern of cells.

Each box is first pared: slabs on which a score misses its domain are cut off.  What is
left is split.  Floats choose where to cut; every piece thrown away is thrown away by the
exact test the replay uses.  A point that gives all figures ends the search at once.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, sqrt
from typing import Any

import numpy as np

from scoreproof.budget import Budget
from scoreproof.effort import allows
from scoreproof.proof.narrow.narrowing import Box as Domains
from scoreproof.proof.narrow.narrowing import Split, Steps, Tree
from scoreproof.proof.narrow.no_counts import CORNERS, confirms
from scoreproof.proof.narrow.shares import AXES, Box, Pattern, bound, measured, missed, root, whole
from scoreproof.proof.witness import Witness
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import Betas, Matrix

#: Boxes opened at most, and the work of opening one.
NODES = 3_000
OPENING = 1_000_000
#: Boxes opened to learn where matrices can be, once one was found, and when they are small enough.
PAVING, FINE = 400, 1 / 256
#: A slab is cut off if at least this share of the box goes with it.
SLAB = 1 / 16
#: Steps from the middle of a box towards a point that fits.
POLISH = 8
#: Cuts lie on multiples of 2**-GRID, so that fractions stay short.
GRID = 44
#: Floats are trusted to steer this far from a bound.
GUARD = 1e-11

Point = tuple[float, float, float]


@dataclass(slots=True)
class _Branch:
    """A node of the growing tree: a box with what became of it."""

    box: Box
    score: str | None = None  # missed
    axis: int = -1
    at: Fraction = Fraction(0)
    parts: tuple[_Branch, _Branch] | None = None


@dataclass(frozen=True, slots=True)
class Explored:
    """A tree that refutes the pattern, or a matrix, or the boxes that are left."""

    tree: Tree | None = None
    matrix: Matrix | None = None
    left: tuple[Box, ...] = ()


@dataclass(slots=True)
class Explorer:
    """The search on one pattern with the domains that propagation left."""

    countless: WithoutCounts
    pattern: Pattern
    domains: Domains
    budget: Budget
    limit: int = NODES
    targets: list[tuple[str, float, float]] = field(default_factory=list)
    betas: Betas = field(default_factory=Betas)
    printed: list[tuple[str, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        exact = self.countless.betas
        # only to steer, so floats will do
        self.betas = Betas(float(exact.positive), float(exact.negative))  # type: ignore[arg-type]
        names = dict.fromkeys(score.name for _, score, _ in self.countless.figures)
        self.printed = [(name, *self._ends(name)) for name in names]
        informative = [
            name
            for name, domain in self.domains.items()
            if name not in names and domain != whole(name, self.pattern, exact)
        ]
        self.targets = self.printed + [(name, *self._ends(name)) for name in informative]

    def _ends(self, name: str) -> tuple[float, float]:
        yardstick = measured(name, self.domains[name])
        low = float("-inf") if yardstick.lo is None else float(yardstick.lo)
        return low, float("inf") if yardstick.hi is None else float(yardstick.hi)

    def explore(self) -> Explored:
        """Refute the pattern, or find a matrix on it, or give up."""
        top = _Branch(root(self.pattern).box)
        count = 0
        heap: list[tuple[float, int, _Branch]] = [(0.0, 0, top)]
        opened = 0
        stuck: list[Box] = []
        while heap:
            if opened >= self.limit or not allows(self.budget, OPENING):
                return Explored(left=(*(branch.box for _, _, branch in heap), *stuck))
            _, _, branch = heapq.heappop(heap)
            opened += 1
            rest = self._pare(branch)
            if rest is None:
                continue
            found = self._try_middle(rest.box, opened <= 40 or opened % 16 == 0)
            if found is not None:
                others = (branch.box for _, _, branch in heap)
                return Explored(matrix=found, left=(rest.box, *others, *stuck))
            parts = self._split(rest)
            if not parts:
                stuck.append(rest.box)
            for part in parts:
                count += 1
                heapq.heappush(heap, (self._violation(_middle(part.box)), count, part))
        if stuck:
            return Explored(left=tuple(stuck))
        return Explored(tree=tuple(_preorder(top)))

    def paved(self, boxes: Iterable[Box]) -> tuple[Box, ...]:
        """Boxes around everything that is still possible, the wide ones cut further."""
        heap = [(-_width(box), index, _Branch(box)) for index, box in enumerate(boxes)]
        heapq.heapify(heap)
        count = len(heap)
        for _ in range(PAVING):
            if not heap or heap[0][0] > -FINE or not allows(self.budget, OPENING):
                break
            _, _, branch = heapq.heappop(heap)
            rest = self._pare(branch)
            if rest is not None:
                for part in self._split(rest) or (rest,):
                    count += 1
                    heapq.heappush(heap, (-_width(part.box), count, part))
        return tuple(branch.box for _, _, branch in heap)

    def _pare(self, branch: _Branch) -> _Branch | None:
        """Cut slabs off the branch; the branch that is left, or None if all is refuted."""
        for _ in range(12):
            name = self._missed_by(branch.box)
            if name is not None:
                branch.score = name
                return None
            cut = self._best_slab(branch.box)
            if cut is None:
                return branch
            axis, at, below, name = cut
            lo, hi = branch.box[axis]
            low = _Branch(_part(branch.box, axis, lo, at))
            high = _Branch(_part(branch.box, axis, at, hi))
            gone, kept = (low, high) if below else (high, low)
            if not self._misses(name, gone.box):
                return branch
            gone.score = name
            branch.axis, branch.at, branch.parts = axis, at, (low, high)
            branch = kept
        return branch

    def _misses(self, name: str, box: Box) -> bool:
        return missed(name, self.domains[name], box, self.pattern, self.countless.betas)

    def _missed_by(self, box: Box) -> str | None:
        """A score that misses its domain in the whole box; floats say which ones to ask."""
        floats = _floats(box)
        for name, lo, hi in self.targets:
            low, high = self._span(name, floats)
            near = (high is not None and high < lo + GUARD) or (low is not None and low > hi - GUARD)
            if near and self._misses(name, box):
                return name
        return None

    def _span(self, name: str, box: Any) -> tuple[float | None, float | None]:
        """About the least and the largest yardstick of a score in a box of floats (None: no bound known)."""
        low, high = (bound(name, box, self.pattern, self.betas, highest, sqrt) for highest in (False, True))
        return low, high

    def _best_slab(self, box: Box) -> tuple[int, Fraction, bool, str] | None:
        """The slab whose loss shrinks its axis most: (axis, cut, below?, score)."""
        floats = _floats(box)
        best: tuple[float, int, float, bool, str] | None = None
        for axis in range(3):
            lo, hi = floats[axis]
            if hi - lo < 2.0 ** (4 - GRID):
                continue
            for below in (True, False):
                for target in self.targets:
                    share = self._slab(floats, axis, below, target)
                    if share > 0 and (best is None or share > best[0]):
                        at = lo + (hi - lo) * share if below else hi - (hi - lo) * share
                        best = share, axis, at, below, target[0]
        if best is None:
            return None
        _, axis, at, below, name = best
        exact = box[axis]
        # a hair less than the float found, so that the exact test agrees
        scaled = at * 2.0**GRID
        cut = Fraction(int(scaled - 1) if below else int(scaled + 2), 1 << GRID)
        return (axis, cut, below, name) if exact[0] < cut < exact[1] else None

    def _slab(self, box: Any, axis: int, below: bool, target: tuple[str, float, float]) -> float:
        """The share of the axis that one score rules out from one end, 0 if too little."""

        def gone(share: float) -> bool:
            lo, hi = box[axis]
            edge = lo + (hi - lo) * share if below else hi - (hi - lo) * share
            part = list(box)
            part[axis] = (lo, edge) if below else (edge, hi)
            low, high = self._span(target[0], part)
            return (high is not None and high < target[1] - GUARD) or (
                low is not None and low > target[2] + GUARD
            )

        if not gone(SLAB):
            return 0.0
        good, bad = SLAB, 1.0
        for _ in range(10):
            middle = (good + bad) / 2
            if gone(middle):
                good = middle
            else:
                bad = middle
        return good

    def _try_middle(self, box: Box, polish: bool) -> Matrix | None:
        """The matrix in the middle of the box, or near it, if it gives the figures."""
        point = _middle(box)
        if self._violation(point) > 0:
            if not polish:
                return None
            point = self._polished(point)
            if self._violation(point) > 0:
                return None
        matrix = scaled(*(Fraction(round(at * (1 << GRID)), 1 << GRID) for at in point))
        return matrix if confirms(self.countless, Witness((matrix,))) else None

    def _polished(self, point: Point) -> Point:
        """A few Gauss-Newton steps towards the middle of the printed intervals."""
        here = root(self.pattern)
        axes = [axis for axis in range(3) if here.free[axis]]
        for _ in range(POLISH if axes else 0):
            off = self._offsets(point)
            if not any(off):
                break
            columns = []
            for axis in axes:
                nudge = 1e-7 if point[axis] < 0.5 else -1e-7
                moved = list(point)
                moved[axis] += nudge
                beside = self._offsets((moved[0], moved[1], moved[2]))
                columns.append([(b - a) / nudge for a, b in zip(off, beside, strict=True)])
            step = np.linalg.lstsq(np.array(columns).T, -np.array(off), rcond=1e-9)[0]
            size = 1.0
            new = list(point)
            for axis, by in zip(axes, step, strict=True):
                room = (1 - point[axis]) if by > 0 else point[axis]
                if abs(by) > 0.9 * room:
                    size = min(size, 0.9 * room / abs(by))
            for axis, by in zip(axes, step, strict=True):
                new[axis] += size * float(by)
            point = (new[0], new[1], new[2])
            if min(point) < 0 or max(point) > 1:
                break
        return point

    def _offsets(self, point: Point) -> list[float]:
        """How far each printed score is from the inner part of its interval, in its widths."""
        x, y, u = point
        found = []
        for name, lo, hi in self.printed:
            low, _ = self._span(name, ((x, x), (y, y), (u, u)))
            if low is None:
                found.append(0.0)
                continue
            margin = 0.25 * min(hi - lo, 1.0)
            gap = low - min(max(low, lo + margin), hi - margin)
            found.append(gap / (min(hi - lo, 1.0) + 1e-9))
        return found

    def _violation(self, point: Point) -> float:
        """How far the point is from giving the figures, in widths of the intervals."""
        x, y, u = point
        box = ((x, x), (y, y), (u, u))
        total = 0.0
        for name, lo, hi in self.printed:
            low, _ = self._span(name, box)
            if low is not None and not lo <= low <= hi:
                off = lo - low if low < lo else low - hi
                total += off / (hi - lo + 1e-6) if hi - lo < 2 else off
        return total

    def _split(self, branch: _Branch) -> tuple[_Branch, ...]:
        """Halve the axis that blurs the printed scores most."""
        box = branch.box
        floats = _floats(box)
        axes = [axis for axis in range(3) if box[axis][1] - box[axis][0] > Fraction(2, 1 << GRID)]
        if not axes:
            return ()  # too small to cut
        axis = min(axes, key=lambda axis: self._blur(floats, axis))
        lo, hi = box[axis]
        at = (lo + hi) / 2
        branch.axis, branch.at = axis, at
        branch.parts = (_Branch(_part(box, axis, lo, at)), _Branch(_part(box, axis, at, hi)))
        return branch.parts

    def _blur(self, box: Any, axis: int) -> float:
        """How uncertain the printed scores would be in the middle of the axis, in their own widths."""
        part = list(box)
        middle = (box[axis][0] + box[axis][1]) / 2
        part[axis] = (middle, middle)
        total = 0.0
        for name, lo, hi in self.printed:
            low, high = self._span(name, part)
            low, high = -1.0 if low is None else low, 1.0 if high is None else high
            total += (high - low) / (min(hi - lo, 2.0) + 1e-9)
        return total - 1e-9 * float(box[axis][1] - box[axis][0])


def scaled(x: Fraction, y: Fraction, u: Fraction) -> Matrix:
    """The smallest matrix with this sensitivity, specificity and prevalence."""
    shares = u * x, (1 - u) * (1 - y), u * (1 - x), (1 - u) * y
    whole_ = lcm(*(share.denominator for share in shares))
    tp, fp, fn, tn = (int(share * whole_) for share in shares)
    return Matrix(tp, fp, fn, tn)


def _width(box: Box) -> float:
    return float(max(hi - lo for lo, hi in box))


def _part(box: Box, axis: int, lo: Fraction, hi: Fraction) -> Box:
    ranges = list(box)
    ranges[axis] = (lo, hi)
    return Box(*ranges)


def _floats(box: Box) -> Any:
    return tuple((float(lo), float(hi)) for lo, hi in box)


def _middle(box: Box) -> Point:
    x, y, u = ((float(lo) + float(hi)) / 2 for lo, hi in box)
    return x, y, u


def _preorder(top: _Branch) -> Iterator[Steps | Split]:
    stack = [top]
    while stack:
        branch = stack.pop()
        if branch.score is not None:
            yield Steps(((CORNERS, branch.score),))
        else:
            assert branch.parts is not None
            yield Split(AXES[branch.axis], branch.at)
            stack += [branch.parts[1], branch.parts[0]]
