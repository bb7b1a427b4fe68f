"""What stands after ± beside a figure, where the paper does not say.

Usually it is the standard deviation over the folds.  It may be the standard error of their mean, or half of
a 95 % interval of the mean, which are multiples of it; or the deviation over repeats, or over several runs
on one test set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import isqrt

from scoreproof.claim.conventions import Reading, Way
from scoreproof.claim.tree import AnyFolding, Averaged, Classes, Leaf, Node, size, told
from scoreproof.interval import Interval

#: Numbers of runs on one test set that are tried; means over 30 and 100 runs can be those over fewer.
RUNS = (5, 10, 3, 30, 100)
#: The 97.5 % point of the normal distribution, rounded down; those of t for 1, 2, … degrees, rounded up.
NORMAL = Fraction(1959, 1000)
STUDENT = tuple(
    Fraction(each, 1000)
    for each in (
        12707, 4303, 3183, 2777, 2571, 2447, 2365, 2307, 2263, 2229, 2201, 2179, 2161, 2145, 2132,
        2120, 2110, 2101, 2094, 2086, 2080, 2074, 2069, 2064, 2060, 2056, 2052, 2049, 2046, 2043,
    )
)  # fmt: skip
FINE = 10**12
#: Items of a test set with several runs, at most: of more, single runs give nearly every figure.
MOST_ITEMS = 20_000


def plus_minus(reading: Reading) -> list[Way]:
    """A number after ± may be a standard error, half of an interval, or a deviation over repeats."""
    node = reading.experiment
    if not isinstance(node, (Averaged, AnyFolding, Classes)) or not _spread(node):
        return []
    if "plus_minus" in reading.conventions.stated or (isinstance(node, Classes) and len(node.sets) == 1):
        return []
    repeats = node.among if isinstance(node, Classes) else node.repeats
    values = ("se", "ci", "repeats") if repeats > 1 else ("se", "ci")
    return [("plus_minus", value, _meaning(value)) for value in values]


def _meaning(value: str) -> Callable[[Reading], Reading]:
    return lambda reading: replace(reading, conventions=replace(reading.conventions, plus_minus=value))


def deviation(interval: Interval, meaning: str, count: int) -> Interval:
    """The standard deviation over so many parts, from what is printed after ±.

    Roots are rounded outwards, so that nothing is excluded that the meaning allows.
    """
    if meaning not in ("se", "ci"):
        return interval
    least = most = Fraction(1)
    if meaning == "ci":
        least, most = 1 / STUDENT[min(max(count - 1, 1), len(STUDENT)) - 1], 1 / NORMAL
    root = isqrt(count * FINE**2)
    least, most = least * Fraction(root, FINE), most * Fraction(root + 1, FINE)
    lo = None if interval.lo is None else min(interval.lo * least, interval.lo * most)
    hi = None if interval.hi is None else max(interval.hi * least, interval.hi * most)
    return Interval(lo, hi, interval.lo_closed, interval.hi_closed)


def runs(reading: Reading) -> list[Way]:
    """Figures of one test set with a ± may be means over several runs."""
    node = reading.experiment
    single = isinstance(node, Leaf) or (isinstance(node, Classes) and len(node.sets) == 1 and not node.folds)
    if not single or not _spread(node) or reading.conventions.zero_cells != "plain":
        return []
    items = size(node)
    return [("runs", str(k), _repeated(k)) for k in RUNS] if items.p + items.n <= MOST_ITEMS else []


def _repeated(k: int) -> Callable[[Reading], Reading]:
    def change(reading: Reading) -> Reading:
        node = reading.experiment
        if isinstance(node, Classes):
            return replace(reading, experiment=replace(node, sets=node.sets * k))
        assert isinstance(node, Leaf)
        return replace(reading, experiment=Averaged((node.sample,) * k, node.told))

    return change


def _spread(node: Node) -> bool:
    return any(printed.figure.spread or printed.figure.aside for printed in told(node).scores)
