"""What an engine can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.budget import OutOfBudget, OutOfTime
from scoreproof.decision import Certificate, Example

NEITHER = "neither an example with these figures nor a proof that there is none was found"


@dataclass(frozen=True, slots=True)
class Fits:
    """An example that gives the figures, and how many there are (at least) where that is known."""

    witness: Example
    count: int | None = None
    count_exact: bool = True


@dataclass(frozen=True, slots=True)
class Refuted:
    """Nothing gives the figures, and this proves it."""

    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Open:
    """Neither was found, and why, in words for whoever asked.

    ``late`` if the clock ran out, ``short`` if the work did; else more of them would change nothing.
    """

    reason: str = NEITHER
    late: bool = False
    short: bool = False

    @staticmethod
    def ended(end: OutOfBudget, reason: str = NEITHER) -> Open:
        """What is said where a search had to stop."""
        late = isinstance(end, OutOfTime)
        return Open(
            f"{reason} {'before the time ran out' if late else 'with the work allowed'}", late, not late
        )


Answer = Fits | Refuted | Open
