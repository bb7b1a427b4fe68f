"""What the engines for averages and for unknown foldings can answer besides a witness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Proof = TypeVar("Proof")


@dataclass(frozen=True, slots=True)
class Inconsistent(Generic[Proof]):
    """No matrices give the figures, and this proves it."""

    certificate: Proof


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither a witness nor a proof was found within the budget."""

    reason: str
    tried: tuple[str, ...]


#: Counts beyond this are not held exactly by the floats that steer the search over several parts.
LARGEST_PART = 2**50
TOO_LARGE = Undecided(f"averages over parts with more than {LARGEST_PART} items of a class are not decided", ())
