"""Deciding the figures of labels that nothing ties together.

Each label alone, then the sums, then the means are excluded or not.  What is left is searched: every
label takes one of its counts, and the one that brings the averages closest is exchanged, until they fit.

>>> from fractions import Fraction
>>> from scoreproof.interval import Interval
>>> from scoreproof.question.question import Kind, Target
>>> from scoreproof.scores import SCORES
>>> third = Target("recall", Kind.MEAN, SCORES["sens"], Interval.point(Fraction(1, 3)), (Fraction(1),))
>>> decide(Labels(("a",), (7,), (third,)), Budget())
Refuted(certificate=NoLabel(of=0))
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.decision import Witness
from scoreproof.proof.labels import (
    FALLING,
    NoLabel,
    NoMean,
    NoPool,
    NoTotal,
    Span,
    confirms,
    left,
    misses,
    pooled,
)
from scoreproof.question.question import Kind, Labels
from scoreproof.scores import Matrix, Score
from scoreproof.solve.answer import Answer, Fits, Open, Refuted

Array = np.ndarray[Any, Any]
STARTS = 40
ROUNDS = 60
#: Counts of one label that are looked at.
MOST = 300
#: Wrong calls beyond the fewest where any number is left, as multiples of all items.
FURTHEST = 50


def decide(question: Labels, budget: Budget) -> Answer:
    """Counts of every label, a proof that there are none, or neither."""
    if question.total not in (None, sum(question.items)):
        return Refuted(NoTotal())
    lists = []
    for of in range(len(question.items)):
        lists.append(left(question, of, budget))
        if not lists[-1]:
            return Refuted(NoLabel(of))
    sums = pooled(question, lists, budget)
    if not sums:
        return Refuted(NoPool())
    for index, target in enumerate(question.targets):
        if misses(question, target, lists):
            return Refuted(NoMean(index))
    for seed in range(STARTS):
        found = _Search(question, lists, seed, budget).run()
        if found is not None:
            return Fits(found)
    return Open("no counts of the labels were found that give the averages, and no proof excludes them")


class _Search:
    """One start: counts of every label, exchanged one by one."""

    def __init__(self, question: Labels, lists: Sequence[Sequence[Span]], seed: int, budget: Budget) -> None:
        self.question, self.draw, self.budget = question, random.Random(seed), budget
        self.targets = [t for t in question.targets if t.kind is Kind.MICRO or sum(map(bool, t.weights)) > 1]
        everything = sum(question.items) + 1
        self.points = [self.some(spans, everything) for spans in lists]
        self.low, self.high = self.windows()
        self.added = [self.table(of) for of in range(len(lists))]

    def some(self, spans: Sequence[Span], everything: int) -> list[tuple[int, int]]:
        """Some of the counts that are left of a label, spread over all of them."""
        chosen = spans if len(spans) <= MOST // 3 else self.draw.sample(spans, MOST // 3)
        found: dict[tuple[int, int], None] = {}
        for tp, lo, hi in chosen:
            most = lo + FURTHEST * everything if hi is None else hi
            room = max(3, MOST // len(chosen))
            if most - lo < room:
                found |= dict.fromkeys((tp, fp) for fp in range(lo, most + 1))
            elif hi is None:
                steps = (round((most - lo + 1) ** (k / room)) - 1 for k in range(room + 1))
                found |= dict.fromkeys((tp, lo + step) for step in steps)
            else:
                found |= dict.fromkeys((tp, self.draw.randint(lo, most)) for _ in range(room - 2))
                found |= {(tp, lo): None, (tp, most): None}
        return list(found)

    def windows(self) -> tuple[Array, Array]:
        """Where the averages have to lie."""
        ends = [(t.interval.lo, t.interval.hi) for t in self.targets]
        low = np.array([-1e9 if lo is None else float(lo) for lo, _ in ends])
        high = np.array([1e9 if hi is None else float(hi) for _, hi in ends])
        return low, high

    def table(self, of: int) -> Array:
        """What every choice of a label adds to each mean, and its tp and fp."""
        right, wrong = np.array(self.points[of], dtype=float).T
        found = np.zeros((len(right), len(self.targets) + 2))
        for t, target in enumerate(self.targets):
            if target.weights[of] and target.kind is not Kind.MICRO:
                values = self.values(target.score, right, wrong, self.question.items[of])
                found[:, t] = float(target.weights[of]) * values
        found[:, -2], found[:, -1] = right, wrong
        self.budget.spend(10 * found.size)
        return found

    def values(self, score: Score, right: Array, wrong: Array, p: int) -> Array:
        """A score of p items, close enough to steer by; 0 where it is undefined."""
        if score.name == "sens":
            return right / max(p, 1)
        a, b = map(float, FALLING[score.name](score.beta(self.question.betas)))
        return a * right / np.maximum(a * right + b * (p - right) + wrong, 1e-12)

    def distance(self, sums: Array) -> Array:
        """How far the averages are from where they have to lie, for every row of sums."""
        values = sums[:, :-2].copy()
        right, wrong = sums[:, -2], sums[:, -1]
        p = sum(self.question.items)
        for t, target in enumerate(self.targets):
            if target.kind is Kind.MICRO:
                values[:, t] = self.values(target.score, right, wrong, p)
        width = np.maximum(self.high - self.low, 1e-12)
        outside = np.maximum(self.low - values, values - self.high) / width
        centre = np.abs(values - (self.low + self.high) / 2) / width
        return np.asarray((np.maximum(outside, 0) * 1e3).sum(axis=1) + (centre**2).sum(axis=1) * 1e-3)

    def run(self) -> Witness | None:
        """Counts that fit, from one start."""
        labels = range(len(self.points))
        chosen = [self.draw.randrange(len(self.points[of])) for of in labels]
        best = np.inf
        for _ in range(ROUNDS):
            order = list(labels)
            self.draw.shuffle(order)
            total = sum((self.added[of][chosen[of]] for of in labels), np.zeros(len(self.targets) + 2))
            for of in order:
                rest = total - self.added[of][chosen[of]]
                distances = self.distance(rest + self.added[of])
                self.budget.spend(20 * len(distances) * (len(self.targets) + 2))
                chosen[of] = int(distances.argmin())
                total = rest + self.added[of][chosen[of]]
            now = float(self.distance(total[None, :])[0])
            if now >= best - 1e-12:
                break
            best = now
        counts = [self.points[of][chosen[of]] for of in labels]
        items = self.question.items
        witness = Witness(tuple(Matrix(tp, fp, p - tp, 0) for p, (tp, fp) in zip(items, counts, strict=True)))
        return witness if confirms(self.question, witness) else None
