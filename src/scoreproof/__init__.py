"""Could any confusion matrices give the scores a paper prints?  Decided exactly, with proof.

>>> import scoreproof
>>> verdict = scoreproof.check({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}})
>>> verdict.status, verdict.count
('consistent', 14)
"""

import logging
from importlib import import_module
from typing import Any

from scoreproof.api import TIMEOUT, check, explain, reconstruct
from scoreproof.errors import BadClaim, ScoreproofError, UnknownScore, UnreadableScore, UnreadableVerdict
from scoreproof.experiment.claim import Claim, Conventions, Reading
from scoreproof.experiment.foldings import count_foldings, foldings
from scoreproof.experiment.loading import load
from scoreproof.experiment.problem import Sample
from scoreproof.experiment.tree import Averaged, OneOf, Pooled, folds
from scoreproof.interval import Interval
from scoreproof.metrics import SCORES, Matrix, Score
from scoreproof.proof.verdict import Verdict, Witness
from scoreproof.proof.verify import verify
from scoreproof.reported import Figure, Rounding, figure

__version__ = "0.1.0"

__all__ = [
    "SCORES",
    "TIMEOUT",
    "Averaged",
    "BadClaim",
    "Claim",
    "Conventions",
    "Figure",
    "Interval",
    "Matrix",
    "OneOf",
    "Pooled",
    "Reading",
    "Rounding",
    "Sample",
    "Score",
    "ScoreproofError",
    "UnknownScore",
    "UnreadableScore",
    "UnreadableVerdict",
    "Verdict",
    "Witness",
    "check",
    "count_foldings",
    "explain",
    "figure",
    "foldings",
    "folds",
    "load",
    "reconstruct",
    "verify",
]

logging.getLogger("scoreproof").addHandler(logging.NullHandler())

#: Public names whose modules are imported when they are first used, so that the import stays light.
_LATER: dict[str, str] = {
    "Bundle": "scoreproof.bundles",
    "Survey": "scoreproof.bundles",
    "bundle": "scoreproof.bundles",
    "known_bundles": "scoreproof.bundles",
    "Attainable": "scoreproof.insight.reconstruction",
    "Rebuilt": "scoreproof.rebuild",
    "Reconstruction": "scoreproof.insight.reconstruction",
    "Dataset": "scoreproof.experiment.datasets",
    "dataset": "scoreproof.experiment.datasets",
    "known_datasets": "scoreproof.experiment.datasets",
    "using_data": "scoreproof.experiment.datasets",
    "audit": "scoreproof.frames",
    "check_file": "scoreproof.batch",
    "check_frame": "scoreproof.frames",
    "table_sense": "scoreproof.frames",
    "Paper": "scoreproof.power_analysis",
    "Power": "scoreproof.power_analysis",
    "Simulation": "scoreproof.simulation",
    "power": "scoreproof.power_analysis",
    "tables": "scoreproof.rebuild",
    "Explanation": "scoreproof.insight.explanation",
    "from_report": "scoreproof.experiment.report",
    "simulate": "scoreproof.simulation",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'scoreproof' has no attribute {name!r}")
    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


__all__ += _LATER
