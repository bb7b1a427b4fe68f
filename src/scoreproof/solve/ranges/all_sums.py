"""The ends of many scores at once over averages: all sums of each half of the parts, joined.

Every part has finitely many matrices; each adds to the reported sums (integers) and to the wanted
ones.  Of all ways to the same reported sums only the best for each wanted score matters, so the
sums of half of the parts are listed with their best, and the two lists are joined inside the
printed intervals.  Sums of reported figures are exact wherever these are fractions of moderate
denominators; roots are rounded and their windows widened, so that a bound is always proven, and
the matrices found are confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.proof.kinds import confirms
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import value_of
from scoreproof.question.folds import Sample, positives_range
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import Exact, Matrix, Score
from scoreproof.solve.ranges.ends import BITS, End, Span
from scoreproof.solve.ranges.half_sums import NEVER, Halves, Ints, TooMany, Window, reachable

#: Matrices of one part, values of wanted scores, and parts, at most.
MOST_POINTS = 60_000
MOST_VALUES = 300_000
MOST_PARTS = 60
#: Work of one value of a score.
VALUE = 10_000
#: Sums stay below this in 64-bit integers; roots are rounded to this many binary digits.
LARGEST = 2**57
ROUGH = 45

Point = tuple[int, int, int, int]  # p, n, tp, tn
Side = tuple[dict[int, list[int]], Fraction]  # what every point of a kind adds, and the scale


def spans(
    question: Problem, aims: Mapping[str, Target], start: tuple[Matrix, ...], index: int, budget: Budget
) -> dict[str, Span | None]:
    """The spans of the aims that can be found this way; empty where there are too many sums."""
    try:
        return _Joining(question, start, index, budget).run(aims)
    except (TooMany, OutOfBudget):
        return {}


@dataclass(slots=True)
class _Joining:
    question: Problem
    start: tuple[Matrix, ...]
    index: int
    budget: Budget
    kinds: list[int] = field(default_factory=list)  # the kind of every part
    points: list[list[Point]] = field(default_factory=list)  # of every kind
    weights: list[tuple[Fraction, ...]] = field(default_factory=list)  # ... and its weight in each target
    rows: list[Window] = field(default_factory=list)
    inside: list[Target] = field(default_factory=list)  # pooled figures, asked at the end

    def run(self, aims: Mapping[str, Target]) -> dict[str, Span | None]:
        usable = {label: aim for label, aim in aims.items() if self.additive(aim)}
        if not usable or not self.suited():
            return {}
        self.sort_parts(list(usable.values()))
        self.build_rows()
        self.prune()
        values = sum(map(len, self.points)) * len(usable)
        if values > MOST_VALUES:
            raise TooMany
        self.budget.spend(VALUE * values)
        wanted: dict[str, tuple[Side, Side]] = {}
        for number, (label, aim) in enumerate(usable.items()):
            sides = self.wanted(aim, number)
            if sides is not None:
                wanted[label] = sides
        if not wanted:
            return {}
        halves = Halves(self.kinds, self.rows, self.budget, self.pooled_fit if self.inside else None)
        ends = halves.join([adds for sides in wanted.values() for adds, _ in sides])
        if ends is None:
            return {}
        found: dict[str, Span | None] = {}
        for number, (label, ((_, down), (_, up))) in enumerate(wanted.items()):
            low = self.end(usable[label], ends[2 * number], down, -1)
            high = self.end(usable[label], ends[2 * number + 1], up, 1)
            found[label] = None if low is None or high is None else Span(low, high)
        return found

    def suited(self) -> bool:
        """Whether the parts are few, and every printed figure is one that sums of halves can hold."""
        targets = self.question.targets
        if self.question.foldings and any(target.kind is Kind.POOLED for target in targets):
            return False
        return len(self.start) <= MOST_PARTS and all(map(self.can_hold, targets))

    # -- what can be added up ---------------------------------------------------------------

    def additive(self, aim: Target) -> bool:
        if aim.kind is Kind.POOLED:
            return aim.score.name in ("acc", "sens", "spec") and all(aim.weights)
        return aim.kind is Kind.MEAN

    def can_hold(self, target: Target) -> bool:
        return target.kind in (Kind.MEAN, Kind.EACH) or (target.kind is Kind.POOLED and all(target.weights))

    def sort_parts(self, aims: list[Target]) -> None:
        """Parts with the same matrices and the same weights are of one kind."""
        question = self.question
        targets = [*question.targets, *aims]
        shapes: list[tuple[str, int, int, int]] = [
            ("known", sample.p, sample.n, 0) for sample in question.parts
        ]
        if question.foldings:
            for number, folding in enumerate(question.foldings):
                for size, many in folding.sizes:
                    shapes += [("fold", size, number, 0)] * many
        known: dict[Any, int] = {}
        for place, shape in enumerate(shapes):
            weights = tuple(target.weights[place] for target in targets)
            kind = known.setdefault((shape, weights), len(known))
            if kind == len(self.points):
                self.points.append(self.matrices(shape))
                self.weights.append(weights)
            self.kinds.append(kind)

    def matrices(self, shape: tuple[str, int, int, int]) -> list[Point]:
        samples = [Sample(shape[1], shape[2])]
        if shape[0] == "fold":
            folding = self.question.foldings[shape[2]]
            first, last = positives_range(folding.p, folding.n, shape[1])
            # a class with several items falls into at least two folds: no fold holds all of it
            last = last if folding.p < 2 or folding.k < 2 else min(last, folding.p - 1)
            if folding.n >= 2 and folding.k >= 2:
                first = max(first, shape[1] - folding.n + 1)
            samples = [Sample(p, shape[1] - p) for p in range(first, last + 1)]
        points = sum((s.p + 1) * (s.n + 1) for s in samples)
        if points > MOST_POINTS:
            raise TooMany
        self.budget.spend(VALUE * points * len(self.question.targets))
        return [(s.p, s.n, tp, tn) for s in samples for tp in range(s.p + 1) for tn in range(s.n + 1)]

    def value(self, score: Score, point: Point) -> Exact | None:
        p, n, tp, tn = point
        found = score.value(Matrix.of(tp, tn, p, n), self.question.betas)
        return Fraction(0) if found is None and self.question.undefined == "zero" else found

    def build_rows(self) -> None:
        question = self.question
        for number, target in enumerate(question.targets):
            if target.kind is Kind.EACH:
                self.drop(number, lambda value, t=target: value in t.interval)
            elif target.kind is Kind.MEAN and question.undefined == "impossible":
                self.drop(number, lambda value: True)
        for number, target in enumerate(question.targets):
            if target.kind is Kind.POOLED:
                self.inside.append(target)
            elif target.kind is Kind.MEAN:
                self.rows.append(self.mean_row(number, target))
        if self.inside:
            for side in (2, 3):
                adds = {kind: [point[side] for point in points] for kind, points in enumerate(self.points)}
                self.rows.append(Window(None, None, adds))
        if question.foldings:
            fixed = len(question.parts)
            for folding in question.foldings:
                mine = set(self.kinds[fixed : fixed + folding.k])
                others = set(self.kinds[:fixed]) | set(self.kinds[fixed + folding.k :])
                if mine & others:
                    raise TooMany
                adds = {
                    kind: [point[0] if kind in mine else 0 for point in points]
                    for kind, points in enumerate(self.points)
                }
                self.rows.append(Window(folding.p, folding.p, adds))
                fixed += folding.k

    def prune(self) -> None:
        """Leave out matrices that no choice of the other parts can bring into every window."""
        for _ in range(2):
            for kind, points in enumerate(self.points):
                others = list(self.kinds)
                others.remove(kind)
                kept = set(range(len(points)))
                for row, (low, high) in zip(self.rows, reachable(self.rows, others), strict=True):
                    adds = row.adds[kind]
                    kept = {
                        i
                        for i in kept
                        if (row.lo is None or adds[i] + high >= row.lo)
                        and (row.hi is None or adds[i] + low <= row.hi)
                    }
                if not kept:
                    raise TooMany  # nothing fits; that is for the verdict to say
                order = sorted(kept)
                self.points[kind] = [points[i] for i in order]
                for row in self.rows:
                    row.adds[kind] = [row.adds[kind][i] for i in order]

    def drop(self, number: int, keep: Any) -> None:
        """Leave out matrices whose score is undefined where it must not be, or is not as said."""
        target = self.question.targets[number]
        skip = self.question.undefined == "skip"
        for kind, points in enumerate(self.points):
            if not self.weights[kind][number]:
                continue
            kept = []
            for point in points:
                value = self.value(target.score, point)
                if skip if value is None else keep(value):
                    kept.append(point)
            if not kept:
                raise TooMany  # nothing fits; that is for the verdict to say
            self.points[kind] = kept

    def shares(self, number: int, target: Target) -> dict[int, list[Exact | None]]:
        """What every point adds to a mean."""
        whole = sum(target.weights, Fraction(0))
        found: dict[int, list[Exact | None]] = {}
        for kind, points in enumerate(self.points):
            weight = self.weights[kind][number] / whole
            adds: list[Exact | None] = []
            for point in points:
                value = self.value(target.score, point) if weight else Fraction(0)
                if value is None and self.question.undefined == "skip":
                    raise TooMany  # what is left out changes the weights of the others
                adds.append(None if value is None else _times(value, weight))
            found[kind] = adds
        return found

    def mean_row(self, number: int, target: Target) -> Window:
        shares = self.shares(number, target)
        interval = target.interval
        values = [v for adds in shares.values() for v in adds if v is not None]
        scale = _scale(values, len(self.kinds))
        if scale is not None:
            adds = {kind: [int(v * scale) for v in some] for kind, some in shares.items()}  # type: ignore[operator]
            lo = None if interval.lo is None else _above(interval.lo * scale, interval.lo_closed)
            hi = None if interval.hi is None else -_above(-interval.hi * scale, interval.hi_closed)
            return Window(lo, hi, adds)
        if max((abs(_low(v)) for v in values), default=0) * len(self.kinds) > 2**10:
            raise TooMany
        adds = {
            kind: [floor(_low(v) * 2**ROUGH) for v in some if v is not None] for kind, some in shares.items()
        }
        # every part may have lost up to one unit (and a bit, by its enclosure)
        slack = 2 * len(self.kinds)
        lo = None if interval.lo is None else floor(interval.lo * 2**ROUGH) - slack
        hi = None if interval.hi is None else ceil(interval.hi * 2**ROUGH)
        return Window(lo, hi, adds)

    def wanted(self, aim: Target, number: int) -> tuple[Side, Side] | None:
        """What every point adds to the score downwards and upwards, and the scale of each."""
        try:
            if aim.kind is Kind.POOLED:
                shares = self.pooled_shares(aim)
            else:
                shares = self.shares(len(self.question.targets) + number, aim)
        except TooMany:
            return None
        values = [v for adds in shares.values() for v in adds if v is not None]
        exact = _scale(values, len(self.kinds))
        largest = max((abs(_low(v)) for v in values), default=Fraction(0)) + 1
        scale = Fraction(exact) if exact is not None else Fraction(LARGEST // (len(self.kinds) * ceil(largest)))
        sides = []
        for sign in (-1, 1):
            adds = {
                kind: [NEVER if v is None else ceil(_high(v, sign) * scale) for v in some]
                for kind, some in shares.items()
            }
            sides.append((adds, scale))
        return sides[0], sides[1]

    def pooled_shares(self, aim: Target) -> dict[int, list[Exact | None]]:
        p, n = sum(m.p for m in self.start), sum(m.n for m in self.start)
        whole = {"acc": p + n, "sens": p, "spec": n}[aim.score.name]
        if not whole:
            raise TooMany
        use = {"acc": (2, 3), "sens": (2,), "spec": (3,)}[aim.score.name]
        return {
            kind: [Fraction(sum(point[i] for i in use), whole) for point in points]
            for kind, points in enumerate(self.points)
        }

    def pooled_fit(self, sums: Ints) -> NDArray[np.bool_]:
        """Which totals give the pooled figures."""
        at = len([t for t in self.question.targets if t.kind is Kind.MEAN])
        p, n = sum(m.p for m in self.start), sum(m.n for m in self.start)
        codes, back = np.unique(sums[:, at] * (n + 1) + sums[:, at + 1], return_inverse=True)
        good = np.array([self.pooled_holds(*divmod(int(code), n + 1), p, n) for code in codes], dtype=bool)
        return good[back]

    def pooled_holds(self, tp: int, tn: int, p: int, n: int) -> bool:
        for target in self.inside:
            value = self.value(target.score, (p, n, tp, tn))
            if value is None or value not in target.interval:
                return False
        return True

    def end(self, aim: Target, found: tuple[int, list[int]] | None, scale: Fraction, sign: int) -> End | None:
        """One end of an aim: what is proven, and what confirmed matrices reach."""
        if found is None:
            return None
        total, chosen = found
        points = [self.points[kind][place] for kind, place in zip(self.kinds, chosen, strict=True)]
        parts = tuple(Matrix.of(tp, tn, p, n) for p, n, tp, tn in points)
        bound = sign * total / scale
        if not confirms(self.question, Witness(parts)):
            parts = self.start
        samples = tuple(Sample(m.p, m.n) for m in parts)
        flat = Problem(samples, (), self.question.undefined, self.question.spread, self.question.betas)
        value = value_of(flat, aim, [(m.tp, m.tn) for m in parts])
        if value is None:
            return End(bound, reading=self.index)
        low, high = value.enclosure(BITS)
        return End(bound, low if sign > 0 else high, parts, self.index)


def _times(value: Exact, weight: Fraction) -> Exact:
    if isinstance(value, Fraction):
        return value * weight
    return type(value)(value.a * weight, value.b * weight, value.q) if weight else Fraction(0)


def _low(value: Exact | None) -> Fraction:
    assert value is not None
    return value if isinstance(value, Fraction) else value.enclosure(BITS)[0]


def _high(value: Exact, sign: int) -> Fraction:
    """An upper bound of sign times the value."""
    if isinstance(value, Fraction):
        return sign * value
    low, high = value.enclosure(BITS)
    return high if sign > 0 else -low


def _scale(values: list[Exact], parts: int) -> int | None:
    """What makes all of these whole numbers whose sums fit the machine; None if nothing does."""
    scale, largest = 1, Fraction(0)
    for value in values:
        if not isinstance(value, Fraction):
            return None
        scale = lcm(scale, value.denominator)
        if scale > LARGEST:
            return None
        largest = max(largest, abs(value))
    return scale if largest * scale * parts < LARGEST else None


def _above(bound: Fraction, closed: bool) -> int:
    """The first whole number inside a lower bound."""
    whole = ceil(bound)
    return whole + 1 if whole == bound and not closed else whole
