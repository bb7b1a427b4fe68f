"""Deviations over repeats: lists of likely repeats, looked up in each other like the matrices of single parts.

A repeat has so many folds that no list holds all it may be.  So some are drawn, fold by fold, from
distributions of matrices whose means lie about as far from the printed ones as the printed deviations; what a
repeat adds to the sums over repeats are its own means and their squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.repeats import clusters_of
from scoreproof.solve.sums.spread.joining import CHECK, SIZES, Drawn, Turn, draw
from scoreproof.solve.sums.spread.likely import Kinds, Likely, Tilt
from scoreproof.solve.sums.spread.windows import Bounds, window

if TYPE_CHECKING:
    from scoreproof.solve.sums.spread.lists import Lists

#: Repeats that are drawn together, from so many distributions; turns of lists, and the size they begin with.
DRAWN, SHIFTS, TURNS, FIRST = 60_000, 12, 40, 2
#: Sums that are expected farther from the middle than so many half windows are not there.
OFF = 2.0
#: Work of drawing, by fold and score of a repeat, and of finding a distribution.
DRAW, TILT = 60, 8_000_000


def alike_repeats(problem: Problem) -> tuple[tuple[int, ...], ...]:
    """The repeats that all deviations are over, parts of the same sizes in the same order; or nothing."""
    clusters = clusters_of(problem) or ()
    ordered = tuple(tuple(sorted(c, key=lambda i: (problem.parts[i].p, problem.parts[i].n))) for c in clusters)
    return ordered if len({tuple(problem.parts[i] for i in c) for c in ordered}) == 1 else ()


class OfRepeats:
    """The lists under one divisor."""

    def __init__(self, of: Lists, divisor: int, random: np.random.Generator) -> None:
        self.of, self.random = of, random
        problem, self.repeats = of.asked, alike_repeats(of.asked)
        inside = self.repeats[0]
        means = tuple(
            replace(t, weights=(Fraction(1, len(inside)),) * len(inside))
            for t in problem.targets
            if t.kind is Kind.MEAN
        )
        parts = tuple(problem.parts[i] for i in inside)
        self.folds = Likely(replace(problem, parts=parts, targets=means), 1, random, of.budget, loose=1.0)
        self.possible = self.folds.possible and bool(self.folds.bounds.known.all())
        about = [[t for t in problem.targets if t.score.name == name] for name in self.folds.names]
        windows = [[window(t for t in own if t.kind is kind) for own in about] for kind in (Kind.MEAN, Kind.SD)]
        self.bounds = Bounds(windows[0], windows[1], len(self.repeats), divisor)

    def turns(self) -> Iterator[tuple[int, Found | None]]:
        """Repeats that are drawn anew for every turn: the work of what is next, and what is found."""
        sizes = [*SIZES[FIRST:], *[SIZES[-1]] * TURNS]
        each = DRAWN * DRAW * len(self.repeats[0]) * len(self.folds.names) + SHIFTS * TILT
        for size in sizes if self.possible else ():
            yield each, None
            choices, kind = self._drawn()
            tilt = Tilt([kind], [len(self.repeats)], self.centre, self.of.budget) if len(kind.cells) else None
            if tilt is None or tilt.off >= OFF:
                continue
            drawn = Drawn([kind], [0] * len(self.repeats), tilt)
            yield drawn.price(size), None
            turn = Turn(drawn, self.random, self.of.budget)
            for choice in turn.run(size, drawn.best(size)[1]):
                yield CHECK, self._certain(choices[:, [kind.cells[c] for c in choice]])

    def _drawn(self) -> tuple[Array, Kinds]:
        """Of some repeats the matrix of every fold, and those of them that may be among others."""
        folds, bounds, random = self.folds, self.bounds, self.random
        self.of.budget.spend(DRAWN * DRAW * len(self.repeats[0]) * len(folds.names))
        counts = [folds.kind_of.count(g) for g in range(len(folds.kinds))]
        inside = len(folds.kind_of)
        apart = np.where(bounds.spread, bounds.sd[:, 1], 0.02)
        unit = inside * np.maximum(apart, 1e-4) / 2
        # of the scores only their means are aimed at, and no more narrowly than repeats differ
        usual = [replace(kind, adds=kind.adds * folds.half / unit) for kind in folds.kinds]
        # every other time without a care how likely a matrix is, which is what strange figures take
        flat = [replace(kind, logs=kind.logs * 0) for kind in usual]
        choices = []
        for shift in range(SHIFTS):
            centre = 2 * random.normal(size=len(unit)) * (shift > 0)
            tilt = Tilt((usual, flat)[shift % 2], counts, centre, self.of.budget)
            choices.append(np.stack([draw(tilt.chances[g], DRAWN // SHIFTS, random) for g in folds.kind_of]))
        chosen = np.concatenate(choices, axis=1)
        values = sum(
            (usual[g].adds[own] for g, own in zip(folds.kind_of, chosen, strict=True)),
            start=np.zeros((chosen.shape[1], len(unit))),
        )
        values = values * unit / inside
        most = np.sqrt((bounds.units - 1) / bounds.units * bounds.squares[:, 1]) + bounds.half / bounds.units
        near = np.flatnonzero((np.abs(values) <= np.where(bounds.spread, most, np.inf)).all(axis=1))
        adds = np.concatenate([values, values[:, bounds.spread] ** 2], axis=1)[near]
        low, high = bounds.squares[bounds.spread].T
        high = high + bounds.half[bounds.spread] ** 2 / bounds.units
        half = np.maximum(np.concatenate([bounds.half, (high - low) / 2]), 1e-9)
        self.centre = np.concatenate([np.zeros(len(unit)), (high + low) / 2]) / half
        return chosen, Kinds(near, adds / half, np.zeros(len(near)))

    def _certain(self, chosen: Array) -> Found | None:
        """These matrices, a column for each repeat, if they have the figures exactly."""
        problem, points = self.of.problem, {}
        for repeat, column in zip(self.repeats, chosen.T, strict=True):
            for i, g, cell in zip(repeat, self.folds.kind_of, column.tolist(), strict=True):
                points[i] = tuple(int(x) for x in self.folds.kinds[g].cells[cell][2:])
        found: Sequence[tuple[int, int]] = [points[i] for i in range(problem.size)]  # type: ignore[misc]
        self.of.budget.spend(100_000 + 4_000 * problem.size)
        return Found(tuple(found)) if confirms(problem, tuple(found)) else None
