"""Whether any matrices give the figures of a reading, by trying them all.

A node of the tree is gone through part by part.  What is kept of the parts so far is what the
figures about the node need (sums of scores, numbers of parts, added counts, …), as a set of
tuples: choices of matrices that agree in all of it are gone on with once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from .classes import every_matrix, set_value
from .figures import Interval
from .numbers import Number, below
from .reader import ClassGroup, Conventions, Figure, Folds, Group, Node, Reading, Set
from .scores import F_MEASURES, Counts, f_measure, score

ZERO = Fraction(0)
NO_COUNTS = Counts(0, 0, 0, 0)

#: What a part offers to the node above it: its counts (if they are wanted) and its scores.
State = tuple[Counts | None, tuple[Number | None, ...]]
Matrices = Callable[[int, int], Iterable[Counts]]


class Impossible(Exception):
    """A part that is meant has an undefined score, and nothing is said to be done about that."""


def value_of(name: str, counts: Counts, conventions: Conventions) -> Number | None:
    """The score of a matrix under the conventions for undefined ones."""
    if conventions.joint and name in F_MEASURES:
        precision, recall, _ = F_MEASURES[name]
        if score(precision, counts) is None or score(recall, counts) is None:
            return None
    value = score(name, counts, conventions.beta(name))
    return ZERO if value is None and conventions.undefined == "zero" else value


def as_printed(value: Number | None, complement: bool) -> Number | None:
    return 1 - value if complement and value is not None else value


# -- what is kept of the parts so far ---------------------------------------------------------


@dataclass(frozen=True)
class Mean:
    """The mean of the parts' scores."""

    score: str
    conventions: Conventions

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.score,)

    start = (ZERO, 0)

    def add(self, so_far: Any, values: dict[str, Number | None], counts: Counts | None) -> Any:
        return added(so_far, values[self.score], self.conventions)

    def result(self, so_far: Any) -> Number | None:
        total, number = so_far
        return total / number if number else None


def added(so_far: Any, value: Number | None, conventions: Conventions) -> Any:
    total, number = so_far
    if value is not None:
        return total + value, number + 1
    if conventions.undefined != "skip":
        raise Impossible
    return so_far


@dataclass(frozen=True)
class OfMeans:
    """The F-measure of the mean precision and the mean recall."""

    score: str
    conventions: Conventions

    @property
    def needs(self) -> tuple[str, ...]:
        return F_MEASURES[self.score][:2]

    start = ((ZERO, 0), (ZERO, 0))

    def add(self, so_far: Any, values: dict[str, Number | None], counts: Counts | None) -> Any:
        both = [values[name] for name in self.needs]
        if self.conventions.joint and None in both:
            return so_far
        return tuple(added(s, v, self.conventions) for s, v in zip(so_far, both, strict=True))

    def result(self, so_far: Any) -> Number | None:
        (precisions, one), (recalls, two) = so_far
        if not one or not two:
            return None
        value = f_measure(precisions / one, recalls / two, self.conventions.beta(self.score))
        return ZERO if value is None and self.conventions.undefined == "zero" else value


@dataclass(frozen=True)
class Pooled:
    """The score of the added counts."""

    score: str
    conventions: Conventions
    needs = ()
    start = NO_COUNTS

    def add(self, so_far: Any, values: dict[str, Number | None], counts: Counts | None) -> Any:
        assert counts is not None
        return so_far.plus(counts)

    def result(self, so_far: Any) -> Number | None:
        return value_of(self.score, so_far, self.conventions)


@dataclass(frozen=True)
class Extreme:
    """The smallest or the largest score of a part, as it is printed."""

    score: str
    complement: bool
    conventions: Conventions
    largest: bool

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.score,)

    start = None

    def add(self, so_far: Any, values: dict[str, Number | None], counts: Counts | None) -> Any:
        value = as_printed(values[self.score], self.complement)
        if value is None:
            if self.conventions.undefined != "skip":
                raise Impossible
            return so_far
        if so_far is None:
            return value
        further = below(so_far, value) if self.largest else below(value, so_far)
        return value if further else so_far

    def result(self, so_far: Any) -> Number | None:
        return so_far


@dataclass(frozen=True)
class Each:
    """Whether any part is left that has the score; one outside the bounds is impossible."""

    score: str
    complement: bool
    conventions: Conventions
    bounds: Interval

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.score,)

    start = False

    def add(self, so_far: Any, values: dict[str, Number | None], counts: Counts | None) -> Any:
        value = as_printed(values[self.score], self.complement)
        if value is None:
            if self.conventions.undefined != "skip":
                raise Impossible
            return so_far
        if not self.bounds.holds(value):
            raise Impossible
        return True


