"""Scores, folds and intervals as scikit-learn, R, pandas and caret compute them, in plain floats."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import NamedTuple

from scipy.special import betaincinv

Z = NormalDist().inv_cdf(0.975)


class Counts(NamedTuple):
    """A confusion matrix."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def p(self) -> int:
        return self.tp + self.fn

    @property
    def n(self) -> int:
        return self.fp + self.tn

    def __add__(self, other: object) -> Counts:  # type: ignore[override]
        assert isinstance(other, Counts)
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))


class Undefined(ArithmeticError):
    """A score is 0/0 and nobody said what that counts as."""


def over(a: float, b: float, zero: float | None) -> float:
    if b:
        return a / b
    if zero is None:
        raise Undefined
    return zero


def accuracy(m: Counts, zero: float | None = None) -> float:
    return (m.tp + m.tn) / sum(m)


def recall(m: Counts, zero: float | None = None) -> float:
    return over(m.tp, m.tp + m.fn, zero)


def precision(m: Counts, zero: float | None = None) -> float:
    return over(m.tp, m.tp + m.fp, zero)


def specificity(m: Counts, zero: float | None = None) -> float:
    return over(m.tn, m.tn + m.fp, zero)


def npv(m: Counts, zero: float | None = None) -> float:
    return over(m.tn, m.tn + m.fn, zero)


def f1(m: Counts, zero: float | None = None) -> float:
    return over(2 * m.tp, 2 * m.tp + m.fp + m.fn, zero)


def jaccard(m: Counts, zero: float | None = None) -> float:
    return over(m.tp, m.tp + m.fp + m.fn, zero)


def balanced(m: Counts, zero: float | None = None) -> float:
    return (recall(m, zero) + specificity(m, zero)) / 2


def youden(m: Counts, zero: float | None = None) -> float:
    return recall(m, zero) + specificity(m, zero) - 1


def geometric(m: Counts, zero: float | None = None) -> float:
    return math.sqrt(recall(m, zero) * specificity(m, zero))


def mcc(m: Counts, zero: float | None = None) -> float:
    under = (m.tp + m.fp) * (m.tp + m.fn) * (m.tn + m.fp) * (m.tn + m.fn)
    return over(m.tp * m.tn - m.fp * m.fn, math.sqrt(under), zero)


def kappa(m: Counts, zero: float | None = None) -> float:
    total = sum(m)
    chance = ((m.tp + m.fp) * m.p + (m.tn + m.fn) * m.n) / total**2
    return over(accuracy(m) - chance, 1 - chance, zero)


Score = Callable[[Counts, float | None], float]
SCORES: dict[str, Score] = {
    "acc": accuracy,
    "sens": recall,
    "spec": specificity,
    "ppv": precision,
    "npv": npv,
    "f1": f1,
    "bacc": balanced,
    "mcc": mcc,
    "kappa": kappa,
    "ji": jaccard,
    "bm": youden,
    "gm": geometric,
}
#: The scores that scikit-learn and WEKA average over the classes.
OF_A_CLASS: dict[str, Score] = {"precision": precision, "recall": recall, "f1": f1}


def averaged(m: Counts, name: str, how: str) -> float:
    """The average of a score over both classes, 0/0 counted as 0; other scores as they are."""
    if name not in OF_A_CLASS:
        return SCORES[name](m, 0.0)
    both = [OF_A_CLASS[name](each, 0.0) for each in (m, Counts(m.tn, m.fn, m.fp, m.tp))]
    u, v = (1, 1) if how == "macro" else (m.p, m.n)
    return (u * both[0] + v * both[1]) / (u + v)


#: What a complement is one minus of.
COMPLEMENTS = {"fpr": "spec", "fnr": "sens", "error rate": "acc", "fdr": "ppv", "for": "npv"}


# -- folds -------------------------------------------------------------------------


def dealt_in_turn(p: int, n: int, k: int, rng: random.Random) -> list[tuple[int, int]]:
    """scikit-learn's StratifiedKFold: the sorted labels are dealt like cards."""
    first, second = (p, n) if rng.random() < 0.5 else (n, p)
    labels = [0] * first + [1] * second
    hands = [labels[i::k] for i in range(k)]
    folds = [(hand.count(0), hand.count(1)) for hand in hands]
    return folds if (first, second) == (p, n) else [(b, a) for a, b in folds]


