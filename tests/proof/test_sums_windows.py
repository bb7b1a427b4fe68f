"""Windows of large grids: nothing that stays lies outside, and inside is listed what the whole grid lists."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from scoreproof.interval import Interval
from scoreproof.proof.sums.corners import Wide
from scoreproof.proof.sums.grid import Grid, narrowed
from scoreproof.proof.sums.model import EVERYTHING, TN, TP, ZERO, Column, Keep, Option
from scoreproof.scores import ONE

NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "f1|pr", "mcc", "kappa")


def random_option(rng: Random, convention: str) -> Option:
    p, n = rng.choice((0, 1, 2, 5, 9, 14)), rng.choice((0, 1, 3, 6, 11))
    keeps = []
    for name in rng.sample(NAMES, rng.choice((1, 2, 3))):
        low = Fraction(rng.randint(-2, 10), 10)
        high = low + Fraction(rng.randint(0, 8), 10)
        # where an undefined score is impossible, it is always asked to be defined
        needed = convention == "impossible" or rng.random() < 0.3
        interval = rng.choice((Interval(low, high), Interval(low, None), EVERYTHING))
        keeps.append(Keep(name, needed, interval))
    columns = [TP, TN]
    for what in ("value", "square", "defined", "inside"):
        interval = Interval(Fraction(1, 3), None) if what == "inside" else EVERYTHING
        columns.append(
            Column(what, rng.choice(NAMES), Fraction(1, 3) if what in ("value", "square") else ZERO, interval)
        )
    return Option(p, n, tuple(keeps), tuple(columns))


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_a_window_holds_every_point_that_stays(seed: int, quick: bool) -> None:
    rng = Random(f"window {seed}")
    convention = rng.choice(("impossible", "zero", "skip"))
    option = random_option(rng, convention)
    whole = Grid(option, convention, ONE)
    staying = {(tp, tn) for tp, tn in np.argwhere(whole.mask).tolist()}
    window = narrowed(option, ONE) if quick else Wide(option, convention, ONE).root()
    if window is None:
        assert not staying
        return
    a, b, c, d = window
    assert all(a <= tp <= b and c <= tn <= d for tp, tn in staying)
    part = Grid(option, convention, ONE, window)
    assert {(tp, tn) for _, tp, tn in part.points(window)} == staying
    assert part.root() == whole.root()
    at = slice(a, b + 1), slice(c, d + 1)
    for k, (data, width) in enumerate(zip(part.data, part.width, strict=True)):
        # the window may need fewer binary digits than the whole
        scale = whole.units[k] / part.units[k]
        assert scale > 1 or (width, scale) == (whole.width[k], 1)
        assert (data // int(scale) - whole.data[k][at] <= 1).all()
        assert (whole.data[k][at] <= data // int(scale)).all()
    for name in NAMES:
        box = part.root()
        if box is not None:
            assert part.undefined(name, box) == whole.undefined(name, box)
            assert part.score_range(name, box) == whole.score_range(name, box)
