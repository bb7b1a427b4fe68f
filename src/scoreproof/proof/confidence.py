"""Whether a printed confidence interval is the one that counts give, by method, exactly.

For a proportion of x in m items:

    wald               x/m ± z·√(x(m-x)/m³)
    wilson             (x + z²/2)/(m + z²) ± z/(m + z²)·√(x(m-x)/m + z²/4)
    agresti-coull      q ± z·√(q(1-q)/(m + z²)) with q the centre of Wilson's interval
    clopper-pearson    the rates at which x or more, x or fewer, have probability (1 - level)/2

The first three are roots of fractions once z is one, and compared as such.  z is either rounded as
textbooks have it (1.96) or the quantile itself; both are accepted, the quantile with a guard band wider
than its enclosure.  Limits beyond 0 or 1 may have been cut off or not.  Clopper-Pearson needs no
quantile: binomial tails at the ends of the rounding interval lie on either side of the level, in
integers.  Ratios (LR+, LR-, DOR) have the interval of their logarithm, exp(ln r ± z·SE), taken to 60
decimal digits with the same guard band.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb

from scoreproof.exact import surd
from scoreproof.interval import Interval
from scoreproof.scores import Exact, Matrix

METHODS = ("wald", "wilson", "agresti-coull", "clopper-pearson")

#: Level: the normal quantile to 17 digits, and as it is rounded in print.
QUANTILES: dict[Fraction, tuple[str, ...]] = {
    Fraction(90, 100): ("1.64485362695147271", "1.645", "1.64"),
    Fraction(95, 100): ("1.95996398454005424", "1.96"),
    Fraction(99, 100): ("2.57582930354890076", "2.576", "2.58"),
}
#: Wider than what 17 digits of z can move a limit of a proportion.
GUARD = Fraction(1, 10**14)
#: ... and, as a share of it, the limit of a ratio.
RATIO_GUARD = Fraction(1, 10**12)
BITS = 128
_DIGITS = Context(prec=60)

Counts = Callable[[Matrix], tuple[int, int]]

#: x and m of the scores that are proportions.
PROPORTIONS: dict[str, Counts] = {
    "acc": lambda m: (m.tp + m.tn, m.p + m.n),
    "sens": lambda m: (m.tp, m.p),
    "spec": lambda m: (m.tn, m.n),
    "ppv": lambda m: (m.tp, m.pp),
    "npv": lambda m: (m.tn, m.pn),
}

#: The ratios, and what is inverted and added in their squared standard error, with its sign.
RATIOS: dict[str, tuple[Counts, Callable[[Matrix], tuple[tuple[int, int], ...]]]] = {
    "lrp": (lambda m: (m.tp * m.n, m.p * m.fp), lambda m: ((m.tp, 1), (m.p, -1), (m.fp, 1), (m.n, -1))),
    "lrn": (lambda m: (m.fn * m.n, m.p * m.tn), lambda m: ((m.fn, 1), (m.p, -1), (m.tn, 1), (m.n, -1))),
    "dor": (lambda m: (m.tp * m.tn, m.fp * m.fn), lambda m: ((m.tp, 1), (m.fp, 1), (m.fn, 1), (m.tn, 1))),
}


def fits(method: str, score: str, matrix: Matrix, limits: tuple[Interval, Interval], level: Fraction) -> bool:
    """Whether the interval of the score of this matrix can have been printed with these limits."""
    if score in RATIOS:
        return ratio_fits(score, matrix, limits, level)
    x, m = PROPORTIONS[score](matrix)
    return proportion_fits(method, x, m, limits, level)


@lru_cache(maxsize=1 << 16)
def proportion_fits(method: str, x: int, m: int, limits: tuple[Interval, Interval], level: Fraction) -> bool:
    """Whether x of m items give an interval printed with these limits.

    >>> printed = Interval(Fraction("0.835"), Fraction("0.845")), Interval(Fraction("0.965"), Fraction("0.975"))
    >>> proportion_fits("wilson", 80, 87, printed, Fraction(95, 100))
    False
    >>> proportion_fits("clopper-pearson", 80, 87, printed, Fraction(95, 100))
    True
    """
    if m == 0:
        return False
    lower, upper = limits
    if method == "clopper-pearson":
        share = (1 - level) / 2
        return _rate_inside(x, m, share, lower) and _rate_inside(m - x, m, share, upper.reflected())
    for place, z in enumerate(QUANTILES[level]):
        guard = GUARD if place == 0 else Fraction(0)
        low, high = _ends(method, x, m, Fraction(z))
        if _near(low, 0, -1, lower, guard) and _near(high, 1, 1, upper, guard):
            return True
    return False


def _ends(method: str, x: int, m: int, z: Fraction) -> tuple[Exact, Exact]:
    if method == "wald":
        centre, factor, square = Fraction(x, m), z, Fraction(x * (m - x), m**3)
    else:
        whole = m + z * z
        centre = (x + z * z / 2) / whole
        if method == "wilson":
            factor, square = z / whole, Fraction(x * (m - x), m) + z * z / 4
        else:
            factor, square = z, centre * (1 - centre) / whole
    return surd(centre, -factor, square), surd(centre, factor, square)


def _near(end: Exact, edge: int, side: int, printed: Interval, guard: Fraction) -> bool:
    """Whether the limit, as it is or cut off at the edge of [0, 1], can have been printed so."""
    wide = _widened(printed, guard)
    if end in wide:
        return True
    beyond = (
        Interval(Fraction(edge), None, lo_closed=False)
        if side > 0
        else Interval(None, Fraction(edge), True, False)
    )
    return Fraction(edge) in wide and end in _widened(beyond, guard)


def _widened(interval: Interval, guard: Fraction) -> Interval:
    if not guard:
        return interval
    return Interval(
        None if interval.lo is None else interval.lo - guard,
        None if interval.hi is None else interval.hi + guard,
    )


# -- Clopper and Pearson ---------------------------------------------------------------------------


def _rate_inside(x: int, m: int, share: Fraction, printed: Interval) -> bool:
    """Whether the rate at which x or more of m have probability ``share`` lies in the interval.

    The probability rises with the rate, so the rate is at least a exactly if the probability at a
    is at most the share.
    """
    if x == 0:
        return Fraction(0) in printed
    lo, hi = printed.lo, printed.hi
    if lo is not None:
        if lo >= 1:
            return False
        if lo >= 0:
            order = _tail_order(x, m, lo, share)
            if order > 0 or (order == 0 and not printed.lo_closed):
                return False
    if hi is not None and hi < 1:
        if hi <= 0:
            return False
        order = _tail_order(x, m, hi, share)
        if order < 0 or (order == 0 and not printed.hi_closed):
            return False
    return True


@lru_cache(maxsize=1 << 14)
def _tail_order(x: int, m: int, rate: Fraction, share: Fraction) -> int:
    """-1, 0, 1 as the probability of x or more of m at this rate is below, at or above the share."""
    if rate <= 0:
        return -1
    low, high = _tail(x, m, rate)
    scale = 1 << BITS
    if high * share.denominator < share.numerator * scale:
        return -1
    if low * share.denominator > share.numerator * scale:
        return 1
    a, d = rate.numerator, rate.denominator
    whole = sum(comb(m, k) * a**k * (d - a) ** (m - k) for k in range(x, m + 1))
    difference: int = whole * share.denominator - share.numerator * d**m
    return (difference > 0) - (difference < 0)


def _tail(x: int, m: int, rate: Fraction) -> tuple[int, int]:
    """The probability of x or more of m, between two whole numbers of units 2^-BITS."""
    a, d = rate.numerator, rate.denominator
    b = d - a
    if x * d >= m * a:  # above the mean: terms fall from here on
        return _sum_up(x, m, a, b)
    below = _sum_up(m - x + 1, m, b, a)  # x - 1 or fewer are m - x + 1 or more of the others
    return (1 << BITS) - below[1], (1 << BITS) - below[0]


def _sum_up(x: int, m: int, a: int, b: int) -> tuple[int, int]:
    """The probability of x or more at rate a/(a+b), with x at or above the mean."""
    first = (comb(m, x) * a**x * b ** (m - x)) << BITS
    low = first // (a + b) ** m
    high = low + 1
    total_low, total_high = low, high
    for k in range(x, m):
        up, down = (m - k) * a, (k + 1) * b
        low = low * up // down
        high = high * up // down + 1
        total_low += low
        total_high += high
        if high == 1:  # what is left is below one unit a term
            total_high += m - k
            break
    return total_low, total_high


# -- ratios ----------------------------------------------------------------------------------------


def ratio_fits(score: str, matrix: Matrix, limits: tuple[Interval, Interval], level: Fraction) -> bool:
    """Whether the interval of the ratio's logarithm gives these limits."""
    ratio, parts = RATIOS[score]
    terms = parts(matrix)
    if any(count == 0 for count, _ in terms):
        return False
    square = sum((Fraction(sign, count) for count, sign in terms), Fraction(0))
    value = Fraction(*ratio(matrix))
    for z in QUANTILES[level]:
        low, high = _log_limits(value, square, z)
        if all(
            (end * (1 + RATIO_GUARD)) in _from(each) and (end * (1 - RATIO_GUARD)) in _upto(each)
            for end, each in ((low, limits[0]), (high, limits[1]))
        ):
            return True
    return False