def shuffled(p: int, n: int, k: int, rng: random.Random) -> list[tuple[int, int]]:
    """scikit-learn's KFold with shuffle: sizes that differ by at most one, whoever falls into them."""
    labels = [1] * p + [0] * n
    rng.shuffle(labels)
    return cut(labels, k)


def in_order(p: int, n: int, k: int, rng: random.Random) -> list[tuple[int, int]]:
    """KFold without shuffle on data sorted by class."""
    return cut([1] * p + [0] * n if rng.random() < 0.5 else [0] * n + [1] * p, k)


def cut(labels: list[int], k: int) -> list[tuple[int, int]]:
    sizes = [len(labels) // k + (i < len(labels) % k) for i in range(k)]
    folds, at = [], 0
    for size in sizes:
        piece = labels[at : at + size]
        folds.append((sum(piece), size - sum(piece)))
        at += size
    return folds


def by_caret(p: int, n: int, k: int, rng: random.Random) -> list[tuple[int, int]]:
    """caret's createFolds: each class over all folds evenly, what is left into different folds at random."""

    def one(count: int) -> list[int]:
        spares = set(rng.sample(range(k), count % k))
        return [count // k + (i in spares) for i in range(k)]

    return list(zip(one(p), one(n), strict=True))


# -- intervals of a share: x of n ---------------------------------------------------

Ends = tuple[float, float]


def wald(x: int, n: int) -> Ends:
    share = x / n
    half = Z * math.sqrt(share * (1 - share) / n)
    return max(share - half, 0.0), min(share + half, 1.0)


def wald_corrected(x: int, n: int) -> Ends:
    share = x / n
    half = Z * math.sqrt(share * (1 - share) / n) + 0.5 / n
    return max(share - half, 0.0), min(share + half, 1.0)


def wilson(x: int, n: int) -> Ends:
    share = x / n
    middle = share + Z * Z / (2 * n)
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return (middle - half) / (1 + Z * Z / n), (middle + half) / (1 + Z * Z / n)


def prop_test(x: int, n: int) -> Ends:
    """R's prop.test: the correction is 0.5, or the distance to a half of n if that is less."""
    correction = min(0.5, abs(x - n * 0.5))
    more = Z * Z / (2 * n)

    def end(share: float, sign: int) -> float:
        inside = share * (1 - share) / n + more / (2 * n)
        return (share + more + sign * Z * math.sqrt(inside)) / (1 + 2 * more)

    low, high = x / n - correction / n, x / n + correction / n
    return (0.0 if low <= 0 else max(end(low, -1), 0.0)), (1.0 if high >= 1 else min(end(high, 1), 1.0))


def clopper_pearson(x: int, n: int) -> Ends:
    low = 0.0 if x == 0 else float(betaincinv(x, n - x + 1, 0.025))
    high = 1.0 if x == n else float(betaincinv(x + 1, n - x, 0.975))
    return low, high


def jeffreys(x: int, n: int) -> Ends:
    """The usual form: an end at 0 or 1 is set there."""
    low = 0.0 if x == 0 else float(betaincinv(x + 0.5, n - x + 0.5, 0.025))
    high = 1.0 if x == n else float(betaincinv(x + 0.5, n - x + 0.5, 0.975))
    return low, high


def agresti_coull(x: int, n: int) -> Ends:
    more = n + Z * Z
    share = (x + Z * Z / 2) / more
    half = Z * math.sqrt(share * (1 - share) / more)
    return max(share - half, 0.0), min(share + half, 1.0)


METHODS: dict[str, Callable[[int, int], Ends]] = {
    "wald": wald,
    "wald-cc": wald_corrected,
    "wilson": wilson,
    "wilson-cc": prop_test,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "agresti-coull": agresti_coull,
}
#: A proportion's two counts: how many of how many.
SHARES: dict[str, Callable[[Counts], tuple[int, int]]] = {
    "sens": lambda m: (m.tp, m.tp + m.fn),
    "spec": lambda m: (m.tn, m.tn + m.fp),
    "ppv": lambda m: (m.tp, m.tp + m.fp),
    "npv": lambda m: (m.tn, m.tn + m.fn),
    "acc": lambda m: (m.tp + m.tn, sum(m)),
}


def percentile(values: Sequence[float], share: float) -> float:
    """numpy's percentile, linear between neighbours."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def deviation(values: Sequence[float], ddof: int) -> float:
    middle = mean(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - ddof))
