"""The columns of a region one by one in plain integers: what ``sweep`` does at once with numpy."""

from __future__ import annotations

from scoreproof.solve.one_matrix.regions import Region


def first_point(region: Region, first: int, last: int) -> tuple[int, int] | None:
    """The highest fitting tn of the first column of first..last that has any."""
    for tp in range(first, last + 1):
        low, high = region.column(tp)
        if low <= high:
            return tp, high
    return None


def count(region: Region, first: int, last: int) -> int:
    """The number of fitting points in the columns first..last."""
    columns = (region.column(tp) for tp in range(first, last + 1))
    return sum(high - low + 1 for low, high in columns if low <= high)
