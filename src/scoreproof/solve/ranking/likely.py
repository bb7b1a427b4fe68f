"""Rankings that parts are likely to have, and what each adds to the sums of all that is printed.

A figure about all parts is a window of a sum, of areas and average precisions as of the scores of matrices.  So
lists of likely sums that are looked up in each other find matrices and areas together, or areas and average
precisions.  Floats steer; what is found is confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.ranking.chains import of_all
from scoreproof.proof.ranking.witness import Ordering, Rankings, confirms
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import divisors
from scoreproof.question.question import Kind, Problem, Ranked, Target
from scoreproof.scores import Matrix
from scoreproof.solve.ranking.areas import shapes
from scoreproof.solve.ranking.orderings import spread
from scoreproof.solve.sums.spread.joining import CHECK, SIZES, WORTH, Drawn, Turn
from scoreproof.solve.sums.spread.likely import LARGEST, Kinds, Likely, Tilt, farthest, windows
from scoreproof.solve.sums.spread.plainer import plainer
from scoreproof.solve.sums.spread.windows import Bounds, window

#: Parts of which there is a choice, and so many that lists are drawn for.
FEWEST, MOST = 2, 100
#: Rankings of one kind of part that are listed; of those whose average precisions count, areas that are tried.
LISTED, AREAS = 20_000, 60
#: Sums that are expected farther from the middle than so many half windows are not there.
OFF = 2.0
#: How far areas lie apart where no deviation is printed; turns with lists of one size, and choices of one turn.
LOOSE, TURNS, TAKEN = 0.25, 4, 8
#: Work of listing the rankings of one area, a positive, and of one kind of part.
SHAPED, KIND = 100_000, 20_000_000


@dataclass(frozen=True)
class Rows:
    """The rankings of one kind of part, (p, n, tp, tn, 2·U) each, and how those told by more are made."""

    kinds: Kinds
    made: Sequence[Callable[[], Ordering]] | None

    def ranking(self, row: int) -> Ordering:
        if self.made is not None:
            return self.made[row]()
        p, n, tp, tn, doubled = (int(each) for each in self.kinds.cells[row])
        return spread(((tp, tn),), p, n, doubled)


def serves(question: Ranked) -> bool:
    """Whether the parts are known and all figures are plain means and deviations over all of them."""
    base, ranked = question.plain, (*question.areas, *question.precisions)
    if not ranked or not isinstance(base, Problem) or base.matrices or base.foldings:
        return False
    if not FEWEST <= base.size <= MOST:
        return False
    targets = (*plainer(base).targets, *ranked)
    sizes = [part.p + part.n for part in base.parts]
    return max(sizes) <= LARGEST and all(_plain(each, base.size) for each in targets)


def _plain(each: Target, parts: int) -> bool:
    alone = each.kind is Kind.SD and set(each.clusters) == {(i,) for i in range(parts)}
    return len(set(each.weights)) == 1 and (alone or of_all(each))


def together(question: Ranked, budget: Budget) -> Rankings | None:
    """Rankings that give every figure, where matrices, areas and average precisions are looked for at once."""
    base, random = question.plain, np.random.default_rng(0)
    assert isinstance(base, Problem)
    every = (*base.targets, *question.areas, *question.precisions)
    ways = divisors(base.spread, base.size) if any(t.kind is Kind.SD for t in every) else [base.size]
    with np.errstate(all="ignore"):
        searches = [_Lists(question, divisor, random, budget) for divisor in ways]
        for size in SIZES:
            for search in searches:
                found = search.run(size) if search.possible else None
                if found is not None:
                    return found
    return None


class _Lists:
    """Lists of the likely rankings of all parts, under one divisor of the deviations."""

    def __init__(self, question: Ranked, divisor: int, random: np.random.Generator, budget: Budget) -> None:
        self.question, self.random, self.budget = question, random, budget
        base = question.plain
        assert isinstance(base, Problem)
        about = [own for own in (question.areas, question.precisions) if own]
        means, spreads = (
            [window(t for t in own if t.kind is kind) for own in about] for kind in (Kind.MEAN, Kind.SD)
        )
        self.bounds = Bounds(means, spreads, base.size, divisor)
        half, centre = (np.array(each) for each in windows(self.bounds))
        self.half, self.far = np.maximum(half, 1e-9), farthest(self.bounds, LOOSE)
        centre = centre / self.half
        if base.targets:
            plain = Likely(plainer(base), divisor, random, budget)
            kinds, kind_of, centre = plain.kinds, plain.kind_of, np.concatenate([plain.centre, centre])
        else:
            every = list(dict.fromkeys(base.parts))
            kind_of = [every.index(part) for part in base.parts]
            none = np.zeros((1, 0))
            kinds = [Kinds(np.array([[part.p, part.n, 0, part.n]]), none, np.zeros(1)) for part in every]
        self.rows = [self._ranked(kind) for kind in kinds]
        self.possible = all(len(rows.kinds.cells) for rows in self.rows)
        if self.possible:
            own, counts = [rows.kinds for rows in self.rows], [kind_of.count(g) for g in range(len(kinds))]
            tilt = Tilt(own, counts, centre, budget)
            self.possible = tilt.off < OFF
            self.drawn = Drawn(own, kind_of, tilt)

    def _ranked(self, kind: Kinds) -> Rows:
        """The rankings of one kind of part beside its matrices."""
        self.budget.spend(KIND)
        cells, place = self._areas(kind.cells)
        adds, logs, made = kind.adds[place], kind.logs[place], None
        values = (cells[:, 4] / (2 * cells[:, 0] * cells[:, 1]))[:, None]
        if self.question.precisions:
            made, again, precisions = self._shaped(cells)
            cells, adds, logs = cells[again], adds[again], logs[again]
            values = np.concatenate([values[again], precisions[:, None]], axis=1)
            values = values if self.question.areas else values[:, 1:]
        values = values - self.bounds.middle
        near = (np.abs(values) <= self.far).all(axis=1)
        sums = np.concatenate([values[:, self.bounds.known], values[:, self.bounds.spread] ** 2], axis=1)
        all_adds = np.concatenate([adds, sums / self.half], axis=1)
        if made is not None:
            made = [made[i] for i in np.flatnonzero(near)]
        return Rows(Kinds(cells[near], all_adds[near], logs[near]), made)

    def _areas(self, matrices: Array) -> tuple[Array, Array]:
        """Matrices of one kind of part with a 2·U each, (p, n, tp, tn, 2·U), and which of them each is of."""
        p, n, tp, tn = matrices.T
        low, high = 2 * tp * tn, 2 * (p * n - (p - tp) * (n - tn))
        if self.question.areas:
            middle, far = self.bounds.middle[0], self.far[0]
            low = np.maximum(low, np.ceil(2 * p * n * (middle - far)).astype(np.int64))
            high = np.minimum(high, np.floor(2 * p * n * (middle + far)).astype(np.int64))
        counts = np.maximum(high - low + 1, 0)
        ends = counts.cumsum()
        place = np.arange(ends[-1] if len(ends) else 0)
        most = AREAS if self.question.precisions else LISTED
        if len(place) > most:
            place = np.sort(self.random.choice(len(place), most, replace=False))
        of = np.searchsorted(ends, place, side="right")
        doubled = low[of] + place - (ends - counts)[of]
        return np.concatenate([matrices[of], doubled[:, None]], axis=1), of

    def _shaped(self, cells: Array) -> tuple[list[Callable[[], Ordering]], Array, Array]:
        """Rankings with these areas by their average precisions: how to make each, and which area it has."""
        made: list[Callable[[], Ordering]] = []
        of, precisions = [np.zeros(0, dtype=int)], [np.zeros(0)]
        for i, (p, n, tp, tn, doubled) in enumerate(cells.tolist()):
            self.budget.spend(SHAPED * (10 + p))
            own = shapes(Matrix(tp, n - tn, p - tp, tn), doubled)
            some = self.random.permutation(len(own.made))[: LISTED // len(cells)]
            made += [own.made[k] for k in some]
            of.append(np.full(len(some), i))
            precisions.append(own.precisions[some])
        return made, np.concatenate(of), np.concatenate(precisions)

    def run(self, size: int) -> Rankings | None:
        """What some turns with lists of one size come upon."""
        worth, lists = self.drawn.best(size)
        for _ in range(TURNS if worth > WORTH or size == SIZES[0] else 0):
            self.budget.spend(CHECK)
            for choice in islice(Turn(self.drawn, self.random, self.budget).run(size, lists), TAKEN):
                pairs = zip(self.drawn.kind_of, choice, strict=True)
                rankings = Rankings(tuple(self.rows[g].ranking(c) for g, c in pairs))
                self.budget.spend(CHECK)
                if confirms(self.question, rankings):
                    return rankings
        return None
