"""A witness for means and deviations over folds of unknown make-up: the folds are searched with their matrices.

A cell is (p, tp, tn) of one fold, whose size is known.  That all folds together have the positives of the claim
is one more figure to be hit.
"""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.choice import Folds
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms_folded, divisors
from scoreproof.question.folds import Sample, each_size
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import ROWS
from scoreproof.solve.sums.spread.annealing import Annealing, in_turn
from scoreproof.solve.sums.spread.sides import Points
from scoreproof.solve.sums.spread.windows import VALUE, Bounds, Curve, window

MOST_SIZE = 100_000
#: Positives of a fold that are farther from their share than so many deviations are not tried.
FAR = 5


class OpenFolds:
    """A seeded, resumable search, for one folding that is not known."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem = problem
        targets, size = problem.targets, problem.size
        equal = all(len(set(t.weights)) == 1 for t in targets)
        singles = {tuple((i,) for i in range(size))}
        self.possible = (
            len(problem.foldings) == 1
            and not problem.parts
            and size > 1
            and equal
            and all(t.kind in (Kind.MEAN, Kind.SD) for t in targets)
            and {t.clusters for t in targets if t.kind is Kind.SD} == singles
            and problem.undefined != "skip"
        )
        if not self.possible:
            return
        (folding,) = problem.foldings
        self.sizes = np.array(each_size(folding.sizes))
        every = self.sizes.sum() == folding.p + folding.n  # test sets that leave items out are not served
        self.possible = bool(every) and 0 < self.sizes.min() <= self.sizes.max() <= MOST_SIZE
        self.positives = folding.p
        self.random = np.random.default_rng(seed)
        self.names = list(dict.fromkeys(t.score.name for t in targets))
        self.searches: list[_Search] | None = None

    def run(self, budget: Budget) -> tuple[Points, Folds] | None:
        """(tp, tn) of every fold and the folds, if rounds within the budget come upon them."""
        if self.searches is None:
            ways = divisors(self.problem.spread, self.problem.size)
            with np.errstate(all="ignore"):
                self.searches = [each for way in ways if (each := _Search(self, way, budget)).possible]
            self.possible = bool(self.searches)
        return in_turn(self.searches, budget)


class _Search(Annealing[tuple[Points, Folds]]):
    """The search under one divisor of the deviations."""

    def __init__(self, of: OpenFolds, divisor: int, budget: Budget) -> None:
        self.of, self.random, self.folds = of, of.random, len(of.sizes)
        self.scores = len(of.names) + 1  # the last one: how many positives there are
        self.price = 200 + (20 + 3 * VALUE) * self.scores
        problem, sizes = of.problem, of.sizes
        figures = [[t for t in problem.targets if t.score.name == name] for name in of.names]
        share = of.positives / self.folds
        means = [window(t for t in own if t.kind is Kind.MEAN) for own in figures]
        spreads = [window(t for t in own if t.kind is Kind.SD) for own in figures]
        apart = 0.49 / self.folds
        self.bounds = Bounds(
            [*means, (share - apart, share + apart)], [*spreads, (-np.inf, np.inf)], self.folds, divisor
        )
        # the rows of all folds of a size, by their positives
        self.low, self.high, self.at = (np.zeros(self.folds, dtype=int) for _ in range(3))
        parts: list[Sample] = []
        for size in sorted(set(sizes.tolist())):
            middle = of.positives * size // sizes.sum()
            far = FAR * (isqrt(middle * (size - middle) // size) + 1)
            low, high = max(0, middle - far), min(size, middle + far)
            where = sizes == size
            self.low[where], self.high[where], self.at[where] = low, high, len(parts) - low
            parts += [Sample(p, size - p) for p in range(low, high + 1)]
        known = replace(problem, parts=tuple(parts), foldings=())
        self.curves = [Curve(ROWS[name], known, range(len(parts))) for name in of.names]
        known_accuracy = "acc" in of.names and self.bounds.known[at := of.names.index("acc")]
        self.possible = not known_accuracy or self.aim_at_accuracy(at, sizes, budget)

    def values(self, k: int, cells: Array, fold: Array) -> Array:
        p = cells[..., 0]
        if k == len(self.curves):
            return np.asarray(p - self.bounds.middle[k])
        found = self.curves[k].at(cells[..., 1].astype(float), cells[..., 2].astype(float), self.at[fold] + p)
        return np.asarray(found - self.bounds.middle[k])

    def start(self, count: int) -> Array:
        """Folds as chance makes them, some of them evened out, and matrices about as good as printed."""
        of, random, shape = self.of, self.random, (count, self.folds)
        dealt = random.multivariate_hypergeometric(of.sizes, of.positives, size=count, method="marginals")
        even = of.positives * of.sizes / of.sizes.sum()
        share = random.random((count, 1))
        p = np.rint(even + share * (dealt - even)).astype(int)
        p = np.clip(p, self.low, self.high)
        n = of.sizes - p
        rate = {name: self.bounds.middle[k] for k, name in enumerate(of.names) if self.bounds.known[k]}
        correct = self.correct_items(count, of.sizes, rate.get("spec", 0.8))
        sens = np.clip(random.normal(rate.get("sens", correct / of.sizes), 0.05, shape), 0, 1)
        tp = np.clip(np.rint(p * sens).astype(int), np.maximum(0, correct - n), np.minimum(p, correct))
        return np.stack([p, tp, correct - tp], axis=-1)

    def changed(self, cells: Array, fold: Array) -> Array:
        p, tp, tn = cells.T
        kind, sign = self.random.random(), np.where(self.random.random(len(cells)) < 0.5, 1, -1)
        zero = np.zeros_like(sign)
        if kind < 0.4:  # an item of one class is no longer right, one of the other is
            step = np.stack([zero, sign, -sign])
        elif kind < 0.6:  # an item that is wrong belongs to the other class
            step = np.stack([sign, zero, zero])
        elif kind < 0.8 or self.correct is not None:  # ... or one that is right
            step = np.stack([sign, sign, -sign])
        else:
            of_tp = self.random.random(len(cells)) < 0.5
            step = np.stack([zero, sign * of_tp, sign * ~of_tp])
        new_p, new_tp, new_tn = p + step[0], tp + step[1], tn + step[2]
        valid = (new_p >= self.low[fold]) & (new_p <= self.high[fold])
        valid &= (new_tp >= 0) & (new_tp <= new_p) & (new_tn >= 0) & (new_tn <= self.of.sizes[fold] - new_p)
        cells += (step * valid).T
        return np.asarray(valid)

    def certain(self, state: Array, budget: Budget) -> tuple[Points, Folds] | None:
        budget.spend(100_000 + 4_000 * self.folds)
        folds = tuple(Sample(int(p), int(size - p)) for p, size in zip(state[:, 0], self.of.sizes, strict=True))
        points = [(int(tp), int(tn)) for _, tp, tn in state]
        return (points, (folds,)) if confirms_folded(self.of.problem, (folds,), points) else None
