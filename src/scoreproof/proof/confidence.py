"""Whether a printed confidence interval is the one that counts give, by method, exactly.

For a proportion of x in m items:

    wald               x/m ± z·√(x(m-x)/m³)
    wald-cc            ... with 1/(2m) added on both sides
    wilson             (x + z²/2)/(m + z²) ± z/(m + z²)·√(x(m-x)/m + z²/4)
    wilson-cc          its lower limit at x - 1/2, its upper limit at x + 1/2
    agresti-coull      q ± z·√(q(1-q)/(m + z²)) with q the centre of Wilson's interval
    logit              the odds x/(m-x) times and divided by exp(z·√(1/x + 1/(m-x)))
    clopper-pearson    the rates at which x or more, x or fewer, have probability (1 - level)/2
    jeffreys           the quantiles of the beta distribution with x + 1/2 and m - x + 1/2
    mercaldo           as MedCalc prints: Clopper and Pearson's, but for PPV and NPV their odds times and
                       divided by exp(z·SE), SE² from sensitivity and specificity

Those with a root are roots of fractions once z is one, and compared as such.  z is either rounded as
textbooks have it (1.96) or the quantile itself; both are accepted, the quantile with a guard band wider
than its enclosure.  Limits beyond 0 or 1 may have been cut off or not.  Clopper-Pearson and Jeffreys need
no quantile: ``tails`` says on which side of the level the ends of the rounding interval lie.  Odds and
ratios (LR+, LR-, DOR) have the interval of their logarithm, exp(ln r ± z·SE), taken to 60
decimal digits with the same guard band.

Each method is one row of ``METHODS``; nothing else knows its name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil

from scoreproof.exact import surd
from scoreproof.interval import Interval
from scoreproof.proof.tails import beta_order, tail_order
from scoreproof.scores import ONE, SCORES, Exact, Matrix, halved

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
#: More than sixty-digit logarithms can be off, less than matters.
SMALL = Fraction(1, 10**20)
#: Items beyond which no size is told from any number.
MOST_ITEMS = 1 << 62
ZERO, HALF = Fraction(0), Fraction(1, 2)
_DIGITS = Context(prec=60)

Limits = tuple[Interval, Interval]

#: What is inverted and added in the squared standard error of a logarithm, with its sign.
ERRORS: dict[str, Callable[[Matrix], tuple[tuple[int, int], ...]]] = {
    "lrp": lambda m: ((m.tp, 1), (m.p, -1), (m.fp, 1), (m.n, -1)),
    "lrn": lambda m: ((m.fn, 1), (m.p, -1), (m.tn, 1), (m.n, -1)),
    "dor": lambda m: ((m.tp, 1), (m.fp, 1), (m.fn, 1), (m.tn, 1)),
}

#: Whether a count out of others can give limits printed so, at this level.
Share = Callable[[int, int, Limits, Fraction], bool]
#: ... and the score of a table of which more is needed than the two counts.
Whole = Callable[[str, Matrix, Limits, Fraction], bool]
#: Beyond which size no share between the first two has limits as far apart as the next two, at this level.
Largest = Callable[[Fraction, Fraction, Fraction, Fraction, Fraction], int | None]


@dataclass(frozen=True, slots=True)
class Method:
    """How the interval of a proportion is computed, decided exactly.

    ``fits`` says whether x of m items can give limits printed so, ``work`` what looking at one x costs.
    ``side`` is for limits that both rise with x: -1, 0, 1 as they are below, as printed or above, 2 if one
    is either.  ``whole`` decides instead of ``fits`` for PPV and NPV.
    """

    name: str
    fits: Share
    largest: Largest
    work: Callable[[int], int]
    side: Callable[..., int] | None = None
    whole: Whole | None = None


#: Scores whose interval may need more of the table than the share.
PREDICTIVE = frozenset({"ppv", "npv"})


def fits(method: str, score: str, matrix: Matrix, limits: Limits, level: Fraction) -> bool:
    """Whether the interval of the score of this matrix can have been printed with these limits."""
    score, _, variant = score.partition("|")
    if score in ERRORS:
        return ratio_fits(score, matrix, limits, level, half=variant == "half")
    whole = METHODS[method].whole
    if whole is not None and score in PREDICTIVE:
        return whole(score, matrix, limits, level)
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


def counts(printed: Iterable[Interval], m: int) -> range:
    """The counts out of m items whose share lies in all of these intervals; all there are if m is 0."""
    first, last = Interval(ZERO, Fraction(m)).intersect(*(each.moved(m, 0) for each in printed if m)).whole()
    assert first is not None and last is not None
    return range(first, last + 1)


def largest_size(method: str, printed: Interval, limits: Limits, level: Fraction) -> int | None:
    """A size m beyond which no share in ``printed`` has an interval as wide as these limits.

    None if there is none, or the limits are printed too coarsely to show any width.
    """
    low = ZERO if printed.lo is None else max(ZERO, printed.lo)
    high = Fraction(1) if printed.hi is None else min(Fraction(1), printed.hi)
    lower, upper = limits[0].hi, limits[1].lo
    if low > high or lower is None or upper is None or upper <= lower:
        return None
    # a share near the one limit is far from the other
    middle = min(max((lower + upper) / 2, low), high)
    found = [METHODS[method].largest(*half, lower, upper, level) for half in ((low, middle), (middle, high))]
    return None if None in found else max(filter(None, found), default=0)


@lru_cache(maxsize=1 << 10)
def window(method: str, printed: Interval, limits: Limits, level: Fraction) -> tuple[int, int]:
    """The least and the most items of a share in ``printed`` whose interval can be as wide as these limits."""
    largest = largest_size(method, printed, limits, level)
    return smallest_size(method, printed, limits, level), MOST_ITEMS if largest is None else largest


def smallest_size(method: str, printed: Interval, limits: Limits, level: Fraction) -> int:
    """A size m below which every interval of a share in ``printed`` is wider than these limits can be apart."""
    low = ZERO if printed.lo is None else max(ZERO, printed.lo)
    high = Fraction(1) if printed.hi is None else min(Fraction(1), printed.hi)
    lower, upper = limits[0].lo, limits[1].hi
    if lower is None or upper is None or lower <= GUARD or upper >= 1 - GUARD or not lower < upper:
        return 1  # it may have been cut off
    gap = upper - lower + 2 * GUARD
    spread = min(q * (1 - q) for q in (low, high))
    z2 = min(Fraction(z) for z in QUANTILES[level]) ** 2
    if method.startswith("wald"):  # 2z·√(q(1-q)/m) or more
        return max(1, ceil(4 * z2 * spread / gap**2))
    if method == "logit":  # between the logarithms of the odds 2z·√(1/(m·q(1-q))), where q(1-q) is at most this
        most = Fraction(1, 4) if low <= HALF <= high else max(q * (1 - q) for q in (low, high))
        gap = _ln(upper * (1 - lower) / (lower * (1 - upper))) + SMALL
        return max(1, ceil(4 * z2 / most / (gap * (1 + RATIO_GUARD)) ** 2)) if most else 1
    if method not in ROOTS:
        return 1

    def narrow(m: int) -> bool:  # 2z·√(m·q(1-q) + z²/4)/(m + z²), which falls with m; the others are wider
        return 4 * z2 * (m * spread + z2 / 4) <= (gap * (m + z2)) ** 2

    return 1 + bisect_left(range(1, MOST_ITEMS), True, key=narrow)


# -- intervals made of a normal quantile ----------------------------------------------------------

#: The ends of the interval of x of m items, given z; in several ways where papers differ.
Ends = Callable[[int, int, Fraction], tuple[tuple[Exact, Exact], ...]]
#: At size m, with x(m-x)/m² at most the first: a and b, falling with m, such that no width is above a + 2z·√b.
Width = Callable[[Fraction, Fraction, int], tuple[Fraction, Fraction]]


def _around(centre: Fraction, z: Fraction, square: Fraction, more: Fraction = ZERO) -> tuple[Exact, Exact]:
    return surd(centre - more, -z, square), surd(centre + more, z, square)


def _wald(correction: Fraction) -> Ends:
    return lambda x, m, z: (_around(Fraction(x, m), z, Fraction(x * (m - x), m**3), correction / m),)


def _wilson(x: Fraction | int, m: int, z: Fraction) -> tuple[Exact, Exact]:
    whole = m + z * z
    return _around((x + z * z / 2) / whole, z / whole, Fraction(x * (m - x)) / m + z * z / 4)


def _wilson_cc(x: int, m: int, z: Fraction) -> tuple[tuple[Exact, Exact], ...]:
    low = ZERO if x == 0 else _wilson(x - HALF, m, z)[0]
    high = Fraction(1) if x == m else _wilson(x + HALF, m, z)[1]
    # R's prop.test corrects by no more than the distance from one half
    return ((low, high), _wilson(x, m, z)) if 2 * x == m else ((low, high),)


def _agresti_coull(x: int, m: int, z: Fraction) -> tuple[tuple[Exact, Exact], ...]:
    whole = m + z * z
    centre = (x + z * z / 2) / whole
    return (_around(centre, z, centre * (1 - centre) / whole),)


def _agresti_coull_width(spread: Fraction, z: Fraction, m: int) -> tuple[Fraction, Fraction]:
    whole = m + z * z
    return ZERO, (Fraction(1, 4) - (Fraction(1, 4) - spread) * (m / whole) ** 2) / whole


#: By method: the ends, and how wide they can be; for wilson-cc (x + 1/2)(m - x - 1/2) <= x(m - x) + m/2.
ROOTS: dict[str, tuple[Ends, Width]] = {
    "wald": (_wald(ZERO), lambda spread, z, m: (ZERO, spread / m)),
    "wald-cc": (_wald(HALF), lambda spread, z, m: (Fraction(1, m), spread / m)),
    "wilson": (
        lambda x, m, z: (_wilson(x, m, z),),
        lambda spread, z, m: (ZERO, spread / m + z * z / (4 * m * m)),
    ),
    "wilson-cc": (
        _wilson_cc,
        lambda spread, z, m: (Fraction(1, m), spread / m + (HALF + z * z / 4) / (m * m)),
    ),
    "agresti-coull": (_agresti_coull, _agresti_coull_width),
}


def _normal(name: str) -> Method:
    """The row of a method whose ends are roots, given a normal quantile."""
    ends, widest = ROOTS[name]

    def fits(x: int, m: int, limits: Limits, level: Fraction) -> bool:
        for place, z in enumerate(QUANTILES[level]):
            guard = GUARD if place == 0 else ZERO
            for low, high in ends(x, m, Fraction(z)):
                if _near(low, 0, limits[0], guard) and _near(high, 1, limits[1], guard):
                    return True
        return False

    def largest(low: Fraction, high: Fraction, lower: Fraction, upper: Fraction, level: Fraction) -> int | None:
        spread = Fraction(1, 4) if low <= HALF <= high else max(q * (1 - q) for q in (low, high))
        z, gap = _quantile(level), upper - lower

        def narrow(m: int) -> bool:
            more, square = widest(spread, z, m)
            return gap > more and 4 * z * z * square < (gap - more) ** 2

        found = 1 + bisect_left(range(1, MOST_ITEMS), True, key=narrow)
        return found if found < MOST_ITEMS else None

    return Method(name, fits, largest, lambda m: 30_000)


def _quantile(level: Fraction) -> Fraction:
    """No quantile that is used for the level is above this."""
    return max(Fraction(z) for z in QUANTILES[level]) + Fraction(1, 10**10)


def _near(end: Exact, edge: int, printed: Interval, guard: Fraction) -> bool:
    """Whether the limit, as it is or cut off at the edge of [0, 1], can have been printed so."""
    if guard:
        lo, hi = printed.lo, printed.hi
        printed = Interval(None if lo is None else lo - guard, None if hi is None else hi + guard)
    beyond = Interval(1 - guard, None) if edge else Interval(None, guard)
    return end in printed or (Fraction(edge) in printed and end in beyond)


# -- intervals made of tails -----------------------------------------------------------------------


def _by_tails(name: str, order: Callable[[int, int, Fraction, Fraction], int], at_zero: bool) -> Method:
    """The row of a method whose lower limit is the rate below which a share of a distribution lies.

    The upper limit is the same for the other items; both rise with x.  ``at_zero`` says that the lower
    limit of no items may be above 0.
    """

    def side(x: int, m: int, limits: Limits, level: Fraction) -> int:
        share = (1 - level) / 2
        low = rate_side(x, m, share, limits[0])
        high = -rate_side(m - x, m, share, limits[1].reflected())
        return 2 if low * high < 0 else low or high

    def rate_side(x: int, m: int, share: Fraction, printed: Interval) -> int:
        """Where the rate lies: below, in, above the interval.  It is above a if less lies below a."""
        if x == 0 and (ZERO in printed or not at_zero):
            return printed.side(ZERO)
        lo, hi = printed.lo, printed.hi
        if lo is not None and lo > 0:
            found = 1 if lo >= 1 else order(x, m, lo, share)
            if found > 0 or (found == 0 and not printed.lo_closed and not at_zero):
                return -1
        if hi is not None and hi < 1:
            found = -1 if hi <= 0 else order(x, m, hi, share)
            if found < 0 or (found == 0 and not printed.hi_closed and not at_zero):
                return 1
        return 0

    def fits(x: int, m: int, limits: Limits, level: Fraction) -> bool:
        return side(x, m, limits, level) == 0

    return Method(name, fits, _tails_largest, lambda m: min(100_000 + 400 * m, 800_000), side)


def _tails_largest(
    low: Fraction, high: Fraction, lower: Fraction, upper: Fraction, level: Fraction
) -> int | None:
    """By Chernoff's inequality a share q above its limit l satisfies m·KL(q, l) <= ln(2/(1-level)).

    That holds for Clopper and Pearson's limits, and Jeffreys' lie between them.
    """
    room = _ln(2 / (1 - level)) + SMALL
    gaps = _divergence(low, lower), _divergence(1 - high, 1 - upper)
    return min((int(room / gap) + 1 for gap in gaps if gap > 0), default=None)


def _divergence(q: Fraction, limit: Fraction) -> Fraction:
    """A lower bound of KL(q, l) for a share of at least q and a limit of at most this one."""
    if limit <= 0 or q <= limit or q > 1:
        return ZERO
    rest = (1 - q) * _ln((1 - q) / (1 - limit)) if q < 1 else ZERO
    return q * _ln(q / limit) + rest - SMALL


# -- logarithms of odds and of ratios ---------------------------------------------------------------


def _log_fits(
    value: Fraction, square: Fraction, limits: Limits, level: Fraction, shown: Callable[[Fraction], Fraction]
) -> bool:
    """Whether exp(ln value ± z·√square), taken to some fifty digits and shown so, has these limits."""
    ratio, error = _decimal(value), _DIGITS.sqrt(_decimal(square))
    for z in QUANTILES[level]:
        factor = _DIGITS.exp(_DIGITS.multiply(Decimal(z), error))
        ends = _DIGITS.divide(ratio, factor), _DIGITS.multiply(ratio, factor)
        if all(_printed_so(shown(Fraction(end)), each) for end, each in zip(ends, limits, strict=True)):
            return True
    return False


def _printed_so(end: Fraction, printed: Interval) -> bool:
    """Whether the limit, above 0 and known but for a guard band, can have been printed so."""
    return not printed.intersect(Interval(end * (1 - RATIO_GUARD), end * (1 + RATIO_GUARD))).empty


def ratio_fits(score: str, matrix: Matrix, limits: Limits, level: Fraction, *, half: bool = False) -> bool:
    """Whether the interval of the ratio's logarithm, 1/2 added to each cell or not, gives these limits."""
    matrix, times = (halved(matrix), 2) if half else (matrix, 1)
    terms = ERRORS[score](matrix)
    if any(count == 0 for count, _ in terms):
        return False
    square = sum((Fraction(sign * times, count) for count, sign in terms), ZERO)
    return _log_fits(Fraction(*SCORES[score].terms(matrix, ONE)), square, limits, level, lambda ratio: ratio)


