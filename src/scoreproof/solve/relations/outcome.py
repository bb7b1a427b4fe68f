"""What the engine for unknown counts can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.proof.relations import Certificate
from scoreproof.scores import Matrix
from scoreproof.solve.outcome import Inconsistent, Undecided


@dataclass(frozen=True, slots=True)
class Consistent:
    """These matrices give the figures; for averaged figures, their means do.

    ``smallest`` says that one matrix was found and that none with fewer items, or with as
    many items and fewer positives, gives the figures.
    """

    matrices: tuple[Matrix, ...]
    smallest: bool = False

    @property
    def matrix(self) -> Matrix:
        """The matrix, where one is enough."""
        (only,) = self.matrices
        return only


Outcome = Consistent | Inconsistent[Certificate] | Undecided

__all__ = ["Consistent", "Inconsistent", "Outcome", "Undecided"]
