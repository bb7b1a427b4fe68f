"""A question with a known solution: every row holds there, and nothing proves that there is none.

The matrices are drawn first, then figures that they hit, as sharply as intervals can say it: points,
ends that are just open or just closed.  Every step of a proof is taken towards the solution.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from random import Random

import pytest
from campaign import share

from scoreproof.budget import ENDLESS, Budget, OutOfBudget, TooMuch
from scoreproof.interval import Interval
from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.choice import fitting
from scoreproof.proof.sums.folds import Folds
from scoreproof.proof.sums.group_sums import build_sums, swept
from scoreproof.proof.sums.listing import Pruning, every_choice, every_folding, listable, listed
from scoreproof.proof.sums.model import CALLED, TN, TP, Shape, told_apart
from scoreproof.proof.sums.nodes import Joined, OutOfRange, Separating
from scoreproof.proof.sums.reach import unreachable
from scoreproof.proof.sums.replay import summed
from scoreproof.proof.sums.rows import build, choices, sd_targets
from scoreproof.proof.sums.walk import Walker
from scoreproof.question.evaluate import DEVIATIONS, _values, confirms, fits, value_at, value_of
from scoreproof.question.folds import Folding, Sample, foldings
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS, SCORES, Betas
from scoreproof.solve.sums.pooled import pooled_members

ZERO, ONE = Fraction(0), Fraction(1)
BITS = 200
F_NAMES = ("f1", "f1n", "fbp", "fbn", "f1|pr", "fbn|pr")
PER_PART = (
    Kind.MEAN,
    Kind.MEAN,
    Kind.MEAN,
    Kind.SD,
    Kind.SD,
    Kind.MIN,
    Kind.MAX,
    Kind.MEDIAN,
    Kind.Q1,
    Kind.Q3,
    Kind.EACH,
)


# -- questions with a solution -----------------------------------------------------------------------


class Solved:
    """A question, what every part picks, and the folds that lie behind it."""

    def __init__(self, rng: Random, sizes: tuple[int, ...] = ()) -> None:
        self.rng, self.sizes = rng, sizes
        kind = rng.random()
        self.parts: list[Sample] = []
        self.foldings: tuple[Folding, ...] = ()
        self.folds: tuple[tuple[Sample, ...], ...] = ()
        self.matrices: tuple[tuple[int, ...], ...] = ()
        self.names: tuple[str, ...] = ()
        if kind < 0.3:
            self.classes()
        else:
            pool = [self.sample() for _ in range(rng.choice((1, 1, 2, 3)))]
            self.parts = [rng.choice(pool) for _ in range(rng.randint(0 if kind < 0.65 else 1, 4))]
            if kind < 0.65:
                self.unknown()
        everyone = [*self.parts, *(s for fold in self.folds for s in fold)]
        if not self.matrices:
            self.points = [(rng.randint(0, s.p), rng.randint(0, s.n)) for s in everyone]
            if sizes or rng.random() < 0.4:  # near corners, where scores are undefined or at their ends
                self.points = [(self.near_end(s.p), self.near_end(s.n)) for s in everyone]
        squares = (ONE, ONE, Fraction(4), Fraction(1, 4))
        self.known = Problem(
            tuple(everyone),
            (),
            rng.choice(("impossible", "zero", "skip", "skip")),
            rng.choice(("sample", "population", "either", "each")),
            Betas(rng.choice(squares), rng.choice(squares)),
            matrices=self.matrices,
            names=self.names,
        )
        self.targets()
        self.problem = replace(self.known, parts=tuple(self.parts), foldings=self.foldings)
        assert confirms(self.known, self.points)

    def near_end(self, count: int) -> int:
        step = self.rng.choice((0, 1, 2)) if self.sizes else 0
        return min(count, step) if self.rng.random() < 0.5 else max(0, count - step)

    def sample(self) -> Sample:
        while True:
            found = Sample(self.rng.randint(0, 4), self.rng.randint(0, 4))
            if self.sizes:
                p, n = (self.rng.choice((0, 1, 3, *self.sizes, *self.sizes)) for _ in (0, 1))
                found = Sample(max(0, p - self.rng.randint(0, 1)), n)
            if found.p + found.n:
                return found

    def unknown(self) -> None:
        """Foldings, some of them repeated, that fell in a way nobody knows."""
        kinds = []
        for _ in range(self.rng.choice((1, 1, 2))):
            k = self.rng.choice((1, 2, 2, 3))
            p, n = self.rng.randint(0, 5), self.rng.randint(0, 5)
            if self.sizes:  # few of one class: more ways to fall are not listed
                p, n = self.rng.sample((self.rng.choice(self.sizes), self.rng.randint(0, 3)), 2)
            if p + n >= k and next(foldings(p, n, k), None) is not None:
                kinds += [Folding(p, n, k)] * self.rng.choice((1, 1, 2))
        self.foldings = tuple(kinds) or (Folding(2, 3, 2),)
        self.folds = tuple(self.rng.choice(list(foldings(f.p, f.n, f.k))) for f in self.foldings)

    def classes(self) -> None:
        """One or two matrices of several classes, some of which may be empty."""
        size = self.rng.choice((2, 3, 3, 4))
        self.names = tuple("abcd"[:size])
        sets = self.rng.choice((1, 1, 2))
        points, members = [], []
        for s in range(sets):
            rows = [[self.rng.choice((0, 0, 1, 2)) for _ in range(size)] for _ in range(size)]
            rows[0][self.rng.randrange(size)] += 1
            for c in range(size):
                rows[c][c] += self.rng.choice((0, 0, 1, 3, *self.sizes))
            if self.sizes and self.rng.random() < 0.5:
                rows[self.rng.randrange(size)][self.rng.randrange(size)] += self.rng.choice(self.sizes)
            total = sum(map(sum, rows))
            for c in range(size):
                p, called = sum(rows[c]), sum(row[c] for row in rows)
                self.parts.append(Sample(p, total - p))
                points.append((rows[c][c], total - p - called + rows[c][c]))
            members.append(tuple(range(s * size, (s + 1) * size)))
        self.matrices, self.points = tuple(members), points

    def targets(self) -> None:
        for k in range(self.rng.choice((1, 2, 2, 3, 4))):
            for _ in range(20):  # until a figure exists
                target = self.class_target(k) if self.matrices else self.target(k)
                hit = self.hit(target)
                if hit is not None:
                    self.known = replace(self.known, targets=(*self.known.targets, hit))
                    break

    def weights(self) -> tuple[Fraction, ...]:
        """Equal ones, or some that tell known parts and foldings apart."""
        blocks = [1] * len(self.parts) + [f.k for f in self.foldings]
        while True:
            raw = [1 if self.rng.random() < 0.6 else self.rng.choice((0, 1, 2, 3)) for _ in blocks]
            if self.rng.random() < 0.6:
                raw = [1] * len(blocks)
            flat = [Fraction(w) for w, many in zip(raw, blocks, strict=True) for _ in range(many)]
            if sum(flat):
                return tuple(w / sum(flat) for w in flat)

    def target(self, k: int) -> Target:
        rng = self.rng
        kind = rng.choice((*PER_PART, Kind.POOLED, Kind.OF_MEANS))
        name = rng.choice(F_NAMES if kind is Kind.OF_MEANS else tuple(ROWS))
        if kind is Kind.MEAN and rng.random() < 0.4:
            name = "acc"
        if self.sizes and self.foldings:  # all else is too much to list
            kind = rng.choice((Kind.MEAN, Kind.MEAN, Kind.POOLED))
            name = rng.choice(("acc", "sens", "spec", "bacc", "bm") if kind is Kind.MEAN else tuple(SCORES))
        weights = self.weights()
        clusters: tuple[tuple[int, ...], ...] = ()
        if kind is Kind.SD:
            clusters = tuple((i,) for i, w in enumerate(weights) if w)
            starts, at = [], len(self.parts)
            for folding in self.foldings:
                starts.append(tuple(range(at, at + folding.k)))
                at += folding.k
            if rng.random() < 0.4:
                clusters = tuple(
                    c for c in (tuple(range(len(self.parts))), *starts) if any(weights[i] for i in c)
                )
        return Target(f"t{k}", kind, ROWS[name], Interval(None, None), weights, clusters)

    def class_target(self, k: int) -> Target:
        rng, sets = self.rng, self.matrices
        if len(sets) > 1 and rng.random() < 0.3:
            sets = (rng.choice(sets),)
        parts, kind = self.known.parts, rng.choice((Kind.MEAN, Kind.MEAN, Kind.MEAN, Kind.MICRO, Kind.WHOLE))
        name, weights = rng.choice(tuple(SCORES)), {i: Fraction(1, len(sets) * len(m)) for m in sets for i in m}
        if kind is Kind.WHOLE:
            pairs = any(parts[i].n == 0 for m in sets for i in m)
            more = ("kappa", "kappa") if len(sets) > 1 else ("kappa", "mcc", "mcc")
            name = rng.choice(("acc", "bacc") if pairs else ("acc", "bacc", *more))
        elif kind is Kind.MICRO and len(sets) > 1:
            name = rng.choice([each for each in SCORES if SCORES[each].straight_by_calls])
        elif kind is Kind.MEAN and rng.random() < 0.3:  # one class
            weights = {m[0]: Fraction(1, len(sets)) for m in sets}
        elif kind is Kind.MEAN and rng.random() < 0.4:  # weighted
            weights = {i: Fraction(parts[i].p, len(sets) * (parts[i].p + parts[i].n)) for m in sets for i in m}
        elif kind is Kind.MEAN and len(sets) == 1 and rng.random() < 0.2:
            kind, name = Kind.OF_MEANS, rng.choice(F_NAMES[:4])
        if len(sets) > 1 and kind in (Kind.MEAN, Kind.WHOLE) and rng.random() < 0.4:
            kind = Kind.SD if kind is Kind.MEAN else Kind.WHOLE_SD
        several = len(sets) > 1 or kind in (Kind.MICRO, Kind.WHOLE)
        full = tuple(weights.get(i, ZERO) for i in range(len(parts)))
        return Target(f"t{k}", kind, ROWS[name], Interval(None, None), full, sets if several else ())

    def hit(self, target: Target) -> Target | None:
        """The target with an interval that the solution hits, often with its very end."""
        low, high = self.figure(target) or (None, None)
        if low is None:
            return None
        for _ in range(6):
            below = self.rng.choice((ZERO, ZERO, Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3), None))
            above = self.rng.choice((ZERO, ZERO, Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3), None))
            interval = Interval(
                None if below is None else low - below,
                None if above is None else high + above,
                self.rng.random() < 0.5,
                self.rng.random() < 0.5,
            )
            found = replace(target, interval=interval)
            if fits(self.known, found, self.points):
                return found
        return None

    def figure(self, target: Target) -> tuple[Fraction, Fraction] | None:
        """Two fractions around what the solution gives, the same where it is one."""
        if target.kind in (Kind.MIN, Kind.MAX, Kind.EACH):
            values = _values(self.known, target, self.points)
            if values is None:
                return None
            pairs = [(v, v) if isinstance(v, Fraction) else v.enclosure(BITS) for v in values.values()]
            if target.kind is Kind.EACH:
                return min(a for a, _ in pairs), max(b for _, b in pairs)
            return min(pairs) if target.kind is Kind.MIN else max(pairs)
        if target.kind not in DEVIATIONS:
            value = value_of(self.known, target, self.points)
            return None if value is None else value.enclosure(BITS)
        low, high = ZERO, Fraction(10**9)
        if not fits(self.known, replace(target, interval=Interval(ZERO, None)), self.points):
            return None
        while high - low > Fraction(1, 1 << 50):  # the sd by halving
            middle = (low + high) / 2
            if fits(self.known, replace(target, interval=Interval(ZERO, middle)), self.points):
                high = middle
            else:
                low = middle
        near = Fraction(isqrt(int(high * high * 10**24)), 10**12)
        return (near, near) if low <= near <= high and self.rng.random() < 0.5 else (low, high)


# -- plain twins ---------------------------------------------------------------------------------------


def column_at(column, tp, tn, sample, problem):
    if column == CALLED:
        return (Fraction((tp + sample.n - tn) ** 2),) * 2
    if column in (TP, TN):
        return (Fraction(tp if column == TP else tn),) * 2
    value = value_at(column.score, tp, tn, sample.p, sample.n, problem.betas)
    if value is None and problem.undefined == "zero":
        value = ZERO
    if value is None:
        return ZERO, ZERO
    low, high = (value, value) if isinstance(value, Fraction) else value.enclosure(BITS)
    if column.what == "defined":
        return ONE, ONE
    if column.what == "inside":
        return (Fraction(value in column.interval),) * 2
    low, high = low - column.shift, high - column.shift
    if column.what == "value":
        return low, high
    return ZERO if low < 0 < high else min(low * low, high * high), max(low * low, high * high)


def row_sum(model, row, solved):
    """The value of a row at the solution, as two fractions around it."""
    low = high = ZERO
    for g, shares in row.shares.items():
        group = model.groups[g]
        for i in group.parts:
            sample = solved.known.parts[i]
            place = next(
                j for j, option in enumerate(group.options) if (option.p, option.n) == (sample.p, sample.n)
            )
            offset, factors = shares[place]
            low, high = low + offset, high + offset
            for column, f in zip(group.options[place].columns, factors, strict=True):
                if f:
                    ends = sorted(f * x for x in column_at(column, *solved.points[i], sample, solved.known))
                    low, high = low + ends[0], high + ends[1]
    return low, high


def touches(interval: Interval, low: Fraction, high: Fraction) -> bool:
    """Whether some number between may lie in the interval."""
    if low == high:
        return low in interval
    return (interval.lo is None or high >= interval.lo) and (interval.hi is None or low <= interval.hi)


def check_rows(solved: Solved) -> None:
    model = build(solved.problem)
    sums = [row_sum(model, row, solved) for row in model.rows]
    for row, (low, high) in zip(model.rows, sums, strict=True):
        assert touches(row.interval, low, high), row
    for curve in model.curves:
        one, two = sums[curve.one], sums[curve.two]
        c = curve.centre
        if curve.kind == "variance":
            squares = sorted((x - c) ** 2 for x in one)
            assert touches(curve.interval, two[0] - squares[1], two[1] - squares[0])
        elif curve.kind == "f-measure":
            assert (1 + c) * one[0] * two[0] / (c * one[0] + two[0]) in curve.interval
        elif c * (1 - two[0]):
            square, sign = one[0] ** 2 / (c * (1 - two[0])), 1 if one[0] > 0 else -1
            for end, side in ((curve.interval.lo, 1), (curve.interval.hi, -1)):
                assert end is None or side * (sign * square - end * abs(end)) >= 0


# -- towards the solution ------------------------------------------------------------------------------


class Followed:
    """A walk through states that all contain the solution."""

    def __init__(self, solved: Solved, choice: tuple[str, ...] | None) -> None:
        self.solved, self.rng = solved, solved.rng
        self.walker = walker = Walker(
            solved.problem, choice, budget=Budget(ENDLESS), listing=self.rng.random() < 0.7
        )
        self.state = walker.root()
        assert self.state is not None
        self.inside = [[list(group.parts)] for group in walker.model.groups]
        assert all(
            box[2 * k] <= x <= box[2 * k + 1]
            for g, group in enumerate(walker.model.groups)
            for i in group.parts
            for box, _ in self.state.cells[g]
            for k, x in enumerate(self.place(g, i))
        )

    def weights(self, rows: int) -> dict[int, int]:
        """One row either way, or a few."""
        if not rows:
            return {}
        if self.rng.random() < 0.5:
            return {self.rng.randrange(rows): self.rng.choice((-1, 1, 10**20))}
        few = self.rng.sample(range(rows), min(rows, self.rng.randint(2, 4)))
        return {r: self.rng.randint(-5, 5) * self.rng.choice((1, 1, 1000)) for r in few}

    def place(self, g: int, part: int) -> tuple[int, ...]:
        (tp, tn), sample = self.solved.points[part], self.solved.known.parts[part]
        table = self.walker.tables[g]
        if isinstance(table, Folds):
            return sample.p, sample.p - tp, sample.n - tn
        return (tp, tp + sample.n - tn) if isinstance(table, Calls) else (tp, tn)

    def errors(self, g: int, which: int) -> int:
        total = 0
        for i in self.walker.model.groups[g].parts:
            (tp, tn), sample = self.solved.points[i], self.solved.known.parts[i]
            total += (sample.p - tp) * (which != 1) + (sample.n - tn) * (which != 0)
        return total

    def step(self) -> None:
        """A cut, a halving or known numbers of errors, on the side of the solution."""
        walker, state = self.walker, self.state
        g = self.rng.randrange(len(state.cells))
        if self.rng.random() < 0.15:
            which = self.rng.choice((0, 1, 2))
            lo, hi = walker.errors_range(state, g, which)
            truth = self.errors(g, which)
            assert lo <= truth <= hi
            if lo < hi:
                value = self.rng.randrange(lo, hi)
                self.state = walker.halves(state, g, which, value)[truth > value]
            return
        k = self.rng.randrange(len(state.cells[g]))
        axis = self.rng.randrange(walker.tables[g].axes)
        lo, hi = state.cells[g][k][0][2 * axis : 2 * axis + 2]
        if lo == hi:
            return
        cut = self.rng.randrange(lo, hi)
        low = [i for i in self.inside[g][k] if self.place(g, i)[axis] <= cut]
        high = [i for i in self.inside[g][k] if i not in low]
        self.state = walker.children(state, (g, k, axis, cut))[len(low)]
        assert self.state is not None
        self.inside[g][k : k + 1] = [part for part in (low, high) if part]

    def nothing_proven(self) -> None:
        walker, state, model = self.walker, self.state, self.walker.model
        rows = len(model.rows) + len(state.counts)
        for weights in [{r: w} for r in range(rows) for w in (-1, 1)] + [self.weights(rows) for _ in range(6)]:
            assert not walker.holds(state, Separating(tuple(weights.items()))), weights
        for t in range(len(model.problem.targets)):
            assert not walker.holds(state, OutOfRange(t)), t
        if listable(model.problem) and listed(model, walker.tables, state) <= 300:
            assert any(fitting(model.problem, each) for each in every_choice(model, walker.tables, state))
        if self.rng.random() < 0.3:
            assert not walker.holds(state, Joined())


def check_walk(solved: Solved) -> None:
    problem = solved.problem
    choice = None
    if problem.spread in ("either", "each") and solved.rng.random() < 0.5:
        # the divisors with which the solution hits each sd
        sds = [t for t in problem.targets if t.kind in DEVIATIONS]
        true = [
            each
            for each in choices(problem)
            if all(
                fits(replace(solved.known, spread=spread), t, solved.points)
                for t, spread in zip(sds, each, strict=True)
            )
        ]
        choice = solved.rng.choice(true)
    followed = Followed(solved, choice)
    followed.nothing_proven()
    for _ in range(3):
        for _ in range(solved.rng.choice((1, 2, 5))):
            followed.step()
        followed.nothing_proven()


def check_whole(solved: Solved) -> None:
    """Group sums, pooled counts and foldings."""
    problem, rng = solved.problem, solved.rng
    sums = build_sums(problem, Budget(ENDLESS))
    assert not sums.impossible
    rows, unknowns = len(sums.coefficients), len(sums.top)
    x = [0] * unknowns
    if not problem.foldings:
        for parts, places, rooms in zip(sums.groups, sums.place, sums.room, strict=True):
            for side, (j, (least, most)) in enumerate(zip(places, rooms, strict=True)):
                total = sum(solved.points[i][side] for i in parts)
                assert least <= total <= most
                if j is not None:
                    x[j] += total - least
        for row, (lo, hi) in zip(sums.coefficients, sums.windows, strict=True):
            total = sum(a * b for a, b in zip(row, x, strict=True))
            assert lo is None or lo <= total
            assert hi is None or total <= hi
    directions = [tuple(int(r == k) for r in range(rows)) for k in range(rows)]
    directions += [tuple(rng.randint(-3, 3) for _ in range(rows)) for _ in range(2)]
    order = rng.sample(range(unknowns), unknowns)
    assert not swept(sums, directions, order, 3_000, Budget(ENDLESS))
    for members in pooled_members(problem):
        question = summed(problem, members)
        if question is not None:
            assert confirms(question, [tuple(sum(solved.points[i][side] for i in members) for side in (0, 1))])
    deviations = sd_targets(problem)
    for spread in ("sample", "population"):
        one = replace(problem, spread=spread)
        if all(
            fits(replace(solved.known, spread=spread), problem.targets[t], solved.points) for t in deviations
        ):
            for t in deviations:
                with suppress(OutOfBudget):
                    assert not unreachable(one, t, spread, Budget(10**8))
    if problem.foldings:
        walker = Walker(problem, budget=Budget(ENDLESS))
        units = [[(r, w)] for r in range(len(walker.model.rows)) for w in (-1, 1)]
        pruning = Pruning(walker.model, walker.tables, units)
        assert not pruning.refutes(problem, solved.folds)
        same = Counter(tuple(map(str, fold)) for fold in solved.folds)
        assert any(Counter(tuple(map(str, fold)) for fold in each) == same for each in every_folding(problem))


def solve(seed: int, sizes: tuple[int, ...] = ()) -> Solved:
    solved = Solved(Random(f"solved {seed}"), sizes)
    if not told_apart(solved.problem):
        check_rows(solved)
        with suppress(TooMuch):  # refused, which is no proof
            check_walk(solved)
            check_whole(solved)
    return solved


def test_nothing_proves_that_a_solution_is_none():
    seen = Counter()
    for seed in range(250):
        solved = solve(seed)
        seen.update(target.kind for target in solved.problem.targets)
        seen.update(group.shape for group in build(solved.problem).groups)
    assert set(seen) >= set(Kind) | set(Shape)


SIZES = ((500, 1000), (10**7, 10**9 + 7), (2**30, 2**31, 2**50), (2**63 - 1, 10**20), (10**30, 10**60))


@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: f"{sizes[0]:.0e}")
def test_nothing_proves_that_a_solution_of_any_size_is_none(sizes):
    for seed in range(12):
        solve(seed, sizes)


@pytest.mark.campaign
def test_nothing_proves_that_a_solution_is_none_at_length():
    for seed in range(1_000, 1_000 + share(40_000)):
        solve(seed)
    for seed in range(1_000, 1_000 + share(2_000)):
        solve(seed, SIZES[seed % len(SIZES)])
