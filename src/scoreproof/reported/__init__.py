"""Printed figures: reading them, and the exact interval each can stand for."""

from scoreproof.reported.figure import Figure, figure, read
from scoreproof.reported.rounding import MEANING, RULES, Rounding, rounding

__all__ = ["MEANING", "RULES", "Figure", "Rounding", "figure", "read", "rounding"]
