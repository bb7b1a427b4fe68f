"""Every ranking of a few items, with ties: groups (positives, negatives) from the top down."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from scoreproof.scores import Matrix

Groups = tuple[tuple[int, int], ...]


def rankings(p: int, n: int) -> Iterator[Groups]:
    """All of them, each once."""
    if not p and not n:
        yield ()
    for a in range(p + 1):
        for b in range(n + 1):
            if a or b:
                for rest in rankings(p - a, n - b):
                    yield ((a, b), *rest)


def auc_by_pairs(groups: Groups) -> Fraction:
    """The share of pairs whose positive stands higher, ties half: pair by pair."""
    positives = [level for level, (a, _) in enumerate(groups) for _ in range(a)]
    negatives = [level for level, (_, b) in enumerate(groups) for _ in range(b)]
    halves = sum(2 if x < y else int(x == y) for x in positives for y in negatives)
    return Fraction(halves, 2 * len(positives) * len(negatives))


def average_precision(groups: Groups) -> Fraction:
    """Σ (recall gained)·(precision), threshold by threshold."""
    p = sum(a for a, _ in groups)
    total, tp, called = Fraction(0), 0, 0
    for a, b in groups:
        tp, called = tp + a, called + a + b
        total += Fraction(a, p) * Fraction(tp, called)
    return total


def matrices(groups: Groups) -> list[Matrix]:
    """The matrix of every threshold, "none called positive" included."""
    p, n = sum(a for a, _ in groups), sum(b for _, b in groups)
    found, tp, fp = [Matrix(0, 0, p, n)], 0, 0
    for a, b in groups:
        tp, fp = tp + a, fp + b
        found.append(Matrix(tp, fp, p - tp, n - fp))
    return found


@lru_cache(maxsize=64)
def everything(p: int, n: int) -> list[tuple[Fraction, Fraction, frozenset[Matrix]]]:
    """(AUC, average precision, matrices) of all rankings; equal rows once."""
    rows = {(auc_by_pairs(g), average_precision(g), frozenset(matrices(g))) for g in rankings(p, n)}
    return sorted(rows, key=lambda row: (row[0], row[1], sorted(row[2])))
