"""Numbers of choices taken from logarithms enclose the exact ones."""

from __future__ import annotations

import random
from fractions import Fraction as F
from math import comb

from scoreproof.proof.tails import LARGE, _choices


def test_choices_of_many_items_are_enclosed_closely():
    rng = random.Random(1)
    for _ in range(60):
        m = rng.randint(2 * LARGE, 30_000)
        x = rng.randint(LARGE, m - LARGE)
        low, high, exponent = _choices(m, x)
        assert low * F(2) ** exponent <= comb(m, x) <= high * F(2) ** exponent
        assert 0 < (high - low) << 115 < high
