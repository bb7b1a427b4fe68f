"""What every engine can answer besides a witness of its own kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from scoreproof.proof.verdict import Example

#: Counts beyond this are not held exactly by the floats that steer the averages engine.
LARGEST_PART = 2**50

Proof = TypeVar("Proof")


@dataclass(frozen=True, slots=True)
class Found:
    """An example that gives the figures, and how many there are where that is known."""

    witness: Example
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Inconsistent(Generic[Proof]):
    """No matrices give the figures, and this proves it."""

    certificate: Proof


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither a witness nor a proof was found within the budget."""

    reason: str
    tried: tuple[str, ...]
