"""A problem about averages as sums of vectors that must land in a set.

Parts that nothing tells apart form a *group*.  Each part picks a point (tp, tn) of its grid.
A *column* is a number read off at the point; a *row* adds columns over all parts, with one
factor per group and column, and must land in an interval:

    row = constant + Σ over parts Σ over columns factor · column(point)

What each kind of target becomes:

    mean     a row on Σ w·f.  Linear scores use the columns tp and tn, so their sums are exact.
             Under ``skip``, with undefined points around: Σ w·d·(f-lo) >= 0, Σ w·d·(f-hi) <= 0.
    sd       two rows, the mean y and the mean q of (f-c)², tied by a *curve*:
             q - (y-c)² is the variance over K.
    min      points below are dropped; a row counts the parts inside: at least one.
    max      likewise.
    each     points outside are dropped.
    pooled   where the bound is a straight line: a row on tp and tn.
    of means two rows tied by a curve.

The rows never leave out a choice that hits the targets (they may let others pass), so
a proof that no choice satisfies the rows is a proof about the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm

from scoreproof.interval import Interval
from scoreproof.proof.averages.figures import F_MEANS, divisors, squared, squared_beta
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS, Betas, Score, zones_undefined

EVERYTHING = Interval(None, None)
SOME = Interval(Fraction(1), None)
ZERO, ONE_ = Fraction(0), Fraction(1)
# Means of these are affine in (tp, tn) of the parts.
AFFINE = frozenset({"acc", "sens", "spec", "bacc", "bm"})
PER_PART = frozenset({Kind.MEAN, Kind.SD, Kind.MIN, Kind.MAX, Kind.EACH})


@dataclass(frozen=True, slots=True)
class Column:
    """A number read off at a point of a part's grid.

    ``tp`` and ``tn`` are the counts.  For a score f with the number it counts as (nothing,
    if it is undefined and skipped): ``value`` is f - shift, ``square`` is (f - shift)²,
    ``defined`` is 1, ``inside`` is 1 if f lies in the interval; each is 0 for nothing.
    """

    what: str
    score: str = ""
    shift: Fraction = ZERO
    interval: Interval = EVERYTHING


TP, TN = Column("tp"), Column("tn")


@dataclass(frozen=True, slots=True)
class Keep:
    """A point stays only if the score is defined there (or need not be) and inside."""

    score: str
    defined: bool
    interval: Interval


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that nothing tells apart: same counts, same weight in every target."""

    p: int
    n: int
    parts: tuple[int, ...]
    keeps: tuple[Keep, ...]
    columns: tuple[Column, ...]

    @property
    def size(self) -> int:
        return (self.p + 1) * (self.n + 1)


