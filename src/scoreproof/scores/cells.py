"""The counts of a confusion matrix as rows like the scores': printed, they are evidence like any figure.

Each rises or falls with tp and with tn alike, as every score does.  The number of items called positive does
not: it rises with tp and falls with tn, so it stands for the cells it is the sum of.
"""

from __future__ import annotations

from collections.abc import Callable

from scoreproof.scores.score import Matrix, Score


def _row(name: str, title: str, rises: bool, count: Callable[[Matrix], int]) -> Score:
    return Score(name, title, title, lambda m, _: (count(m), 1), highest=None, rises=rises)


# fmt: off
#: What can be counted.
CELLS: dict[str, Score] = {score.name: score for score in (
    _row("tp",    "true positives",             True,  lambda m: m.tp),
    _row("fp",    "false positives",            False, lambda m: m.fp),
    _row("fn",    "false negatives",            False, lambda m: m.fn),
    _row("tn",    "true negatives",             True,  lambda m: m.tn),
    _row("right", "items called what they are", True,  lambda m: m.tp + m.tn),
    _row("wrong", "items called the other",     False, lambda m: m.fp + m.fn),
)}
# fmt: on
