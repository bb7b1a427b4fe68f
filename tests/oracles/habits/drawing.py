"""Matrices of believable classifiers, and figures as they are printed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .computing import SCORES, Counts

#: Sets of scores that papers print together.
TOGETHER = (
    ("acc", "sens", "spec"),
    ("acc", "sens", "spec", "ppv", "npv"),
    ("acc", "ppv", "sens", "f1"),
    ("sens", "spec", "f1"),
    ("acc", "sens", "spec", "mcc"),
    ("acc", "f1", "kappa"),
    ("ppv", "sens", "f1"),
    ("acc", "bacc", "f1"),
    ("sens", "spec", "gm", "acc"),
    ("acc", "ji", "f1"),
    ("bm", "sens", "spec"),
)


def binomial(rng: random.Random, count: int, share: float) -> int:
    return sum(rng.random() < share for _ in range(count))


def counts(rng: random.Random, most: int = 160) -> tuple[int, int]:
    """Positives and negatives of a test set, at times rare ones."""
    p = rng.randint(6, most)
    n = rng.randint(6, most)
    return (rng.randint(3, 15), n) if rng.random() < 0.15 else (p, n)


def matrix(rng: random.Random, p: int, n: int, good: float | None = None) -> Counts:
    share = rng.uniform(0.55, 0.99) if good is None else good
    other = min(0.995, max(0.3, share + rng.uniform(-0.2, 0.2)))
    tp, tn = binomial(rng, p, share), binomial(rng, n, other)
    return Counts(tp, n - tn, p - tp, tn)


def matrices(rng: random.Random, folds: Sequence[tuple[int, int]], good: float | None = None) -> list[Counts]:
    """One matrix a fold, all from about the same classifier."""
    share = rng.uniform(0.55, 0.97) if good is None else good
    return [matrix(rng, p, n, share) for p, n in folds]


def fixed(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def percent(value: float, decimals: int) -> str:
    return f"{100 * value:.{decimals}f}%"


def some_scores(rng: random.Random) -> tuple[str, ...]:
    return rng.choice(TOGETHER)


def some_decimals(rng: random.Random) -> int:
    return rng.choice((2, 3, 3, 4, 4))


def plain(
    rng: random.Random, m: Counts, names: Sequence[str] = (), zero: float | None = None, decimals: int = 0
) -> dict[str, str]:
    """The scores of one matrix in one number of decimals."""
    decimals = decimals or some_decimals(rng)
    return {name: fixed(SCORES[name](m, zero), decimals) for name in names or some_scores(rng)}


def one_set(m: Counts) -> dict[str, int]:
    return {"p": m.p, "n": m.n}
