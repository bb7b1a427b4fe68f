"""Every count x of m items that a printed share and its confidence interval can stand for, at all sizes.

For a fixed size m the lower limit of each method rises with x (and the upper one is that of the other m - x
items), so the x whose limit is as printed stand between two steps of a staircase that is walked size by size:
the first x whose lower limit is at least the lower end of what was printed, and the first whose limit is
above the upper end (``staircases``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import ceil, floor, log, sqrt

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.confidence import (
    GUARD,
    METHODS,
    QUANTILES,
    ROOTS,
    Limits,
    largest_size,
    proportion_fits,
    smallest_size,
)
from scoreproof.proof.tails import tail_order
from scoreproof.solve.staircases import BEGIN, FAR, STEP, RootStairs, Stairs, TailStairs

#: Counts from the first to the last, and the methods that give their interval as bits of a number.
Segment = tuple[int, int, int]
#: By size.
Segments = dict[int, list[Segment]]

#: Work of one interval by logarithms.
LOGARITHM = 100_000
ZERO = Fraction(0)
#: As a share of itself, more than a double of a logarithm can be off, less than one printed digit.
SLACK = 1e-9
#: Counts of one size that are looked at one by one, at most.
FEW = 16
#: Where x·(m-x)/m is above this, limits by odds rise with x: z²/4 for every level.
RISING = 2


def segments(
    printed: Iterable[Interval],
    limits: Sequence[tuple[Limits, Fraction]],
    methods: Sequence[str],
    sizes: tuple[int, int | None],
    budget: Budget,
) -> Segments | None:
    """The counts that give all figures and all intervals, by size; bit i says that ``methods[i]`` does.

    A method without a name leaves its bit out.
    ``limits`` holds the ends of each interval with its level.  None says that nothing bounds the sizes.
    """
    share = Interval(ZERO, Fraction(1)).intersect(*printed)
    if share.empty:
        return {}
    parts = []
    listed: dict[str, list[Pairs | None]] = {}
    for bit, method in enumerate(methods if limits else ()):
        if not method:
            continue
        # Mercaldo's interval of a share that is no predictive value is Clopper and Pearson's
        method = "clopper-pearson" if method == "mercaldo" else method
        if method not in listed:
            listed[method] = [_of_method(method, share, ends, level, sizes, budget) for ends, level in limits]
        sets = listed[method]
        if all(each is None for each in sets):
            return None
        known = [each for each in sets if each is not None]
        common = known[0] if len(known) == 1 else _common(known)
        parts.append((1 << bit, common))
    if not limits:
        first, last = sizes
        if last is None:
            return None
        budget.spend(STEP * max(last - first + 1, 1))
        every = (1 << len(methods)) - 1
        counts = _Counts(share)
        return {m: [(*ends, every)] for m in range(first, last + 1) if (ends := counts(m))[0] <= ends[1]}
    return _merged(parts)


class _Counts:
    """The counts out of m items whose share lies in an interval inside [0, 1]."""

    def __init__(self, share: Interval) -> None:
        assert share.lo is not None and share.hi is not None
        self.low, self.high = share.lo.as_integer_ratio(), share.hi.as_integer_ratio()
        self.above, self.below = not share.lo_closed, not share.hi_closed

    def __call__(self, m: int) -> tuple[int, int]:
        if m == 0:
            return 1, 0  # no share of nothing is printed
        (a, b), (c, d) = self.low, self.high
        first = a * m // b + 1 if self.above else -(-a * m // b)
        last = -(-c * m // d) - 1 if self.below else c * m // d
        return first, last


def _common(sets: Sequence[Mapping[int, list[tuple[int, int]]]]) -> dict[int, list[tuple[int, int]]]:
    """What all of these hold."""
    found = {}
    for m in set(sets[0]).intersection(*sets[1:]):
        kept = sets[0][m]
        for other in sets[1:]:
            kept = [(max(a, c), min(b, d)) for a, b in kept for c, d in other[m] if max(a, c) <= min(b, d)]
        if kept:
            found[m] = kept
    return found


def _merged(parts: Sequence[tuple[int, Mapping[int, list[tuple[int, int]]]]]) -> Segments:
    """The counts of all methods together, cut where the methods change."""
    found: Segments = {}
    for m in sorted({m for _, each in parts for m in each}):
        own = [(bit, a, b) for bit, each in parts for a, b in each.get(m, ())]
        cuts = sorted({end for _, a, b in own for end in (a, b + 1)})
        row = []
        for a, after in pairwise(cuts):
            mask = 0
            for bit, low, high in own:
                mask |= bit if low <= a and after <= high + 1 else 0
            if mask:
                row.append((a, after - 1, mask))
        found[m] = row
    return found


Pairs = dict[int, list[tuple[int, int]]]


#: What was listed last, with the work it took.
_listed: dict[Hashable, tuple[Pairs | None, int]] = {}
MOST_LISTED = 64


def _of_method(
    method: str, share: Interval, limits: Limits, level: Fraction, sizes: tuple[int, int | None], budget: Budget
) -> Pairs | None:
    """The counts by one method, not listed anew if they were before; None if nothing bounds the sizes."""
    key = (method, share, limits, level, sizes)
    if key in _listed:
        found, work = _listed[key]
        budget.spend_once(key, work)
        return found
    left = budget.left
    found = _list(method, share, limits, level, sizes, budget)
    budget.spend_once(key, 0)
    while len(_listed) >= MOST_LISTED:
        _listed.pop(next(iter(_listed)), None)
    _listed[key] = found, left - budget.left
    return found


def _list(
    method: str, share: Interval, limits: Limits, level: Fraction, sizes: tuple[int, int | None], budget: Budget
) -> Pairs | None:
    if sizes[0] == sizes[1]:
        first, last = _Counts(share)(sizes[0])
        if last - first < FEW:
            budget.spend(METHODS[method].work(sizes[0]) * max(last - first + 1, 0))
            some = [x for x in range(first, last + 1) if proportion_fits(method, x, sizes[0], limits, level)]
            return {sizes[0]: _runs((x, x) for x in some)} if some else {}
    bounds = [each for each in (sizes[1], largest_size(method, share, limits, level)) if each is not None]
    if not bounds:
        return None
    first, last = max(sizes[0], 1), min(bounds)
    if method == "logit":
        return _logit(share, limits, level, first, last, budget)
    if method in ROOTS:
        first = max(first, smallest_size(method, share, limits, level))
        found: Pairs = {}
        for place, z in enumerate(QUANTILES[level]):
            guard = GUARD if place == 0 else ZERO
            stairs = partial(RootStairs, method, Fraction(z))
            found = _joined(found, _between(stairs, method, share, limits, level, guard, first, last, budget))
        if method == "wilson-cc":  # R's prop.test corrects less where x is half of m
            fits = METHODS[method].fits
            halves = range(first + first % 2, last + 1, 2) if Fraction(1, 2) in share else ()
            budget.spend(30_000 * len(halves))
            extra = {m: [(m // 2, m // 2)] for m in halves if fits(m // 2, m, limits, level)}
            found = _joined(found, extra)
        return found
    first, last = _outer(method, share, limits, level, first, last, budget)
    tails = partial(TailStairs, method == "jeffreys", (1 - level) / 2)
    return _between(tails, method, share, limits, level, ZERO, first, last, budget)


def _joined(one: Pairs, two: Pairs) -> Pairs:
    """What either holds."""
    for m, ranges in two.items():
        if m not in one:
            one[m] = ranges
        elif one[m] != ranges:
            one[m] = _runs(sorted([*one[m], *ranges]))
    return one


def _runs(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, those that touch put together."""
    kept: list[tuple[int, int]] = []
    for a, b in ranges:
        if kept and a <= kept[-1][1] + 1:
            kept[-1] = kept[-1][0], max(b, kept[-1][1])
        else:
            kept.append((a, b))
    return kept


