"""How much of a table was read: cells compared in their places, after the best shift of rows and columns."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from operator import eq
from typing import TypeVar

Grid = Sequence[Sequence[str]]
T = TypeVar("T")
DASHES = re.compile("[‐‑‒–—―−]")


def same(text: str) -> str:
    """What counts of a text: no spaces, one kind of dash, compatibility forms (ﬁ, ₁) dissolved."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    return re.sub(r"\s+", "", DASHES.sub("-", plain))


def matched(ours: Sequence[T], theirs: Sequence[T], alike: Callable[[T, T], int]) -> list[tuple[int, int]]:
    """Pairs in order that make the sum of ``alike`` greatest."""
    best = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i in range(len(ours) - 1, -1, -1):
        for j in range(len(theirs) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike(ours[i], theirs[j]))
    pairs, i, j = [], 0, 0
    while i < len(ours) and j < len(theirs):
        gain = alike(ours[i], theirs[j])
        if best[i][j] == best[i + 1][j + 1] + gain and (gain or best[i][j] == best[i + 1][j + 1]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def common(one: Sequence[str], other: Sequence[str]) -> int:
    return sum((Counter(one) & Counter(other)).values())


def right(truth: Grid, read: Grid) -> tuple[int, int]:
    """How many cells are right, of how many (cells that should not be there included)."""
    ours = [[same(text) for text in row] for row in truth]
    theirs = [[same(text) for text in row] for row in read]
    size = sum(map(len, ours))
    found = sum(map(len, theirs))
    if [len(row) for row in ours] == [len(row) for row in theirs]:
        return sum(map(eq, chain(*ours), chain(*theirs))), size
    width = max(map(len, theirs), default=0)
    squared = [row + [""] * (width - len(row)) for row in theirs]
    columns = matched(list(zip(*ours, strict=True)), list(zip(*squared, strict=True)), common)

    def agreed(one: Sequence[str], other: Sequence[str]) -> int:
        return sum(one[a] == other[b] for a, b in columns)

    rows = matched(ours, squared, agreed)
    good = sum(agreed(ours[a], squared[b]) for a, b in rows)
    return good, size + max(0, found - size)


def tables(truth: Sequence[Grid], read: Sequence[Grid]) -> tuple[int, int, list[tuple[int | None, int | None]]]:
    """The cells right, the cells in all, and which table was taken for which; one alone is wrong."""
    ways = {(i, j): right(a, b) for i, a in enumerate(truth) for j, b in enumerate(read)}
    pairs = matched(range(len(truth)), range(len(read)), lambda i, j: ways[i, j][0])
    pairs = [(i, j) for i, j in pairs if ways[i, j][0]]
    good = sum(ways[pair][0] for pair in pairs)
    whole = sum(ways[pair][1] for pair in pairs)
    missing = [i for i in range(len(truth)) if i not in {a for a, _ in pairs}]
    extra = [j for j in range(len(read)) if j not in {b for _, b in pairs}]
    alone = [truth[i] for i in missing] + [read[j] for j in extra]
    whole += sum(len(row) for grid in alone for row in grid)
    return good, whole, [*pairs, *((i, None) for i in missing), *((None, j) for j in extra)]
