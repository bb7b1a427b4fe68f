"""A problem with unknown foldings as sums of vectors that must land in a set.

Folds that nothing tells apart (same size, same weights, whichever repeat they belong to)
share a *slot*.  Each of them picks an *option*, its number of positives, and then a point
(tp, tn) of that option's grid.  A row adds, over all parts,

    offset(option) + Σ over columns factor(option) · column(point)

and must land in an interval.  The rows are those of ``averages.model``, and more:

    positives   the folds of r repeats hold r·p positives together
    counts      fn, fp and their sum over a slot: integers, bounded by what was decided so far

Like there, no choice that hits the targets is left out.  Two rules are left out on purpose:
that every single repeat has its p positives, and that each class is in two folds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.claim.folds import fold_sizes, positives_range
from scoreproof.interval import Interval
from scoreproof.proof.averages.figures import F_MEANS, divisors, squared, squared_beta
from scoreproof.proof.averages.model import (
    AFFINE,
    EVERYTHING,
    PER_PART,
    SOME,
    TN,
    TP,
    ZERO,
    Column,
    Curve,
    Group,
    Keep,
    Model,
    Row,
    affine,
    pooled_lines,
)
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS, zones_undefined

__all__ = [
    "Counts",
    "FoldedModel",
    "Option",
    "Slot",
    "TooManyPoints",
    "build",
    "outline",
    "plain",
    "told_apart",
]

ONE = Fraction(1)
MOST_OPTIONS = 4_000  # numbers of positives of one fold
COUNTS = ("fn", "fp", "errors")  # the last rows of a model, these three for every slot
Term = tuple[Column | None, Fraction]  # None: a number that depends on the option only
Terms = Callable[[int, int, int], list[Term]]
Counts = tuple[tuple[int, int], ...]  # first and last value of every count row


@dataclass(frozen=True, slots=True)
class Option:
    """A fold with so many positives and negatives; ``group`` describes its points."""

    group: Group
    offsets: tuple[Fraction, ...]
    factors: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """``count`` folds of one size; ``options`` are in the order of their positives."""

    size: int
    count: int
    parts: tuple[int, ...]
    options: tuple[Option, ...]
    fixed: bool

    @property
    def straight(self) -> bool:
        """Whether all rows are linear in (tp, tn) and all points stay."""
        return all(len(o.group.columns) == 2 and not o.group.keeps for o in self.options)


@dataclass(frozen=True, slots=True)
class FoldedModel:
    """Slots, rows and curves; ``frame`` holds the rows' intervals for ``least``."""

    loose: Problem
    slots: tuple[Slot, ...]
    frame: Model
    counts: Counts

    @property
    def rows(self) -> int:
        return len(self.frame.rows)


def plain(loose: Problem) -> Problem:
    """The targets and conventions as a problem without parts."""
    return Problem((), loose.targets, loose.undefined, loose.spread, loose.betas)


@dataclass(slots=True)
class _Draft:
    """A slot while the rows are collected: (p, n) of its options, their columns and keeps."""

    size: int
    parts: tuple[int, ...]
    fixed: bool
    samples: list[tuple[int, int]]
    columns: list[dict[Column, int]]
    keeps: list[dict[Keep, None]]
    rows: list[list[tuple[Fraction, dict[int, Fraction]]]]


class TooManyPoints(Exception):
    """Folds so large that their options or matrices cannot be listed."""


