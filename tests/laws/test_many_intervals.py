"""Confidence intervals of many rows at once are by the methods that the exact comparison says."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from scipy.stats import beta

import scoreproof
from scoreproof.frames.verdicts import _judge_row
from scoreproof.interval import Interval
from scoreproof.proof.confidence import proportion_fits
from scoreproof.scores import SCORES, Matrix
from scoreproof.solve.one_matrix.many_intervals import ENDS, LEVEL, WAYS, Limits, _methods
from scoreproof.solve.one_matrix.many_rows import Figures


def ends(rng, method, x, m):
    """The interval as programs print it, cut off at 0 and 1 or not."""
    if method in ENDS and (0 < x < m or method != "logit"):
        low, high = (
            float(end) for end in ENDS[method](np.float64(x), np.float64(m), rng.choice((1.96, 1.959963985)))
        )
        return (low, high) if rng.random() < 0.3 else (max(low, 0.0), min(high, 1.0))
    more = (0, 1) if method == "clopper-pearson" else (0.5, 0.5)
    low = 0.0 if x == 0 else beta.ppf(0.025, x + more[0], m - x + more[1])
    return low, 1.0 if x == m else beta.ppf(0.975, x + more[1], m - x + more[0])


def figures(units, scale):
    units, every = np.array(units), np.ones(len(units), dtype=bool)
    return Figures(SCORES["sens"], every, 2 * units - 1, 2 * units + 1, every, every, 2 * np.array(scale))


def test_the_methods_of_an_interval_are_those_of_the_exact_comparison():
    rng = random.Random(3)
    rows = []
    for _ in range(700):
        m = rng.choice((1, 2, 7, 40, 300, 5000))
        x = rng.choice((rng.randint(0, m), rng.randint(0, m), 0, m, m // 2))
        digits = rng.randint(1, 6)
        low, high = (round(end * 10**digits) for end in ends(rng, rng.choice(WAYS), x, m))
        rows.append((x, m, low + rng.choice((0, 0, 0, -1, 1)), high + rng.choice((0, 0, 0, -1, 1)), 10**digits))
    x, m, low, high, scale = zip(*rows, strict=True)
    limits = Limits(0, figures(low, scale), figures(high, scale))
    found = _methods(np.array(x), np.array(m), limits, np.full(len(rows), (1 << len(WAYS)) - 1))
    for bits, (x, m, low, high, scale) in zip(found.tolist(), rows, strict=True):
        printed = [
            Interval(Fraction(2 * end - 1, 2 * scale), Fraction(2 * end + 1, 2 * scale)) for end in (low, high)
        ]
        exact = [name for name in WAYS if proportion_fits(name, x, m, tuple(printed), LEVEL)]
        assert [name for bit, name in enumerate(WAYS) if bits >> bit & 1] == exact, (x, m, low, high, scale)


def some_rows(rng, names, digits, largest, count):
    """Rows with intervals by one method, some with a figure or an end moved, or without it."""
    method, between = rng.choice(WAYS), rng.choice(("-", "–", " to ", ", "))
    rows = []
    for _ in range(count):
        p, n = rng.randint(1, largest), rng.randint(1, largest)
        tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
        row = {"p": p, "n": n}
        for name in names:
            value = SCORES[name].value(Matrix.of(tp, tn, p, n))
            units = 0 if value is None else round(float(value) * 10**digits) + rng.choice((0,) * 9 + (-1, 1))
            units = min(max(units, 0), 10**digits)
            text = f"{units / 10**digits:.{digits}f}"
            x, m = {"sens": (tp, p), "spec": (tn, n), "acc": (tp + tn, p + n)}.get(name, (0, 0))
            if m and rng.random() < 0.8:
                low, high = (round(end * 10**digits) for end in ends(rng, method, x, m))
                low = max(0, low - rng.choice((0,) * 15 + (1, 5)))
                high = min(10**digits, high)
                text += f" ({low / 10**digits:.{digits}f}{between}{high / 10**digits:.{digits}f})"
            row[name] = rng.choice(("", *[text] * 9))
        if any(row[name] for name in names):
            rows.append(row)
    return rows


@pytest.mark.parametrize(
    ("rounding", "strict", "count"),
    [(None, False, 40), ("any", False, 20), ("half-even", False, 20), (None, True, 4)],
)
def test_rows_with_intervals_have_the_cells_of_the_single_check(rounding, strict, count):
    rng = random.Random(f"{rounding} {strict}")
    consistent = 0
    for names in (("sens", "spec"), ("acc", "sens", "spec", "f1", "mcc"), ("sens", "spec", "npv", "kappa")):
        rows = some_rows(rng, names, rng.choice((2, 3, 4)), rng.choice((9, 60, 400)), count)
        options = {"rounding": rounding, "conventions": {"strict": True} if strict else None, "timeout": None}
        frame = pl.DataFrame(rows)
        verdicts = scoreproof.row_verdicts(frame, **options)
        for at, row in enumerate(scoreproof.check_frame(frame, **options).rows()):
            cells = tuple(_judge_row(verdicts.layout, verdicts.settings, verdicts.stretch(at, 1).row(0), None))
            assert row[-5:] == cells, (rows[at], options)
            consistent += cells[0] == "consistent"
    assert consistent >= count


def test_an_interval_that_some_reading_does_without_is_no_part_of_a_conflict():
    """The figures alone clash, whatever the method of their intervals."""
    scores = {"acc": "0.8535 (0.8147 to 0.8852)", "sens": "0.6216 (0.5282 to 0.7068)",
              "spec": "0.9460 (0.9124 to 0.9672)", "f1": "0.7077", "mcc": "0.6229"}  # fmt: skip
    verdict = scoreproof.check({"experiment": {"p": 111, "n": 278}, "scores": scores})
    assert verdict.status == "inconsistent" and verdict.conflict == ("acc", "mcc")
