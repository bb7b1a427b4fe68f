"""The (tp, tn) plane of a claim about one matrix: the band of every figure, and where they meet.

Everything here is for the eye: floats, a few hundred points a curve.  The verdict never
looks at it.

Along a line on which tp and tn grow together every score is monotone (``metrics.binary``), so a
printed figure cuts one stretch out of it.  A band is drawn as those stretches on a few
hundred such lines, which serves upright, level and slanting bands alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import ceil, floor
from typing import Any, cast

import numpy as np

from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.insight.phrases import assumed, listed, printed_figures
from scoreproof.question.folds import Sample
from scoreproof.question.question import Problem, Target
from scoreproof.scores import SCORES, Matrix
from scoreproof.scores.cells import CELLS
from scoreproof.solve.one_matrix.decide import every
from scoreproof.solve.one_matrix.extremes import attainable
from scoreproof.verdict import Verdict

Array = np.ndarray[Any, np.dtype[np.float64]]

#: Beyond this many items of a class a float no longer tells neighbouring counts apart.
LARGEST = 10**12
LINES = 241
#: The end of a band is found more closely than ``EDGE``: nearer than that to the frame, it has left the window.
HALVINGS = 44
EDGE = 1e-9
#: At most this many matrices that fit are drawn as points.
MOST_POINTS = 2500
#: Single matrices are worth drawing up to this many to a side.
FINEST = 41
#: A close-up shows at least so many items to each side of its middle.
LEAST_REACH = 4.5

Point = tuple[float, float]


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


@dataclass(frozen=True, slots=True)
class Band:
    """Where one figure holds: strips, each a closed outline in (tp, tn)."""

    label: str
    printed: str
    clashes: bool
    outlines: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: a window, the bands in it, where all of them meet, and the matrices that fit."""

    window: Window
    bands: tuple[Band, ...]
    meeting: tuple[tuple[Point, ...], ...]
    fitting: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Region:
    """The whole plane of a claim and, where that shows more, a close-up."""

    status: str
    reading: str
    whole: Panel
    close_up: Panel | None

    @property
    def panels(self) -> tuple[Panel, ...]:
        return (self.whole,) if self.close_up is None else (self.whole, self.close_up)

    @property
    def caption(self) -> str:
        """What there is to see, in one sentence."""
        clashing = [band.label for band in self.whole.bands if band.clashes]
        under = f" (reading: {self.reading})" if self.reading else ""
        if self.status == CONSISTENT:
            dots = any(panel.fitting for panel in self.panels)
            where = "in the matrices marked with a black dot" if dots else "in more matrices than can be marked"
            return f"The bands of all figures meet {where}{under}."
        if self.status == INCONSISTENT and clashing:
            bands, at_once = ("bands", " at once") if len(clashing) > 1 else ("band", "")
            return f"No matrix lies in the {bands} of {listed(clashing)}{at_once}{under}."
        return f"Where the bands of the figures run{under}."


