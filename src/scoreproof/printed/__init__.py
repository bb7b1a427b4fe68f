"""Printed figures: reading them, and the exact interval each can stand for."""

from scoreproof.printed.figure import LEVELS, Figure, read
from scoreproof.printed.marks import blank
from scoreproof.printed.rounding import MEANING, RULES, Rounding, rounding

__all__ = ["LEVELS", "MEANING", "RULES", "Figure", "Rounding", "blank", "read", "rounding"]
