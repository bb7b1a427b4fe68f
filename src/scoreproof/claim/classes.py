"""What figures about several classes are called, and how their items fall into folds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from scoreproof.errors import shorten
from scoreproof.scores.names import Name, UnknownScore, look_up


class How(Enum):
    """What a figure says about one confusion matrix of several classes."""

    MACRO = "macro"  # the mean of the scores of the classes
    WEIGHTED = "weighted"  # the same, every class with the share of its items
    MICRO = "micro"  # the score of the summed one-against-rest matrices
    CLASS = "class"  # the score of one class against the rest
    WHOLE = "whole"  # acc, bacc, kappa and mcc of the matrix itself


#: Scores that the whole matrix has, without a suffix.
WHOLE = ("acc", "bacc", "kappa", "mcc")

SUFFIXES = {"macro": How.MACRO, "weighted": How.WEIGHTED, "micro": How.MICRO}
#: ... and, where something is said of every class against the rest.
OF_BOUNDS = {**SUFFIXES, "class": How.CLASS}


@dataclass(frozen=True, slots=True)
class ClassName(Name):
    """What a printed name stands for where there are several classes."""

    how: How = How.WHOLE
    of: int = 0  # the class, for a figure of one class
    at: int = -1  # the evaluation set the figure is about; -1 is the whole experiment


def average_of(label: str, suffixes: dict[str, How] = SUFFIXES) -> tuple[str, How] | None:
    """What an average over the classes is of, and which it is; None where the name speaks of none.

    >>> average_of("F1-macro"), average_of("accuracy")
    (('f1', <How.MACRO: 'macro'>), None)
    """
    words = label.casefold().replace("-", " ").replace("_", " ").split()
    for place in (-1, 0):  # "f1_macro", "macro F1"
        if len(words) > 1 and words[place] in suffixes:
            rest = " ".join(words[:-1] if place else words[1:])
            rest = rest.removeprefix("avg ").removeprefix("averaged ").removesuffix(" avg")
            return rest, suffixes[words[place]]
    return None


def class_name(label: str, suffixes: dict[str, How] = SUFFIXES) -> ClassName:
    """The score and the kind of average a printed name stands for.

    >>> name = class_name("F1-macro")
    >>> name.score, name.how.value
    (f1, 'macro')
    >>> class_name("balanced accuracy").how.value
    'whole'
    """
    if average := average_of(label, suffixes):
        name = look_up(average[0])
        return ClassName(name.score, name.complement, average[1])
    name = look_up(label)
    if name.score.name in WHOLE:
        return ClassName(name.score, name.complement)
    words = label.casefold().replace("-", " ").replace("_", " ").split()
    short = words[0] if len(words) == 1 else name.score.name
    choices = ", ".join(f"{shorten(short, 20)}_{suffix}" for suffix in SUFFIXES)
    raise UnknownScore(
        f"{shorten(label)!r} can be several averages over the classes; write {choices}, or put it under "
        '"per_class"'
    )
