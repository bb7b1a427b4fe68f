"""The counts of a confusion matrix as rows like the scores': printed, they are evidence like any figure.

Each rises or falls with tp and with tn alike, as every score does.  The number of items called positive does
not: it rises with tp and falls with tn, so it stands for the cells it is the sum of.
"""

from __future__ import annotations

from collections.abc import Callable

from scoreproof.scores.score import Matrix, Polynomial, Score


def _row(
    name: str, title: str, count: Callable[[Matrix], int], line: Callable[[int, int], tuple[int, int, int]]
) -> Score:
    def numerator(p: int, n: int, _: object) -> Polynomial:
        return (0, 0, 0, *line(p, n))

    return Score(
        name,
        title,
        title,
        lambda m, _: (count(m), 1),
        numerator,
        lambda p, n, _: (0, 0, 0, 0, 0, 1),
        highest=None,
        rises=min(line(0, 0)) >= 0,
    )


# fmt: off
#: What can be counted, as the factors of tp and tn and the constant.
CELLS: dict[str, Score] = {score.name: score for score in (
    _row("tp",     "true positives",   lambda m: m.tp,        lambda p, n: (1, 0, 0)),
    _row("fp",     "false positives",  lambda m: m.fp,        lambda p, n: (0, -1, n)),
    _row("fn",     "false negatives",  lambda m: m.fn,        lambda p, n: (-1, 0, p)),
    _row("tn",     "true negatives",   lambda m: m.tn,        lambda p, n: (0, 1, 0)),
    _row("right",  "items called what they are", lambda m: m.tp + m.tn, lambda p, n: (1, 1, 0)),
    _row("wrong",  "items called the other",     lambda m: m.fp + m.fn, lambda p, n: (-1, -1, p + n)),
)}

#: The counts a share such as 59/60 is made of: those that count, and the rest.
SHARE_OF: dict[str, tuple[str, str]] = {
    "acc": ("right", "wrong"), "sens": ("tp", "fn"), "spec": ("tn", "fp"),
    "ppv": ("tp", "fp"), "npv": ("tn", "fn"), "ji": ("tp", "wrong"),
}
#: The cells that items called positive, or negative, add up from.
CALLED: dict[str, tuple[str, str]] = {"predicted_positive": ("tp", "fp"), "predicted_negative": ("fn", "tn")}

#: Other names of what a matrix says.
ALSO_CALLED: dict[str, tuple[str, ...]] = {
    "tp": ("true positive", "true positives", "true pos"),
    "fp": ("false positive", "false positives", "false pos"),
    "fn": ("false negative", "false negatives", "false neg"),
    "tn": ("true negative", "true negatives", "true neg"),
    "predicted_positive": ("predicted positives", "called positive", "test positive", "test positives"),
    "predicted_negative": ("predicted negatives", "called negative", "test negative", "test negatives"),
}
# fmt: on
_NAMES = {
    "".join(filter(str.isalnum, spelling)): name
    for name, others in ALSO_CALLED.items()
    for spelling in (name, *others)
}


def cell(name: object) -> str | None:
    """What a matrix calls the count that goes by this name; None if it is none.

    >>> cell("True positives"), cell("TPR")
    ('tp', None)
    """
    return _NAMES.get("".join(filter(str.isalnum, name.casefold()))) if isinstance(name, str) else None
