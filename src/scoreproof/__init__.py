"""Could any confusion matrices give the scores a paper prints?  Decided exactly, with proof.

>>> import scoreproof
>>> verdict = scoreproof.check({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}})
>>> verdict.status, verdict.count
('consistent', 14)
"""

import logging
from importlib import import_module
from typing import Any

from scoreproof.api import TIMEOUT, check, explain, reconstruct, verify
from scoreproof.claim.claim import Claim, Conventions, Reading
from scoreproof.claim.folds import Sample, count_foldings, foldings
from scoreproof.claim.tree import Averaged, OneOf, Pooled, folds
from scoreproof.errors import (
    BadClaim,
    NotVerified,
    OtherClaim,
    ScoreproofError,
    UnknownScore,
    UnreadableScore,
    UnreadableVerdict,
)
from scoreproof.interval import Interval
from scoreproof.printed import Figure, Rounding
from scoreproof.proof.decision import Witness
from scoreproof.reading.load import load
from scoreproof.reading.values import figure
from scoreproof.scores import SCORES, Matrix, Score
from scoreproof.verdict import Verdict

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
    "NotVerified",
    "OneOf",
    "OtherClaim",
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
    "Dataset": "scoreproof.reading.datasets",
    "dataset": "scoreproof.reading.datasets",
    "known_datasets": "scoreproof.reading.datasets",
    "using_data": "scoreproof.reading.datasets",
    "audit": "scoreproof.frames",
    "check_file": "scoreproof.batch",
    "check_frame": "scoreproof.frames",
    "RowVerdicts": "scoreproof.frames",
    "row_verdicts": "scoreproof.frames",
    "table_sense": "scoreproof.frames",
    "Paper": "scoreproof.studies.power",
    "Power": "scoreproof.studies.power",
    "Simulation": "scoreproof.studies.simulation",
    "power": "scoreproof.studies.power",
    "tables": "scoreproof.rebuild",
    "Explanation": "scoreproof.insight.explanation",
    "from_report": "scoreproof.reading.report",
    "simulate": "scoreproof.studies.simulation",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'scoreproof' has no attribute {name!r}")
    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


__all__ += _LATER
