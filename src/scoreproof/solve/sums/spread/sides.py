"""Counts along two axes of every part: what a search for means and deviations goes through."""

from __future__ import annotations

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms
from scoreproof.solve.sums.spread.margins import Axis, axes_of
from scoreproof.solve.sums.spread.windows import Windows

Points = list[tuple[int, int]]


class Sides:
    """The two sides of a state, each a count per part; a side without an axis is free."""

    def __init__(self, windows: Windows, seed: int, budget: Budget) -> None:
        self.windows, self.budget = windows, budget
        self.random = np.random.default_rng(seed)
        axes = axes_of(windows)[:2]
        self.axes: list[Axis | None] = [*axes, *[None] * (2 - len(axes))]
        self.tops, self.mixing = self._shape()
        # the parts whose counts on a side may be exchanged
        self.alike: list[list[Array]] = [[] if axis is None else axis.alike(windows) for axis in self.axes]

    @property
    def printed(self) -> set[int]:
        """The scores that are axes."""
        return {axis.score for axis in self.axes if axis is not None}

    def _shape(self) -> tuple[list[Array], Array]:
        """How large the counts of both sides may be, and the matrix that makes (tp, tn) of them."""
        p, n = self.windows.p, self.windows.n
        of = [(axis.of_tp, axis.of_tn) for axis in self.axes if axis is not None]
        match of:
            case []:
                return [p, n], np.array([[1, 0], [0, 1]])
            case [(1, 0)]:
                return [p, n], np.array([[1, 0], [0, 1]])
            case [(0, 1)]:
                return [n, p], np.array([[0, 1], [1, 0]])
            case [(1, 1)]:  # tp is free
                return [p + n, p], np.array([[0, 1], [1, -1]])
            case [(1, 0), (0, 1)]:
                return [p, n], np.array([[1, 0], [0, 1]])
            case [(1, 0), _]:
                return [p, p + n], np.array([[1, 0], [-1, 1]])
            case _:
                return [n, p + n], np.array([[-1, 1], [1, 0]])

    def counts(self, one: Array, two: Array) -> tuple[Array, Array]:
        """(tp, tn) of the counts of both sides."""
        (a, b), (c, d) = self.mixing
        return a * one + b * two, c * one + d * two

    def certain(self, one: Array, two: Array) -> Points | None:
        tp, tn = (each.astype(int) for each in self.counts(one, two))
        self.budget.spend(60_000 + 2_000 * len(tp))
        points = [(0, 0)] * len(tp)
        for place, a, b in zip(self.windows.order, tp, tn, strict=True):
            points[place] = int(a), int(b)
        return points if confirms(self.windows.problem, points) else None
