"""The directions of straight rows: orthogonal to each choice of vectors that leaves just one, in order."""

from __future__ import annotations

from itertools import combinations
from math import gcd

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreproof.solve.sums.linear import _normals

NUMBERS = st.sampled_from([-3, -1, 0, 0, 0, 1, 1, 2, 5, 10**20])


def by_minors(vectors: list[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
    """The cross product of every choice, its smallest multiple in whole numbers, the first entry above 0."""
    found = []
    for chosen in combinations(vectors, count - 1):
        minors = [(-1) ** k * determinant([v[:k] + v[k + 1 :] for v in chosen]) for k in range(count)]
        if any(minors):
            common = gcd(*minors) * (1 if next(filter(None, minors)) > 0 else -1)
            found.append(tuple(x // common for x in minors))
    return found


def determinant(rows: list[tuple[int, ...]]) -> int:
    first, rest = rows[0], rows[1:]
    if not rest:
        return first[0]
    return sum((-1) ** k * x * determinant([r[:k] + r[k + 1 :] for r in rest]) for k, x in enumerate(first))


@given(
    st.integers(2, 5).flatmap(
        lambda count: st.lists(
            st.lists(NUMBERS, min_size=count, max_size=count).map(tuple), min_size=count - 1, max_size=7
        )
    )
)
@settings(max_examples=400, deadline=None)
def test_they_are_those_of_the_minors(vectors: list[tuple[int, ...]]) -> None:
    count = len(vectors[0])
    assert list(_normals(vectors, [], count - 1)) == by_minors(vectors, count)
