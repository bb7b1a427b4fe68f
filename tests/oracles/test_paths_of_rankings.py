"""Rankings by the negatives above each positive; claims about areas and average precisions of drawn ones."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations_with_replacement
from random import Random
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from brute_rankings import auc_by_pairs, average_precision

import scoreproof
from scoreproof.interval import Interval
from scoreproof.proof.ranking.chains import bounds
from scoreproof.solve.ranking.paths import PLACES, paths, places, towards

Groups = tuple[tuple[int, int], ...]
#: Thresholds, positives and negatives: none and one, few items and so many that some positives share a place.
SIZES: tuple[tuple[tuple[tuple[int, int], ...], int, int], ...] = (
    ((), 1, 1),
    ((), 1, 5),
    ((), 5, 1),
    ((), 7, 9),
    (((0, 9),), 7, 9),
    (((5, 6),), 7, 9),
    (((4, 2), (2, 7)), 7, 9),
    ((), 700, 40),
    (((350, 30),), 700, 40),
)


@pytest.mark.parametrize(("chain", "p", "n"), SIZES)
def test_every_path_has_its_thresholds_area_and_precision(chain: Any, p: int, n: int) -> None:
    ordered = tuple(sorted(chain))
    low, high = bounds(ordered, p, n)
    rng = Random(f"{chain} {p} {n}")
    for doubled in {2 * low, 2 * high, *(rng.randint(2 * low, 2 * high) for _ in range(6))}:
        found = paths(places(ordered, p, n), doubled)
        for row in range(0, len(found.above), max(1, len(found.above) // 5)):
            ranking = found.ranking(row)
            assert sum(a for a, _ in ranking.groups) == p and sum(b for _, b in ranking.groups) == n
            assert ranking.auc == F(doubled, 2 * p * n)
            assert abs(float(average_precision(ranking.groups)) - found.precisions[row]) < 1e-9
            cells = [ranking.matrix(cut) for cut in ranking.thresholds]
            assert [(m.tp, m.tn) for m in cells] == list(ordered)


def test_paths_of_few_items_are_all_rankings_without_ties() -> None:
    p, n = 5, 4
    for doubled in range(0, 2 * p * n + 1, 2):
        every = {
            sum(F(i + 1, i + 1 + f) for i, f in enumerate(above)) / p
            for above in combinations_with_replacement(range(n + 1), p)
            if sum(above) == p * n - doubled // 2
        }
        assert len(paths(places((), p, n), doubled).above) == len(every)


@pytest.mark.parametrize("seed", range(8))
def test_the_average_precision_of_a_drawn_ranking_is_come_near(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, n = (int(each) for each in rng.integers(20, PLACES * 2, 2))
    ranking = drawn(rng, p, n)
    doubled, precision = int(auc_of(ranking) * 2 * p * n), average_precision(ranking)
    near = Interval(precision - F(1, 20_000), precision + F(1, 20_000))
    found = next(iter(towards(places((), p, n), doubled, near)))
    assert auc_by_pairs(found.groups) == F(doubled, 2 * p * n) and average_precision(found.groups) in near


def drawn(rng: np.random.Generator, p: int, n: int, apart: float = 1.5) -> Groups:
    """A ranking by normal scores, without ties."""
    scores = [*rng.normal(apart, 1, p), *rng.normal(0, 1, n)]
    order = sorted(range(p + n), key=lambda i: -scores[i])
    return tuple((1, 0) if i < p else (0, 1) for i in order)


def auc_of(ranking: Groups) -> F:
    above = pairs = 0
    for a, b in ranking:
        above, pairs = above + a, pairs + b * above
    return F(pairs, above * sum(b for _, b in ranking))


def stratified(p: int, n: int, k: int) -> list[tuple[int, int]]:
    return [(p // k + (i < p % k), n // k + (i < n % k)) for i in range(k)]


@pytest.mark.parametrize(
    ("p", "n", "k", "known"), [(97, 111, 10, True), (38, 262, 5, True), (40, 40, 4, False)]
)
def test_areas_and_precisions_of_drawn_folds_are_found(p: int, n: int, k: int, known: bool) -> None:
    for seed in range(3):
        rng = np.random.default_rng([p, n, k, seed])
        rankings = [drawn(rng, *size, 1 + seed) for size in stratified(p, n, k)]
        scores = {}
        for name, value in (("auc", auc_of), ("ap", average_precision)):
            own = [float(value(each)) for each in rankings]
            scores[name] = f"{mean(own):.3f} ± {stdev(own):.3f}"
        experiment = {"p": p, "n": n, "folds": k, "aggregate": "mean"} | ({"stratified": True} if known else {})
        verdict = scoreproof.check({"experiment": experiment, "scores": scores})
        assert verdict.status == "consistent" and scoreproof.verify(verdict) is True, (scores, verdict.reason)


@pytest.mark.parametrize("known", [True, False])
def test_areas_and_matrices_of_drawn_folds_are_found(known: bool) -> None:
    for seed in range(3):
        rng = np.random.default_rng([7, seed])
        values: dict[str, list[float]] = {"auc": [], "sens": [], "spec": []}
        for p, n in stratified(60, 90, 10):
            ranking = drawn(rng, p, n)
            cut = int(rng.integers(p - 2, p + 3))
            tp = sum(a for a, _ in ranking[:cut])
            values["auc"].append(float(auc_of(ranking)))
            values["sens"].append(tp / p)
            values["spec"].append(1 - (cut - tp) / n)
        scores = {name: f"{mean(own):.4f} ± {stdev(own):.4f}" for name, own in values.items()}
        experiment = {"p": 60, "n": 90, "folds": 10, "aggregate": "mean"} | (
            {"stratified": True} if known else {}
        )
        verdict = scoreproof.check({"experiment": experiment, "scores": scores})
        assert verdict.status == "consistent" and scoreproof.verify(verdict) is True, (scores, verdict.reason)
