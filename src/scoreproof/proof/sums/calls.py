"""Classes of a matrix: a class picks tp and m, the items that are called it.

With n of the N items, 0 <= tp <= n and tp <= m <= tp + N - n.  For fixed m most scores of a class
against the rest are straight lines in tp (``Score.straight_by_calls``), so the largest weighted sum
lies at the least or the largest tp, and only the values of m are gone through.  Scores that are not
straight rise or fall with tp, and are taken at their own best end, or next to one where they are
undefined; roots, squares and the like are bounded over the box as a whole.

Why 64 bits are enough: before anything is computed in them, the largest possible value of every
polynomial and of every product is worked out in Python's own integers (``_whole_scale``); where it
would not fit, corners bound the sum instead.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from scoreproof.proof.sums.corners import Corners, Direction
from scoreproof.proof.sums.grid import Array, Box, polynomial
from scoreproof.proof.sums.model import CALLED, ZERO, Column
from scoreproof.scores import ROWS, SCORES, zones_undefined

MOST_COLUMNS = 2_000_000  # more numbers of called items than this are not looked at one by one
ROOM = 61  # weighted sums stay below 2^ROOM


class Calls(Corners):
    """The points (tp, m) of a class."""

    @property
    def rest(self) -> int:
        """The items of all other classes."""
        return self.option.n

    # -- boxes -----------------------------------------------------------------------------------

    def root(self) -> Box | None:
        """Everything the class may pick: needed scores with a hole at the ends of m cut these off."""
        p, rest = self.option.p, self.rest
        low, high = 0, p + rest
        for keep in self.option.keeps:
            if keep.defined:
                holes = zones_undefined(ROWS[keep.score], p, rest, self.betas)
                low, high = max(low, int((0, 2) in holes)), min(high, p + rest - ((2, 0) in holes))
        return self.shrunk((0, p, low, high)) if low <= high else None

    def shrunk(self, box: Box) -> Box | None:
        """The box without values that no choice in it has; None if it is empty."""
        least, most, low, high = box
        least, most = max(least, low - self.rest), min(most, high)
        low, high = max(low, least), min(high, most + self.rest)
        if least > most or low > high:
            return None
        return super().shrunk((least, most, low, high))

    def rectangle(self, box: Box) -> Box:
        """Least and most tp, and the tn beside them: a rising score is least and largest there."""
        least, most, low, high = box
        return least, most, self.rest - min(high - least, self.rest), self.rest - (max(low, most) - most)

    def points(self, box: Box) -> list[tuple[int, int, int]]:
        """(p, tp, tn) of the points of a box."""
        least, most, low, high = box
        return [
            (self.option.p, tp, self.rest - m + tp)
            for tp in range(least, most + 1)
            for m in range(max(low, tp), min(high, tp + self.rest) + 1)
        ]

    def columns(self, box: Box) -> tuple[Array, Array, Array]:
        """Every m of a box with the least and the largest tp it allows."""
        least, most, low, high = box
        m = np.arange(low, high + 1, dtype=np.int64)
        # m <= high, so a larger rest leaves nothing above 0 either, and need not be a machine number
        return m, np.maximum(least, m - min(self.rest, high)), np.minimum(most, m)

    def ends(self, box: Box) -> list[tuple[int, int, int]]:
        """The corners of the polygon as (m, least tp, largest tp)."""
        least, most, low, high = box
        found = []
        for m in sorted({low, high, least, most, least + self.rest, most + self.rest}):
            first, last = max(least, m - self.rest), min(most, m)
            if low <= m <= high and first <= last:
                found.append((m, first, last))
        return found

    # -- bounds ----------------------------------------------------------------------------------

    def upper(self, box: Box, direction: Direction) -> Fraction | None:
        """No choice of the box has a larger offset + Σ factor·column; None if none stays."""
        offset, (tp, tn, *others) = direction
        # tn = rest - m + tp
        a, b, offset = tp + tn, -tn, offset + tn * self.rest
        square, scores = ZERO, []
        for column, f in zip(self.option.columns[2:], others, strict=True):
            if column.what == "called²":
                square += f
            elif f and column.what == "value" and self._listable(column):
                scores.append((column, f))
            elif f:
                offset += f * self.extreme(column, box, f > 0)
        if square or scores:
            scale = self._whole_scale(box, a, b, square, scores)
            if scale is not None and box[3] - box[2] <= MOST_COLUMNS:
                offset -= sum((f * column.shift for column, f in scores), ZERO)
                return offset + self._by_calls(box, a, b, square, scores, scale)
        # each term bounded by itself
        offset += max(max(a * first, a * last) + b * m for m, first, last in self.ends(box))
        offset += sum(
            (f * self.extreme(column, box, f > 0) for column, f in [(CALLED, square), *scores] if f), ZERO
        )
        return offset

    def extreme(self, column: Column, box: Box, upper: bool) -> Fraction:
        if column.what == "called²":
            return Fraction((box[3] if upper else box[2]) ** 2)
        return super().extreme(column, box, upper)

    def _listable(self, column: Column) -> bool:
        """Whether the score is a plain ratio, not below -1, undefined just where its denominator vanishes."""
        score = SCORES.get(column.score)
        if score is None or score.squared or score.threshold:
            return False
        return score.lowest is not None and score.lowest >= -1

    def _whole_scale(
        self, box: Box, a: Fraction, b: Fraction, square: Fraction, scores: list[Any]
    ) -> int | None:
        """A power of two such that all that is computed below stays below 2^ROOM; None if there is none."""
        _, most, _, high = box
        p, n = self.option.p, self.rest
        # what the sum can be, and what rounding coefficients up by one can add to it
        size = abs(a) * most + abs(b) * high + abs(square) * high**2
        more = most + high + (high**2 if square else 0) + 8 * len(scores)
        for column, f in scores:
            score = ROWS[column.score]
            for terms in score.polynomials(p, n, self.betas):
                largest = sum(abs(c) * x for c, x in zip(terms, (p * p, p * n, n * n, p, n, 1), strict=True))
                largest = max(1, largest)  # the factor itself must fit, too
                size += abs(f) * largest
                more += largest
            size += abs(f * column.shift)
        q = ROOM - 1 - (int(size) + 1).bit_length()
        return 1 << q if q >= 8 and not more >> (ROOM - 1) else None

    def _by_calls(
        self, box: Box, a: Fraction, b: Fraction, square: Fraction, scores: list[Any], scale: int
    ) -> Fraction:
        """The largest a·tp + b·m + square·m² + Σ f·score: every m with its two ends of tp.

        Coefficients are rounded up to multiples of 1/scale, which only raises the sum since tp and m are
        not negative, and quotients are rounded up as well.
        """

        def whole(x: Fraction) -> int:
            return -((-x.numerator * scale) // x.denominator)

        m, first, last = self.columns(box)
        # a range of zeros adds nothing, however large its coefficient
        slope, per_call = whole(a) if box[1] else 0, whole(b) if box[3] else 0
        flat = per_call * m + (whole(square) if square and box[3] else 0) * m * m
        sums = [flat + slope * tp for tp in (first, last)]
        p, n = self.option.p, self.rest
        for column, f in scores:
            score = ROWS[column.score]
            factor = whole(f)
            lost = whole(f * column.shift) if self.convention == "skip" else 0
            places = [first, last]
            if not score.straight_by_calls:
                # it may be undefined just at an end, and is monotone from the next point on
                places += [np.minimum(first + 1, last), np.maximum(last - 1, first)]
            values = []
            for tp in places:
                tn = n - m + tp
                up, down = (polynomial(terms, tp, tn) for terms in score.polynomials(p, n, self.betas))
                safe = np.where(down == 0, 1, down)
                found = np.where(down == 0, lost, -((-factor * up) // safe))
                # rounding the factor up lowers f·score by less than 1/scale where the score is negative
                values.append(found + int(score.lowest is not None and score.lowest < 0))
            if score.straight_by_calls:
                sums = [each + value for each, value in zip(sums, values, strict=True)]
            else:
                best = np.maximum.reduce(values)
                sums = [each + best for each in sums]
        inside = first <= last
        return Fraction(int(np.maximum(*sums)[inside].max()), scale)
