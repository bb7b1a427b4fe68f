"""Families of matrices over unknown folds against enumeration: what they find fits, and they miss little."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest
from campaign import share

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.folds import Folding, Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES, Matrix
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.spread import lists
from scoreproof.solve.sums.spread.lists import Lists

FOLDS, FEW, CAMPAIGN = 4, 12, 400
NAMES = ("acc", "f1", "sens", "spec")
WORK = 3_000_000_000


def every(size: int) -> list[Matrix]:
    """All matrices of a fold of this size in which every score is defined."""
    found = [
        Matrix.of(tp, tn, p, size - p)
        for p in range(1, size)
        for tp in range(p + 1)
        for tn in range(size - p + 1)
    ]
    return [m for m in found if all(SCORES[name].value(m) is not None for name in NAMES)]


def around(value: float, decimals: int) -> Interval:
    unit = Fraction(1, 10**decimals)
    printed = round(Fraction(value) / unit)
    return Interval((printed - Fraction(1, 2)) * unit, (printed + Fraction(1, 2)) * unit)


def random_problem(seed: int) -> tuple[Problem, int]:
    """Means and deviations over four unknown folds of one size, as printed or with one of them moved."""
    rng = Random(f"families {seed}")
    size = rng.choice((4, 5))
    drawn = [rng.choice(every(size)) for _ in range(FOLDS)]
    positives = sum(m.p for m in drawn)
    names = ("acc", "f1", *rng.sample(NAMES[2:], rng.choice((0, 1, 2))))
    spread, decimals = rng.choice(("sample", "population")), rng.choice((2, 3, 4))
    equal, single = (Fraction(1, FOLDS),) * FOLDS, tuple((i,) for i in range(FOLDS))
    divisor = FOLDS - (spread == "sample")
    targets = []
    for name in names:
        row = np.array([float(SCORES[name].value(m)) for m in drawn])  # type: ignore[arg-type]
        mean, sd = float(row.mean()), float((((row - row.mean()) ** 2).sum() / divisor) ** 0.5)
        targets.append(Target(name, Kind.MEAN, SCORES[name], around(mean, decimals), equal))
        targets.append(Target(f"{name} ±", Kind.SD, SCORES[name], around(sd, decimals), equal, single))
    if rng.random() < 0.4:
        at = rng.randrange(len(targets))
        moved = targets[at].interval.moved(1, Fraction(rng.choice((-3, -1, 1, 3)), 10**decimals))
        targets[at] = Target(
            targets[at].label, targets[at].kind, targets[at].score, moved, equal, targets[at].clusters
        )
    folding = Folding(positives, FOLDS * size - positives, FOLDS)
    return Problem((), tuple(targets), spread=spread, foldings=(folding,)), size  # type: ignore[arg-type]


def enumerated(problem: Problem, size: int) -> bool:
    """Whether any matrices of the folds, in any order, have the figures."""
    (folding,) = problem.foldings
    matrices = every(size)
    chosen = np.array(list(combinations_with_replacement(range(len(matrices)), FOLDS)))
    chosen = chosen[np.array([m.p for m in matrices])[chosen].sum(axis=1) == folding.p]
    near = np.ones(len(chosen), dtype=bool)
    for target in problem.targets:
        row = np.array([float(target.score.value(m)) for m in matrices])[chosen]  # type: ignore[arg-type]
        value = row.mean(axis=1)
        if target.kind is Kind.SD:
            around = ((row - value[:, None]) ** 2).sum(axis=1)
            value = np.sqrt(around / (FOLDS - (problem.spread == "sample")))
        assert target.interval.lo is not None and target.interval.hi is not None
        near &= (value >= float(target.interval.lo) - 1e-9) & (value <= float(target.interval.hi) + 1e-9)
    for choice in chosen[near]:
        own = [matrices[i] for i in choice]
        folds = (tuple(Sample(m.p, m.n) for m in own),)
        if confirms_folded(problem, folds, tuple((m.tp, m.tn) for m in own)):
            return True
    return False


def by_families(problem: Problem) -> Found | None:
    """What families alone come upon."""
    search = Lists(problem, 1)
    assert search.possible
    return search.run(Budget(WORK))


def compare(seeds: range) -> tuple[int, int, int]:
    """How many claims fit, how many of these were shown, and how many do not fit."""
    fit = shown = 0
    for seed in seeds:
        problem, size = random_problem(seed)
        found, truth = by_families(problem), enumerated(problem, size)
        assert found is None or (truth and confirms_folded(problem, found.folds, found.points)), seed
        fit, shown = fit + truth, shown + (found is not None)
    return fit, shown, len(seeds) - fit


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other lists."""
    monkeypatch.setattr(lists, "WORTH", np.inf)
    monkeypatch.setattr(lists, "WORTH_AGAIN", np.inf)
    monkeypatch.setattr(lists, "MEMBERS_OF_ONE", 1)


def test_families_find_what_there_is() -> None:
    fit, shown, others = compare(range(FEW))
    assert shown >= 0.9 * fit and fit >= FEW / 3 and others > 0


@pytest.mark.campaign
def test_families_find_what_there_is_at_length() -> None:
    fit, shown, others = compare(range(share(CAMPAIGN)))
    print(f"{shown} of {fit} shown, {others} do not fit")
    assert shown >= 0.9 * fit


def test_lists_with_little_work_at_a_time_are_taken_up_again() -> None:
    """What there is not enough work for is left for the next time; begun in vain, it ended the search."""
    printed = {
        "acc": (0.7658, 0.0741),
        "sens": (0.8059, 0.1123),
        "spec": (0.7264, 0.125),
        "f1": (0.7476, 0.097),
    }
    equal, single = (Fraction(1, 10),) * 10, tuple((i,) for i in range(10))
    targets = []
    for name, (mean, sd) in printed.items():
        targets.append(Target(name, Kind.MEAN, SCORES[name], around(mean, 4), equal))
        targets.append(Target(f"{name} ±", Kind.SD, SCORES[name], around(sd, 4), equal, single))
    search = Lists(Problem((), tuple(targets), "impossible", "either", foldings=(Folding(139, 164, 10),)), 0)
    for _ in range(5):
        budget = Budget(500_000_000)
        assert search.run(budget) is None  # running out of work would raise
        assert search.possible and budget.left < 400_000_000