class _Builder:
    def __init__(self, loose: Problem, choice: tuple[str, ...], listing: bool = True) -> None:
        self.loose, self.listing = loose, listing
        self.choice = choice
        self.problem = plain(loose)
        self.intervals: list[tuple[int, Interval]] = []
        self.curves: list[Curve] = []
        self.means: dict[tuple[str, tuple[Fraction, ...]], int] = {}
        self.shares = [_shares(target) for target in loose.targets]
        self.slots: list[_Draft] = []
        self.owners: list[tuple[int, int, list[int]]] = []  # (p, repeats, slots)
        self._fixed()
        self._foldings()

    def _alike(self, i: int) -> tuple[object, ...]:
        return tuple((t.weights[i], s.get(i)) for t, s in zip(self.loose.targets, self.shares, strict=True))

    def _slot(self, size: int, parts: list[int], samples: list[tuple[int, int]], fixed: bool) -> int:
        count = len(samples)
        columns: list[dict[Column, int]] = [{TP: 0, TN: 1} for _ in range(count)]
        self.slots.append(_Draft(size, tuple(parts), fixed, samples, columns, [{} for _ in range(count)], []))
        return len(self.slots) - 1

    def _fixed(self) -> None:
        groups: dict[tuple[object, ...], list[int]] = {}
        for i, sample in enumerate(self.loose.parts):
            groups.setdefault((sample.p, sample.n, *self._alike(i)), []).append(i)
        for parts in groups.values():
            sample = self.loose.parts[parts[0]]
            self._slot(sample.p + sample.n, parts, [(sample.p, sample.n)], True)

    def _foldings(self) -> None:
        classes: dict[tuple[object, ...], list[int]] = {}
        start = len(self.loose.parts)
        for folding in self.loose.foldings:
            key = (folding.p, folding.n, folding.k, *self._alike(start))
            classes.setdefault(key, []).append(start)
            start += folding.k
        for key, starts in classes.items():
            p, n, k = (int(str(x)) for x in key[:3])
            places, first = [], 0
            for size, many in fold_sizes(p, n, k):
                lo, hi = positives_range(p, n, size)
                if not self.listing:
                    hi = lo - 1
                elif hi - lo > MOST_OPTIONS:
                    raise TooManyPoints
                parts = [s + j for s in starts for j in range(first, first + many)]
                places.append(self._slot(size, parts, [(x, size - x) for x in range(lo, hi + 1)], False))
                first += many
            self.owners.append((p, len(starts), places))

    def everywhere(self, target: Target) -> list[Fraction]:
        return [target.weights[slot.parts[0]] for slot in self.slots]

    def gaps(self, name: str, weights: list[Fraction]) -> bool:
        """Whether the score can be undefined for a fold that is meant."""
        return any(
            w and zones_undefined(ROWS[name], p, n, self.loose.betas)
            for w, slot in zip(weights, self.slots, strict=True)
            for p, n in slot.samples
        )

    def row(self, target: int, interval: Interval, terms: Terms) -> int:
        """A row; ``terms(s, p, n)`` are those of a part in slot s with p positives."""
        for s, slot in enumerate(self.slots):
            found = []
            for columns, (p, n) in zip(slot.columns, slot.samples, strict=True):
                offset, factors = ZERO, dict[int, Fraction]()
                for column, factor in terms(s, p, n):
                    if column is None:
                        offset += factor
                    elif factor:
                        place = columns.setdefault(column, len(columns))
                        factors[place] = factors.get(place, ZERO) + factor
                found.append((offset, factors))
            slot.rows.append(found)
        self.intervals.append((target, interval))
        return len(self.intervals) - 1

    def scored(self, name: str, p: int, n: int, factor: Fraction, shift: Fraction = ZERO) -> list[Term]:
        """factor·(score - shift) of a fold, nothing where the score is not defined."""
        if not factor:
            return []
        if name not in AFFINE:
            return [(Column("value", name, shift), factor)]
        line = affine(name, p, n)
        if line is None:
            # under "zero" the number is 0; otherwise there is no number, or no such fold
            return [(None, -shift * factor)] if self.loose.undefined == "zero" else []
        return [(TP, factor * line[0]), (TN, factor * line[1]), (None, factor * (line[2] - shift))]

    def defined(self, name: str, p: int, n: int) -> list[Term]:
        """1 where the score is defined."""
        if name not in AFFINE:
            return [(Column("defined", name), ONE)]
        return [(None, ONE)] if affine(name, p, n) is not None else []

    def keep(self, weights: list[Fraction], keep: Keep) -> None:
        for w, slot in zip(weights, self.slots, strict=True):
            if not w:
                continue
            for keeps, (p, n) in zip(slot.keeps, slot.samples, strict=True):
                if keep.interval != EVERYTHING or zones_undefined(ROWS[keep.score], p, n, self.loose.betas):
                    keeps[keep] = None

    def mean(self, target: int, name: str, weights: list[Fraction], interval: Interval) -> int:
        key = name, tuple(weights)
        if key in self.means:
            place = self.means[key]
            t, old = self.intervals[place]
            self.intervals[place] = t, old.intersect(interval)
            return place
        self.means[key] = self.row(target, interval, lambda s, p, n: self.scored(name, p, n, weights[s]))
        return self.means[key]

    def scaled(self, weights: list[Fraction]) -> list[Fraction] | None:
        total = sum((w * len(s.parts) for w, s in zip(weights, self.slots, strict=True)), ZERO)
        return [w / total for w in weights] if total else None

    def add(self, t: int) -> None:
        target = self.loose.targets[t]
        weights = self.everywhere(target)
        name, convention = target.score.name, self.loose.undefined
        skipping = convention == "skip" and self.gaps(name, weights)
        if target.kind in PER_PART:
            if convention == "impossible":
                self.keep(weights, Keep(name, True, EVERYTHING))
            if skipping:
                self.row(t, SOME, lambda s, p, n: self.defined(name, p, n) if weights[s] else [])
        match target.kind:
            case Kind.MEAN:
                self.add_mean(t, target, weights, skipping)
            case Kind.SD:
                if not skipping:
                    self.add_sd(t, target)
            case Kind.MIN | Kind.MAX:
                limit = target.interval
                low = target.kind is Kind.MIN
                side = (
                    Interval(limit.lo, None, limit.lo_closed)
                    if low
                    else Interval(None, limit.hi, True, limit.hi_closed)
                )
                self.keep(weights, Keep(name, False, side))
                inside = Column("inside", name, interval=limit)
                self.row(t, SOME, lambda s, p, n: [(inside, ONE)] if weights[s] else [])
            case Kind.EACH:
                self.keep(weights, Keep(name, False, target.interval))
            case Kind.POOLED:
                self.add_pooled(t, target, weights)
            case Kind.OF_MEANS:
                self.add_of_means(t, target, weights)

    def add_mean(self, t: int, target: Target, weights: list[Fraction], skipping: bool) -> None:
        name, interval = target.score.name, target.interval
        if not skipping:
            shares = self.scaled(weights)
            if shares is not None:
                self.mean(t, name, shares, interval)
            return
        # the mean is at least lo exactly when Σ w·(f-lo) over the defined parts is not negative
        if interval.lo is not None:
            lo = interval.lo
            limits = Interval(ZERO, None, interval.lo_closed)
            self.row(t, limits, lambda s, p, n: self.scored(name, p, n, weights[s], lo))
        if interval.hi is not None:
            hi = interval.hi
            limits = Interval(None, ZERO, True, interval.hi_closed)
            self.row(t, limits, lambda s, p, n: self.scored(name, p, n, weights[s], hi))

    def add_sd(self, t: int, target: Target) -> None:
        window = squared(target.interval)
        clusters = [c for c in target.clusters if any(target.weights[i] for i in c)]
        count = len(clusters)
        if window is None or not count:
            return
        spread = self.choice[[i for i, x in enumerate(self.loose.targets) if x.kind is Kind.SD].index(t)]
        options = [
            d
            for d in divisors(self.problem, count)
            if spread == "either" or d == (count - 1 if spread == "sample" else count)
        ]
        if not options:
            return
        weights = [self.shares[t].get(slot.parts[0], ZERO) for slot in self.slots]
        single = all(sum(1 for i in c if target.weights[i]) == 1 for c in clusters)
        name = target.score.name
        y = self.mean(t, name, weights, EVERYTHING)
        known = self.intervals[y][1]
        centre = Fraction(1, 2)
        if known.lo is not None and known.hi is not None:
            centre = Fraction(round((known.lo + known.hi) / 2 * 4096), 4096)
        square = Column("square", name, centre)
        q = self.row(t, EVERYTHING, lambda s, p, n: [(square, weights[s])] if weights[s] else [])
        lo = None if window.lo is None else window.lo * min(options) / count
        hi = None if window.hi is None else window.hi * max(options) / count
        # over means of several parts the mean of squares is only an upper bound (Jensen)
        limits = Interval(lo, hi if single else None, window.lo_closed, window.hi_closed)
        self.curves.append(Curve("variance", y, q, centre, limits))

    def add_pooled(self, t: int, target: Target, weights: list[Fraction]) -> None:
        score, betas = target.score, self.loose.betas
        p = n = 0
        for x in (f for f, w in zip(self.loose.parts, target.weights, strict=False) if w):
            p, n = p + x.p, n + x.n
        start = len(self.loose.parts)
        for folding in self.loose.foldings:
            if target.weights[start]:
                p, n = p + folding.p, n + folding.n
            start += folding.k
        if not score.linear or not p or not n:
            return
        if self.loose.undefined == "zero" and ZERO in target.interval and zones_undefined(score, p, n, betas):
            return  # the undefined point may be meant, and the lines below would cut it off
        for a, b, c in pooled_lines(score, target.interval, p, n, betas):
            meant = [s for s, w in enumerate(weights) if w]
            self.row(t, Interval(-c, None), _adding(meant, a, b))

    def add_of_means(self, t: int, target: Target, weights: list[Fraction]) -> None:
        names = F_MEANS[target.score.name][:2]
        convention = self.loose.undefined
        for name in names:
            if convention == "impossible":
                self.keep(weights, Keep(name, True, EVERYTHING))
            elif convention == "skip" and self.gaps(name, weights):
                return
        shares = self.scaled(weights)
        if shares is None or (convention == "zero" and ZERO in target.interval):
            return
        unit = Interval(ZERO, ONE)
        one, two = (self.mean(t, name, shares, unit) for name in names)
        beta = squared_beta(target.score, self.loose.betas)
        self.curves.append(Curve("f_measure", one, two, beta, target.interval))

    def build(self) -> FoldedModel:
        # means first, so that an sd finds the interval of its mean
        targets = self.loose.targets
        for t in sorted(range(len(targets)), key=lambda t: targets[t].kind is not Kind.MEAN):
            self.add(t)
        for p, repeats, places in self.owners:
            self.row(-1, Interval.point(Fraction(p * repeats)), _positives(places))
        counts = []
        for place, slot in enumerate(self.slots):
            most_p = max((p for p, _ in slot.samples), default=0)
            most_n = max((n for _, n in slot.samples), default=0)
            for what, top in zip(COUNTS, (most_p, most_n, slot.size), strict=True):
                self.row(-1, EVERYTHING, _counting(place, what))
                counts.append((0, len(slot.parts) * top))
        slots = tuple(self._finished(slot) for slot in self.slots)
        rows = tuple(Row(t, interval, ZERO, ()) for t, interval in self.intervals)
        return FoldedModel(self.loose, slots, Model(self.problem, (), rows, tuple(self.curves)), tuple(counts))

    def _finished(self, slot: _Draft) -> Slot:
        options = []
        for j, (p, n) in enumerate(slot.samples):
            columns, keeps = slot.columns[j], slot.keeps[j]
            # a score that is undefined for this fold, whatever its matrix, drops the option
            if any(k.defined and _never(k.score, p, n, self.loose) for k in keeps):
                continue
            rest = tuple(
                k
                for k in keeps
                if k.interval != EVERYTHING or zones_undefined(ROWS[k.score], p, n, self.loose.betas)
            )
            factors = tuple(tuple(row[j][1].get(c, ZERO) for c in range(len(columns))) for row in slot.rows)
            offsets = tuple(row[j][0] for row in slot.rows)
            options.append(Option(Group(p, n, (), rest, tuple(columns)), offsets, factors))
        return Slot(slot.size, len(slot.parts), slot.parts, tuple(options), slot.fixed)


