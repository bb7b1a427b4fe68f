"""Folds without a score, counted as 0 or left out: verdicts against enumeration by textbook definitions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from campaign import share

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.interval import Interval
from scoreproof.proof.kinds import confirms, replays
from scoreproof.proof.sums.nodes import Defined, Vacant
from scoreproof.question.folds import Folding, Sample, each_size, legal
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.sums import branching
from scoreproof.solve.sums.decide import ALL, decide
from scoreproof.solve.sums.search import all_defined

CAMPAIGN, FEW, FEW_ITEMS = 4_000, 80, 10
ALONE = (frozenset({"range", "hull", "branch"}), frozenset({"range", "hull", "branch", "join"}), ALL)

Point = tuple[int, int, int, int]  # tp, fp, fn, tn


def value(name: str, point: Point) -> Fraction | None:
    """A score as books define it; with ``|pr`` it is undefined as soon as precision or recall is."""
    tp, fp, fn, tn = point
    plain, _, jointly = name.partition("|")
    if jointly and (tp + fp == 0 or tp + fn == 0):
        return None
    up, down = {
        "acc": (tp + tn, tp + fp + fn + tn),
        "sens": (tp, tp + fn),
        "spec": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
    }[plain]
    return Fraction(up, down) if down else None


def values(name: str, points: list[Point], undefined: str) -> list[Fraction] | None:
    found = [value(name, point) for point in points]
    if undefined == "zero":
        found = [x or Fraction(0) for x in found]
    elif undefined == "skip":
        found = [x for x in found if x is not None]
    return None if None in found or not found else found  # type: ignore[return-value]


def mean(found: list[Fraction] | None) -> Fraction | None:
    return None if found is None else sum(found, Fraction(0)) / len(found)


def squares(found: list[Fraction] | None, spread: str) -> list[Fraction]:
    """The variances that a deviation may be the root of."""
    if found is None:
        return []
    total = sum(((x - mean(found)) ** 2 for x in found), Fraction(0))  # type: ignore[operator]
    below = {"sample": [len(found) - 1], "population": [len(found)]}[spread]
    return [total / d for d in below if d]


def figure(target: Target, points: list[Point], undefined: str) -> Fraction | None:
    name = target.score.name
    if target.kind is Kind.MEAN:
        return mean(values(name, points, undefined))
    mark = "|pr" if name.endswith("|pr") else ""
    precision, recall = (mean(values(each + mark, points, undefined)) for each in ("ppv", "sens"))
    if precision is None or recall is None:
        return None
    if precision + recall == 0:
        return Fraction(0) if undefined == "zero" else None
    return 2 * precision * recall / (precision + recall)


def hit(problem: Problem, points: list[Point]) -> bool:
    for target in problem.targets:
        low, high = target.interval.lo, target.interval.hi
        assert low is not None and high is not None
        if target.kind is Kind.SD:
            found = squares(values(target.score.name, points, problem.undefined), problem.spread)
            if high < 0 or not any(max(low, 0) ** 2 <= x <= high**2 for x in found):
                return False
        else:
            x = figure(target, points, problem.undefined)
            if x is None or not low <= x <= high:
                return False
    return True


def every(problem: Problem) -> bool:
    """Whether some matrices hit every figure."""
    lists = [
        [(tp, s.n - tn, s.p - tp, tn) for tp in range(s.p + 1) for tn in range(s.n + 1)] for s in problem.parts
    ]
    return any(hit(problem, list(points)) for points in product(*lists))


def random_problem(seed: int) -> Problem:
    """A few folds, often with nothing called positive, and figures of them, one of which may be off."""
    rng = Random(f"left out {seed}")
    count = rng.choice((2, 3, 3))
    top = 4 if count == 2 else 3
    kinds = [Sample(rng.randint(0, top), rng.randint(1, top)) for _ in range(2)]
    parts = tuple(rng.choice(kinds) for _ in range(count))
    undefined, spread = rng.choice(("zero", "skip", "skip")), rng.choice(("sample", "population"))
    points = [
        (0, 0, s.p, s.n)
        if rng.random() < 0.4
        else (tp := rng.randint(0, s.p), fp := rng.randint(0, s.n), s.p - tp, s.n - fp)
        for s in parts
    ]
    equal = (Fraction(1, count),) * count
    singles = tuple((i,) for i in range(count))
    mark = rng.choice(("", "|pr"))
    wanted = [
        (Kind.MEAN, name) for name in rng.sample(("acc", "sens", "spec", "ppv", "npv"), rng.choice((1, 2, 3)))
    ]
    wanted.append((rng.choice((Kind.MEAN, Kind.OF_MEANS)), f"f1{mark}"))
    wanted += [(Kind.SD, name) for kind, name in wanted if kind is Kind.MEAN and rng.random() < 0.4]
    unit = Fraction(1, 10 ** rng.choice((1, 2, 3)))
    targets = []
    for kind, name in wanted:
        target = Target(f"{kind} {name}", kind, ROWS[name], Interval(None, None), equal)
        if kind is Kind.SD:
            found = squares(values(name, points, undefined), spread)
            x = Fraction(float(found[0]) ** 0.5) if found else None
        else:
            x = figure(target, points, undefined)
        if x is not None:
            printed = round(x / unit) + (rng.choice((-2, -1, 1, 2)) if rng.random() < 0.25 else 0)
            interval = Interval((printed - Fraction(1, 2)) * unit, (printed + Fraction(1, 2)) * unit)
            clusters = singles if kind is Kind.SD else ()
            targets.append(Target(target.label, kind, ROWS[name], interval, equal, clusters))
    return Problem(parts, tuple(targets), undefined, spread)  # type: ignore[arg-type]


def of_unknown_folds(problem: Problem) -> Problem:
    """The same figures of folds whose make-up is not known."""
    folding = Folding(sum(s.p for s in problem.parts), sum(s.n for s in problem.parts), len(problem.parts))
    return replace(problem, parts=(), foldings=(folding,))


def every_folding(problem: Problem) -> bool:
    """Whether some matrices of some folds hit every figure."""
    (folding,) = problem.foldings
    makes = ([Sample(p, size - p) for p in range(size + 1)] for size in each_size(folding.sizes))
    folds = [each for each in product(*makes) if sum(s.p for s in each) == folding.p and legal(folding, each)]
    return any(every(problem.with_folds((each,))) for each in folds)


def compare(seeds: range, unknown: bool = False) -> dict[str, int]:
    said = dict.fromkeys(("fits", "refuted", "open", "by a proof about other parts"), 0)
    for seed in seeds:
        problem = random_problem(seed)
        if unknown and sum(s.p + s.n for s in problem.parts) > FEW_ITEMS:
            continue
        problem = of_unknown_folds(problem) if unknown else problem
        truth = every_folding(problem) if unknown else every(problem)
        for stages in ALONE if problem.targets else ():
            try:
                answer = decide(problem, Budget(1_000_000_000), stages=stages)
            except OutOfBudget:
                said["open"] += 1
                continue
            if isinstance(answer, Fits):
                assert truth and confirms(problem, answer.witness), seed
            elif isinstance(answer, Refuted):
                assert not truth and replays(problem, answer.certificate.to_dict()), seed
                said["by a proof about other parts"] += "'defined'" in str(answer.certificate.to_dict())
            said[
                "fits" if isinstance(answer, Fits) else "refuted" if isinstance(answer, Refuted) else "open"
            ] += 1
    return said


def test_folds_without_a_score_never_lead_astray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branching, "LISTED", 5)  # so that small cases are told apart like large ones
    said = compare(range(FEW))
    assert min(said["fits"], said["refuted"]) > FEW / 4 and said["by a proof about other parts"], said


def test_unknown_folds_without_a_score_never_lead_astray() -> None:
    said = compare(range(FEW // 2), unknown=True)
    assert min(said["fits"], said["refuted"]) > FEW / 16, said


@pytest.mark.campaign
def test_folds_without_a_score_never_lead_astray_at_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branching, "LISTED", 5)
    print(compare(range(FEW, share(CAMPAIGN))), compare(range(FEW, share(CAMPAIGN)), unknown=True))


def test_a_proof_about_other_parts_needs_them_gone() -> None:
    """Mean recall 0.5 with a mean precision of 1 fits only if one of two folds has no precision."""
    halves = (Fraction(1, 2), Fraction(1, 2))
    figures = {"sens": Fraction(1, 2), "ppv": Fraction(1), "spec": Fraction(1), "acc": Fraction(3, 4)}
    targets = [Target(name, Kind.MEAN, ROWS[name], Interval(x, x), halves) for name, x in figures.items()]
    # that recall is 1/2 in both folds is ruled out by its deviation
    spread = Target("±", Kind.SD, ROWS["sens"], Interval(Fraction(1, 2), Fraction(1, 2)), halves, ((0,), (1,)))
    problem = Problem((Sample(2, 2),) * 2, (*targets, spread), "skip", "population")
    assert isinstance(decide(problem, Budget(10**9)), Fits)
    refuted = decide(all_defined(problem), Budget(10**9))
    assert isinstance(refuted, Refuted) and replays(all_defined(problem), refuted.certificate)
    for proof in (refuted.certificate, Defined(refuted.certificate), Defined(Vacant()), Vacant()):
        assert not replays(problem, proof)