@dataclass(frozen=True, slots=True)
class Row:
    """A sum over all parts that must land in ``interval``; factors[g][k] as above."""

    target: int
    interval: Interval
    constant: Fraction
    factors: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Two rows tied together: by a variance, or by an F-measure of means.

    ``variance``: row ``two`` minus (row ``one`` - centre)² lies in ``interval``.
    ``f_measure``: (1+β²)·one·two/(β²·one+two) lies in ``interval``, ``centre`` is β².
    """

    kind: str
    one: int
    two: int
    centre: Fraction
    interval: Interval


@dataclass(frozen=True, slots=True)
class Model:
    """The rows and curves of a problem, for one choice of divisor per sd."""

    problem: Problem
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]
    curves: tuple[Curve, ...]


def affine(name: str, p: int, n: int) -> tuple[Fraction, Fraction, Fraction] | None:
    """The factors of tp, of tn and the constant of a linear score; None if undefined."""
    match name:
        case "acc":
            return (Fraction(1, p + n), Fraction(1, p + n), ZERO) if p + n else None
        case "sens":
            return (Fraction(1, p), ZERO, ZERO) if p else None
        case "spec":
            return (ZERO, Fraction(1, n), ZERO) if n else None
        case "bacc":
            return (Fraction(1, 2 * p), Fraction(1, 2 * n), ZERO) if p and n else None
        case "bm":
            return (Fraction(1, p), Fraction(1, n), Fraction(-1)) if p and n else None
    raise KeyError(name)


def sd_targets(problem: Problem) -> list[int]:
    return [t for t, target in enumerate(problem.targets) if target.kind is Kind.SD]


def choices(problem: Problem) -> Iterator[tuple[str, ...]]:
    """Every way to choose sample or population for each sd."""
    options = ("sample", "population") if problem.spread == "either" else (problem.spread,)
    return product(options, repeat=len(sd_targets(problem)))


def grouping(problem: Problem) -> list[tuple[int, ...]]:
    """The indices of the parts of each group, in order of first appearance."""
    kinds = {id(target.weights) for target in problem.targets if target.kind is not Kind.SD}
    if len(kinds) == 1 and all(target.kind is not Kind.SD for target in problem.targets):
        weights_ = problem.targets[0].weights
        if len(set(map(id, weights_))) == 1:  # one plain mean, the usual case
            same: dict[tuple[int, int], list[int]] = {}
            for i, part in enumerate(problem.parts):
                same.setdefault((part.p, part.n), []).append(i)
            return [tuple(parts) for parts in same.values()]
    # Only clusters of several parts tell their members apart from those of other clusters.
    cluster_of: list[dict[int, int]] = []
    for target in problem.targets:
        if target.kind is Kind.SD and any(len(c) > 1 for c in target.clusters):
            cluster_of.append({i: r for r, c in enumerate(target.clusters) for i in c})
    weights: list[tuple[Fraction, ...]] = []
    for target in problem.targets:
        if target.weights not in weights:
            weights.append(target.weights)
    found: dict[tuple[object, ...], list[int]] = {}
    columns: list[list[int]] = []
    for row in weights:
        known: dict[Fraction, int] = {}
        by_id: dict[int, int] = {}
        numbers = []
        for w in row:
            number = by_id.get(id(w))
            if number is None:
                number = by_id[id(w)] = known.setdefault(w, len(known))
            numbers.append(number)
        columns.append(numbers)
    for i, part in enumerate(problem.parts):
        key = (part.p, part.n, *(c[i] for c in columns), *(c.get(i, -1) for c in cluster_of))
        found.setdefault(key, []).append(i)
    return [tuple(parts) for parts in found.values()]


class Builder:
    """Collects the columns, rows and curves of a problem."""

    def __init__(self, problem: Problem, choice: tuple[str, ...]) -> None:
        self.problem = problem
        self.choice = dict(zip(sd_targets(problem), choice, strict=True))
        self.members = grouping(problem)
        self.samples = [problem.parts[parts[0]] for parts in self.members]
        self.columns: list[dict[Column, int]] = [{TP: 0, TN: 1} for _ in self.members]
        self.keeps: list[dict[Keep, None]] = [{} for _ in self.members]
        self.rows: list[tuple[int, Interval, Fraction, list[dict[int, Fraction]]]] = []
        self.curves: list[Curve] = []
        self.means: dict[tuple[str, tuple[Fraction, ...]], int] = {}

    def undefined_somewhere(self, score: str, g: int) -> bool:
        sample = self.samples[g]
        return bool(zones_undefined(ROWS[score], sample.p, sample.n, self.problem.betas))

    def row(
        self,
        target: int,
        interval: Interval,
        terms: list[tuple[int, Column, Fraction]],
        constant: Fraction = ZERO,
    ) -> int:
        factors: list[dict[int, Fraction]] = [{} for _ in self.members]
        for g, column, factor in terms:
            place = self.columns[g].setdefault(column, len(self.columns[g]))
            factors[g][place] = factors[g].get(place, ZERO) + factor
        if not any(f for by_column in factors for k, f in by_column.items() if k > 1):
            interval = reachable(interval, constant, [f for d in factors for f in d.values()])
        self.rows.append((target, interval, constant, factors))
        return len(self.rows) - 1

    def mean(self, target: int, name: str, weights: list[Fraction], interval: Interval) -> int:
        """The row of a mean with the given total weight 1 (weight per part, by group)."""
        key = name, tuple(weights)
        if key in self.means:
            place = self.means[key]
            t, old, constant, factors = self.rows[place]
            self.rows[place] = t, old.intersect(interval), constant, factors
            return place
        terms, constant = [], ZERO
        for g, weight in enumerate(weights):
            if not weight:
                continue
            if name in AFFINE:
                line = affine(name, self.samples[g].p, self.samples[g].n)
                if line is not None:  # otherwise the number 0, or the part is dropped anyway
                    terms += [(g, TP, weight * line[0]), (g, TN, weight * line[1])]
                    constant += weight * line[2] * len(self.members[g])
            else:
                terms.append((g, Column("value", name), weight))
        self.means[key] = self.row(target, interval, terms, constant)
        return self.means[key]

    def add(self, t: int) -> None:
        target = self.problem.targets[t]
        weights = [target.weights[parts[0]] for parts in self.members]
        meant = [g for g, w in enumerate(weights) if w]
        name, convention = target.score.name, self.problem.undefined
        if target.kind in PER_PART and convention == "impossible":
            for g in meant:
                self.keep(g, Keep(name, True, EVERYTHING))
        gaps = [g for g in meant if self.undefined_somewhere(name, g)] if convention == "skip" else []
        if target.kind in PER_PART and gaps:
            self.row(t, SOME, [(g, Column("defined", name), ONE_) for g in meant])
        match target.kind:
            case Kind.MEAN:
                self.add_mean(t, target, weights, meant, gaps)
            case Kind.SD:
                if not gaps:
                    self.add_sd(t, target, meant)
            case Kind.MIN | Kind.MAX:
                low = target.kind is Kind.MIN
                limit = target.interval
                side = (
                    Interval(limit.lo, None, limit.lo_closed)
                    if low
                    else Interval(None, limit.hi, True, limit.hi_closed)
                )
                for g in meant:
                    self.keep(g, Keep(name, False, side))
                column = Column("inside", name, interval=limit)
                self.row(t, SOME, [(g, column, ONE_) for g in meant])
            case Kind.EACH:
                for g in meant:
                    self.keep(g, Keep(name, False, target.interval))
            case Kind.POOLED:
                self.add_pooled(t, target, meant)
            case Kind.OF_MEANS:
                self.add_of_means(t, target, weights, meant)

    def keep(self, g: int, keep: Keep) -> None:
        if keep.interval == EVERYTHING and not self.undefined_somewhere(keep.score, g):
            return
        self.keeps[g][keep] = None

    def add_mean(
        self, t: int, target: Target, weights: list[Fraction], meant: list[int], gaps: list[int]
    ) -> None:
        name, interval = target.score.name, target.interval
        if gaps and name in AFFINE:
            # whether it is defined does not depend on the point: the part is simply not meant
            weights = [w if g not in gaps else ZERO for g, w in enumerate(weights)]
            gaps = []
        if not gaps:
            total = sum((w * len(m) for w, m in zip(weights, self.members, strict=True)), ZERO)
            if total:
                self.mean(t, name, [w / total for w in weights], interval)
            return
        for bound, closed, side in ((interval.lo, interval.lo_closed, 0), (interval.hi, interval.hi_closed, 1)):
            if bound is not None:
                column = Column("value", name, bound)
                limits = Interval(None, ZERO, True, closed) if side else Interval(ZERO, None, closed)
                self.row(t, limits, [(g, column, weights[g]) for g in meant])

    def add_sd(self, t: int, target: Target, meant: list[int]) -> None:
        window = squared(target.interval)
        clusters = [c for c in target.clusters if any(target.weights[i] for i in c)]
        count = len(clusters)
        if window is None or not count:
            return
        spread = self.choice[t]
        options = [
            d
            for d in divisors(self.problem, count)
            if spread == "either" or d == (count - 1 if spread == "sample" else count)
        ]
        if not options:
            return
        # The weight of a part in the mean of the clusters' means.
        share: dict[int, Fraction] = {}
        for cluster in clusters:
            total = sum((target.weights[i] for i in cluster), ZERO)
            for i in cluster:
                share[i] = share.get(i, ZERO) + target.weights[i] / total / count
        weights = [share.get(parts[0], ZERO) for parts in self.members]
        single = all(sum(1 for i in c if target.weights[i]) == 1 for c in clusters)
        name = target.score.name
        y = self.mean(t, name, weights, EVERYTHING)
        known = self.rows[y][1]
        centre = Fraction(1, 2)
        if known.lo is not None and known.hi is not None:
            centre = (known.lo + known.hi) / 2
            centre = Fraction(round(centre * 4096), 4096)  # short numbers keep the replay quick
        q = self.row(
            t,
            EVERYTHING,
            [(g, Column("square", name, centre), weights[g]) for g in range(len(weights)) if weights[g]],
        )
        lo = None if window.lo is None else window.lo * min(options) / count
        hi = None if window.hi is None else window.hi * max(options) / count
        # Over means of several parts the mean of squares is only an upper bound (Jensen).
        limits = Interval(lo, hi if single else None, window.lo_closed, window.hi_closed)
        self.curves.append(Curve("variance", y, q, centre, limits))

    def add_pooled(self, t: int, target: Target, meant: list[int]) -> None:
        score, betas = target.score, self.problem.betas
        p = sum(self.samples[g].p * len(self.members[g]) for g in meant)
        n = sum(self.samples[g].n * len(self.members[g]) for g in meant)
        holes = bool(zones_undefined(score, p, n, betas))
        if not score.linear or not p or not n:
            return
        if holes and self.problem.undefined == "zero" and ZERO in target.interval:
            return  # the undefined point may be meant, and the lines below would cut it off
        for line in pooled_lines(score, target.interval, p, n, betas):
            terms = [(g, column, f) for g in meant for column, f in ((TP, line[0]), (TN, line[1]))]
            # closed: at an undefined point both sides vanish, so only >= holds throughout
            self.row(t, Interval(-line[2], None), terms)

    def add_of_means(self, t: int, target: Target, weights: list[Fraction], meant: list[int]) -> None:
        first, second, _, _ = F_MEANS[target.score.name]
        convention = self.problem.undefined
        for name in (first, second):
            for g in meant:
                if convention == "impossible":
                    self.keep(g, Keep(name, True, EVERYTHING))
                elif convention == "skip" and self.undefined_somewhere(name, g):
                    return
        total = sum((w * len(m) for w, m in zip(weights, self.members, strict=True)), ZERO)
        if not total or (convention == "zero" and ZERO in target.interval):
            return
        unit = Interval(ZERO, ONE_)
        one = self.mean(t, first, [w / total for w in weights], unit)
        two = self.mean(t, second, [w / total for w in weights], unit)
        beta = squared_beta(target.score, self.problem.betas)
        self.curves.append(Curve("f_measure", one, two, beta, target.interval))

    def build(self) -> Model:
        # means first, so that an sd finds the interval of its mean
        order = sorted(
            range(len(self.problem.targets)), key=lambda t: self.problem.targets[t].kind is not Kind.MEAN
        )
        for t in order:
            self.add(t)
        for curve in self.curves:
            if curve.kind == "f_measure":
                one, two = (self.rows[r][1] for r in (curve.one, curve.two))
                for r, interval in zip((curve.one, curve.two), f_box(one, two, curve), strict=True):
                    t, _, constant, factors = self.rows[r]
                    if not any(f for d in factors for k, f in d.items() if k > 1):
                        interval = reachable(interval, constant, [f for d in factors for f in d.values()])
                    self.rows[r] = t, interval, constant, factors
        groups = tuple(
            Group(s.p, s.n, parts, tuple(keeps), tuple(columns))
            for s, parts, keeps, columns in zip(
                self.samples, self.members, self.keeps, self.columns, strict=True
            )
        )
        rows = tuple(
            Row(
                t,
                interval,
                constant,
                tuple(
                    tuple(by_column.get(k, ZERO) for k in range(len(group.columns)))
                    for by_column, group in zip(factors, groups, strict=True)
                ),
            )
            for t, interval, constant, factors in self.rows
        )
        return Model(self.problem, groups, rows, tuple(self.curves))


def f_box(one: Interval, two: Interval, curve: Curve) -> tuple[Interval, Interval]:
    """The intervals of mean precision and mean recall that an F-measure of them leaves.

    F >= lo means 1/P + β²/R <= (1+β²)/lo, where the other term is least at its top; F <= hi
    turns both round.
    """
    beta, lo, hi = curve.centre, curve.interval.lo, curve.interval.hi
    if one.lo is None or one.hi is None or two.lo is None or two.hi is None:
        return one, two
    p_lo, p_hi, r_lo, r_hi = one.lo, one.hi, two.lo, two.hi
    if lo is not None and lo > 0:
        room = (1 + beta) / lo
        if r_hi > 0 and room > beta / r_hi:
            p_lo = max(p_lo, 1 / (room - beta / r_hi))
        elif r_hi <= 0 or room < beta / r_hi:
            p_lo = p_hi + 1  # even P = 1 is not enough: empty
        if p_hi > 0 and room > 1 / p_hi:
            r_lo = max(r_lo, beta / (room - 1 / p_hi))
        elif p_hi <= 0 or room < 1 / p_hi:
            r_lo = r_hi + 1
    if hi is not None and hi > 0:
        room = (1 + beta) / hi
        if r_lo > 0 and room > beta / r_lo:
            p_hi = min(p_hi, 1 / (room - beta / r_lo))
        if p_lo > 0 and room > 1 / p_lo:
            r_hi = min(r_hi, beta / (room - 1 / p_lo))
    return (
        Interval(p_lo, p_hi, one.lo_closed or p_lo > one.lo, one.hi_closed or p_hi < one.hi),
        Interval(r_lo, r_hi, two.lo_closed or r_lo > two.lo, two.hi_closed or r_hi < two.hi),
    )


def pooled_lines(
    score: Score, interval: Interval, p: int, n: int, betas: Betas
) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Half-planes a·tp + b·tn + c >= 0 that hold where the score lies in the interval."""
    up, down = score.numerator(p, n, betas), score.denominator(p, n, betas)
    lo, hi = interval.lo, interval.hi
    if score.threshold:
        # the score is 1/(1+√r): at least v > 0 means r <= ((1-v)/v)², and so on
        top = ((1 - lo) / lo) ** 2 if lo is not None and 0 < lo <= 1 else None
        bottom = ((1 - hi) / hi) ** 2 if hi is not None and 0 < hi <= 1 else None
        lo, hi = bottom, top
    lines = []
    for bound, sign in ((lo, 1), (hi, -1)):
        if bound is not None:
            # denominators are not negative, so cross-multiplying keeps the inequality
            a, b, c = (sign * (up[k] - bound * down[k]) for k in (3, 4, 5))
            lines.append((a, b, c))
    return lines


