"""A witness for means and deviations: lists of likely sums over blocks of parts, looked up in each other.

Longer and longer lists are drawn, and in between such as keep to families of matrices, or to numbers of correct
items, that hit some of the figures.  Floats steer; whatever is found is confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.choice import Folds
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms, confirms_folded, divisors
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.spread.families import FEW, Families
from scoreproof.solve.sums.spread.joining import CHECK, LONGEST, SIZES, WORTH, Drawn, Turn
from scoreproof.solve.sums.spread.likely import LARGEST, Kinds, Likely, Tilt, arrangements
from scoreproof.solve.sums.spread.margins import Axis, every, some
from scoreproof.solve.sums.spread.of_repeats import OfRepeats, alike_repeats
from scoreproof.solve.sums.spread.plainer import plainer

#: Turns with lists of the last size, and what is expected of those that are worth it.
LAST_TURNS, WORTH_AGAIN = 60, log(0.003)
#: Sums that are expected farther from the middle than so many half windows are not there.
OFF = 2.0
FEWEST, MOST = 4, 300
#: Turns of families, and numbers of correct items that are tried, between two turns of whole lists.
FAMILIES, ROWS = 12, 12
#: Sizes of lists of families, with how many turns; parts that are not too many for them, and members of one.
FAMILY_SIZES = ((1 << 13, 4), (1 << 16, 8), *[(1 << 18, 100)] * 8)
SIZES_OF_FEW = ((1 << 16, 8), *[(1 << 18, 10**6)] * 8)  # of few parts all are gone through, time and again
MOST_OF_FAMILIES, MEMBERS_OF_ONE = 12, 2
#: Members that are less likely than the most likely one of their family by this factor are left out.
LIKELY, UNLIKELY = 0.2, 0.03
#: More than the work of preparing a search, and of one row of it.
STARTED, ROW = 100_000_000, 20_000_000


class Lists:
    """A seeded, resumable search for matrices with printed means and deviations of single parts, or repeats."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem, self.seed = problem, seed
        problem = self.asked = plainer(problem)
        targets, size = problem.targets, problem.size
        singles = {tuple((i,) for i in range(size))}
        self.repeats = alike_repeats(problem)
        self.possible = (
            FEWEST <= size <= MOST
            and not problem.matrices
            and (not problem.foldings or (len(problem.foldings) == 1 and not problem.parts))
            and all(len(set(t.weights)) == 1 and t.kind in (Kind.MEAN, Kind.SD) for t in targets)
            and ({t.clusters for t in targets if t.kind is Kind.SD} <= singles or bool(self.repeats))
            and max([max(s.p, s.n) for s in problem.parts], default=0) <= LARGEST
            and max([max(s.p, s.n) for s in problem.foldings], default=0) <= LARGEST
        )
        if self.possible and problem.foldings:
            (folding,) = problem.foldings
            self.possible = sum(a * b for a, b in folding.sizes) == folding.p + folding.n
        self.going: Iterator[tuple[int, Found | None]] | None = None
        self.needed = 0  # work of what is next

    def run(self, budget: Budget) -> Found | None:
        """What turns within the budget come upon; one that would be cut short is left for the next time."""
        self.budget = budget
        if self.going is None:
            self.going = self._turns()
        with np.errstate(all="ignore"):
            while self.possible and budget.left > self.needed:
                self.needed, found = next(self.going, (0, None))
                self.possible = self.needed > 0
                if found is not None:
                    return found
        return None

    def _turns(self) -> Iterator[tuple[int, Found | None]]:
        """Longer and longer lists, as long as they are worth it, for each divisor in turn: the work of what is
        next, and what is found."""
        random = np.random.default_rng(self.seed)
        searches: list[Iterator[tuple[int, Found | None]]] = []
        deviations, repeats = any(t.kind is Kind.SD for t in self.asked.targets), self.repeats
        ways = (
            divisors(self.asked.spread, len(repeats) or self.asked.size) if deviations else (self.asked.size,)
        )
        for divisor in ways:
            yield STARTED, None
            if repeats:
                searches.append(OfRepeats(self, divisor, random).turns())
                continue
            likely = Likely(self.asked, divisor, random, self.budget)
            if likely.possible and (search := _Search(self, likely, random)).possible:
                searches.append(search.turns())
        spent, needs = [0] * len(searches), [1] * len(searches)
        while searches:  # that which has done least goes on
            at = spent.index(min(spent))
            yield needs[at], None
            before = self.budget.left
            needs[at], found = next(searches[at], (0, None))
            spent[at] += before - self.budget.left + 1
            if found is not None:
                yield CHECK, found
            if not needs[at]:
                del searches[at], spent[at], needs[at]


