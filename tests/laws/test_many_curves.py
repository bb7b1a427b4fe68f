"""Frontiers of many rows at once are those of each row, whatever the score, the figure and the column."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from scoreproof.scores import ONE, ROWS, Matrix
from scoreproof.solve.one_matrix import many_curves
from scoreproof.solve.one_matrix.frontier import at_least
from scoreproof.solve.one_matrix.many_curves import curve
from scoreproof.solve.one_matrix.many_rows import COARSE, CURVES, LINES, SMALL_COUNT, SMALLER_COUNT, Figures

AVERAGED = ("f1|macro", "f1|weighted", "ppv|macro", "ppv|weighted")
NAMES = [*sorted(LINES | CURVES), *AVERAGED]
SIZES = (3, 12, 300, 5000, SMALLER_COUNT)


def some_ends(rng, name, count):
    """Ends of figures: of random ones, of those of a matrix, and now and then exactly at a matrix."""
    rows = []
    while len(rows) < count:
        size = rng.choice(SIZES)
        p, n = rng.randint(1, size - 1), rng.randint(1, size - 1)
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        digits = rng.randint(1, 6)
        scale = 2 * 10**digits
        value = ROWS[name].value(Matrix.of(tp, tn, p, n))
        if value is None or rng.random() < 0.1:
            low = rng.randint(-scale // 4, scale + 2)
        elif rng.random() < 0.2 and isinstance(value, Fraction) and value.denominator <= COARSE:
            low, scale = value.numerator, value.denominator
        else:
            low = round(float(value) * scale) + rng.choice((-2, -1, -1, 0, 0, 1, 1, 2))
        rows.append((p, n, low, scale, rng.random() < 0.5, tp, tn))
    return rows


def arrays(rows):
    return [np.array(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_every_column_begins_where_the_single_frontier_says(name, monkeypatch):
    rng = random.Random(name)
    rows = some_ends(rng, name, 1500)
    p, n, low, scale, strict, tp, tn = arrays(rows)
    score = ROWS[name]
    both = curve(score, low, scale, strict, p, n)
    asked = []
    real = many_curves.End.column
    monkeypatch.setattr(many_curves.End, "column", lambda *args: asked.append(args) or real(*args))
    for flipped, here, length, breadth, near in ((False, both, p, n, tp), (True, both.flip(), n, p, tn)):
        x = np.array(
            [
                rng.choice((rng.randint(0, most), at))
                for most, at in zip(length.tolist(), near.tolist(), strict=True)
            ]
        )
        sides = np.sort(
            [[rng.choice((0, rng.randint(0, int(each)), int(each))) for _ in "ab"] for each in breadth]
        )
        first, last = sides[:, 0], sides[:, 1]
        found = here.column(x.astype(float), first.astype(float), last.astype(float))
        for i in range(len(rows)):
            # where a class is never called the score may be undefined, and no bound says anything
            points = [(int(x[i]), int(y[i])) for y in (first, last)]
            matrices = [Matrix.of(*(point[::-1] if flipped else point), *rows[i][:2]) for point in points]
            if not all(score.terms(matrix, ONE)[1] for matrix in matrices):
                continue
            one = at_least(score, Fraction(rows[i][2], rows[i][3]), rows[i][4], rows[i][0], rows[i][1], ONE)
            one = one.flipped if flipped else one
            assert found[i] == one.column(int(x[i]), int(first[i]), int(last[i])), (rows[i], x[i], flipped)
    assert len(asked) < 0.1 * len(rows)  # floats leave few in doubt


@pytest.mark.parametrize("name", NAMES)
def test_a_score_lies_below_within_or_above_its_figure_as_it_does_in_fractions(name):
    rng = random.Random(name)
    rows = some_ends(rng, name, 1500)
    p, n, low, scale, closed, tp, tn = arrays(rows)
    every = np.ones(len(rows), dtype=bool)
    figures = Figures(ROWS[name], every, low, low + 2, closed, ~closed, scale)
    matrix = Matrix.of(tp, tn, p, n)
    below, above, missed = figures.below(matrix), figures.above(matrix), figures.missed(matrix)
    for i, (p, n, low, scale, closed, tp, tn) in enumerate(rows):
        score, matrix = ROWS[name], Matrix.of(tp, tn, p, n)
        ends = [score.order(matrix, Fraction(end, scale)) for end in (low, low + 2)]
        if ends[0] is None:
            assert missed[i] and not below[i] and not above[i]
            continue
        small, large = ends[0] < 0 or (ends[0] == 0 and not closed), ends[1] > 0 or (ends[1] == 0 and closed)
        assert (below[i], above[i], missed[i]) == (small, large, small or large), rows[i]


@pytest.mark.parametrize("name", NAMES)
def test_no_coefficient_is_rounded_before_it_is_a_float(name):
    """The polynomials of arrays are those of Python's integers up to the largest counts."""
    largest = SMALL_COUNT if ROWS[name].linear else SMALLER_COUNT
    counts = [(p, n) for p in (1, 2, largest - 1) for n in (1, 2, largest - 1)]
    p, n = (np.array(each) for each in zip(*counts, strict=True))
    found = ROWS[name].polynomials(p, n, ONE)
    for i, one in enumerate(counts):
        exact = ROWS[name].polynomials(*one, ONE)
        got = tuple(tuple(int(np.broadcast_to(each, p.shape)[i]) for each in side) for side in found)
        assert got == exact
