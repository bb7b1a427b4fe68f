"""The scores: what they mean, how they are computed, what they are called."""

from scoreproof.scores.averages import AVERAGED, NEVER
from scoreproof.scores.beyond import ALSO, RANKING, REGRESSION
from scoreproof.scores.binary import HALF, INSIDE, JOINT, LEAST_AUC, MOST_AUC, SCORES, halved
from scoreproof.scores.cells import CALLED, CELLS, SHARE_OF, cell
from scoreproof.scores.names import COMPLEMENTS, SYNONYMS, Name, family, look_up, look_up_beyond
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
    "ALSO",
    "AVERAGED",
    "CALLED",
    "CELLS",
    "COMPLEMENTS",
    "HALF",
    "INSIDE",
    "JOINT",
    "LEAST_AUC",
    "MOST_AUC",
    "NEVER",
    "ONE",
    "RANKING",
    "REGRESSION",
    "ROWS",
    "SCORES",
    "SHARE_OF",
    "SYNONYMS",
    "Betas",
    "Exact",
    "Matrix",
    "Name",
    "Polynomial",
    "Score",
    "cell",
    "family",
    "halved",
    "inequality",
    "look_up",
    "look_up_beyond",
    "sign_of",
    "zones",
    "zones_undefined",
]
