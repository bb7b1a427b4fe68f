"""The exact figures of known matrices: what a claim about averages *means*.

This module is the definition that engines, certificates and the brute-force oracle share
in words only; the oracle writes it down a second time.  The corners, decided once:

* A part with weight 0 in a target is not meant by it.
* ``impossible``: if the score of a part that is meant is undefined, the figure does not
  exist and the matrices do not count.  ``zero``: an undefined score is the number 0, for a
  part, for pooled counts and for an F-measure of means alike.  ``skip``: undefined parts are
  left out of mean, sd, min, max, each and (separately) mean precision and mean recall; the
  weights of the others are scaled to add up to one; at least one part must be left.
* A mean uses its weights divided by their sum.
* An sd is taken over the clusters' weighted means (weights scaled within the cluster).
  Under ``skip`` a cluster without defined parts is left out.  A sample sd of one cluster is
  undefined and fits nothing, under every convention; a population sd of one cluster is 0.
* ``either`` means: the sample sd or the population sd lies in the interval.
* An F-measure of means with P = R = 0 and a pooled score 0/0 are undefined: they fit
  nothing, except that ``zero`` reads them as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from scoreproof.errors import BadClaim
from scoreproof.exact import Surd
from scoreproof.interval import Interval
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS, Betas, Exact, Matrix, Score

Witness = Sequence[tuple[int, int]]
Seen = dict[int, list[tuple[tuple[int, int, int, int], Fraction, int]]]

# of-means needs the two scores whose means enter the F-measure, and which beta.
F_MEANS = {
    "f1": ("ppv", "sens", False, True),
    "fbp": ("ppv", "sens", True, True),
    "f1n": ("npv", "spec", False, False),
    "fbn": ("npv", "spec", True, False),
    # leaving a fold out of both means as soon as one of the two is undefined in it
    "f1|pr": ("ppv|pr", "sens|pr", False, True),
    "fbp|pr": ("ppv|pr", "sens|pr", True, True),
    "f1n|pr": ("npv|pr", "spec|pr", False, False),
    "fbn|pr": ("npv|pr", "spec|pr", True, False),
}


@lru_cache(maxsize=65536)
def value_at(name: str, tp: int, tn: int, p: int, n: int, betas: Betas) -> Exact | None:
    """The score of one part, or None where it is undefined."""
    return ROWS[name].value(Matrix(tp, n - tn, p - tp, tn), betas)


def squared_beta(score: Score, betas: Betas) -> Fraction:
    """The squared beta of an F-measure."""
    _, _, free, positive = F_MEANS[score.name]
    return (betas.positive if positive else betas.negative) if free else Fraction(1)


class RootSum:
    """An exact number ``a + Σ b·√q``, with no two radicands differing by a square factor.

    Square roots of rationals no two of which differ by the square of a rational are linearly
    independent over the rationals, so such a sum with any root left in it is irrational:
    it never equals a fraction, and refining an enclosure always ends.
    """

    __slots__ = ("a", "roots")

    def __init__(self, a: Fraction = Fraction(0)) -> None:
        self.a = a
        self.roots: list[tuple[Fraction, Fraction]] = []

    def add(self, value: Exact, times: Fraction | int = 1) -> None:
        if isinstance(value, Surd):
            self.a += times * value.a
            self.add_root(times * value.b, value.q)
        else:
            self.a += times * value

    def add_root(self, b: Fraction, q: Fraction) -> None:
        for k, (known, radicand) in enumerate(self.roots):
            ratio = q / radicand
            up, down = isqrt(ratio.numerator), isqrt(ratio.denominator)
            if up * up == ratio.numerator and down * down == ratio.denominator:
                total = known + b * Fraction(up, down)
                if total:
                    self.roots[k] = total, radicand
                else:
                    del self.roots[k]
                return
        up, down = isqrt(q.numerator), isqrt(q.denominator)
        if up * up == q.numerator and down * down == q.denominator:
            self.a += b * Fraction(up, down)
        elif b:
            self.roots.append((b, q))

    def times(self, other: RootSum) -> RootSum:
        result = RootSum(self.a * other.a)
        for b, q in self.roots:
            result.add_root(b * other.a, q)
        for b, q in other.roots:
            result.add_root(b * self.a, q)
        for b, q in self.roots:
            for c, r in other.roots:
                result.add_root(b * c, q * r)
        return result

    def plus(self, other: RootSum, times: Fraction) -> RootSum:
        result = RootSum(self.a + times * other.a)
        result.roots = list(self.roots)
        for b, q in other.roots:
            result.add_root(times * b, q)
        return result

    def enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        low = high = self.a
        for b, q in self.roots:
            below, above = Surd(Fraction(0), b, q).enclosure(bits)
            low, high = low + below, high + above
        return low, high

    def compare(self, other: Fraction) -> int:
        """-1, 0 or 1 as the number is below, at or above a fraction."""
        bits = 64
        while self.roots:
            low, high = self.enclosure(bits)
            if low > other:
                return 1
            if high < other:
                return -1
            bits *= 2  # ends: the number is irrational, the fraction is not
        return (self.a > other) - (self.a < other)

    def within(self, interval: Interval) -> bool:
        if interval.lo is not None:
            order = self.compare(interval.lo)
            if order < 0 or (order == 0 and not interval.lo_closed):
                return False
        if interval.hi is not None:
            order = self.compare(interval.hi)
            if order > 0 or (order == 0 and not interval.hi_closed):
                return False
        return True


def squared(interval: Interval) -> Interval | None:
    """The squares of the non-negative numbers of an interval; None if it has none."""
    lo, lo_closed, hi = interval.lo, interval.lo_closed, interval.hi
    if lo is None or lo < 0:
        lo, lo_closed = Fraction(0), True
    if hi is not None and hi < 0:
        return None
    result = Interval(lo * lo, None if hi is None else hi * hi, lo_closed, interval.hi_closed)
    return None if result.empty else result


def divisors(problem: Problem, clusters: int) -> list[int]:
    """By what a sum of squared deviations over so many clusters may be divided."""
    found = []
    if problem.spread in ("sample", "either") and clusters > 1:
        found.append(clusters - 1)
    if problem.spread in ("population", "either") and clusters > 0:
        found.append(clusters)
    return found


def fits(problem: Problem, target: Target, witness: Witness, seen: Seen | None = None) -> bool:
    """Whether the figure of the given matrices exists and lies in the target's interval."""
    match target.kind:
        case Kind.MEAN:
            mean = _mean(problem, target.score.name, target.weights, witness, seen)
            return mean is not None and mean.within(target.interval)
        case Kind.SD:
            return _sd_fits(problem, target, witness)
        case Kind.MIN | Kind.MAX | Kind.EACH:
            values = [v for _, v in _values(problem, target, witness)]
            if not values or any(v is None for v in values):
                return False
            sides = [target.interval.side(v) for v in values if v is not None]
            if target.kind is Kind.EACH:
                return not any(sides)
            # the smallest of them lies inside exactly when none is below and one is inside
            outside = -1 if target.kind is Kind.MIN else 1
            return outside not in sides and 0 in sides
        case Kind.POOLED:
            value = _pooled(problem, target, witness)
            return value is not None and value in target.interval
        case Kind.OF_MEANS:
            value = _of_means(problem, target, witness)
            return value is not None and value in target.interval


