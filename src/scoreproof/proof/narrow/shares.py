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

A score that stands in neither table is bounded by its range alone.

To stay with rationals the roots are compared by squares and the ratios as shares, in the
*yardstick* of the score: v·|v| for ``gm fm mcc``, v/(1+v) for ``lrp lrn dor``, and the
share sens/(sens+fpr) for ``pt`` (which it turns upside down).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from scoreproof.exact import ONE, ZERO, root_below, surd
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
HALF = Fraction(1, 2)

#: The shares a box is made of: sensitivity, specificity, prevalence.
AXES = ("x", "y", "u")


class Box(NamedTuple):
    """Ranges of x, y and u."""

    x: tuple[Fraction, Fraction]
    y: tuple[Fraction, Fraction]
    u: tuple[Fraction, Fraction]

    @staticmethod
    def of(domains: Mapping[str, Interval]) -> Box:
        ends = [(domains[axis].lo, domains[axis].hi) for axis in AXES]
        return Box(*ends)  # type: ignore[arg-type]  # shares are bounded on both sides

    def intervals(self) -> dict[str, Interval]:
        return {axis: Interval(*ends) for axis, ends in zip(AXES, self, strict=True)}


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


Pair = tuple[Number, Number]

#: (a, b), both at least 0, with yardstick a/(a+b) (times x for ``fm``).
PAIRS: dict[str, Callable[[Number, Number, Number, Number, Betas], Pair]] = {
    "acc": lambda x, y, u, v, _: (u * x + v * y, u * (1 - x) + v * (1 - y)),
    "sens": lambda x, y, u, v, _: (x, 1 - x),
    "spec": lambda x, y, u, v, _: (y, 1 - y),
    "bacc": lambda x, y, u, v, _: (x + y, 2 - x - y),
    "gm": lambda x, y, u, v, _: (x * y, 1 - x * y),
    "ppv": lambda x, y, u, v, _: (u * x, v * (1 - y)),
    "fm": lambda x, y, u, v, _: (u * x, v * (1 - y)),
    "npv": lambda x, y, u, v, _: (v * y, u * (1 - x)),
    "f1": lambda x, y, u, v, _: (2 * u * x, u * (1 - x) + v * (1 - y)),
    "f1n": lambda x, y, u, v, _: (2 * v * y, u * (1 - x) + v * (1 - y)),
    "fbp": lambda x, y, u, v, b: ((1 + b.positive) * u * x, b.positive * u * (1 - x) + v * (1 - y)),
    "fbn": lambda x, y, u, v, b: ((1 + b.negative) * v * y, b.negative * v * (1 - y) + u * (1 - x)),
    "ji": lambda x, y, u, v, _: (u * x, u * (1 - x) + v * (1 - y)),
    "lrp": lambda x, y, u, v, _: (x, 1 - y),
    "pt": lambda x, y, u, v, _: (x, 1 - y),
    "lrn": lambda x, y, u, v, _: (1 - x, y),
    "dor": lambda x, y, u, v, _: (x * y, (1 - x) * (1 - y)),
}
FALLING_IN_U = frozenset({"npv", "f1n", "fbn"})

#: (N, A, B, C) of the hills.
HILLS: dict[str, Callable[[Number, Number], tuple[Number, Number, Number, Number]]] = {
    "mk": lambda x, y: (x + y - 1, x * (1 - x), x * y + (1 - x) * (1 - y), y * (1 - y)),
    "mcc": lambda x, y: (
        (x + y - 1) * abs(x + y - 1), x * (1 - x), x * y + (1 - x) * (1 - y), y * (1 - y)
    ),
    "kappa": lambda x, y: (2 * (x + y - 1), 1 - x, x + y, 1 - y),
    "upm": lambda x, y: (4 * x * y, x * (1 - x), x + y + 2 * x * y, y * (1 - y)),
}  # fmt: skip


def _tabled(name: str) -> bool:
    return name in PAIRS or name in HILLS or name == "bm"


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
    if name not in PAIRS:
        return None
    # for the betas only whether they vanish matters
    a, b = PAIRS[name](x, y, u, 1 - u, Betas(Fraction(not no_positive), Fraction(not no_negative)))
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
    a, b = PAIRS[name](x, y, u, 1 - u, betas)
    if a + b == 0:
        return None
    if name == "fm":
        if not pattern[1]:
            return x  # no false positives: precision is 1
        return x * a / (a + b)
    return a / (a + b)


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
    n, a, b, c = HILLS[name](x, y)
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


