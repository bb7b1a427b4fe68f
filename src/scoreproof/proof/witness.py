"""Confusion matrices that are shown: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoreproof.scores import Matrix


@dataclass(frozen=True, slots=True)
class Witness:
    """Confusion matrices that give the printed figures, one per evaluation set.

    With a single evaluation set, ``tp``, ``fp``, ``fn`` and ``tn`` are those of its matrix.
    """

    parts: tuple[Matrix, ...]
    reading: int = 0

    @property
    def matrix(self) -> Matrix:
        """The summed matrix; the only one where there is a single evaluation set."""
        return Matrix(*(sum(column) for column in zip(*self.parts, strict=True)))

    @property
    def tp(self) -> int:
        return self.matrix.tp

    @property
    def fp(self) -> int:
        return self.matrix.fp

    @property
    def fn(self) -> int:
        return self.matrix.fn

    @property
    def tn(self) -> int:
        return self.matrix.tn

    def __getitem__(self, key: str) -> int:
        return int(self.matrix._asdict()[key])

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"reading": self.reading, **self.matrix._asdict()}
        if len(self.parts) > 1:
            found["parts"] = [part._asdict() for part in self.parts]
        return found
