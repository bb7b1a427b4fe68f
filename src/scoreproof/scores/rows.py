"""Every row an engine may meet, by name."""

from __future__ import annotations

from scoreproof.scores.averages import AVERAGED, NEVER
from scoreproof.scores.beyond import BEYOND
from scoreproof.scores.binary import HALF, INSIDE, JOINT, LEAST_AUC, MOST_AUC, SCORES
from scoreproof.scores.cells import CELLS
from scoreproof.scores.score import Score

_AVERAGED = [row for how, rows in AVERAGED.items() for row in rows.values() if not how.endswith(NEVER)]
#: The scores, their variants that parts of an average may have, cells, and the bounds on AUC.
ROWS: dict[str, Score] = (
    SCORES | CELLS | {score.name: score for score in (*JOINT.values(), *_AVERAGED, LEAST_AUC, MOST_AUC)}
)


def by_name(name: str) -> Score:
    """The row of a score, by its short name."""
    plain, _, variant = name.partition("|")
    if variant in ("half", "inside"):
        return (HALF if variant == "half" else INSIDE)[plain]
    if variant.endswith(NEVER):
        return AVERAGED[variant][plain]
    return ROWS[name] if name in ROWS else BEYOND[name]


def sign_of(score: Score) -> Score:
    """The score, bounded by a straight line at zero, that has the sign of a signed one."""
    _, mark, variant = score.name.partition("|")
    return by_name(f"bm{mark}{variant}")
