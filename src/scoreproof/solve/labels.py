"""Deciding the figures of labels that nothing ties together.

Each label alone, then the sums, then the means are excluded or not.  What is left is searched: every
label takes one of its counts, and the one that brings the averages closest is exchanged, until they fit.

>>> from fractions import Fraction
>>> from scoreproof.interval import Interval
>>> from scoreproof.question.question import Kind, Target
>>> from scoreproof.scores import SCORES
>>> third = Interval(Fraction(1, 3), Fraction(1, 3))
>>> recall = Target("recall", Kind.MEAN, SCORES["sens"], third, (Fraction(1),))
>>> decide(Labels(("a",), (7,), (recall,)), Budget())
Refuted(certificate=NoLabel(of=0))
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoreproof.asking.classes import WITHOUT_OTHERS
from scoreproof.budget import Budget
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
    own,
    pooled,
)
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import confirms as hits
from scoreproof.question.question import Kind, Labels, Problem
from scoreproof.scores import SCORES, Matrix, Score
from scoreproof.solve.answer import Answer, Fits, Open, Refuted

Array = np.ndarray[Any, Any]
Counts = list[tuple[int, int]]  # tp and fp of every label, or those that one may have
RECALL = SCORES["sens"]
MOST_SPANS = 20_000
STARTS = 40
FEWER_STARTS = 8  # where there are other ways to go on
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
        counts = _Search(question, lists, seed, budget).run()
        witness = Witness(
            tuple(Matrix(tp, fp, p - tp, 0) for p, (tp, fp) in zip(question.items, counts, strict=True))
        )
        if confirms(question, witness):
            return Fits(witness)
    return Open("no counts of the labels were found that give the averages, and no proof excludes them")


class _Search:
    """One start: counts of every label, exchanged one by one."""

    def __init__(self, question: Labels, lists: Sequence[Sequence[Span]], seed: int, budget: Budget) -> None:
        self.question, self.draw, self.budget = question, random.Random(seed), budget
        self.targets = [t for t in question.targets if t.kind is Kind.MICRO or sum(map(bool, t.weights)) > 1]
        everything = sum(question.items) + 1
        self.lists = lists
        self.points = [self.some(spans, everything) for spans in lists]
        self.low, self.high = self.windows()
        self.added = [self.sums(of, points) for of, points in enumerate(self.points)]

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

    def sums(self, of: int, points: Counts) -> Array:
        """What each of these counts of a label adds to each mean, and its tp and fp."""
        right, wrong = np.array(points, dtype=float).T
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

    def run(self) -> Counts:
        """Counts of every label that may fit, from one start."""
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
        return [self.points[of][chosen[of]] for of in labels]


# -- the classes of one matrix ---------------------------------------------------------------------


def of_one_matrix(problem: Problem, budget: Budget) -> tuple[tuple[int, int], ...] | None:
    """(tp, tn) of classes that are those of one matrix, found by the same search; None if it finds none.

    Figures of each class alone must leave little of it, as they do in a printed report.
    """
    question = _as_labels(problem)
    if question is None:
        return None
    lists = []
    for of in range(len(question.items)):
        lists.append(left(question, of, budget))
        if not 0 < len(lists[-1]) <= MOST_SPANS:
            return None
    for seed in range(FEWER_STARTS):
        search = _OneMatrix(question, lists, seed, budget)
        counts = search.completed(search.run())
        points = tuple((tp, part.n - fp) for (tp, fp), part in zip(counts, problem.parts, strict=True))
        if all(tn >= 0 for _, tn in points) and hits(problem, points):
            return points
    return None


def _as_labels(problem: Problem) -> Labels | None:
    """The classes as labels; None if they are not of one matrix, or some have no figures of their own."""
    targets = []
    for target in problem.targets:
        if target.kind is Kind.WHOLE and target.score.name == "acc":
            target = replace(target, kind=Kind.MICRO, score=RECALL)
        if target.kind not in (Kind.MEAN, Kind.MICRO) or target.score.name not in WITHOUT_OTHERS:
            return None
        targets.append(target)
    items = tuple(part.p for part in problem.parts)
    found = Labels(problem.names, items, tuple(targets), problem.undefined, problem.betas)
    several = len(problem.matrices) != 1 or problem.undefined == "skip"
    return None if several or any(len(own(found, of)) < 2 for of in range(len(items))) else found


class _OneMatrix(_Search):
    """The same where every wrong call of an item is one that its own class misses."""

    def distance(self, sums: Array) -> Array:
        gap = sums[:, -2] + sums[:, -1] - sum(self.question.items)
        return np.asarray(super().distance(sums) + np.abs(gap) * 0.1)

    def completed(self, counts: Counts) -> Counts:
        """The counts with those of one class changed so that all calls add up."""
        right, wrong = (sum(each) for each in zip(*counts, strict=True))
        best, found = np.inf, counts
        for of, (tp, fp) in enumerate(counts):
            missing = sum(self.question.items) - (right - tp) - (wrong - fp)
            points = [
                (tp, missing - tp)
                for tp, lo, hi in self.lists[of]
                if lo <= missing - tp and (hi is None or missing - tp <= hi)
            ]
            if not points:
                continue
            total = sum((self.sums(k, [each]) for k, each in enumerate(counts) if k != of), np.zeros(1))
            distances = self.distance(total + self.sums(of, points))
            if distances.min() < best:
                best = float(distances.min())
                found = [*counts[:of], points[int(distances.argmin())], *counts[of + 1 :]]
        return found
