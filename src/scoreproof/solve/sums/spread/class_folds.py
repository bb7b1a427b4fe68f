"""A witness for figures of several classes, of one confusion matrix or of one per fold.

Correct counts per fold that hit the printed accuracy come first (``margins``).  Matrices are then changed item
by item such that every fold keeps its correct count (``annealing``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import DEVIATIONS, confirms, divisors
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS
from scoreproof.solve.sums.spread.annealing import Annealing, in_turn
from scoreproof.solve.sums.spread.sides import Points
from scoreproof.solve.sums.spread.windows import VALUE, Bounds, Curve, window

#: Of a matrix of several classes these micro-averages are its accuracy.
ACCURACIES = frozenset({(Kind.WHOLE, "acc"), *((Kind.MICRO, name) for name in ("sens", "ppv", "f1"))})
WHOLE = frozenset({"kappa", "mcc"})
MOST_CELLS, MOST_ITEMS = 40_000, 200_000  # of all matrices of a state together, and of one fold

Key = tuple[str, str, tuple[tuple[Fraction, ...], ...]]
Value = Callable[[Array, Array, Array], Array]  # of (tp, called) of the classes of the folds of these numbers


def figure_of(problem: Problem, target: Target) -> Key | None:
    """What a figure is of: a mean over classes, with weights per fold, or a score of the matrix; else None."""
    folds = problem.matrices
    counts = [[problem.parts[i].p for i in members] for members in folds]
    if (target.clusters or folds[:1]) != folds or target.kind not in (
        Kind.MEAN,
        *DEVIATIONS,
        Kind.WHOLE,
        Kind.MICRO,
    ):
        return None
    if target.kind in (Kind.WHOLE, Kind.WHOLE_SD) and target.score.name in WHOLE:
        return "whole", target.score.name, ()
    if (target.kind, target.score.name) in ACCURACIES:
        return "mean", "sens", tuple(map(_shares, counts))
    if target.kind is not Kind.MEAN and target.kind is not Kind.SD:  # balanced accuracy, or another average
        balanced = tuple(_shares([int(n > 0) for n in own]) for own in counts)
        return ("mean", "sens", balanced) if target.kind is Kind.WHOLE else None
    weights = [[target.weights[i] for i in members] for members in folds]
    uneven = target.kind is Kind.MEAN and len({sum(own) for own in weights}) > 1
    if uneven or not all(map(any, weights)):
        return None
    return "mean", target.score.name, tuple(map(_shares, weights))


def _shares(weights: list[int] | list[Fraction]) -> tuple[Fraction, ...]:
    total = sum(weights)
    return tuple(Fraction(weight) / total for weight in weights)


class ClassFolds:
    """A seeded, resumable search."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem = problem
        self.folds, self.size = len(problem.matrices), len(problem.names)
        sizes = {problem.parts[own[0]].p + problem.parts[own[0]].n for own in problem.matrices}
        self.possible = (
            self.size > 1
            and self.folds * self.size**2 <= MOST_CELLS
            and 0 < min(sizes) <= max(sizes) <= MOST_ITEMS
        )
        keys = [figure_of(problem, target) for target in problem.targets] if self.possible else [None]
        self.possible = None not in keys
        if not self.possible:
            return
        self.random = np.random.default_rng(seed)
        self.counts = np.array([part.p for part in problem.parts]).reshape(self.folds, self.size)
        self.items = self.counts.sum(1).astype(float)
        self.keys = [key for key in dict.fromkeys(keys) if key is not None]
        self.values = [self._value(key) for key in self.keys]
        self.targets = {
            key: [t for t, own in zip(problem.targets, keys, strict=True) if own == key] for key in self.keys
        }
        self.searches: list[_Search] | None = None

    def _value(self, key: Key) -> Value:
        """The score of one fold each: of (tp, called) of its classes, the folds given by number."""
        what, name, weights = key
        if what == "whole":
            return _kappa(self.counts) if name == "kappa" else _mcc(self.counts)
        curve = Curve(ROWS[name], self.problem, range(len(self.problem.parts)))
        shares = np.array([[float(w) for w in own] for own in weights])
        columns, others = np.arange(self.size), self.items[:, None] - self.counts

        def value(tp: Array, called: Array, fold: Array) -> Array:
            found = curve.at(tp, others[fold] - (called - tp), fold[..., None] * self.size + columns)
            return np.asarray(np.where(shares[fold] > 0, shares[fold] * found, 0.0).sum(-1))

        return value

    def run(self, budget: Budget) -> Points | None:
        """(tp, tn) of every class of every fold, if rounds within the budget come upon them."""
        if self.searches is None:
            spread = any(t.kind in DEVIATIONS for t in self.problem.targets)
            ways = divisors(self.problem.spread, self.folds) if spread else [self.folds]
            with np.errstate(all="ignore"):
                self.searches = [each for way in ways if (each := _Search(self, way, budget)).possible]
        return in_turn(self.searches, budget)


