"""Leave-one-out, groups, repeated hold-out and bootstraps: plain enumeration, and what scikit-learn draws."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from campaign import share
from sklearn.model_selection import LeaveOneGroupOut, LeaveOneOut, ShuffleSplit, StratifiedShuffleSplit

import scoreproof
from scoreproof.errors import BadClaim
from scoreproof.question.folds import Folding, Sample, foldings, legal

NAMES = ("acc", "sens", "f1")
Pair = tuple[int, int]
Row = tuple[Fraction, ...]

# -- enumeration that knows nothing of the package -------------------------------------------------


def scores(p: int, n: int, tp: int, tn: int) -> dict[str, Fraction | None]:
    pairs = {"acc": (tp + tn, p + n), "sens": (tp, p), "f1": (2 * tp, p + tp + n - tn)}
    return {name: Fraction(*pair) if pair[1] else None for name, pair in pairs.items()}


def rows(sets: set[Pair], names: tuple[str, ...], undefined: Fraction | None) -> set[Row]:
    """The scores of every matrix of every one of these test sets."""
    found = set()
    for p, n in sets:
        for tp, tn in product(range(p + 1), range(n + 1)):
            own = [scores(p, n, tp, tn)[name] for name in names]
            row = tuple(undefined if value is None else value for value in own)
            if None not in row:
                found.add(row)
    return found  # type: ignore[return-value]


def drawn(p: int, n: int, size: int) -> set[Pair]:
    return {(a, size - a) for a in range(p + 1) if 0 <= size - a <= n}


def rounded(count: Fraction) -> set[int]:
    return {floor(count), ceil(count)}


def reached(claim: dict[str, Any]) -> set[Row]:
    """All means (and figures of added counts) that a repeated hold-out can have."""
    said, names = claim["experiment"], tuple(claim["scores"])
    p, n, times = said["p"], said["n"], said["repeats"]
    size = said["holdout"]
    sizes = {size} if isinstance(size, int) else rounded(Fraction(size) * (p + n))
    sets = {m: drawn(p, n, m) for m in sizes}
    if said.get("stratified"):
        # each class has its share of so many items, rounded up or down
        sets = {m: {(a, b) for a, b in drawn(p, n, m)
                    if a in rounded(Fraction(m * p, p + n)) and b in rounded(Fraction(m * n, p + n))}
                for m in sizes}  # fmt: skip
    conventions = [None, Fraction(0)]
    found = set()
    for own, undefined in product(sets.values(), conventions):
        one = rows(own, names, undefined)
        sums: set[Row] = {(Fraction(0),) * len(names)}
        for _ in range(times):
            sums = {tuple(a + b for a, b in zip(x, y, strict=True)) for x in sums for y in one}
        found |= {tuple(x / times for x in each) for each in sums}
        if said.get("aggregate") is None:
            pooled = {(sum(a for a, _ in some), sum(b for _, b in some))
                      for some in combinations_with_replacement(sorted(own), times)}  # fmt: skip
            found |= rows(pooled, names, undefined)
    return found


def fits(claim: dict[str, Any], found: set[Row]) -> bool:
    """Whether one of these is printed like this, ties either way."""
    wanted = [(Fraction(text), len(text) - 2) for text in claim["scores"].values()]
    return any(
        all(abs(value - x) * 2 * 10**digits <= 1 for value, (x, digits) in zip(row, wanted, strict=True))
        for row in found
    )


# -- test sets drawn from all items ----------------------------------------------------------------


def test_a_drawn_test_set_is_any_of_its_size() -> None:
    for p, n in product(range(5), range(5)):
        for size in range(1, p + n + 1):
            listed = [(s.p, s.n) for (s,) in foldings(p, n, 1, sizes=((size, 1),))]
            assert sorted(listed) == sorted(drawn(p, n, size))
            folding = Folding(p, n, 1, ((size, 1),))
            every = product(range(-1, p + 2), range(-1, n + 2))
            assert {pair for pair in every if legal(folding, [Sample(*pair)])} == drawn(p, n, size)


def hold_out(seed: int) -> dict[str, Any]:
    """A claim about a small repeated hold-out, with figures near true ones."""
    rng = random.Random(seed)
    p, n, times = rng.randint(1, 4), rng.randint(2, 5), rng.randint(2, 3)
    size = rng.choice([rng.randint(1, min(5, p + n - 1)), "0.4", "0.5"])
    said = {"p": p, "n": n, "holdout": size, "repeats": times, "stratified": rng.random() < 0.4}
    names = rng.sample(NAMES, rng.randint(1, 2))
    if rng.random() < 0.7:
        said["aggregate"] = "mean"
    claim: dict[str, Any] = {"experiment": said, "scores": dict.fromkeys(names, "0.0")}
    true = rng.choice(sorted(reached(claim)))
    digits = rng.choice((2, 3))
    off = rng.choice((0, 0, Fraction(1, 10**digits), Fraction(-2, 10**digits)))
    printed = [min(max(float(value + off), 0.0), 1.0) for value in true]
    claim["scores"] = {name: f"{value:.{digits}f}" for name, value in zip(names, printed, strict=True)}
    return claim


def agrees(seed: int) -> str:
    claim = hold_out(seed)
    verdict = scoreproof.check(claim)
    if fits(claim, reached(claim)):
        assert verdict.status == "consistent", (claim, verdict)
    elif not claim["experiment"]["stratified"] and "f1" not in claim["scores"]:
        # the other programs' ways to round shares, and to treat 0/0, fit more than is enumerated
        left_out = scoreproof.check({**claim, "conventions": {"undefined": "open"}}).status
        assert verdict.status == "inconsistent" or left_out == "consistent", (claim, verdict)
    assert scoreproof.verify(verdict)
    return verdict.status


@pytest.mark.parametrize("seed", range(30))
def test_verdicts_about_hold_outs_are_those_of_enumeration(seed: int) -> None:
    agrees(seed)


def test_both_verdicts_occur() -> None:
    assert {agrees(seed) for seed in range(30)} == {"consistent", "inconsistent"}


@pytest.mark.campaign
def test_many_hold_outs() -> None:
    for seed in range(1000, 1000 + share(2000)):
        agrees(seed)


# -- leave-one-out and groups ----------------------------------------------------------------------


@pytest.mark.parametrize("items", [5, 8, 30])
def test_leave_one_out_has_the_deviations_of_zeros_and_ones(items: int) -> None:
    said = {"p": items // 3, "n": items - items // 3, "folds": "leave-one-out", "aggregate": "mean"}
    for right in range(items + 1):
        values = [1.0] * right + [0.0] * (items - right)
        for ddof in (0, 1):
            mean, sd = np.mean(values), np.std(values, ddof=ddof)
            assert check_one(said, f"{mean:.4f} ± {sd:.4f}") == "consistent"
        assert check_one(said, f"{mean:.4f} ± {sd + 0.002:.4f}", strict=True) == "inconsistent"


def check_one(said: dict[str, Any], text: str, strict: bool = False) -> str:
    claim = {"experiment": said, "scores": {"acc": text}, "conventions": {"strict": strict}}
    return str(scoreproof.check(claim).status)


def test_pooled_figures_of_leave_one_out_are_those_of_one_matrix() -> None:
    said = {"p": 7, "n": 12, "folds": "leave-one-out"}
    text = {"acc": "0.8421", "sens": "0.8571", "spec": "0.8333"}
    assert scoreproof.check({"experiment": said, "scores": text}).status == "consistent"
    assert scoreproof.check({"experiment": said, "scores": {**text, "acc": "0.8947"}}).status == "inconsistent"


def test_sizes_of_groups_are_those_of_folds_whose_make_up_is_open() -> None:
    one = {"p": 4, "n": 6, "folds": [5, 2, 3], "aggregate": "mean"}
    ways = {
        folds
        for folds in product(*(sorted(drawn(4, 6, size)) for size in one["folds"]))
        if sum(p for p, _ in folds) == 4 and sum(1 for p, _ in folds if p) > 1 < sum(1 for _, n in folds if n)
    }
    sums = {
        sum(each, start=Fraction(0)) / 3
        for folds in ways
        for each in product(*({row[0] for row in rows({fold}, ("sens",), None)} for fold in folds))
    }
    for thousandths in range(0, 1001, 7):
        text = f"{thousandths / 1000:.3f}"
        claim = {"experiment": one, "scores": {"sens": text}, "conventions": {"strict": True}}
        true = fits(claim, {(value,) for value in sums})
        assert scoreproof.check(claim).status == ("consistent" if true else "inconsistent"), text


# -- what scikit-learn draws -----------------------------------------------------------------------


def printed(sets: list[tuple[Any, Any]], digits: int, pooled: bool) -> dict[str, str] | None:
    """Figures of predictions on these test sets; None if one is undefined somewhere."""
    sets = [tuple(np.concatenate(each) for each in zip(*sets, strict=True))] if pooled else sets  # type: ignore[list-item]
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for truth, called in sets:
        tp, tn = int((truth & called).sum()), int((~truth & ~called).sum())
        for name, value in scores(int(truth.sum()), int((~truth).sum()), tp, tn).items():
            if value is None:
                return None
            found[name].append(float(value))
    return {name: f"{np.mean(values):.{digits}f}" for name, values in found.items()}


def true_claim(seed: int) -> dict[str, Any] | None:
    """A claim whose figures are those of predictions on test sets that scikit-learn, or a bootstrap, draws."""
    rng = np.random.default_rng(seed)
    items = int(rng.integers(20, 80))
    truth = rng.random(items) < rng.choice([0.3, 0.5])
    said: dict[str, Any] = {"p": int(truth.sum()), "n": int((~truth).sum())}
    times, part = int(rng.integers(1, 8)), float(rng.choice([0.2, 0.25, 0.3, 0.33, 0.5]))
    again = {"n_splits": times, "test_size": part, "random_state": seed}
    kind = ("loo", "groups", "shuffled", "stratified", "bootstrap")[seed % 5]
    if kind == "loo":
        said["folds"], splits = "leave-one-out", LeaveOneOut().split(truth)
    elif kind == "groups":
        groups = rng.integers(0, 6, items)
        said["folds"] = [int((groups == group).sum()) for group in np.unique(groups)]
        splits = LeaveOneGroupOut().split(truth, truth, groups)
    elif kind == "bootstrap":
        said |= {"holdout": "out-of-bag", "repeats": times}
        bags = [set(rng.integers(0, items, items).tolist()) for _ in range(times)]
        splits = [((), [i for i in range(items) if i not in bag]) for bag in bags]
    else:
        said |= {"holdout": part, "repeats": times, "stratified": kind == "stratified"}
        cutter = StratifiedShuffleSplit if kind == "stratified" else ShuffleSplit
        splits = cutter(**again).split(truth, truth)
    sets = []
    for _, test in splits:
        own = truth[test]
        sets.append((own, own ^ (rng.random(len(own)) < 0.2)))
    pooled = kind == "loo" or bool(rng.random() < 0.3)
    figures = printed(sets, int(rng.choice([2, 3, 4])), pooled)
    if rng.random() < 0.5 and kind != "loo":
        said["aggregate"] = "pooled" if pooled else "mean"
    return None if figures is None else {"experiment": said, "scores": figures}


@pytest.mark.parametrize("seed", range(30))
def test_what_scikit_learn_draws_is_not_called_inconsistent(seed: int) -> None:
    claim = true_claim(seed)
    if claim is not None:
        assert scoreproof.check(claim, timeout=5).status != "inconsistent", claim


@pytest.mark.campaign
def test_many_of_what_scikit_learn_draws() -> None:
    for seed in range(1000, 1000 + share(3000)):
        test_what_scikit_learn_draws_is_not_called_inconsistent(seed)


# -- what is refused -------------------------------------------------------------------------------

WRONG = [
    ({"p": 4, "n": 6, "folds": [5, 2]}, "7 items in all, and p + n is 10"),
    ({"p": 4, "n": 6, "folds": [5, 5], "repeats": 2}, "is not given with a list of folds"),
    ({"p": 4, "n": 6, "folds": "leave-two-out"}, "expected a whole number"),
    ({"p": 4, "n": 6, "holdout": "half"}, "expected a number"),
    ({"p": 4, "n": 6, "holdout": "130 %"}, "expected a share"),
    ({"p": 4, "n": 6, "holdout": 11}, "cannot be made of 10 items"),
    ({"p": 4, "n": 6, "holdout": 0.3, "folds": 5}, "does not go together"),
    ({"p": 4, "n": 6, "holdout": "out-of-bag", "stratified": True}, "does not go together"),
    ({"parts": [{"p": 4, "n": 6, "holdout": 0.3, "repeats": 3}, {"p": 2, "n": 2}]}, "list the test sets"),
    ({"classes": [4, 6, 5], "holdout": 0.3}, "is not a key known here"),
    ({"classes": {"a": 4, "b": 6, "c": 5}, "positive": "a", "holdout": 0.3}, "two classes only"),
]


@pytest.mark.parametrize(("said", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_set_up_that_makes_no_sense_gets_a_sentence(said: dict[str, Any], words: str) -> None:
    with pytest.raises(BadClaim, match=words.replace("+", r"\+")):
        scoreproof.check({"experiment": said, "scores": {"acc": "0.5"}})