def _values(problem: Problem, target: Target, witness: Witness) -> list[tuple[int, Exact | None]]:
    """The scores that count, by part: None where one is missing that may not be."""
    name, betas = target.score.name, problem.betas
    found: list[tuple[int, Exact | None]] = []
    for i, weight in enumerate(target.weights):
        if not weight:
            continue
        part = problem.parts[i]
        value = value_at(name, *witness[i], part.p, part.n, betas)
        if value is None and problem.undefined == "zero":
            value = Fraction(0)
        if value is not None or problem.undefined == "impossible":
            found.append((i, value))
    return found


def _alike(
    problem: Problem, weights: tuple[Fraction, ...], witness: Witness, seen: Seen | None
) -> list[tuple[tuple[int, int, int, int], Fraction, int]]:
    """Equal matrices with the same weight, listed once with their number.

    ``seen`` keeps the list for further targets with the very same weights.  Weights are told
    apart by their identity, since hashing fractions costs more than all the rest.
    """
    if seen is not None and id(weights) in seen:
        return seen[id(weights)]
    counts: dict[tuple[int, int, int, int, int], int] = {}
    by_id = {id(w): w for w in weights}
    for part, (tp, tn), weight in zip(problem.parts, witness, weights, strict=True):
        key = (part.p, part.n, tp, tn, id(weight))
        counts[key] = counts.get(key, 0) + 1
    found = [
        ((p, n, tp, tn), by_id[which], count) for (p, n, tp, tn, which), count in counts.items() if by_id[which]
    ]
    if seen is not None:
        seen[id(weights)] = found
    return found


