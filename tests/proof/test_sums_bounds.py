"""Every bound of the sums kernel against a plain twin: all points of a box, in fractions.

A bound that is too low would be an accepted proof about a claim that has a solution.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from campaign import share

from scoreproof.exact import Surd
from scoreproof.interval import Interval
from scoreproof.proof.sums.bounds import LEAST
from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.corners import Wide
from scoreproof.proof.sums.folds import Listed, Straight
from scoreproof.proof.sums.grid import Grid
from scoreproof.proof.sums.lines import f_box, reachable
from scoreproof.proof.sums.model import (
    CALLED,
    EVERYTHING,
    TN,
    TP,
    Column,
    Curve,
    Group,
    Keep,
    Option,
    Shape,
)
from scoreproof.scores import ROWS, Betas, Matrix

ZERO = Fraction(0)
CONVENTIONS = ("impossible", "zero", "skip")
BITS = 900  # roots are taken to so many binary digits, also where those of counts up to 10^60 cancel


def number(rng: Random, wild: bool = True) -> Fraction:
    """A weight, an offset or a shift: small, large, or absurd."""
    size = rng.choice((1, 1, 1, 10**6, 10**25, Fraction(1, 10**6), Fraction(1, 10**25))) if wild else 1
    return Fraction(rng.randint(-9, 9), rng.randint(1, 7)) * size


def window(rng: Random) -> Interval:
    """An interval of scores; either end may be missing or open."""
    a, b = sorted(Fraction(rng.randint(-4, 12), 8) for _ in range(2))
    return Interval(
        a if rng.random() < 0.8 else None,
        b if rng.random() < 0.8 else None,
        rng.random() < 0.5,
        rng.random() < 0.5,
    )


# -- plain twins ---------------------------------------------------------------------------------


def scored(name, tp, tn, option, betas):
    return ROWS[name].value(Matrix.of(tp, tn, option.p, option.n), betas)


def ends(value):
    """Two fractions around a number, the same where it is a fraction."""
    return value.enclosure(BITS) if isinstance(value, Surd) else (value, value)


def read_off(column, tp, tn, option, convention, betas):
    """What a column is at a point, as two fractions around it."""
    if column == CALLED:
        return (Fraction((tp + option.n - tn) ** 2),) * 2
    if column in (TP, TN):
        return (Fraction(tp if column == TP else tn),) * 2
    value = scored(column.score, tp, tn, option, betas)
    if value is None:
        if convention != "zero":
            return ZERO, ZERO
        value = ZERO
    low, high = ends(value)
    match column.what:
        case "defined":
            return Fraction(1), Fraction(1)
        case "inside":
            return (Fraction(value in column.interval),) * 2
        case "value":
            return low - column.shift, high - column.shift
    assert column.what == "square"
    one, two = low - column.shift, high - column.shift
    return ZERO if one < 0 < two else min(one * one, two * two), max(one * one, two * two)


def stays(option, tp, tn, convention, betas):
    for keep in option.keeps:
        value = scored(keep.score, tp, tn, option, betas)
        if value is None and keep.defined:
            return False
        if value is None and convention == "zero":
            value = ZERO
        if value is not None and value not in keep.interval:
            return False
    return True


def row_at(share, option, tp, tn, convention, betas):
    offset, factors = share
    low = high = offset
    for column, f in zip(option.columns, factors, strict=True):
        if f:
            one, two = sorted(f * x for x in read_off(column, tp, tn, option, convention, betas))
            low, high = low + one, high + two
    return low, high


# -- random groups -------------------------------------------------------------------------------


def random_option(rng, p, n, convention, columns, keeps):
    needed = {Keep(c.score, True, EVERYTHING): None for c in columns if c.score and convention == "impossible"}
    return Option(p, n, (*needed, *keeps), (TP, TN, *columns))


def random_columns(rng, of_class):
    found = []
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        what = rng.choice(("value", "value", "value", "square", "defined", "inside"))
        name = rng.choice(tuple(ROWS))
        if what == "inside":
            found.append(Column(what, name, interval=window(rng)))
        else:
            shift = number(rng, wild=False) / 5 if what != "defined" and rng.random() < 0.7 else ZERO
            found.append(Column(what, name, shift))
    if of_class and rng.random() < 0.5:
        found.append(CALLED)
    return tuple(dict.fromkeys(found))


def random_keeps(rng, convention):
    found = []
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        name = rng.choice(tuple(ROWS))
        found.append(Keep(name, rng.random() < 0.3, window(rng) if rng.random() < 0.8 else EVERYTHING))
        if convention == "impossible":
            found.append(Keep(name, True, EVERYTHING))
    return tuple(dict.fromkeys(found))


def random_share(rng, option):
    return number(rng), tuple(number(rng) if rng.random() < 0.7 else ZERO for _ in option.columns)


class Asked:
    """A table with its twin: every admissible point (option, tp, tn), and where it lies in a box."""

    def __init__(self, rng: Random, kind: type, sizes: tuple[int, ...] = ()) -> None:
        self.rng, self.kind, self.sizes = rng, kind, sizes
        self.convention = rng.choice(CONVENTIONS)
        squares = (Fraction(1), Fraction(4), Fraction(1, 4), Fraction(9, 7))
        self.betas = Betas(rng.choice(squares), rng.choice(squares))
        if kind in (Listed, Straight):
            self.folds()
        else:
            self.single()
        ranges = [range(a, b + 1) for a, b in zip(self.full[::2], self.full[1::2], strict=True)]
        self.points = sorted(found for at in product(*ranges) if (found := self.point(at)) is not None)

    def point(self, at):
        """The admissible point (option, tp, tn) with these coordinates, if there is one."""
        j, option = 0, self.options[0]
        if self.kind is Calls:
            tp, tn = at[0], option.n - at[1] + at[0]
        elif self.kind is Wide or self.kind is Grid:
            tp, tn = at
        else:
            j = at[0] - option.p
            option = self.options[j]
            tp, tn = option.p - at[1], option.n - at[2]
        legal = 0 <= tp <= option.p and 0 <= tn <= option.n
        return (j, tp, tn) if legal and stays(option, tp, tn, self.convention, self.betas) else None

    def narrow(self, last: int) -> tuple[int, int]:
        """A few neighbours of 0 … last, often those at an end."""
        first = self.rng.choice((0, max(0, last - 3), self.rng.randint(0, last)))
        return first, min(last, first + 3)

    def single(self) -> None:
        rng = self.rng
        p, n = rng.randint(0, 6), rng.randint(0, 6)
        if self.sizes:
            p, n = (rng.choice((0, 1, 5, *self.sizes, *self.sizes)) for _ in (0, 1))
        columns = random_columns(rng, self.kind is Calls)
        option = random_option(rng, p, n, self.convention, columns, random_keeps(rng, self.convention))
        self.options = (option,)
        self.table = self.kind(option, self.convention, self.betas)
        self.shares = {r: (random_share(rng, option),) for r in range(rng.randint(1, 3))}
        self.full = (0, p, 0, p + n if self.kind is Calls else n)
        if self.sizes:
            self.full = (*self.narrow(p), *self.narrow(n))
            if self.kind is Calls:  # beside the diagonal of the chosen tp
                first = self.full[0] + self.full[2]
                self.full = (*self.full[:2], first, min(first + 3, p + n))

    def folds(self) -> None:
        rng = self.rng
        size = rng.randint(1, 6)
        first = rng.randint(0, size)
        last = rng.randint(first, size)
        if self.sizes:
            size = rng.choice(self.sizes)
            first, last = self.narrow(size)
        columns, keeps = ((), ()) if self.kind is Straight else (random_columns(rng, False), ())
        if self.kind is Listed:
            keeps = random_keeps(rng, self.convention)
        self.options = tuple(
            random_option(rng, p, size - p, self.convention, columns, keeps) for p in range(first, last + 1)
        )
        self.shares = {
            r: tuple(random_share(rng, option) for option in self.options) for r in range(rng.randint(1, 3))
        }
        group = Group(Shape.FOLD, size, (0,), self.options)
        self.table = self.kind(group, self.shares, self.convention, self.betas)
        self.full = (first, last, 0, size, 0, size)
        if self.sizes:
            self.full = (first, last, *self.narrow(size), *self.narrow(size))

    def place(self, point):
        """The coordinates of a point along the axes of the table."""
        j, tp, tn = point
        option = self.options[j]
        if self.kind is Calls:
            return tp, tp + option.n - tn
        if self.kind in (Listed, Straight):
            return option.p, option.p - tp, option.n - tn
        return tp, tn

    def inside(self, box):
        return [
            point
            for point in self.points
            if all(box[2 * k] <= x <= box[2 * k + 1] for k, x in enumerate(self.place(point)))
        ]

    def box(self):
        """A random box: now and then everything, now and then a single point."""
        kind = self.rng.random()
        if kind < 0.25:
            return self.full
        if kind < 0.35 and self.points:
            return tuple(x for x in self.place(self.rng.choice(self.points)) for _ in (0, 1))
        found = []
        for k in range(len(self.full) // 2):
            found += sorted(self.rng.randint(*self.full[2 * k : 2 * k + 2]) for _ in (0, 1))
        return tuple(found)

    def direction(self):
        """Random weights of the rows as the table wants them, and the sum they give at a point."""
        if self.kind in (Listed, Straight):
            weights = [number(self.rng) for _ in (*self.shares, "fn", "fp")]

            def total(point):
                j, tp, tn = point
                low, option = ZERO, self.options[j]
                counts = [(Fraction(option.p - tp),) * 2, (Fraction(option.n - tn),) * 2]
                for w, ends_ in zip(
                    weights, [*(self.row(r, point) for r in self.shares), *counts], strict=True
                ):
                    low += min(w * x for x in ends_)
                return low

            return self.table.prepared(ZERO, weights), total
        share_ = self.shares[0][0]
        return self.table.prepared(share_[0], list(share_[1])), lambda point: self.row(0, point)[0]

    def row(self, r, point):
        j, tp, tn = point
        return row_at(self.shares[r][j], self.options[j], tp, tn, self.convention, self.betas)


KINDS = (Grid, Wide, Calls, Straight, Listed)


def check_boxes(asked: Asked) -> None:
    table = asked.table
    root = table.root()
    assert asked.points == ([] if root is None else asked.inside(root))
    for _ in range(4):
        raw = asked.box()
        box = table.shrunk(raw)
        inside = asked.inside(raw)
        if box is None:
            assert not inside
            continue
        assert asked.inside(box) == inside
        listed = set(table.points(box))
        assert listed >= {(asked.options[j].p, tp, tn) for j, tp, tn in inside}
        assert table.count(box) >= len(listed)
        direction, total = asked.direction()
        best = table.upper(box, direction)
        assert not inside or (best is not None and best >= max(map(total, inside)))
        if asked.kind is Straight and inside:
            assert best == max(map(total, inside))
        fn0, fn1, fp0, fp1 = table.errors(box)
        for j, tp, tn in inside:
            option = asked.options[j]
            assert fn0 <= option.p - tp <= fn1
            assert fp0 <= option.n - tn <= fp1
        for name in {*asked.rng.sample(tuple(ROWS), 3), *(c.score for c in asked.options[0].columns[2:])} - {
            ""
        }:
            check_range(asked, box, inside, name)


def check_range(asked: Asked, box, inside, name: str) -> None:
    found = asked.table.score_range(name, box)
    for j, tp, tn in inside:
        value = scored(name, tp, tn, asked.options[j], asked.betas)
        if value is None and asked.convention != "zero":
            assert found is None or found[2]
            continue
        low, high = ends(ZERO if value is None else value)
        assert found is not None
        assert found[0] <= low
        assert high <= found[1]


def check_listed(asked: Asked) -> None:
    """Tabulated rows enclose the truth, and no point that is needed is trimmed."""
    table = asked.table
    box = table.shrunk(asked.box())
    if box is not None:
        if asked.kind is Grid:
            rows = table.tabulated(box, {r: own[0] for r, own in asked.shares.items()})
        else:
            rows = table.tabulated(box)
        inside = [(j, tp, tn) for p, tp, tn in table.points(box) for j in places(asked, p)]
        for r, (lo, width, bits) in rows.items():
            assert len(lo) == len(inside)
            for whole, point in zip(lo.tolist(), inside, strict=True):
                low, high = asked.row(r, point)
                assert Fraction(whole) * Fraction(2) ** -bits <= low
                assert high <= Fraction(whole + width) * Fraction(2) ** -bits
    if asked.kind in (Grid, Listed) and asked.points:
        direction, total = asked.direction()
        least = total(asked.rng.choice(asked.points))
        table.trim(direction, least)
        left = set(table.points(asked.full))
        for point in asked.points:
            assert total(point) < least or (asked.options[point[0]].p, *point[1:]) in left


def places(asked: Asked, p: int):
    return [j for j, option in enumerate(asked.options) if option.p == p]


def tables(seed: int, kind: type, sizes: tuple[int, ...] = ()) -> None:
    asked = Asked(Random(f"{kind.__name__} {seed}"), kind, sizes)
    check_boxes(asked)
    if kind in (Grid, Straight, Listed):
        check_listed(asked)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_point_of_a_box_lies_above_its_bound(kind):
    for seed in range(150):
        tables(seed, kind)


#: Beside the widths at which 64 bits, or a list of points, no longer do.
SIZES = (300, 2**17, 10**7, 2**27, 2**29 + 1, 2**30, 2**31, 2**50, 2**53, 2**54 + 1, 2**63, 10**30, 10**60)


@pytest.mark.parametrize("kind", [Wide, Calls, Straight], ids=lambda kind: kind.__name__)
def test_no_point_of_a_box_of_huge_counts_lies_above_its_bound(kind):
    for seed in range(60):
        tables(seed, kind, SIZES)


@pytest.mark.campaign
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_point_of_a_box_lies_above_its_bound_at_length(kind):
    for seed in range(1_000, 1_000 + share(20_000)):
        tables(seed, kind)
        if kind in (Wide, Calls, Straight) and seed % 10 == 0:
            tables(seed, kind, SIZES)


# -- the least sums that curves allow --------------------------------------------------------------


def between(rng: Random, interval: Interval) -> Fraction:
    lo = Fraction(-3) if interval.lo is None else interval.lo
    hi = Fraction(3) if interval.hi is None else interval.hi
    return lo + (hi - lo) * rng.choice((ZERO, Fraction(1), Fraction(rng.randint(0, 1000), 1000)))


def random_ends(rng: Random, top: int = 8) -> Interval:
    a, b = sorted(Fraction(rng.randint(0, top), top) for _ in range(2))
    return Interval(a, b)


def variance(rng: Random):
    one = Interval(*sorted(number(rng, wild=False) for _ in range(2)))
    if rng.random() < 0.3:
        one = Interval(one.lo if rng.random() < 0.5 else None, one.hi if rng.random() < 0.5 else None)
    centre, spread = number(rng, wild=False), random_ends(rng)
    if rng.random() < 0.3:
        spread = Interval(spread.lo, None)
    curve = Curve("variance", 0, 1, centre, spread)

    def point():
        y = between(rng, one)
        return y, (y - centre) ** 2 + between(rng, spread)

    return one, EVERYTHING, curve, point


def mcc(rng: Random):
    root = Fraction(rng.randint(0, 9), 10)  # of the centre
    interval = (
        random_ends(rng) if rng.random() < 0.5 else Interval(Fraction(-1, rng.randint(1, 9)), Fraction(1, 3))
    )
    if rng.random() < 0.2:
        interval = Interval(interval.lo, None)
    two = Interval(Fraction(1, rng.randint(2, 5)), Fraction(1))
    curve = Curve("mcc", 0, 1, root * root, interval)

    def point():
        while True:
            s = Fraction(rng.randint(0, 1000), 1000)
            if 1 - s * s >= two.lo:
                return between(rng, interval) * root * s, 1 - s * s

    return EVERYTHING, two, curve, point


def f_measure(rng: Random):
    beta = rng.choice((Fraction(1), Fraction(4), Fraction(1, 4)))
    one, two = random_ends(rng), random_ends(rng)
    p, r = between(rng, one), between(rng, two)
    value = (1 + beta) * p * r / (beta * p + r) if p or r else ZERO
    width = Fraction(rng.choice((0, 1, 10, 100)), 1000)
    curve = Curve("f-measure", 0, 1, beta, Interval(value - width, value + width))

    def point():
        x, value = between(rng, one), between(rng, curve.interval)
        if x and value > 0 and (1 + beta) / value > 1 / x:
            y = beta / ((1 + beta) / value - 1 / x)  # the recall that gives this value
            if y in two:
                return x, y
        x, y = (p, r) if rng.random() < 0.3 else (between(rng, one), between(rng, two))
        return (x, y) if (x or y) and (1 + beta) * x * y / (beta * x + y) in curve.interval else None

    return one, two, curve, point


@pytest.mark.parametrize("made", [variance, mcc, f_measure], ids=lambda made: made.__name__)
def test_no_pair_on_a_curve_lies_below_the_least_sum(made):
    for seed in range(300):
        rng = Random(f"{made.__name__} {seed}")
        one, two, curve, point = made(rng)
        points = [found for found in (point() for _ in range(40)) if found is not None]
        if curve.kind == "f-measure":
            boxes = f_box(one, two, curve)
            assert all(x in boxes[0] and y in boxes[1] for x, y in points)
            one, two = rng.choice(((one, two), boxes))
        for _ in range(6):
            u, v = number(rng), number(rng)
            if rng.random() < 0.2:
                u = ZERO
            if v:
                least = LEAST[curve.kind](one, two, curve, u, v)
                assert least is None or all(u * x + v * y >= least for x, y in points)


def test_every_sum_of_counts_inside_stays_reachable():
    for seed in range(300):
        rng = Random(seed)
        factors = [number(rng, wild=False) for _ in range(rng.randint(0, 3))]
        constant, interval = number(rng, wild=False), window(rng)
        found = reachable(interval, constant, [f for f in factors if f])
        for _ in range(30):
            total = constant + sum((f * rng.randint(0, 9) for f in factors), ZERO)
            assert total not in interval or total in found
