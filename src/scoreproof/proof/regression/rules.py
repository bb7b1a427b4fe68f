"""Relations between the figures of a regression, each as a bound on one figure by the others.

For N residuals r with mae a = mean |r|, mse q = mean r², largest error M = max |r|, bias²
d = (mean r)², and targets of population variance v:

    a² <= q <= N·a²,   a <= M <= N·a,   M²/N <= q <= M²,   q <= M·a
    q = (1 - r2)·v,    q - d = (1 - ev)·v,   0 <= d <= a²

and, sharper than any of these three by three: with a and M given, q is smallest with one
residual at M and the others equal, largest with as many at M as fit.  Proof: among vectors
of given sum with entries in [0, M], one of them M, the first is majorised by all, the second
majorises all, and a sum of squares is Schur-convex.  Every q between is attained, since such
vectors form a convex, so connected, set.  Both extremes rise with a and with M:

    smallest   ∂/∂a = 2(N·a - M)/(N - 1) >= 0      ∂/∂M >= 0 because M >= a
    largest    a larger a (or M) lets the entries at M stay (or grow), and so their squares

Pairs (a, M) with a <= M <= N·a in a box have a least and a greatest element, so after
narrowing the bounds are taken at the ends of the box.

For means over K test sets (of at most n samples) the first three lines hold between the means of
mae, rmse and max error, because they hold in every test set and are linear there; further
(mean rmse)² <= mean mse <= K·(mean rmse)² (Cauchy-Schwarz; non-negative terms), and for test
sets of equal size 1 - mean r2 >= (mean rmse)²/v: by Cauchy-Schwarz
(Σ rmse)² <= Σ (rmse²/v_i)·Σ v_i, and the mean variance within test sets is at most v.

A bound is closed even where it could be open, except for squares: that only weakens it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.exact import Surd, surd
from scoreproof.interval import Interval
from scoreproof.question.question import Residuals

ZERO, ONE = Fraction(0), Fraction(1)
ANY = Interval(None, None)
#: Ends with larger denominators are rounded outwards, which only weakens a bound.
LONGEST_END = 240
KEPT_BITS = 120

Box = Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of the test sets: the samples of the largest, how many, whether of equal size."""

    n: int | None
    k: int | None = 1
    equal: bool = True


