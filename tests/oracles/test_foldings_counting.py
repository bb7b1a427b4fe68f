"""The iterator and the counter of foldings, against dealing out positives one by one."""

from __future__ import annotations

import time
from itertools import product

import pytest
from brute_foldings import every_folding

from scoreproof.errors import BadClaim
from scoreproof.question.folds import Folding, Sample, fold_sizes, foldings, legal
from scoreproof.solve.sums.counting import count_foldings


def as_multiset(folds):
    return tuple(sorted((s.p, s.n) for s in folds))


def test_iterator_and_counter_agree():
    for p, n, k in product(range(8), range(8), range(1, 6)):
        listed = list(foldings(p, n, k))
        both = [folds for folds in listed if all(s.p and s.n for s in folds)]
        assert len(listed) == count_foldings(p, n, k, condition="two-folds"), (p, n, k)
        assert len(both) == count_foldings(p, n, k, condition="both-classes"), (p, n, k)
        assert len({as_multiset(f) for f in listed}) == len(listed)


def test_every_legal_folding_is_listed_and_no_other():
    for p, n, k in product(range(6), range(6), range(1, 5)):
        listed = {as_multiset(f) for f in foldings(p, n, k)}
        assert listed == {as_multiset(f) for f in every_folding(p, n, k)}, (p, n, k)
        assert all(legal(Folding(p, n, k), f) for f in foldings(p, n, k))


def test_larger_numbers_agree_with_the_iterator():
    for p, n, k in [(38, 262, 5), (30, 300, 5), (25, 60, 7)]:
        assert sum(1 for _ in foldings(p, n, k)) == count_foldings(p, n, k, condition="two-folds")


def test_counting_does_not_list():
    start = time.perf_counter()
    assert count_foldings(244, 262, 5, condition="both-classes") == 2_616_607
    assert count_foldings(244, 262, 10, condition="any") == 90_654_679_437
    assert time.perf_counter() - start < 1


def test_a_class_in_one_fold_only_is_not_legal():
    assert not legal(Folding(2, 4, 2), [Sample(2, 1), Sample(0, 3)])
    assert legal(Folding(1, 5, 2), [Sample(1, 2), Sample(0, 3)])
    assert not legal(Folding(2, 4, 2), [Sample(1, 3), Sample(1, 1)])  # sizes 4 and 2
    assert not legal(Folding(2, 4, 2), [Sample(1, 2), Sample(1, 2), Sample(0, 0)])


def test_sizes_differ_by_at_most_one():
    assert fold_sizes(244, 262, 5) == ((102, 1), (101, 4))
    assert fold_sizes(2, 3, 5) == ((1, 5),)


def test_nonsense_is_refused():
    with pytest.raises(BadClaim):
        count_foldings(3, 3, 0, condition="any")
    with pytest.raises(BadClaim):
        count_foldings(3, 3, 2, condition="some")  # type: ignore[arg-type]
