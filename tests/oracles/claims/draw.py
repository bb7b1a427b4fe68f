"""Matrices drawn for a reading, and the figures they give, each from its definition alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from random import Random

from .classes import Rows, set_value
from .enumerate import all_matrices, as_printed, foldings, value_of
from .numbers import Number, below
from .reader import ClassGroup, Conventions, Figure, Folds, Group, Node, Reading, Set
from .scores import F_MEASURES, Counts, f_measure

ZERO = Fraction(0)


@dataclass(frozen=True)
class Squared:
    """A standard deviation by its square."""

    square: Number


Value = Number | Squared | None


@dataclass
class Drawn:
    """A node whose matrices are known."""

    node: Node
    counts: Counts
    parts: list[Drawn]

    def value(self, name: str, conventions: Conventions) -> Number | None:
        if not self.parts:
            return value_of(name, self.counts, conventions)
        assert isinstance(self.node, (Group, Folds))
        if self.node.aggregate.of(name) == "pooled":
            return value_of(name, self.counts, conventions)
        if conventions.f_mean == "of_means" and name in F_MEASURES:
            pairs = [[part.value(each, conventions) for each in F_MEASURES[name][:2]] for part in self.parts]
            if conventions.joint:
                pairs = [pair for pair in pairs if None not in pair]
            means = [mean([pair[i] for pair in pairs], conventions) for i in (0, 1)]
            value = None if None in means else f_measure(*means, conventions.beta(name))  # type: ignore[arg-type]
            return ZERO if value is None and conventions.undefined == "zero" else value
        return mean([part.value(name, conventions) for part in self.parts], conventions)

    def figure(self, figure: Figure, conventions: Conventions) -> Value:
        if figure.statistic == "value":
            return as_printed(self.value(figure.score, conventions), figure.complement)
        assert isinstance(self.node, (Group, Folds))
        values = [as_printed(part.value(figure.score, conventions), figure.complement) for part in self.parts]
        if figure.over == "repeats":
            length = len(values) // self.node.repeats
            runs = [values[i : i + length] for i in range(0, len(values), length)]
            if conventions.undefined != "skip" and None in values:
                return None
            values = [mean(run, conventions) for run in runs]
        kept = [value for value in values if value is not None]
        if not kept or (len(kept) < len(values) and conventions.undefined != "skip"):
            return None
        if figure.statistic == "sd":
            divisor = len(kept) - (conventions.sd != "population")
            centre = sum(kept, ZERO) / len(kept)
            return (
                Squared(sum(((x - centre) * (x - centre) for x in kept), ZERO) / divisor) if divisor else None
            )
        found = kept[0]
        for x in kept:
            further = below(found, x) if figure.statistic == "max" else below(x, found)
            found = x if further else found
        return found

    def figures(self, conventions: Conventions) -> list[tuple[Figure, Value]]:
        """What would be printed about this node and everything inside."""
        found = []
        for figure in getattr(self.node, "figures", ()):
            # bounds are about the smallest and the largest
            for statistic in ("min", "max") if figure.statistic == "each" else (figure.statistic,):
                found.append((figure, self.figure(replace(figure, statistic=statistic), conventions)))
        for part in self.parts:
            found += part.figures(conventions)
        return found

    def fits(self, conventions: Conventions) -> bool:
        """Whether everything printed about this node and everything inside holds."""
        both = conventions.sd in ("either", "each")
        divisors = ("sample", "population") if both else (conventions.sd,)
        ways = [self.figures(replace(conventions, sd=divisor)) for divisor in divisors]
        if conventions.sd == "each":
            return all(any(holds(figure, value) for figure, value in way) for way in zip(*ways, strict=True))
        return any(all(holds(figure, value) for figure, value in way) for way in ways)


def holds(figure: Figure, value: Value) -> bool:
    """Whether the value can have been printed as the figure."""
    if value is None:
        return False
    if isinstance(value, Squared):
        return figure.interval.holds_root_of(value.square)
    return figure.interval.holds(value)


def mean(values: list[Number | None], conventions: Conventions) -> Number | None:
    kept = [value for value in values if value is not None]
    if not kept or (len(kept) < len(values) and conventions.undefined != "skip"):
        return None
    return sum(kept, ZERO) / len(kept)


def part_of(count: int, rng: Random) -> int:
    """Some of the items, quite often none or all."""
    return rng.choice(
        (0, count, rng.randint(0, count), rng.randint(0, count), count - rng.randint(0, count) // 2)
    )


def draw(node: Node, rng: Random) -> Drawn:
    """Matrices for every evaluation set, and folds where they are not known."""
    if isinstance(node, Set):
        tp, tn = part_of(node.p, rng), part_of(node.n, rng)
        return Drawn(node, Counts(tp, node.n - tn, node.p - tp, tn), [])
    if isinstance(node, Folds):
        ways = sorted(foldings(node.p, node.n, node.k))
        sets = [Set(p, n) for _ in range(node.repeats) for p, n in rng.choice(ways)]
        parts = [draw(each, rng) for each in sets]
    else:
        assert isinstance(node, Group)
        parts = [draw(part, rng) for part in node.parts]
    return of_parts(node, parts)


def of_parts(node: Node, parts: list[Drawn]) -> Drawn:
    total = Counts(0, 0, 0, 0)
    for part in parts:
        total = total.plus(part.counts)
    return Drawn(node, total, parts)


def every(node: Node) -> Iterator[Drawn]:
    """Every choice of matrices, and of folds where they are not known, one by one."""
    if isinstance(node, Set):
        yield from (Drawn(node, matrix, []) for matrix in all_matrices(node.p, node.n))
        return
    if isinstance(node, Folds):
        runs = product(sorted(foldings(node.p, node.n, node.k)), repeat=node.repeats)
        made = [[Set(p, n) for run in folds for p, n in run] for folds in runs]
    else:
        assert isinstance(node, Group)
        made = [list(node.parts)]
    for parts in made:
        for chosen in product(*(list(every(part)) for part in parts)):
            yield of_parts(node, list(chosen))


def drawn_figures(reading: Reading, rng: Random) -> list[tuple[Figure, Value]]:
    """Every figure of the reading with the value that drawn matrices give it."""
    tree, conventions = reading.tree, reading.conventions
    if not isinstance(tree, ClassGroup):
        return draw(tree, rng).figures(conventions)
    matrices = [draw_classes(items, rng) for items in tree.sets]
    found: list[tuple[Figure, Value]] = []
    for figure in tree.figures:
        values = [set_value(rows, figure, tree.names, conventions) for rows in matrices]
        found.append((figure, mean(values, conventions)))
    for at, figure in tree.own:
        found.append((figure, set_value(matrices[at], figure, tree.names, conventions)))
    return found


def draw_classes(items: tuple[int, ...], rng: Random) -> Rows:
    """A matrix of several classes, most items on its diagonal; now and then a class is never called."""
    never = rng.randrange(len(items)) if rng.random() < 0.2 else -1
    places = [c for c in range(len(items)) if c != never]
    right = rng.choice((0.3, 0.6, 0.9))
    rows = [[0] * len(items) for _ in items]
    for c, count in enumerate(items):
        for _ in range(count):
            own = c != never and rng.random() < right
            rows[c][c if own else rng.choice(places)] += 1
    return tuple(map(tuple, rows))