def _from(interval: Interval) -> Interval:
    return Interval(interval.lo, None, interval.lo_closed)


def _upto(interval: Interval) -> Interval:
    return Interval(None, interval.hi, True, interval.hi_closed)


def _log_limits(value: Fraction, square: Fraction, z: str) -> tuple[Fraction, Fraction]:
    """exp(ln value ± z·√square), each to some fifty digits."""
    context = _DIGITS
    ratio = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    error = context.sqrt(context.divide(Decimal(square.numerator), Decimal(square.denominator)))
    factor = context.exp(context.multiply(Decimal(z), error))
    return Fraction(context.divide(ratio, factor)), Fraction(context.multiply(ratio, factor))


# -- how large m can be ----------------------------------------------------------------------------


def largest_size(
    method: str, printed: Interval, limits: tuple[Interval, Interval], level: Fraction
) -> int | None:
    """A size m beyond which no share in ``printed`` has an interval as wide as these limits.

    The widths of Wald's, Wilson's and Agresti and Coull's interval grow with x(m-x)/m² and have a
    bound that falls with m (below, :func:`_widest`).  By Chernoff's inequality a share q above its
    Clopper-Pearson limit l satisfies m·KL(q, l) <= ln(2/(1-level)), and so at the upper limit.  None
    if the limits are printed too coarsely to show any width.
    """
    share = _clipped(printed)
    lower, upper = limits
    if share is None or lower.hi is None or upper.lo is None or upper.lo <= lower.hi:
        return None
    if method == "clopper-pearson":
        tail = (1 - level) / 2
        room = _ln(1 / tail) + SMALL
        found = [
            room / gap
            for gap in (_divergence(share[0], lower.hi), _divergence(1 - share[1], 1 - upper.lo))
            if gap > 0
        ]
        return int(min(found)) + 1 if found else None
    spread = max((q * (1 - q) for q in share), default=Fraction(1, 4))
    if share[0] <= Fraction(1, 2) <= share[1]:
        spread = Fraction(1, 4)
    z = max(Fraction(z) for z in QUANTILES[level]) + Fraction(1, 10**10)
    square = (upper.lo - lower.hi) ** 2
    last = 1
    while _widest(method, spread, z, last) >= square:
        last *= 2
    first = last // 2
    while last - first > 1:
        middle = (first + last) // 2
        if _widest(method, spread, z, middle) >= square:
            first = middle
        else:
            last = middle
    return last


