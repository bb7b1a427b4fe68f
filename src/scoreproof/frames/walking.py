"""The single check's walk, taken by many rows at once, where all bounds are straight lines.

In each row the matrices that fit are the points (tp, tn) above all floors and below all
ceilings, each a line ``d·tp + e·tn + f >= 0`` in whole numbers.  The steps are those of
``solve.one_matrix.walk``, so the matrix found is the same; a row that is not settled after as many steps is
left to the single check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from scoreproof.frames.plain import Figures
from scoreproof.scores import ONE, SCORES
from scoreproof.solve.one_matrix.decide import LINE_WALK

if TYPE_CHECKING:
    from scoreproof.frames.plain import Flags, Ints

#: Scores that rise, whose bounds are straight lines, and that are undefined at most where
#: nothing is called positive (tp = 0, tn = n), or nothing negative (tp = p, tn = 0).
LINES = ("acc", "sens", "spec", "ppv", "npv", "bacc", "f1", "f1n", "ji", "bm", "kappa")
UNDEFINED_LEFT = {name for name in LINES if (0, 2) in SCORES[name].holes}
UNDEFINED_RIGHT = {name for name in LINES if (2, 0) in SCORES[name].holes}
#: Scores that can be negative: a bound below zero is left to the single check.
SIGNED = {"bm", "kappa"}

#: With 6 digits and counts below 2^16 every product stays below 2^21·2^34·2^2.
MOST_PLACES = 6
LARGEST_COUNT = 1 << 16
#: With more figures than this the search for the clashing ones takes another way.
MOST_FIGURES = 5
#: Steps, and columns looked at, to tell whether some of the figures clash.
STEPS = 24
COLUMNS = 96


def small_enough(printed: Sequence[Figures], p: Ints, n: Ints) -> Flags:
    """The rows whose numbers stay within the limits."""
    import numpy as np

    fine: Flags = (p < LARGEST_COUNT) & (n < LARGEST_COUNT)
    reported = np.zeros(len(p), dtype=np.int64)
    for each in printed:
        ok = each.places <= MOST_PLACES
        if each.column.score in SIGNED:
            ok &= each.low > 0
        fine &= ok | ~each.given
        reported += each.given
    return fine & (reported <= MOST_FIGURES)


@dataclass(frozen=True, slots=True)
class _Line:
    """Where ``d·x + e·y + f >= 0``."""

    d: Ints
    e: Ints
    f: Ints

    def of(self, rows: Ints) -> _Line:
        return _Line(self.d[rows], self.e[rows], self.f[rows])

    def column(self, x: Ints, low: Ints, high: Ints) -> Ints:
        """The smallest y in low..high on the good side; high + 1 if there is none."""
        import numpy as np

        sloped = self.e > 0
        first = -((self.d * x + self.f) // np.where(sloped, self.e, 1))
        whole = np.where(self.d * x + self.e * low + self.f >= 0, low, high + 1)
        return np.where(sloped, np.minimum(np.maximum(first, low), high + 1), whole)

    def row(self, y: Ints, low: Ints, high: Ints) -> Ints:
        """The smallest x in low..high on the good side; high + 1 if there is none."""
        return _Line(self.e, self.d, self.f).column(y, low, high)


def _at_least(name: str, up: Ints, down: Ints, strict: Flags, p: Ints, n: Ints) -> _Line:
    """The line from which the score is at least up/down (above it, if strict)."""
    import numpy as np

    *_, d, e, f = SCORES[name].numerator(p, n, ONE)  # type: ignore[arg-type]
    *_, j, k, m = SCORES[name].denominator(p, n, ONE)  # type: ignore[arg-type]
    # the denominator is above zero wherever the score is defined
    lines = [down * d - up * j, down * e - up * k, down * f - up * m - strict]
    # outside the range of the scores everything, or nothing, is at least up/down
    always = (up < 0) | ((up == 0) & ~strict)
    never = up > down
    constant = np.where(never, -1, 0)
    kept = ~always & ~never
    zero = np.zeros(len(p), dtype=np.int64)
    return _Line(
        *(np.where(kept, line, other) for line, other in zip(lines, (zero, zero, constant), strict=True))
    )


class Lines:
    """The rows with their floors and ceilings, one of each for every column of figures."""

    def __init__(self, printed: Sequence[Figures], p: Ints, n: Ints) -> None:
        import numpy as np

        self.printed = printed
        self.p, self.n = p, n
        self.floors: list[_Line] = []
        self.ceilings: list[_Line] = []
        for each in printed:
            name = each.column.score
            # where nothing is given, every point is above the floor and none above the ceiling
            low, high = np.where(each.given, each.low, -1), np.where(each.given, each.high, each.scale + 1)
            self.floors.append(_at_least(name, low, each.scale, ~each.low_in, p, n))
            # at most v is not above v
            self.ceilings.append(_at_least(name, high, each.scale, each.high_in, p, n))

    def first_fit(self) -> tuple[Flags, Flags, Ints, Ints]:
        """(found, refuted, tp, tn) of every row, with all its figures; neither: not settled."""
        import numpy as np

        return self._walk(np.arange(len(self.p)), range(len(self.printed)), LINE_WALK)

    def conflicts(self, rows: Ints) -> dict[int, list[str]]:
        """For each of the rows the first of the smallest sets of figures that clash.

        Rows for which some set could not be settled are left out.
        """
        import numpy as np

        given = np.array([each.given[rows] for each in self.printed])
        reported = given.sum(axis=0)
        named: dict[int, list[str]] = {}
        left = np.ones(len(rows), dtype=bool)
        for size in range(1, len(self.printed)):
            for which in combinations(range(len(self.printed)), size):
                at = np.flatnonzero(left & (reported > size) & given[list(which)].all(axis=0))
                if not len(at):
                    continue
                clash, settled = self._clash(rows[at], which)
                left[at[clash | ~settled]] = False
                labels = [self.printed[i].column.key for i in which]
                named.update(dict.fromkeys(rows[at[clash & settled]].tolist(), labels))
        for place in np.flatnonzero(left).tolist():
            here = given[:, place]
            named[int(rows[place])] = [self.printed[i].column.key for i in np.flatnonzero(here).tolist()]
        return named

    def _clash(self, rows: Ints, which: Sequence[int]) -> tuple[Flags, Flags]:
        """(clash, settled): whether no matrix has just these figures."""
        import numpy as np

        name = self.printed[which[0]].column.score
        if len(which) == 1 and name in ("acc", "sens", "spec"):
            whole = {"acc": self.p + self.n, "sens": self.p, "spec": self.n}[name][rows]
            first, last = self.printed[which[0]].of(rows).counts(whole)
            return first > last, np.ones(len(rows), dtype=bool)
        found, refuted, _, _ = self._walk(rows, which, STEPS)
        open_ones = np.flatnonzero(~found & ~refuted)
        if len(open_ones):
            some, none = self._columns(rows[open_ones], which)
            found[open_ones], refuted[open_ones] = some, none
        return refuted, found | refuted

    def _holes(self, rows: Ints, which: Sequence[int]) -> tuple[Flags, Flags]:
        """The rows in which a score is undefined at the left end, and at the right."""
        import numpy as np

        left, right = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
        for i in which:
            if self.printed[i].column.score in UNDEFINED_LEFT:
                left |= self.printed[i].given[rows]
            if self.printed[i].column.score in UNDEFINED_RIGHT:
                right |= self.printed[i].given[rows]
        return left, right

    def _columns(self, rows: Ints, which: Sequence[int]) -> tuple[Flags, Flags]:
        """(some, none): whether one of a number of columns fits; none only if all were looked at."""
        import numpy as np

        p, n = self.p[rows], self.n[rows]
        left, right = self._holes(rows, which)
        floors, ceilings = ([kind[i].of(rows) for i in which] for kind in (self.floors, self.ceilings))
        some = np.zeros(len(rows), dtype=bool)
        for probe in range(COLUMNS):
            x = np.where(p < COLUMNS, np.minimum(probe, p), p * probe // (COLUMNS - 1))
            low = np.where(right & (x == p), 1, 0)
            high = np.where(left & (x == 0), n - 1, n)
            first, last = _between(floors, ceilings, x, low, high)
            some |= first <= last
        return some, ~some & (p < COLUMNS)

    def _walk(self, rows: Ints, which: Sequence[int], steps: int) -> tuple[Flags, Flags, Ints, Ints]:
        """The walk through the regions of the box in which every score is defined, in their order."""
        import numpy as np

        p, n = self.p[rows], self.n[rows]
        left, right = self._holes(rows, which)
        zero = np.zeros(len(rows), dtype=np.int64)
        one = zero + 1
        regions = [
            # rows  tp from           to                         tn from  to
            (left,  zero,             zero,                      zero,    n - 1),
            (one > 0, np.where(left, 1, 0), np.where(right, p - 1, p), zero, n),
            (right, p,                p,                         one,     n),
        ]  # fmt: skip
        floors, ceilings = ([kind[i].of(rows) for i in which] for kind in (self.floors, self.ceilings))
        found, unsure = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool)
        tp, tn = zero.copy(), zero.copy()
        for has, a, b, c, d in regions:
            # An earlier region that was not settled might hold the first matrix.
            live = np.flatnonzero(has & ~found & ~unsure)
            if not len(live):
                continue
            here = [[line.of(live) for line in kind] for kind in (floors, ceilings)]
            fit, open_still, x, y = _from_left(here[0], here[1], a[live], b[live], c[live], d[live], steps)
            found[live[fit]] = True
            tp[live[fit]], tn[live[fit]] = x[fit], y[fit]
            unsure[live[open_still]] = True
        return found, ~found & ~unsure, tp, tn


def _between(
    floors: Sequence[_Line], ceilings: Sequence[_Line], x: Ints, low: Ints, high: Ints
) -> tuple[Ints, Ints]:
    """The first and the last y of a column that fit."""
    import numpy as np

    first, last = low, high
    for line in ceilings:
        last = np.minimum(last, line.column(x, low, high) - 1)
    for line in floors:
        first = np.maximum(first, line.column(x, low, high))
    return first, last


def _from_left(
    floors: Sequence[_Line], ceilings: Sequence[_Line], a: Ints, b: Ints, c: Ints, d: Ints, steps: int
) -> tuple[Flags, Flags, Ints, Ints]:
    """(found, not settled, tp, tn) after so many steps of the walk from the left."""
    import numpy as np

    x, y = a.copy(), d.copy()
    found = np.zeros(len(a), dtype=bool)
    going = a <= b
    for _ in range(steps):
        live = np.flatnonzero(going)
        if not len(live):
            break
        at, lowest, highest, last = x[live], c[live], d[live], b[live]
        top = highest
        for line in ceilings:
            top = np.minimum(top, line.of(live).column(at, lowest, highest) - 1)
        jump = at
        for line in floors:
            jump = np.maximum(jump, line.of(live).row(np.maximum(top, lowest), at, last))
        empty = top < lowest  # in this column, and so in all later ones
        fit = ~empty & (jump == at)
        found[live[fit]] = True
        x[live] = jump
        y[live] = top
        going[live] = ~empty & ~fit & (jump <= last)
    return found, going, x, y