def _never(name: str, p: int, n: int, loose: Problem) -> bool:
    return name in AFFINE and affine(name, p, n) is None


def _counting(place: int, what: str) -> Terms:
    """fn, fp or both over the folds of one slot."""

    def terms(s: int, p: int, n: int) -> list[Term]:
        fn: list[Term] = [(TP, -ONE), (None, Fraction(p))]
        fp: list[Term] = [(TN, -ONE), (None, Fraction(n))]
        return {"fn": fn, "fp": fp, "errors": fn + fp}[what] if s == place else []

    return terms


def _positives(places: list[int]) -> Terms:
    return lambda s, p, n: [(None, Fraction(p))] if s in places else []


def _adding(places: list[int], a: Fraction, b: Fraction) -> Terms:
    """a·tp + b·tn over the folds of some slots."""
    return lambda s, p, n: [(TP, a), (TN, b)] if s in places else []


def _shares(target: Target) -> dict[int, Fraction]:
    """The weight of a part in the mean of the clusters' means."""
    share: dict[int, Fraction] = {}
    if target.kind is not Kind.SD:
        return share
    clusters = [c for c in target.clusters if any(target.weights[i] for i in c)]
    for cluster in clusters:
        total = sum((target.weights[i] for i in cluster), ZERO)
        for i in cluster:
            share[i] = share.get(i, ZERO) + target.weights[i] / total / len(clusters)
    return share


def told_apart(loose: Problem) -> bool:
    """Whether a target treats the folds of one folding differently.

    Such a question is not about multisets of folds, and nothing here would be true of it.
    """
    start = len(loose.parts)
    for folding in loose.foldings:
        parts = range(start, start + folding.k)
        start += folding.k
        for target in loose.targets:
            if len({target.weights[i] for i in parts}) > 1:
                return True
            inside = [tuple(r for r, c in enumerate(target.clusters) if i in c) for i in parts]
            alone = all(len(rs) == 1 and len(target.clusters[rs[0]]) == 1 for rs in inside)
            if not alone and len(set(inside)) > 1:
                return True
    return False


def outline(loose: Problem) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """(size, parts) of every slot, without any rows."""
    return tuple((slot.size, slot.parts) for slot in _Builder(loose, (), listing=False).slots)


def build(loose: Problem, choice: tuple[str, ...] | None = None) -> FoldedModel:
    """The model; ``choice`` picks a divisor for every sd, ``either`` covers both at once."""
    if choice is None:
        choice = (loose.spread,) * sum(1 for t in loose.targets if t.kind is Kind.SD)
    return _Builder(loose, choice).build()