class _Search:
    """The lists under one divisor."""

    def __init__(self, of: Lists, likely: Likely, random: np.random.Generator) -> None:
        self.of, self.likely, self.random = of, likely, random
        self.counts = [likely.kind_of.count(g) for g in range(len(likely.kinds))]
        self.tilt = Tilt(likely.kinds, self.counts, likely.centre, of.budget)
        self.possible = self.tilt.off < OFF
        self.whole = Drawn(likely.kinds, likely.kind_of, self.tilt)
        self.scores = self._first_scores()
        self.rows = self._accuracy() if self.possible else None
        self.done: set[tuple[int, ...]] = set()  # rows that were gone through
        self.known: dict[tuple[int, int], Kinds] = {}

    def _accuracy(self) -> Array | None:
        """Numbers of correct items of all parts that hit mean and deviation of the accuracy, in any order."""
        likely = self.likely
        if "acc" not in likely.names or not likely.bounds.known[at := likely.names.index("acc")]:
            return None
        if len(likely.names) == 1 and not likely.open:  # nothing else is to be hit
            return None
        sizes = np.array([likely.every[g][1] + max(likely.every[g][0], 0) for g in likely.kind_of], dtype=float)
        axis = Axis(at, 1, 1, sizes, 1 / sizes, np.zeros(len(sizes)))
        found = every(likely.bounds, axis, self.of.budget)
        if found is not None:
            self.possible = len(found) > 0
        else:
            found = some(likely.bounds, axis, self.random, self.of.budget)
        return None if found is None or not len(found) else self.random.permutation(found.astype(int))

    def turns(self) -> Iterator[tuple[int, Found | None]]:
        """Lists of one size after the other, and between them such as keep to families of matrices: the work of
        what is next, and what is found."""
        families, needed = self._families(), 1
        for turn, size in enumerate((*SIZES, *[SIZES[-1]] * LAST_TURNS)):
            for _ in range(FAMILIES * (turn + 1)):
                yield needed, None  # of what comes next, which may be long ago
                needed, choice = next(families, (1, None))
                if choice is not None:
                    yield CHECK, self._certain(self.whole, choice)
            for row in self._some_rows(turn):
                yield from self._row(row)
            if self.whole.best(size)[0] > (WORTH if turn < len(SIZES) else WORTH_AGAIN):
                yield from self._turn(self.whole, size)
            yield ROW, None

    def _row(self, row: Array) -> Iterator[tuple[int, Found | None]]:
        """Lists that keep to so many correct items of every part."""
        if tuple(row) in self.done:
            return
        yield ROW, None
        drawn = self._with_correct(row)
        if drawn is None or drawn.whole <= LONGEST:
            self.done.add(tuple(row))
        own = drawn.size() if drawn else None
        if drawn and own:
            yield from self._turn(drawn, own)

    def _families(self) -> Iterator[tuple[int, list[int] | None]]:
        """Choices from families of matrices with the same values of some scores, if there are any."""
        if not self.scores:
            return
        # where hardly any but the true matrices fit, none of them may be left out
        alone = self.tilt.entropy + self.tilt.inside < arrangements(self.tilt.counts)
        few = len(self.likely.kind_of) <= FEW
        least = 0.0 if few else UNLIKELY if alone else LIKELY
        for size, turns in SIZES_OF_FEW if few else FAMILY_SIZES:
            families = Families(self.whole, self.scores, self._given(), least, self.random, self.of.budget)
            for each in families.run(size, turns):
                yield each
                families.spend_from(self.of.budget)

    def _given(self) -> Array | None:
        """By how much sums of the accuracy miss the middle, in half windows; None if it does not come first."""
        likely, (first, *_) = self.likely, self.scores
        if self.rows is None or first[0] != np.flatnonzero(likely.bounds.known).tolist().index(
            at := likely.names.index("acc")
        ):
            return None
        sizes = np.array([likely.sorts[g].size for g in likely.kind_of])
        apart = self.rows / sizes - likely.bounds.middle[at]
        sums = np.stack([apart.sum(axis=1), (apart**2).sum(axis=1)], axis=1)[:, : len(first)]
        return np.asarray(sums / likely.half[first] - likely.centre[first])

    def _some_rows(self, turn: int) -> Array:
        if self.rows is None or self.scores:
            return np.zeros((0, 0))
        first = turn * ROWS % len(self.rows)
        return self.rows[first : first + ROWS]

    def _with_correct(self, row: Array) -> Drawn | None:
        """The matrices of all parts with so many correct items each; None if there are none, or none fit."""
        likely = self.likely
        at = likely.names.index("acc")
        known = np.flatnonzero(likely.bounds.known).tolist()
        spread = np.flatnonzero(likely.bounds.spread).tolist()
        gone = [known.index(at)] + ([len(known) + spread.index(at)] if at in spread else [])
        keep = np.setdiff1d(np.arange(len(likely.centre)), gone)
        pairs = list(zip(likely.kind_of, row.tolist(), strict=True))
        kinds = []
        for pair in (every_pair := sorted(set(pairs))):
            if pair not in self.known:
                self.known[pair] = likely.with_correct(*pair)
            kind = self.known[pair]
            kinds.append(Kinds(kind.cells, kind.adds[:, keep], kind.logs))
        if not all(len(kind.cells) for kind in kinds):
            return None
        kind_of = [every_pair.index(pair) for pair in pairs]
        counts = [kind_of.count(i) for i in range(len(kinds))]
        tilt = Tilt(kinds, counts, likely.centre[keep], self.of.budget)
        return Drawn(kinds, kind_of, tilt) if tilt.off < OFF else None

    def _first_scores(self) -> list[list[int]]:
        """The scores, each by its sums, that tell families: those with the fewest values, as long as families
        have several members."""
        likely = self.likely
        if not (self.possible and likely.open and likely.complete and len(likely.kind_of) <= MOST_OF_FAMILIES):
            return []
        known, spread = (np.flatnonzero(each).tolist() for each in (likely.bounds.known, likely.bounds.spread))
        sums = [
            [known.index(k) for _ in "." if k in known]
            + [len(known) + spread.index(k) for _ in "." if k in spread]
            for k in range(len(likely.names))
        ]
        left = [own for own in sums if own]
        found: list[list[int]] = []
        cells = sum(len(kind.cells) for kind in likely.kinds)
        while left:
            number, best = min((self._values([*found, own]), own) for own in left)
            if MEMBERS_OF_ONE * number > cells:
                break
            found.append(best)
            left.remove(best)
        return found

    def _values(self, scores: list[list[int]]) -> int:
        columns = [c for own in scores for c in own]
        self.of.budget.spend(200 * sum(kind.adds.size for kind in self.likely.kinds))
        return sum(len(np.unique(np.round(kind.adds[:, columns], 6), axis=0)) for kind in self.likely.kinds)

    def _turn(self, drawn: Drawn, size: int) -> Iterator[tuple[int, Found | None]]:
        yield drawn.price(size), None
        turn = Turn(drawn, self.random, self.of.budget)
        for choice in turn.run(size, drawn.best(size)[1]):
            yield CHECK, self._certain(drawn, choice)

    def _certain(self, drawn: Drawn, choice: Sequence[int]) -> Found | None:
        """The choice, if it has the figures exactly."""
        problem = self.of.problem
        self.of.budget.spend(100_000 + 4_000 * len(choice))
        cells = [drawn.kinds[g].cells[c] for g, c in zip(drawn.kind_of, choice, strict=True)]
        points = tuple((int(tp), int(tn)) for _, _, tp, tn in cells)
        if not problem.foldings:
            return Found(points) if confirms(problem, points) else None
        folds: Folds = (tuple(Sample(int(p), int(n)) for p, n, _, _ in cells),)
        return Found(points, folds) if confirms_folded(problem, folds, points) else None
