"""How much each turn of search and proof may do, by the kind of parts."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.proof.sums.model import Shape

KNOWN, FOLD, CLASS = Shape.KNOWN, Shape.FOLD, Shape.CLASS


@dataclass(frozen=True, slots=True)
class Round:
    """What one round may do: tails looked up, batches drawn, work of branching; foldings tried, tilt."""

    tails: int
    batches: int
    work: int
    tries: int = 0
    lively: float = 0.0


ROUNDS = {
    KNOWN: (
        Round(1_500, 4, 20_000_000),
        Round(40_000, 30, 100_000_000),
        Round(150_000, 120, 600_000_000),
        Round(400_000, 200, 1_500_000_000),
        Round(400_000, 400, 3_000_000_000),
        Round(1_000_000, 1_000, 6_000_000_000),
        Round(1_000_000, 5_000, 30_000_000_000),
    ),
    FOLD: (
        Round(20_000, 4, 60_000_000, 12, 0.5),
        Round(60_000, 12, 200_000_000, 24, 1.0),
        Round(60_000, 12, 200_000_000, 24, 0.0),
        Round(150_000, 40, 800_000_000, 60, 0.5),
        Round(150_000, 60, 800_000_000, 60, 1.0),
        Round(300_000, 100, 3_000_000_000, 120, 0.2),
        Round(600_000, 200, 6_000_000_000, 240, 0.7),
        Round(600_000, 200, 6_000_000_000, 240, 0.0),
    ),
    CLASS: (
        Round(0, 1, 20_000_000),
        Round(0, 2, 150_000_000),
        Round(0, 4, 500_000_000),
        Round(0, 8, 1_500_000_000),
        Round(0, 16, 3_000_000_000),
        Round(0, 32, 9_000_000_000),
        Round(0, 64, 30_000_000_000),
    ),
}
