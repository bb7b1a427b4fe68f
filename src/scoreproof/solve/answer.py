"""What an engine can answer."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.decision import Certificate, Example


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
    """Neither was found: why, and what was tried; ``late`` if the clock ran out."""

    reason: str
    tried: tuple[str, ...] = ()
    late: bool = False

    def __str__(self) -> str:
        return f"{self.reason} (tried: {', '.join(self.tried)})" if self.tried else self.reason


Answer = Fits | Refuted | Open
