"""Folds whose sizes differ, against plain enumeration of sizes, folds and matrices."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

import scoreproof
from scoreproof.claim.dealing import sizes_within
from scoreproof.errors import BadClaim
from scoreproof.question.folds import (
    Folding,
    Sample,
    each_size,
    fold_sizes,
    foldings,
    legal,
)
from scoreproof.solve.sums.counting import count_foldings

NAMES = ("acc", "sens", "f1")
BY_PATIENT = {
    "experiment": {"p": 40, "n": 60, "folds": 5, "aggregate": "mean"},
    "scores": {"acc": "0.8517"},
}
Pair = tuple[int, int]
Names = tuple[str, ...]


def saying(sizes: object, claim: dict = BY_PATIENT, **more: object) -> dict:
    return {**claim, "conventions": {"fold_sizes": sizes, **more}}


# -- enumeration that knows nothing of the package -------------------------------------------------


def cuts(items: int, k: int, difference: int) -> set[tuple[int, ...]]:
    """Every multiset of k sizes that add up and differ by at most so much, the smallest first."""
    every = combinations_with_replacement(range(1, items + 1), k)
    return {sizes for sizes in every if sum(sizes) == items and sizes[-1] - sizes[0] <= difference}


def dealt(p: int, n: int, sizes: tuple[int, ...], twice: bool = True) -> set[tuple[Pair, ...]]:
    """Every way for the classes to fall into folds of these sizes, each class into two of them if ``twice``."""
    found = set()
    for positives in product(*(range(size + 1) for size in sizes)):
        if sum(positives) == p:
            folds = [(x, size - x) for x, size in zip(positives, sizes, strict=True)]
            seen = [sum(1 for fold in folds if fold[side]) for side in (0, 1)]
            alone = (count > 1 < len(sizes) and many < 2 for count, many in zip((p, n), seen, strict=True))
            if not (twice and any(alone)):
                found.add(tuple(sorted(folds)))
    return found


def scores(p: int, n: int, tp: int, tn: int, names: Names) -> tuple[Fraction, ...] | None:
    """These scores; None where one is undefined."""
    pairs = {"acc": (tp + tn, p + n), "sens": (tp, p), "f1": (2 * tp, p + tp + n - tn)}
    if not all(pairs[name][1] for name in names):
        return None
    return tuple(Fraction(*pairs[name]) for name in names)


def sums_of(folds: tuple[Pair, ...], names: Names) -> set[tuple[Fraction, ...]]:
    """The sums over folds of these scores, in every way."""
    reached = {(Fraction(0),) * len(names)}
    for p, n in folds:
        rows = {scores(p, n, tp, tn, names) for tp in range(p + 1) for tn in range(n + 1)}
        reached = {tuple(a + b for a, b in zip(x, y, strict=True)) for x in reached for y in rows if y}
    return reached


def means(p: int, n: int, k: int, difference: int, names: Names) -> set[tuple[Fraction, ...]]:
    every = {folds for sizes in cuts(p + n, k, difference) for folds in dealt(p, n, sizes)}
    return {tuple(x / k for x in sums) for folds in every for sums in sums_of(folds, names)}


def printed(value: Fraction, digits: int) -> str:
    return f"{float(value):.{digits}f}"


def fits(claim: dict, found: set[tuple[Fraction, ...]]) -> bool:
    """Whether one of these means is printed like this, ties either way."""
    wanted = [(Fraction(text), len(text) - 2) for text in claim["scores"].values()]
    return any(
        all(abs(mean - x) * 2 * 10**digits <= 1 for mean, (x, digits) in zip(row, wanted, strict=True))
        for row in found
    )


# -- sizes and foldings ----------------------------------------------------------------------------


def test_every_way_to_cut_is_listed_once() -> None:
    for items, k, difference in product(range(1, 15), range(1, 6), range(8)):
        listed = [tuple(sorted(each_size(sizes))) for sizes in sizes_within(items, k, difference)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == cuts(items, k, difference), (items, k, difference)


def test_cuts_of_equal_sizes_are_those_assumed() -> None:
    for items, k in product(range(1, 40), range(1, 10)):
        assert list(sizes_within(items, k, 1)) == ([fold_sizes(items, 0, k)] if k <= items else [])


@pytest.mark.parametrize("seed", range(60))
def test_foldings_of_any_sizes_are_listed_and_counted(seed: int) -> None:
    rng = random.Random(seed)
    k = rng.randint(1, 4)
    sizes = tuple(sorted((rng.randint(1, 6) for _ in range(k)), reverse=True))
    own = tuple((size, sizes.count(size)) for size in dict.fromkeys(sizes))
    p = rng.randint(0, sum(sizes))
    n = sum(sizes) - p
    listed = [tuple(sorted((s.p, s.n) for s in folds)) for folds in foldings(p, n, k, sizes=own)]
    assert len(set(listed)) == len(listed)
    assert set(listed) == dealt(p, n, sizes)
    assert all(legal(Folding(p, n, k, own), folds) for folds in foldings(p, n, k, sizes=own))
    both = [folds for folds in listed if all(a and b for a, b in folds)]
    assert count_foldings(p, n, k, condition="any", sizes=own) == len(dealt(p, n, sizes, twice=False))
    assert count_foldings(p, n, k, condition="two-folds", sizes=own) == len(listed)
    assert count_foldings(p, n, k, condition="both-classes", sizes=own) == len(both)


def test_folds_of_other_sizes_are_not_legal() -> None:
    folding = Folding(4, 6, 3, ((5, 1), (3, 1), (2, 1)))
    assert legal(folding, [Sample(1, 1), Sample(2, 3), Sample(1, 2)])
    assert not legal(folding, [Sample(1, 2), Sample(2, 2), Sample(1, 2)])  # 4, 3, 3
    assert not legal(folding, [Sample(1, 2), Sample(2, 3), Sample(1, 2)])  # 11 items
    assert not legal(Folding(4, 6, 3), [Sample(1, 1), Sample(2, 3), Sample(1, 2)])


# -- verdicts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(24))
def test_verdicts_are_those_of_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    k = rng.choice((2, 2, 3))
    p, n = rng.randint(2, 4), rng.randint(2, 4)
    most = rng.randint(2, 4)
    for _ in range(4):
        names = tuple(rng.sample(NAMES, rng.choice((1, 2, 3))))
        reached = {difference: means(p, n, k, difference, names) for difference in (1, most, p + n)}
        row = rng.choice(sorted(reached[rng.choice((most, p + n))] or [(Fraction(1, 2),) * len(names)]))
        digits, move = rng.choice((2, 3)), rng.choice((0, 0, Fraction(1, 50)))
        said = {
            name: printed(min(mean + move, Fraction(1)), digits) for name, mean in zip(names, row, strict=True)
        }
        claim = {"experiment": {"p": p, "n": n, "folds": k, "aggregate": "mean"}, "scores": said}
        for sizes, difference in (("equal", 1), (most, most), ("any", p + n)):
            asked = saying(sizes, claim, strict=True)
            verdict = scoreproof.check(asked)
            assert verdict.status == ("consistent" if fits(claim, reached[difference]) else "inconsistent"), (
                asked
            )
            assert scoreproof.verify(verdict, against=asked) is True


def test_folds_by_patient_fit_where_sizes_may_differ() -> None:
    """18, 19, 20, 21 and 22 items with 2, 2, 5, 1 and 5 errors."""
    usual = scoreproof.check(BY_PATIENT)
    assert usual.status == "inconsistent"
    assert {"what": "fold sizes", "value": "differ by at most one", "stated": False} in usual.assumptions
    for sizes, words in (
        (4, "differ by at most 4"),
        ("4", "differ by at most 4"),
        ("any", "differ by any number"),
    ):
        verdict = scoreproof.check(saying(sizes))
        assert verdict.status == "consistent"
        assert {"what": "fold sizes", "value": words, "stated": True} in verdict.assumptions
        assert scoreproof.verify(verdict) is True
    for sizes in ("equal", 1):
        assert scoreproof.check(saying(sizes)).status == "inconsistent"


def test_sizes_beyond_those_listed_are_refuted_only_by_figures_no_test_sets_have() -> None:
    setting = {"experiment": {"p": 12, "n": 18, "folds": 5, "aggregate": "mean"}}
    scores = {"sens": "0.90", "spec": "0.90", "bacc": "0.50"}
    clash = scoreproof.check(saying("any", {**setting, "scores": scores}, strict=True), timeout=None)
    assert clash.status == "inconsistent"
    assert scoreproof.verify(clash) is True
    moved = {**setting, "scores": {"acc": "0.85", "sens": "1.00", "spec": "0.10"}}
    verdict = scoreproof.check(saying("any", moved, strict=True), timeout=None)
    assert verdict.status == "undecided"
    assert {each.status for each in verdict.outcomes[:-1]} == {"inconsistent"}


@pytest.mark.parametrize("how", [{}, {"aggregate": "pooled"}])
def test_figures_of_pooled_counts_do_not_depend_on_sizes(how: dict) -> None:
    claim = {"experiment": {"p": 10, "n": 20, "folds": 3, **how}, "scores": {"acc": "0.9333"}}
    for sizes in (3, "any"):
        verdict = scoreproof.check(saying(sizes, claim))
        assert verdict.status == "consistent" and scoreproof.verify(verdict) is True


def test_figures_about_folds_are_decided_for_their_sizes() -> None:
    """Two folds of 3 and 7 items: the smallest accuracy is 2/3, the largest 6/7."""
    claim = {
        "experiment": {"p": 4, "n": 6, "folds": 2, "aggregate": "mean"},
        "scores": {"acc": "0.7619"},
        "within": {"acc": {"min": "0.6667", "max": "0.8571"}},
    }
    assert scoreproof.check(claim).status == "inconsistent"
    verdict = scoreproof.check(saying(4, claim))
    assert verdict.status == "consistent" and scoreproof.verify(verdict) is True
    assert sorted(sum(matrix) for matrix in verdict.witness.parts) == [3, 7]


# -- what is refused -------------------------------------------------------------------------------


def test_a_witness_with_folds_of_other_sizes_is_not_believed() -> None:
    verdict = scoreproof.check(saying(4)).to_dict()
    assert scoreproof.verify(verdict) is True
    for readings in range(20):
        forged = {**verdict, "witness": {**verdict["witness"], "reading": readings}}
        assert scoreproof.verify(forged) is (readings == verdict["witness"]["reading"])
    for sizes in ("equal", 1, 0):
        forged = {**verdict, "claim": saying(sizes)}
        assert scoreproof.verify(forged) is False
    parts = [dict(part) for part in verdict["witness"]["parts"]]
    whole = {**verdict["witness"], "parts": parts}
    parts[0]["tn"] += 1  # an item too many
    parts[1]["tn"] -= 1
    assert scoreproof.verify({**verdict, "witness": whole}) is False
    parts[1]["tn"] += 1
    whole["tn"] += 1
    assert scoreproof.verify({**verdict, "witness": whole}) is False


@pytest.mark.parametrize(
    ("sizes", "experiment", "words"),
    [
        ("some", {}, "expected equal, any, or a whole number"),
        (-1, {}, "expected equal, any, or a whole number"),
        (True, {}, "expected equal, any, or a whole number"),
        (2.5, {}, "expected equal, any, or a whole number"),
        ("9" * 5000, {}, "expected equal, any, or a whole number"),
        (0, {"n": 61}, "101 items do not make 5 folds"),
        (30, {}, "say a smaller difference, or list the folds"),
        (10**50, {"n": 10**40}, "say a smaller difference, or list the folds"),
        (2, {"repeats": 2}, "repeated cross-validations"),
        ("any", {"stratified": True}, "stratified"),
    ],
)
def test_sizes_that_cannot_be_are_refused(sizes: object, experiment: dict, words: str) -> None:
    claim = saying(sizes)
    claim["experiment"] = {**claim["experiment"], **experiment}
    with pytest.raises(BadClaim, match=words) as caught:
        scoreproof.load(claim)
    assert str(caught.value).startswith("conventions.fold_sizes: ")


def test_sizes_are_refused_where_they_are_not_decided() -> None:
    numbers = {"experiment": {"samples": 100, "folds": 5}, "scores": {"mae": "0.112"}}
    one = {"p": 10, "n": 20, "folds": 3}
    several = {"experiment": {"parts": [one, one], "aggregate": "mean"}, "scores": {"acc": "0.9"}}
    of_classes = {
        "experiment": {"classes": {"a": 10, "b": 20, "c": 30}, "positive": "a", "folds": 3, "stratified": True},
        "scores": {"acc": "0.9"},
    }
    for claim in (numbers, several, of_classes):
        with pytest.raises(BadClaim, match=r"^conventions\.fold_sizes: "):
            scoreproof.load(saying("any", claim))
    scoreproof.load(saying(1, several))