def _odds_fit(odds: Fraction, square: Fraction, limits: Limits, level: Fraction) -> bool:
    """Whether the share with the interval of the logarithm of its odds has these limits."""
    return _log_fits(odds, square, limits, level, lambda odds: odds / (1 + odds))


def _logit_fits(x: int, m: int, limits: Limits, level: Fraction) -> bool:
    y = m - x
    return x > 0 < y and _odds_fit(Fraction(x, y), Fraction(m, x * y), limits, level)


def _logit_largest(
    low: Fraction, high: Fraction, lower: Fraction, upper: Fraction, level: Fraction
) -> int | None:
    """Of the y items on the side of a limit, which is at odds U, a share of at most e < U/(1+U) is meant.

    ln U <= ln(y/(m-y)) + z·√(m/(y(m-y))), so y <= Y = z²/((1-e)·ln²(U(1-e)/e)); and, as y is at least one,
    U <= y/(m-y)·exp(z/√(1-e)).
    """
    z = _quantile(level)
    found = []
    for most, least, limit in ((1 - low, 1 - high, 1 - lower), (high, low, upper)):
        if not 0 < most < limit < 1:
            continue
        odds = limit / (1 - limit)
        room = _ln(odds * (1 - most) / most) - SMALL
        if room <= 0:
            continue
        items = (z / room) ** 2 / (1 - most)
        factor = Fraction(_DIGITS.exp(_decimal(z / (1 - most)))) + SMALL  # √(1-e) >= 1-e
        found.append(items * (1 + factor / odds))
        if least > 0:
            found.append(items / least)
    return int(min(found)) + 1 if found else None


