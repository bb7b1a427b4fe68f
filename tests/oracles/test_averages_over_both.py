"""Averages over both classes, and what may stand after ±, by enumeration."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction as F
from itertools import product
from statistics import mean

import pytest

import scoreproof

ZERO = F(0)
Matrix = tuple[int, int, int, int]


def share(up: int, down: int) -> F:
    return F(up, down) if down else ZERO


CLASS: dict[str, Callable[[int, int, int], F]] = {
    "precision": lambda tp, fp, fn: share(tp, tp + fp),
    "recall": lambda tp, fp, fn: share(tp, tp + fn),
    "f1": lambda tp, fp, fn: share(2 * tp, 2 * tp + fp + fn),
}
WEIGHTS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "positive": lambda p, n: (1, 0),
    "macro": lambda p, n: (1, 1),
    "weighted": lambda p, n: (p, n),
}


def score(name: str, m: Matrix, how: str) -> F:
    tp, fp, fn, tn = m
    if name == "acc" or how == "micro":
        return F(tp + tn, sum(m))
    u, v = WEIGHTS[how](tp + fn, fp + tn)
    return (u * CLASS[name](tp, fp, fn) + v * CLASS[name](tn, fn, fp)) / (u + v)


def matrices(p: int, n: int) -> Iterator[Matrix]:
    return ((tp, n - tn, p - tp, tn) for tp, tn in product(range(p + 1), range(n + 1)))


def near(value: F, text: str) -> bool:
    return abs(value - F(text)) <= F(1, 2 * 10 ** (len(text) - 2))


def printed(value: F, digits: int) -> str:
    return f"{float(value):.{digits}f}"


@pytest.mark.parametrize("seed", range(60))
def test_a_verdict_is_that_of_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    p, n, digits = rng.randint(1, 12), rng.randint(1, 12), rng.choice((2, 3))
    names = rng.choice((("acc", "precision", "recall", "f1"), ("precision", "recall"), ("acc", "f1")))
    truth = rng.choice(list(matrices(p, n)))
    how = rng.choice(("macro", "weighted", "micro"))
    scores = {name: printed(score(name, truth, how), digits) for name in names}
    if rng.random() < 0.6:
        name = rng.choice(names)
        scores[name] = printed(min(F(1), F(scores[name]) + F(rng.randint(1, 9), 10**digits)), digits)
    claim = {"experiment": {"p": p, "n": n}, "scores": scores}
    fits = any(
        all(near(score(name, m, way), text) for name, text in scores.items())
        for way in ("positive", "macro", "weighted", "micro")
        for m in matrices(p, n)
    )
    verdict = scoreproof.check(claim)
    assert verdict.status == ("consistent" if fits else "inconsistent"), claim
    assert scoreproof.verify(verdict, against=claim)
    said = scoreproof.check({**claim, "conventions": {"averages": how}})
    assert verdict.status == "consistent" or said.status == "inconsistent"


def deviation(values: list[F], divisor: int) -> float:
    centre = mean(values)
    return float(sum(((x - centre) ** 2 for x in values), ZERO) / divisor) ** 0.5


@pytest.mark.parametrize("meaning", ["se", "ci", "repeats"])
@pytest.mark.parametrize("seed", range(4))
def test_what_stands_after_the_sign_may_be_another_spread(meaning: str, seed: int) -> None:
    rng = random.Random(seed)
    k, size = 5, 20
    repeats = 3 if meaning == "repeats" else 1
    folds = [F(rng.randint(14, size), size) for _ in range(k * repeats)]
    runs = [mean(folds[i * k : (i + 1) * k]) for i in range(repeats)]
    spread = {
        "se": deviation(folds, k - 1) / k**0.5,
        "ci": 1.96 * deviation(folds, k - 1) / k**0.5,
        "repeats": deviation(runs, max(1, repeats - 1)),
    }[meaning]
    experiment = {"p": 50, "n": 50, "folds": k, "repeats": repeats, "stratified": True, "aggregate": "mean"}
    claim = {"experiment": experiment, "scores": {"acc": f"{float(mean(folds)):.4f} ± {spread:.4f}"}}
    verdict = scoreproof.check(claim)
    # deviations over repeats are not always found
    allowed = {"consistent"} | ({"undecided"} if repeats > 1 else set())
    assert verdict.status in allowed and scoreproof.verify(verdict)
    said = scoreproof.check({**claim, "conventions": {"plus_minus": meaning}})
    assert said.status in allowed and not said.takes


def test_a_figure_with_a_spread_is_no_figure_of_one_matrix() -> None:
    claim = {"experiment": {"p": 100, "n": 100}, "scores": {"acc": "0.998 ± 0.006"}}
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent" and set(verdict.takes) == {"runs"} and not verdict.notes
    assert scoreproof.check({**claim, "conventions": {"strict": True}}).status == "inconsistent"


def test_clinical_words_are_of_the_positive_class() -> None:
    figures = {"acc": "0.8333", "ppv": "0.8110", "sens": "0.8250", "f1": "0.8168"}
    claim = {"experiment": {"p": 100, "n": 200}, "scores": figures}
    assert scoreproof.check(claim).status == "inconsistent"
    with pytest.raises(scoreproof.ScoreproofError, match=r"conventions\.averages: ppv is no average"):
        scoreproof.check({**claim, "conventions": {"averages": "macro"}})
