"""Printed means and deviations over parts, as windows of two sums in floats (steering only).

For every score the search keeps S, the sum of its values over the units, and Q, the sum of their squares,
both after taking off the middle of the printed mean.  A unit is what the deviation is over: a part, or the
mean of the parts of one repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.sums.grid import Array
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS, Score

#: Some parts, as numpy picks them.
Where = slice | Array
EVERY = slice(None)
SERVED = frozenset({Kind.MEAN, Kind.SD, Kind.OF_MEANS})
#: Floats err by far less than this.
ROOM = 1e-10
#: What an excess counts beside its logarithm.
SLOPE = 0.3
#: Work of one score at one point.
VALUE = 12
#: The energy of what cannot be.
LOST = 1e9


def units_of(problem: Problem) -> tuple[tuple[int, ...], ...] | None:
    """What the deviations are over, if all figures are plain means and deviations over the same units."""
    if problem.foldings or problem.matrices:
        return None
    deviations = {t.clusters for t in problem.targets if t.kind is Kind.SD}
    plain = all(_plain(t) for t in problem.targets if t.kind is not Kind.SD)
    if len(deviations) != 1 or not plain or any(t.kind not in SERVED for t in problem.targets):
        return None
    (units,) = deviations
    whole = sorted(i for unit in units for i in unit) == list(range(len(problem.parts)))
    return units if whole and len(units) > 1 and len(set(map(len, units))) == 1 else None


def _plain(target: Target) -> bool:
    return len(set(target.weights)) == 1


class Quadratic:
    """Polynomials in tp and tn of some parts, of which most terms are missing."""

    def __init__(self, terms: Array) -> None:
        self.terms = terms
        *_, self.tp, self.tn, _ = (bool(each.any()) for each in terms)
        self.bent, self.tn_squared = bool(terms[:2].any()), bool(terms[2].any())

    def at(self, tp: Array, tn: Array, where: Where = EVERY) -> Array:
        a, b, c, d, e, found = self.terms[:, where]
        if self.tp:
            found = found + d * tp
        if self.tn:
            found = found + e * tn
        if self.bent:
            found = found + (a * tp + b * tn) * tp
        return np.asarray(found + c * tn * tn if self.tn_squared else found)


class Curve:
    """A score of many matrices of each of some parts: a ratio of two quadratics in tp and tn."""

    def __init__(self, score: Score, problem: Problem, order: Sequence[int]) -> None:
        self.score = score
        parts = [problem.parts[i] for i in order]
        self.p, self.n = (np.array([getattr(part, kind) for part in parts], float) for kind in "pn")
        both = [score.polynomials(part.p, part.n, problem.betas) for part in parts]
        self.ratio = [
            Quadratic(np.array([[float(x) for x in terms] for terms in each]).T)
            for each in zip(*both, strict=True)
        ]
        self.zero = problem.undefined == "zero"

    def at(self, tp: Array, tn: Array, where: Where = EVERY) -> Array:
        """The values at counts whose last axis runs over the parts ``where``; NaN where there is none."""
        up, down = (each.at(tp, tn, where) for each in self.ratio)
        value = np.broadcast_to(up / down, tp.shape)
        if self.score.threshold:
            value = 1 / (1 + np.sqrt(value))
        elif self.score.squared:
            value = np.sqrt(np.maximum(value, 0))
            if self.score.signed:
                low = tp / self.p[where] + tn / self.n[where] < 1
                value = np.where(low, -value, value)
        return np.where(np.isfinite(value), value, 0.0) if self.zero else value


class Joint(NamedTuple):
    """A printed F-measure of the mean precision and the mean recall, which are scores of these numbers."""

    precision: int
    recall: int
    beta: float
    low: float
    high: float


class Bounds:
    """Windows of means and deviations of some scores over units, under one divisor."""

    def __init__(
        self, means: list[tuple[float, float]], spreads: list[tuple[float, float]], units: int, divisor: int
    ) -> None:
        self.parts = self.units = units
        self.inside = 1  # parts of a unit
        self.divisor = divisor
        self.low, self.high = (np.array(each) for each in zip(*means, strict=True))
        self.known = np.isfinite(self.high) & np.isfinite(self.low)
        self.middle = np.where(self.known, (self.low + self.high) / 2, 0.5)
        # half the window of S; of Q - S²/units the two ends; of the deviation itself
        self.half = np.where(self.known, (self.high - self.low) / 2 * units, np.inf)
        self.sd = np.maximum(np.array(spreads), 0)
        self.spread = np.isfinite(self.sd[:, 1])
        self.squares = divisor * self.sd**2
        #: the scores whose figures rule out most, by and large, come first
        self.ranked = sorted(range(len(means)), key=lambda k: -int(self.spread[k]) - int(self.known[k]))

    def per_unit(self, values: Array) -> Array:
        """Means over the parts of every unit."""
        if self.inside == 1:
            return values
        return np.asarray(values.reshape(*values.shape[:-1], -1, self.inside).mean(-1))

    def fits(self, k: int, total: Array, squares: Array) -> Array:
        """Whether sums of a score lie in its windows."""
        found = np.abs(total) <= self.half[k] + ROOM
        if self.spread[k]:
            low, high = self.squares[k]
            around = squares - total * total / self.units
            found = found & (around >= low - ROOM) & (around <= high + ROOM)
        return np.asarray(found)

    def energy(self, total: Array, squares: Array) -> Array:
        """How far sums (first axis: scores) are from their windows, in halves of these; 0 inside."""
        found = np.zeros(total.shape[1:])
        for k in range(len(self.known)):
            if self.known[k]:
                found += _badness(np.abs(total[k]) / max(self.half[k], ROOM) - 1)
            if self.spread[k]:
                low, high = self.sd[k]
                around = np.maximum(squares[k] - total[k] * total[k] / self.units, 0)
                sd = np.sqrt(around / self.divisor)
                found += _badness(np.maximum(low - sd, sd - high) / max((high - low) / 2, ROOM))
        return np.where(np.isfinite(found), found, LOST)


class Windows(Bounds):
    """The figures of a problem about two classes under one divisor of the deviations."""

    def __init__(self, problem: Problem, units: tuple[tuple[int, ...], ...], divisor: int) -> None:
        self.problem = problem
        self.order = [i for unit in units for i in unit]
        scores = {t.score.name: t.score for t in problem.targets}
        of_means = [t for t in problem.targets if t.kind is Kind.OF_MEANS]
        scores |= {name: ROWS[name] for t in of_means for name in t.score.means or ()}
        self.curves = [Curve(score, problem, self.order) for score in scores.values()]
        self.p, self.n = self.curves[0].p, self.curves[0].n
        super().__init__(
            [_window(problem, name, Kind.MEAN) for name in scores],
            [_window(problem, name, Kind.SD) for name in scores],
            len(units),
            divisor,
        )
        self.parts = len(self.order)
        self.inside = self.parts // self.units
        names = list(scores)
        self.joint = [
            Joint(
                names.index(t.score.means[0]),
                names.index(t.score.means[1]),
                float(t.score.beta(problem.betas)),
                _float(t.interval.lo, -np.inf),
                _float(t.interval.hi, np.inf),
            )
            for t in of_means
            if t.score.means is not None
        ]

    def values(self, k: int, tp: Array, tn: Array, where: Where = EVERY) -> Array:
        """A score less the middle of its printed mean."""
        return np.asarray(self.curves[k].at(tp, tn, where) - self.middle[k])

    def fits_joint(self, at: Joint, precision: Array, recall: Array) -> Array:
        """Whether an F-measure of means, from sums of both scores, lies in its window."""
        value = self._joint(at, precision, recall)
        return np.asarray((value >= at.low - ROOM) & (value <= at.high + ROOM))

    def _joint(self, at: Joint, precision: Array, recall: Array) -> Array:
        p = precision / self.units + self.middle[at.precision]
        r = recall / self.units + self.middle[at.recall]
        return np.asarray((1 + at.beta) * p * r / (at.beta * p + r))

    def energy(self, total: Array, squares: Array) -> Array:
        found = super().energy(total, squares)
        for at in self.joint:
            value = self._joint(at, total[at.precision], total[at.recall])
            half = max((at.high - at.low) / 2, ROOM)
            found += _badness(np.maximum(at.low - value, value - at.high) / half)
        return np.where(np.isfinite(found), found, LOST)


def _badness(excess: Array) -> Array:
    beyond = np.maximum(excess - 1e-9, 0)
    return np.asarray(np.log1p(beyond) + SLOPE * beyond)


def _window(problem: Problem, name: str, kind: Kind) -> tuple[float, float]:
    """What the figures of one kind about a score leave it."""
    return window(t for t in problem.targets if t.kind is kind and t.score.name == name)


def window(targets: Iterable[Target]) -> tuple[float, float]:
    """What some figures about one number leave it."""
    found = Interval(None, None)
    for target in targets:
        found = found.intersect(target.interval)
    return _float(found.lo, -np.inf), _float(found.hi, np.inf)


def _float(end: Fraction | None, otherwise: float) -> float:
    return otherwise if end is None else float(end)
