"""The scores: what they mean, how they are computed, what they are called."""

from scoreproof.metrics.binary import (
    JOINT,
    ONE,
    ROWS,
    SCORES,
    Betas,
    Exact,
    Matrix,
    Polynomial,
    Score,
    inequality,
    zones,
    zones_undefined,
)
from scoreproof.metrics.names import COMPLEMENTS, SYNONYMS, Name, look_up

__all__ = [
    "COMPLEMENTS",
    "JOINT",
    "ONE",
    "ROWS",
    "SCORES",
    "SYNONYMS",
    "Betas",
    "Exact",
    "Matrix",
    "Name",
    "Polynomial",
    "Score",
    "inequality",
    "look_up",
    "zones",
    "zones_undefined",
]