def _mercaldo(score: str, m: Matrix, limits: Limits, level: Fraction) -> bool:
    """The logit interval of Mercaldo, Lau and Zhou (2007); at 0 and 1 MedCalc prints Clopper and Pearson's."""
    x, size = SCORES[score].terms(m, ONE)
    if not 0 < x < size:
        return proportion_fits("clopper-pearson", x, size, limits, level)
    # SE² = (1-sens)/(sens·p) + spec/((1-spec)·n) for PPV, and the same of the others for NPV
    (a, b), (c, d) = ((m.fn, m.tp), (m.tn, m.fp)) if score == "ppv" else ((m.tp, m.fn), (m.fp, m.tn))
    return _odds_fit(Fraction(x, size - x), Fraction(a, b * m.p) + Fraction(c, d * m.n), limits, level)


def _decimal(value: Fraction) -> Decimal:
    return _DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))


def _ln(value: Fraction) -> Fraction:
    return Fraction(_DIGITS.ln(_decimal(value)))


# -- the methods -----------------------------------------------------------------------------------


_EXACT = _by_tails("clopper-pearson", tail_order, at_zero=False)
_KNOWN = (
    *map(_normal, ROOTS),
    _EXACT,
    _by_tails("jeffreys", beta_order, at_zero=True),
    Method("logit", _logit_fits, _logit_largest, lambda m: 60_000),
    replace(_EXACT, name="mercaldo", whole=_mercaldo),
)
METHODS = {each.name: each for each in _KNOWN}
#: In place of a method: any of them, one for all intervals of a table or for each of them.
OPEN = ("open", "each")
