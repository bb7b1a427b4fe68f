"""Random claims of the kinds that need no more than the standard library, made with nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any

Claim = dict[str, Any]
STRAIGHT = ("acc", "sens", "spec", "bacc", "bm")


def share(up: float, down: float) -> float | None:
    return up / down if down else None


#: The scores as a textbook writes them, in floats: what is printed need not be exact, only alike for both.
SCORES: dict[str, Callable[[int, int, int, int], float | None]] = {
    "acc": lambda tp, fp, fn, tn: share(tp + tn, tp + fp + fn + tn),
    "sens": lambda tp, fp, fn, tn: share(tp, tp + fn),
    "spec": lambda tp, fp, fn, tn: share(tn, tn + fp),
    "ppv": lambda tp, fp, fn, tn: share(tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: share(tn, tn + fn),
    "bacc": lambda tp, fp, fn, tn: (tp / (tp + fn) + tn / (tn + fp)) / 2,
    "bm": lambda tp, fp, fn, tn: tp / (tp + fn) + tn / (tn + fp) - 1,
    "f1": lambda tp, fp, fn, tn: share(2 * tp, 2 * tp + fp + fn),
    "f1n": lambda tp, fp, fn, tn: share(2 * tn, 2 * tn + fp + fn),
    "ji": lambda tp, fp, fn, tn: share(tp, tp + fp + fn),
    "gm": lambda tp, fp, fn, tn: sqrt(tp / (tp + fn) * tn / (tn + fp)),
    "fm": lambda tp, fp, fn, tn: share(tp, sqrt((tp + fp) * (tp + fn))),
    "upm": lambda tp, fp, fn, tn: share(4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
    "mcc": lambda tp, fp, fn, tn: share(tp * tn - fp * fn, sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
    "kappa": lambda tp, fp, fn, tn: share(
        2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    ),
    "dor": lambda tp, fp, fn, tn: share(tp * tn, fp * fn),
    "lrp": lambda tp, fp, fn, tn: share(tp * (tn + fp), fp * (tp + fn)),
}


class Writer:
    """An author: draws matrices, prints figures, and slips in about half of the claims."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def counts(self, most: int) -> tuple[int, int]:
        return self.random.randint(4, most), self.random.randint(4, most)

    def matrix(self, p: int, n: int) -> tuple[int, int, int, int]:
        tp = min(p, max(0, round(self.random.betavariate(6, 2) * p)))
        tn = min(n, max(0, round(self.random.betavariate(6, 2) * n)))
        return tp, n - tn, p - tp, tn

    def printed(self, value: float, digits: int) -> str:
        slip = self.random.random() < 0.2
        if slip:
            value += self.random.choice((-1, 1)) * 10.0**-digits * self.random.randint(1, 40)
        if self.random.random() < 0.15 and 0 <= value <= 1:
            return f"{value * 100:.{max(digits - 2, 0)}f} %"
        return f"{value:.{digits}f}"

    def scores(self, names: tuple[str, ...], values: dict[str, float], most: int) -> Claim:
        names = tuple(name for name in names if name in values)
        chosen = self.random.sample(names, min(len(names), self.random.randint(1, most)))
        digits = self.random.choice((2, 3, 3, 4))
        return {name: self.printed(values[name], digits) for name in chosen}

    # -- the kinds -------------------------------------------------------------------------------------

    def one_matrix(self) -> Claim:
        p, n = self.counts(self.random.choice((30, 300, 3000, 20_000)))
        values = valued(self.matrix(p, n))
        return {"experiment": {"p": p, "n": n}, "scores": self.scores(tuple(SCORES), values, 4)}

    def pooled(self) -> Claim:
        k = self.random.choice((2, 3, 5, 10))
        if self.random.random() < 0.5:
            p, n = (max(each, k) for each in self.counts(400))
            experiment: Claim = {"p": p, "n": n, "folds": k, "aggregate": "pooled"}
        else:
            sizes = [self.counts(60) for _ in range(k)]
            p, n = sum(p for p, _ in sizes), sum(n for _, n in sizes)
            experiment = {"parts": [{"p": p, "n": n} for p, n in sizes], "aggregate": "pooled"}
        return {"experiment": experiment, "scores": self.scores(tuple(SCORES), valued(self.matrix(p, n)), 4)}

    def means(self) -> Claim:
        k = self.random.choice((2, 3, 5, 10))
        way = self.random.randrange(3)
        if way == 0:
            p, n = (self.random.randint(k, 400) for _ in "pn")
            sizes = list(zip(dealt(p, k), reversed(dealt(n, k)), strict=True))
            experiment: Claim = {"p": p, "n": n, "folds": k, "stratified": True, "aggregate": "mean"}
        else:
            sizes = [self.counts(60) for _ in range(k)]
            word = "folds" if way == 1 else "parts"
            experiment = {word: [{"p": p, "n": n} for p, n in sizes], "aggregate": "mean"}
        matrices = [valued(self.matrix(p, n)) for p, n in sizes]
        values = {name: sum(each[name] for each in matrices) / k for name in STRAIGHT}
        return {"experiment": experiment, "scores": self.scores(STRAIGHT, values, 3)}

    def interval(self) -> Claim:
        p, n = self.counts(self.random.choice((30, 120, 400)))
        tp, _, _, tn = self.matrix(p, n)
        of = {"sens": (tp, p), "spec": (tn, n), "acc": (tp + tn, p + n)}
        digits = self.random.choice((2, 3))
        scores = {}
        for name in self.random.sample(sorted(of), self.random.randint(1, 3)):
            right, size = of[name]
            low, high = wilson(right, size) if self.random.random() < 0.5 else wald(right, size)
            value = self.printed(right / size, digits).rstrip(" %")
            if float(value) > 1:
                value = f"{right / size:.{digits}f}"
            scores[name] = f"{value} ({low:.{digits}f}-{high:.{digits}f})"
        claim: Claim = {"experiment": {"p": p, "n": n}, "scores": scores}
        if self.random.random() < 0.6:
            claim["conventions"] = {"ci": self.random.choice(("wilson", "wald", "clopper-pearson"))}
        return claim


