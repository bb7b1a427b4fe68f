"""What the engine for unknown counts can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.metrics import Matrix
from scoreproof.proof.relations import Certificate


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


@dataclass(frozen=True, slots=True)
class Inconsistent:
    """No counts of any size give the figures, and this proves it."""

    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither was found within the budget."""

    reason: str
    tried: tuple[str, ...]


Outcome = Consistent | Inconsistent | Undecided
