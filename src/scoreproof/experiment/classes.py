"""What figures about several classes are called, and the flat question they make."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.errors import UnknownScore, shorten
from scoreproof.experiment.claim import Reading
from scoreproof.experiment.classes_problem import ClassProblem, ClassTarget, How
from scoreproof.experiment.tree import F_MEASURES, Classes, Printed
from scoreproof.metrics import Name, look_up

#: Scores of a class against the rest that are fractions and cannot exceed 1: their means are decided.
AVERAGED = frozenset(
    {"acc", "sens", "spec", "ppv", "npv", "bacc", "f1", "f1n", "fbp", "fbn", "bm", "mk", "kappa", "ji"}
)
#: Of these, the ones that are a straight line in the number of correct predictions when micro-averaged.
STRAIGHT = AVERAGED - {"ji"}
#: Scores that the whole matrix has, without a suffix.
WHOLE = ("acc", "bacc", "kappa", "mcc")

SUFFIXES = {"macro": How.MACRO, "weighted": How.WEIGHTED, "micro": How.MICRO}


@dataclass(frozen=True, slots=True)
class ClassName(Name):
    """What a printed name stands for where there are several classes."""

    how: How = How.WHOLE
    of: int = 0  # the class, for a figure of one class
    at: int = -1  # the evaluation set the figure is about; -1 is the whole experiment


def class_name(label: str) -> ClassName:
    """The score and the kind of average a printed name stands for.

    >>> name = class_name("F1-macro")
    >>> name.score, name.how.value
    (f1, 'macro')
    >>> class_name("balanced accuracy").how.value
    'whole'
    """
    words = label.casefold().replace("-", " ").replace("_", " ").split()
    for place in (-1, 0):  # "f1_macro", "macro F1"
        if len(words) > 1 and words[place] in SUFFIXES:
            rest = " ".join(words[:-1] if place else words[1:])
            rest = " ".join(rest.removeprefix("avg ").removeprefix("averaged ").removesuffix(" avg").split())
            name = look_up(rest)
            return ClassName(name.score, name.complement, SUFFIXES[words[place]])
    name = look_up(label)
    if name.score.name in WHOLE:
        return ClassName(name.score, name.complement)
    short = words[0] if len(words) == 1 else name.score.name
    choices = ", ".join(f"{shorten(short, 20)}_{suffix}" for suffix in SUFFIXES)
    raise UnknownScore(
        f"{shorten(label)!r} can be several averages over the classes; write {choices}, or put it under "
        '"per_class"'
    )


def stratified_sets(counts: tuple[int, ...], k: int) -> tuple[tuple[int, ...], ...]:
    """The folds of scikit-learn's StratifiedKFold, if the classes first appear in the given order.

    All items, sorted by class, are dealt out to the folds in turn.

    >>> stratified_sets((7, 11, 3), 3)
    ((3, 3, 1), (2, 4, 1), (2, 4, 1))
    """
    sets = []
    for fold in range(k):
        first = 0
        row = []
        for count in counts:
            # positions first … first + count - 1 that leave the remainder `fold`
            row.append((first + count - 1 - fold) // k - (first - 1 - fold) // k)
            first += count
        sets.append(tuple(row))
    return tuple(sets)


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


SEVERAL = "figures about the spread over folds of several classes are not decided"


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
