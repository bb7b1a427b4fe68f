"""Whole tables: every row checked, a summary, and what the rows say together."""

from scoreproof.frames.sense import Sense, table_sense
from scoreproof.frames.audits import Audit, audit
from scoreproof.frames.check import check_frame

__all__ = ["Audit", "Sense", "audit", "check_frame", "table_sense"]
