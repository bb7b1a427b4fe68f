"""The single check's search for one matrix, in many rows at once.

In each row the matrices that fit are the points (tp, tn) above all floors and below all ceilings
(``many_curves``).  The steps are those of ``walk`` and ``decide``, so the matrix found is the same; rows of
which that is not sure are not settled.  Columns are held as floats, exact far beyond the limits of counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count

import numpy as np

from scoreproof.solve.one_matrix.decide import LINE_WALK, NARROW, SHORT_WALK
from scoreproof.solve.one_matrix.many_curves import Curve, Floats, curve
from scoreproof.solve.one_matrix.many_rows import Blocks, Flags, Ints, Rectangle, Rows, Settled

#: Steps of a walk before columns are looked at one by one, and how many at first, and at once.
STEPS = 6
WIDTH = 8
AT_ONCE = 1 << 17
#: Scores that bound tp or tn alone.
SIDES = ("sens", "spec")

#: Whether a column fits, that column, and a tn; if none does, the next one that is not ruled out.
Found = tuple[Flags, Floats, Floats]
Note = tuple[Ints, Floats, Floats, Floats]  # rows, first column, last column, level


@dataclass(frozen=True, slots=True)
class Ground:
    """tp in a..b, tn in c..d of some rows (``at``), and the ends of their figures there."""

    at: Ints
    floors: Sequence[Curve]
    ceilings: Sequence[Curve]
    a: Floats
    b: Floats
    c: Floats
    d: Floats
    notes: list[Note] = field(default_factory=list)

    def of(self, rows: Ints) -> Ground:
        floors, ceilings = ([each.of(rows) for each in some] for some in (self.floors, self.ceilings))
        a, b, c, d = (each[rows] for each in (self.a, self.b, self.c, self.d))
        return Ground(self.at[rows], floors, ceilings, a, b, c, d, self.notes)

    def note(self, which: Ints | Flags, first: Floats, last: Floats, level: Floats) -> None:
        """That these columns are ruled out: up to level some score is too small, above it one too large."""
        self.notes.append((self.at[which], first[which], last[which], level[which]))

    def top(self, x: Floats) -> Floats:
        """The largest tn of column x below all ceilings."""
        top = self.d
        for each in self.ceilings:
            top = np.minimum(top, each.column(x, self.c, self.d) - 1.0)
        return top

    def bottom(self, x: Floats) -> Floats:
        """The smallest tn of column x above all floors."""
        bottom = self.c
        for each in self.floors:
            bottom = np.maximum(bottom, each.column(x, self.c, self.d))
        return bottom

    def from_left(self, steps: int) -> Found:
        """(found, column, tn) after so many steps from the left; all up to that column is ruled out."""
        found, x, y = np.zeros(len(self.at), dtype=bool), self.a.copy(), self.d.copy()
        live, here = np.arange(len(x)), self
        for _ in range(steps):
            if not len(live):
                break
            at, top = x[live], here.top(x[live])
            jump, level = at, np.maximum(top, here.c)
            for each in here.floors:
                jump = np.maximum(jump, each.flip().column(level, at, here.b))
            jump = np.where(top < here.c, here.b + 1.0, jump)
            fits = jump == at
            here.note(~fits, at, jump - 1.0, top)
            found[live[fits]] = True
            x[live], y[live] = jump, top
            going = np.flatnonzero(~fits & (jump <= here.b))
            live, here = live[going], here.of(going)
        return found, x, y

    def from_right(self, steps: int) -> Found:
        """The same from the right."""
        found, x, y = np.zeros(len(self.at), dtype=bool), self.b.copy(), self.c.copy()
        live, here = np.arange(len(x)), self
        for _ in range(steps):
            if not len(live):
                break
            at, low = x[live], here.bottom(x[live])
            jump, level = at, np.minimum(low, here.d)
            for each in here.ceilings:
                jump = np.minimum(jump, each.flip().column(level, here.a, at) - 1.0)
            jump = np.where(low > here.d, here.a - 1.0, jump)
            fits = jump == at
            here.note(~fits, jump + 1.0, at, low - 1.0)
            found[live[fits]] = True
            x[live], y[live] = jump, low
            going = np.flatnonzero(~fits & (jump >= here.a))
            live, here = live[going], here.of(going)
        return found, x, y

    def columns(self, width: int) -> Found:
        """(found, column, tn) after a look at so many columns from the left, each by itself."""
        wide = np.minimum(self.b - self.a + 1.0, width).astype(np.int64)
        found, x, y = np.zeros(len(wide), dtype=bool), self.a + wide, self.d.copy()
        for some in np.split(np.arange(len(wide)), range(0, len(wide), max(AT_ONCE // width, 1)))[1:]:
            here = self.of(some)
            row, at = _spread(here.a, here.a + wide[some] - 1.0)
            spread = here.of(row)
            top = spread.top(at)
            fits = spread.bottom(at) <= top
            spread.note(~fits, at, at, top)
            first = np.flatnonzero(fits)[::-1]  # written last, so it stays: the first of each row
            found[some[row[first]]] = True
            x[some[row[first]]], y[some[row[first]]] = at[first], top[first]
        return found, x, y

    def search(self) -> tuple[Flags, Floats, Floats, Ints]:
        """(found, column, tn, steps): the first column that fits, and at most how many steps lead there."""
        found, x, y = np.zeros(len(self.at), dtype=bool), self.a.copy(), self.d.copy()
        steps = np.zeros(len(x), dtype=np.int64)
        live, here = np.arange(len(x)), self
        ways: Iterator[tuple[Callable[..., Found], int]] = chain(
            [(Ground.from_left, STEPS)],
            # a few columns, then a step that may jump over many, then more columns
            chain.from_iterable(((Ground.columns, WIDTH * 4**k), (Ground.from_left, 1)) for k in count()),
        )
        for way, most in ways:
            fits, at, level = way(here, most)
            found[live], x[live], y[live] = fits, at, level
            steps[live] += most
            going = np.flatnonzero(~fits & (at <= here.b))
            if not len(going):
                break
            live, here = live[going], replace(here, a=at).of(going)
        return found, x, y, steps


class Walks:
    """Rows with their floors and ceilings, one of each for every score."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._ends: dict[int, tuple[Curve, Curve]] = {}

    def ends(self, which: int) -> tuple[Curve, Curve]:
        """The floor and the ceiling of a figure; where it is not given, neither excludes anything."""
        if which not in self._ends:
            each, p, n = self.rows.figures[which], self.rows.p, self.rows.n
            floor = curve(each.score, each.low, each.scale, ~each.low_in, p, n)
            # at most v is not above v
            ceiling = curve(each.score, each.high, each.scale, each.high_in, p, n)
            self._ends[which] = floor.without(~each.given, 0.0), ceiling.without(~each.given, -1.0)
        return self._ends[which]

    def settle(self) -> Settled:
        """A matrix for each row, or the steps of its refutation, or neither."""
        rows = self.rows
        straight = np.ones(len(rows), dtype=bool)
        for each in rows.figures:
            straight &= ~each.given | each.score.linear
        found, unsure = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
        tp, tn = np.zeros_like(rows.p), np.zeros_like(rows.p)
        box, rectangles = _box(rows), _rectangles(rows)
        for rectangle in rectangles:
            for kind, way in ((straight, _as_lines), (~straight, _as_curves)):
                # An earlier rectangle that was not settled might hold the first matrix.
                at = np.flatnonzero(rectangle.have & kind & ~found & ~unsure)
                if not len(at):
                    continue
                sides = (rectangle.a, rectangle.b, rectangle.c, rectangle.d)
                ground = self._ground(at, range(len(rows.figures)), sides)
                fits, open_, x, y = way(ground, *(each[at] for each in box))
                found[at[fits]], unsure[at[open_]] = True, True
                tp[at[fits]], tn[at[fits]] = x[fits].astype(np.int64), y[fits].astype(np.int64)
                rectangle.steps.extend(
                    Blocks(which, *(each.astype(np.int64) for each in columns))
                    for which, *columns in ground.notes
                )
        return Settled(found, ~found & ~unsure, tp, tn, rectangles)

    def possible(self, at: Ints, which: Sequence[int]) -> Flags:
        """Whether some matrix for which all of these scores are defined has just these figures."""
        rows = self.rows.of(at).keeping(which)
        found = np.zeros(len(at), dtype=bool)
        others = [i for i in which if self.rows.figures[i].score.name not in SIDES]
        a, b, c, d = _box(rows)
        for whole in _rectangles(rows):
            first, last = np.maximum(whole.a, a), np.minimum(whole.b, b)
            low, high = np.maximum(whole.c, c), np.minimum(whole.d, d)
            live = np.flatnonzero(whole.have & ~found & (first <= last) & (low <= high))
            if len(live):
                found[live] = self._ground(at[live], others, (first, last, low, high), live).search()[0]
        return found

    def points(self, most: int) -> tuple[Flags, Ints, Ints, Ints]:
        """(complete, rows, tp, tn): the matrices of every row, in order; rows with too many are left out."""
        rows = self.rows
        complete = np.ones(len(rows), dtype=bool)
        none = np.empty(0, dtype=np.int64)
        found = [(none, none, none)]
        a, b, c, d = _box(rows)
        for whole in _rectangles(rows):
            first, last = np.maximum(whole.a, a), np.minimum(whole.b, b)
            low, high = np.maximum(whole.c, c), np.minimum(whole.d, d)
            at = np.flatnonzero(whole.have & (first <= last) & (low <= high))
            ground = self._ground(at, range(len(rows.figures)), (first, last, low, high))
            some, x, _, _ = ground.search()
            ground = replace(ground, a=x).of(np.flatnonzero(some))
            ends = ground.from_right(SHORT_WALK)[1]
            wide = ends - ground.a + 1.0 > most
            complete[ground.at[wide]] = False
            ground = replace(ground, b=ends).of(np.flatnonzero(~wide))
            row, at_x = _spread(ground.a, ground.b)
            spread = ground.of(row)
            low_y, top = spread.bottom(at_x), spread.top(at_x)
            tall = top - low_y + 1.0 > most
            complete[spread.at[tall]] = False
            kept = np.flatnonzero(~tall & (low_y <= top))
            point, y = _spread(low_y[kept], top[kept])
            found.append((spread.at[kept][point], at_x[kept][point].astype(np.int64), y.astype(np.int64)))
        row, tp, tn = (np.concatenate(each) for each in zip(*found, strict=True))
        order = np.lexsort((tn, tp, row))
        row, tp, tn = row[order], tp[order], tn[order]
        complete &= np.bincount(row, minlength=len(rows)) <= most
        kept = complete[row]
        return complete, row[kept], tp[kept], tn[kept]

    def _ground(self, at: Ints, which: Sequence[int], sides: Sequence[Ints], of: Ints | None = None) -> Ground:
        """Some rows with some of their figures on rectangles, of all rows or those ``of`` them."""
        floors, ceilings = ([self.ends(i)[k].of(at) for i in which] for k in (0, 1))
        a, b, c, d = (each[at if of is None else of].astype(float) for each in sides)
        return Ground(at, floors, ceilings, a, b, c, d)


