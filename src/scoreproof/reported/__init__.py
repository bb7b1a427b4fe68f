"""Printed figures: reading them, and the exact interval each can stand for."""

from scoreproof.reported.figure import LEVELS, Figure, figure, read
from scoreproof.reported.rounding import MEANING, RULES, Rounding, rounding

__all__ = ["LEVELS", "MEANING", "RULES", "Figure", "Rounding", "figure", "read", "rounding"]