def valued(matrix: tuple[int, int, int, int]) -> dict[str, float]:
    """The scores of a matrix that are defined."""
    values = {name: score(*matrix) for name, score in SCORES.items()}
    return {name: value for name, value in values.items() if value is not None}


def dealt(total: int, k: int) -> list[int]:
    return [total // k + (i < total % k) for i in range(k)]


def wald(right: int, size: int) -> tuple[float, float]:
    share = right / size
    half = 1.96 * sqrt(share * (1 - share) / size)
    return max(0.0, share - half), min(1.0, share + half)


def wilson(right: int, size: int) -> tuple[float, float]:
    z, share = 1.959964, right / size
    middle = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return max(0.0, middle - half), min(1.0, middle + half)


#: The kinds, the most common ones more often.
KINDS = ("one_matrix", "one_matrix", "pooled", "means", "means", "interval")


def claims(count: int, seed: int, kinds: tuple[str, ...] = KINDS) -> Iterator[Claim]:
    """So many claims, of the kinds in turn; the same ones for the same seed."""
    writer = Writer(seed)
    for i in range(count):
        claim: Claim = getattr(writer, kinds[i % len(kinds)])()
        yield claim


#: Kinds that take numpy or scipy, each with a claim.
BEYOND: dict[str, Claim] = {
    "curved means": {
        "experiment": {"p": 38, "n": 262, "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.9442", "f1": "0.81"},
    },
    "means with deviations": {
        "experiment": {"p": 38, "n": 262, "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.944 ± 0.010", "sens": "0.91 ± 0.03", "f1": "0.81"},
    },
    "unknown foldings": {
        "experiment": {"p": 38, "n": 262, "folds": 5, "aggregate": "mean"},
        "scores": {"acc": "0.9433", "sens": "0.91", "f1": "0.81"},
    },
    "several classes": {"experiment": {"classes": [30, 20, 10]}, "scores": {"acc": "0.85", "f1_macro": "0.81"}},
    "no counts": {"experiment": {}, "scores": {"sens": "0.91", "ppv": "0.84", "f1": "0.88"}},
}
