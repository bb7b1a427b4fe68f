"""How large a weighted sum of rows can get in a box: an upper bound in whole numbers.

For integer weights of the rows, every cell adds a·tp + b·m + Σ c·score.  For fixed m this is a
straight line in tp (but for the Jaccard index, which is bounded by itself), so its maximum lies
at the least or the largest tp; all m are looked at.  Coefficients are rounded up to multiples of
1/2^q, which only raises the sum since tp, m >= 0, and quotients are rounded up as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.proof.classes.model import BENT, Box, Cell, Model, Range, Row, Sum, reach
from scoreproof.scores import SCORES, Matrix

Integers = NDArray[np.int64]

#: More predictions than this are not looked at one by one.
MOST_COLUMNS = 2_000_000
#: Whole numbers of the machine stay below this.
ROOM = 61
#: Scores that can be negative, but not below -1.
SIGNED = frozenset({"mk", "kappa"})

#: Products of two counts up to here are whole numbers of the machine.
LARGEST = 2**24

ZERO = Fraction(0)


def separates(model: Model, box: Box, rows: list[Row], weights: Mapping[int, int]) -> bool:
    """Whether the weighted sum of the rows cannot be as large as their intervals ask for."""
    needed, strict = ZERO, False
    affine: dict[int, tuple[Fraction, Fraction]] = {}
    curved: dict[int, dict[str, Fraction]] = {}
    for r, weight in weights.items():
        if not 0 <= r < len(rows):
            return False
        if not weight:
            continue
        row = rows[r]
        end = row.interval.lo if weight > 0 else row.interval.hi
        closed = row.interval.lo_closed if weight > 0 else row.interval.hi_closed
        if end is None:
            return False
        needed += weight * end
        strict = strict or not closed
        for i, (a, b) in row.affine.items():
            one, two = affine.get(i, (ZERO, ZERO))
            affine[i] = (one + weight * a, two + weight * b)
        for (i, name), c in row.curved.items():
            own = curved.setdefault(i, {})
            own[name] = own.get(name, ZERO) + weight * c
    total = ZERO
    for i in affine.keys() | curved.keys():
        a, b = affine.get(i, (ZERO, ZERO))
        total += largest(model, model.cells[i], box[i], a, b, curved.get(i, {}))
    return total < needed or (total == needed and strict)


def columns(cell: Cell, box: Range) -> tuple[Integers, Integers, Integers]:
    """Every m of a range with the least and the largest tp it allows."""
    least, most, low, high = box
    m = np.arange(low, high + 1, dtype=np.int64)
    return m, np.maximum(least, m - (cell.total - cell.n)), np.minimum(most, m)


def largest(
    model: Model, cell: Cell, box: Range, a: Fraction, b: Fraction, curved: Mapping[str, Fraction]
) -> Fraction:
    """At least the maximum of a·tp + b·m + Σ c·score over the range."""
    curved = {name: c for name, c in curved.items() if c}
    if not curved:
        return _corner(cell, box, a, b)
    _, most, low, high = box
    if high - low > MOST_COLUMNS or cell.total > LARGEST or not _fit_in(model, cell, curved):
        return _crude(model, cell, box, a, b, curved)
    m, first, last = columns(cell, box)
    ends: list[Any] = [
        Matrix(tp, m - tp, cell.n - tp, cell.total - cell.n - m + tp)  # type: ignore[arg-type]
        for tp in (first, last)
    ]
    terms: dict[str, list[Any]] = {
        name: [SCORES[name].terms(end, model.betas) for end in ends] for name in curved
    }
    bits = max(int(np.abs(up).max()).bit_length() for each in terms.values() for up, _ in each)
    size = max(abs(c) for c in curved.values())
    size = max(size, (abs(a) * most + abs(b) * high) / (1 << bits))
    q = ROOM - 3 - bits - (int(size) + 1).bit_length()
    if q < 8:
        return _crude(model, cell, box, a, b, curved)
    scale = 1 << q

    def whole(x: Fraction) -> int:
        return -((-x.numerator * scale) // x.denominator)

    sums = [whole(a) * tp + whole(b) * m for tp in (first, last)]
    bent = np.zeros_like(m)
    for name, c in curved.items():
        factor = whole(c)
        values = [_quotient(factor, up, down) + (name in SIGNED) for up, down in terms[name]]
        if name in BENT:
            bent = bent + np.maximum(*values)
        else:
            sums = [each + value for each, value in zip(sums, values, strict=True)]
    inside = first <= last
    return Fraction(int((np.maximum(*sums) + bent)[inside].max()), scale)


def _crude(
    model: Model, cell: Cell, box: Range, a: Fraction, b: Fraction, curved: Mapping[str, Fraction]
) -> Fraction:
    """The same for ranges that are too long, each score bounded by itself."""
    alone = Sum()
    alone.curved = {(0, name): c for name, c in curved.items()}
    return _corner(cell, box, a, b) + reach([cell], model.betas, alone, (box,))[1]


def _fit_in(model: Model, cell: Cell, curved: Mapping[str, Fraction]) -> bool:
    """Whether the terms of F-measures with an odd beta are whole numbers of the machine, too."""
    squares = [model.betas.positive] * ("fbp" in curved) + [model.betas.negative] * ("fbn" in curved)
    return all(4 * (x.numerator + x.denominator) * cell.total < 1 << (ROOM - 13) for x in squares)


def _quotient(factor: int, up: Integers, down: Integers) -> Integers:
    """factor·up/down rounded up; what is undefined counts as 0."""
    safe = np.where(down == 0, 1, down)
    found: Integers = np.where(down == 0, 0, -((-factor * up) // safe))
    return found


def _corner(cell: Cell, box: Range, a: Fraction, b: Fraction) -> Fraction:
    """The exact maximum of a·tp + b·m, at a corner of the polygon."""
    least, most, low, high = box
    rest = cell.total - cell.n
    found = []
    for m in {low, high, least, most, least + rest, most + rest}:
        if low <= m <= high:
            first, last = max(least, m - rest), min(most, m)
            if first <= last:
                found += [a * first + b * m, a * last + b * m]
    return max(found)
