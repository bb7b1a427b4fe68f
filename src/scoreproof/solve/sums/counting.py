"""How many foldings there are, without listing them.

>>> count_foldings(38, 262, 5, condition="both-classes")
918
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scoreproof.errors import BadClaim
from scoreproof.question.folds import Sizes, each_size, fold_sizes

Condition = Literal["any", "two-folds", "both-classes"]


def _multisets(parts: int, cap: int, top: int) -> list[int]:
    """How many multisets of so many numbers in 0..cap have the sum 0, 1, …, top.

    These are the coefficients of the Gaussian binomial ``∏ (1-x^(cap+i)) / (1-x^i)``.
    """
    ways = [0] * (top + 1)
    if cap < 0:
        ways[0] = int(parts == 0)
        return ways
    ways[0] = 1
    # the coefficients are the same with cap and parts exchanged; the fewer factors, the sooner
    parts, cap = min(parts, cap), max(parts, cap)
    for i in range(1, parts + 1):
        for total in range(top, cap + i - 1, -1):
            ways[total] -= ways[total - cap - i]
        for total in range(i, top + 1):
            ways[total] += ways[total - i]
    return ways


def count_foldings(p: int, n: int, k: int, *, condition: Condition, sizes: Sizes = ()) -> int:
    """How many foldings there are, without listing them.

    ``any``: sizes differ by at most one, unless ``sizes`` are given; ``two-folds``: and each class
    appears in at least two folds; ``both-classes``: and every fold has both classes.

    >>> count_foldings(30, 300, 5, condition="any"), count_foldings(30, 300, 5, condition="two-folds")
    (674, 673)
    """
    if condition not in ("any", "two-folds", "both-classes"):
        raise BadClaim("condition", "expected 'any', 'two-folds' or 'both-classes'")
    least = int(condition == "both-classes")
    sizes = sizes or fold_sizes(p, n, k)
    top = p - least * k
    if top < 0:
        return 0
    ways, *others = [_multisets(many, size - 2 * least, top) for size, many in sizes]
    # folds of the sizes so far hold i of the positives, those of the next size the others
    for place, more in enumerate(others, 1):
        sums = range(top + 1) if place < len(others) else [top]
        ways = [sum(ways[i] * more[total - i] for i in range(total + 1)) for total in sums]
    return ways[-1] - len(_alone(p, n, k, each_size(sizes))) if condition == "two-folds" else ways[-1]


def _alone(p: int, n: int, k: int, sizes: Sequence[int]) -> set[tuple[tuple[int, int], ...]]:
    """The foldings that put all of a class with several items into one of several folds."""
    found = set()
    for count, flip in ((p, False), (n, True)):
        if count < 2 or k < 2:
            continue
        for place, size in enumerate(sizes):
            if count <= size:
                inside = [(count if i == place else 0) for i in range(k)]
                pairs = [(x, s - x) for x, s in zip(inside, sizes, strict=True)]
                found.add(tuple(sorted((b, a) if flip else (a, b) for a, b in pairs)))
    return found
