"""The engine for unknown foldings against plain enumeration of folds and matrices."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from asking import ALL, Fits, Open, Refuted, confirms_parts, decide, from_dict, replay, written
from brute_foldings import every_folding, folded, possible, possible_by_sums, possible_plainly, size
from campaign import share
from claims_averages import figure, window

from scoreproof.interval import Interval
from scoreproof.question.folds import Folding, Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES, Betas, Matrix

LINEAR = ("acc", "acc", "sens", "spec", "bacc", "bm")
OTHERS = tuple(name for name in SCORES if name not in LINEAR)
# the largest p + n that enumeration can stand, by number of folds and of repeats
LARGEST = {(2, 1): 14, (3, 1): 13, (4, 1): 12, (5, 1): 11, (2, 2): 8, (3, 2): 7, (4, 2): 6, (5, 2): 6}


def random_loose(rng: Random, extras: bool) -> Problem:
    """A small claim with unknown foldings; ``extras`` brings sd, min, max, pooled and more."""
    k, repeats = rng.randint(2, 5), rng.choice((1, 1, 2))
    top = LARGEST[k, repeats] - (4 if extras and repeats == 1 else 2 if extras else 0)
    total = rng.randint(min(k, top), max(k, top))
    p = rng.randint(0 if rng.random() < 0.1 else 1, total - (rng.random() > 0.1))
    foldings = (Folding(p, total - p, k),) * repeats
    if rng.random() < 0.1 and repeats == 2:
        foldings = (foldings[0], Folding(rng.randint(1, 3), rng.randint(1, 3), 2))
    fixed = (Sample(rng.randint(1, 2), rng.randint(1, 3)),) if rng.random() < 0.1 else ()
    count = len(fixed) + sum(f.k for f in foldings)
    equal = (Fraction(1, count),) * count
    draft = folded(
        fixed,
        foldings,
        (),
        rng.choice(("impossible", "impossible", "zero", "skip")),
        rng.choice(("sample", "population", "either", "each")),
        Betas(Fraction(rng.choice((1, 4, Fraction(1, 4)))), Fraction(rng.choice((1, 4)))),
    )
    names = LINEAR if rng.random() < 0.5 else LINEAR + OTHERS
    targets = []
    for number in range(rng.choice((1, 2, 3, 3, 4))):
        kind = Kind.MEAN
        if extras and (number == 0 or rng.random() < 0.3):
            kind = rng.choice((Kind.SD, Kind.MIN, Kind.MAX, Kind.MEDIAN, Kind.EACH, Kind.POOLED, Kind.OF_MEANS))
        name = rng.choice(("f1", "f1n", "fbp", "fbn") if kind is Kind.OF_MEANS else names)
        weights, clusters = equal, ()
        if rng.random() < 0.08:
            first = len(fixed) + foldings[0].k  # only the first repeat is meant
            weights = tuple(Fraction(int(i < first), first) for i in range(count))
        if kind is Kind.SD:
            clusters = tuple((i,) for i in range(count))
            if len(foldings) == 2 and not fixed and rng.random() < 0.4:
                clusters = (tuple(range(foldings[0].k)), tuple(range(foldings[0].k, count)))
        targets.append(Target(f"t{number}", kind, SCORES[name], Interval(None, None), weights, clusters))
    for _ in range(30):  # folds and matrices for which every figure exists, if easily found
        folds = tuple(rng.choice(every_folding(f.p, f.n, f.k) or [()]) for f in foldings)
        problem = draft.with_folds(folds)
        if len(problem.parts) < count:
            values = [None] * len(targets)
            break
        matrices = [Matrix.of(rng.randint(0, s.p), rng.randint(0, s.n), s.p, s.n) for s in problem.parts]
        values = [figure(problem, target, matrices) for target in targets]
        if None not in values:
            break
    honest = rng.random() < 0.4
    return replace(
        draft,
        targets=tuple(
            replace(target, interval=window(rng, value, honest))
            for target, value in zip(targets, values, strict=True)
        ),
    )


def check(loose: Problem, truth: bool, stages: frozenset[str] = ALL) -> str:
    """What the engine says; no verdict may contradict the truth, none goes unproven."""
    # sampling alone cannot say "inconsistent", so it is given little work
    answer = decide(loose, stages=stages, work=1e8 if stages == {"hull", "sample"} else 8e9)
    match answer:
        case Fits(witness):
            assert truth, loose
            assert confirms_parts(loose, witness)
        case Refuted(certificate):
            assert not truth, (loose, certificate)
            assert replay(loose, from_dict(written(certificate)))
        case Open(reason):
            assert reason
    return type(answer).__name__


def compare(cases: int, seed: int, stages: frozenset[str] = ALL) -> Counter[str]:
    rng = Random(seed)
    said: Counter[str] = Counter()
    while said.total() < cases:
        loose = random_loose(rng, extras=said.total() % 4 == 0)
        if size(loose) > (3_000 if any(t.kind is not Kind.MEAN for t in loose.targets) else 100_000):
            continue
        said[check(loose, possible(loose), stages)] += 1
    return said


WITHOUT = [
    frozenset({"sums", "hull", "errors", "branch"}),
    frozenset({"hull", "sample"}),
    frozenset({"range", "branch", "join"}),
]


def test_no_verdict_contradicts_enumeration():
    said = compare(50, seed=1)
    assert said["Open"] <= 3


@pytest.mark.parametrize("stages", WITHOUT, ids=lambda s: "+".join(sorted(s)))
def test_no_stage_alone_contradicts_enumeration(stages):
    compare(10, seed=2, stages=stages)


def test_the_two_enumerations_agree():
    rng = Random(5)
    seen = 0
    while seen < 30:
        loose = random_loose(rng, extras=False)
        if size(loose) <= 2_000:
            seen += 1
            assert possible_by_sums(loose) == possible_plainly(loose)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3, 9))
def test_no_verdict_contradicts_enumeration_at_length(seed):
    said = compare(share(300), seed=seed)
    assert said["Open"] <= 6


@pytest.mark.campaign
@pytest.mark.parametrize("stages", WITHOUT, ids=lambda s: "+".join(sorted(s)))
def test_no_stage_alone_contradicts_enumeration_at_length(stages):
    compare(share(300), seed=11, stages=stages)
