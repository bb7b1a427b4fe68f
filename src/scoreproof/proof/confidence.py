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

Each method is one row of ``METHODS``; nothing else knows its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb

from scoreproof.claim.confidence import RATIOS
from scoreproof.exact import surd
from scoreproof.interval import Interval
from scoreproof.scores import ONE, SCORES, Exact, Matrix

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

Limits = tuple[Interval, Interval]

#: What is inverted and added in the squared standard error of a ratio's logarithm, with its sign.
ERRORS: dict[str, Callable[[Matrix], tuple[tuple[int, int], ...]]] = {
    "lrp": lambda m: ((m.tp, 1), (m.p, -1), (m.fp, 1), (m.n, -1)),
    "lrn": lambda m: ((m.fn, 1), (m.p, -1), (m.tn, 1), (m.n, -1)),
    "dor": lambda m: ((m.tp, 1), (m.fp, 1), (m.fn, 1), (m.tn, 1)),
}


@dataclass(frozen=True, slots=True)
class Method:
    """How the interval of a proportion is computed, decided exactly.

    ``fits`` says whether x of m items can give limits printed so, ``largest`` beyond which m no share
    in a range has limits as far apart, ``work`` what looking at one x costs.  ``side`` is for limits
    that both rise with x: -1, 0, 1 as they are below, as printed or above, 2 if one is either.
    """

    name: str
    fits: Callable[[int, int, Limits, Fraction], bool]
    largest: Callable[[tuple[Fraction, Fraction], Limits, Fraction], int | None]
    work: Callable[[int], int]
    side: Callable[..., int] | None = None


def fits(method: str, score: str, matrix: Matrix, limits: Limits, level: Fraction) -> bool:
    """Whether the interval of the score of this matrix can have been printed with these limits."""
    if score in RATIOS:
        return ratio_fits(score, matrix, limits, level)
    x, m = SCORES[score].terms(matrix, ONE)  # a proportion is what its textbook definition says
    return proportion_fits(method, x, m, limits, level)


@lru_cache(maxsize=1 << 14)
def proportion_fits(method: str, x: int, m: int, limits: Limits, level: Fraction) -> bool:
    """Whether x of m items give an interval printed with these limits.

    >>> printed = Interval(Fraction("0.835"), Fraction("0.845")), Interval(Fraction("0.965"), Fraction("0.975"))
    >>> proportion_fits("wilson", 80, 87, printed, Fraction(95, 100))
    False
    >>> proportion_fits("clopper-pearson", 80, 87, printed, Fraction(95, 100))
    True
    """
    return m > 0 and METHODS[method].fits(x, m, limits, level)


# -- intervals made of a normal quantile ----------------------------------------------------------

#: The ends of the interval of x of m items, given z.
Ends = Callable[[int, int, Fraction], tuple[Exact, Exact]]
#: An upper bound of the squared width at size m with x(m-x)/m² at most the first; falls with m.
Width = Callable[[Fraction, Fraction, int], Fraction]


def _around(centre: Fraction, factor: Fraction, square: Fraction) -> tuple[Exact, Exact]:
    return surd(centre, -factor, square), surd(centre, factor, square)


def _wald(x: int, m: int, z: Fraction) -> tuple[Exact, Exact]:
    return _around(Fraction(x, m), z, Fraction(x * (m - x), m**3))


def _wald_width(spread: Fraction, z: Fraction, m: int) -> Fraction:
    return 4 * z * z * spread / m


def _wilson(x: int, m: int, z: Fraction) -> tuple[Exact, Exact]:
    whole = m + z * z
    return _around((x + z * z / 2) / whole, z / whole, Fraction(x * (m - x), m) + z * z / 4)


def _wilson_width(spread: Fraction, z: Fraction, m: int) -> Fraction:
    return 4 * z * z * (spread / m + z * z / (4 * m * m))


def _agresti_coull(x: int, m: int, z: Fraction) -> tuple[Exact, Exact]:
    whole = m + z * z
    centre = (x + z * z / 2) / whole
    return _around(centre, z, centre * (1 - centre) / whole)


def _agresti_coull_width(spread: Fraction, z: Fraction, m: int) -> Fraction:
    whole = m + z * z
    return 4 * z * z * (Fraction(1, 4) - (Fraction(1, 4) - spread) * (m / whole) ** 2) / whole


def _normal(name: str, ends: Ends, widest: Width) -> Method:
    """The row of a method that takes a normal quantile."""

    def fits(x: int, m: int, limits: Limits, level: Fraction) -> bool:
        for place, z in enumerate(QUANTILES[level]):
            guard = GUARD if place == 0 else Fraction(0)
            low, high = ends(x, m, Fraction(z))
            if _near(low, 0, -1, limits[0], guard) and _near(high, 1, 1, limits[1], guard):
                return True
        return False

    def largest(share: tuple[Fraction, Fraction], limits: Limits, level: Fraction) -> int | None:
        lower, upper = limits
        assert lower.hi is not None and upper.lo is not None
        around_half = share[0] <= Fraction(1, 2) <= share[1]
        spread = Fraction(1, 4) if around_half else max(q * (1 - q) for q in share)
        z = max(Fraction(z) for z in QUANTILES[level]) + Fraction(1, 10**10)
        square = (upper.lo - lower.hi) ** 2
        last = 1
        while widest(spread, z, last) >= square:
            last *= 2
        first = last // 2
        while last - first > 1:
            middle = (first + last) // 2
            first, last = (middle, last) if widest(spread, z, middle) >= square else (first, middle)
        return last

    return Method(name, fits, largest, lambda m: 100_000)


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