def _mean(
    problem: Problem,
    name: str,
    weights: tuple[Fraction, ...],
    witness: Witness,
    seen: Seen | None = None,
) -> RootSum | None:
    """The weighted mean of a score, or None where it does not exist."""
    score = ROWS[name]
    if not score.squared and not score.threshold:
        return _rational_mean(problem, score, _alike(problem, weights, witness, seen))
    total, share = RootSum(), Fraction(0)
    for (p, n, tp, tn), weight, count in _alike(problem, weights, witness, seen):
        value = value_at(name, tp, tn, p, n, problem.betas)
        if value is None:
            if problem.undefined == "impossible":
                return None
            if problem.undefined == "skip":
                continue
            value = Fraction(0)
        weight = weight * count
        share += weight
        total.add(value, weight)
    if not share:
        return None
    if share != 1:
        total.a /= share
        total.roots = [(b / share, q) for b, q in total.roots]
    return total


def _rational_mean(
    problem: Problem, score: Score, matrices: list[tuple[tuple[int, int, int, int], Fraction, int]]
) -> RootSum | None:
    """The same for scores that are fractions: added up in integers, by their denominators."""
    ups: dict[tuple[int, int], int] = {}
    counts: dict[int, int] = {}
    weights: dict[int, Fraction] = {}
    for (p, n, tp, tn), weight, count in matrices:
        up, down = score.terms(Matrix(tp, n - tn, p - tp, tn), problem.betas)
        which = id(weight)
        if not down:
            if problem.undefined == "impossible":
                return None
            if problem.undefined == "skip":
                continue
            up, down = 0, 1
        weights[which] = weight
        counts[which] = counts.get(which, 0) + count
        ups[which, down] = ups.get((which, down), 0) + up * count
    share = sum((weights[which] * count for which, count in counts.items()), Fraction(0))
    if not share:
        return None
    total = RootSum()
    total.a = sum((weights[which] * Fraction(up, down) for (which, down), up in ups.items()), Fraction(0))
    if share != 1:
        total.a /= share
    return total


def _sd_fits(problem: Problem, target: Target, witness: Witness) -> bool:
    window = squared(target.interval)
    values = dict(_values(problem, target, witness))
    if window is None or any(v is None for v in values.values()):
        return False
    means = []
    for cluster in target.clusters:
        total, share = RootSum(), Fraction(0)
        for i in cluster:
            value = values.get(i)
            if value is not None:
                total.add(value, target.weights[i])
                share += target.weights[i]
        if share:
            means.append((total, share))
    options = divisors(problem, len(means))
    if not options:
        return False
    return any(_between(problem, means, window, divisor) for divisor in options)


