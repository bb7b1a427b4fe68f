"""Cutting off what the figures of single classes rule out, before anything else.

A row about one cell bounds the ranges of its tp and m directly: its scores rise with tp and fall
with m.  Every cut is found by halving, and its proof is the row itself.
"""

from __future__ import annotations

from scoreproof.proof.classes import Separating
from scoreproof.proof.classes.model import Box, Model, Range, Row, reach, shrunk
from scoreproof.proof.classes.tree import Replayer

Cutting = tuple[tuple[int, int, int], bool, Separating]  # where, whether the part below goes, and why

ROUNDS = 6


def shaved(replayer: Replayer, box: Box, rows: list[Row]) -> tuple[Box, list[Cutting]]:
    """The smaller box and the cuts that lead to it; every cut leaves something."""
    model = replayer.model
    cuts: list[Cutting] = []
    single = [(r, cells.pop()) for r, row in enumerate(rows) if len(cells := row_cells(row)) == 1]
    for _ in range(ROUNDS):
        before = len(cuts)
        for r, i in single:
            for axis in (0, 1):
                for below in (True, False):
                    cut = _cut(model, rows[r], box, i, axis, below)
                    if cut is None:
                        continue
                    sides = replayer.children(box, i, axis, cut)
                    if sides is None:
                        continue
                    gone, left = sides if below else (sides[1], sides[0])
                    if left is None:
                        continue
                    for sign in (1, -1):
                        leaf = Separating(((r, sign),))
                        if gone is None or replayer.holds(gone, leaf, rows):
                            cuts.append(((i, axis, cut), below, leaf))
                            box = left
                            break
        if len(cuts) == before:
            break
    return box, cuts


def row_cells(row: Row) -> set[int]:
    return {*row.affine, *(i for i, _ in row.curved)}


def _cut(model: Model, row: Row, box: Box, i: int, axis: int, below: bool) -> int | None:
    """The largest part of a range, from one end, in which the row misses its interval."""
    a, b, c, d = box[i]
    low, high = (a, b) if axis == 0 else (c, d)

    def missed(cut: int) -> bool:
        part: Range
        if below:
            part = (a, cut, c, d) if axis == 0 else (a, b, c, cut)
        else:
            part = (cut + 1, b, c, d) if axis == 0 else (a, b, cut + 1, d)
        smaller = shrunk(model.cells[i], part)
        if smaller is None:
            return True
        least, most = reach(model, row, (*box[:i], smaller, *box[i + 1 :]))
        inside = row.interval
        return (inside.lo is not None and most < inside.lo) or (inside.hi is not None and least > inside.hi)

    if low == high or not missed(low if below else high - 1):
        return None
    first, last = low, high - 1
    while first < last:
        if below:
            middle = (first + last + 1) // 2
            first, last = (middle, last) if missed(middle) else (first, middle - 1)
        else:
            middle = (first + last) // 2
            first, last = (first, middle) if missed(middle) else (middle + 1, last)
    return first