def _exact_side(x: int, m: int, limits: Limits, level: Fraction) -> int:
    """-1, 0, 1 as the limits are below, as printed or above; 2 if one is below and one above.

    The lower limit is the rate at which x or more have the probability left out at one side; the
    upper is the same for the other items.  Both rise with x.
    """
    share = (1 - level) / 2
    low = _rate_side(x, m, share, limits[0])
    high = -_rate_side(m - x, m, share, limits[1].reflected())
    return 2 if low * high < 0 else low or high


def _exact_fits(x: int, m: int, limits: Limits, level: Fraction) -> bool:
    return _exact_side(x, m, limits, level) == 0


def _exact_largest(share: tuple[Fraction, Fraction], limits: Limits, level: Fraction) -> int | None:
    """By Chernoff's inequality a share q above its limit l satisfies m·KL(q, l) <= ln(2/(1-level))."""
    lower, upper = limits
    assert lower.hi is not None and upper.lo is not None
    room = _ln(2 / (1 - level)) + SMALL
    gaps = (_divergence(share[0], lower.hi), _divergence(1 - share[1], 1 - upper.lo))
    found = [room / gap for gap in gaps if gap > 0]
    return int(min(found)) + 1 if found else None


def _rate_side(x: int, m: int, share: Fraction, printed: Interval) -> int:
    """Where the rate lies at which x or more of m have probability ``share``: below, in, above the interval.

    The probability rises with the rate, so the rate is at least a exactly if the probability at a
    is at most the share.
    """
    if x == 0:
        return printed.side(Fraction(0))
    lo, hi = printed.lo, printed.hi
    if lo is not None and lo > 0:
        order = 1 if lo >= 1 else _tail_order(x, m, lo, share)
        if order > 0 or (order == 0 and not printed.lo_closed):
            return -1
    if hi is not None and hi < 1:
        order = -1 if hi <= 0 else _tail_order(x, m, hi, share)
        if order < 0 or (order == 0 and not printed.hi_closed):
            return 1
    return 0


def _tail_order(x: int, m: int, rate: Fraction, share: Fraction) -> int:
    """-1, 0, 1 as the probability of x or more of m at this rate is below, at or above the share."""
    low, high = _tail(x, m, rate)
    if high * share.denominator < share.numerator << BITS:
        return -1
    if low * share.denominator > share.numerator << BITS:
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
    first = _product(_product(_choices(m, x), _power(a, a + b, x)), _power(b, a + b, m - x))
    shift = first[2] + BITS
    low, high = (
        (first[0] << shift, first[1] << shift) if shift > 0 else (first[0] >> -shift, _up(first[1], -shift))
    )
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


#: A number between the first and the second times 2 to the third; both of about twice BITS digits.
Enclosed = tuple[int, int, int]


def _up(value: int, shift: int) -> int:
    return -(-value >> shift)


def _trimmed(low: int, high: int, exponent: int) -> Enclosed:
    shift = max(0, high.bit_length() - 2 * BITS)
    return low >> shift, _up(high, shift), exponent + shift


def _product(one: Enclosed, two: Enclosed) -> Enclosed:
    return _trimmed(one[0] * two[0], one[1] * two[1], one[2] + two[2])


@lru_cache(maxsize=1 << 10)
def _choices(m: int, x: int) -> Enclosed:
    whole = comb(m, x)
    return _trimmed(whole, whole, 0)


def _power(a: int, d: int, exponent: int) -> Enclosed:
    """(a/d) to a whole number, by squaring."""
    found: Enclosed = (1, 1, 0)
    scale = 2 * BITS + d.bit_length() - a.bit_length()
    base = _trimmed((a << scale) // d, -((-a << scale) // d), -scale)
    while exponent:
        if exponent & 1:
            found = _product(found, base)
        base, exponent = _product(base, base), exponent >> 1
    return found


METHODS = {
    each.name: each
    for each in (
        _normal("wald", _wald, _wald_width),
        _normal("wilson", _wilson, _wilson_width),
        _normal("agresti-coull", _agresti_coull, _agresti_coull_width),
        Method("clopper-pearson", _exact_fits, _exact_largest, lambda m: 400_000 + 200 * m, _exact_side),
    )
}


# -- ratios ----------------------------------------------------------------------------------------


def ratio_fits(score: str, matrix: Matrix, limits: Limits, level: Fraction) -> bool:
    """Whether the interval of the ratio's logarithm gives these limits."""
    terms = ERRORS[score](matrix)
    if any(count == 0 for count, _ in terms):
        return False
    square = sum((Fraction(sign, count) for count, sign in terms), Fraction(0))
    value = Fraction(*SCORES[score].terms(matrix, ONE))
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


def largest_size(method: str, printed: Interval, limits: Limits, level: Fraction) -> int | None:
    """A size m beyond which no share in ``printed`` has an interval as wide as these limits.

    None if the limits are printed too coarsely to show any width.
    """
    share = _clipped(printed)
    lower, upper = limits
    if share is None or lower.hi is None or upper.lo is None or upper.lo <= lower.hi:
        return None
    return METHODS[method].largest(share, limits, level)


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
    limits: Limits,
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
