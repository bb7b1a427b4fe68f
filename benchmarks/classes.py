"""Realistic claims about 3 to 14 classes: how many are decided, how soon, and none wrongly.

    python benchmarks/classes.py                       400 claims, half of them with one figure moved
    python benchmarks/classes.py --every 10            every tenth of them
    python benchmarks/classes.py --only report

A classifier has its skill, takes similar classes for each other and is asked about classes of unequal size.
Its figures are printed as papers do: averages over the classes of 150 to 50,000 items, scikit-learn's report,
means (and deviations) over 5 or 10 stratified folds.  A true claim must never be called inconsistent, and every
verdict is verified.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
from sklearn import metrics

import scoreproof
from literature import SEVERAL, Case, add_options, dealt, figures, moved, run

SIZES = (150, 500, 1_000, 5_000, 10_000, 50_000)
FIGURES: dict[str, Callable[[Any, Any], float]] = {
    **SEVERAL,
    "ppv_weighted": lambda true, called: metrics.precision_score(true, called, average="weighted"),
    "mcc": metrics.matthews_corrcoef,
}
#: What papers print beside each other; the weighted recall is the accuracy.
TABLES = (
    ("acc", "f1_macro"),
    ("acc", "ppv_macro", "sens_macro", "f1_macro"),
    ("acc", "ppv_weighted", "f1_weighted"),
    ("acc", "kappa", "f1_macro"),
    ("acc", "f1_macro", "f1_weighted", "mcc"),
    ("acc", "ppv_macro", "sens_macro", "f1_macro", "f1_weighted"),
    ("acc", "ppv_macro", "sens_macro", "f1_macro", "kappa", "mcc"),
)


class Classifier:
    """Right with the skill of the class, and otherwise mostly a class nearby."""

    def __init__(self, rng: Random, folds: int = 1) -> None:
        self.draws = np.random.default_rng(rng.getrandbits(64))
        size, classes = rng.choice(SIZES), rng.choice((3, 5, 10, 14))
        weights = np.exp(self.draws.normal(0, rng.choice((0.0, 0.4, 0.8)), classes))
        counts = np.rint(size * weights / weights.sum()).astype(int)
        self.counts = tuple(int(n) for n in np.maximum(counts, max(3, folds)))
        places = self.draws.random((classes, 2))
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        like = np.exp(-6 * apart) * (1 - np.eye(classes))
        skill = np.clip(self.draws.normal(rng.uniform(0.65, 0.97), 0.06, classes), 0.3, 0.99)
        self.chances = np.diag(skill) + (1 - skill)[:, None] * like / like.sum(1, keepdims=True)

    def called(self, true: Any) -> Any:
        """What the items of these classes are taken for."""
        ladder = self.chances.cumsum(axis=1)[true]
        found = (self.draws.random(len(true))[:, None] > ladder).sum(axis=1)
        return np.minimum(found, len(self.counts) - 1)


def averages(rng: Random, folds: int, sd: bool) -> tuple[str, dict[str, Any]]:
    """A table of averages over the classes, of one test set or over folds."""
    model = Classifier(rng, folds)
    names = rng.choice(TABLES)
    rows: dict[str, list[float]] = {name: [] for name in names}
    whole = np.repeat(np.arange(len(model.counts)), model.counts)
    for true in dealt(model.draws, model.counts, folds, True, 1) if folds > 1 else [whole]:
        called = model.called(true)
        for name in names:
            rows[name].append(float(FIGURES[name](true, called)))
    experiment: dict[str, Any] = {"classes": list(model.counts)}
    if folds > 1:
        experiment |= {"folds": folds, "stratified": True, "aggregate": "mean"}
    what = f"{len(model.counts)} classes of {sum(model.counts)}, {folds} folds, {'+'.join(names)}"
    return what, {"experiment": experiment, "scores": figures(rng, rows, sd)}


def report(rng: Random) -> tuple[str, dict[str, Any]]:
    """What scikit-learn's ``classification_report`` prints."""
    model = Classifier(rng)
    true = np.repeat(np.arange(len(model.counts)), model.counts)
    text = metrics.classification_report(true, model.called(true), zero_division=0.0)
    claim: dict[str, Any] = dict(scoreproof.from_report(text))
    return f"{len(model.counts)} classes of {sum(model.counts)}", claim


#: How many claims of each kind there are, and how one is drawn.
STRATA: dict[str, tuple[int, Callable[[Random], tuple[str, dict[str, Any]]]]] = {
    "averages": (140, lambda rng: averages(rng, 1, False)),
    "report": (80, report),
    "folds": (90, lambda rng: averages(rng, rng.choice((5, 10)), False)),
    "folds ± sd": (90, lambda rng: averages(rng, rng.choice((5, 10)), True)),
}


def changed(rng: Random, claim: dict[str, Any]) -> None:
    """One figure moved."""
    tables = [claim["scores"], *claim.get("per_class", {}).values()]
    table = rng.choice([each for each in tables if each])
    score = rng.choice(list(table))
    table[score] = moved(rng, table[score])


def cases(seed: int, only: str = "") -> Iterator[Case]:
    for stratum, (count, draw) in STRATA.items():
        for i in range(count if only in ("", stratum) else 0):
            rng = Random(f"{seed} {stratum} {i}")
            name, claim = draw(rng)
            if i % 2:
                changed(rng, claim)
            yield Case(stratum, name, claim, not i % 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, STRATA)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # scikit-learn's, about scores of 0/0
    run(cases(options.seed, options.only), options, STRATA)