def reachable(interval: Interval, constant: Fraction, factors: list[Fraction]) -> Interval:
    """The interval shrunk to its first and last value ``constant + multiple of the unit``.

    All counts are integers, so a sum of factors times counts is a multiple of the factors'
    greatest common divisor.
    """
    down = lcm(*(f.denominator for f in factors)) if factors else 1
    unit = Fraction(gcd(*(f.numerator * (down // f.denominator) for f in factors)), down)
    if not unit:
        inside = constant in interval
        return Interval.point(constant) if inside else Interval(ONE_, ZERO)
    lo, hi = interval.lo, interval.hi
    if lo is not None:
        steps = -((constant - lo) / unit).__floor__()
        if constant + steps * unit == lo and not interval.lo_closed:
            steps += 1
        lo = constant + steps * unit
    if hi is not None:
        steps = ((hi - constant) / unit).__floor__()
        if constant + steps * unit == hi and not interval.hi_closed:
            steps -= 1
        hi = constant + steps * unit
    return Interval(lo, hi)


def build(problem: Problem, choice: tuple[str, ...] | None = None) -> Model:
    """The model of a problem; ``either`` for an sd covers both divisors at once."""
    if choice is None:
        choice = (problem.spread,) * len(sd_targets(problem))
    return Builder(problem, choice).build()
