"""Means and deviations over folds against enumeration: every stage alone, both divisors, all conventions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from brute_averages import possible
from campaign import share

from scoreproof import check
from scoreproof.budget import Budget, OutOfBudget
from scoreproof.interval import Interval
from scoreproof.proof.kinds import confirms, replays
from scoreproof.proof.sums.reach import unreachable
from scoreproof.question.evaluate import squared
from scoreproof.question.folds import Folding, Sample, each_size
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES, Matrix
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.sums.decide import ALL, decide

STRAIGHT = ("acc", "sens", "spec", "bacc")
SCORED = ("f1", "ppv", "mcc", "npv", "kappa")
#: Stages that decide on their own, with what they need.
ALONE = (
    {"reach"},
    {"pair"},
    {"lists"},
    {"sums", "pair", "reach"},
    {"range", "hull", "branch", "join"},
    set(ALL),
)
CAMPAIGN, FEW = 5_000, 30


def of(problem: Problem, name: str, matrices: list[Matrix]) -> list[Fraction] | None:
    values = [SCORES[name].value(m, problem.betas) for m in matrices]
    if problem.undefined == "zero":
        values = [Fraction(0) if v is None else v for v in values]
    elif problem.undefined == "skip":
        values = [v for v in values if v is not None]
    return None if None in values or not values else [Fraction(float(v)) for v in values]  # type: ignore[arg-type]


def around(rng: Random, value: float, decimals: int) -> Interval:
    """What a figure printed with so many digits stands for; now and then another figure."""
    unit = Fraction(1, 10**decimals)
    printed = round(Fraction(value) / unit) + rng.choice((0, 0, 0, 0, 1, -1, rng.randint(-9, 9)))
    return Interval((printed - Fraction(1, 2)) * unit, (printed + Fraction(1, 2)) * unit)


def random_problem(seed: int) -> Problem:
    """Two to four small folds, each with printed means and deviations of one to three scores."""
    rng = Random(f"spread {seed}")
    count = rng.choice((2, 3, 3, 4))
    top = {2: 7, 3: 4, 4: 3}[count]
    kinds = [Sample(rng.randint(1, top), rng.randint(1, top)) for _ in range(rng.choice((1, 2)))]
    parts = tuple(rng.choice(kinds) for _ in range(count))
    spread = rng.choice(("sample", "population", "either", "either", "each"))
    draft = Problem(parts, (), rng.choice(("impossible", "impossible", "zero", "skip")), spread)  # type: ignore[arg-type]
    names = rng.sample(STRAIGHT, rng.choice((1, 1, 2))) + rng.sample(SCORED, rng.choice((0, 1, 1)))
    while True:
        matrices = [Matrix.of(rng.randint(0, s.p), rng.randint(0, s.n), s.p, s.n) for s in parts]
        values = {name: of(draft, name, matrices) for name in names}
        if all(row is not None and len(row) > 1 for row in values.values()):
            break
    decimals, equal = rng.choice((1, 2, 3)), (Fraction(1, count),) * count
    targets = []
    for name, row in values.items():
        assert row is not None
        mean = float(sum(row) / len(row))
        divisor = len(row) - (rng.random() < 0.5)
        sd = (sum((float(x) - mean) ** 2 for x in row) / divisor) ** 0.5
        score = SCORES[name]
        targets.append(Target(name, Kind.MEAN, score, around(rng, mean, decimals), equal))
        if rng.random() < 0.85:
            single = tuple((i,) for i in range(count))
            targets.append(Target(f"{name} ±", Kind.SD, score, around(rng, sd, decimals), equal, single))
    return replace(draft, targets=tuple(targets))


def compare(seeds: range) -> dict[str, int]:
    """Every stage alone beside enumeration: no verdict may differ, none may miss its proof."""
    said = dict.fromkeys(("fits", "refuted", "open"), 0)
    for seed in seeds:
        problem = random_problem(seed)
        truth = possible(problem)
        for stages, unlikely in (*((each, False) for each in ALONE), (set(ALL), True)):
            try:
                answer = decide(problem, Budget(2_000_000_000), stages=frozenset(stages), unlikely=unlikely)
            except OutOfBudget:
                continue
            if isinstance(answer, Fits):
                assert truth and confirms(problem, answer.witness), (seed, stages)
            elif isinstance(answer, Refuted):
                assert not truth and replays(problem, answer.certificate), (seed, stages)
            if len(stages) == len(ALL) and not unlikely:
                said[
                    "fits" if isinstance(answer, Fits) else "refuted" if isinstance(answer, Refuted) else "open"
                ] += 1
    return said


def test_no_stage_contradicts_enumeration() -> None:
    said = compare(range(FEW))
    assert min(said["fits"], said["refuted"]) > FEW / 6 and said["open"] <= FEW / 20, said


@pytest.mark.campaign
def test_no_stage_contradicts_enumeration_at_length() -> None:
    print(compare(range(share(CAMPAIGN))))


@pytest.mark.parametrize("seed", range(40))
def test_a_mean_and_a_deviation_are_reached_exactly_if_counts_reach_them(seed: int) -> None:
    """The list of sums and squares is complete and holds nothing else: it decides on its own."""
    rng = Random(f"reach {seed}")
    parts = tuple(Sample(rng.randint(1, 6), rng.randint(1, 3)) for _ in range(rng.choice((2, 3, 4))))[:4]
    parts = tuple(rng.choice(parts[:2]) for _ in parts)
    counts = [rng.randint(0, s.p) for s in parts]
    values = [Fraction(x, s.p) for x, s in zip(counts, parts, strict=True)]
    mean = sum(values) / len(values)
    equal = (Fraction(1, len(parts)),) * len(parts)
    divisor = len(parts) - (spread := rng.random() < 0.5)
    sd = float(sum((v - mean) ** 2 for v in values) / divisor) ** 0.5
    decimals = rng.choice((1, 2, 3, 4))
    targets = (
        Target("sens", Kind.MEAN, SCORES["sens"], around(rng, float(mean), decimals), equal),
        Target(
            "±",
            Kind.SD,
            SCORES["sens"],
            around(rng, sd, decimals),
            equal,
            tuple((i,) for i in range(len(parts))),
        ),
    )
    problem = Problem(parts, targets, spread="sample" if spread else "population")
    window = targets[1].interval
    found = False
    for chosen in product(*(range(s.p + 1) for s in parts)):
        row = [Fraction(x, s.p) for x, s in zip(chosen, parts, strict=True)]
        centre = sum(row) / len(row)
        square = sum((v - centre) ** 2 for v in row) / divisor
        low = max(window.lo or Fraction(0), Fraction(0))
        found = found or (centre in targets[0].interval and low**2 <= square <= window.hi**2 and window.hi >= 0)
    assert unreachable(problem, 1, problem.spread, Budget(10**10)) == (not found and window.hi >= 0)


@pytest.mark.parametrize("seed", range(40))
def test_an_accuracy_over_unknown_folds_is_reached_exactly_if_numbers_of_errors_reach_it(seed: int) -> None:
    """The sizes of the folds are all it depends on, and its complement says the same once more."""
    rng = Random(f"unknown {seed}")
    folding = Folding(rng.randint(2, 6), rng.randint(2, 6), k := rng.choice((2, 3)))
    sizes = each_size(folding.sizes)
    values = [Fraction(rng.randint(0, size), size) for size in sizes]
    mean = sum(values) / k
    sd = float(sum((v - mean) ** 2 for v in values) / k) ** 0.5
    equal, singles = (Fraction(1, k),) * k, tuple((i,) for i in range(k))
    windows = [around(rng, float(mean), 2), around(rng, sd, rng.choice((1, 2, 3))), around(rng, sd, 2)]
    targets = (
        Target("acc", Kind.MEAN, SCORES["acc"], windows[0], equal),
        Target("±", Kind.SD, SCORES["acc"], windows[1], equal, singles),
        Target("± again", Kind.SD, SCORES["acc"], windows[2], equal, singles),
    )
    found = False
    for chosen in product(*(range(size + 1) for size in sizes)):
        row = [Fraction(x, size) for x, size in zip(chosen, sizes, strict=True)]
        centre = sum(row) / k
        square = sum((v - centre) ** 2 for v in row) / k
        found = found or (centre in windows[0] and all(square in squared(w) for w in windows[1:] if squared(w)))
    problem = Problem((), targets, spread="population", foldings=(folding,))
    if all(map(squared, windows)):
        assert unreachable(problem, 1, "population", Budget(10**10)) == (not found)


@pytest.mark.parametrize(("convention", "status"), [("each", "consistent"), ("either", "inconsistent")])
def test_two_figures_that_need_different_divisors(convention: str, status: str) -> None:
    """No single divisor lives, yet the search ends; and only "each" lets every figure have its own."""
    claim = {
        "experiment": {"p": 5, "n": 5, "folds": 5, "aggregate": "mean"},
        "scores": {"sens": "0.8 ± 0.4472", "spec": "0.6 ± 0.4899"},
        "conventions": {"sd": convention, "strict": True},
    }
    assert check(claim).status == status


def test_counts_that_no_list_can_hold_are_left_to_other_stages() -> None:
    parts = (Sample(10**40, 1), Sample(10**40, 1))
    equal = (Fraction(1, 2), Fraction(1, 2))
    half = Interval(Fraction(1, 2), Fraction(1, 2))
    targets = (
        Target("sens", Kind.MEAN, SCORES["sens"], half, equal),
        Target("±", Kind.SD, SCORES["sens"], half, equal, ((0,), (1,))),
    )
    assert not unreachable(Problem(parts, targets, spread="sample"), 1, "sample", Budget(10**9))
