"""The scores: what they mean, how they are computed, what they are called."""

from scoreproof.scores.beyond import ALSO, RANKING, REGRESSION
from scoreproof.scores.binary import JOINT, LEAST_AUC, MOST_AUC, ROWS, SCORES
from scoreproof.scores.names import COMPLEMENTS, SYNONYMS, Name, family, look_up, look_up_beyond
from scoreproof.scores.score import (
    ONE,
    Betas,
    Exact,
    Matrix,
    Polynomial,
    Score,
    inequality,
    zones,
    zones_undefined,
)

__all__ = [
    "ALSO",
    "COMPLEMENTS",
    "JOINT",
    "LEAST_AUC",
    "MOST_AUC",
    "ONE",
    "RANKING",
    "REGRESSION",
    "ROWS",
    "SCORES",
    "SYNONYMS",
    "Betas",
    "Exact",
    "Matrix",
    "Name",
    "Polynomial",
    "Score",
    "family",
    "inequality",
    "look_up",
    "look_up_beyond",
    "zones",
    "zones_undefined",
]
