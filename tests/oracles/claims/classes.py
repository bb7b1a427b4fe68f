"""Figures of one confusion matrix of several classes, by the definitions in docs/tasks/several-classes.md."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

from .numbers import Number, root
from .reader import Conventions, Figure
from .scores import F_MEASURES, Counts, f_measure, over, score

ZERO = Fraction(0)
Rows = tuple[tuple[int, ...], ...]


def shared_out(count: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every way to put so many items into so many places."""
    if places == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in shared_out(count - first, places - 1):
            yield (first, *rest)


def every_matrix(items: tuple[int, ...]) -> Iterator[Rows]:
    """Every confusion matrix with these row sums."""
    return product(*(list(shared_out(count, len(items))) for count in items))


@lru_cache(maxsize=20_000)
def against_rest(rows: Rows) -> tuple[Counts, ...]:
    """The matrix of every class against all others."""
    total = sum(map(sum, rows))
    found = []
    for c, row in enumerate(rows):
        tp = row[c]
        fn = sum(row) - tp
        fp = sum(other[c] for other in rows) - tp
        found.append(Counts(tp, fp, fn, total - tp - fp - fn))
    return tuple(found)


def mean(values: list[tuple[Number | None, int]], undefined: str) -> Number | None:
    """The mean with weights; what has no weight has no say."""
    kept: list[tuple[Number, int]] = []
    for value, weight in values:
        if weight and value is not None:
            kept.append((value, weight))
        elif weight and undefined == "zero":
            kept.append((ZERO, weight))
        elif weight and undefined == "impossible":
            return None
    if not kept:
        return None
    return sum((value * weight for value, weight in kept), ZERO) / sum(weight for _, weight in kept)


def set_value(rows: Rows, figure: Figure, names: tuple[str, ...], conventions: Conventions) -> Number | None:
    """What would be printed before rounding; None where it is undefined."""
    value = plain_value(rows, figure.score, figure.average, names, conventions)
    if value is None and conventions.undefined == "zero":
        value = ZERO
    return 1 - value if figure.complement and value is not None else value


def plain_value(
    rows: Rows, name: str, average: str, names: tuple[str, ...], conventions: Conventions
) -> Number | None:
    classes = against_rest(rows)
    beta = conventions.beta(name)
    if average.startswith("class "):
        return score(name, classes[names.index(average.removeprefix("class "))], beta)
    if average == "micro":
        return score(name, Counts(*map(sum, zip(*classes, strict=True))), beta)
    if average:
        weights = [each.tp + each.fn if average == "weighted" else 1 for each in classes]

        def averaged(what: str) -> Number | None:
            values = [score(what, each, beta) for each in classes]
            return mean(list(zip(values, weights, strict=True)), conventions.undefined)

        if conventions.f_mean == "of_means" and name in F_MEASURES:
            precision, recall, _ = F_MEASURES[name]
            return f_measure(averaged(precision), averaged(recall), beta)  # type: ignore[arg-type]
        return averaged(name)
    # of the whole matrix
    total = sum(map(sum, rows))
    correct = sum(each.tp for each in classes)
    actual = [each.tp + each.fn for each in classes]
    called = [each.tp + each.fp for each in classes]
    by_chance = sum(a * b for a, b in zip(actual, called, strict=True))
    match name:
        case "acc":
            return Fraction(correct, total)
        case "bacc":
            recalls = [Fraction(each.tp, each.tp + each.fn) for each in classes if each.tp + each.fn]
            return sum(recalls, ZERO) / len(recalls)
        case "kappa":
            return over(total * correct - by_chance, total * total - by_chance)
        case "mcc":
            under = (total**2 - sum(a * a for a in actual)) * (total**2 - sum(b * b for b in called))
            return root(Fraction(1, under)) * Fraction(total * correct - by_chance) if under else None
    raise KeyError(name)
