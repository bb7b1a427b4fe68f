"""A direction that separates figures of matrices of several classes from what is printed of them.

What each figure can be with so many wrong items is tabulated (``proof.sums.profiles``).  For weights of the
means and of the mean squares of all figures every matrix takes its best number of wrong items; a linear
programme over the differences from what is printed proposes weights, until they prove something or nothing
in between does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from scoreproof.budget import Budget, TooMuch
from scoreproof.proof.sums.grid import Array
from scoreproof.proof.sums.nodes import Profiles
from scoreproof.proof.sums.profiles import (
    CELL,
    SHIFT,
    UNIT,
    Figure,
    figures,
    makes,
    refutes,
    tabulated,
    wrong_items,
)
from scoreproof.question.folds import Sample
from scoreproof.question.question import Problem

STEPS = 120
STEP = 1_000_000  # work of a step
ENOUGH = 1e-7  # differences below this are none (for steering only)
BITS = (14, 24, 34)
#: Tables are made where that takes no more work than this; and the slopes of those that are not exact.
MOST = 1_200_000_000
SLOPES = (-6, 0, 5, 10, 13, 16, 19, 24, 36, 60)


class Profile:
    """The tables of a question as floats, and what is printed."""

    def __init__(
        self,
        problem: Problem,
        spread: Sequence[str],
        slopes: tuple[int, ...],
        budget: Budget,
    ) -> None:
        self.problem, self.spread, self.slopes, self.budget = problem, spread, slopes, budget
        self.every = figures(problem, spread)
        self.tables: list[tuple[int, Array, Array]] = []
        for f, count in makes(problem, self.every).items():
            table = tabulated(problem, self.every, f, slopes, budget)
            low, high = (np.array([each[end] for each in table], dtype=float) / UNIT for end in (0, 1))
            self.tables.append((count, low, np.maximum(low, high)))
        self.centre = np.array([float(figure.centre) for figure in self.every])
        self.mean = np.array([_ends(figure.mean.lo, figure.mean.hi) for figure in self.every])
        self.squares = np.array([_ends(figure.squares.lo, figure.squares.hi) for figure in self.every])

    def difference(self, x: Array) -> Array:
        """What is printed and farthest down in a direction, less what the matrices reach farthest up."""
        size = len(self.every)
        u, v = x[:size], x[size:]
        reached, centre = np.zeros(2 * size), self.centre[:, None]
        for count, low, high in self.tables:
            top = np.divide(-u, 2 * v, out=np.zeros(size), where=v < 0) + self.centre
            places = np.stack([low, high, np.clip(top[:, None], low, high)])
            values = u[:, None] * places + v[:, None] * (places - centre) ** 2
            best = values.argmax(axis=0)
            wrong = values.max(axis=0).sum(axis=0).argmax()
            y = places[best[:, wrong], np.arange(size), wrong]
            reached += count / len(self.problem.matrices) * np.concatenate([y, (y - self.centre) ** 2])
        printed = np.zeros(2 * size)
        for s in range(size):
            (a, b), ends = self.mean[s], self.squares[s]
            middle = min(max(self.centre[s] - u[s] / (2 * v[s]), a), b) if v[s] > 0 else a
            found = [(y, (y - self.centre[s]) ** 2 + q) for y in (a, b, middle) for q in ends]
            printed[s], printed[size + s] = min(found, key=lambda each: u[s] * each[0] + v[s] * each[1])
        return printed - reached

    def proof(self, x: Array) -> Profiles | None:
        """The direction in whole numbers, if it then proves something."""
        for bits in BITS:
            whole = [round(float(each)) for each in np.ldexp(x / np.abs(x).max(), bits)]
            size = len(self.every)
            order = [(2 * s + k, whole[k * size + s]) for s in range(size) for k in (0, 1)]
            found = Profiles(tuple(each for each in order if each[1]), self.slopes)
            if refutes(self.problem, found, self.spread, self.budget):
                return found
        return None

    def separated(self) -> Profiles | None:
        """A proof by one direction, if the programme finds one."""
        from scipy.optimize import linprog

        size = len(self.every)
        if any(not table.size for _, table, _ in self.tables):
            return self.proof(np.ones(2 * size))
        scale = np.concatenate([np.full(size, 20.0), np.full(size, 200.0)])
        bounds = [(-1.0, 1.0)] * (2 * size) + [(None, None)]
        for s, figure in enumerate(self.every):
            if figure.squares.hi is None:
                bounds[size + s] = (0.0, 1.0 if figure.squares.lo else 0.0)
            if figure.mean.lo is None or figure.mean.hi is None:
                bounds[s], bounds[size + s] = (0.0, 0.0), (0.0, 0.0)
        x, seen = np.concatenate([np.full(size, 0.5), np.zeros(size)]), []
        for _ in range(STEPS):
            self.budget.spend(STEP)
            new = self.difference(x * scale) * scale
            if x @ new > ENOUGH:
                return self.proof(x * scale)
            seen.append(new)
            above = np.hstack([-np.array(seen), np.ones((len(seen), 1))])
            found = linprog([0.0] * (2 * size) + [-1.0], A_ub=above, b_ub=np.zeros(len(seen)), bounds=bounds)
            if found.status != 0 or found.x[-1] <= ENOUGH:
                return None
            x = np.asarray(found.x[:-1])
        return None


def _ends(lo: object, hi: object) -> tuple[float, float]:
    return (0.0 if lo is None else float(lo)), (1.0 if hi is None else float(hi))  # type: ignore[arg-type]


def by_profiles(problem: Problem, spread: Sequence[str], budget: Budget) -> Profiles | None:
    """A proof from what figures can be with so many wrong items, if there is one; the quicker tables first."""
    every = figures(problem, spread)
    if len(every) < 2:
        return None
    ways: list[tuple[int, tuple[int, ...]]] = [(_exact_work(problem, every), ())]
    ways.append((_sloped_work(problem, every), SLOPES))
    for work, slopes in sorted(ways):
        if work > MOST:
            continue
        with suppress(TooMuch):
            found = Profile(problem, spread, slopes, budget).separated()
            if found is not None:
                return found
    return None


def _sizes(problem: Problem, every: Sequence[Figure]) -> Iterator[tuple[list[Sample], int]]:
    """The classes of every table, and the most of their items that are wrong."""
    for f in makes(problem, every):
        yield [problem.parts[i] for i in problem.matrices[f]], wrong_items(problem, every, f)[1]


def _exact_work(problem: Problem, every: Sequence[Figure]) -> int:
    """About what exact tables take: every entry of a class is added to a triangle of sums."""
    total = 0
    for parts, last in _sizes(problem, every):
        moves = sum((min(part.p, last) + 1) * (min(part.n, last) + 1) for part in parts[1:])
        total += moves * (SHIFT + CELL * len(every) * (last + 1) ** 2 // 2)
    return total


def _sloped_work(problem: Problem, every: Sequence[Figure]) -> int:
    """... and what tables by slopes do."""
    rows = 2 * len(every) * len(SLOPES)
    return sum(len(parts) * (2 * last + 1) ** 2 * CELL * rows for parts, last in _sizes(problem, every))
