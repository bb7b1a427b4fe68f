"""What the engine for unknown foldings can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.claim.folds import Sample
from scoreproof.proof.foldings import Certificate
from scoreproof.solve.outcome import Inconsistent, Undecided


@dataclass(frozen=True, slots=True)
class Consistent:
    """These folds, and these matrices (tp, tn) per part, hit every target."""

    folds: tuple[tuple[Sample, ...], ...]
    witness: tuple[tuple[int, int], ...]


Outcome = Consistent | Inconsistent[Certificate] | Undecided

__all__ = ["Consistent", "Inconsistent", "Outcome", "Undecided"]
