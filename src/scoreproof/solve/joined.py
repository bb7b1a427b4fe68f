"""The ends of many scores at once over averages: all sums of each half of the parts, joined.

Every part has finitely many matrices; each adds to the reported sums (integers) and to the wanted
ones.  Of all ways to the same reported sums only the best for each wanted score matters, so the
sums of half of the parts are listed with their best, and the two lists are joined inside the
printed intervals.  Sums of reported figures are exact wherever these are fractions of moderate
denominators; roots are rounded and their windows widened, so that a bound is always proven, and
the matrices found are confirmed exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.experiment.foldings import fold_sizes, positives_range
from scoreproof.experiment.problem import Kind, Loose, Problem, Sample, Target
from scoreproof.metrics import Exact, Matrix, Score
from scoreproof.proof.averages.figures import value_of
from scoreproof.proof.verdict import Witness
from scoreproof.proof.verify import confirms
from scoreproof.solve.reach import BITS, End, Span

#: Matrices of one part, pairs looked at on the way, and pairs of the two halves, at most.
MOST_POINTS = 6_000
MOST_PAIRS = 3_000_000
MOST_JOINED = 60_000_000
MOST_PARTS = 60
CHUNK = 2_000_000
#: Sums stay below this in 64-bit integers; roots are rounded to this many binary digits.
LARGEST = 2**57
ROUGH = 45
#: Marks what is undefined; no sum of defined values comes near it.
NEVER = -(2**60)

Ints = NDArray[np.int64]
Point = tuple[int, int, int, int]  # p, n, tp, tn


class TooMany(Exception):
    """More sums than the budget allows."""


@dataclass(slots=True)
class _Row:
    """One sum that must land in a window, and what every (part kind, point) adds to it."""

    lo: int | None
    hi: int | None
    adds: dict[int, list[int]]  # by kind of part


@dataclass(slots=True)
class _Layer:
    """Sums of some parts: the reported ones in ``keys``, the best of each wanted one in ``best``."""

    keys: Ints  # sums x rows
    best: Ints  # wanted x sums
    _index: dict[bytes, int] = field(default_factory=dict)

    def find(self, key: Ints) -> int | None:
        if not self._index:
            self._index = {row.tobytes(): i for i, row in enumerate(self.keys)}
        return self._index.get(key.tobytes())


def spans(
    question: Problem | Loose, aims: Mapping[str, Target], start: tuple[Matrix, ...], index: int
) -> dict[str, Span | None]:
    """The spans of the aims that can be found this way; empty where there are too many sums."""
    try:
        return _Joining(question, start, index).run(aims)
    except TooMany:
        return {}


@dataclass(slots=True)
class _Joining:
    question: Problem | Loose
    start: tuple[Matrix, ...]
    index: int
    kinds: list[int] = field(default_factory=list)  # the kind of every part
    points: list[list[Point]] = field(default_factory=list)  # of every kind
    weights: list[tuple[Fraction, ...]] = field(default_factory=list)  # ... and its weight in each target
    rows: list[_Row] = field(default_factory=list)
    inside: list[Target] = field(default_factory=list)  # pooled figures, asked at the end

    def run(self, aims: Mapping[str, Target]) -> dict[str, Span | None]:
        usable = {label: aim for label, aim in aims.items() if self.additive(aim)}
        if not usable or len(self.start) > MOST_PARTS or not all(map(self.can_hold, self.question.targets)):
            return {}
        if isinstance(self.question, Loose) and any(t.kind is Kind.POOLED for t in self.question.targets):
            return {}
        self.sort_parts(list(usable.values()))
        self.build_rows()
        wanted = {label: self.wanted(aim, number) for number, (label, aim) in enumerate(usable.items())}
        wanted = {label: each for label, each in wanted.items() if each is not None}
        if not wanted:
            return {}
        columns = [side for pair in wanted.values() if pair is not None for side in pair]
        ends = self.join([adds for adds, _ in columns])
        if ends is None:
            return {}
        found: dict[str, Span | None] = {}
        for number, label in enumerate(wanted):
            low = self.end(usable[label], ends[2 * number], columns[2 * number][1], -1)
            high = self.end(usable[label], ends[2 * number + 1], columns[2 * number + 1][1], 1)
            found[label] = None if low is None or high is None else Span(low, high)
        return found

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
            ("known", sample.p, sample.n, 0)
            for sample in (question.parts if isinstance(question, Problem) else question.fixed)
        ]
        if isinstance(question, Loose):
            for number, folding in enumerate(question.foldings):
                for size, many in fold_sizes(folding.p, folding.n, folding.k):
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
            assert isinstance(self.question, Loose)
            folding = self.question.foldings[shape[2]]
            first, last = positives_range(folding.p, folding.n, shape[1])
            # a class with several items falls into at least two folds: no fold holds all of it
            last = last if folding.p < 2 or folding.k < 2 else min(last, folding.p - 1)
            if folding.n >= 2 and folding.k >= 2:
                first = max(first, shape[1] - folding.n + 1)
            samples = [Sample(p, shape[1] - p) for p in range(first, last + 1)]
        if sum((s.p + 1) * (s.n + 1) for s in samples) > MOST_POINTS:
            raise TooMany
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
                self.rows.append(_Row(None, None, adds))
        if isinstance(question, Loose):
            fixed = len(question.fixed)
            for folding in question.foldings:
                mine = set(self.kinds[fixed : fixed + folding.k])
                others = set(self.kinds[:fixed]) | set(self.kinds[fixed + folding.k :])
                if mine & others:
                    raise TooMany
                adds = {
                    kind: [point[0] if kind in mine else 0 for point in points]
                    for kind, points in enumerate(self.points)
                }
                self.rows.append(_Row(folding.p, folding.p, adds))
                fixed += folding.k

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

    def mean_row(self, number: int, target: Target) -> _Row:
        shares = self.shares(number, target)
        interval = target.interval
        values = [v for adds in shares.values() for v in adds if v is not None]
        scale = _scale(values, len(self.kinds))
        if scale is not None:
            adds = {kind: [int(v * scale) for v in some] for kind, some in shares.items()}  # type: ignore[operator]
            lo = None if interval.lo is None else _above(interval.lo * scale, interval.lo_closed)
            hi = None if interval.hi is None else -_above(-interval.hi * scale, interval.hi_closed)
            return _Row(lo, hi, adds)
        if max((abs(_low(v)) for v in values), default=0) * len(self.kinds) > 2**10:
            raise TooMany
        adds = {
            kind: [floor(_low(v) * 2**ROUGH) for v in some if v is not None] for kind, some in shares.items()
        }
        # every part may have lost up to one unit (and a bit, by its enclosure)
        slack = 2 * len(self.kinds)
        lo = None if interval.lo is None else floor(interval.lo * 2**ROUGH) - slack
        hi = None if interval.hi is None else ceil(interval.hi * 2**ROUGH)
        return _Row(lo, hi, adds)

    def wanted(self, aim: Target, number: int) -> tuple[tuple[Any, Fraction], tuple[Any, Fraction]] | None:
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

    # -- adding up --------------------------------------------------------------------------

    def join(self, wanted: list[dict[int, list[int]]]) -> list[tuple[int, list[Point]] | None] | None:
        """For every wanted sum its largest value and the points that take it (None: undefined)."""
        base = [self.layer(kind, wanted) for kind in range(len(self.points))]
        halves = self.kinds[0::2], self.kinds[1::2]
        lists = [self.add_up(half, base) for half in halves]
        left, right = lists[0][-1], lists[1][-1]
        if len(left.keys) * len(right.keys) > MOST_JOINED:
            raise TooMany
        tops: list[tuple[int, int, int] | None] = [None] * len(wanted)
        step = max(1, CHUNK // len(right.keys))
        any_fit = False
        for first in range(0, len(left.keys), step):
            here = left.keys[first : first + step]
            mask = np.ones((len(here), len(right.keys)), dtype=bool)
            for r, row in enumerate(self.rows):
                sums = here[:, r][:, None] + right.keys[:, r][None, :]
                if row.lo is not None:
                    mask &= sums >= row.lo
                if row.hi is not None:
                    mask &= sums <= row.hi
            a, b = mask.nonzero()
            a, b = self.pooled_fit(a + first, b, left, right)
            if not len(a):
                continue
            any_fit = True
            for o in range(len(wanted)):
                sums = left.best[o][a] + right.best[o][b]
                at = int(sums.argmax())
                top = tops[o]
                if sums[at] > NEVER // 2 and (top is None or sums[at] > top[0]):
                    tops[o] = int(sums[at]), int(a[at]), int(b[at])
        if not any_fit:
            return None
        found: list[tuple[int, list[Point]] | None] = []
        for o, top in enumerate(tops):
            if top is None:
                found.append(None)
                continue
            chosen: list[Point] = [(0, 0, 0, 0)] * len(self.kinds)
            chosen[0::2] = self.back(halves[0], lists[0], base, wanted[o], o, top[1])
            chosen[1::2] = self.back(halves[1], lists[1], base, wanted[o], o, top[2])
            found.append((top[0], chosen))
        return found

    def pooled_fit(self, a: Ints, b: Ints, left: _Layer, right: _Layer) -> tuple[Ints, Ints]:
        """Of the pairs those whose summed counts give the pooled figures."""
        if not self.inside or not len(a):
            return a, b
        at = len([t for t in self.question.targets if t.kind is Kind.MEAN])
        p, n = sum(m.p for m in self.start), sum(m.n for m in self.start)
        tp, tn = left.keys[a, at] + right.keys[b, at], left.keys[a, at + 1] + right.keys[b, at + 1]
        codes, back = np.unique(tp * (n + 1) + tn, return_inverse=True)
        good = np.array([self.pooled_holds(*divmod(int(code), n + 1), p, n) for code in codes], dtype=bool)
        keep = good[back]
        return a[keep], b[keep]

    def pooled_holds(self, tp: int, tn: int, p: int, n: int) -> bool:
        for target in self.inside:
            value = self.value(target.score, (p, n, tp, tn))
            if value is None or value not in target.interval:
                return False
        return True

    def layer(self, kind: int, wanted: list[dict[int, list[int]]]) -> _Layer:
        count = len(self.points[kind])
        keys = np.array([row.adds[kind] for row in self.rows], dtype=np.int64).reshape(len(self.rows), count).T
        best = np.array([adds[kind] for adds in wanted], dtype=np.int64).reshape(len(wanted), count)
        return _merged(np.ascontiguousarray(keys), best)

    def add_up(self, kinds: Sequence[int], base: list[_Layer]) -> list[_Layer]:
        """The sums of the first part, of the first two, … of all of these."""
        if not kinds:
            return [_Layer(np.zeros((1, len(self.rows)), np.int64), np.zeros((len(base[0].best), 1), np.int64))]
        layers = [base[kinds[0]]]
        for kind in kinds[1:]:
            one, two = layers[-1], base[kind]
            if len(one.keys) * len(two.keys) > MOST_PAIRS:
                raise TooMany
            keys = (one.keys[:, None, :] + two.keys[None, :, :]).reshape(-1, len(self.rows))
            best = np.stack(
                [(x[:, None] + y[None, :]).ravel() for x, y in zip(one.best, two.best, strict=True)]
            )
            layers.append(_merged(keys, best))
        return layers

    def back(
        self,
        kinds: Sequence[int],
        layers: list[_Layer],
        base: list[_Layer],
        adds: dict[int, list[int]],
        o: int,
        at: int,
    ) -> list[Point]:
        """The points whose sums stand at this place of the last layer, best for one wanted sum."""
        chosen: list[Point] = []
        for depth in range(len(kinds) - 1, -1, -1):
            kind, layer = kinds[depth], layers[depth]
            key, value = layer.keys[at], layer.best[o][at]
            if depth == 0:
                chosen.append(self.point(kind, key, int(value), adds))
                break
            last, before = base[kind], layers[depth - 1]
            for j in range(len(last.keys)):
                place = before.find(key - last.keys[j])
                if place is not None and max(before.best[o][place] + last.best[o][j], NEVER) == value:
                    chosen.append(self.point(kind, last.keys[j], int(last.best[o][j]), adds))
                    at = place
                    break
        return chosen[::-1]

    def point(self, kind: int, key: Ints, value: int, adds: dict[int, list[int]]) -> Point:
        for place, point in enumerate(self.points[kind]):
            if adds[kind][place] == value and all(
                row.adds[kind][place] == key[r] for r, row in enumerate(self.rows)
            ):
                return point
        raise AssertionError("a sum without the matrices it was made of")

    def end(self, aim: Target, found: tuple[int, list[Point]] | None, scale: Fraction, sign: int) -> End | None:
        """One end of an aim: what is proven, and what confirmed matrices reach."""
        if found is None:
            return None
        total, points = found
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


def _merged(keys: Ints, best: Ints) -> _Layer:
    """Equal keys once, each with the best of every wanted sum."""
    best = np.maximum(best, NEVER)  # undefined stays undefined, whatever is added
    if not keys.shape[1]:
        return _Layer(keys[:1], best.max(axis=1, keepdims=True))
    low, high = keys.min(axis=0), keys.max(axis=0)
    sizes = [int(last) - int(first) + 1 for first, last in zip(low, high, strict=True)]
    whole = 1
    for size in sizes:
        whole *= size
    if whole < 2**62:
        codes = np.zeros(len(keys), dtype=np.int64)
        for r, size in enumerate(sizes):
            codes = codes * size + (keys[:, r] - low[r])
        order = np.argsort(codes, kind="stable")
        ordered = codes[order]
        new = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    else:
        order = np.lexsort(keys.T[::-1])
        sorted_keys = keys[order]
        new = np.concatenate(([True], (sorted_keys[1:] != sorted_keys[:-1]).any(axis=1)))
    starts = new.nonzero()[0]
    tops = np.stack([np.maximum.reduceat(row[order], starts) for row in best])
    return _Layer(np.ascontiguousarray(keys[order[starts]]), tops)


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
