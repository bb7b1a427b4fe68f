"""What the engine for unknown foldings can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.experiment.problem import Sample
from scoreproof.proof.foldings import Certificate


@dataclass(frozen=True, slots=True)
class Consistent:
    """These folds, and these matrices (tp, tn) per part, hit every target."""

    folds: tuple[tuple[Sample, ...], ...]
    witness: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Inconsistent:
    """No folding and no matrices do, and this proves it."""

    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither was found within the budget."""

    reason: str
    tried: tuple[str, ...]


Outcome = Consistent | Inconsistent | Undecided
