"""The readings that a single check tries of a claim about one matrix, for many rows at once.

Beside the usual one there are: a score of 0/0 counts as 0; precision, recall and F1 are averages over both
classes; or both.  ``claim.further`` is where they come from, ``insight.conflict`` whose sets are found here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from scoreproof.claim.averages import OF_BOTH, of_both
from scoreproof.insight.conflict import CURVED, LARGEST_TRIED, MANY, level
from scoreproof.scores import Matrix, Score
from scoreproof.scores.averages import AVERAGED, NEVER
from scoreproof.solve.one_matrix.many import Clashes
from scoreproof.solve.one_matrix.many_rows import Figures, Flags, Ints, Rows

#: Corners in which a class is never called.
ONE_CLASS = 2


@dataclass(frozen=True, slots=True)
class Way:
    """The rows under some convention, and in which of them it is tried."""

    clashes: Clashes
    tried: Flags
    changed: frozenset[int]  # the figures it makes a difference to
    corners: list[list[Flags]]  # for each corner, which figures it has if 0/0 counts as 0


class Readings:
    """Some rows under all readings of theirs."""

    def __init__(self, rows: Rows, labels: Sequence[str], strict: bool, limited: Ints) -> None:
        self.rows, self.labels = rows, labels
        self.strict, self.limited = strict, limited  # by the intervals that the row prints
        every = np.ones(len(rows), dtype=bool)
        self.averaged = np.zeros_like(every) if strict else _averages(rows, labels)
        self.usual = Way(Clashes(rows), every, frozenset(), [] if strict else _corners(rows, {}))
        self.others = list(self._averages()) if self.averaged.any() else []

    def _averages(self) -> Iterator[Way]:
        """The rows with averages over both classes."""
        for how, scores in AVERAGED.items():
            changed = frozenset(i for i, each in enumerate(self.rows.figures) if each.score.name in scores)
            kind = how.removesuffix(NEVER)
            figures = [
                replace(each, score=AVERAGED[kind].get(each.score.name, each.score))
                for each in self.rows.figures
            ]
            rows = replace(self.rows, figures=tuple(figures))
            if how == kind:
                yield Way(Clashes(rows), self.averaged, changed, _corners(rows, {}))
                continue
            precisions = {
                i: scores["ppv"] for i, each in enumerate(self.rows.figures) if each.score.name == "ppv"
            }
            for i in precisions:
                # a precision that is known where one class is never called only: at the corners
                tried = self.averaged & self.rows.figures[i].given
                yield Way(
                    Clashes(rows.keeping(())), tried, frozenset({i}), _corners(rows, precisions)[:ONE_CLASS]
                )

    @property
    def doubtful(self) -> Flags:
        """Rows for the single check: with a precision of 0, of which averages may say nothing.

        So are those with intervals and averages, or with intervals by the stated or usual methods only.
        """
        found = (self.limited > 0) & (self.averaged | self.strict)
        for each in self.rows.figures:
            if each.score.name == "ppv":
                found |= self.averaged & each.given & _zero(each)
        return found

    def further(self) -> Flags:
        """The rows that fit under a reading beside the usual one."""
        at, which = np.arange(len(self.rows)), range(len(self.rows.figures))
        found = _at_corner(self.usual, at, which)
        for way in self.others:
            found |= self._under(way, at, which)
        return found

    def possible(self, at: Ints, which: Sequence[int]) -> Flags:
        """Whether these figures of these rows, all given, fit under any reading."""
        found = self.usual.clashes.possible(at, which)
        for way in (self.usual, *self.others):
            left = np.flatnonzero(~found)
            if len(left):
                found[left] = (
                    _at_corner(way, at[left], which) if way is self.usual else self._under(way, at[left], which)
                )
        return found

    def _under(self, way: Way, at: Ints, which: Sequence[int]) -> Flags:
        found = np.zeros(len(at), dtype=bool)
        live = np.flatnonzero(way.tried[at])
        if len(live) and not way.changed.isdisjoint(which):
            found[live] = _at_corner(way, at[live], which)
            if way.clashes.rows.figures:
                found[live] |= way.clashes.possible(at[live], which)
        return found

    def clashing(self) -> dict[int, tuple[int, ...]]:
        """For each row that fits under no reading, the first of the smallest sets of figures that clash.

        It is what ``insight.conflict`` finds; rows with so many figures that it goes another way are left out.
        An interval never clashes: it may be by an unknown method.
        """
        named: dict[int, tuple[int, ...]] = {}
        given = np.array([each.given for each in self.rows.figures])
        reported = given.sum(axis=0)
        for rows, order in self._orders(given):
            left = np.flatnonzero(rows & (reported <= MANY))
            for size in range(1, LARGEST_TRIED + 1):
                for which in combinations(order, size) if len(left) else ():
                    at = left[(reported[left] > size) & given[np.array(which)[:, None], left].all(axis=0)]
                    if not len(at):
                        continue
                    clash = at[~self.possible(at, which)]
                    left = np.setdiff1d(left, clash, assume_unique=True)
                    named.update(dict.fromkeys(clash.tolist(), tuple(sorted(which))))
            for row in left[reported[left] <= LARGEST_TRIED + 1].tolist():
                named[row] = tuple(np.flatnonzero(given[:, row]).tolist())
        return named

    def _orders(self, given: Flags) -> Iterator[tuple[Flags, Sequence[int]]]:
        """The rows whose sets are tried in the same order, and that order: what is easy to follow first."""
        figures = range(len(self.labels))
        precision = np.zeros(len(self.rows), dtype=bool)
        for each in self.rows.figures:
            if each.score.name == "ppv":
                precision |= each.given
        # the levels are those of the last reading
        last = {
            None: (~self.averaged, {}),
            "micro": (self.averaged & ~precision, AVERAGED["micro"]),
            NEVER: (self.averaged & precision, list(AVERAGED.values())[-1]),
        }
        for rows, scores in last.values():
            levels = [level(scores.get(each.score.name, each.score)) for each in self.rows.figures]
            curved = [i for i in figures if levels[i] == CURVED]
            some = given[curved].any(axis=0) | (self.limited > 0)
            yield rows & some, sorted(figures, key=levels.__getitem__)
            yield rows & ~some, figures


def _averages(rows: Rows, labels: Sequence[str]) -> Flags:
    """The rows whose precision, recall and F1 may be averages over both classes."""
    some, against = (np.zeros(len(rows), dtype=bool) for _ in range(2))
    for each, label in zip(rows.figures, labels, strict=True):
        if each.score.name not in OF_BOTH:
            if of_both(label):
                some |= each.given
            else:
                against |= each.given
    return some & ~against


def _zero(figures: Figures) -> Flags:
    """Where 0 would be printed like the figure."""
    zero: Flags = (figures.low < figures.low_in) & (-figures.high < figures.high_in)
    return zero


def _corners(rows: Rows, instead: dict[int, Score]) -> list[list[Flags]]:
    """For each corner the rows whose figures are those of its matrix, where 0/0 counts as 0."""
    found = []
    for point in rows.points():
        matrix = Matrix.of(*point, rows.p, rows.n)  # type: ignore[arg-type]
        hits = []
        for i, each in enumerate(rows.figures):
            if i in instead:
                ratio = instead[i].ratio
                assert ratio is not None
                hit = replace(each, score=replace(instead[i], terms=ratio)).hit(matrix)
            else:
                hit = each.hit(matrix) | (each.undefined(matrix) & _zero(each))
            hits.append(hit | ~each.given)
        found.append(hits)
    return found


def _at_corner(way: Way, at: Ints, which: Sequence[int]) -> Flags:
    found = np.zeros(len(at), dtype=bool)
    for hits in way.corners:
        found |= np.logical_and.reduce([hits[i][at] for i in which])
    return found