def _spread(first: Floats, last: Floats) -> tuple[Ints, Floats]:
    """All whole numbers from each first to each last, with the place of the pair they come from."""
    sizes = np.maximum(last - first + 1.0, 0.0).astype(np.int64)
    row = np.repeat(np.arange(len(sizes)), sizes)
    return row, first[row] + (np.arange(len(row)) - (np.cumsum(sizes) - sizes)[row])


def _rectangles(rows: Rows) -> list[Rectangle]:
    """Where every score is defined, from the left: two corners, or three, may be left out."""
    p, n = rows.p, rows.n
    left, right, bottom = rows.corners()
    zero, one = np.zeros_like(p), np.ones_like(p)
    edge = left | bottom
    return [
        #         rows     tp from     to         tn from           to
        Rectangle(edge,    zero,       zero,      zero + bottom,    n - left),
        Rectangle(one > 0, zero + edge, p - right, zero,            n),
        Rectangle(right,   p,          p,         one,              n),
    ]  # fmt: skip


def _box(rows: Rows) -> tuple[Ints, Ints, Ints, Ints]:
    """The tp and the tn that sensitivity and specificity leave."""
    ends = {"sens": (np.zeros_like(rows.p), rows.p), "spec": (np.zeros_like(rows.n), rows.n)}
    for each in rows.figures:
        if each.score.name in SIDES:
            ends[each.score.name] = each.counts(ends[each.score.name][1])
    return *ends["sens"], *ends["spec"]


