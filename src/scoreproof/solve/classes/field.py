"""The rows of a model in floats, to steer by.  Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoreproof.proof.classes.bounds import columns
from scoreproof.proof.classes.model import Box, Model, Range, Row
from scoreproof.scores import SCORES, Matrix

Array = NDArray[np.float64]

#: Columns of predictions kept in memory, all together.
KEPT = 4_000_000
#: An interval this long, as a share of what the correct items of a class can add, is narrow.
NARROW = 0.02


class Field:
    """What every cell adds to every row, and what the rows allow."""

    def __init__(self, model: Model, rows: Sequence[Row]) -> None:
        self.model = model
        self.rows = list(rows)
        count = len(self.rows)
        self.affine = np.zeros((len(model.cells), count, 2))
        self.curved: list[dict[str, Array]] = [{} for _ in model.cells]
        self.lo = np.full(count, -np.inf)
        self.hi = np.full(count, np.inf)
        for r, row in enumerate(self.rows):
            for i, (a, b) in row.affine.items():
                self.affine[i, r] = float(a), float(b)
            for (i, name), c in row.curved.items():
                self.curved[i].setdefault(name, np.zeros(count))[r] = float(c)
            if row.interval.lo is not None:
                self.lo[r] = float(row.interval.lo)
            if row.interval.hi is not None:
                self.hi[r] = float(row.interval.hi)
        step = np.array([float(row.step) if row.step else 0.0 for row in self.rows])
        width = np.where(np.isfinite(self.hi - self.lo), self.hi - self.lo, 0.0)
        #: how far a sum may be off, roughly; rows with one end count like a small interval
        self.width = np.maximum.reduce([width, step / 2, np.full(count, 1e-7)])
        one_sided = ~np.isfinite(self.lo) | ~np.isfinite(self.hi)
        self.width[one_sided & (step == 0)] = 1e-2
        #: rows that count correct items only, and nearly pin their sum down
        self.correct = [
            r
            for r, row in enumerate(self.rows)
            if row.step and not any(b for _, b in row.affine.values()) and width[r] < NARROW * self._range(row)
            if np.isfinite(self.hi[r] - self.lo[r]) and len(row.affine) > 1
        ]
        self.memory: dict[tuple[int, Range], tuple[Array, list[Array], list[dict[str, Array]]]] = {}
        self.held = 0
        self._spans()

    def _spans(self) -> None:
        """A scale that makes the sums of every row about as long, and finite ends for every row."""
        assert self.model.root is not None
        count = len(self.rows)
        low, high = np.zeros(count), np.zeros(count)
        for i, (a, b, c, d) in enumerate(self.model.root):
            ends = np.stack([self.affine[i, :, 0] * a, self.affine[i, :, 0] * b])
            more = np.stack([self.affine[i, :, 1] * c, self.affine[i, :, 1] * d])
            low += ends.min(axis=0) + more.min(axis=0)
            high += ends.max(axis=0) + more.max(axis=0)
            for weight in self.curved[i].values():
                low -= np.abs(weight)
                high += np.abs(weight)
        span = np.maximum(high - low, 1e-9)
        self.scale = 1 / span
        # a row without an end gets one that nothing reaches
        self.near_lo = np.where(np.isfinite(self.lo), self.lo, low - 0.1 * span)
        self.near_hi = np.where(np.isfinite(self.hi), self.hi, high + 0.1 * span)

    def _range(self, row: Row) -> float:
        cells = self.model.cells
        return max((float(abs(a)) * cells[i].n for i, (a, _) in row.affine.items()), default=0.0)

    def with_rows(self, rows: Sequence[Row]) -> Field:
        return self if len(rows) == len(self.rows) and list(rows) == self.rows else Field(self.model, rows)

    def scores(self, i: int, tp: Array, m: Array) -> dict[str, Array]:
        """The curved scores of a cell; 0 where they are undefined."""
        cell = self.model.cells[i]
        if not self.curved[i]:
            return {}
        matrix = Matrix(tp, m - tp, cell.n - tp, cell.total - cell.n - m + tp)  # type: ignore[arg-type]
        found = {}
        for name in self.curved[i]:
            up, down = SCORES[name].terms(matrix, self.model.betas)
            there = np.abs(down) > 1e-9
            found[name] = np.where(there, up / np.where(there, down, 1.0), 0.0)
        return found

    def at(self, i: int, tp: Array | float, m: Array | float) -> Array:
        """What cell i adds to the rows, for arrays of choices; the last axis is the rows."""
        tp, m = np.asarray(tp, dtype=float), np.asarray(m, dtype=float)
        scores = self.scores(i, tp, m)
        basis = np.stack([tp, m, *scores.values()], axis=-1)
        return np.asarray(basis @ np.stack([*self.affine[i].T, *self.curved[i].values()]))

    def places(self, i: int, box: Range) -> tuple[Array, Array, Array]:
        """The m at which cell i can be extreme, with the ends of tp: all of them, or the corners."""
        cell = self.model.cells[i]
        if self.curved[i]:
            m, first, last = columns(cell, box)
        else:
            least, most, low, high = box
            rest = cell.total - cell.n
            corners = {low, high, least, most, least + rest, most + rest}
            m = np.array(sorted(each for each in corners if low <= each <= high))
            first, last = np.maximum(least, m - rest), np.minimum(most, m)
            m, first, last = (each[first <= last] for each in (m, first, last))
        return m.astype(float), first.astype(float), last.astype(float)

    def grid(self, i: int, box: Range) -> tuple[Array, list[Array], list[dict[str, Array]]]:
        """Every m of a range, the ends of tp, and the curved scores there."""
        key = (i, box)
        if key not in self.memory:
            if self.held > KEPT:
                self.memory.clear()
                self.held = 0
            m, first, last = (each.astype(float) for each in columns(self.model.cells[i], box))
            ends = [first, last]
            self.memory[key] = (m, ends, [self.scores(i, tp, m) for tp in ends])
            self.held += len(m) * (2 + 2 * len(self.curved[i]))
        return self.memory[key]

    def best(self, i: int, box: Range, weights: Array) -> tuple[float, tuple[int, int]]:
        """The largest weighted sum of rows that cell i can add, and where."""
        a, b = weights @ self.affine[i]
        if not self.curved[i] or not any(weights @ c for c in self.curved[i].values()):
            return self._corner(i, box, float(a), float(b))
        m, ends, scores = self.grid(i, box)
        top: tuple[float, tuple[int, int]] | None = None
        for tp, own in zip(ends, scores, strict=True):
            value = a * tp + b * m
            for name, score in own.items():
                value = value + float(weights @ self.curved[i][name]) * score
            k = int(value.argmax())
            if top is None or value[k] > top[0]:
                top = float(value[k]), (int(tp[k]), int(m[k]))
        assert top is not None
        return top

    def _corner(self, i: int, box: Range, a: float, b: float) -> tuple[float, tuple[int, int]]:
        cell = self.model.cells[i]
        least, most, low, high = box
        rest = cell.total - cell.n
        found = []
        for m in sorted({low, high, least, most, least + rest, most + rest}):
            if low <= m <= high:
                first, last = max(least, m - rest), min(most, m)
                if first <= last:
                    found += [(a * first + b * m, (first, m)), (a * last + b * m, (last, m))]
        return max(found)


def columns_in(field: Field, box: Box) -> int:
    """How many columns of predictions are looked at in a box, all together."""
    return sum(d - c + 1 if field.curved[i] else 6 for i, (_, _, c, d) in enumerate(box))
