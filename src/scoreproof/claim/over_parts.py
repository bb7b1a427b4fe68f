"""Figures that are no means over the folds: medians, the largest, quartiles or a range in parentheses.

"0.85 (0.82-0.88)" with ``aggregate: median`` and ``limits: quartiles`` is a median with its quartiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from scoreproof.claim.tree import AnyFolding, Averaged, Node, Pooled, Printed, Told, Within, size
from scoreproof.question.folds import Sample

#: Ways to aggregate that are statistics of the scores of the folds.
STATISTICS = ("median", "max", "min")
#: By rule, where the first quartile of n numbers in order stands: (a, b) for a place of (a·n + b)/4.
QUARTILES: dict[str, Callable[[int], tuple[int, int]]] = {
    "linear":  lambda n: (1, 3),                                    # numpy, R, Excel's QUARTILE.INC
    "weibull": lambda n: (1, 1),                                    # SPSS, Minitab, Excel's QUARTILE.EXC
    "hazen":   lambda n: (1, 2),                                    # MATLAB
    "average": lambda n: (0, n + 2 if n % 4 == 0 else n + -n % 4),  # SAS, Stata
    "hinges":  lambda n: (0, 2 * ((n + 1) // 2) + 2),               # Tukey: halves that share the middle
    "halves":  lambda n: (0, 2 * (n // 2) + 2),                     # halves without the middle
}  # fmt: skip
#: What two numbers in parentheses are, beside a confidence interval: the words of the two statistics.
LIMITS = {"quartiles": ("q1", "q3"), "range": ("min", "max")}


def as_statistic(told: Told, word: str) -> Told:
    """What is told, with every score as such a statistic over the parts."""
    found = tuple(Within(p.name, p.label, ((word, _called(p, word)),)) for p in told.scores)
    return replace(told, scores=(), within=told.within + found)


def with_limits(told: Told, meaning: str) -> Told:
    """What is told, with the numbers in parentheses as statistics over the parts."""
    if meaning not in LIMITS:
        return told
    found = tuple(_between(printed, LIMITS[meaning]) for printed in told.scores if printed.figure.confidence)
    scores = tuple(replace(p, figure=replace(p.figure, confidence=None)) for p in told.scores)
    return replace(told, scores=scores, within=told.within + found)


def _between(printed: Printed, words: tuple[str, str]) -> Within:
    limits = printed.figure.confidence
    assert limits is not None
    figures = (
        (word, _called(replace(printed, figure=each), word)) for word, each in zip(words, limits, strict=True)
    )
    return Within(printed.name, printed.label, tuple(figures))


def _called(printed: Printed, word: str) -> Printed:
    return replace(printed, label=f"{word} {printed.label}")


def one_fold(node: Node) -> Iterator[Sample]:
    """Every different make-up that one of the folds can have."""
    match node:
        case Averaged(parts=parts) | Pooled(parts=parts):
            yield from dict.fromkeys(map(size, parts))
        case AnyFolding(sample=Sample(p, n)):
            for items, _ in node.folding.sizes:
                yield from (Sample(own, items - own) for own in range(max(0, items - n), min(p, items) + 1))