class _Search(Annealing[Points]):
    """The search under one divisor of the deviations."""

    combined = (100_000, 200_000, 400_000)

    def __init__(self, of: ClassFolds, divisor: int, budget: Budget) -> None:
        self.of, self.random, self.folds, self.scores = of, of.random, of.folds, len(of.keys)
        self.price = 150 + (20 + VALUE * of.size) * len(of.keys)
        means = [window(t for t in of.targets[key] if t.kind not in DEVIATIONS) for key in of.keys]
        spreads = [window(t for t in of.targets[key] if t.kind in DEVIATIONS) for key in of.keys]
        self.bounds = Bounds(means, spreads, of.folds, divisor)
        accuracy: Key = "mean", "sens", tuple(_shares(list(map(int, own))) for own in of.counts)
        known = accuracy in of.keys and self.bounds.known[at := of.keys.index(accuracy)]
        self.possible = not known or self.aim_at_accuracy(at, of.items, budget)

    def values(self, k: int, states: Array, fold: Array) -> Array:
        """A score of matrices (the last two axes) of these folds, less the middle of its mean."""
        tp = np.diagonal(states, axis1=-2, axis2=-1).astype(float)
        value = self.of.values[k](tp, states.sum(-2).astype(float), fold)
        return np.asarray(value - self.bounds.middle[k])

    def start(self, count: int) -> Array:
        """Matrices with correct counts that hit the accuracy, and errors wherever chance puts them."""
        of, random = self.of, self.random
        folds, size = of.folds, of.size
        states = np.zeros((count, folds, size, size), dtype=np.int64)
        rate = float(np.mean(self.bounds.middle[self.bounds.known])) if self.bounds.known.any() else 0.8
        correct = self.correct_items(count, of.items, rate)
        skill = random.normal(0, 0.08, (count, 1, size)) + random.normal(0, 0.03, (count, folds, size))
        wanted = of.counts * np.clip(correct[..., None] / of.items[:, None] + skill, 0, 1)
        tp = np.clip(np.rint(wanted), 0, of.counts).astype(int)
        while (apart := correct - tp.sum(2)).any():  # one item more or less at a time, where there is room
            room = np.where(apart[..., None] > 0, tp < of.counts, (tp > 0) & (apart[..., None] < 0))
            chosen = np.argmax(random.random(tp.shape) * room, axis=2)
            tp += (np.arange(size) == chosen[..., None]) * np.sign(apart)[..., None]
        taste = random.dirichlet(np.ones(size), size=(count, size)) + 1e-9
        for c in range(size):
            share = np.where(np.arange(size) == c, 0, taste[:, c])
            share /= share.sum(1, keepdims=True)
            states[:, :, c] = random.multinomial(of.counts[:, c] - tp[:, :, c], share[:, None, :])
            states[:, :, c, c] = tp[:, :, c]
        return states

    def changed(self, matrices: Array, fold: Array) -> Array:
        """One change in each of some matrices, in place; whether there was one to make."""
        random, size, count = self.random, self.of.size, len(matrices)
        rows = np.arange(count)

        def another(c: Array) -> Array:
            return np.asarray((c + random.integers(1, size, size=count)) % size)

        # an error of each matrix, in which there may be few
        errors = (matrices * (1 - np.eye(size, dtype=int))).reshape(count, -1).cumsum(axis=1)
        drawn = np.floor(random.random(count) * errors[:, -1])
        there, away = np.divmod(np.minimum((errors <= drawn[:, None]).sum(axis=1), size**2 - 1), size)
        kind = random.random(count)
        error = (kind < 0.4) & (size > 2)  # it becomes another
        both = ~error & (
            (self.correct is not None) | (kind < 0.8)
        )  # it is right now, and an item of another class is not
        mended = ~error & ~both & (kind < 0.9)  # it is right now
        c = np.where(error | mended, there, another(there))
        source = np.where(error | mended, away, c)
        aim = np.where(mended, c, another(c))
        # mostly one item, at times many
        reach = np.maximum(self.of.items[fold] / 8, 1) ** (random.random(count) * (random.random() < 0.5))
        step = np.minimum(reach.astype(int), matrices[rows, c, source]) * (source != aim)
        step = np.where(both, np.minimum(step, matrices[rows, there, away] * (there != away)), step)
        too = step * both
        matrices[rows, c, source] -= step
        matrices[rows, c, aim] += step
        matrices[rows, there, away] -= too
        matrices[rows, there, there] += too
        return np.asarray(step > 0)

    def certain(self, state: Array, budget: Budget) -> Points | None:
        budget.spend(100_000 + 4_000 * len(self.of.problem.parts))
        tp = np.diagonal(state, axis1=1, axis2=2)
        tn = self.of.items[:, None].astype(int) - self.of.counts - (state.sum(1) - tp)
        points = [(int(a), int(b)) for a, b in zip(tp.ravel(), tn.ravel(), strict=True)]
        return points if confirms(self.of.problem, points) else None


def _kappa(counts: Array) -> Value:
    def value(tp: Array, called: Array, fold: Array) -> Array:
        own = counts[fold]
        items = own.sum(-1)
        chance = (own * called).sum(-1)
        return np.asarray((items * tp.sum(-1) - chance) / (items * items - chance))

    return value


def _mcc(counts: Array) -> Value:
    def value(tp: Array, called: Array, fold: Array) -> Array:
        own = counts[fold]
        items = own.sum(-1)
        product = items * tp.sum(-1) - (own * called).sum(-1)
        squares = (items**2 - (called**2).sum(-1)) * (items**2 - (own**2).sum(-1))
        return np.asarray(product / np.sqrt(squares))

    return value
