"""Whole tables: every row checked, a summary, and what the rows say together."""

from scoreproof.frames.audits import Audit, audit
from scoreproof.frames.check import RowVerdicts, check_frame, row_verdicts
from scoreproof.frames.reviews import tables_frame
from scoreproof.frames.sense import Sense, table_sense

__all__ = [
    "Audit",
    "RowVerdicts",
    "Sense",
    "audit",
    "check_frame",
    "row_verdicts",
    "table_sense",
    "tables_frame",
]
