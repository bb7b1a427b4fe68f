"""Figures that are no sums over the cells, in floats, to steer by: the MCC and F of means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.claim.classes import How
from scoreproof.proof.classes.model import Model
from scoreproof.question.classes import ClassTarget
from scoreproof.solve.classes.field import Array, Field


@dataclass(frozen=True)
class Extra:
    """A figure of all cells together, and what it may be."""

    model: Model
    target: ClassTarget

    @property
    def lo(self) -> float:
        end = self.target.interval.lo
        return -1.0 if end is None else float(end)

    @property
    def hi(self) -> float:
        end = self.target.interval.hi
        return 1.0 if end is None else float(end)

    def value(self, field: Field, tp: Array, m: Array) -> Array:
        """The figure for counts whose last axis is the cells."""
        members = self.model.of_set[self.target.sets[0]]
        n = np.array([self.model.cells[i].n for i in members], dtype=float)
        total = float(n.sum())
        tp, m = tp[..., members], m[..., members]
        if self.target.how is How.WHOLE:
            up = total * tp.sum(axis=-1) - (n * m).sum(axis=-1)
            down = (total**2 - (m**2).sum(axis=-1)) * (total**2 - (n**2).sum())
            return np.asarray(up / np.sqrt(np.maximum(down, 1e-9)))
        weight = n / total if self.target.how is How.WEIGHTED else np.full(len(n), 1 / len(n))
        precision = (weight * np.where(m > 0, tp / np.maximum(m, 1e-9), 0.0)).sum(axis=-1)
        recall = (weight * np.where(n > 0, tp / np.maximum(n, 1e-9), 0.0)).sum(axis=-1)
        square = float(self.model.square(self.target))
        return np.asarray((1 + square) * precision * recall / np.maximum(square * precision + recall, 1e-12))


def extras(model: Model) -> list[Extra]:
    """The figures of the model that its rows do not sum up."""
    return [Extra(model, t) for t in model.shifting if t.how is How.WHOLE or t.of_means]
