"""The (tp, tn) plane of a claim about one matrix: the band of every figure, where they meet, or their gap.

Everything here is for the eye, in floats.  The verdict never looks at it.

Every score is monotone in tp and in tn, in the same direction (``scores.binary``).  So the places where it has
one value are a falling curve: it comes into a window by its left or its top edge and leaves by its bottom or
its right edge, and every rising line crosses it once.  These crossings are found to the last place of a float.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from math import ceil, floor, inf
from typing import Any, cast

import numpy as np

from scoreproof.decision import CONSISTENT, INCONSISTENT, Outcome
from scoreproof.insight.phrases import assumed, grouped, listed, printed_figures
from scoreproof.question.folds import Sample
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Matrix
from scoreproof.scores.cells import CELLS
from scoreproof.solve.one_matrix.decide import every
from scoreproof.solve.one_matrix.extremes import attainable
from scoreproof.verdict import Verdict

Array = np.ndarray[Any, np.dtype[np.float64]]
Point = tuple[float, float]
Outline = tuple[Point, ...]

#: Beyond this many items of a class a float no longer tells neighbouring counts apart.
LARGEST = 10**12
#: Lines on which a curve is followed, and on which figures are held against each other.
FOLLOWED, COMPARED = 97, 241
#: Rows and columns on which the closest approach is looked for, and how often closer to the best of them.
ROWS, ROUNDS = 41, 5
HALVINGS = 54
#: On the border a score can be undefined, this far inside it is not: a share of the class, or so many items.
HAIR, MOST_HAIR = 1e-9, 1e-3
#: At most this many matrices that fit are drawn as points.
MOST_POINTS = 2500
#: Single matrices are worth drawing up to this many to a side.
FINEST = 41
#: Matrices of which it is told which figures they give.
MOST_MET = 500
#: A close-up shows at least so many items to each side of its middle.
LEAST_REACH = 4.5


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the plane that is shown: tp in left..right, tn in bottom..top."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    def holds(self, tp: float, tn: float) -> bool:
        return self.left <= tp <= self.right and self.bottom <= tn <= self.top

    @property
    def countable(self) -> bool:
        """Whether single matrices can be told apart."""
        return max(self.width, self.height) <= FINEST

    def lattice(self) -> Iterator[tuple[int, int]]:
        """The matrices in it, where they can be told apart."""
        if self.countable:
            tns = range(ceil(self.bottom), floor(self.top) + 1)
            yield from product(range(ceil(self.left), floor(self.right) + 1), tns)

    def places(self, shares: Array) -> Array:
        """From shares of width and height, as columns, to tp and tn."""
        return cast("Array", shares * (self.width, self.height) + (self.left, self.bottom))


@dataclass(frozen=True, slots=True)
class Band:
    """Where one figure holds: a closed outline in (tp, tn), None if that is nowhere in the window, and the
    curves that end it (not the frame of the window)."""

    label: str
    printed: str
    clashes: bool
    outline: Outline | None
    edges: tuple[Outline, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Where figures that clash come closest: the two that miss each other there, and by how many TP or TN."""

    figures: tuple[str, str]
    ends: tuple[Point, Point]
    items: float
    count: str

    @property
    def words(self) -> str:
        size = f"{self.items:.3g}" if self.items < 1000 else grouped(round(self.items))
        return f"about {size} {self.count}"


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: a window, the bands in it, the areas where all of them meet, and the matrices that fit.

    ``met`` tells of every matrix of the window's lattice which figures it gives, exactly, as bits in the order
    of the bands; it is empty where there are too many.
    """

    window: Window
    bands: tuple[Band, ...]
    meeting: tuple[Outline, ...]
    fitting: tuple[tuple[int, int], ...]
    met: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """The whole plane of a claim and, where that shows more, a close-up."""

    status: str
    reading: str
    panels: tuple[Panel, ...]
    gap: Gap | None = None
    crossing: bool = False  # figures that clash do meet, but not in whole numbers

    @property
    def caption(self) -> str:
        """What there is to see, in one sentence."""
        clashing = [band for band in self.panels[0].bands if band.clashes]
        under = f" (if {self.reading})" if self.reading else ""
        if self.status == CONSISTENT:
            dots = any(panel.fitting for panel in self.panels)
            where = (
                "in the matrices marked with a large dot"
                if dots
                else "in the grey area, in more matrices than can be marked"
            )
            return f"The bands of all figures meet {where}{under}."
        if self.status == INCONSISTENT and clashing:
            bands, at_once = ("bands", " at once") if len(clashing) > 1 else ("band", "")
            labels = listed([band.label for band in clashing])
            return f"No matrix lies in the {bands} of {labels}{at_once}{self._because(clashing)}{under}."
        return f"Where the bands of the figures run{under}."

    def _because(self, clashing: Sequence[Band]) -> str:
        if self.gap is not None:
            return f": where {listed(self.gap.figures)} come closest, they are still {self.gap.words} apart"
        if not self.crossing:
            return ""
        return (
            ": they cross only between whole numbers"
            if len(clashing) > 1
            else ": it runs between whole numbers"
        )


def region(verdict: Verdict, outcome: Outcome | None = None) -> Region | None:
    """The plane of the verdict, or None where the claim is not about one matrix of drawable size."""
    outcome = outcome or verdict.decisive
    problem = outcome.problem
    if not isinstance(problem, Problem) or not problem.single or not problem.targets:
        return None
    (sample,) = problem.parts
    if not (0 < sample.p <= LARGEST and 0 < sample.n <= LARGEST):
        return None
    printed = {label: each.figure.text.strip() for label, each in printed_figures(verdict).items()}
    plane = _Plane(problem, sample, verdict.conflict or (), printed)
    fitting = every(problem) if outcome.status == CONSISTENT else ()
    points = [(matrix.tp, matrix.tn) for matrix in islice(fitting, MOST_POINTS + 1)]
    whole = Window(0, sample.p, 0, sample.n)
    corners = points if len(points) <= MOST_POINTS else _corners(problem)
    near = plane.around(corners) if points else plane.clash()
    complete = tuple(points) if len(points) <= MOST_POINTS else ()
    shrunk = near.width < 0.7 * whole.width or near.height < 0.7 * whole.height
    views = [_View(plane, window) for window in ((whole, near) if shrunk else (whole,))]
    panels = tuple(view.panel(complete, outcome.status == CONSISTENT) for view in views)
    gap, crossing = (None, False) if outcome.status != INCONSISTENT else views[-1].gap()
    return Region(outcome.status, assumed(outcome.reading), panels, gap, crossing)


def _corners(problem: Problem) -> list[tuple[int, int]]:
    """Matrices that fit with the fewest and the most true positives, and true negatives."""
    ends = [attainable(problem, CELLS[cell]) for cell in ("tp", "tn")]
    return [(end.matrix.tp, end.matrix.tn) for pair in ends if pair is not None for end in pair]


@dataclass(frozen=True, slots=True)
class _Plane:
    """The figures of one problem over its box."""

    problem: Problem
    sample: Sample
    conflict: Sequence[str]
    printed: dict[str, str]

    def score(self, target: Target, tp: Array, tn: Array) -> Array:
        """The score of the target, made to rise, at points inside the box."""
        p, n, score = self.sample.p, self.sample.n, target.score
        near_p, near_n = (min(size * HAIR, MOST_HAIR) for size in (p, n))
        tp, tn = np.clip(tp, near_p, p - near_p), np.clip(tn, near_n, n - near_n)
        matrix = Matrix.of(tp, tn, p, n)  # type: ignore[arg-type]  # whole columns of matrices
        up, down = (score.ratio or score.terms)(matrix, self.problem.betas)
        ratio = np.asarray(up, float) / np.asarray(down, float)
        if score.threshold:
            return cast("Array", -1 / (1 + np.sqrt(ratio)))
        if score.squared:
            ratio = np.sign(ratio) * np.sqrt(np.abs(ratio))
        return cast("Array", ratio if score.rises else -ratio)

    def ends(self, target: Target) -> tuple[float, float]:
        """The interval of the figure, on the scale of :meth:`score`."""
        low = -inf if target.interval.lo is None else float(target.interval.lo)
        high = inf if target.interval.hi is None else float(target.interval.hi)
        return (low, high) if target.score.rises else (-high, -low)

    @property
    def clashing(self) -> list[Target]:
        return [target for target in self.problem.targets if target.label in self.conflict]

    # -- where to look ---------------------------------------------------------

    def around(self, points: Sequence[tuple[int, int]]) -> Window:
        """A window round the matrices that fit."""
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        return self.window((low + high) / 2, np.maximum(LEAST_REACH, (high - low) * 0.7 + 2))

    def clash(self) -> Window:
        """A window round the place where figures that clash come closest; round a single one, where it meets
        the others, or in its middle."""
        view = _View(self, Window(0, self.sample.p, 0, self.sample.n))
        targets = self.clashing or list(self.problem.targets)
        near = view.closest(targets if len(targets) > 1 else self.problem.targets)
        if near is not None and len(targets) > 1:
            return self.window(np.mean(near.ends, axis=0), max(LEAST_REACH, 1.6 * near.items))
        place = self.size / 2 if near is None else np.mean(near.ends, axis=0)
        if near is None or near.items > 0 or np.any(abs(place / self.size - 0.5) > 0.48):
            curve = view.curves[targets[0]][0].points
            place = view.window.places(np.median(curve, axis=0))
        return self.window(place, LEAST_REACH)

    def window(self, centre: Array, reach: Array | float) -> Window:
        """The window that reaches so far from the centre, pushed back into the box."""
        half = np.minimum(reach, self.size / 2)
        centre = np.clip(centre, half, self.size - half)
        (left, bottom), (right, top) = (centre - half).tolist(), (centre + half).tolist()
        return Window(left, right, bottom, top)

    @property
    def size(self) -> Array:
        return np.array([self.sample.p, self.sample.n], float)


#: The edges of a window from the lower left to the upper right corner, by the left and by the right.
_CORNERS = np.array([[0, 0], [0, 1], [1, 1], [0, 0], [1, 0], [1, 1]], float)


@dataclass(frozen=True, slots=True)
class _Curve:
    """Where a score has one value, in shares of the window: in by the left or the top edge, out by the bottom
    or the right one.  ``first`` and ``last`` are its ends along these edges, from 0 at the lower left corner
    over 1 to 2 at the upper right one."""

    points: Array
    first: float
    last: float


@dataclass
class _View:
    """The figures in one window."""

    plane: _Plane
    window: Window

    def crossings(self, target: Target, level: float, one: Array, other: Array) -> Array:
        """On each line that rises from ``one`` to ``other``, the share of it where the score is the level."""
        low, high = np.zeros(len(one)), np.ones(len(one))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            tp, tn = self.window.places(one + middle[:, None] * (other - one)).T
            below = self.plane.score(target, tp, tn) < level
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return cast("Array", np.where(low == 0, 0.0, high))

    def curve(self, target: Target, level: float) -> _Curve:
        starts, ends = _CORNERS[[0, 1, 3, 4]], _CORNERS[[1, 2, 4, 5]]
        left, top, bottom, right = self.crossings(target, level, starts, ends)
        first, last = (left if left < 1 else 1 + top), (bottom if bottom < 1 else 1 + right)
        enter = np.array([max(first - 1, 0), min(first, 1)])
        leave = np.array([min(last, 1), max(last - 1, 0)])
        points = [enter, leave]
        if not target.score.linear:
            across = np.linspace(enter[0] - enter[1], leave[0] - leave[1], FOLLOWED)[1:-1]
            points[1:1] = _along(across, self.crossings(target, level, *_diagonal(across)))
        return _Curve(np.array(points), float(first), float(last))

    def band(self, target: Target) -> Band:
        """Round the band: along its upper curve, back along its lower one, and along the frame between."""
        least, most = self.plane.ends(target)
        label, clashes = target.label, target in self.plane.clashing
        printed = self.plane.printed.get(label, "")
        window = self.window
        places = np.array([[window.left, window.right], [window.bottom, window.top]])
        lowest, highest = self.plane.score(target, *places)
        if lowest > most or highest < least:
            return Band(label, printed, clashes, None, ())
        low, high = self.curves[target]
        right = [[1.0, 0.0]] if low.last < 1 < high.last else []
        left = [[0.0, 1.0]] if low.first < 1 < high.first else []
        outline = self.closed([*high.points, *right, *low.points[::-1], *left])
        edges = tuple(
            self.closed(curve.points) for curve in (low, high) if np.any(curve.points[0] != curve.points[-1])
        )
        return Band(label, printed, clashes, outline, edges)

    def closed(self, shares: Any) -> Outline:
        return tuple((tp, tn) for tp, tn in self.window.places(np.array(shares, float)).tolist())

    @cached_property
    def curves(self) -> dict[Target, tuple[_Curve, _Curve]]:
        """The lower and the upper curve of every figure."""
        found = {}
        for target in self.plane.problem.targets:
            low, high = self.plane.ends(target)
            found[target] = self.curve(target, low), self.curve(target, high)
        return found

    def panel(self, fitting: tuple[tuple[int, int], ...], area: bool) -> Panel:
        bands = tuple(map(self.band, self.plane.problem.targets))
        inside = tuple(point for point in fitting if self.window.holds(*point))
        return Panel(self.window, bands, self.meeting() if area else (), inside, self.met())

    def met(self) -> tuple[int, ...]:
        """Which figures each matrix of the lattice gives, as bits."""
        problem, (sample,) = self.plane.problem, self.plane.problem.parts
        lattice = list(islice(self.window.lattice(), MOST_MET + 1))
        if len(lattice) > MOST_MET:
            return ()
        found = []
        for tp, tn in lattice:
            matrix = Matrix.of(tp, tn, sample.p, sample.n)
            values = [target.score.value(matrix, problem.betas) for target in problem.targets]
            gives = (v is not None and v in t.interval for v, t in zip(values, problem.targets, strict=True))
            found.append(sum(1 << place for place, is_met in enumerate(gives) if is_met))
        return tuple(found)

    def between(self, targets: Sequence[Target], one: Array, other: Array) -> tuple[Array, Array]:
        """Where each figure begins and ends on the lines, a row a figure."""
        ends = [[self.crossings(t, level, one, other) for level in self.plane.ends(t)] for t in targets]
        return np.array([low for low, _ in ends]), np.array([high for _, high in ends])

    def meeting(self) -> tuple[Outline, ...]:
        """The areas in which all figures hold, with corners where two curves cross."""
        targets = self.plane.problem.targets
        ends = np.array([each.points[[0, -1]] for pair in self.curves.values() for each in pair])
        across = np.unique([*np.linspace(-1, 1, COMPARED), *(ends[..., 0] - ends[..., 1]).flat])
        for _ in range(2):  # where the order of two curves changes lies a corner: closer and closer to it
            rows = np.concatenate(self.between(targets, *_diagonal(across)))
            off = rows[:, None] - rows[None]
            pairs = np.nonzero(off[..., :-1] * off[..., 1:] < 0)
            one, two = off[..., :-1][pairs], off[..., 1:][pairs]
            corners = across[pairs[2]] + one / (one - two) * np.diff(across)[pairs[2]]
            across = np.unique([*across, *corners])
        low, high = self.between(targets, *_diagonal(across))
        start, end = low.max(axis=0), high.min(axis=0)
        touching = end >= start - 1e-6  # corners are found nearly
        within = touching & (start < 1) & (end > 0)
        beside = np.convolve(within, [1, 1, 1], "same") > 0  # a corner on the frame ends where it begins
        there = np.flatnonzero(touching & beside)
        runs = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1) if len(there) else []
        return tuple(
            self.closed([*_along(across[run], end[run]), *_along(across[run], start[run])[::-1]])
            for run in runs
            if len(run) > 1
        )

    def gap(self) -> tuple[Gap | None, bool]:
        """The closest approach of figures that clash, and whether they do meet."""
        found = self.closest(self.plane.clashing)
        return (None, found is not None) if found is None or found.items <= 0 else (found, False)

    def closest(self, targets: Sequence[Target]) -> Gap | None:
        """Where figures come closest along tp or along tn; they meet where nothing is between them."""
        ends = np.array([point for each in targets for curve in self.curves[each] for point in curve.points])
        found = [self._closest(targets, axis, ends[:, 1 - axis]) for axis in (0, 1) if len(ends)]
        sizes = {"TP": self.window.width, "TN": self.window.height}
        return min(filter(None, found), key=lambda gap: gap.items / sizes[gap.count], default=None)

    def _closest(self, targets: Sequence[Target], axis: int, more: Array) -> Gap | None:
        """On lines along one axis: those with an end of a curve and between them, then closer to the best."""
        fixed = np.unique([*np.linspace(0, 1, ROWS), *more])
        fixed = np.unique([*fixed, *(fixed[1:] + fixed[:-1]) / 2])
        best: Gap | None = None
        for _ in range(ROUNDS):
            one, other = np.zeros((len(fixed), 2)), np.ones((len(fixed), 2))
            one[:, 1 - axis] = other[:, 1 - axis] = fixed
            low, high = self.between(targets, one, other)
            there = np.all((low < 1) & (high > 0), axis=0)
            off = np.where(there, low.max(axis=0) - high.min(axis=0), inf)
            at = int(np.argmin(off))
            if off[at] == inf:
                break
            upper, lower = int(np.argmax(low[:, at])), int(np.argmin(high[:, at]))
            line = np.array([one[at], one[at]])
            line[:, axis] = high[lower, at], low[upper, at]
            start, end = self.closed(line)
            items = off[at] * (self.window.width, self.window.height)[axis]
            best = Gap(
                (targets[lower].label, targets[upper].label), (start, end), float(items), ("TP", "TN")[axis]
            )
            if items <= 0:
                break
            fixed = np.linspace(fixed[max(at - 1, 0)], fixed[min(at + 1, len(fixed) - 1)], ROWS)
        return best


def _diagonal(across: Array) -> tuple[Array, Array]:
    """The ends, in shares of the window, of the lines on which the shares differ by these numbers."""
    one = np.column_stack([np.maximum(across, 0), np.maximum(-across, 0)])
    other = np.column_stack([np.minimum(1, 1 + across), np.minimum(1, 1 - across)])
    return one, other


def _along(across: Array, share: Array) -> list[Any]:
    one, other = _diagonal(across)
    return list(one + share[:, None] * (other - one))
