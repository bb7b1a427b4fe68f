"""Many questions about one matrix each, as arrays, and what proves the answers to them.

A row is p positives, n negatives and some printed figures.  Whatever a walk or a formula says
about it counts only once it is *replayed* here: a matrix by asking every score for its value there,
a refutation by asking the scores at the two corners of each of its blocks (see
``proof.certificate``).  Both take the textbook ``terms`` of a score and compare ``scale·up`` with
``low·down`` in whole numbers, so no float and no division is involved.

None of it overflows 64 bits.  With counts below ``LARGEST_COUNT`` = 2^30 and ends of figures up to
``FINEST`` = 2·10^8 < 2^28, the products of acc, sens and spec (whose terms are at most p + n < 2^31)
stay below 2^59.  The terms of the other straight lines are at most of second degree in the counts:
with counts below ``SMALL_COUNT`` = 2^16 and ends up to ``COARSE`` = 2·10^6 < 2^21 every product stays below
2^57.  The terms of curves are of fourth degree at most, below 2^62 with counts below ``SMALLER_COUNT`` = 2^15;
their products are compared as floats, and in Python's integers where the floats are too close.
(``tests/laws/test_many.py`` works this out for every score.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scoreproof.scores import ONE, SCORES, Matrix, Score

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

LARGEST_COUNT = 1 << 30
FINEST = 2 * 10**8
SMALL_COUNT = 1 << 16
SMALLER_COUNT = 1 << 15
COARSE = 2 * 10**6

#: Where scores may be undefined: nothing is called positive (tp = 0, tn = n), nothing negative, all is wrong.
CORNERS = ((0, 2), (2, 0), (0, 0))
#: Scores that rise to 1, undefined in those corners at most; bounds of the first are straight lines.
LINES, CURVES = (
    frozenset(
        name
        for name, score in SCORES.items()
        if score.linear == straight and score.rises and score.highest == 1 and score.holes <= {*CORNERS}
    )
    for straight in (True, False)
)
#: Shares of a class, or of all items: they bound tp, tn and tp + tn.
SUMS = ("acc", "sens", "spec")


@dataclass(frozen=True, slots=True)
class Figures:
    """A score as many rows print it: from low/scale to high/scale, ends included or not.

    Rows in which it is not ``given`` say nothing.
    """

    score: Score
    given: Flags
    low: Ints
    high: Ints
    low_in: Flags
    high_in: Flags
    scale: Ints

    def of(self, at: Ints) -> Figures:
        """The figures of some rows."""
        arrays = (self.given, self.low, self.high, self.low_in, self.high_in, self.scale)
        return Figures(self.score, *(each[at] for each in arrays))  # type: ignore[arg-type]

    def wider(self, below: int, above: int) -> Figures:
        """The figures with ends moved outwards by so many parts of the scale, and included."""
        every = np.ones_like(self.given)
        return Figures(self.score, self.given, self.low - below, self.high + above, every, every, self.scale)

    def counts(self, whole: Ints) -> tuple[Ints, Ints]:
        """The first and the last count out of ``whole`` whose share would be printed so."""
        below, above = self.low * whole, self.high * whole
        first = np.where(self.low_in, -((-below) // self.scale), below // self.scale + 1)
        last = np.where(self.high_in, above // self.scale, -((-above) // self.scale) - 1)
        return (
            np.where(self.given, np.maximum(first, 0), 0),
            np.where(self.given, np.minimum(last, whole), whole),
        )

    def undefined(self, matrix: Matrix) -> Flags:
        """Where the score is reported, but undefined at this matrix."""
        return self.given & (self._terms(matrix)[1] <= 0)

    def missed(self, matrix: Matrix) -> Flags:
        """Where the score is reported and not that of this matrix."""
        return self.given & ~self.hit(matrix)

    def hit(self, matrix: Matrix) -> Flags:
        """Where the score is defined at this matrix and has a value that is printed so."""
        up, down = self._terms(matrix)
        return (down > 0) & ~self._small(matrix, up, down) & ~self._large(matrix, up, down)

    def below(self, matrix: Matrix) -> Flags:
        """Where the score is reported, defined and too small at this matrix."""
        up, down = self._terms(matrix)
        return self.given & (down > 0) & self._small(matrix, up, down)

    def above(self, matrix: Matrix) -> Flags:
        """Where the score is reported, defined and too large at this matrix."""
        up, down = self._terms(matrix)
        return self.given & (down > 0) & self._large(matrix, up, down)

    def _terms(self, matrix: Matrix) -> tuple[Ints, Ints]:
        terms: Any = self.score.terms(matrix, ONE)
        return terms  # type: ignore[no-any-return]

    def _small(self, matrix: Matrix, up: Ints, down: Ints) -> Flags:
        # in whole numbers "at most 0" is "less than 1"
        small: Flags = self._less(self.low, matrix, up, down) < ~self.low_in
        return small

    def _large(self, matrix: Matrix, up: Ints, down: Ints) -> Flags:
        large: Flags = -self._less(self.high, matrix, up, down) < ~self.high_in
        return large

    def _less(self, end: Ints, matrix: Matrix, up: Ints, down: Ints) -> Ints:
        """Something with the sign of the score less end/scale, where the score is defined."""
        if self.score.linear:
            return self.scale * up - end * down
        times, against = self.scale.astype(float), end.astype(float)
        if self.score.squared:
            times, against = times * times, against * abs(against)
        one, other = times * up, against * down
        less, size = one - other, abs(one) + abs(other)
        found: Ints = np.sign(less).astype(np.int64)
        # below 2^52 all is whole and exact; elsewhere each product has factors and a result that were rounded
        for at in np.flatnonzero((size >= 2.0**52) & (abs(less) <= 2.0**-50 * size)).tolist():
            cells = Matrix(*(int(each[at]) for each in matrix))  # type: ignore[index]
            found[at] = self.score.order(cells, Fraction(int(end[at]), int(self.scale[at]))) or 0
        return found


@dataclass(frozen=True, slots=True)
class Rows:
    """The counts of many rows and their figures, score by score."""

    p: Ints
    n: Ints
    figures: tuple[Figures, ...]

    def __len__(self) -> int:
        return len(self.p)

    def of(self, at: Ints) -> Rows:
        """Some of the rows."""
        return Rows(self.p[at], self.n[at], tuple(each.of(at) for each in self.figures))

    def keeping(self, which: Iterable[int]) -> Rows:
        """All rows, with some of the scores only."""
        return Rows(self.p, self.n, tuple(self.figures[i] for i in which))

    def some(self, missing: Callable[[Figures, Matrix], Flags], tp: Ints, tn: Ints) -> Flags:
        """The rows in which some figure is missed in this way at the matrix (tp, tn)."""
        matrix = Matrix.of(tp, tn, self.p, self.n)  # type: ignore[arg-type]
        return _some(len(self), (missing(each, matrix) for each in self.figures))

    def fit(self, tp: Ints, tn: Ints) -> Flags:
        """The rows whose figures are all those of the matrix (tp, tn)."""
        return (tp >= 0) & (tp <= self.p) & (tn >= 0) & (tn <= self.n) & ~self.some(Figures.missed, tp, tn)

    def corners(self) -> list[Flags]:
        """The rows with a score that is undefined in each of the CORNERS."""
        return [
            _some(len(self), (each.given for each in self.figures if corner in each.score.holes))
            for corner in CORNERS
        ]

    def points(self) -> list[tuple[Ints, Ints]]:
        """The (tp, tn) of the CORNERS."""
        zero = np.zeros_like(self.p)
        return [(zero, self.n), (self.p, zero), (zero, zero)]


def _some(size: int, flags: Iterable[Flags]) -> Flags:
    found = np.zeros(size, dtype=bool)
    for each in flags:
        found |= each
    return found


@dataclass(frozen=True, slots=True)
class Steps:
    """Columns first..last of some rows, ruled out at a level."""

    at: Ints  # the rows, in their order
    first: Ints
    last: Ints
    level: Ints

    def of(self, kept: Flags) -> Self:
        return type(self)(self.at[kept], self.first[kept], self.last[kept], self.level[kept])

    @classmethod
    def together(cls, steps: Sequence[Steps]) -> Self:
        """Many of them as one."""
        none = np.empty(0, dtype=np.int64)
        names = ("at", "first", "last", "level")
        return cls(*(np.concatenate([none, *(getattr(each, name) for each in steps)]) for name in names))


class Blocks(Steps):
    """Up to ``level`` every tn makes some score too small, above it one too large."""

    __slots__ = ()

    def replay(self, rows: Rows, c: Ints, d: Ints) -> Flags:
        """Whether this rules out tn in c..d of these columns, by the values at two corners."""
        small = (self.level < c) | rows.some(Figures.below, self.last, np.clip(self.level, 0, d))
        large = (self.level >= d) | rows.some(Figures.above, self.first, np.clip(self.level + 1, c, d))
        return small & large


class Gaps(Steps):
    """``level`` right answers are too few, one more is too many."""

    __slots__ = ()

    def replay(self, rows: Rows, c: Ints, d: Ints) -> Flags:
        # accuracy is the same for all tp and tn with the same sum
        accuracy = rows.keeping([i for i, each in enumerate(rows.figures) if each.score.name == "acc"])
        fewer, more = (np.minimum(total, rows.p) for total in (self.level, self.level + 1))
        small = (self.level < 0) | accuracy.some(Figures.below, fewer, self.level - fewer)
        large = (self.level >= rows.p + rows.n) | accuracy.some(Figures.above, more, self.level + 1 - more)
        return small & large


@dataclass(frozen=True, slots=True)
class Rectangle:
    """tp in a..b, tn in c..d of the rows that ``have`` it, and the steps that rule its columns out."""

    have: Flags
    a: Ints
    b: Ints
    c: Ints
    d: Ints
    steps: list[Blocks | Gaps] = field(default_factory=list)

    def replay(self, rows: Rows, refuted: Flags) -> Flags:
        """Whether the steps, from the left to the right, rule out every column of the refuted rows."""
        fine = refuted & self.have & (self.a <= self.b) & (self.c <= self.d)
        nothing = refuted & ~fine
        steps = [step.of(fine[step.at]) for step in self.steps]
        whole = Steps.together(steps)
        for kind in (Blocks, Gaps):
            part = kind.together([step for step in steps if isinstance(step, kind)])
            proven = part.replay(rows.of(part.at), self.c[part.at], self.d[part.at])
            fine[part.at[~proven]] = False
        # one after the other, without a gap, from a to b
        order = np.lexsort((whole.first, whole.at))
        at, first, last = whole.at[order], whole.first[order], whole.last[order]
        begins, ends = np.ones(len(at), dtype=bool), np.ones(len(at), dtype=bool)
        begins[1:] = at[1:] != at[:-1]
        ends[:-1] = begins[1:]
        expected = np.where(begins, self.a[at], np.roll(last, 1) + 1)
        wrong = (first != expected) | (last < first) | (ends & (last != self.b[at]))
        fine[at[wrong]] = False
        fine[np.setdiff1d(np.flatnonzero(fine), at)] = False
        return nothing | fine


@dataclass(frozen=True, slots=True)
class Settled:
    """What was found in each row: the matrix (tp, tn), or that there is none; neither: not settled."""

    fits: Flags
    refuted: Flags
    tp: Ints
    tn: Ints
    rectangles: Sequence[Rectangle] = ()

    def confirmed(self, rows: Rows) -> Settled:
        """The same, with every matrix confirmed and every refutation replayed; the others are not settled."""
        fits, refuted = self.fits.copy(), self.refuted.copy()
        at = np.flatnonzero(fits)
        fits[at] = rows.of(at).fit(self.tp[at], self.tn[at])
        # Some corners may be left out of the box: a reported score is undefined there.
        for left_out, point in zip(rows.corners(), rows.points(), strict=True):
            refuted &= ~left_out | rows.some(Figures.undefined, *point)
        for rectangle in self.rectangles:
            refuted = rectangle.replay(rows, refuted)
        return Settled(fits, refuted, self.tp, self.tn, self.rectangles)
