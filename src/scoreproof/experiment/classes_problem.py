"""The flat question about several classes.

An evaluation set has one unknown confusion matrix with a row for every true class.  A figure is
a mean over some of the sets of what it says about one matrix; what it says comes from the
matrices "one class against the rest", or from the whole matrix.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

from scoreproof.interval import Interval
from scoreproof.metrics import ONE, Betas, Score


class How(Enum):
    """What a figure says about one confusion matrix of several classes."""

    MACRO = "macro"  # the mean of the scores of the classes
    WEIGHTED = "weighted"  # the same, every class with the share of its items
    MICRO = "micro"  # the score of the summed one-against-rest matrices
    CLASS = "class"  # the score of one class against the rest
    WHOLE = "whole"  # acc, bacc, kappa and mcc of the matrix itself


@dataclass(frozen=True, slots=True)
class ClassTarget:
    """A printed figure: the mean over ``sets`` lies in ``interval``.

    ``of`` numbers the class meant by :attr:`How.CLASS`.  With ``of_means`` an F-measure is
    computed from the mean precision and the mean recall of the classes.
    """

    label: str
    how: How
    score: Score
    interval: Interval
    sets: tuple[int, ...] = (0,)
    of: int = 0
    of_means: bool = False


@dataclass(frozen=True, slots=True)
class ClassProblem:
    """Are there confusion matrices, one per evaluation set, that hit every target?

    ``sets[s][c]`` counts the items of class c in evaluation set s.
    """

    names: tuple[str, ...]
    sets: tuple[tuple[int, ...], ...]
    targets: tuple[ClassTarget, ...]
    undefined: str = "impossible"  # | zero | skip
    betas: Betas = ONE
    partial: bool = False  # some figures had to be left out: only a refutation counts

    single: ClassVar[bool] = False

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(target.label for target in self.targets)

    def keeping(self, labels: Collection[str]) -> ClassProblem:
        """The question with only these figures."""
        return replace(self, targets=tuple(each for each in self.targets if each.label in labels))
