"""Micro averages over several matrices of several classes: only the correct items of each count.

With T of N items correct the summed classes are tp = T, fp = fn = N - T, so every figure is a mean of functions
of one number per matrix.  From a random start two matrices at a time take the pair of numbers that brings all
figures nearest: one is gone through, and the other is what a figure that rises or falls with it asks for.
Where that does not lead there, many numbers are drawn for each half of the matrices, and halves that fit
together are looked up.  Floats only steer: what is found is confirmed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import Matrix
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.pooled import shared_out

VALUE = 6_000  # work of one figure of one matrix
ENTRY = 30  # ... of one figure of a pair that is looked at
STARTS, PAIRS = 60, 40  # from so many starts, and so many pairs from each
JOINS, DRAWN = 40, 20_000  # so often so many numbers are drawn for each half
SPREADS = (1.0, 2.0, 0.5, 1.5)  # ... this far apart, in deviations of chance
TOLD, NEAREST = 4, 3
FAR = 1e6  # no figure is so large
BESIDE = np.arange(-2, 3)


def serves(problem: Problem) -> bool:
    """Whether all figures depend on the numbers of correct items alone."""
    return len(problem.matrices) > 1 and all(
        target.kind is Kind.MICRO or (target.kind is Kind.WHOLE and target.score.name == "acc")
        for target in problem.targets
    )


def by_totals(problem: Problem, seed: int, budget: Budget) -> Found | None:
    """A witness from numbers of correct items, one per matrix."""
    search = _Totals(problem, seed, budget)
    return search.run() if search.usable else None


class _Totals:
    def __init__(self, problem: Problem, seed: int, budget: Budget) -> None:
        self.problem, self.budget = problem, budget
        self.random = np.random.default_rng(seed)
        self.sizes = [sum(problem.parts[i].p for i in members) for members in problem.matrices]
        ends = [(t.interval.lo, t.interval.hi) for t in problem.targets]
        self.middle = np.array([float((lo + hi) / 2) for lo, hi in ends if lo is not None and hi is not None])
        self.usable = len(self.middle) == len(ends) > 0
        if self.usable:
            width = [max(float(hi - lo) / 2, 1e-12) for lo, hi in ends if lo is not None and hi is not None]
            self.width = np.array(width)
            known = {size: self.table(size) for size in set(self.sizes)}
            shares = [
                [(own in t.clusters) / len(t.clusters) for t in problem.targets] for own in problem.matrices
            ]
            self.tables = [known[size] * share for size, share in zip(self.sizes, shares, strict=True)]
            straight = (k for k, t in enumerate(problem.targets) if t.score.straight_by_calls)
            self.lead = next(straight, 0)

    def table(self, size: int) -> Array:
        """Every figure of so many items for every number of correct ones; far off where it is undefined."""
        targets, others = self.problem.targets, len(self.problem.names) - 1
        self.budget.spend(VALUE * size * len(targets))
        found = np.full((size + 1, len(targets)), FAR)
        for correct in range(size + 1):
            wrong = size - correct
            matrix = Matrix(correct, wrong, wrong, others * size - wrong)
            for k, target in enumerate(targets):
                whole = target.kind is Kind.WHOLE
                value = Fraction(correct, size) if whole else target.score.value(matrix, self.problem.betas)
                if value is not None:
                    found[correct, k] = float(value)
        return found

    def run(self) -> Found | None:
        """The first witness of several starts, or of halves around what the last one came to."""
        count = len(self.sizes)
        totals: list[int] = []
        for _ in range(STARTS):
            share = self.random.uniform(0.05, 0.95)
            totals = [int(share * size) for size in self.sizes]
            for _ in range(PAIRS):
                i, j = self.random.choice(count, 2, replace=False).tolist()
                off = self.pair(totals, i, j)
                if off <= 1.0 and (found := self.confirmed(totals)) is not None:
                    return found
        for turn in range(JOINS if count > 2 else 0):
            for joined in self.halves(totals, SPREADS[turn % len(SPREADS)]):
                if (found := self.confirmed(joined)) is not None:
                    return found
        return None

    def confirmed(self, totals: list[int]) -> Found | None:
        found = Found(self.points(totals))
        return found if confirms(self.problem, found.points) else None

    def halves(self, totals: list[int], spread: float) -> Iterator[list[int]]:
        """Numbers drawn around these for each half of the matrices, put together where all figures fit."""
        from scipy.linalg import qr
        from scipy.spatial import cKDTree

        sizes = np.array(self.sizes)
        share = sum(totals) / sizes.sum()
        deviation = spread * np.sqrt(sizes * share * (1 - share) + 1)
        drawn = np.rint(share * sizes + deviation * self.random.standard_normal((DRAWN, len(sizes))))
        drawn = np.clip(drawn, 0, sizes).astype(int)
        middle = len(sizes) // 2
        self.budget.spend(ENTRY * DRAWN * (len(sizes) * len(self.middle) + 200))
        sums = []
        for half in (range(middle), range(middle, len(sizes))):
            sums.append(sum(self.tables[k][drawn[:, k]] for k in half) / self.width)
        wanted = self.middle / self.width - sums[0]
        # the figures that tell most, one after the other; the others mostly follow
        figures = qr(sums[1] - sums[1].mean(axis=0), mode="r", pivoting=True)[1][:TOLD]
        distance, found = cKDTree(sums[1][:, figures]).query(
            wanted[:, figures], k=NEAREST, p=np.inf, distance_upper_bound=1.0
        )
        for row, near in zip(*np.nonzero(np.isfinite(distance)), strict=True):
            other = found[row, near]
            if (np.abs(wanted[row] - sums[1][other]) <= 1.0).all():
                yield [*drawn[row, :middle].tolist(), *drawn[other, middle:].tolist()]

    def pair(self, totals: list[int], i: int, j: int) -> float:
        """Let two matrices take the best pair; how far the worst figure is off, in halves of its interval."""
        rest = sum(
            table[t] for k, (table, t) in enumerate(zip(self.tables, totals, strict=True)) if k not in (i, j)
        )
        one, two = self.tables[i], self.tables[j]
        wanted = self.middle - rest
        ladder = two[:, self.lead]
        rising = ladder[-2] >= ladder[1]
        needed = wanted[self.lead] - one[:, self.lead]
        at = np.searchsorted(ladder if rising else -ladder, needed if rising else -needed)
        first = np.repeat(np.arange(len(one)), len(BESIDE))
        second = np.clip(at[:, None] + BESIDE, 0, len(two) - 1).ravel()
        self.budget.spend(ENTRY * len(first) * len(wanted))
        off = np.abs(one[first] + two[second] - wanted) / self.width
        loss = np.minimum(off, FAR).max(axis=1) * self.random.uniform(1.0, 1.3, len(first))
        best = int(np.argmin(loss))
        totals[i], totals[j] = int(first[best]), int(second[best])
        return float(off[best].max())

    def points(self, totals: list[int]) -> tuple[tuple[int, int], ...]:
        """Matrices with so many correct items, in which every class takes its wrong ones to the next class."""
        found: dict[int, tuple[int, int]] = {}
        for members, total in zip(self.problem.matrices, totals, strict=True):
            items = [self.problem.parts[i].p for i in members]
            correct = shared_out(total, items)
            for c, i in enumerate(members):
                wrongly = items[c - 1] - correct[c - 1]
                found[i] = correct[c], self.problem.parts[i].n - wrongly
        return tuple(found[i] for i in range(len(self.problem.parts)))
