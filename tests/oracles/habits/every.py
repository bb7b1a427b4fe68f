"""All habits, by importing the modules that hold them."""

from __future__ import annotations

from . import intervals, one_set, others, over_folds
from .registry import HABITS, Claim, Habit, seeded

__all__ = ["HABITS", "Claim", "Habit", "intervals", "one_set", "others", "over_folds", "seeded"]
