"""Unknown folds whose figures are means of shares: a witness, positives first, then negatives; or integer sums.

A fold adds ``tp/p`` to the sum of the sensitivities, ``tn/n`` to that of the specificities, and ``tp/size``
and ``tn/size`` to that of the accuracies.  In one folding after the other the counts tp that hit the
sensitivity are listed (all of them, where folds are small, else those near the mean), and for what each leaves
of the accuracy the counts tn are looked up: sums over one half of the folds among those over the other half.
Floats find, a witness is confirmed in fractions.  A refutation goes through all foldings with the integer sums
of known folds: often one figure is enough, since the means of few items are rare fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from scoreproof.budget import Budget
from scoreproof.effort import within
from scoreproof.proof.sums.choice import Folds
from scoreproof.proof.sums.listing import every_folding
from scoreproof.proof.sums.nodes import Fewer, Foldings
from scoreproof.proof.sums.replay import with_targets
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.answer import Answer
from scoreproof.solve.sums.decide import decide
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.listing import each_folding

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Window = tuple[float, float]

SHARES = ("acc", "sens", "spec")
SLACK = 1e-10  # added to windows: of sums of at most a few hundred shares, whose errors are far smaller
ROUNDED = 1e-9  # ... to those of sums that were rounded so that equal ones are seen to be
MOST_FOLDS = 12
MOST_LISTED = 60_000  # counts of one class in all folds, tried together
MOST_HALF = 25_000  # ... in half of the folds
MOST_LEFT = 6  # different remainders of the accuracy that are looked up in one folding
NEAR = 8  # sums of the other half that may go with one sum
TRIED = 3  # candidates confirmed in one look-up
WORK = 12  # of one entry of a list
FIRST, MOST_FOLDINGS = 200, 4_000  # foldings looked at first, and in all
PART = 3  # which part of the work may go into each step
STARTED = 150_000  # work of one folding besides


def serves(problem: Problem) -> bool:
    """Whether the figures are means of accuracy, sensitivity and specificity over one folding of all items."""
    if len(problem.foldings) != 1 or problem.parts:
        return False
    (folding,) = problem.foldings
    whole = sum(size * many for size, many in folding.sizes) == folding.p + folding.n
    names = [target.score.name for target in problem.targets]
    return (
        whole
        and folding.k <= MOST_FOLDS
        and all(target.kind is Kind.MEAN for target in problem.targets)
        and set(names) <= set(SHARES)
        and len(set(names)) == len(names)
    )


def by_shares(
    problem: Problem, ways: Iterator[Folds], seed: int, total: int, budget: Budget
) -> Found | Foldings | Fewer | None:
    """A witness from lists of the counts of either class, or integer sums in all of ``total`` foldings: of one
    figure first, which is soon seen not to be enough, then of all."""
    lists = ShareLists(problem, ways, seed)
    found: Found | Foldings | None = None
    with within(budget.share(PART)) as part:
        found = lists.run(part, FIRST)
    every = tuple(range(len(problem.targets)))
    for some in (*((t,) for t in every), every) if found is None and total <= MOST_FOLDINGS else ():
        with within(budget.share(PART)) as part:
            found = each_folding(with_targets(problem, some), (), total, part, _sums)
        if isinstance(found, Foldings):
            return Fewer(some, found) if len(some) < len(every) else found
    if isinstance(found, Found) and confirms_folded(problem, found.folds, found.points):
        return found
    with within(budget.share(PART)) as part:
        return lists.run(part, MOST_FOLDINGS)
    return None


def _sums(problem: Problem, budget: Budget) -> Answer:
    """What integer sums say of known folds."""
    return decide(problem, budget, stages=frozenset({"sums"}))


class ShareLists:
    """The search, which goes on where it stopped."""

    def __init__(self, problem: Problem, ways: Iterator[Folds], seed: int) -> None:
        self.problem = problem
        (self.folding,) = problem.foldings
        self.means: dict[str, Window] = dict.fromkeys(SHARES, (-inf, inf))
        for target in problem.targets:
            low, high = target.interval.lo, target.interval.hi
            self.means[target.score.name] = (
                -inf if low is None else float(low),
                inf if high is None else float(high),
            )
        every = every_folding(problem)
        if every is None:
            self.ways: Iterator[Folds] = ways
        else:
            listed = list(every)
            order = np.random.default_rng(seed).permutation(len(listed))
            self.ways = (listed[i] for i in order)

    def run(self, budget: Budget, most: int) -> Found | None:
        """What the next foldings have."""
        for folds in islice(self.ways, most):
            points = self._in(folds[0], budget)
            if points is not None:
                return Found(points, folds)
        return None

    def _in(self, folds: Sequence[Sample], budget: Budget) -> tuple[tuple[int, int], ...] | None:
        """Matrices for the folds."""
        budget.spend(STARTED)
        names = ["sens", "spec"]
        sides = {name: _Side(folds, key, self.means[name]) for name, key in zip(names, "pn", strict=True)}
        if any(side.empty and side.asked for side in sides.values()):
            if self.problem.undefined == "impossible":
                return None
            for side in sides.values():
                side.skips = self.problem.undefined == "skip"
        if self.folding.p > self.folding.n:
            names.reverse()
        first, second = (sides[name] for name in names)
        low, high = first.window
        shares, rights, counts = first.sums(range(len(folds)), MOST_LISTED)
        budget.spend(WORK * len(shares))
        hit = np.flatnonzero((shares >= low) & (shares <= high))
        if not len(hit):
            return None
        # what is left of the accuracy, the likeliest first
        _, at = np.unique(np.round(rights[hit], 9), return_index=True)
        hit = hit[at]
        k = self.folding.k
        least, most = k * self.means["acc"][0] - SLACK, k * self.means["acc"][1] + SLACK
        wanted = second.usual
        if least > -inf:
            hit = hit[np.argsort(np.abs((least + most) / 2 - rights[hit] - wanted), kind="stable")]
        for i in hit[:MOST_LEFT].tolist():
            left = (least - rights[i], most - rights[i])
            for other in second.hitting(left, budget):
                chosen = first.counts(i, counts), other
                tp, tn = chosen if names[0] == "sens" else chosen[::-1]
                points = tuple(zip(tp, tn, strict=True))
                if confirms_folded(self.problem, (tuple(folds),), points):
                    return points
        return None


class _Side:
    """The right answers among the items of one class, and the mean of their shares."""

    def __init__(self, folds: Sequence[Sample], name: str, mean: Window) -> None:
        self.items: list[int] = [getattr(fold, name) for fold in folds]
        self.sizes = [fold.p + fold.n for fold in folds]
        self.mean = mean
        self.skips = False  # whether folds without items are left out of the mean
        self.empty = self.items.count(0)
        self.asked = mean[1] < inf or mean[0] > -inf

    @property
    def window(self) -> Window:
        """What the shares may add up to."""
        folds = len(self.items) - self.empty * self.skips
        return folds * self.mean[0] - SLACK, folds * self.mean[1] + SLACK

    @property
    def share(self) -> float:
        """About which share of the items is right."""
        return min(max((max(self.mean[0], 0.0) + min(self.mean[1], 1.0)) / 2, 0.0), 1.0)

    @property
    def usual(self) -> float:
        """About what the class adds to the sum of the accuracies."""
        return self.share * sum(items / size for items, size in zip(self.items, self.sizes, strict=True))

    def ranges(self, which: Sequence[int], most: int) -> list[Ints]:
        """Counts of some folds: all of them, or as many near the mean as may be listed together."""
        width = most
        if prod(self.items[i] + 1 for i in which) > most:
            width = int(most ** (1 / len(which)))
        found = []
        for i in which:
            start = min(max(round(self.share * self.items[i]) - width // 2, 0), self.items[i] + 1 - width)
            start = max(start, 0)
            found.append(np.arange(start, min(start + width, self.items[i] + 1)))
        return found

    def sums(self, which: Sequence[int], most: int) -> tuple[Array, Array, list[Ints]]:
        """The sums of shares and of parts of the accuracies for counts of some folds."""
        ranges = self.ranges(which, most)
        shares, rights = np.zeros(1), np.zeros(1)
        for i, counts in zip(which, ranges, strict=True):
            shares = (shares[:, None] + (counts / max(self.items[i], 1))[None, :]).ravel()
            rights = (rights[:, None] + (counts / self.sizes[i])[None, :]).ravel()
        return shares, rights, ranges

    @staticmethod
    def counts(place: int, ranges: Sequence[Ints]) -> tuple[int, ...]:
        """The counts that stand at a place of such a list."""
        at = np.unravel_index(place, tuple(len(each) for each in ranges))
        return tuple(int(each[i]) for each, i in zip(ranges, at, strict=True))

    def hitting(self, right: Window, budget: Budget) -> Iterator[tuple[int, ...]]:
        """Some counts of all folds whose shares, and what they add to the accuracies, lie in their windows."""
        middle = len(self.items) // 2
        one, two = (self.sums(which, MOST_HALF) for which in (range(middle), range(middle, len(self.items))))
        budget.spend(3 * WORK * (len(one[0]) + len(two[0])))
        # one list that rises: by what is added to the accuracies, and inside by shares
        steps, group = np.unique(np.round(two[1], 9), return_inverse=True)
        wide = 4.0 * len(self.items)
        order = np.argsort(group * wide + two[0], kind="stable")
        key = (group * wide + two[0])[order]
        low, high = max(self.window[0], -1.0), min(self.window[1], len(self.items) + 1.0)
        first = np.searchsorted(steps, right[0] - ROUNDED - one[1])
        last = np.searchsorted(steps, right[1] + ROUNDED - one[1], side="right")
        given = 0
        for step in range(NEAR):
            at = np.flatnonzero(first + step < last)
            if not len(at):
                return
            base = (first[at] + step) * wide - one[0][at]
            begin = np.searchsorted(key, base + low)
            end = np.searchsorted(key, base + high, side="right")
            for i in np.flatnonzero(begin < end)[:TRIED].tolist():
                place = int(order[begin[i]])
                yield self.counts(int(at[i]), one[2]) + self.counts(place, two[2])
                given += 1
                if given >= TRIED:
                    return