def bound(
    name: str, box: Any, pattern: Pattern, betas: Betas, highest: bool, square_root: Callable[[Any], Any]
) -> Number | None:
    """The largest (smallest) yardstick over the box, or None for "no bound known"."""
    if not _tabled(name):
        return None
    x, y, u = _corner(name, box, highest)
    if name == "acc":
        ends: list[Any] = [_share(name, x, y, end, pattern, betas) for end in box[2]]
        return max(ends) if highest else min(ends)
    if name not in HILLS:
        return _share(name, x, y, u, pattern, betas)
    if _constant(name, pattern, betas) is not None:
        return ZERO
    extreme = _extreme(name, x, y, box[2], highest, square_root)
    if extreme is None and name == "mk":
        ppv = bound("ppv", box, pattern, betas, highest, square_root)
        npv = bound("npv", box, pattern, betas, highest, square_root)
        return None if ppv is None or npv is None else ppv + npv - 1
    if extreme is None and name == "mcc":
        mk = bound("mk", box, pattern, betas, highest, square_root)
        bm = x + y - 1
        if mk is None:
            return None
        if (mk > 0) != (bm > 0) or (mk < 0) != (bm < 0):
            return 0 * bm  # bm and mk have one sign, so a bound of 0 on either bounds both
        return bm * abs(mk)
    return extreme


def _corner(name: str, box: Any, highest: bool) -> tuple[Number, Number, Number]:
    """The ends of x, y and u with the largest (smallest) yardstick; that of a threshold rises."""
    score = SCORES[name]
    at = highest == (score.rises or score.threshold)
    return box[0][at], box[1][at], box[2][highest != (name in FALLING_IN_U)]


def unreached(name: str, box: Box, pattern: Pattern, betas: Betas, highest: bool) -> bool:
    """Whether this bound of the yardstick is certainly approached only, not reached, in the box.

    It sits in a corner.  Move all coordinates in which the corner lies on the open border of
    the pattern.  A point that reached the bound would, the score being monotone, have it
    reached everywhere between itself and the corner, so the score, being analytic, would
    not depend on these coordinates at all (the others staying in the corner).  If it
    changes, no point of the box reaches the bound.
    """
    if name in HILLS or name == "acc" or not _tabled(name):
        return False
    corner = _corner(name, box, highest)
    value = _share(name, *corner, pattern, betas)
    x, y, u = (
        (lo + hi) / 2 if free and end in (ZERO, ONE) else end
        for (lo, hi), free, end in zip(box, root(pattern).free, corner, strict=True)
    )
    other = _share(name, x, y, u, pattern, betas)
    return value is not None and other is not None and other != value


def measured(name: str, interval: Interval) -> Interval:
    """An interval of values of a score as an interval of its yardstick."""
    lo, hi = interval.lo, interval.hi
    score = SCORES[name]
    if score.squared:
        lo, hi = None if lo is None else lo * abs(lo), None if hi is None else hi * abs(hi)
    elif score.threshold:
        # falling, and every value lies in [0, 1]: ends beyond say nothing, or everything
        low = None if hi is None or hi > 1 else Fraction(2) if hi < 0 else _threshold_share(hi)
        high = None if lo is None or lo < 0 else -ONE if lo > 1 else _threshold_share(lo)
        return Interval(low, high, interval.hi_closed, interval.lo_closed)
    elif score.highest is None:
        lo = None if lo is None or lo <= -1 else lo / (1 + lo)
        hi = None if hi is None else hi / (1 + hi) if hi > -1 else -ONE
    return Interval(lo, hi, interval.lo_closed, interval.hi_closed)


def _threshold_share(pt: Fraction) -> Fraction:
    """sens/(sens+fpr) from pt = √fpr/(√sens+√fpr)."""
    return (1 - pt) ** 2 / ((1 - pt) ** 2 + pt**2)


def whole(name: str, pattern: Pattern, betas: Betas) -> Interval:
    """The interval of all values of a score on a pattern."""
    here = root(pattern)
    row = SCORES[name]
    ends: list[Any] = []
    for highest in (row.threshold, not row.threshold):  # the yardstick of a threshold falls
        end = _value(name, bound(name, here.box, pattern, betas, highest, root_below))
        ends.append((end, end is None or not unreached(name, here.box, pattern, betas, highest)))
    (lo, lo_closed), (hi, hi_closed) = ends
    return Interval(lo, hi, lo_closed, hi_closed).intersect(Interval(row.lowest, row.highest))


def _value(name: str, end: Number | None) -> Fraction | None:
    """The value of a yardstick where that is rational, else None."""
    if end is None:
        return None
    score = SCORES[name]
    if score.squared:
        plain = surd(ZERO, ONE if end >= 0 else -ONE, abs(end))
        return plain if isinstance(plain, Fraction) else None
    if score.threshold:
        return {ZERO: ONE, HALF: HALF, ONE: ZERO}.get(end)
    if score.highest is None:
        return end / (1 - end) if end < 1 else None
    return Fraction(end)


def missed(name: str, domain: Interval, box: Box, pattern: Pattern, betas: Betas) -> bool:
    """Whether the score certainly lies outside ``domain`` everywhere in the box."""
    target = measured(name, domain)
    for highest, end, closed in ((True, target.lo, target.lo_closed), (False, target.hi, target.hi_closed)):
        reached = None if end is None else bound(name, box, pattern, betas, highest, root_below)
        if reached is None:
            continue
        if reached < end if highest else reached > end:
            return True
        if reached == end and (not closed or unreached(name, box, pattern, betas, highest)):
            return True
    return False