def region(verdict: Verdict) -> Region | None:
    """The plane of the verdict, or None where the claim is not about one matrix of drawable size."""
    outcome = verdict.decisive
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
    panels = [plane.panel(window, complete) for window in ([whole, near] if shrunk else [whole])]
    return Region(verdict.status, assumed(outcome.reading), panels[0], panels[1] if shrunk else None)


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
        p, n = self.sample.p, self.sample.n
        # On the border a score can be undefined; a hair inside it is not.
        tp = np.clip(tp, p * 1e-9, p * (1 - 1e-9))
        tn = np.clip(tn, n * 1e-9, n * (1 - 1e-9))
        score = SCORES.get(target.score.name.partition("|")[0], target.score)
        matrix = Matrix.of(tp, tn, p, n)  # type: ignore[arg-type]  # whole columns of matrices
        up, down = score.terms(matrix, self.problem.betas)
        ratio = np.asarray(up, float) / np.asarray(down, float)
        if score.threshold:
            return cast("Array", -1 / (1 + np.sqrt(ratio)))
        if score.squared:
            ratio = np.sign(ratio) * np.sqrt(np.abs(ratio))
        return cast("Array", ratio if score.rises else -ratio)

    def ends(self, target: Target) -> tuple[float, float]:
        """The interval of the figure, on the scale of :meth:`score`."""
        low = float("-inf") if target.interval.lo is None else float(target.interval.lo)
        high = float("inf") if target.interval.hi is None else float(target.interval.hi)
        return (low, high) if target.score.rises else (-high, -low)

    def stretches(self, target: Target, window: Window) -> tuple[Array, Array]:
        """On each line x - y = const of the window, from where to where x + y the figure holds.

        Coordinates run from 0 to 1 over the window; ends beyond it are cut off.
        """
        across = np.linspace(-1, 1, LINES)
        first, last = np.abs(across), 2 - np.abs(across)

        def crossing(level: float) -> Array:
            low, high = first.copy(), last.copy()
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                tp = window.left + window.width * (middle + across) / 2
                tn = window.bottom + window.height * (middle - across) / 2
                below = self.score(target, tp, tn) < level
                low, high = np.where(below, middle, low), np.where(below, high, middle)
            return cast("Array", (low + high) / 2)

        start, end = self.ends(target)
        return crossing(start), crossing(end)

    def panel(self, window: Window, fitting: tuple[tuple[int, int], ...]) -> Panel:
        bands = []
        start, end = np.zeros(LINES), np.full(LINES, 2.0)
        for target in self.problem.targets:
            low, high = self.stretches(target, window)
            start, end = np.maximum(start, low), np.minimum(end, high)
            label, outlines = target.label, _outlines(low, high, window)
            bands.append(Band(label, self.printed.get(label, ""), label in self.conflict, outlines))
        meeting = _outlines(start, np.maximum(start, end), window, np.asarray(end > start))
        inside = tuple(point for point in fitting if window.holds(*point))
        return Panel(window, tuple(bands), meeting, inside)

    # -- where to look ---------------------------------------------------------

    def around(self, points: Sequence[tuple[int, int]]) -> Window:
        """A window round the matrices that fit."""
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        return self.window((low + high) / 2, np.maximum(LEAST_REACH, (high - low) * 0.7 + 2))

    def clash(self) -> Window:
        """A window round the place where the figures come closest to holding together."""
        place = self.nearest_miss()
        clashing = [target for target in self.problem.targets if target.label in self.conflict]
        gaps = [self.gap(target, place) for target in clashing or self.problem.targets]
        return self.window(place, max(LEAST_REACH, 4 * max((gap for gap in gaps if gap < np.inf), default=0.0)))

    def window(self, centre: Array, reach: Array | float) -> Window:
        """The window that reaches so far from the centre, pushed back into the box."""
        half = np.minimum(reach, self.size / 2)
        centre = np.clip(centre, half, self.size - half)
        (left, bottom), (right, top) = (centre - half).tolist(), (centre + half).tolist()
        return Window(left, right, bottom, top)

    @property
    def size(self) -> Array:
        return np.array([self.sample.p, self.sample.n], float)

    def miss(self, tp: Array, tn: Array) -> Array:
        """How far the figures are missed, in widths of their bands; those that clash count most."""
        total = np.zeros(np.broadcast(tp, tn).shape)
        for target in self.problem.targets:
            low, high = self.ends(target)
            value = self.score(target, tp, tn)
            width = high - low if 0 < high - low < float("inf") else 1e-6
            off = np.maximum(np.maximum(low - value, value - high), 0) / width
            total += (1.0 if target.label in self.conflict else 1e-4) * off**2
        return total

    def nearest_miss(self) -> Array:
        low, high = np.zeros(2), self.size
        place = self.size / 2
        while np.max(high - low) > 1e-3:
            tp, tn = np.meshgrid(*np.linspace(low, high, 61).T)
            at = int(np.argmin(self.miss(tp, tn)))
            place = np.array([tp.flat[at], tn.flat[at]])
            reach = (high - low) / 6
            low, high = np.maximum(0.0, place - reach), np.minimum(self.size, place + reach)
        return place

    def gap(self, target: Target, place: Array) -> float:
        """How far from the place, in items along tp or tn, the band of the figure runs."""
        low, high = self.ends(target)
        steps = np.concatenate([[0.0], np.geomspace(1e-3, np.max(self.size), 300)])[:, None]
        tp, tn = place[0] + steps * [1, -1, 0, 0], place[1] + steps * [0, 0, 1, -1]
        inside = (tp >= 0) & (tp <= self.sample.p) & (tn >= 0) & (tn <= self.sample.n)
        value = self.score(target, tp, tn)
        # The band may be thinner than the step: look for a change of side as well.
        side = np.where(value < low, -1, np.where(value > high, 1, 0))
        hit = inside & ((side == 0) | (side != side[0]))
        return float(np.min(np.where(hit, steps, np.inf)))


def _outlines(low: Array, high: Array, window: Window, keep: Any = True) -> tuple[tuple[Point, ...], ...]:
    """The strips between two curves as closed outlines, cut where both leave the window."""
    across = np.linspace(-1, 1, LINES)
    outside = (high <= np.abs(across) + EDGE) | (low >= 2 - np.abs(across) - EDGE)
    inside = np.flatnonzero(~outside & keep)
    runs = np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1) if len(inside) else []
    found = []
    for run in runs:
        there = [_place(across[i], high[i], window) for i in run]
        back = [_place(across[i], low[i], window) for i in reversed(run)]
        found.append(tuple(there + back))
    return tuple(found)


def _place(across: float, along: float, window: Window) -> Point:
    return (
        float(window.left + window.width * (along + across) / 2),
        float(window.bottom + window.height * (along - across) / 2),
    )