# -- between the stairs -------------------------------------------------------------------------------


def _between(
    stairs: Callable[..., Stairs],
    method: str,
    share: Interval,
    limits: Limits,
    level: Fraction,
    guard: Fraction,
    first: int,
    last: int,
    budget: Budget,
) -> Pairs:
    """The counts whose lower and upper limits are as printed, for the sizes from the first to the last."""
    ends = [_widened(each, guard) for each in (limits[0], limits[1].reflected())]
    counts = _Counts(share)
    if any(each.hi is not None and each.hi <= 0 and ZERO not in each for each in ends):
        # a limit printed beyond 0 or 1: few methods have one, and it does not rise with x
        return _asked(method, counts, limits, level, first, last, budget)
    (low_first, low_after), (high_first, high_after) = (_walks(stairs, method, each, budget) for each in ends)
    found: Pairs = {}
    for m in range(first, last + 1):
        a, b = counts(m)
        if method not in ROOTS:
            # the limits of none and of all are a matter of their own
            for x in {0, m} & {a, b} if a <= b else ():
                budget.spend(BEGIN + 50 * m)
                if METHODS[method].fits(x, m, limits, level):
                    found[m] = [*found.get(m, ()), (x, x)]
            a, b = max(a, 1), min(b, m - 1)
        budget.spend(STEP // 4)
        a = low_first.first(m, a, b) if a <= b else a
        b = m - high_first.first(m, m - b, m - a) if a <= b else b
        if a <= b:
            after, before = low_after.first(m, a, b), m - high_after.first(m, m - b, m - a)
            a, b = max(a, before + 1), min(b, after - 1)
            if a <= b:
                found = _joined(found, {m: [(a, b)]})
    return found


def _walks(
    stairs: Callable[..., Stairs], method: str, printed: Interval, budget: Budget
) -> tuple[Stairs, Stairs]:
    """The stairs to the first x whose limit is not below what was printed, and to the first above it."""
    tails, ties = method not in ROOTS, method == "jeffreys"
    at_least = ZERO if printed.lo is None or ZERO in printed else max(printed.lo, ZERO)
    above = Fraction(2) if printed.hi is None or (tails and printed.hi >= 1) else printed.hi
    # Jeffreys' limits are not told from a tie, which counts in favour of the figure
    strict = at_least == printed.lo and not printed.lo_closed and not ties and (at_least > 0 or not tails)
    return stairs(at_least, strict, budget), stairs(above, ties or printed.hi_closed, budget)


def _widened(printed: Interval, guard: Fraction) -> Interval:
    if not guard:
        return printed
    lo, hi = printed.lo, printed.hi
    return Interval(None if lo is None else lo - guard, None if hi is None else hi + guard)


def _asked(
    method: str, counts: _Counts, limits: Limits, level: Fraction, first: int, last: int, budget: Budget
) -> Pairs:
    """The counts that the method itself says fit, one by one."""
    row = METHODS[method]
    found: Pairs = {}
    for m in range(first, last + 1):
        a, b = counts(m)
        for x in range(a, b + 1):
            budget.spend(row.work(m))
            if row.fits(x, m, limits, level):
                found = _joined(found, {m: [(x, x)]})
    return found


# -- sizes that need not be looked at ------------------------------------------------------------------


def _outer(
    method: str, share: Interval, limits: Limits, level: Fraction, first: int, last: int, budget: Budget
) -> tuple[int, int]:
    """The sizes without those at both ends at which no interval made of tails is as wide as the printed one.

    Both limits rise with x and fall with y = m - x.  So over all sizes from m1 to m2 the lower limit is at most
    that of the most x and the fewest y, at least that of the fewest x and the most y.
    """
    tail = (1 - level) / 2
    both = (share, limits[0]), (share.reflected(), limits[1].reflected())
    # Jeffreys' lower limit of x of m lies between those of x and of x + 1 by Clopper and Pearson
    more = method == "jeffreys"

    def too_small(m1: int, m2: int) -> bool:
        for own, limit in both:
            assert own.lo is not None and own.hi is not None
            x, y = floor(own.hi * m2), ceil((1 - own.hi) * m1)
            if limit.lo is None or not 0 < limit.lo < 1 or y < more or not x:
                continue
            if tail_order(x + more, x + y, limit.lo, tail) > 0:
                return True
        return False

    def too_large(m1: int, m2: int) -> bool:
        for own, limit in both:
            assert own.lo is not None and own.hi is not None
            x, y = ceil(own.lo * m1), floor((1 - own.lo) * m2)
            if limit.hi is not None and 0 < limit.hi < 1 and x > 0 and tail_order(x, x + y, limit.hi, tail) < 0:
                return True
        return False

    width = FAR
    while width >= FAR + first // 2_000 and last - first > width:
        budget.spend(METHODS[method].work(first))
        if too_small(first, first + width - 1):
            first, width = first + width, width + width // 4
        else:
            width //= 2
    width = (last - first) // 2
    while width >= FAR + last // 2_000 and last - first > width:
        budget.spend(METHODS[method].work(last))
        if too_large(last - width + 1, last):
            last -= width
        else:
            width //= 2
    return first, last


def _logit(share: Interval, limits: Limits, level: Fraction, first: int, last: int, budget: Budget) -> Pairs:
    """The counts whose odds have these limits.

    On the scale of logarithms of odds they are z·√(m/(x·y)) away from the figure.  Floats settle what is
    further than ``SLACK`` from an end, many times what they can be off by; the method is asked about the rest.
    """
    zs = [float(z) for z in QUANTILES[level]]
    (l1, l2), (u1, u2) = ((_log_odds(each.lo, -1), _log_odds(each.hi, 1)) for each in limits)
    assert share.lo is not None and share.hi is not None
    widest, narrowest = (u2 - l1) / 2, (u1 - l2) / 2
    low, high = float(share.lo), float(share.hi)
    spread = 0.25 if low <= 0.5 <= high else max(low * (1 - low), high * (1 - high))
    # z²/w² = x·y/m = m·q(1-q) at half a width of w
    least = (min(zs) / widest) ** 2 / spread * (1 - SLACK) if widest > 0 < spread else float(last)
    spread = min(low * (1 - low), high * (1 - high))
    most = (max(zs) / narrowest) ** 2 / spread * (1 + SLACK) if narrowest > 0 < spread else float(last)
    counts = _Counts(share)
    found: Pairs = {}

    def gap(x: int, m: int) -> float:
        """How far inside of the ends the limits are, or (below 0) outside, by the better quantile."""
        middle, error = log(x / (m - x)), sqrt(m / (x * (m - x)))
        ends = [(middle - z * error, middle + z * error) for z in zs]
        return max(min(low - l1, l2 - low, high - u1, u2 - high) for low, high in ends)

    def fits(x: int, m: int) -> bool:
        far = gap(x, m)
        if abs(far) > SLACK:
            return far > 0
        budget.spend(LOGARITHM)
        return METHODS["logit"].fits(x, m, limits, level)

    def together(m: int, a: int, b: int, z: float) -> tuple[int, int] | None:
        counts, steps = range(a, b + 1), []
        for sign, (low, high) in ((-1, (l1, l2)), (1, (u1, u2))):

            def limit(x: int, sign: int = sign) -> float:
                return log(x / (m - x)) + sign * z * sqrt(m / (x * (m - x)))

            steps += [
                bisect_left(counts, low - SLACK, key=limit),
                bisect_right(counts, high + SLACK, key=limit),
            ]
        a, b = a + max(steps[0], steps[2]), a + min(steps[1], steps[3]) - 1
        while a <= b and not fits(a, m):
            a += 1
        while a <= b and not fits(b, m):
            b -= 1
        return (a, b) if a <= b else None

    for m in range(max(first, 2, floor(min(least, last))), min(last, ceil(min(most, last))) + 1):
        a, b = counts(m)
        a, b = max(a, 1), min(b, m - 1)
        budget.spend(STEP)
        if a > b:
            continue
        if b - a < FAR or min(a * (m - a), b * (m - b)) < RISING * m:
            budget.spend(STEP // 2 * (b - a + 1))
            row = [(x, x) for x in range(a, b + 1) if fits(x, m)]
        else:
            # both limits rise with x, so what fits by one quantile stands together
            budget.spend(STEP * 2 * (b - a + 1).bit_length())
            row = sorted(each for z in zs if (each := together(m, a, b, z)))
        if row:
            found[m] = _runs(row)
    return found


def _log_odds(rate: Fraction | None, sign: int) -> float:
    """The logarithm of the odds of an end, which is no end where it lies at 0 or 1, or beyond."""
    if rate is None or (rate <= 0 and sign < 0) or (rate >= 1 and sign > 0):
        return sign * float("inf")
    if not 0 < rate < 1:
        return -sign * float("inf")
    return log(float(rate)) - log(float(1 - rate))
