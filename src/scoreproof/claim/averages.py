"""Precision, recall and F1 of two classes may be averages over both.

These are words of scikit-learn and WEKA, which also print the averages over the classes, and papers copy
them.  Sensitivity and PPV are always those of the positive class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scoreproof.claim.confidence import of_one_matrix
from scoreproof.claim.conventions import Reading, Way
from scoreproof.claim.tree import AnyFolding, Averaged, Leaf, Node, Pooled, Printed, every_figure
from scoreproof.errors import BadClaim
from scoreproof.scores.averages import AVERAGED, NEVER

#: The names under which averages are printed, without spaces, hyphens and underscores.
WORDS = frozenset({"precision", "recall", "f1", "f1score", "fscore", "fmeasure", "f1measure"})
#: Scores that are the same for both classes.
OF_BOTH = frozenset({"acc", "bacc", "mcc", "kappa", "gm", "bm", "mk", "upm", "auc", "gini"})


def averages(reading: Reading) -> list[Way]:
    """Precision, recall and F1 may be averages over both classes."""
    if "averages" in reading.conventions.stated or _why_not(reading.experiment):
        return []
    node = reading.experiment
    never = of_one_matrix(node) and any(printed.name.score.name == "ppv" for printed in every_figure(node))
    return [("averages", how, _over_both(how)) for how in AVERAGED if never or not how.endswith(NEVER)]


def _over_both(how: str) -> Callable[[Reading], Reading]:
    return lambda reading: replace(reading, conventions=replace(reading.conventions, averages=how))


def ask_averages(node: Node) -> None:
    """Refuse stated averages where they are not decided."""
    if (label := _why_not(node)) is not None:
        raise BadClaim(
            "conventions.averages",
            f"{label} is no average over both classes; it goes with precision, recall and F1 of two classes",
        )


def _why_not(node: Node) -> str | None:
    """The figure, or the lack of one, that speaks against averages over both classes; None if nothing does."""
    if not isinstance(node, (Leaf, Pooled, Averaged, AnyFolding)) and not of_one_matrix(node):
        return "a figure of this experiment"
    figures = list(every_figure(node))
    rest = [printed for printed in figures if printed.name.score.name not in OF_BOTH]
    if not rest:
        return "none of the figures"
    return next((printed.label for printed in rest if not _can_be(printed)), None)


def _can_be(printed: Printed) -> bool:
    return of_both(printed.label) and printed.figure.confidence is None and printed.figure.fraction is None


def of_both(label: str) -> bool:
    """Whether averages over both classes go by this name."""
    return label.casefold().translate({ord(mark): None for mark in " -_"}) in WORDS