@dataclass(frozen=True)
class Spread:
    """(number, sum, sum of squares) of the parts' scores, or of the mean scores of the runs."""

    score: str
    conventions: Conventions
    over_runs: bool

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.score,)

    start = (0, ZERO, ZERO, ZERO, 0)

    def add(self, so_far: Any, values: dict[str, Number | None], counts: Counts | None) -> Any:
        number, total, squares, run, length = so_far
        value = values[self.score]
        if value is None:
            if self.conventions.undefined != "skip":
                raise Impossible
            return so_far
        if self.over_runs:
            return number, total, squares, run + value, length + 1
        return number + 1, total + value, squares + value * value, run, length

    def end_run(self, so_far: Any) -> Any:
        number, total, squares, run, length = so_far
        if not length:
            return so_far
        mean = run / length
        return number + 1, total + mean, squares + mean * mean, ZERO, 0

    def fits(self, so_far: Any, interval: Interval) -> bool:
        number, total, squares, _, _ = so_far
        if not number:
            return False
        around = squares - total * total / number  # Σ (x - mean)²
        divisors = {"sample": (number - 1,), "population": (number,)}.get(
            self.conventions.sd, (number - 1, number)
        )
        return any(interval.holds_root_of(around / d) for d in divisors if d)


Gauge = Mean | OfMeans | Pooled | Extreme | Each | Spread


# -- nodes ------------------------------------------------------------------------------------


def gauge_of_value(name: str, node: Group | Folds, conventions: Conventions) -> Gauge:
    """How the node's own score follows from its parts."""
    if node.aggregate.of(name) == "pooled":
        return Pooled(name, conventions)
    if conventions.f_mean == "of_means" and name in F_MEASURES:
        return OfMeans(name, conventions)
    return Mean(name, conventions)


def gauge_of(figure: Figure, node: Group | Folds, conventions: Conventions) -> Gauge:
    match figure.statistic:
        case "value":
            return gauge_of_value(figure.score, node, conventions)
        case "sd":
            return Spread(figure.score, conventions, figure.over == "repeats")
        case "each":
            return Each(figure.score, figure.complement, conventions, figure.interval)
    return Extreme(figure.score, figure.complement, conventions, figure.statistic == "max")


def fits(figure: Figure, gauge: Gauge, so_far: Any) -> bool:
    if isinstance(gauge, Each):
        return bool(so_far)
    if isinstance(gauge, Spread):
        return gauge.fits(so_far, figure.interval)
    value = gauge.result(so_far)
    if figure.statistic == "value":
        value = as_printed(value, figure.complement)
    return value is not None and figure.interval.holds(value)


def all_matrices(p: int, n: int) -> Iterable[Counts]:
    return (Counts(tp, n - tn, p - tp, tn) for tp in range(p + 1) for tn in range(n + 1))


def foldings(p: int, n: int, k: int) -> set[tuple[tuple[int, int], ...]]:
    """Every legal folding, up to the order of the folds.

    Sizes differ by at most one; a class with two items or more appears in at least two folds.
    """
    size, larger = divmod(p + n, k)
    sizes = [size + 1] * larger + [size] * (k - larger)
    found = set()
    for positives in product(*(range(min(p, size) + 1) for size in sizes)):
        folds = tuple(sorted((x, size - x) for x, size in zip(positives, sizes, strict=True)))
        twice = all(
            count < 2 or k < 2 or sum(fold[c] > 0 for fold in folds) >= 2 for c, count in ((0, p), (1, n))
        )
        if sum(positives) == p and twice:
            found.add(folds)
    return found


