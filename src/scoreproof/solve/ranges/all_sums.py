"""The ends of many scores at once over averages: all sums of each half of the parts, joined.

Every part has finitely many matrices; each adds to the reported sums (integers) and to the wanted
ones.  Of all ways to the same reported sums only the best for each wanted score matters, so the
sums of half of the parts are listed with their best, and the two lists are joined inside the
printed intervals.  Sums of reported figures are exact wherever these are fractions of moderate
denominators; roots are rounded and their windows widened, so that a bound is always proven, and
the matrices found are confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm

import numpy as np

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.proof.kinds import confirms
from scoreproof.proof.witness import Witness
from scoreproof.question.folds import Sample, positives_range
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ONE, Exact, Matrix, Score
from scoreproof.solve.ranges.asking import figure_of
from scoreproof.solve.ranges.ends import End, Span, enclosed
from scoreproof.solve.ranges.half_sums import NEVER, Flags, Halves, Ints, Layer, TooMany

#: Matrices of one part, values of wanted scores, and parts, at most.
MOST_POINTS = 60_000
MOST_VALUES = 300_000
MOST_PARTS = 60
#: Work of one value of a score.
VALUE = 10_000
SHARE = 60_000  # ... and of what a matrix adds to a mean
#: Sums stay below this in 64-bit integers; printed ones that are not exact are at least so fine.
LARGEST = 2**57
ROUGH = 2**45
#: A sum about which nothing is said lies between this and its negative.
FREE = 2**61

Shares = list[list[Exact | None]]  # what every matrix of every kind of part adds; None: undefined
Row = tuple[int, int, list[list[int]]]  # the window of a sum, and what they add to it


def spans(
    question: Problem, aims: Mapping[str, Target], start: tuple[Matrix, ...], index: int, budget: Budget
) -> dict[str, Span | None]:
    """The spans of the aims that can be found this way; empty where there are too many sums."""
    usable = {label: aim for label, aim in aims.items() if _additive(aim)}
    if not usable or len(start) > MOST_PARTS or not _suited(question):
        return {}
    try:
        return _Joining(question, start, index, budget).run(usable)
    except (TooMany, OutOfBudget):
        return {}


def _additive(aim: Target) -> bool:
    if aim.kind is Kind.POOLED:
        return aim.score.name in ("acc", "sens", "spec") and all(aim.weights)
    return aim.kind is Kind.MEAN


def _suited(question: Problem) -> bool:
    """Whether every printed figure is one that sums of halves can hold."""
    return all(
        target.kind in (Kind.MEAN, Kind.EACH)
        or (target.kind is Kind.POOLED and all(target.weights) and not question.foldings)
        for target in question.targets
    )


@dataclass(slots=True)
class _Joining:
    question: Problem
    start: tuple[Matrix, ...]
    index: int
    budget: Budget
    kinds: list[int] = field(default_factory=list)  # the kind of every part
    points: list[list[Matrix]] = field(default_factory=list)  # of every kind
    weights: list[tuple[Fraction, ...]] = field(default_factory=list)  # ... and its weight in each target
    owners: list[int] = field(default_factory=list)  # ... and the folding it is of, or -1

    @property
    def pooled(self) -> list[Target]:
        return [target for target in self.question.targets if target.kind is Kind.POOLED]

    def run(self, aims: Mapping[str, Target]) -> dict[str, Span | None]:
        self.sort_parts((*self.question.targets, *aims.values()))
        halves = self.pruned()
        values = sum(map(len, self.points)) * len(aims)
        if values > MOST_VALUES:
            raise TooMany
        self.budget.spend(VALUE * values)
        scales: dict[str, int] = {}
        wanted: list[list[list[int]]] = []  # each aim downwards, then upwards
        for number, (label, aim) in enumerate(aims.items(), len(self.question.targets)):
            try:
                shares = self.shares(number, aim)
            except TooMany:
                continue
            scales[label], _ = _scale(shares, len(self.kinds))
            for sign in (-1, 1):
                wanted.append([[_most(v, sign, scales[label]) for v in some] for some in shares])
        if not wanted:
            return {}
        for kind, each in enumerate(halves.choices):
            each.best = np.array([adds[kind] for adds in wanted], dtype=np.int64)
        ends = iter(halves.join())
        found: dict[str, Span | None] = {}
        for label, scale in scales.items():
            low, high = (self.end(aims[label], next(ends), scale, sign) for sign in (-1, 1))
            found[label] = None if low is None or high is None else Span(low, high)
        return found

    def sort_parts(self, targets: tuple[Target, ...]) -> None:
        """List the matrices of every kind: parts with the same ones and the same weights are of one kind."""
        shapes: list[tuple[int, tuple[Sample, ...]]] = [(-1, (sample,)) for sample in self.question.parts]
        for number, folding in enumerate(self.question.foldings):
            for size, many in folding.sizes:
                first, last = positives_range(folding.p, folding.n, size)
                # a class with several items falls into at least two folds: no fold holds all of it
                if folding.p >= 2 and folding.k >= 2:
                    last = min(last, folding.p - 1)
                if folding.n >= 2 and folding.k >= 2:
                    first = max(first, size - folding.n + 1)
                shapes += [(number, tuple(Sample(p, size - p) for p in range(first, last + 1)))] * many
        known: dict[object, int] = {}
        for place, (owner, samples) in enumerate(shapes):
            weights = tuple(target.weights[place] for target in targets)
            kind = known.setdefault((owner, samples, weights), len(known))
            if kind == len(self.points):
                self.points.append(self.matrices(samples, weights))
                self.weights.append(weights)
                self.owners.append(owner)
            self.kinds.append(kind)

    def matrices(self, samples: tuple[Sample, ...], weights: tuple[Fraction, ...]) -> list[Matrix]:
        points = sum((s.p + 1) * (s.n + 1) for s in samples)
        if points > MOST_POINTS:
            raise TooMany
        self.budget.spend(VALUE * points * len(self.question.targets))
        every = (Matrix.of(x, y, s.p, s.n) for s in samples for x in range(s.p + 1) for y in range(s.n + 1))
        found = [matrix for matrix in every if self.possible(matrix, weights)]
        if not found:
            raise TooMany  # nothing fits; that is for the verdict to say
        return found

    def possible(self, matrix: Matrix, weights: tuple[Fraction, ...]) -> bool:
        """Whether the scores of a part are defined where they must be, and as said of each part."""
        for target, weight in zip(self.question.targets, weights, strict=False):
            if weight and target.kind is not Kind.POOLED:
                value = self.value(target.score, matrix)
                if value is None:
                    if self.question.undefined != "skip":
                        return False
                elif target.kind is Kind.EACH and value not in target.interval:
                    return False
        return True

    def value(self, score: Score, matrix: Matrix) -> Exact | None:
        found = score.value(matrix, self.question.betas)
        return Fraction(0) if found is None and self.question.undefined == "zero" else found

    def pruned(self) -> Halves:
        """All sums that must land in windows, without matrices that no choice of the others brings there."""
        rows = self.rows()
        low, high = (np.array([row[side] for row in rows], dtype=np.int64) for side in (0, 1))
        nothing = np.zeros((0, 0), dtype=np.int64)
        keys = ([adds[kind] for _, _, adds in rows] for kind in range(len(self.points)))
        choices = [Layer(np.array(each, dtype=np.int64).T, nothing) for each in keys]
        keep = self.pooled_fit if self.pooled else None
        halves = Halves(self.kinds, choices, low, high, self.budget, keep)
        for _ in range(2):
            for kind, each in enumerate(choices):
                kept = halves.open_sums(each.keys, [kind])
                each.keys = each.keys[kept]
                self.points[kind] = [self.points[kind][i] for i in np.flatnonzero(kept)]
        return halves

    def rows(self) -> list[Row]:
        """The sums of pooled counts, of means, and of positives; of nothing, if there are none of these."""
        pooled = (0, 3) if self.pooled else ()  # tp and tn
        rows = [(-FREE, FREE, [[m[cell] for m in points] for points in self.points]) for cell in pooled]
        for number, target in enumerate(self.question.targets):
            if target.kind is Kind.MEAN:
                rows.append(self.mean_row(number, target))
        for number, folding in enumerate(self.question.foldings):
            ours = zip(self.owners, self.points, strict=True)
            adds = [[m.p if owner == number else 0 for m in points] for owner, points in ours]
            rows.append((*folding.inside, adds))
        return rows or [(0, 0, [[0] * len(points) for points in self.points])]

    def mean_row(self, number: int, target: Target) -> Row:
        self.budget.spend(SHARE * sum(map(len, self.points)))
        shares, interval = self.shares(number, target), target.interval
        scale, exact = _scale(shares, len(self.kinds))
        if not exact and scale < ROUGH:
            raise TooMany
        # where sums are not exact every part may have lost up to one unit (and a bit, by its enclosure)
        slack = 0 if exact else 2 * len(self.kinds)
        low = -FREE if interval.lo is None else _above(interval.lo * scale, interval.lo_closed) - slack
        high = FREE if interval.hi is None else -_above(-interval.hi * scale, interval.hi_closed)
        adds = [[floor(enclosed(v)[0] * scale) for v in some if v is not None] for some in shares]
        return min(max(low, -FREE), FREE), min(max(high, -FREE), FREE), adds

    def shares(self, number: int, target: Target) -> Shares:
        """What every matrix adds to a mean, or to a pooled share."""
        if target.kind is Kind.POOLED:
            whole = sum(target.score.terms(matrix, ONE)[1] for matrix in self.start)
            if not whole:
                raise TooMany
            return [[Fraction(target.score.terms(m, ONE)[0], whole) for m in points] for points in self.points]
        total = sum(target.weights, Fraction(0))
        found: Shares = []
        for points, weights in zip(self.points, self.weights, strict=True):
            weight = weights[number] / total
            values = [self.value(target.score, m) if weight else Fraction(0) for m in points]
            if None in values and self.question.undefined == "skip":
                raise TooMany  # what is left out changes the weights of the others
            found.append([None if value is None else _times(value, weight) for value in values])
        return found

    def pooled_fit(self, sums: Ints) -> Flags:
        """Which totals, of right answers in either class first, give the pooled figures."""
        p, n = sum(m.p for m in self.start), sum(m.n for m in self.start)
        codes, back = np.unique(sums[:, 0] * (n + 1) + sums[:, 1], return_inverse=True)
        totals = (Matrix.of(code // (n + 1), code % (n + 1), p, n) for code in codes.tolist())
        good = np.array([self.pooled_holds(matrix) for matrix in totals], dtype=bool)
        return good[back]

    def pooled_holds(self, matrix: Matrix) -> bool:
        values = [(self.value(target.score, matrix), target.interval) for target in self.pooled]
        return all(value is not None and value in interval for value, interval in values)

    def end(self, aim: Target, found: tuple[int, list[int]] | None, scale: int, sign: int) -> End | None:
        """One end of an aim: what is proven, and what confirmed matrices reach."""
        if found is None:
            return None
        total, chosen = found
        parts = tuple(self.points[kind][place] for kind, place in zip(self.kinds, chosen, strict=True))
        if not confirms(self.question, Witness(parts)):
            parts = self.start
        bound = Fraction(sign * total, scale)
        value = figure_of(self.question, aim, parts)
        if value is None:
            return End(bound, reading=self.index)
        return End(bound, value[0] if sign > 0 else value[1], parts, self.index)


def _times(value: Exact, weight: Fraction) -> Exact:
    if isinstance(value, Fraction):
        return value * weight
    return type(value)(value.a * weight, value.b * weight, value.q) if weight else Fraction(0)


def _most(value: Exact | None, sign: int, scale: int) -> int:
    """The value times the sign in whole units, rounded up."""
    return NEVER if value is None else ceil(max(sign * end for end in enclosed(value)) * scale)


def _scale(shares: Shares, parts: int) -> tuple[int, bool]:
    """What makes these whole numbers whose sums fit the machine, and whether it makes all of them so."""
    values = [value for some in shares for value in some if value is not None]
    largest = max((abs(end) for value in values for end in enclosed(value)), default=Fraction(0))
    most = int(LARGEST / max(parts * largest, Fraction(1)))
    scale = 1
    for value in values:
        if isinstance(value, Fraction):
            scale = lcm(scale, value.denominator)
        if scale > most or not isinstance(value, Fraction):
            return most, False
    return scale, True


def _above(bound: Fraction, closed: bool) -> int:
    """The first whole number inside a lower bound."""
    return ceil(bound) if closed else floor(bound) + 1
