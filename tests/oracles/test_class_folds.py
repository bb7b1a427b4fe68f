"""Figures of several classes over folds, with deviations, against every matrix of every fold."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from campaign import share

import scoreproof

Grid = tuple[tuple[int, ...], ...]
NAMES = ("acc", "f1_macro", "sens_macro", "ppv_macro", "f1_weighted", "ppv_weighted", "kappa")
#: Items of the classes of one fold, and how many folds there are.
SETS = (((1, 1, 1), 2), ((2, 1, 1), 2), ((1, 1, 1), 3), ((2, 2), 2), ((3, 1), 2))
CAMPAIGN, FEW = 600, 14


def rows(items: int, classes: int) -> list[tuple[int, ...]]:
    return [row for row in product(range(items + 1), repeat=classes) if sum(row) == items]


def matrices(counts: tuple[int, ...]) -> list[Grid]:
    return list(product(*(rows(n, len(counts)) for n in counts)))


def value(name: str, grid: Grid) -> Fraction | None:
    """A score of one matrix; an undefined score of a class counts as 0, as scikit-learn has it."""
    size = range(len(grid))
    items = [sum(row) for row in grid]
    called = [sum(row[c] for row in grid) for c in size]
    total, right = sum(items), sum(grid[c][c] for c in size)
    if name == "acc":
        return Fraction(right, total)
    if name == "kappa":
        chance = sum(n * m for n, m in zip(items, called, strict=True))
        return (
            Fraction(total * right - chance, total * total - chance) if total * total != chance else Fraction(0)
        )
    score, average = name.split("_")
    each = []
    for c in size:
        down = {"f1": items[c] + called[c], "sens": items[c], "ppv": called[c]}[score]
        up = grid[c][c] * (2 if score == "f1" else 1)
        each.append(Fraction(up, down) if down else Fraction(0))
    if average == "macro":
        return sum(each) / len(each)
    return sum(x * n for x, n in zip(each, items, strict=True)) / total


def printed(rng: Random, x: Fraction | float, decimals: int, broken: bool) -> str:
    return f"{abs(float(x) + (rng.randint(1, 9) * 10**-decimals if broken else 0)):.{decimals}f}"


def claim(seed: int) -> tuple[dict[str, Any], tuple[int, ...], int]:
    rng = Random(f"class folds {seed}")
    counts, folds = rng.choice(SETS)
    grids = [rng.choice(matrices(counts)) for _ in range(folds)]
    decimals, scores = rng.choice((1, 2, 3)), {}
    names = rng.sample(NAMES, rng.choice((1, 2)))
    broken = rng.choice((None, *names))
    for name in names:
        values = [value(name, grid) for grid in grids]
        mean = sum(values) / folds
        text = printed(rng, mean, decimals, broken == name and rng.random() < 0.5)
        if rng.random() < 0.8:
            sd = (sum(float(x - mean) ** 2 for x in values) / (folds - rng.randint(0, 1))) ** 0.5
            text += f" ± {printed(rng, sd, decimals, broken == name)}"
        scores[name] = text
    experiment = {
        "classes": [n * folds for n in counts],
        "folds": folds,
        "stratified": True,
        "aggregate": "mean",
    }
    return (
        {"experiment": experiment, "scores": scores, "conventions": {"undefined": "zero", "strict": True}},
        counts,
        folds,
    )


def within(text: str, x: Fraction, square: bool = False) -> bool:
    """Whether a number, or the root of one, is printed like this, ties either way."""
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    low, high = Fraction(text) - unit / 2, Fraction(text) + unit / 2
    low = max(low, Fraction(0)) if square else low
    return low * low <= x <= high * high if square else low <= x <= high


def possible(scores: dict[str, str], counts: tuple[int, ...], folds: int) -> bool:
    every = {tuple(value(name, grid) for name in scores) for grid in matrices(counts)}
    for less in (1, 0):
        for chosen in product(every, repeat=folds):
            for at, text in enumerate(scores.values()):
                mean_text, _, sd_text = text.partition(" ± ")
                values = [row[at] for row in chosen]
                mean = sum(values) / folds
                square = sum((x - mean) ** 2 for x in values) / (folds - less)
                if not within(mean_text, mean) or (sd_text and not within(sd_text, square, square=True)):
                    break
            else:
                return True
    return False


def compare(seeds: range) -> dict[str, int]:
    said = dict.fromkeys(("consistent", "inconsistent", "undecided"), 0)
    for seed in seeds:
        asked, counts, folds = claim(seed)
        verdict = scoreproof.check(asked, timeout=20, effort="low")
        said[verdict.status] += 1
        if verdict.status != "undecided":
            assert (verdict.status == "consistent") == possible(asked["scores"], counts, folds), asked
            assert scoreproof.verify(verdict), asked
    return said


def test_no_verdict_on_classes_over_folds_contradicts_enumeration() -> None:
    said = compare(range(FEW))
    assert said["consistent"] > FEW / 4 and said["inconsistent"], said


@pytest.mark.campaign
def test_no_verdict_on_classes_over_folds_contradicts_enumeration_at_length() -> None:
    print(compare(range(share(CAMPAIGN))))


def row_of_a_paper(load: Any, classifier: Any) -> dict[str, Any]:
    """Accuracy and macro F1 of real predictions over ten folds, printed by an f-string."""
    import numpy as np
    from sklearn.model_selection import StratifiedKFold, cross_validate

    x, y = load(return_X_y=True)
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    found = cross_validate(classifier, x, y, cv=folds, scoring=("accuracy", "f1_macro"))
    values = {"accuracy": found["test_accuracy"], "macro F1": found["test_f1_macro"]}
    return {
        "experiment": {"classes": np.bincount(y).tolist(), "folds": 10, "stratified": True},
        "scores": {name: f"{each.mean():.4f} ± {each.std():.4f}" for name, each in values.items()},
    }


def test_the_usual_row_of_a_paper_is_decided() -> None:
    from sklearn.datasets import load_wine
    from sklearn.naive_bayes import GaussianNB

    verdict = scoreproof.check(row_of_a_paper(load_wine, GaussianNB()))
    assert verdict.status == "consistent" and scoreproof.verify(verdict)


@pytest.mark.campaign
def test_the_usual_rows_of_papers_are_decided() -> None:
    """Three data sets, five classifiers; then each deviation exchanged with that of the next classifier."""
    import time

    from sklearn.datasets import load_digits, load_iris, load_wine
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    kinds = (
        GaussianNB(),
        DecisionTreeClassifier(random_state=0),
        KNeighborsClassifier(),
        KNeighborsClassifier(15),
        LinearDiscriminantAnalysis(),
    )
    for load in (load_iris, load_wine, load_digits)[: share(3)]:
        claims = [row_of_a_paper(load, kind) for kind in kinds]
        for claim in claims:
            start = time.process_time()
            verdict = scoreproof.check(claim)
            print(load.__name__, claim["scores"], verdict.status, f"{time.process_time() - start:.2f} s")
            assert verdict.status == "consistent" and scoreproof.verify(verdict), claim
        for claim, other in zip(claims, [*claims[1:], claims[0]], strict=True):
            swapped = claim["scores"]["macro F1"].split(" ± ")[0], other["scores"]["macro F1"].split(" ± ")[1]
            mixed = {**claim, "scores": {**claim["scores"], "macro F1": " ± ".join(swapped)}}
            verdict = scoreproof.check(mixed)
            print("  exchanged", mixed["scores"], verdict.status)
            assert scoreproof.verify(verdict)