class Search:
    """Goes through the matrices of one reading."""

    def __init__(self, conventions: Conventions, matrices: Matrices = all_matrices) -> None:
        self.conventions = conventions
        self.matrices = matrices

    def states(self, node: Node, scores: tuple[str, ...], counts: bool) -> set[State]:
        """What the node can offer if everything printed about it and its parts holds."""
        if isinstance(node, Set):
            return self.of_set(node, scores, counts)
        assert isinstance(node, (Group, Folds))
        conventions = self.conventions
        told = [(figure, gauge_of(figure, node, conventions)) for figure in node.figures]
        wanted = [gauge_of_value(name, node, conventions) for name in scores]
        # what two figures need alike is kept once
        gauges = list(dict.fromkeys([gauge for _, gauge in told] + wanted))
        place = {gauge: i for i, gauge in enumerate(gauges)}
        needed = tuple(dict.fromkeys(name for gauge in gauges for name in gauge.needs))
        summed = counts or any(isinstance(gauge, Pooled) for gauge in gauges)
        start = (NO_COUNTS, tuple(gauge.start for gauge in gauges))
        found: set[Any] = {start}
        for runs in self.runs(node, needed, summed):
            reached: set[Any] = set()
            for parts in runs:
                now = found
                for part in parts:
                    now = {
                        after for so_far in now for state in part
                        if (after := self.after(so_far, state, gauges, needed)) is not None
                    }  # fmt: skip
                reached |= now
            found = {
                (total, tuple(
                    g.end_run(s) if isinstance(g, Spread) and g.over_runs else s
                    for g, s in zip(gauges, each, strict=True)
                ))
                for total, each in reached
            }  # fmt: skip
        offered = set()
        for total, each in found:
            if all(fits(figure, gauge, each[place[gauge]]) for figure, gauge in told):
                values = tuple(gauge.result(each[place[gauge]]) for gauge in wanted)
                offered.add((total if counts else None, values))
        return offered

    def runs(
        self, node: Group | Folds, scores: tuple[str, ...], counts: bool
    ) -> Iterable[list[list[set[State]]]]:
        """For every run the ways it may be made up, each a list of parts."""
        if isinstance(node, Group):
            parts = [self.states(part, scores, counts) for part in node.parts]
            length = len(parts) // node.repeats
            return [[parts[i * length : (i + 1) * length]] for i in range(node.repeats)]
        ways = [
            [self.states(Set(p, n), scores, counts) for p, n in folds]
            for folds in sorted(foldings(node.p, node.n, node.k))
        ]
        return [ways] * node.repeats

    def after(
        self, so_far: Any, state: State, gauges: list[Gauge], needed: tuple[str, ...]
    ) -> tuple[Counts, tuple[Any, ...]] | None:
        total, each = so_far
        counts, values = state
        own = dict(zip(needed, values, strict=True))
        try:
            more = tuple(gauge.add(s, own, counts) for gauge, s in zip(gauges, each, strict=True))
        except Impossible:
            return None
        return (total.plus(counts) if counts is not None else total), more

    def of_set(self, node: Set, scores: tuple[str, ...], counts: bool) -> set[State]:
        found = set()
        for matrix in self.matrices(node.p, node.n):
            for figure in node.figures:
                value = as_printed(value_of(figure.score, matrix, self.conventions), figure.complement)
                if value is None or not figure.interval.holds(value):
                    break
            else:
                values = tuple(value_of(name, matrix, self.conventions) for name in scores)
                found.add((matrix if counts else None, values))
        return found


def possible(reading: Reading) -> bool:
    """Whether any matrices (and any legal folds) give every figure."""
    if isinstance(reading.tree, ClassGroup):
        return classes_possible(reading.tree, reading.conventions)
    return any(Search(each).states(reading.tree, (), counts=False) for each in divisors(reading.conventions))


def count(reading: Reading) -> int:
    """How many pairs (tp, tn) of all items together there are."""
    states = (Search(each).states(reading.tree, (), counts=True) for each in divisors(reading.conventions))
    return len({(counts.tp, counts.tn) for found in states for counts, _ in found if counts is not None})


def divisors(conventions: Conventions) -> list[Conventions]:
    """One divisor for all deviations of the claim: either of the two, if it is not said."""
    ways = ("sample", "population") if conventions.sd == "either" else (conventions.sd,)
    return [replace(conventions, sd=way) for way in ways]


def classes_possible(node: ClassGroup, conventions: Conventions) -> bool:
    """The same for several classes: every matrix of every set, their figures averaged."""
    figures = node.figures
    found: set[Any] = {tuple((ZERO, 0) for _ in figures)}
    for s, items in enumerate(node.sets):
        rows = set()
        for matrix in every_matrix(items):
            own = [(f, set_value(matrix, f, node.names, conventions)) for at, f in node.own if at == s]
            if all(value is not None and f.interval.holds(value) for f, value in own):
                rows.add(tuple(set_value(matrix, f, node.names, conventions) for f in figures))
        reached = set()
        for so_far, row in product(found, rows):
            try:
                reached.add(tuple(added(a, v, conventions) for a, v in zip(so_far, row, strict=True)))
            except Impossible:
                continue
        found = reached
    return any(
        all(
            number and f.interval.holds(total / number)
            for f, (total, number) in zip(figures, each, strict=True)
        )
        for each in found
    )