def _widest(method: str, spread: Fraction, z: Fraction, m: int) -> Fraction:
    """An upper bound of the squared width at size m with x(m-x)/m² at most ``spread``; falls with m."""
    if method == "wald":
        return 4 * z * z * spread / m
    if method == "wilson":
        return 4 * z * z * (spread / m + z * z / (4 * m * m))
    whole = m + z * z
    return 4 * z * z * (Fraction(1, 4) - (Fraction(1, 4) - spread) * (m / whole) ** 2) / whole


def _clipped(printed: Interval) -> tuple[Fraction, Fraction] | None:
    low = Fraction(0) if printed.lo is None else max(Fraction(0), printed.lo)
    high = Fraction(1) if printed.hi is None else min(Fraction(1), printed.hi)
    return (low, high) if low <= high else None


#: More than sixty-digit logarithms can be off, less than matters.
SMALL = Fraction(1, 10**20)


def _ln(value: Fraction) -> Fraction:
    return Fraction(_DIGITS.ln(_DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))))


def _divergence(q: Fraction, limit: Fraction) -> Fraction:
    """A lower bound of KL(q, l) for a share of at least q and a limit of at most this one."""
    if limit <= 0 or q <= limit or q > 1:
        return Fraction(0)
    found = q * _ln(q / limit) if q == 1 else q * _ln(q / limit) + (1 - q) * _ln((1 - q) / (1 - limit))
    return found - SMALL


def proportions(
    method: str,
    printed: Interval,
    limits: tuple[Interval, Interval],
    level: Fraction,
    last: int,
    first: int = 1,
) -> Iterator[tuple[int, int]]:
    """Every (x, m) with m in first..last whose share and interval can have been printed so."""
    for m in range(first, last + 1):
        low = 0 if printed.lo is None else max(0, -((-printed.lo.numerator * m) // printed.lo.denominator))
        high = m if printed.hi is None else min(m, (printed.hi.numerator * m) // printed.hi.denominator)
        for x in range(low, high + 1):
            if Fraction(x, m) in printed and proportion_fits(method, x, m, limits, level):
                yield x, m