def _as_lines(ground: Ground, *_: Ints) -> tuple[Flags, Flags, Floats, Floats]:
    """(found, not settled, tp, tn) where all is straight: a few steps from either side, then the rest."""
    found, x, y = ground.from_left(LINE_WALK)
    last = ground.b.copy()
    for way in (partial(Ground.from_right, steps=LINE_WALK), Ground.search):
        live = np.flatnonzero(~found & (x <= last))
        fits, at, level = way(replace(ground, a=x, b=last).of(live))[:3]
        some, rest = live[fits], live[~fits]
        found[some], x[some], y[some] = True, at[fits], level[fits]
        last[rest] = at[~fits]
    return found, np.zeros(len(found), dtype=bool), x, y


def _as_curves(ground: Ground, *box: Ints) -> tuple[Flags, Flags, Floats, Floats]:
    """The same with curves: from the left, in the box that sensitivity and specificity leave."""
    a, b, c, d = ground.a, ground.b, ground.c, ground.d
    first, last = np.maximum(a, box[0]), np.minimum(b, box[1])
    low, high = np.maximum(c, box[2]), np.minimum(d, box[3])
    before, after = np.minimum(first - 1.0, b), np.maximum(last + 1.0, first)
    some = first <= last
    ground.note(a <= before, a, before, d)
    ground.note(after <= b, after, b, c - 1.0)
    ground.note(some & (low > high), first, last, high)
    live = np.flatnonzero(some & (low <= high))
    found, x, y = np.zeros(len(a), dtype=bool), a.copy(), d.copy()
    steps = np.zeros(len(a), dtype=np.int64)
    inner = replace(ground, a=first, b=last, c=low, d=high).of(live)
    found[live], x[live], y[live], steps[live] = inner.search()
    # a walk that takes so many steps looks from the right as well
    far = found & (steps + 2 > np.maximum(np.minimum(b - a + 1.0, NARROW), SHORT_WALK))
    return found & ~far, far, x, y
