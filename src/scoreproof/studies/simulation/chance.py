"""Random counts, many at once, each from one uniform number.

Only uniform numbers are asked of numpy: its other distributions may change from version to
version, and the same seed is to give the same figures everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from scoreproof.claim.dealing import stratified_folds
from scoreproof.question.folds import fold_sizes

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]
Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class Setting:
    """One cell of a simulation: the data, the folds, and the classifier's true F-measure or AUC."""

    positives: int
    cases: int
    folds: int
    stratified: bool
    truth: float
    shift: float = 0.0

    def dealt(self, rng: Generator, trials: int) -> tuple[Counts, Counts]:
        """The sizes of the folds, and the positives in every fold (columns) of every trial (rows)."""
        negatives = self.cases - self.positives
        if self.stratified:
            parts = stratified_folds(self.positives, negatives, self.folds)
            p = np.broadcast_to(np.array([part.p for part in parts]), (trials, self.folds))
            return np.array([part.p + part.n for part in parts]), p
        sizes = [size for size, many in fold_sizes(self.positives, negatives, self.folds) for _ in range(many)]
        return np.array(sizes), folded(rng, trials, self.positives, sizes)


class Table:
    """Discrete distributions on 0, 1, 2, …, one per row; draws by inverting the sums."""

    def __init__(self, chances: Numbers) -> None:
        self.width = chances.shape[1]
        sums = np.cumsum(chances, axis=1)
        whole = sums[:, -1:]
        sums = np.divide(sums, whole, out=np.ones_like(sums), where=whole > 0)  # rows that cannot occur: any
        # All rows in one rising list: row r lies between r and r + 1.
        self.ends = (sums + np.arange(len(chances))[:, None]).ravel()

    def draw(self, rows: Counts, uniform: Numbers) -> Counts:
        """One count for each row number and uniform number."""
        found = np.searchsorted(self.ends, rows + uniform, side="right") - rows * self.width
        # u close to 1 may round up to the end of its row
        clipped: Counts = np.minimum(found, self.width - 1)
        return clipped


def _choose(n: Any, k: Any) -> Any:
    """log of n over k; -inf where that is 0."""
    inside = (k >= 0) & (k <= n)
    k = np.where(inside, k, 0)
    n = np.maximum(n, k)
    return np.where(inside, gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1), -np.inf)


def binomial(most: int, q: float) -> Table:
    """Row n: how many of n events of probability q happen, for n = 0 … most."""
    n, k = np.arange(most + 1)[:, None], np.arange(most + 1)[None, :]
    if q <= 0 or q >= 1:
        return Table(np.where(k == (n if q >= 1 else 0), 1.0, 0.0))
    with np.errstate(invalid="ignore"):
        logs = _choose(n, k) + k * np.log(q) + (n - k) * np.log1p(-q)
    return Table(np.exp(logs))


def hypergeometric(positives: int, items: int, size: int) -> Table:
    """Row r: how many of r positives among the items fall into a fold of this size."""
    r, k = np.arange(positives + 1)[:, None], np.arange(min(positives, size) + 1)[None, :]
    logs = _choose(r, k) + _choose(items - r, size - k) - _choose(items, np.array(size))
    return Table(np.exp(logs))


def folded(rng: Generator, trials: int, positives: int, sizes: list[int]) -> Counts:
    """The positives in every fold, items dealt at random: an array of trials x folds."""
    left = np.full(trials, positives, dtype=np.int64)
    items = sum(sizes)
    columns = []
    for size in sizes[:-1]:
        inside = hypergeometric(positives, items, size).draw(left, rng.random(trials))
        columns.append(inside)
        left = left - inside
        items -= size
    return np.stack([*columns, left], axis=1)


def ratio(up: Numbers | Counts, down: Numbers | Counts) -> Numbers:
    """up/down, and 0 where that is 0/0."""
    return np.divide(up, down, out=np.zeros(np.broadcast(up, down).shape), where=down != 0)


def average(values: Numbers, valid: NDArray[np.bool_]) -> Numbers:
    """The mean over the valid folds of every trial; NaN where there are none."""
    count = valid.sum(1)
    return np.where(count > 0, ratio((values * valid).sum(1), count), np.nan)
