"""The scores: what they mean and how they are computed; ``names`` has what they are called."""

from scoreproof.scores.beyond import RANKING, REGRESSION
from scoreproof.scores.binary import JOINTLY, LEAST_AUC, MOST_AUC, SCORES, halved
from scoreproof.scores.rows import ROWS, sign_of
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
    "JOINTLY",
    "LEAST_AUC",
    "MOST_AUC",
    "ONE",
    "RANKING",
    "REGRESSION",
    "ROWS",
    "SCORES",
    "Betas",
    "Exact",
    "Matrix",
    "Polynomial",
    "Score",
    "halved",
    "inequality",
    "sign_of",
    "zones",
    "zones_undefined",
]