Narrowing = Callable[[Box, Setting], dict[str, Interval]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One relation: in words, and the bounds it puts on each of its figures."""

    words: str
    narrow: Narrowing
    needs_n: bool = False
    needs_k: bool = False


def root_below(value: Fraction) -> Fraction:
    found = surd(ZERO, ONE, value)
    return found.enclosure(96)[0] if isinstance(found, Surd) else found


def root_above(value: Fraction) -> Fraction:
    found = surd(ZERO, ONE, value)
    return found.enclosure(96)[1] if isinstance(found, Surd) else found


def at_least(value: Fraction | None) -> Interval:
    return Interval(value, None)


def at_most(value: Fraction | None) -> Interval:
    return Interval(None, value)


def low(interval: Interval) -> Fraction:
    """The lower end of a figure that is not negative."""
    return max(interval.lo, ZERO) if interval.lo is not None else ZERO


def times(*factors: Fraction | None) -> Fraction | None:
    product = ONE
    for factor in factors:
        if factor is None:
            return None
        product *= factor
    return product


def over(up: Fraction | None, down: Fraction | None) -> Fraction | None:
    return None if up is None or not down else up / down


def most_squares(n: int, total: Fraction, largest: Fraction) -> Fraction:
    """The largest sum of squares of n numbers in [0, largest] with this sum (at most n·largest)."""
    if not largest:
        return ZERO
    full = min(n, total // largest)
    return full * largest**2 + (total - full * largest) ** 2


def fewest_squares(n: int, total: Fraction, largest: Fraction) -> Fraction:
    """The smallest sum of squares of n numbers with this sum, one of them ``largest``."""
    return largest**2 + ((total - largest) ** 2 / (n - 1) if n > 1 else ZERO)


# -- one test set ---------------------------------------------------------------------------


def _square(box: Box, _: Setting) -> dict[str, Interval]:
    lo, hi = low(box["rmse"]), box["rmse"].hi
    square = Interval(lo * lo, None if hi is None else hi * hi, box["rmse"].lo_closed, box["rmse"].hi_closed)
    return {"mse": square}


def _mae_rmse(box: Box, _: Setting) -> dict[str, Interval]:
    a, q = box["mae"], box["mse"]
    lo = low(a)
    return {
        "mse": Interval(lo * lo, None, a.lo_closed),
        "mae": at_most(None if q.hi is None else root_above(max(q.hi, ZERO))),
    }


def _rmse_n_mae(box: Box, s: Setting) -> dict[str, Interval]:
    a, q, n = box["mae"], box["mse"], s.n or 1
    most = times(Fraction(n), a.hi, a.hi)
    return {
        "mse": Interval(None, most, True, a.hi_closed or most == 0),
        "mae": at_least(root_below(low(q) / n)),
    }


def _mae_max(box: Box, _: Setting) -> dict[str, Interval]:
    a, m = box["mae"], box["max_error"]
    return {"max_error": Interval(a.lo, None, a.lo_closed), "mae": Interval(None, m.hi, True, m.hi_closed)}


def _max_n_mae(box: Box, s: Setting) -> dict[str, Interval]:
    a, m, n = box["mae"], box["max_error"], Fraction(s.n or 1)
    return {"max_error": at_most(times(n, a.hi)), "mae": at_least(low(m) / n)}


def _rmse_max(box: Box, _: Setting) -> dict[str, Interval]:
    m, q = box["max_error"], box["mse"]
    return {"mse": at_most(times(m.hi, m.hi)), "max_error": at_least(root_below(low(q)))}


def _max_n_rmse(box: Box, s: Setting) -> dict[str, Interval]:
    m, q, n = box["max_error"], box["mse"], s.n or 1
    most = None if q.hi is None else root_above(max(n * q.hi, ZERO))
    return {"mse": at_least(low(m) ** 2 / n), "max_error": at_most(most)}


def _mse_max_mae(box: Box, _: Setting) -> dict[str, Interval]:
    a, q, m = box["mae"], box["mse"], box["max_error"]
    return {
        "mse": at_most(times(m.hi, a.hi)),
        "mae": at_least(over(low(q), m.hi)),
        "max_error": at_least(over(low(q), a.hi)),
    }


def _some_at_max(box: Box, s: Setting) -> dict[str, Interval]:
    a, m, n = box["mae"], box["max_error"], s.n or 1
    if a.hi is None or m.hi is None or a.hi < 0 or m.hi < 0:
        return {}
    mean = min(a.hi, m.hi)
    return {"mse": at_most(most_squares(n, n * mean, min(m.hi, n * mean)) / n)}


def _one_at_max(box: Box, s: Setting) -> dict[str, Interval]:
    a, m, n = low(box["mae"]), low(box["max_error"]), s.n or 1
    largest = max(m, a)
    return {"mse": at_least(fewest_squares(n, max(n * a, largest), largest) / n)}


def _bias(box: Box, _: Setting) -> dict[str, Interval]:
    a, d = box["mae"], box["bias"]
    return {"bias": at_most(times(a.hi, a.hi)), "mae": at_least(root_below(low(d)))}


def _complement(share: Interval) -> tuple[Fraction, Fraction | None]:
    """1 - share, which is not negative, as (lowest, highest)."""
    lowest = ZERO if share.hi is None else max(ZERO, 1 - share.hi)
    return lowest, None if share.lo is None else 1 - share.lo


def _r2(box: Box, _: Setting) -> dict[str, Interval]:
    """mse = (1 - r2)·v"""
    q, v = box["mse"], box["variance"]
    least, most = _complement(box["r2"])
    return {
        "mse": Interval(least * low(v), times(most, v.hi) if most else most),  # r2 = 1: no error at all
        "variance": Interval(over(low(q), most), over(q.hi, least)),
        "r2": Interval(_one_minus(over(q.hi, low(v))), _one_minus(over(low(q), v.hi))),
    }


def _one_minus(value: Fraction | None) -> Fraction | None:
    return None if value is None else 1 - value


def _minus(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one - other


def _plus(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other


def _explained(box: Box, _: Setting) -> dict[str, Interval]:
    """mse - bias² = (1 - ev)·v"""
    q, v, d = box["mse"], box["variance"], box["bias"]
    least, most = _complement(box["explained_variance"])
    part_low, part_high = least * low(v), times(most, v.hi) if most else most
    rest_low, rest_high = max(ZERO, low(q) - d.hi) if d.hi is not None else ZERO, _minus(q.hi, low(d))
    return {
        "bias": Interval(_minus(low(q), part_high), _minus(q.hi, part_low)),
        "mse": Interval(low(d) + part_low, _plus(d.hi, part_high)),
        "variance": Interval(over(rest_low, most), over(rest_high, least)),
        "explained_variance": Interval(_one_minus(over(rest_high, low(v))), _one_minus(over(rest_low, v.hi))),
    }


def _explained_r2(box: Box, _: Setting) -> dict[str, Interval]:
    """bias² = (ev - r2)·v"""
    e, r, v = box["explained_variance"], box["r2"], box["variance"]
    least = ZERO if e.lo is None or r.hi is None else max(ZERO, e.lo - r.hi)
    most = _minus(e.hi, r.lo)
    return {
        "explained_variance": at_least(r.lo),
        "r2": at_most(e.hi),
        "bias": Interval(least * low(v), times(most, v.hi) if most is None or most >= 0 else None),
    }


# -- means over test sets ---------------------------------------------------------------------


def _below(lower: str, upper: str, factor: Callable[[Setting], Fraction | None]) -> Narrowing:
    """mean ``lower`` <= factor · mean ``upper``"""

    def narrow(box: Box, s: Setting) -> dict[str, Interval]:
        f = factor(s)
        assert f is not None
        one, two = box[lower], box[upper]
        exact = f == 1
        return {
            lower: Interval(None, times(f, two.hi), True, two.hi_closed or not exact),
            upper: Interval(low(one) / f, None, one.lo_closed or not exact),
        }

    return narrow


def _one(_: Setting) -> Fraction:
    return ONE


def _samples(s: Setting) -> Fraction | None:
    return None if s.n is None else Fraction(s.n)


def _root_samples(s: Setting) -> Fraction | None:
    return None if s.n is None else root_above(Fraction(s.n))


def _jensen(box: Box, _: Setting) -> dict[str, Interval]:
    lo, q = low(box["rmse"]), box["mse"]
    return {
        "mse": Interval(lo * lo, None, box["rmse"].lo_closed),
        "rmse": at_most(None if q.hi is None else root_above(max(q.hi, ZERO))),
    }


def _at_most_k(box: Box, s: Setting) -> dict[str, Interval]:
    k, r, q = Fraction(s.k or 1), box["rmse"], box["mse"]
    return {"mse": at_most(times(k, r.hi, r.hi)), "rmse": at_least(root_below(low(q) / k))}


def _k_max_mae(box: Box, s: Setting) -> dict[str, Interval]:
    k, a, m = Fraction(s.k or 1), box["mae"], box["max_error"]
    return {"mse": at_most(times(k, m.hi, a.hi))}


def _mean_r2(box: Box, s: Setting) -> dict[str, Interval]:
    if not s.equal:
        return {}
    least = low(box["rmse"]) ** 2
    r, v = box["r2"], box["variance"]
    most = times(_complement(r)[1], v.hi)
    return {
        "r2": at_most(_one_minus(over(least, v.hi))),
        "rmse": at_most(None if most is None else root_above(most)),
    }


def _mean_explained_r2(box: Box, _: Setting) -> dict[str, Interval]:
    e, r = box["explained_variance"], box["r2"]
    return {
        "explained_variance": Interval(r.lo, None, r.lo_closed),
        "r2": Interval(None, e.hi, True, e.hi_closed),
    }


SINGLE: dict[str, Rule] = {
    "mse = rmse²": Rule("mse is the square of rmse", _square),
    "mae <= rmse": Rule("mae is never above rmse", _mae_rmse),
    "rmse <= √N·mae": Rule("rmse is at most √N times mae", _rmse_n_mae, needs_n=True),
    "mae <= max": Rule("mae is never above the largest error", _mae_max),
    "max <= N·mae": Rule("the largest error is at most N times mae", _max_n_mae, needs_n=True),
    "rmse <= max": Rule("rmse is never above the largest error", _rmse_max),
    "max <= √N·rmse": Rule("the largest error is at most √N times rmse", _max_n_rmse, needs_n=True),
    "mse <= max·mae": Rule("mse is at most the largest error times mae", _mse_max_mae),
    "most at the maximum": Rule(
        "mse is largest when as many errors as fit equal the largest", _some_at_max, needs_n=True
    ),
    "one at the maximum": Rule(
        "mse is smallest when one error is the largest and the others are equal", _one_at_max, needs_n=True
    ),
    "mse = (1-r2)·var": Rule("mse is 1 - r2 times the variance of the targets", _r2),
    "bias <= mae": Rule("the mean residual is at most mae", _bias),
    "mse-bias² = (1-ev)·var": Rule(
        "mse less the squared mean residual is 1 - explained variance times the targets' variance", _explained
    ),
    "bias² = (ev-r2)·var": Rule(
        "explained variance exceeds r2 by the squared mean residual over the targets' variance", _explained_r2
    ),
}
MEANS: dict[str, Rule] = {
    "mae <= rmse": Rule("a mean mae is never above the mean rmse", _below("mae", "rmse", _one)),
    "rmse² <= mse": Rule("the square of a mean rmse is never above the mean mse", _jensen),
    "mse <= K·rmse²": Rule(
        "a mean mse is at most K times the square of the mean rmse, for K test sets", _at_most_k, needs_k=True
    ),
    "mae <= max": Rule("a mean mae is never above the mean largest error", _below("mae", "max_error", _one)),
    "rmse <= max": Rule("a mean rmse is never above the mean largest error", _below("rmse", "max_error", _one)),
    "rmse <= √n·mae": Rule(
        "a mean rmse is at most √n times the mean mae, for n samples a test set",
        _below("rmse", "mae", _root_samples),
        needs_n=True,
    ),
    "max <= n·mae": Rule(
        "a mean largest error is at most n times the mean mae, for n samples a test set",
        _below("max_error", "mae", _samples),
        needs_n=True,
    ),
    "max <= √n·rmse": Rule(
        "a mean largest error is at most √n times the mean rmse, for n samples a test set",
        _below("max_error", "rmse", _root_samples),
        needs_n=True,
    ),
    "mse <= K·max·mae": Rule(
        "a mean mse is at most K times the mean largest error times the mean mae, for K test sets",
        _k_max_mae,
        needs_k=True,
    ),
    "r2 <= 1-rmse²/var": Rule(
        "in test sets of equal size a mean r2 is at most 1 - (mean rmse)² / variance of all targets", _mean_r2
    ),
    "r2 <= ev": Rule("a mean r2 is never above the mean explained variance", _mean_explained_r2),
}

NATURAL = {
    "mae": Interval(ZERO, None),
    "mse": Interval(ZERO, None),
    "rmse": Interval(ZERO, None),
    "max_error": Interval(ZERO, None),
    "r2": Interval(None, ONE),
    "explained_variance": Interval(None, ONE),
    "variance": Interval(ZERO, None),
    "bias": Interval(ZERO, None),
}
#: Figures that need targets which vary.
NEED_SPREAD = frozenset({"r2", "explained_variance"})


def rules(question: Residuals) -> dict[str, Rule]:
    """The relations that hold for the question."""
    s = setting(question)
    table = MEANS if question.averaged else SINGLE
    return {
        name: rule
        for name, rule in table.items()
        if not (rule.needs_n and s.n is None) and not (rule.needs_k and s.k is None)
    }


def setting(question: Residuals) -> Setting:
    known = [size for size in question.sizes if size is not None]
    largest = max(known) if len(known) == len(question.sizes) and question.count is not None else None
    return Setting(largest, question.count, len(known) == len(question.sizes) and len(set(known)) == 1)


def start(question: Residuals) -> dict[str, Interval]:
    """What each figure can be before any relation is used: its range, and what is printed."""
    box = dict(NATURAL)
    for _, score, interval in question.figures:
        box[score.name] = box[score.name].intersect(interval)
    if question.variance is not None:
        box["variance"] = box["variance"].intersect(question.variance)
    if NEED_SPREAD & {score.name for _, score, _ in question.figures}:
        box["variance"] = box["variance"].intersect(Interval(ZERO, None, lo_closed=False))
    largest = setting(question).n
    if largest == 1 and not question.averaged:
        box["variance"] = box["variance"].intersect(Interval(ZERO, ZERO))  # one target does not vary
    return box


def narrowed(box: Box, bound: Interval, variable: str) -> Interval:
    """The domain of the variable cut down to the bound; long ends are rounded outwards."""
    return box[variable].intersect(Interval(_shorter(bound.lo, -1), _shorter(bound.hi, 1), *_closed(bound)))


def _closed(bound: Interval) -> tuple[bool, bool]:
    return bound.lo_closed or _long(bound.lo), bound.hi_closed or _long(bound.hi)


def _long(end: Fraction | None) -> bool:
    return end is not None and end.denominator.bit_length() > LONGEST_END


def _shorter(end: Fraction | None, direction: int) -> Fraction | None:
    if end is None or not _long(end):
        return end
    bits = max(KEPT_BITS, KEPT_BITS + end.denominator.bit_length() - abs(end.numerator).bit_length())
    scaled = (end.numerator << bits) // end.denominator
    return Fraction(scaled + (direction > 0), 1 << bits)