def _between(problem: Problem, means: list[tuple[RootSum, Fraction]], window: Interval, divisor: int) -> bool:
    """Whether the sum of squared deviations, divided, lies in the window."""
    # First with enclosures, since multiplying out many different roots is slow.
    for bits in (80, 200) if any(m.roots for m, _ in means) else ():
        ends = [tuple(x / share for x in m.enclosure(bits)) for m, share in means]
        centre = sum((a for a, _ in ends), Fraction(0)) / len(ends)
        error = max(b - a for a, b in ends)
        rough = sum(((a - centre) ** 2 for a, _ in ends), Fraction(0))
        # each deviation moves by at most twice the widest enclosure
        slack = sum((4 * error * abs(a - centre) + 4 * error**2 for a, _ in ends), Fraction(0))
        low, high = (rough - slack) / divisor, (rough + slack) / divisor
        if low in window and high in window:
            return True
        if (window.lo is not None and high < window.lo) or (window.hi is not None and low > window.hi):
            return False
    total, squares = RootSum(), RootSum()
    for mean, share in means:
        scaled = RootSum(mean.a / share)
        scaled.roots = [(b / share, q) for b, q in mean.roots]
        total = total.plus(scaled, Fraction(1))
        squares = squares.plus(scaled.times(scaled), Fraction(1))
    spread = squares.plus(total.times(total), Fraction(-1, len(means)))
    result = RootSum(spread.a / divisor)
    result.roots = [(b / divisor, q) for b, q in spread.roots]
    return result.within(window)


def _pooled(problem: Problem, target: Target, witness: Witness) -> Exact | None:
    """The score of the summed counts, or None where it does not exist."""
    meant = [i for i, weight in enumerate(target.weights) if weight]
    matrix = Matrix.of(
        sum(witness[i][0] for i in meant),
        sum(witness[i][1] for i in meant),
        sum(problem.parts[i].p for i in meant),
        sum(problem.parts[i].n for i in meant),
    )
    value = target.score.value(matrix, problem.betas)
    return Fraction(0) if value is None and problem.undefined == "zero" else value


def of_means(score: Score, betas: Betas, precision: Fraction, recall: Fraction) -> Fraction | None:
    """The F-measure of a mean precision and a mean recall."""
    beta = squared_beta(score, betas)
    below = beta * precision + recall
    return (1 + beta) * precision * recall / below if below else None


def _of_means(problem: Problem, target: Target, witness: Witness) -> Fraction | None:
    """The F-measure of the mean precision and the mean recall, or None where it does not exist."""
    if target.score.name not in F_MEANS:
        raise BadClaim(target.label, f"a score of means needs an F-measure, not {target.score.name}")
    first, second, _, _ = F_MEANS[target.score.name]
    precision = _mean(problem, first, target.weights, witness)
    recall = _mean(problem, second, target.weights, witness)
    if precision is None or recall is None:
        return None
    value = of_means(target.score, problem.betas, precision.a, recall.a)
    return Fraction(0) if value is None and problem.undefined == "zero" else value


def value_of(problem: Problem, target: Target, witness: Witness) -> RootSum | None:
    """The figure these matrices give for a mean, a pooled score or an F-measure of means."""
    if target.kind is Kind.MEAN:
        return _mean(problem, target.score.name, target.weights, witness)
    value = (_pooled if target.kind is Kind.POOLED else _of_means)(problem, target, witness)
    if value is None:
        return None
    total = RootSum()
    total.add(value)
    return total


def confirms(problem: Problem, witness: Iterable[Sequence[int]]) -> bool:
    """Whether these matrices, (tp, tn) for every part, hit every target exactly."""
    points = [(point[0], point[1]) for point in witness if len(point) == 2]
    if len(points) != len(problem.parts):
        return False
    for part, (tp, tn) in zip(problem.parts, points, strict=True):
        if type(tp) is not int or type(tn) is not int or not 0 <= tp <= part.p or not 0 <= tn <= part.n:
            return False
    seen: Seen = {}
    return all(fits(problem, target, points, seen) for target in problem.targets)
