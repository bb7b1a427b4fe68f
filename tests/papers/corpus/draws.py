"""Drawn matrices, their scores, and the scores as authors print them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from habits.computing import METHODS as INTERVALS
from habits.computing import SCORES, SHARES, Counts, dealt_in_turn, deviation, mean
from habits.drawing import binomial

from .worlds import World

#: Scores that a proportion's interval can be printed with.
WITH_INTERVALS = tuple(SHARES)


@dataclass(frozen=True)
class Style:
    """How figures are printed: decimals of the share, percent or not, the decimal sign."""

    decimals: int = 3
    percent: bool = False
    sign: str = ""  # "%" in every cell
    comma: bool = False

    @property
    def unit(self) -> str:
        return "%" if self.percent and not self.sign else ""

    def number(self, value: float, more: int = 0) -> str:
        decimals = self.decimals + more
        text = f"{100 * value:.{max(decimals - 2, 0)}f}" if self.percent else f"{value:.{decimals}f}"
        return text.replace(".", ",") if self.comma else text

    def text(self, value: float) -> str:
        return self.number(value) + self.sign


@dataclass(frozen=True)
class Design:
    """What was evaluated: one test set, or folds whose scores are averaged or whose counts are pooled."""

    p: int
    n: int
    folds: int = 1
    aggregate: str = ""  # "mean", "pooled" with folds
    name: str = ""  # of a public set
    parts: tuple[tuple[int, int], ...] = ()

    def experiment(self) -> dict[str, Any]:
        if self.folds == 1:
            return {"p": self.p, "n": self.n}
        return {"p": self.p, "n": self.n, "folds": self.folds, "stratified": True, "aggregate": self.aggregate}


def design(rng: random.Random, world: World, kind: str) -> Design:
    """A set-up of the asked kind: "test", "mean", "pooled", "known" (a public set, by name)."""
    if kind == "known" and world.known:
        _, name, p, n = world.known
        made = Design(p, n, name=name)
        return made if name == "isic2016" else in_folds(rng, made, "mean")
    p = rng.choice((rng.randint(24, 60), rng.randint(40, 180), rng.randint(150, 700)))
    n = (
        p + rng.choice((-1, 1)) * rng.randint(1, max(2, p // 2))
        if rng.random() < 0.5
        else rng.randint(80, 1500)
    )
    made = Design(p, n if n != p else n + 1)
    return made if kind in ("test", "known") else in_folds(rng, made, kind)


def in_folds(rng: random.Random, whole: Design, aggregate: str) -> Design:
    k = rng.choice((3, 5, 5, 10, 10)) if whole.p >= 40 else rng.choice((3, 5))
    parts = tuple(dealt_in_turn(whole.p, whole.n, k, rng))
    return replace(whole, folds=k, aggregate=aggregate, parts=parts)


def matrix(rng: random.Random, p: int, n: int, good: float) -> Counts:
    """Never empty in a row or a column, so that every score is defined."""
    share = min(0.985, max(0.5, good + rng.uniform(-0.08, 0.08)))
    other = min(0.99, max(0.5, good + rng.uniform(-0.08, 0.08)))
    tp = min(p, max(1, binomial(rng, p, share)))
    tn = min(n - 1, max(1, binomial(rng, n, other)))
    return Counts(tp, n - tn, p - tp, tn)


@dataclass(frozen=True)
class Run:
    """A method's matrices: one, or one a fold."""

    design: Design
    matrices: tuple[Counts, ...]

    def values(self, score: str) -> list[float]:
        return [SCORES[score](m, None) for m in self.matrices]

    def whole(self) -> Counts:
        total = self.matrices[0]
        for m in self.matrices[1:]:
            total = total + m
        return total

    def value(self, score: str) -> float:
        if score == "auc":
            return self.area()
        if self.design.aggregate == "mean":
            return mean(self.values(score))
        return SCORES[score](self.whole(), None)

    def area(self) -> float:
        """An area its operating point allows: halfway between the least and the largest."""
        matrices = self.matrices if self.design.aggregate == "mean" else (self.whole(),)
        return mean([(m.tp * m.tn + (m.tp * m.fp + m.fn * m.tn) // 2) / (m.p * m.n) for m in matrices])

    def sd(self, score: str, ddof: int) -> float:
        return deviation(self.values(score), ddof)

    def interval(self, score: str, method: str) -> tuple[float, float]:
        return INTERVALS[method](*SHARES[score](self.whole()))


def run(rng: random.Random, made: Design, good: float | None = None) -> Run:
    level = rng.uniform(0.68, 0.96) if good is None else good
    if made.folds == 1:
        return Run(made, (matrix(rng, made.p, made.n, level),))
    while True:
        found = Run(made, tuple(matrix(rng, p, n, level) for p, n in made.parts))
        if len({m.tp / m.p for m in found.matrices}) > 1:  # a spread of 0 is rare in print
            return found


# -- several classes ---------------------------------------------------------------------


@dataclass(frozen=True)
class Classes:
    """A matrix of several classes: rows are true, columns predicted."""

    names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]

    @property
    def sizes(self) -> dict[str, int]:
        return {name: sum(row) for name, row in zip(self.names, self.rows, strict=True)}

    @property
    def total(self) -> int:
        return sum(self.sizes.values())

    def one(self, i: int) -> Counts:
        tp = self.rows[i][i]
        fn = sum(self.rows[i]) - tp
        fp = sum(row[i] for row in self.rows) - tp
        return Counts(tp, fp, fn, self.total - tp - fn - fp)

    def accuracy(self) -> float:
        return sum(self.rows[i][i] for i in range(len(self.rows))) / self.total

    def average(self, score: str, how: str) -> float:
        values = [SCORES[score](self.one(i), None) for i in range(len(self.names))]
        if how == "macro":
            return mean(values)
        return sum(v * size for v, size in zip(values, self.sizes.values(), strict=True)) / self.total


def several(
    rng: random.Random, names: Sequence[str], sizes: Sequence[int], good: float | None = None
) -> Classes:
    level = rng.uniform(0.7, 0.95) if good is None else good
    rows = []
    for i, size in enumerate(sizes):
        right = min(size - 1, max(2, binomial(rng, size, level + rng.uniform(-0.06, 0.04))))
        row = [0] * len(names)
        row[i] = right
        for _ in range(size - right):
            row[rng.choice([j for j in range(len(names)) if j != i])] += 1
        rows.append(tuple(row))
    return Classes(tuple(names), tuple(rows))


def some_sizes(rng: random.Random, count: int) -> list[int]:
    return [
        rng.choice((rng.randint(25, 70), rng.randint(60, 240), rng.randint(100, 900))) for _ in range(count)
    ]
