"""Laws of mean AUC over folds, against every ranking with ties of both folds."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from functools import cache

import scoreproof

Group = tuple[int, int]
Fit = tuple[Fraction, int, int]  # AUC, and tp and fp above some threshold


@cache
def orders(p: int, n: int) -> tuple[tuple[Group, ...], ...]:
    if not p + n:
        return ((),)
    first = [(a, b) for a in range(p + 1) for b in range(n + 1) if a + b]
    return tuple(((a, b), *rest) for a, b in first for rest in orders(p - a, n - b))


@cache
def fits(p: int, n: int) -> tuple[Fit, ...]:
    found = set()
    for order in orders(p, n):
        pairs, above, cuts = Fraction(0), [0, 0], [(0, 0)]
        for a, b in order:
            pairs += b * (above[0] + Fraction(a, 2))
            above = [above[0] + a, above[1] + b]
            cuts.append((above[0], above[1]))
        found |= {(pairs / (p * n), *cut) for cut in cuts}
    return tuple(sorted(found))


def means(sizes: list[tuple[int, int]], chosen: tuple[Fit, ...]) -> dict[str, Fraction]:
    k = len(sizes)
    both = list(zip(sizes, chosen, strict=True))
    return {
        "auc": sum((fit[0] for fit in chosen), Fraction(0)) / k,
        "sens": sum((Fraction(tp, p) for (p, _), (_, tp, _) in both), Fraction(0)) / k,
        "acc": sum((Fraction(tp + n - fp, p + n) for (p, n), (_, tp, fp) in both), Fraction(0)) / k,
        "f1": sum((Fraction(2 * tp, tp + p + fp) for (p, _), (_, tp, fp) in both), Fraction(0)) / k,
    }


def test_mean_auc_over_two_folds_is_decided_as_enumeration_decides_it() -> None:
    draw = random.Random(3)
    seen = dict.fromkeys([(True, "consistent"), (False, "inconsistent")], 0)
    for _ in range(30):
        sizes = [(draw.randint(1, 3), draw.randint(1, 2)) for _ in range(2)]
        every = list(itertools.product(*(fits(*size) for size in sizes)))
        figures = {
            name: f"{float(value) + draw.choice((0, 0, 0, 0.01)):.3f}"
            for name, value in means(sizes, draw.choice(every)).items()
            if name == "auc" or draw.random() < 0.5
        }
        near = Fraction(1, 2000)
        exists = any(
            all(abs(found[name] - Fraction(text)) <= near for name, text in figures.items())
            for found in (means(sizes, chosen) for chosen in every)
        )
        folds = [{"p": p, "n": n} for p, n in sizes]
        claim = {"experiment": {"folds": folds, "aggregate": "mean"}, "scores": figures}
        verdict = scoreproof.check(claim, timeout=60)
        assert verdict.status != ("inconsistent" if exists else "consistent"), claim
        assert not exists or verdict.status == "consistent", claim
        assert scoreproof.verify(json.dumps(verdict.to_dict())) is True
        if (exists, verdict.status) in seen:
            seen[exists, verdict.status] += 1
    assert min(seen.values()) > 5


def test_a_mean_auc_that_only_products_of_sens_and_spec_forbid_is_refused_and_said() -> None:
    folds = [{"p": 4, "n": 4, "scores": {"sens": "0.50", "spec": "0.50"}} for _ in range(3)]
    claim = {"experiment": {"folds": folds, "aggregate": "mean"}, "scores": {"auc": "0.80", "sens": "0.50"}}
    verdict = scoreproof.check(claim)  # at most 1 - 1/2·1/2 in every fold; 1/2 + 1/2 would allow it
    assert verdict.status == "inconsistent"
    data = verdict.to_dict()
    assert data["certificate"]["why"] == "matrix" and "the means of sens·spec" in verdict.sentence
    assert scoreproof.verify(json.dumps(data)) is True
    data["claim"]["scores"]["auc"] = "0.70"
    assert scoreproof.verify(json.dumps(data)) is False


def test_mean_auc_over_parts_of_any_size_gives_a_verdict() -> None:
    parts = [{"p": 3, "n": 4}, {"p": 10**30, "n": 5}]
    figures = {"auc": "0.413534", "dor": "11", "ji": "0.72379547", "pt": "0.047228"}
    claim = {"experiment": {"parts": parts, "aggregate": "mean"}, "scores": figures}
    assert scoreproof.check(claim).to_dict()["verdict"] == "undecided"


def test_beside_an_auc_common_conventions_are_tried_as_elsewhere() -> None:
    folds = {"p": 15, "n": 40, "folds": 3, "stratified": True, "aggregate": "mean"}
    figures = {"auc": "0.83 ± 0.10", "precision": "0.69 ± 0.08", "acc": "0.73 ± 0.06"}
    verdict = scoreproof.check({"experiment": folds, "scores": figures})
    assert verdict.status == "consistent" and "averages over both classes" in verdict.sentence
    strict = {"experiment": folds, "scores": figures, "conventions": {"strict": True}}
    assert scoreproof.check(strict).status == "inconsistent"


def test_one_divisor_is_that_of_matrices_and_areas() -> None:
    """With two folds of one item each, AUCs 0 and 1 have the sd 1/2 or √2/2, and so have sensitivities."""
    folds = [{"p": 1, "n": 1}, {"p": 1, "n": 1}]
    experiment = {"folds": folds, "aggregate": "mean"}
    for auc, sens, kind, status in (
        ("0.50", "0.50", "either", "consistent"),
        ("0.71", "0.71", "either", "consistent"),
        ("0.50", "0.71", "either", "inconsistent"),
        ("0.50", "0.71", "each", "consistent"),
    ):
        scores = {"auc": f"0.50 ± {auc}", "sens": f"0.50 ± {sens}"}
        claim = {"experiment": experiment, "scores": scores, "conventions": {"sd": kind, "strict": True}}
        verdict = scoreproof.check(claim)
        assert verdict.status == status, claim
        data = verdict.to_dict()
        assert scoreproof.verify(json.dumps(data)) is True
        if status == "inconsistent":
            assert data["certificate"]["why"] == "cases"
            data["claim"]["conventions"]["sd"] = "each"
            assert scoreproof.verify(json.dumps(data)) is False


def test_a_deviation_of_areas_bounds_the_matrices_of_single_folds() -> None:
    """With sens 1/2 and spec 1/2 in one fold its AUC is at most 3/4: too far from a mean of 0.80 for ± 0.01."""
    experiment = {"p": 20, "n": 20, "folds": 2, "stratified": True, "aggregate": "mean"}
    figures = {"auc": "0.80 ± 0.01", "sens": "0.75 ± 0.25", "spec": "0.50 ± 0.00"}
    conventions = {"strict": True, "sd": "population"}
    claim = {"experiment": experiment, "scores": figures, "conventions": conventions}
    verdict = scoreproof.check(claim)
    assert verdict.status == "inconsistent" and "no farther from the mean" in verdict.sentence
    data = verdict.to_dict()
    assert data["certificate"]["why"] == "matrix" and scoreproof.verify(json.dumps(data)) is True
    data["claim"]["scores"]["auc"] = "0.80 ± 0.06"
    assert scoreproof.verify(json.dumps(data)) is False
    assert "farther from their mean" in verdict.why[0].steps[0].words
    # of folds that are not known it is the same
    folds = {"p": 4, "n": 4, "folds": 2, "aggregate": "mean"}
    figures = {"auc": "0.75 ± 0.01", "sens": "0.50 ± 0.50"}
    unknown = {"experiment": folds, "scores": figures, "conventions": conventions}
    assert scoreproof.check(unknown).status == _of_unknown_folds(figures)


def _of_unknown_folds(figures: dict[str, str]) -> str:
    """The verdict of enumeration about 4 positives and 4 negatives in two folds of four."""
    for p in (1, 2, 3):
        for one, two in itertools.product(fits(p, 4 - p), fits(4 - p, p)):
            values = {"auc": (one[0], two[0]), "sens": (Fraction(one[1], p), Fraction(two[1], 4 - p))}
            if all(_printed(text, *values[name]) for name, text in figures.items()):
                return "consistent"
    return "inconsistent"


def _printed(text: str, one: Fraction, two: Fraction) -> bool:
    mean, sd = map(Fraction, text.split(" ± "))
    near = Fraction(1, 200)
    return abs((one + two) / 2 - mean) <= near and abs(abs(one - two) / 2 - sd) <= near


def test_areas_near_one_lie_no_farther_apart_than_what_they_lack_allows() -> None:
    """Five AUCs that lack 0.02525 in all: if it is one that lacks it, their sd is 0.02525/√5 = 0.01129."""
    experiment = {"p": 1000, "n": 1000, "folds": 5, "stratified": True, "aggregate": "mean"}
    for sd, status in (("0.0113", "consistent"), ("0.0114", "inconsistent")):
        figures, conventions = {"auc": f"0.9950 ± {sd}"}, {"strict": True}
        claim = {"experiment": experiment, "scores": figures, "conventions": conventions}
        verdict = scoreproof.check(claim)
        assert verdict.status == status and scoreproof.verify(json.dumps(verdict.to_dict())) is True
        assert status == "consistent" or "lack of 1" in verdict.why[0].steps[0].words
