"""The scores as plain data, for whoever lists them."""

from __future__ import annotations

from typing import Any

from scoreproof.scores import RANKING, REGRESSION, SCORES
from scoreproof.scores.names import ALSO, COMPLEMENTS, SYNONYMS


def listing() -> list[dict[str, Any]]:
    """One row per score: name, title, formula, range, synonyms, complements."""
    return [
        {
            "name": score.name,
            "title": score.title,
            "formula": score.formula,
            "range": [None if end is None else str(end) for end in (score.lowest, score.highest)],
            "synonyms": list(SYNONYMS.get(score.name) or ALSO.get(score.name, ())),
            "complements": list(COMPLEMENTS.get(score.name, ())),
        }
        for score in (*SCORES.values(), *RANKING.values(), *REGRESSION.values())
    ]
