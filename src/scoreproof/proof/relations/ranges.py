"""How large and how small each score can be when no counts are known.

Every score is scale-free: it depends on the shares of the four cells only, that is on

    x = sensitivity,  y = specificity,  u = prevalence,  v = 1 - u,
    tp = u·x,  fp = v·(1-y),  fn = u·(1-x),  tn = v·y.

Which cells are empty decides which scores are defined, so the fifteen *patterns* of empty
and occupied cells are treated one by one.  On a pattern every score is continuous, and a
box of (x, y, u) bounds it, because for fixed u every score is monotone in x and in y, and

* in u: ``ppv f1 fbp ji fm`` rise, ``npv f1n fbn`` fall, accuracy is linear, the scores of
  x and y alone do not move;
* ``mk mcc kappa upm`` are hills (below zero: valleys).  With the odds o = u/v they are
  N/(A·o + B + C/o), A, B, C >= 0, and A·o + B + C/o falls up to o² = C/A, then rises:

      score        N           A         B                  C
      mk           bm          x(1-x)    xy + (1-x)(1-y)    y(1-y)
      mcc·|mcc|    bm·|bm|     the same
      kappa        2·bm        1-x       x + y              1-y
      upm          4xy         x(1-x)    x + y + 2xy        y(1-y)

To stay with rationals the roots are compared by squares and the ratios as shares, in the
*yardstick* of the score: v·|v| for ``gm fm mcc``, v/(1+v) for ``lrp lrn dor``, and the
share sens/(sens+fpr) for ``pt`` (which it turns upside down).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt
from typing import Any, NamedTuple

from scoreproof.interval import Interval
from scoreproof.scores import SCORES, Betas, Matrix

#: Which of tp, fp, fn, tn are occupied; the full pattern first.
Pattern = tuple[bool, bool, bool, bool]
PATTERNS: tuple[Pattern, ...] = tuple(
    sorted(
        ((a, b, c, d) for a, b, c, d in product((True, False), repeat=4) if a or b or c or d),
        key=lambda cells: (-sum(cells), [not cell for cell in cells]),
    )
)

Number = Any  # Fraction where it counts; float where it only steers
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)

SQUARED = frozenset({"gm", "fm", "mcc"})
ODDS = frozenset({"lrp", "lrn", "dor"})
HILLS = frozenset({"mk", "mcc", "kappa", "upm"})
FALLING_IN_U = frozenset({"npv", "f1n", "fbn"})


class Box(NamedTuple):
    """Ranges of x, y and u."""

    x: tuple[Fraction, Fraction]
    y: tuple[Fraction, Fraction]
    u: tuple[Fraction, Fraction]

    def part(self, axis: int, lo: Fraction, hi: Fraction) -> Box:
        ranges = list(self)
        ranges[axis] = (lo, hi)
        return Box(*ranges)


class Root(NamedTuple):
    """A whole pattern: its box, and which ranges are open (then from 0 to 1)."""

    box: Box
    free: tuple[bool, bool, bool]
    inside: tuple[Fraction, Fraction, Fraction]  # some point of it


@lru_cache(maxsize=64)
def root(pattern: Pattern) -> Root:
    """The box of a pattern.  Without positives x means nothing and is set to 1; so is y."""
    tp, fp, fn, tn = pattern
    free = (tp and fn, tn and fp, (tp or fn) and (tn or fp))
    fixed = (Fraction(tp or not fn), Fraction(tn or not fp), Fraction(tp or fn))
    ranges = [(ZERO, ONE) if open_ else (at, at) for open_, at in zip(free, fixed, strict=True)]
    inside = [HALF if open_ else at for open_, at in zip(free, fixed, strict=True)]
    return Root(Box(*ranges), free, (inside[0], inside[1], inside[2]))


@lru_cache(maxsize=4096)
def defined(name: str, pattern: Pattern, betas: Betas) -> bool:
    """Whether the score is defined on a pattern: every denominator is a sum of products of cells."""
    return SCORES[name].value(Matrix(*(int(cell) for cell in pattern)), betas) is not None


def _pair(name: str, x: Number, y: Number, u: Number, betas: Betas) -> tuple[Number, Number]:
    """(a, b), both at least 0, with yardstick a/(a+b) (times x for ``fm``)."""
    v = 1 - u
    match name:
        case "acc":
            return u * x + v * y, u * (1 - x) + v * (1 - y)
        case "sens":
            return x, 1 - x
        case "spec":
            return y, 1 - y
        case "bacc":
            return x + y, 2 - x - y
        case "gm":
            return x * y, 1 - x * y
        case "ppv" | "fm":
            return u * x, v * (1 - y)
        case "npv":
            return v * y, u * (1 - x)
        case "f1":
            return 2 * u * x, u * (1 - x) + v * (1 - y)
        case "f1n":
            return 2 * v * y, u * (1 - x) + v * (1 - y)
        case "fbp":
            return (1 + betas.positive) * u * x, betas.positive * u * (1 - x) + v * (1 - y)
        case "fbn":
            return (1 + betas.negative) * v * y, betas.negative * v * (1 - y) + u * (1 - x)
        case "ji":
            return u * x, u * (1 - x) + v * (1 - y)
        case "lrp" | "pt":
            return x, 1 - y
        case "lrn":
            return 1 - x, y
        case "dor":
            return x * y, (1 - x) * (1 - y)
    raise KeyError(name)


def _constant(name: str, pattern: Pattern, betas: Betas) -> Fraction | None:
    """The yardstick where it is the same on the whole pattern because cells are empty."""
    return _constants(name, pattern, not betas.positive, not betas.negative)


@lru_cache(maxsize=4096)
def _constants(name: str, pattern: Pattern, no_positive: bool, no_negative: bool) -> Fraction | None:
    x, y, u = root(pattern).inside
    if name in HILLS:
        tp, fp, fn, tn = pattern
        nothing = not (tp and tn) and (name == "upm" or not (fp and fn))
        return ZERO if nothing else None  # 4·tp·tn, or tp·tn - fp·fn, vanishes
    if name == "bm":
        return None
    # for the betas only whether they vanish matters
    a, b = _pair(name, x, y, u, Betas(Fraction(not no_positive), Fraction(not no_negative)))
    # sums of products of cells: zero at one inner point only if zero on the whole pattern
    if a == 0:
        return ZERO
    if b == 0 and name != "fm":
        return ONE
    return None


def _share(name: str, x: Number, y: Number, u: Number, pattern: Pattern, betas: Betas) -> Number | None:
    """The yardstick of a score that is no hill in a corner; None where the corner gives 0/0."""
    if name == "bm":
        return x + y - 1
    constant = _constant(name, pattern, betas)
    if constant is not None:
        return constant
    a, b = _pair(name, x, y, u, betas)
    if a + b == 0:
        return None
    if name == "fm":
        if not pattern[1]:
            return x  # no false positives: precision is 1
        return x * a / (a + b)
    return a / (a + b)


def root_below(square: Fraction) -> Fraction:
    """A rational just under the square root."""
    return Fraction(isqrt(square.numerator * square.denominator << 96), square.denominator << 48)


def _hill(n: Number, a: Number, b: Number, c: Number, u: Number) -> Number | None:
    """N/(A·o + B + C/o) at prevalence u; at 0 and 1 its limit, None where that is 0/0."""
    v = 1 - u
    if v == 0 or u == 0:
        if (a if v == 0 else c) > 0:
            return 0 * n
        return n / b if b else None
    below = a * u * u + b * u * v + c * v * v
    return n * u * v / below if below else None


def _extreme(
    name: str, x: Number, y: Number, u: tuple[Number, Number], highest: bool, square_root: Callable[[Any], Any]
) -> Number | None:
    """The largest (smallest) yardstick of a hill over the prevalences, x and y being fixed."""
    bm = x + y - 1
    if name == "kappa":
        n, a, b, c = 2 * bm, 1 - x, x + y, 1 - y
    elif name == "upm":
        n, a, b, c = 4 * x * y, x * (1 - x), x + y + 2 * x * y, y * (1 - y)
    else:
        n = bm if name == "mk" else bm * abs(bm)
        a, b, c = x * (1 - x), x * y + (1 - x) * (1 - y), y * (1 - y)
    first, last = _hill(n, a, b, c, u[0]), _hill(n, a, b, c, u[1])
    if first is None or last is None:
        return None
    if (n >= 0) != highest:  # a hill is lowest, a valley highest, at an end
        return max(first, last) if highest else min(first, last)
    if a * u[0] ** 2 >= c * (1 - u[0]) ** 2:
        return first
    if a * u[1] ** 2 <= c * (1 - u[1]) ** 2:
        return last
    return n / (b + 2 * square_root(a * c))  # its top, from above: the root is taken from below


def _end(
    name: str, box: Any, pattern: Pattern, betas: Betas, highest: bool, square_root: Callable[[Any], Any]
) -> Number | None:
    """The largest (smallest) yardstick over the box, or None for "no bound known"."""
    at = int(highest) if name != "lrn" else int(not highest)
    x, y = box[0][at], box[1][at]
    if name not in HILLS:
        if name == "acc":
            ends: list[Any] = [_share(name, x, y, u, pattern, betas) for u in box[2]]
            return max(ends) if highest else min(ends)
        u = box[2][int(highest) if name not in FALLING_IN_U else int(not highest)]
        return _share(name, x, y, u, pattern, betas)
    if _constant(name, pattern, betas) is not None:
        return ZERO
    extreme = _extreme(name, x, y, box[2], highest, square_root)
    if extreme is None and name == "mk":
        ppv = _end("ppv", box, pattern, betas, highest, square_root)
        npv = _end("npv", box, pattern, betas, highest, square_root)
        return None if ppv is None or npv is None else ppv + npv - 1
    if extreme is None and name == "mcc":
        mk = _end("mk", box, pattern, betas, highest, square_root)
        bm = x + y - 1
        if mk is None:
            return None
        if (mk > 0) != (bm > 0) or (mk < 0) != (bm < 0):
            return 0 * bm  # bm and mk have one sign, so a bound of 0 on either bounds both
        return bm * abs(mk)
    return extreme


def span(
    name: str, box: Any, pattern: Pattern, betas: Betas, square_root: Callable[[Any], Any] = root_below
) -> tuple[Number | None, Number | None]:
    """Bounds of the score's yardstick over a box of the pattern (None: no bound known).

    With fractions the bounds are certain; with floats (and ``math.sqrt``) they only steer.

    >>> box = Box((Fraction(1, 2), Fraction(3, 4)), (Fraction(1, 2), ONE), (HALF, HALF))
    >>> span("ppv", box, PATTERNS[0], Betas())
    (Fraction(1, 2), Fraction(1, 1))
    """
    low = _end(name, box, pattern, betas, False, square_root)
    return low, _end(name, box, pattern, betas, True, square_root)


def unreached(name: str, box: Box, pattern: Pattern, betas: Betas, highest: bool) -> bool:
    """Whether the bound of :func:`span` is certainly approached only, not reached, in the box.

    It sits in a corner.  Move all coordinates in which the corner lies on the open border of
    the pattern.  A point that reached the bound would, the score being monotone, have it
    reached everywhere between itself and the corner, so the score, being analytic, would
    not depend on these coordinates at all (the others staying in the corner).  If it
    changes, no point of the box reaches the bound.
    """
    if name in HILLS or name == "acc":
        return False
    here = root(pattern)
    at = int(highest) if name != "lrn" else int(not highest)
    corner = [box.x[at], box.y[at], box.u[int(highest) if name not in FALLING_IN_U else int(not highest)]]
    value = _share(name, corner[0], corner[1], corner[2], pattern, betas)
    moved = [
        (lo + hi) / 2 if free and end in (ZERO, ONE) else end
        for (lo, hi), free, end in zip(box, here.free, corner, strict=True)
    ]
    other = _share(name, moved[0], moved[1], moved[2], pattern, betas)
    return value is not None and other is not None and other != value


def measured(name: str, interval: Interval) -> Interval:
    """An interval of values of a score as an interval of its yardstick."""
    lo, hi = interval.lo, interval.hi
    if name in SQUARED:
        return Interval(
            None if lo is None else lo * abs(lo),
            None if hi is None else hi * abs(hi),
            interval.lo_closed,
            interval.hi_closed,
        )
    if name in ODDS:
        return Interval(
            None if lo is None or lo <= -1 else lo / (1 + lo),
            None if hi is None else hi / (1 + hi) if hi > -1 else -ONE,
            interval.lo_closed,
            interval.hi_closed,
        )
    if name == "pt":
        # falling, and every value lies in [0, 1]: ends beyond say nothing, or everything
        low = None if hi is None or hi > 1 else Fraction(2) if hi < 0 else _threshold_share(hi)
        high = None if lo is None or lo < 0 else -ONE if lo > 1 else _threshold_share(lo)
        return Interval(low, high, interval.hi_closed, interval.lo_closed)
    return interval


def _threshold_share(pt: Fraction) -> Fraction:
    """sens/(sens+fpr) from pt = √fpr/(√sens+√fpr)."""
    return (1 - pt) ** 2 / ((1 - pt) ** 2 + pt**2)


def whole(name: str, pattern: Pattern, betas: Betas) -> Interval:
    """The interval of all values of a score on a pattern."""
    here = root(pattern)
    row = SCORES[name]
    low, high = span(name, here.box, pattern, betas)
    falls = name == "pt"
    first, last = (high, low) if falls else (low, high)
    lo, hi = (_value(name, end) for end in (first, last))
    lo_open = lo is not None and unreached(name, here.box, pattern, betas, highest=falls)
    hi_open = hi is not None and unreached(name, here.box, pattern, betas, highest=not falls)
    found = Interval(lo, hi, not lo_open, not hi_open)
    return found.intersect(Interval(row.lowest, row.highest))


def _value(name: str, end: Number | None) -> Fraction | None:
    """The value of a yardstick where that is rational, else None."""
    if end is None:
        return None
    if name in SQUARED:
        up, down = isqrt(abs(end).numerator), isqrt(end.denominator)
        if up * up != abs(end).numerator or down * down != end.denominator:
            return None
        return Fraction(up, down) if end >= 0 else -Fraction(up, down)
    if name in ODDS:
        return end / (1 - end) if end < 1 else None
    if name == "pt":
        return {ZERO: ONE, HALF: HALF, ONE: ZERO}.get(end)
    return Fraction(end)


def missed(name: str, domain: Interval, box: Box, pattern: Pattern, betas: Betas) -> bool:
    """Whether the score certainly lies outside ``domain`` everywhere in the box."""
    target = measured(name, domain)
    low, high = span(name, box, pattern, betas)
    if high is not None and target.lo is not None:
        if high < target.lo:
            return True
        if high == target.lo and (not target.lo_closed or unreached(name, box, pattern, betas, True)):
            return True
    if low is not None and target.hi is not None:
        if low > target.hi:
            return True
        if low == target.hi and (not target.hi_closed or unreached(name, box, pattern, betas, False)):
            return True
    return False
