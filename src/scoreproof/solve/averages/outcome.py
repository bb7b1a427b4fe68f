"""What the averages engine can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.proof.averages import Certificate
from scoreproof.solve.outcome import Inconsistent, Undecided


@dataclass(frozen=True, slots=True)
class Consistent:
    """These matrices, (tp, tn) per part, hit every target."""

    witness: tuple[tuple[int, int], ...]


Outcome = Consistent | Inconsistent[Certificate] | Undecided

__all__ = ["Consistent", "Inconsistent", "Outcome", "Undecided"]
