"""What the averages engine can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.proof.averages import Certificate


@dataclass(frozen=True, slots=True)
class Consistent:
    """These matrices, (tp, tn) per part, hit every target."""

    witness: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Inconsistent:
    """No matrices do, and this proves it."""

    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither was found within the budget."""

    reason: str
    tried: tuple[str, ...]


Outcome = Consistent | Inconsistent | Undecided
