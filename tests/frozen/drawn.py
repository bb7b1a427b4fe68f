"""Claims of kinds that the tests put to the engines directly, and so never to ``check``.

Figures of random matrices as papers would print them; every second claim has one figure moved by a
few units of its last digit, and the truth of such a claim is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from statistics import stdev
from typing import Any

from scoreproof import SCORES, Matrix

NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa", "gm", "ji", "fm", "lrp", "dor")
PLAIN = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "ji")


def matrix(rng: Random, p: int, n: int) -> Matrix:
    """A matrix with no empty cell, so that every score is defined."""
    return Matrix.of(rng.randint((p + 1) // 2, p - 1), rng.randint((n + 1) // 2, n - 1), p, n)


def value(name: str, found: Matrix) -> Fraction:
    exact = SCORES[name].value(found)
    return exact.enclosure(120)[0] if hasattr(exact, "enclosure") else Fraction(exact)


def printed(rng: Random, figures: dict[str, Fraction], places: int, moved: bool) -> dict[str, str]:
    steps = {name: round(figure * 10**places) for name, figure in figures.items()}
    if moved:
        steps[rng.choice(list(steps))] += rng.choice((-1, 1)) * rng.randint(1, 12)
    return {name: f"{step / 10**places:.{places}f}" for name, step in steps.items()}


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def without_counts(count: int) -> Iterator[dict[str, Any]]:
    """Three to five figures of one matrix, or means over folds, and no counts at all."""
    rng = Random(11)
    for i in range(count):
        names = rng.sample(NAMES, rng.randint(3, 5))
        sets = [matrix(rng, rng.randint(4, 200), rng.randint(4, 400)) for _ in range((1, 1, 5)[i % 3])]
        figures = {name: mean([value(name, each) for each in sets]) for name in names}
        said = ({}, {"aggregate": "pooled"}, {"aggregate": "mean"})[i % 3]
        claim: dict[str, Any] = {"scores": printed(rng, figures, rng.choice((2, 3, 4)), i // 3 % 2 == 1)}
        yield {"experiment": said, **claim} if said else claim


def unknown_counts(count: int) -> Iterator[dict[str, Any]]:
    """Only the total, a range of positives, or the prevalence is known."""
    rng = Random(12)
    for i in range(count):
        p, n = rng.randint(10, 60), rng.randint(20, 120)
        found = matrix(rng, p, n)
        figures = {name: value(name, found) for name in rng.sample(NAMES, rng.randint(2, 4))}
        known = (
            {"total": p + n},
            {"p": [p - 3, p + 4], "n": n},
            {"total": p + n, "prevalence": f"{p / (p + n):.1%}"},
        )
        yield {"experiment": known[i % 3], "scores": printed(rng, figures, rng.choice((3, 4)), i // 3 % 2 == 1)}


def within_folds(count: int) -> Iterator[dict[str, Any]]:
    """Means of small folds beside the smallest, the largest or the sd over them."""
    rng = Random(13)
    for i in range(count):
        p, n, k = rng.randint(9, 60), rng.randint(12, 120), rng.choice((2, 3, 5))
        sets = [matrix(rng, 3 + p // k, 3 + n // k) for _ in range(k)]
        names = rng.sample(PLAIN, rng.randint(1, 3))
        values = {name: [value(name, each) for each in sets] for name in names}
        places = rng.choice((2, 3, 4))
        scores = printed(rng, {name: mean(row) for name, row in values.items()}, places, i % 2 == 1)
        about = {
            "min": min(values[names[0]]),
            "max": max(values[names[0]]),
            "sd": Fraction(stdev(values[names[0]])),
        }
        told = {key: about[key] for key in rng.sample(list(about), rng.randint(1, 3))}
        yield {
            "experiment": {"folds": [{"p": m.p, "n": m.n} for m in sets], "aggregate": "mean"},
            "scores": scores,
            "within": {names[0]: printed(rng, told, places, False)},
        }


def with_conventions(count: int) -> Iterator[dict[str, Any]]:
    """Means over tiny folds, where scores may be undefined, under every convention for that."""
    rng = Random(14)
    for i in range(count):
        k = rng.choice((2, 3, 4))
        sizes = [(rng.randint(1, 6), rng.randint(2, 8)) for _ in range(k)]
        sets = [Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n) for p, n in sizes]
        names = rng.sample(("acc", "sens", "ppv", "f1", "npv"), rng.randint(2, 3))
        figures = {}
        for name in names:
            defined = [SCORES[name].value(each) for each in sets]
            figures[name] = mean([Fraction(each) for each in defined if each is not None] or [Fraction(0)])
        conventions = {"undefined": ("impossible", "zero", "skip", "open")[i % 4]}
        if i % 3 == 0:
            conventions["f_mean"] = "of_means"
        yield {
            "experiment": {"folds": [{"p": p, "n": n} for p, n in sizes], "aggregate": "mean"},
            "scores": printed(rng, figures, rng.choice((2, 3)), i // 4 % 2 == 1),
            "conventions": conventions,
        }


def nested(count: int) -> Iterator[dict[str, Any]]:
    """Several datasets, each folded in a known way, averaged or pooled on both levels or not said."""
    rng = Random(15)
    for i in range(count):
        sizes = [(rng.randint(8, 40), rng.randint(10, 60)) for _ in range(rng.choice((2, 3)))]
        sets = [matrix(rng, p, n) for p, n in sizes]
        names = rng.sample(PLAIN, rng.randint(1, 3))
        figures = {name: mean([value(name, each) for each in sets]) for name in names}
        inner, outer = ("pooled", "mean", None)[i % 3], ("mean", "pooled")[i // 3 % 2]
        parts = [{"p": p, "n": n, "folds": 3, "stratified": True} for p, n in sizes]
        parts = [{**part, "aggregate": inner} if inner else part for part in parts]
        yield {
            "experiment": {"parts": parts, "aggregate": outer},
            "scores": printed(rng, figures, rng.choice((2, 3, 4)), i // 6 % 2 == 1),
        }


def unknown_folds(count: int) -> Iterator[dict[str, Any]]:
    """Small samples in few folds that are not said to be stratified, with all sorts of scores."""
    rng = Random(16)
    for i in range(count):
        k, p, n = rng.choice((2, 3, 4)), rng.randint(6, 20), rng.randint(8, 30)
        sets = [matrix(rng, max(2, p // k), max(2, n // k)) for _ in range(k)]
        figures = {
            name: mean([value(name, each) for each in sets]) for name in rng.sample(PLAIN, rng.randint(1, 3))
        }
        said = {"p": p, "n": n, "folds": k} | ({"aggregate": "mean"} if i % 2 else {})
        yield {"experiment": said, "scores": printed(rng, figures, rng.choice((2, 3)), i // 2 % 2 == 1)}


KINDS = {
    "without counts": without_counts,
    "unknown counts": unknown_counts,
    "within folds": within_folds,
    "conventions": with_conventions,
    "nested": nested,
    "unknown folds": unknown_folds,
}
