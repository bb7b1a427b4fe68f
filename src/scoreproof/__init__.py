"""Could any confusion matrices give the scores a paper prints?  Decided exactly, with proof.

>>> import scoreproof
>>> verdict = scoreproof.check({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}})
>>> verdict.status, verdict.count
('consistent', 14)
"""

from typing import TYPE_CHECKING

from scoreproof.package import __getattr__ as __getattr__
from scoreproof.version import __version__ as __version__

if TYPE_CHECKING:
    from scoreproof.api import TIMEOUT, check, explain, reconstruct, verify
    from scoreproof.claim.claim import Claim, Conventions, Reading
    from scoreproof.claim.tree import Averaged, OneOf, Pooled
    from scoreproof.errors import BadClaim, ScoreproofError, UnreadableVerdict
    from scoreproof.interval import Interval
    from scoreproof.printed import Figure, Rounding
    from scoreproof.printed.unreadable import UnreadableScore
    from scoreproof.proof.witness import Witness
    from scoreproof.question.folds import Sample, foldings
    from scoreproof.reading.load import load
    from scoreproof.reading.trees import folds
    from scoreproof.reading.values import figure
    from scoreproof.scores import SCORES, Matrix, Score
    from scoreproof.scores.names import UnknownScore
    from scoreproof.solve.sums.counting import count_foldings
    from scoreproof.verdict import Verdict
    from scoreproof.verifier import NotVerified, OtherClaim

__all__ = [
    "SCORES",
    "TIMEOUT",
    "Attainable",
    "Averaged",
    "BadClaim",
    "Bundle",
    "Claim",
    "Conventions",
    "Dataset",
    "Explanation",
    "Figure",
    "Interval",
    "Matrix",
    "NotReported",
    "NotVerified",
    "OneOf",
    "OtherClaim",
    "Paper",
    "Pasted",
    "Pooled",
    "Power",
    "Reading",
    "Rebuilt",
    "Reconstruction",
    "Reported",
    "Review",
    "Rounding",
    "RowVerdicts",
    "Sample",
    "Scan",
    "Score",
    "ScoreproofError",
    "Simulation",
    "StudyTables",
    "Survey",
    "UnknownScore",
    "UnreadableScore",
    "UnreadableVerdict",
    "Verdict",
    "Witness",
    "assert_reported",
    "audit",
    "bundle",
    "check",
    "check_file",
    "check_frame",
    "count_foldings",
    "dataset",
    "explain",
    "figure",
    "foldings",
    "folds",
    "from_fold_table",
    "from_mlscorecheck",
    "from_report",
    "joint_counts",
    "joint_tables",
    "known_bundles",
    "known_datasets",
    "load",
    "power",
    "read_text",
    "reconstruct",
    "row_verdicts",
    "scan",
    "show_progress",
    "simulate",
    "study_tables",
    "table_sense",
    "tables",
    "tables_file",
    "tables_frame",
    "using_data",
    "verify",
]
