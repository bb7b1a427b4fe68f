"""The flat question about several classes.

An evaluation set has one unknown confusion matrix with a row for every true class.  A figure is
a mean over some of the sets of what it says about one matrix; what it says comes from the
matrices "one class against the rest", or from the whole matrix.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from scoreproof.claim.claim import Reading
from scoreproof.claim.classes import ClassName, How
from scoreproof.claim.tree import F_MEASURES, Classes, Printed
from scoreproof.interval import Interval
from scoreproof.scores import ONE, Betas, Score

#: Scores of a class against the rest that are fractions and cannot exceed 1: their means are decided.
AVERAGED = frozenset(
    {"acc", "sens", "spec", "ppv", "npv", "bacc", "f1", "f1n", "fbp", "fbn", "bm", "mk", "kappa", "ji"}
)
#: Of these, the ones that are a straight line in the number of correct predictions when micro-averaged.
STRAIGHT = AVERAGED - {"ji"}
SEVERAL = "figures about the spread over folds of several classes are not decided"


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


def class_question(reading: Reading, node: Classes) -> tuple[ClassProblem, tuple[str, ...]]:
    """The flat problem of a reading, and remarks about what could not be used."""
    notes: list[str] = []
    targets: list[ClassTarget] = []
    partial = False
    every = tuple(range(len(node.sets)))
    for printed in node.told.scores:
        name = printed.name
        assert isinstance(name, ClassName)
        sets = every if name.at < 0 else (name.at,)
        why = _left_out(reading, node, name, sets)
        if why:
            partial = True
            notes.append(f"{printed.label} was left out: {why}")
            continue
        of_means = (
            reading.conventions.f_mean == "of_means"
            and name.score.name in F_MEASURES
            and name.how in (How.MACRO, How.WEIGHTED)
        )
        targets.append(
            ClassTarget(
                printed.label, name.how, name.score, printed.interval(reading.rounding), sets, name.of, of_means
            )
        )
        notes += _remarks(printed, len(sets))
        partial = partial or (printed.figure.spread is not None and len(sets) > 1)
    for each in node.told.within:
        partial = True
        notes.append(f"what is said about {each.label} within the folds was left out: {SEVERAL}")
    for bound in node.told.bounds:
        partial = True
        notes.append(f"{bound.label} was left out: {SEVERAL}")
    conventions = reading.conventions
    problem = ClassProblem(
        node.names, node.sets, tuple(targets), conventions.undefined, conventions.betas, partial
    )
    return problem, tuple(notes)


def _remarks(printed: Printed, sets: int) -> list[str]:
    figure = printed.figure
    notes = []
    if figure.spread is not None:
        why = SEVERAL if sets > 1 else "one confusion matrix has no spread over parts"
        notes.append(f"the ± of {printed.label} was not used: {why}")
    if figure.confidence is not None:
        notes.append(f"the confidence interval of {printed.label} was not used")
    if printed.name.score.highest is not None and 1 < figure.value <= 100:
        notes.append(
            f"{printed.label} {figure.text.strip()} was read as the number it is; if a percentage "
            "is meant, write it with a % sign"
        )
    return notes


def _left_out(reading: Reading, node: Classes, name: ClassName, sets: tuple[int, ...]) -> str:
    """Why a figure cannot be used; nothing if it can."""
    score = name.score.name
    if node.folds:
        return "the classes of every fold are not known (say stratified: true, or list the folds)"
    if name.how is How.MICRO:
        if len(sets) > 1 and score not in STRAIGHT:
            return f"the mean over folds of a micro-averaged {score} is not decided"
    elif name.how is How.WHOLE:
        if score in ("kappa", "mcc"):
            if len(sets) > 1:
                return f"the mean over folds of {score} is not decided"
            if any(count == sum(node.sets[s]) for s in sets for count in node.sets[s]):
                return f"{score} needs items of at least two classes"
    elif score not in AVERAGED:
        return f"{score} of one class against the rest is not decided"
    if reading.conventions.f_mean == "of_means" and score in F_MEASURES and name.how is not How.CLASS:
        if len(sets) > 1 and name.how is not How.MICRO:
            return "F of means of means is not decided"
        if score in ("f1n", "fbn") and name.how is not How.MICRO:
            return "F of means is decided for the positive classes only"
    return ""
