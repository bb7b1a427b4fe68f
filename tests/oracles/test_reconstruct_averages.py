"""Ranges over averages against plain enumeration of all choices of matrices."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from random import Random

import pytest
from brute_averages import CLOSE, every_choice, hit, mean_of, scores_of
from brute_foldings import every_choice_of_folds, every_folding, folded
from campaign import share
from claims_averages import NAMES, figure, random_problem, window

import scoreproof
from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.kinds import confirms
from scoreproof.proof.witness import Witness
from scoreproof.question.folds import Folding
from scoreproof.question.question import Kind, Target
from scoreproof.scores import SCORES, Matrix
from scoreproof.solve.ranges.all_sums import spans
from scoreproof.solve.ranges.asking import Climb

ANYTHING = Interval(None, None)
READING = scoreproof.load({"experiment": {"p": 1, "n": 1}, "scores": {"acc": "1"}}).readings()[0]


def enumerated(problem, aims):
    """A choice that fits (or None), and the smallest and largest mean of each aim."""
    first, ends = None, {}
    for matrices in every_choice(problem):
        if not hit(problem, matrices):
            continue
        first = first or tuple(matrices)
        for label, aim in aims.items():
            rows = scores_of(problem, aim.score.name, matrices, aim.weights)
            if rows is not None:
                value = mean_of(rows)
                low, high = ends.get(label, (value, value))
                ends[label] = min(low, value), max(high, value)
    return first, ends


def some_aims(rng, problem):
    count = len(problem.parts)
    equal = (F(1, count),) * count
    return {name: Target(name, Kind.MEAN, SCORES[name], ANYTHING, equal) for name in rng.sample(NAMES, 3)}


def near(value, wanted):
    low, high = (value, value) if isinstance(value, F) else value.enclosure(200)
    return low - F(1, 10**14) <= wanted <= high + F(1, 10**14)


def check_span(problem, aim, span, ends, said):
    """Both ends hold all enumerated values, what is called exact is, and witnesses fit."""
    if ends is None:
        assert span is None or (span.low.reached is None and span.high.reached is None), (problem, aim)
        return
    assert span is not None, (problem, aim)
    for end, truth, sign in ((span.low, ends[0], -1), (span.high, ends[1], 1)):
        assert end.bound is None or (truth - end.bound) * sign <= CLOSE, (problem, aim)
        if end.parts is not None:
            assert confirms(problem, Witness(end.parts)), (problem, aim)
        said["exact" if end.exact else "bounded"] += 1
        if end.exact:
            assert near(end.bound, truth), (problem, aim, sign)


def compare(cases, seed, climbing):
    """How many ends were exact, each compared with enumeration."""
    rng = Random(seed)
    said: Counter[str] = Counter()
    while sum(said.values()) < cases:
        problem = random_problem(rng, extras=climbing and rng.random() < 0.3)
        aims = some_aims(rng, problem)
        start, ends = enumerated(problem, aims)
        if start is None:
            continue
        if climbing:
            for label, aim in list(aims.items())[:1]:
                found = Climb(problem, aim, start, Budget()).span()
                check_span(problem, aim, found, ends.get(label), said)
            continue
        for label, found in spans(problem, aims, start, 0, Budget()).items():
            check_span(problem, aims[label], found, ends.get(label), said)
    return said


def test_joined_halves_give_the_enumerated_ends():
    said = compare(60, seed=1, climbing=False)
    assert said["exact"] > 0.97 * sum(said.values()), said


def test_asking_above_and_below_gives_the_enumerated_ends():
    said = compare(8, seed=2, climbing=True)
    assert said["exact"] > 0.8 * sum(said.values()), said


def some_loose(rng):
    """A small claim about unknown folds that some folding gives."""
    k = rng.choice((2, 3))
    total = rng.randint(k, 8 if k == 2 else 7)
    folding = Folding(rng.randint(1, total - 1), 0, k)
    folding = Folding(folding.p, total - folding.p, k)
    folds = rng.choice(every_folding(folding.p, folding.n, k))
    matrices = [Matrix.of(rng.randint(0, s.p), rng.randint(0, s.n), s.p, s.n) for s in folds]
    equal = (F(1, k),) * k
    draft = folded((), (folding,), (), rng.choice(("impossible", "zero")))
    targets = []
    for name in rng.sample(("acc", "acc", "sens", "spec", "ppv", "f1"), 2):
        target = Target(name, Kind.MEAN, SCORES[name], ANYTHING, equal)
        value = figure(draft.with_folds((folds,)), target, matrices)
        if value is not None:
            targets.append(replace(target, interval=window(rng, value, True)))
    return replace(draft, targets=tuple(targets))


def compare_unknown_folds(cases, seed):
    rng = Random(seed)
    said: Counter[str] = Counter()
    while sum(said.values()) < cases:
        loose = some_loose(rng)
        k = loose.foldings[0].k
        aims = {
            name: Target(name, Kind.MEAN, SCORES[name], ANYTHING, (F(1, k),) * k)
            for name in rng.sample(NAMES, 3)
        }
        first, ends = None, {}
        for (folds,) in every_choice_of_folds(loose):
            start, here = enumerated(loose.with_folds((folds,)), aims)
            first = first or start
            for label, (low, high) in here.items():
                known = ends.get(label, (low, high))
                ends[label] = min(low, known[0]), max(high, known[1])
        if first is None:
            continue
        for label, found in spans(loose, aims, first, 0, Budget()).items():
            check_span(loose, aims[label], found, ends.get(label), said)
    return said


def test_unknown_folds_give_the_enumerated_ends():
    said = compare_unknown_folds(60, seed=5)
    assert said["exact"] > 0.97 * sum(said.values()), said


@pytest.mark.campaign
def test_unknown_folds_give_the_enumerated_ends_at_length():
    compare_unknown_folds(share(600), seed=6)


@pytest.mark.campaign
@pytest.mark.parametrize("climbing", [False, True], ids=["joined", "asked"])
def test_ranges_over_averages_equal_enumeration_at_length(climbing):
    compare(share(250 if climbing else 1000), seed=3 + climbing, climbing=climbing)
