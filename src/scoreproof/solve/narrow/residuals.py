"""Residuals (and targets) that give printed figures, with few different values.

For given mae a, largest error M and number N, the vectors between "one at M, the others equal"
and "as many at M as fit" (see ``proof.narrow.error_rules``) have the same a and M, and their mean
square runs continuously from its smallest to its largest value; a point of that segment is
found by halving.  Signs are chosen last, for the explained variance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import ceil, isqrt, lcm, prod
from typing import Any

from scoreproof.budget import ENDLESS, Budget
from scoreproof.exact import ZERO, added
from scoreproof.interval import Interval
from scoreproof.proof.narrow.error_rules import NEED_SPREAD, fewest_squares, most_squares, rules, start
from scoreproof.proof.narrow.narrowing import Rules, emptied
from scoreproof.proof.narrow.no_residuals import Predictions, TestSet, confirms
from scoreproof.question.question import Residuals
from scoreproof.solve.narrow.propagate import propagate

#: Where in an interval values are tried, the middle first.
PLACES = tuple(Fraction(*pair) for pair in ((1, 2), (1, 4), (3, 4), (1, 16), (15, 16), (0, 1), (1, 1)))
HALVINGS = 50
#: Times every relation is applied before a range is cut instead, and for one of many tries.
ROUNDS, FEW_ROUNDS = 24, 6
#: Numbers of samples tried where theirs is not known.
SIZES = (1, 2, 3, 4, 5, 7, 10, 20, 50, 100, 1000, 10**4, 10**6, 10**9)
MOST_SIGNS = 400
#: Test sets tried where their number is not known.
MOST_SETS = 100
#: Shapes tried where the number of samples is known, and for each number where it is not.
SHAPES = 40
FEW_SHAPES = 8

Groups = list[tuple[Fraction, int]]
Box = dict[str, Interval]


def example(question: Residuals, box: Box) -> Predictions | None:
    """Test sets that give the figures, or None if none was found."""
    try:
        return _several(question) if question.averaged else _single(question, box)
    except OverflowError:  # numbers beyond the floats that steer
        return None


def useful(question: Residuals) -> Rules:
    """The relations but for those with a figure that nothing is said of: it takes any value they leave it."""
    named = {score.name for _, score, _ in question.figures}
    idle = (NEED_SPREAD | {"bias"}) - named - ({"bias"} if "explained_variance" in named else set())
    return {key: rule for key, rule in rules(question).items() if idle.isdisjoint((key[1], *rule.reads))}


def _single(question: Residuals, box: Box) -> Predictions | None:
    size = question.sizes[0]
    for n in SIZES if size is None else (size,):
        known = replace(question, sizes=(n,))
        here = start(known) if size is None else box
        table = useful(known)
        if size is None and _emptied(table, here, None):
            continue
        for test_set in islice(_test_sets(known, table, here, n), FEW_SHAPES if size is None else SHAPES):
            if test_set is not None and confirms(question, found := Predictions((test_set,))):
                return found
    return None


def _emptied(table: Rules, box: Box, changed: Collection[str] | None) -> bool:
    """Narrow the box by every relation, a few times; whether nothing is left."""
    propagate(table, box, Budget(ENDLESS), FEW_ROUNDS, changed=changed)
    return emptied(box)


def low(interval: Interval) -> Fraction:
    """The lower end of a figure that is not negative."""
    return max(interval.lo, ZERO) if interval.lo is not None else ZERO


def _test_sets(question: Residuals, table: Rules, box: Box, n: int) -> Iterator[TestSet | None]:
    """Test sets with the right mae, mse and largest error; signs to suit the explained variance.

    None stands for a try that came to nothing, so that tries can be counted.
    """
    named = {score.name for _, score, _ in question.figures}
    spread = bool(NEED_SPREAD & named) or question.variance is not None
    for target in _targets(box["variance"], n) if spread else [ZERO]:
        variance = target * (n - 1) / n**2
        here = {**box, "variance": Interval(variance, variance)}
        if _emptied(table, here, ("variance",)):
            yield None
            continue
        for groups in _shapes(here, n):
            if groups is None:
                yield None
                continue
            if "explained_variance" not in named:
                yield TestSet(_tidy(groups), target)
                continue
            lowest, highest = here["explained_variance"].lo, here["explained_variance"].hi
            least = ZERO if highest is None else 1 - highest
            squares = _squares(groups) / n
            most = squares - least * variance
            fewest = ZERO if lowest is None else squares - (1 - lowest) * variance
            yield None
            for signed in _signs(groups, n, max(fewest, ZERO), most):
                yield TestSet(_tidy(signed), target)


def _squares(groups: Groups) -> Fraction:
    return added([r * r * times for r, times in groups])


def _targets(variance: Interval, n: int) -> list[Fraction]:
    """Squares of a target that give variances of the interval; n·Δ²·… with Δ rational if possible."""
    if n == 1:
        return [ZERO]
    lo, hi = low(variance), variance.hi
    if hi is None:
        hi = 2 * lo or Fraction(1)
    scale = Fraction(n * n, n - 1)
    return [scale * _near(lo, hi, place) for place in PLACES]


def _shapes(box: Box, n: int) -> Iterator[Groups | None]:
    """Magnitudes with mae, mse and largest error in the box; None for a try that failed."""
    a, m, q = box["mae"], box["max_error"], box["mse"]
    tops = [each.hi for each in (a, m, q)]
    if tops[2] is None:
        tops = [tops[0] or 2 * low(a) + 1, tops[1] or 2 * low(m) + 1, 2 * low(q) + 1]
    if tops[0] is None or tops[1] is None or tops[2] is None:
        return
    least = low(a), max(low(m), low(a))
    most = min(tops[0], tops[1]), tops[1]
    for place in PLACES:
        goal = _near(low(q), tops[2], place)
        for first in (0.5, 0.125, 0.875):
            yield _shape(n, least, most, goal, q, first)


def _near(lo: Fraction, hi: Fraction, place: Fraction | float, fineness: int = 64) -> Fraction:
    """A number about there between the two, with a small denominator."""
    if lo == hi or place in (0, 1):
        return hi if place == 1 else lo
    scale = 1
    while (hi - lo) * scale < fineness:
        scale *= 10
    short = Fraction(round((lo + (hi - lo) * Fraction(place)) * scale), scale)
    return short if lo <= short <= hi else lo


def _shape(
    n: int,
    least: tuple[Fraction, Fraction],
    most: tuple[Fraction, Fraction],
    goal: Fraction,
    q: Interval,
    first: float,
) -> Groups | None:
    """Magnitudes whose mean square is near the goal and in ``q``.

    (mae, largest) moves on the segment from ``least`` to ``most``; both bounds of the mean
    square rise along it.  Where on it to stop is found by halving.
    """
    at = _where(n, tuple(map(float, least)), tuple(map(float, most)), float(goal), first)
    for fineness in (64, 10**13):
        mean, largest = (_near(x, y, at, fineness) for x, y in zip(least, most, strict=True))
        largest = min(max(mean, largest), n * mean)
        found = _between(n, n * mean, largest, goal, q)
        if found is not None:
            return found
    return None


def _where(n: int, least: tuple[Any, ...], most: tuple[Any, ...], goal: float, at: float) -> float:
    """Where between the two the goal comes within reach; a guess, in floats."""
    bottom, top = 0.0, 1.0
    for _ in range(HALVINGS):
        mean, largest = (x + (y - x) * at for x, y in zip(least, most, strict=True))
        largest = min(max(mean, largest), n * mean)
        if not largest:
            return at
        if most_squares(n, n * mean, largest) / n < goal:
            bottom, at = at, (at + top) / 2
        elif fewest_squares(n, n * mean, largest) / n > goal:
            top, at = at, (bottom + at) / 2
        else:
            break
    return at


def _between(n: int, total: Fraction, largest: Fraction, goal: Fraction, q: Interval) -> Groups | None:
    """The vector between the flattest and the most uneven one with a mean square in ``q``.

    On the segment the sum of squares is f + 2·t·g + t²·h; a float solves it for the goal, exact
    arithmetic decides whether the answer is good enough.
    """
    if not largest:
        return [(ZERO, n)]
    full = min(n, int(total // largest))
    rest = total - full * largest
    others = (total - largest) / (n - 1) if n > 1 else ZERO
    uneven: Groups = [(largest, 1), (largest, full - 1), (rest, int(n > full)), (ZERO, n - full - 1)]
    flat = (largest, others, others, others)
    ways = [(x, y - x, times) for x, (y, times) in zip(flat, uneven, strict=True) if times > 0]
    f = added([x * x * times for x, _, times in ways])
    g = added([x * more * times for x, more, times in ways])
    h = added([more * more * times for _, more, times in ways])
    for place in _places(f - n * goal, g, h):
        groups = [(x + more * place, times) for x, more, times in ways]
        if _squares(groups) / n in q:
            return groups
    return None


def _places(c: Fraction, g: Fraction, h: Fraction) -> Iterator[Fraction]:
    """t in [0, 1] with c + 2·t·g + t²·h about 0, ever more precisely, then the ends."""
    if h:
        root = _near_root(max(ZERO, g * g - c * h))
        exact = min(max((root - g) / h, ZERO), Fraction(1))
        for digits in (1, 2, 4, 8, 15):
            yield exact.limit_denominator(10**digits)
        yield exact
    yield from (ZERO, Fraction(1))


def _signs(groups: Groups, n: int, fewest: Fraction, most: Fraction) -> Iterator[Groups]:
    """The magnitudes with signs, so that the squared mean residual lies between the two."""
    if most < 0:
        return
    groups = [(r, times) for r, times in groups if times]
    if prod(times + 1 for _, times in groups) <= MOST_SIGNS:
        common = lcm(*(r.denominator for r, _ in groups))
        whole = [(int(r * common), times) for r, times in groups]
        least, largest = fewest * (n * common) ** 2, most * (n * common) ** 2
        for negative in product(*(range(times + 1) for _, times in groups)):
            total = sum(r * (times - 2 * k) for (r, times), k in zip(whole, negative, strict=True))
            if least <= total * total <= largest:
                yield _signed(groups, negative)
                return
        return
    for place in PLACES:
        wanted = n * _near_root(fewest + (most - fewest) * place)
        excess = (sum((r * times for r, times in groups), ZERO) - wanted) / 2
        chosen = []
        for r, times in sorted(groups, reverse=True):
            k = min(times, max(0, int(excess // r))) if r else 0
            excess -= k * r
            chosen.append(k)
        yield _signed(sorted(groups, reverse=True), tuple(chosen))


def _signed(groups: Groups, negative: tuple[int, ...]) -> Groups:
    found = []
    for (r, times), k in zip(groups, negative, strict=True):
        found += [(r, times - k), (-r, k)]
    return found


def _near_root(value: Fraction) -> Fraction:
    """The root to about sixty binary digits."""
    shift = max(0, 64 + (value.denominator.bit_length() - value.numerator.bit_length()) // 2)
    return Fraction(isqrt((value.numerator << 2 * shift) // value.denominator), 1 << shift)


def _tidy(groups: Groups) -> tuple[tuple[Fraction, int], ...]:
    found: dict[Fraction, int] = {}
    for value, times in groups:
        if times:
            found[value] = found.get(value, 0) + times
    return tuple(sorted(found.items(), reverse=True))


# -- several test sets --------------------------------------------------------------------------


def _several(question: Residuals) -> Predictions | None:
    """Test sets that each have the figures; or, for the mse, the same errors scaled."""
    found = _each(question)
    if found is not None and confirms(question, found):
        return found
    rest = replace(question, figures=tuple(each for each in question.figures if each[1].name != "mse"))
    wanted = next((interval for _, score, interval in question.figures if score.name == "mse"), None)
    base = None if wanted is None else _each(rest)
    return None if base is None or wanted is None else _scaled(question, wanted, base)


def _each(question: Residuals) -> Predictions | None:
    inside = None if question.variance is None else Interval(ZERO, question.variance.hi)
    known: dict[int | None, TestSet] = {}
    for size in dict.fromkeys(question.sizes):
        alone = replace(question, sizes=(size,), averaged=False, count=1, repeats=1, variance=inside)
        box = start(alone)
        single = None if _emptied(useful(alone), box, None) else example(alone, box)
        if single is None:
            return None
        known[size] = single.sets[0]
    return Predictions(tuple(known[size] for size in question.sizes))


def _scaled(question: Residuals, wanted: Interval, base: Predictions) -> Predictions | None:
    """One test set with larger errors, the others with smaller: mae and rmse stay, mse grows."""
    now = sum((each.mean(2) for each in base.sets), ZERO) / len(base.sets)
    lo, hi = low(wanted), wanted.hi
    middle = lo + 1 if hi is None else (lo + hi) / 2
    if not now or middle <= now:
        return None
    sets = base.sets
    if question.count is None:
        sets = base.sets[:1] * max(2, min(MOST_SETS, ceil(2 * middle / now)))
    for first in range(min(len(sets), 8)):
        # squares: Σ q_i·s_i² with s = 1 + (K-1)·δ once and 1 - δ else
        k = len(sets)
        own = sets[first].mean(2)
        others = now * k - own
        a = own * (k - 1) ** 2 + others
        b = 2 * (own * (k - 1) - others)
        c = own + others - k * middle
        if b * b < 4 * a * c or not a:
            continue
        change = (_near_root(b * b - 4 * a * c) - b) / (2 * a)
        if not 0 < change <= 1:
            continue
        found = [_stretched(each, 1 - change) for each in sets]
        found[first] = _stretched(sets[first], 1 + (k - 1) * change)
        predictions = Predictions(tuple(found))
        if confirms(question, predictions):
            return predictions
    return None


def _stretched(test_set: TestSet, factor: Fraction) -> TestSet:
    groups = [(value * factor, times) for value, times in test_set.residuals]
    return TestSet(_tidy(groups), test_set.target * factor**2)
