"""The public names of the package, each imported when it is first used."""

from __future__ import annotations

import sys
from typing import Any

from scoreproof.missing import told


def __getattr__(name: str) -> Any:
    """A public name whose module is imported when it is first used, so that the import stays light."""
    with told(f"scoreproof.{name}"):
        found = _named(name)
    sys.modules["scoreproof"].__dict__[name] = found  # the next time it is not looked for
    return found


def _named(name: str) -> Any:  # cc: one case for each module
    match name:
        case "TIMEOUT" | "check" | "explain" | "reconstruct" | "verify":
            from scoreproof import api

            return getattr(api, name)
        case "Claim" | "Conventions" | "Reading":
            from scoreproof.claim import claim

            return getattr(claim, name)
        case "Averaged" | "OneOf" | "Pooled":
            from scoreproof.claim import tree

            return getattr(tree, name)
        case "BadClaim" | "ScoreproofError" | "UnreadableVerdict":
            from scoreproof import errors

            return getattr(errors, name)
        case "Interval":
            from scoreproof.interval import Interval

            return Interval
        case "Figure" | "Rounding":
            from scoreproof import printed

            return getattr(printed, name)
        case "UnreadableScore":
            from scoreproof.printed.unreadable import UnreadableScore

            return UnreadableScore
        case "Witness":
            from scoreproof.proof.witness import Witness

            return Witness
        case "Sample" | "foldings":
            from scoreproof.question import folds

            return getattr(folds, name)
        case "load":
            from scoreproof.reading.load import load

            return load
        case "folds":
            from scoreproof.reading import trees

            return trees.folds
        case "figure":
            from scoreproof.reading.values import figure

            return figure
        case "SCORES" | "Matrix" | "Score":
            from scoreproof import scores

            return getattr(scores, name)
        case "UnknownScore":
            from scoreproof.scores.names import UnknownScore

            return UnknownScore
        case "count_foldings":
            from scoreproof.solve.sums.counting import count_foldings

            return count_foldings
        case "Verdict":
            from scoreproof.verdict import Verdict

            return Verdict
        case "NotVerified" | "OtherClaim":
            from scoreproof import verifier

            return getattr(verifier, name)
        case "Bundle" | "Survey" | "bundle" | "known_bundles":
            from scoreproof import bundles

            return getattr(bundles, name)
        case "Dataset" | "dataset" | "known_datasets" | "using_data":
            from scoreproof.reading import datasets

            return getattr(datasets, name)
        case "Pasted" | "read_text":
            from scoreproof.reading import pasting

            return getattr(pasting, name)
        case "from_report":
            from scoreproof.reading.report import from_report

            return from_report
        case "from_mlscorecheck":
            from scoreproof.reading.mlscorecheck import from_mlscorecheck

            return from_mlscorecheck
        case "from_fold_table":
            from scoreproof.reading.tables.folds import from_fold_table

            return from_fold_table
        case "Explanation":
            from scoreproof.insight.explanation import Explanation

            return Explanation
        case "Attainable" | "Reconstruction":
            from scoreproof.insight import reconstruction

            return getattr(reconstruction, name)
        case "Rebuilt" | "tables":
            from scoreproof import rebuild

            return getattr(rebuild, name)
        case "StudyTables" | "study_tables":
            from scoreproof.reviews import study

            return getattr(study, name)
        case "JointCounts" | "joint_counts" | "joint_tables":
            from scoreproof.reviews import joint

            return getattr(joint, name)
        case "Review":
            from scoreproof.reviews.review import Review

            return Review
        case "RowVerdicts" | "audit" | "check_frame" | "row_verdicts" | "table_sense" | "tables_frame":
            from scoreproof import frames

            return getattr(frames, name)
        case "check_file" | "tables_file":
            from scoreproof import batch

            return getattr(batch, name)
        case "Scan" | "scan":
            from scoreproof.papers import scanning

            return getattr(scanning, name)
        case "Paper" | "Power" | "power":
            from scoreproof.studies import power

            return getattr(power, name)
        case "load_ipython_extension" | "show_progress":
            from scoreproof import notebooks

            return getattr(notebooks, name)
        case "NotReported" | "Reported" | "assert_reported":
            from scoreproof.aggregate import reported

            return getattr(reported, name)
        case "Simulation" | "simulate":
            from scoreproof.studies import simulation

            return getattr(simulation, name)
        case _:
            raise AttributeError(f"module 'scoreproof' has no attribute {name!r}")
