"""Counting lattice points under straight lines, exactly and in logarithmic time."""

from __future__ import annotations


def floor_sum(count: int, modulus: int, slope: int, offset: int) -> int:
    """``Σ floor((slope·i + offset)/modulus)`` for i = 0 … count-1; modulus > 0.

    >>> floor_sum(4, 3, 2, 1)  # 0 + 1 + 1 + 2
    4
    """
    total = 0
    while count > 0:
        whole, slope = divmod(slope, modulus)
        total += whole * (count * (count - 1) // 2)
        whole, offset = divmod(offset, modulus)
        total += whole * count
        # Now 0 <= slope, offset < modulus: exchange the roles of the two axes.
        count, offset = divmod(slope * count + offset, modulus)
        modulus, slope = slope, modulus
    return total


def points_between(first: int, last: int, low: tuple[int, int, int], high: tuple[int, int, int]) -> int:
    """How many integers y satisfy low <= y <= high, summed over x = first … last.

    A line (s, t, m) stands for ``(s·x + t)/m`` with m > 0.  The caller promises that the
    lower line nowhere runs above the upper one on the range.
    """
    count = last - first + 1
    s, t, m = high
    floors = floor_sum(count, m, s, s * first + t)
    s, t, m = low
    # ceil(z/m) = -floor(-z/m)
    ceilings = -floor_sum(count, m, -s, -(s * first + t))
    return floors - ceilings + count
