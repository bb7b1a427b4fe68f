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
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from scoreproof.exact import ONE, ZERO, enclosed, surd
from scoreproof.interval import Interval
from scoreproof.proof.narrow.narrowing import ROOT_BITS, Bound, Row, Rule, over, pair, root, rules_of, triple
from scoreproof.question.question import Residuals
from scoreproof.scores import REGRESSION

#: What each figure can be at all; variance is that of the targets, bias the squared mean residual.
NATURAL = {name: Interval(score.lowest, score.highest) for name, score in REGRESSION.items()}
NATURAL |= dict.fromkeys(("variance", "bias"), Interval(ZERO, None))
#: Figures that need targets which vary.
NEED_SPREAD = frozenset({"r2", "explained_variance"})


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of the test sets: the samples of the largest, how many, whether of equal size."""

    n: int | None
    k: int | None = 1
    equal: bool = True


def setting(question: Residuals) -> Setting:
    known = [size for size in question.sizes if size is not None]
    largest = max(known) if len(known) == len(question.sizes) and question.count is not None else None
    return Setting(largest, question.count, len(known) == len(question.sizes) and len(set(known)) == 1)


def rules(question: Residuals) -> dict[tuple[str, str], Rule]:
    """The relations that hold for the question."""
    s = setting(question)
    return mean_rules(s) if question.averaged else single_rules(s.n)


def start(question: Residuals) -> dict[str, Interval]:
    """What each figure can be before any relation is used: its range, and what is printed."""
    box = dict(NATURAL)
    for _, score, interval in question.figures:
        box[score.name] = box[score.name].intersect(interval)
    if question.variance is not None:
        box["variance"] = box["variance"].intersect(question.variance)
    if NEED_SPREAD & {score.name for _, score, _ in question.figures}:
        box["variance"] = box["variance"].intersect(Interval(ZERO, None, lo_closed=False))
    if setting(question).n == 1 and not question.averaged:
        box["variance"] = box["variance"].intersect(Interval(ZERO, ZERO))  # one target does not vary
    return box


def most_squares(n: int, total: Fraction, largest: Fraction) -> Fraction:
    """The largest sum of squares of n numbers in [0, largest] with this sum (at most n·largest)."""
    if not largest:
        return ZERO
    full = min(n, total // largest)
    return full * largest**2 + (total - full * largest) ** 2


def fewest_squares(n: int, total: Fraction, largest: Fraction) -> Fraction:
    """The smallest sum of squares of n numbers with this sum, one of them ``largest``."""
    return largest**2 + ((total - largest) ** 2 / (n - 1) if n > 1 else ZERO)


def _below(rule: str, lower: str, upper: str, factor: Fraction = ONE) -> list[Row]:
    """lower <= factor·upper"""
    return pair(rule, lower, "<=", upper, lambda v: factor * v, lambda v: v / factor)


def _square_below(rule: str, other: str, factor: Fraction = ONE) -> list[Row]:
    """other² <= factor·mse"""
    return pair(rule, "mse", ">=", other, lambda v: v * v / factor, lambda q: root(factor * q))


def _square_above(rule: str, other: str, factor: Fraction = ONE) -> list[Row]:
    """mse <= factor·other²"""
    return pair(rule, "mse", "<=", other, lambda v: factor * v * v, lambda q: root(q / factor))


@lru_cache(maxsize=64)
def single_rules(n: int | None) -> dict[tuple[str, str], Rule]:
    """The relations of the figures of one test set, of n samples if that is known."""
    r2 = "mse = (1-r2)·var"
    rows = [
        Row("mse = rmse²", "mse", "=", ("rmse",), "+", lambda r: r * r),
        *_square_below("mae <= rmse", "mae"),
        *_below("mae <= max", "mae", "max_error"),
        *_square_above("rmse <= max", "max_error"),
        *triple("mse <= max·mae", "mse", "<=", ("mae", "max_error"), (lambda a, m: a * m, over, over)),
        Row(r2, "mse", "=", ("r2", "variance"), "-+", lambda r, v: (1 - r) * v),
        Row(r2, "mse", "<=", ("r2",), "-", lambda r: ZERO if r >= 1 else None, smooth=False),
        Row(r2, "variance", "=", ("mse", "r2"), "++", lambda q, r: over(q, 1 - r)),
        Row(r2, "r2", "=", ("mse", "variance"), "-+", lambda q, v: 1 - q / v if v else None),
        *_explained_rows(),
    ]
    if n is None:
        return rules_of(rows)
    samples = Fraction(n)

    def some_at_the_maximum(a: Fraction, m: Fraction) -> Bound:
        mean = min(a, m)
        return most_squares(n, n * mean, min(m, n * mean)) / n

    def one_at_the_maximum(a: Fraction, m: Fraction) -> Bound:
        largest = max(m, a)
        return fewest_squares(n, max(n * a, largest), largest) / n

    both = ("mae", "max_error")
    rows += _square_above("rmse <= √N·mae", "mae", samples)
    rows += _below("max <= N·mae", "max_error", "mae", samples)
    rows += _square_below("max <= √N·rmse", "max_error", samples)
    rows.append(Row("most at the maximum", "mse", "<=", both, "++", some_at_the_maximum, smooth=False))
    rows.append(Row("one at the maximum", "mse", ">=", both, "++", one_at_the_maximum, smooth=False))
    return rules_of(rows)


def _explained_rows() -> list[Row]:
    """mse - bias = (1 - ev)·variance, and with r2 bias = (ev - r2)·variance."""
    rule, ev = "mse-bias² = (1-ev)·var", "explained_variance"
    more = "bias² = (ev-r2)·var"
    return [
        *pair("bias <= mae", "bias", "<=", "mae", lambda a: a * a, root),
        Row(rule, "bias", "=", ("mse", ev, "variance"), "++-", lambda q, e, v: q - (1 - e) * v),
        Row(rule, "bias", ">=", ("mse", ev), "++", lambda q, e: q if e >= 1 else None, smooth=False),
        Row(rule, "mse", "=", ("bias", ev, "variance"), "+-+", lambda d, e, v: d + (1 - e) * v),
        Row(rule, "mse", "<=", ("bias", ev), "+-", lambda d, e: d if e >= 1 else None, smooth=False),
        # where the corner has bias above mse these two say less than the ranges do
        Row(rule, "variance", "=", ("mse", "bias", ev), "+-+", lambda q, d, e: over(q - d, 1 - e)),
        Row(rule, ev, "=", ("mse", "bias", "variance"), "-++", lambda q, d, v: 1 - (q - d) / v if v else None),
        *_below(more, "r2", ev),
        Row(more, "bias", "=", (ev, "r2", "variance"), "+-+", lambda e, r, v: (e - r) * v if e >= r else None),
    ]


@lru_cache(maxsize=64)
def mean_rules(s: Setting) -> dict[tuple[str, str], Rule]:
    """The relations of the means of figures over several test sets."""
    rows = [
        *_below("mae <= rmse", "mae", "rmse"),
        *_square_below("rmse² <= mse", "rmse"),
        *_below("mae <= max", "mae", "max_error"),
        *_below("rmse <= max", "rmse", "max_error"),
        *_below("r2 <= ev", "r2", "explained_variance"),
    ]
    if s.k is not None:
        k = Fraction(s.k)
        rows += _square_above("mse <= K·rmse²", "rmse", k)
        rows.append(Row("mse <= K·max·mae", "mse", "<=", ("max_error", "mae"), "++", lambda m, a: k * m * a))
    if s.n is not None:
        most = enclosed(surd(ZERO, ONE, Fraction(s.n)), ROOT_BITS)[1]
        rows += _below("rmse <= √n·mae", "rmse", "mae", most)
        rows += _below("max <= n·mae", "max_error", "mae", Fraction(s.n))
        rows += _below("max <= √n·rmse", "max_error", "rmse", most)
    if s.equal:
        rule = "r2 <= 1-rmse²/var"
        rows += [
            Row(rule, "r2", "<=", ("rmse", "variance"), "-+", lambda r, v: 1 - r * r / v if v else None),
            Row(rule, "rmse", "<=", ("r2", "variance"), "-+", lambda r, v: root((1 - r) * v)),
        ]
    return rules_of(rows)
