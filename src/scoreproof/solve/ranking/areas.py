"""Areas of parts with a printed mean and deviation, each among the values that its matrix leaves.

Numbers with the right mean and deviation are drawn between the ends first; then the values of a few parts
are varied until all of them have both, too.  Floats steer; what is found is confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from math import inf
from typing import NamedTuple

import numpy as np

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.ranking.chains import bounds, of_all
from scoreproof.proof.ranking.witness import Ordering
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import divisors
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import Matrix
from scoreproof.solve.ranking.orderings import assembled
from scoreproof.solve.ranking.paths import paths, places

ROOM = 1e-12
#: The parts whose counts are varied at once, and by how much, few to many.
VARIED = ((2, 40), (3, 9), (4, 4), (5, 2))
TRIES = 6
GRID, FEW_PARTS = 60, 6
#: Values of 2·U, and shares of the positives on top, for which rankings are made.
STEPS, SHARES = 24, 8
#: Combinations found that are looked at exactly, and work of one combination.
CHECKED, ONE = 4, 12
#: What is taken from one start.
FROM_ONE = 8

Range = tuple[int, int]
Ends = tuple[float, float]


class Wanted(NamedTuple):
    """Windows of the mean and of the sum of squared deviations."""

    mean: Ends
    squares: Ends


class Scale(NamedTuple):
    """The values an area can have in one part, by their places: a table, or multiples of 1/size from low on."""

    low: int
    high: int
    size: int = 1
    table: Array | None = None

    def value(self, place: Array) -> Array:
        return np.asarray(place / self.size if self.table is None else self.table[place.astype(int)])

    def nearest(self, value: float) -> float:
        if self.table is None:
            return float(min(max(round(value * self.size), self.low), self.high))
        return float(np.abs(self.table - value).argmin())


def windows(figures: Sequence[Target], base: Problem) -> list[Wanted] | None:
    """What means and deviations are printed, by divisor; None where there are other figures, too."""
    deviations = [each for each in figures if each.kind is Kind.SD]
    if not all(_plain(each, base.size) for each in figures):
        return None
    mean = Interval(Fraction(0), Fraction(1)).intersect(*(each.interval for each in figures if of_all(each)))
    low, high = _ends(Interval(None, None).intersect(*(each.interval for each in deviations)))
    ways = divisors(base.spread, base.size) if deviations else [1]
    return [Wanted(_ends(mean), (way * max(low, 0.0) ** 2, way * high * abs(high))) for way in ways]


def _plain(each: Target, parts: int) -> bool:
    """Whether a figure narrows the ends of single parts, or is a mean or deviation over all."""
    if each.kind is Kind.SD:
        return len(each.clusters) == parts and len(set(each.weights)) == 1
    return each.kind is Kind.EACH or of_all(each) or (each.kind is Kind.MEAN and sorted(each.weights)[-1] == 1)


def _ends(interval: Interval) -> Ends:
    return (
        -inf if interval.lo is None else float(interval.lo),
        inf if interval.hi is None else float(interval.hi),
    )


def narrowed(figures: Sequence[Target], ranges: Sequence[Range], sizes: Sequence[int]) -> list[Scale] | None:
    """The values that figures about single parts, or about every part, leave; None if there are none."""
    found = list(ranges)
    for each in figures:
        if each.kind is Kind.EACH or (each.kind is Kind.MEAN and sorted(each.weights)[-1] == 1):
            for i in (i for i, weight in enumerate(each.weights) if weight):
                first, last = each.interval.moved(sizes[i], 0).whole()
                low, high = found[i]
                found[i] = max(low, first or 0), high if last is None else min(high, last)
    if any(low > high for low, high in found):
        return None
    return [Scale(low, high, size) for (low, high), size in zip(found, sizes, strict=True)]


def placed(
    figures: Sequence[Target], base: Problem, scales: Sequence[Scale], budget: Budget, starts: int
) -> Iterator[list[int]]:
    """Places on the scales of the parts that seem to give every figure."""
    wanted = windows(figures, base)
    random = np.random.default_rng(0)
    low, high = (
        np.array([float(scale.value(np.array(getattr(scale, end)))) for scale in scales])
        for end in ("low", "high")
    )
    for start in range(starts):
        for each in wanted or ():
            values = _real(each, low, high, random, start)
            if values is not None:
                near = [scale.nearest(value) for scale, value in zip(scales, values, strict=True)]
                yield from islice(_whole(each, np.array(near), scales, random, budget), FROM_ONE)


class Shapes(NamedTuple):
    """Rankings of one part: their average precisions, which grow, and how to make each."""

    precisions: Array
    made: Sequence[Callable[[], Ordering]]


def shapes(matrix: Matrix, pairs: int | None) -> Shapes:
    """Rankings with this matrix, and with this 2·U if it is given: some with many ties, and paths."""
    chain, p, n = ((matrix.tp, matrix.tn),), matrix.p, matrix.n
    low, high = (2 * end for end in bounds(chain, p, n))
    every = sorted({low + (high - low) * k // STEPS for k in range(STEPS + 1)}) if pairs is None else [pairs]
    shares = [None, *(Fraction(k, SHARES) for k in range(SHARES + 1))]
    found: dict[float, Callable[[], Ordering]] = {}
    where = places(chain, p, n)
    for doubled in every:
        own = paths(where, doubled)
        found |= {float(value): partial(own.ranking, row) for row, value in enumerate(own.precisions)}
        for share in shares:
            for top_first in (True, False):
                ranking = assembled(chain, p, n, doubled, None, share, top_first)
                found[_precision(ranking)] = partial(_same, ranking)
    values = sorted(found)
    return Shapes(np.array(values), [found[value] for value in values])


def _precision(ranking: Ordering) -> float:
    """Its average precision, but for the last digits."""
    a = called = 0
    total = 0.0
    for more_a, more_b in ranking.groups:
        a, called = a + more_a, called + more_a + more_b
        total += more_a * a / max(called, 1)
    return total / ranking.p


def _same(ranking: Ordering) -> Ordering:
    return ranking


def _real(wanted: Wanted, low: Array, high: Array, random: np.random.Generator, start: int) -> Array | None:
    """Numbers between the ends with the mean and, if it can be, the deviation."""
    least, most = max(wanted.mean[0], low.mean()), min(wanted.mean[1], high.mean())
    if least > most:
        return None
    mean = least + (most - least) * (0.5 if start == 0 else random.random())
    first, last = (max(0.0, min(each, float(len(low)))) for each in wanted.squares)
    target = first + (last - first) * random.random() if np.isfinite(wanted.squares[1]) else first
    direction = random.standard_normal(len(low))
    if start % 4 == 3:  # few far from many
        direction = direction**3
    times = np.concatenate([[0.0], np.geomspace(1e-4, 1e3, GRID)])
    for _ in range(2):  # the second time between the two between which the deviation lies
        values = _level(mean, times[:, None] * direction, low, high)
        enough = ((values - values.mean(1, keepdims=True)) ** 2).sum(1) >= target
        at = int(enough.argmax()) if enough.any() else GRID
        times = np.linspace(times[max(at - 1, 0)], times[at], GRID + 1)
    return np.asarray(values[at])


def _level(mean: float, apart: Array, low: Array, high: Array) -> Array:
    """Rows ``apart`` plus one level each, cut off at the ends, with this mean."""
    below, above = (low - apart).min(1), (high - apart).max(1)
    for _ in range(40):
        level = (below + above) / 2
        less = np.clip(level[:, None] + apart, low, high).mean(1) < mean
        below, above = np.where(less, level, below), np.where(less, above, level)
    return np.asarray(np.clip(above[:, None] + apart, low, high))


def _whole(
    wanted: Wanted, places: Array, scales: Sequence[Scale], random: np.random.Generator, budget: Budget
) -> Iterator[list[int]]:
    """Places near these whose mean and deviation are printed: a few parts are varied at a time."""
    parts = len(places)
    for most, by in VARIED:
        varied = min(most, parts)
        every = list(combinations(range(parts), varied)) if parts <= FEW_PARTS else None
        for _ in range(TRIES if every is None else min(TRIES, len(every))):
            some = random.choice(parts, varied, replace=False) if every is None else random.choice(every)
            steps = [
                np.arange(max(-by, scales[i].low - places[i]), min(by, scales[i].high - places[i]) + 1)
                for i in some
            ]
            budget.spend(ONE * parts * int(np.prod([len(each) for each in steps])) + 1)
            yield from _met(wanted, places, some, steps, scales)


def _met(
    wanted: Wanted, places: Array, some: Array, steps: list[Array], scales: Sequence[Scale]
) -> Iterator[list[int]]:
    """The combinations of steps that bring the mean and the deviation into their windows."""
    parts = len(places)
    values = np.array([float(scale.value(place)) for scale, place in zip(scales, places, strict=True)])
    middle = values.mean()
    rest = np.delete(values, some) - middle
    total, squares = np.array(rest.sum()), np.array((rest**2).sum())
    for i, own in zip(some, steps, strict=True):
        new = scales[i].value(places[i] + own) - middle
        total, squares = np.add.outer(total, new), np.add.outer(squares, new**2)
    around = squares - total**2 / parts
    mean = middle + total / parts
    good = (mean >= wanted.mean[0] - ROOM) & (mean <= wanted.mean[1] + ROOM)
    good &= (around >= wanted.squares[0] - ROOM) & (around <= wanted.squares[1] + ROOM)
    every = np.argwhere(good)
    for at in every[:: max(1, len(every) // CHECKED)][:CHECKED]:
        found = places.copy()
        for i, own, step in zip(some, steps, at, strict=True):
            found[i] += own[step]
        yield [int(each) for each in found]
