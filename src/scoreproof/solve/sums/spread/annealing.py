"""Chains of states, one cell of counts per fold, changed item by item until they have the printed figures.

Near the best of them changes of two blocks of folds are met in the middle.  Floats steer; whoever uses what is
found confirms it exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Generic, TypeVar

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.solve.sums.spread.margins import Axis, every, some
from scoreproof.solve.sums.spread.meeting import Half, joined
from scoreproof.solve.sums.spread.windows import LOST, Bounds

CHAINS, STEPS = 160, 1_200
LONGER = 2  # so often the next round has twice the steps
HOT, COLD = 1.0, 0.05
#: Best states whose surroundings are searched, and changes of a fold there.
NEAR, VARIANTS = 4, 100
DEPTH = 3  # changes of a variant
SIFTED = 20  # times that the better half of the chains takes the place of the other
CHECKED = 20
TOGETHER = 8  # steps between two looks
MET = 5_000  # more than the work of a meeting, for every change of a block

Certain = TypeVar("Certain")


class Annealing(ABC, Generic[Certain]):
    """A search for states with the figures of ``bounds``, round after round."""

    random: np.random.Generator
    bounds: Bounds
    folds: int
    scores: int
    price: int  # work of a change of a fold and of its scores
    combined: Sequence[int] = (40_000,)  # changes of a block in the first round, and in later ones
    budget: Budget
    correct: Array | None = None  # of every fold, in rows that hit the printed accuracy; kept by all changes
    going: Iterator[tuple[int, Certain | None]] | None = None
    needed = 0  # work of what is next

    @abstractmethod
    def start(self, count: int) -> Array:
        """So many states: (state, fold, and the axes of a cell)."""

    @abstractmethod
    def changed(self, cells: Array, fold: Array) -> Array:
        """One change in each of some cells of these folds, in place; whether there was one to make."""

    @abstractmethod
    def values(self, k: int, cells: Array, fold: Array) -> Array:
        """A score of cells of these folds, less the middle of its printed mean."""

    @abstractmethod
    def certain(self, state: Array, budget: Budget) -> Certain | None:
        """What is found, if a state has the figures exactly."""

    def aim_at_accuracy(self, score: int, sizes: Array, budget: Budget) -> bool:
        """List or draw numbers of correct items that hit the accuracy, this score; whether there are any."""
        axis = Axis(score, 1, 1, sizes.astype(float), 1 / sizes, np.zeros(self.folds))
        found = every(self.bounds, axis, budget)
        self.correct = some(self.bounds, axis, self.random, budget) if found is None else found
        return self.correct is not None and len(self.correct) > 0

    def correct_items(self, count: int, sizes: Array, rate: float) -> Array:
        """So many rows of numbers of correct items: such as hit the accuracy, or about this share."""
        if self.correct is None:
            shares = np.clip(self.random.normal(rate, 0.05, (count, self.folds)), 0, 1)
            return np.asarray(np.rint(sizes * shares).astype(int))
        found = self.correct[self.random.integers(len(self.correct), size=count)].astype(int)
        for size in np.unique(sizes):  # folds of one size may change places
            where = np.flatnonzero(sizes == size)
            found[:, where] = self.random.permuted(found[:, where], axis=1)
        return found

    def run(self, budget: Budget) -> Certain | None:
        """Rounds until the budget is used up; one that is cut short goes on the next time."""
        self.budget = budget
        if self.going is None:
            self.going = self._rounds()
        while budget.left > self.needed:
            self.needed, found = next(self.going)
            if found is not None:
                return found
        return None

    def _rounds(self) -> Iterator[tuple[int, Certain | None]]:
        """Chains from new states, then what is near the best: the work of what is next, and what is found."""
        scores, rows = range(self.scores), np.arange(CHAINS)
        step_price = 100_000 + CHAINS * self.price
        for turn in count():
            steps = STEPS << min(turn, LONGER)
            yield CHAINS * self.folds * (300 + self.price), None
            self.budget.spend(CHAINS * self.folds * (300 + self.price))
            states = self.start(CHAINS)
            every_fold = np.broadcast_to(np.arange(self.folds), states.shape[:2])
            values = np.stack([self.values(k, states, every_fold) for k in scores])
            total, squares = values.sum(2), (values**2).sum(2)
            energy = self.bounds.energy(total, squares)
            for step in range(steps):
                if step % TOGETHER == 0:
                    yield TOGETHER * step_price + CHECKED * 1_000_000, self._hit(states, energy)
                self.budget.spend(step_price)
                fold = self.random.integers(self.folds, size=CHAINS)
                new = states[rows, fold]
                valid = self.changed(new, fold)
                after = np.stack([self.values(k, new, fold) for k in scores])
                before = values[:, rows, fold]
                new_total, new_squares = total + after - before, squares + after**2 - before**2
                new_energy = self.bounds.energy(new_total, new_squares)
                heat = HOT * (COLD / HOT) ** (step / steps)
                taken = valid & (new_energy <= energy + heat * self.random.exponential(size=CHAINS))
                taken &= new_energy < LOST / 10
                a = np.flatnonzero(taken)
                states[a, fold[a]] = new[a]
                values[:, a, fold[a]] = after[:, a]
                total[:, a], squares[:, a], energy[a] = new_total[:, a], new_squares[:, a], new_energy[a]
                if step % (steps // SIFTED) == steps // SIFTED - 1:
                    order = np.argsort(energy, kind="stable")
                    half = CHAINS // 2
                    for each in (states, energy):
                        each[order[half:]] = each[order[:half]]
                    for each in (values, total, squares):
                        each[:, order[half:]] = each[:, order[:half]]
            _, best = np.unique(energy, return_index=True)
            for at in best[: NEAR if self.folds > 1 else 0]:
                many = self.combined[min(turn, len(self.combined) - 1)]
                yield MET * many + self.folds * VARIANTS * (200 + self.price), self._hit(states, energy)
                found = self._near(states[at], many)
                if found:
                    yield 0, found

    def _hit(self, states: Array, energy: Array) -> Certain | None:
        for at in np.flatnonzero(energy <= 0)[:CHECKED]:
            found = self.certain(states[at], self.budget)
            if found:
                return found
            energy[at] = 1e-6
        return None

    def _near(self, state: Array, combined: int) -> Certain | None:
        """Changes of two blocks of folds, met in the middle."""
        folds = self.random.permutation(self.folds)
        blocks = folds[: self.folds // 2], folds[self.folds // 2 :]
        (one, first, half), (two, second, other) = (self._block(state, block, combined) for block in blocks)
        for i, j in list(zip(*joined(self.bounds, half, other, self.random, self.budget), strict=True))[
            :CHECKED
        ]:
            found = state.copy()
            for block, cells, pick in ((blocks[0], one, first[i]), (blocks[1], two, second[j])):
                found[block] = cells[np.arange(len(block)), pick]
            sure = self.certain(found, self.budget)
            if sure:
                return sure
        return None

    def _block(self, state: Array, block: Array, combined: int) -> tuple[Array, Array, Half]:
        """Variants of the cells of some folds; which are taken together, and what they add to S and Q."""
        many = len(block)
        self.budget.spend(200_000 + many * VARIANTS * (200 + self.price) + 15 * combined * many * self.scores)
        where = np.repeat(block, VARIANTS)
        cells = state[where]
        place = np.tile(np.arange(VARIANTS), many)
        for rounds in range(DEPTH):  # the first stay as they are, the others change more and more
            some = np.flatnonzero(place > rounds * VARIANTS // (DEPTH + 1))
            new = cells[some]
            self.changed(new, where[some])
            cells[some] = new
        own = np.stack([self.values(k, cells, where) for k in range(self.scores)])
        own = own.reshape(self.scores, many, VARIANTS)
        pick = self.random.integers(VARIANTS, size=(combined, many))
        pick[self.random.random(pick.shape) < 0.3] = 0
        pick[0] = 0
        undefined = ~np.isfinite(own).all(axis=0)
        total, squares = (np.zeros((self.scores, combined)) for _ in range(2))
        for f in range(many):
            pick[undefined[f, pick[:, f]], f] = 0
            chosen = own[:, f, pick[:, f]]
            total += chosen
            squares += chosen**2
        return cells.reshape(many, VARIANTS, *cells.shape[1:]), pick, (total, squares)


def in_turn(searches: Sequence[Annealing[Certain]], budget: Budget) -> Certain | None:
    """What one of some searches comes upon, which share the work."""
    with np.errstate(all="ignore"):  # what is 0/0 counts as far off
        for place, search in enumerate(searches):
            found = search.run(budget.share(len(searches) - place))
            if found is not None:
                return found
    return None
