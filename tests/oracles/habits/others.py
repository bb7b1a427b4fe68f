"""Habits about several classes, rankings and predicted numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from .computing import Counts, deviation, f1, mean, precision, recall
from .drawing import fixed, some_decimals
from .registry import Claim, habit


def confusion(rng: random.Random, sizes: Sequence[int], share: float) -> list[list[int]]:
    rows = []
    for at, size in enumerate(sizes):
        row = [0] * len(sizes)
        for _ in range(size):
            row[at if rng.random() < share else rng.randrange(len(sizes))] += 1
        rows.append(row)
    return rows


def against_rest(rows: Sequence[Sequence[int]], at: int) -> Counts:
    tp = rows[at][at]
    fn = sum(rows[at]) - tp
    fp = sum(row[at] for row in rows) - tp
    return Counts(tp, fp, fn, sum(map(sum, rows)) - tp - fp - fn)


def some_classes(rng: random.Random, most: int = 60) -> tuple[list[int], list[list[int]], list[Counts]]:
    sizes = [rng.randint(5, most) for _ in range(rng.randint(3, 6))]
    rows = confusion(rng, sizes, rng.uniform(0.4, 0.95))
    return sizes, rows, [against_rest(rows, at) for at in range(len(sizes))]


def correct(rows: Sequence[Sequence[int]]) -> float:
    return sum(row[at] for at, row in enumerate(rows)) / sum(map(sum, rows))


@habit("classes: macro and weighted")
def _averages(rng: random.Random) -> Claim:
    sizes, rows, ms = some_classes(rng)
    d = rng.choice((2, 3, 4))
    scores = {"accuracy": fixed(correct(rows), d)}
    for name, score in (("precision", precision), ("recall", recall), ("f1", f1)):
        values = [score(m, 0.0) for m in ms]
        scores[f"{name}_macro"] = fixed(mean(values), d)
        if rng.random() < 0.5:
            weighted = sum(a * b for a, b in zip(sizes, values, strict=True)) / sum(sizes)
            scores[f"{name}_weighted"] = fixed(weighted, d)
    return {"experiment": {"classes": sizes}, "scores": scores}


@habit("classes: macro f1 of macro precision and recall")
def _macro_of_means(rng: random.Random) -> Claim:
    sizes, rows, ms = some_classes(rng)
    d = rng.choice((3, 4))
    p, r = mean([precision(m, 0.0) for m in ms]), mean([recall(m) for m in ms])
    scores = {"accuracy": fixed(correct(rows), d), "precision_macro": fixed(p, d), "recall_macro": fixed(r, d)}
    scores["f1_macro"] = fixed(2 * p * r / (p + r), d)
    return {"experiment": {"classes": sizes}, "scores": scores}


@habit("classes: a whole report")
def _report(rng: random.Random) -> Claim:
    sizes, rows, ms = some_classes(rng)
    d = 2
    classes = {f"class {at}": size for at, size in enumerate(sizes)}
    each = {
        name: {
            "precision": fixed(precision(m, 0.0), d),
            "recall": fixed(recall(m), d),
            "f1": fixed(f1(m, 0.0), d),
        }
        for name, m in zip(classes, ms, strict=True)
    }
    scores = {"accuracy": fixed(correct(rows), d)}
    for name, score in (("precision", precision), ("recall", recall), ("f1", f1)):
        scores[f"{name}_macro"] = fixed(mean([score(m, 0.0) for m in ms]), d)
    return {"experiment": {"classes": classes}, "scores": scores, "per_class": each}


@habit("classes: one is never predicted")
def _never(rng: random.Random) -> Claim:
    """scikit-learn counts its precision as 0, with a warning."""
    sizes = [rng.randint(20, 60) for _ in range(rng.randint(2, 4))]
    rows = [[*row, 0] for row in confusion(rng, sizes, 0.8)]
    small = [0] * len(rows[0])
    for _ in range(rng.randint(1, 6)):
        small[rng.randrange(len(sizes))] += 1
    rows.append(small)
    sizes.append(sum(small))
    ms = [against_rest(rows, at) for at in range(len(sizes))]
    d = rng.choice((2, 3, 4))
    scores = {"accuracy": fixed(correct(rows), d)}
    for name, score in (("precision", precision), ("recall", recall), ("f1", f1)):
        scores[f"{name}_macro"] = fixed(mean([score(m, 0.0) for m in ms]), d)
    return {"experiment": {"classes": sizes}, "scores": scores}


@habit("classes: micro averages")
def _micro(rng: random.Random) -> Claim:
    sizes, rows, ms = some_classes(rng)
    share = fixed(correct(rows), 4)
    macro = fixed(mean([f1(m, 0.0) for m in ms]), 4)
    return {
        "experiment": {"classes": sizes},
        "scores": {"f1_micro": share, "precision_micro": share, "accuracy": share, "f1_macro": macro},
    }


@habit("classes: percent without a sign")
def _classes_percent(rng: random.Random) -> Claim:
    sizes, rows, ms = some_classes(rng)
    scores = {"accuracy": fixed(100 * correct(rows), 2)}
    for name, score in (("precision", precision), ("recall", recall), ("f1", f1)):
        scores[f"{name}_macro"] = fixed(100 * mean([score(m, 0.0) for m in ms]), 2)
    return {"experiment": {"classes": sizes}, "scores": scores}


@habit("classes: kappa beside accuracy")
def _kappa(rng: random.Random) -> Claim:
    sizes, rows, ms = some_classes(rng)
    total = sum(sizes)
    chance = sum(size * sum(row[at] for row in rows) for at, size in enumerate(sizes)) / total**2
    scores = {"accuracy": fixed(correct(rows), 4), "kappa": fixed((correct(rows) - chance) / (1 - chance), 4)}
    scores["recall_macro"] = fixed(mean([recall(m) for m in ms]), 4)
    return {"experiment": {"classes": sizes}, "scores": scores}


# -- rankings ---------------------------------------------------------------------


def ranked(rng: random.Random, p: int, n: int) -> tuple[list[float], list[float]]:
    shift = rng.uniform(0.3, 2.5)
    steps = rng.choice((0, 0, 10))
    positive = [rng.gauss(shift, 1) for _ in range(p)]
    negative = [rng.gauss(0, 1) for _ in range(n)]
    if steps:
        positive, negative = (
            [round(value * steps) / steps for value in values] for values in (positive, negative)
        )
    return positive, negative


def area(positive: Sequence[float], negative: Sequence[float]) -> float:
    order = sum((a > b) + 0.5 * (a == b) for a in positive for b in negative)
    return order / (len(positive) * len(negative))


def at_threshold(positive: Sequence[float], negative: Sequence[float], cut: float) -> tuple[float, float]:
    return (
        sum(value >= cut for value in positive) / len(positive),
        sum(value < cut for value in negative) / len(negative),
    )


@habit("auc with an operating point")
def _auc(rng: random.Random) -> Claim:
    positive, negative = ranked(rng, rng.randint(5, 60), rng.randint(5, 60))
    d = rng.choice((2, 3, 4))
    sens, spec = at_threshold(positive, negative, rng.choice(positive + negative))
    scores = {"auc": fixed(area(positive, negative), d), "sens": fixed(sens, d), "spec": fixed(spec, d)}
    return {"experiment": {"p": len(positive), "n": len(negative)}, "scores": scores}


@habit("auc with several operating points")
def _points(rng: random.Random) -> Claim:
    positive, negative = ranked(rng, rng.randint(5, 40), rng.randint(5, 40))
    points = []
    for _ in range(rng.randint(2, 3)):
        sens, spec = at_threshold(positive, negative, rng.choice(positive + negative))
        points.append({"sens": fixed(sens, 3), "spec": fixed(spec, 3)})
    claim: Claim = {"experiment": {"p": len(positive), "n": len(negative)}, "points": points}
    return {**claim, "scores": {"auc": fixed(area(positive, negative), 3)}}


@habit("auc, mean over folds")
def _mean_auc(rng: random.Random) -> Claim:
    k = rng.choice((3, 5))
    p, n = k * rng.randint(2, 8), k * rng.randint(2, 8)
    values = [area(*ranked(rng, p // k, n // k)) for _ in range(k)]
    experiment = {"p": p, "n": n, "folds": k, "stratified": True}
    return {"experiment": experiment, "scores": {"auc": fixed(mean(values), rng.choice((2, 3, 4)))}}


@habit("auc in percent, no counts")
def _auc_percent(rng: random.Random) -> Claim:
    positive, negative = ranked(rng, rng.randint(5, 60), rng.randint(5, 60))
    sens, spec = at_threshold(positive, negative, rng.choice(positive + negative))
    return {
        "scores": {
            "auc": fixed(100 * area(positive, negative), 1),
            "sens": fixed(100 * sens, 1),
            "spec": fixed(100 * spec, 1),
        }
    }


# -- predicted numbers -------------------------------------------------------------


def fitted(rng: random.Random, size: int) -> tuple[list[float], list[float]]:
    scale = 10 ** rng.uniform(-1, 3)
    truth = [rng.gauss(2, 1) * scale for _ in range(size)]
    noise = rng.uniform(0.1, 0.9) * scale
    return truth, [value + rng.gauss(0, noise) for value in truth]


def errors(truth: Sequence[float], guess: Sequence[float]) -> dict[str, float]:
    gaps = [a - b for a, b in zip(truth, guess, strict=True)]
    mse = mean([gap * gap for gap in gaps])
    return {
        "mae": mean([abs(gap) for gap in gaps]),
        "mse": mse,
        "rmse": math.sqrt(mse),
        "max_error": max(abs(gap) for gap in gaps),
        "r2": 1 - mse / deviation(truth, 0) ** 2,
    }


def _numbers(rng: random.Random, key: str, ddof: int) -> Claim:
    truth, guess = fitted(rng, rng.randint(8, 300))
    d = some_decimals(rng)
    spread = deviation(truth, ddof)
    names = rng.choice(
        (("mae", "rmse", "r2"), ("mse", "r2"), ("rmse", "r2"), ("mae", "mse", "r2", "max_error"))
    )
    found = errors(truth, guess)
    experiment = {"samples": len(truth), key: fixed(spread**2 if key == "variance" else spread, d + 1)}
    return {"experiment": experiment, "scores": {name: fixed(found[name], d) for name in names}}


@habit("numbers: variance of the targets with n")
def _population(rng: random.Random) -> Claim:
    return _numbers(rng, "variance", 0)


@habit("numbers: variance of the targets with n-1")
def _sample(rng: random.Random) -> Claim:
    return _numbers(rng, "variance", 1)


@habit("numbers: deviation of the targets with n-1")
def _sample_sd(rng: random.Random) -> Claim:
    return _numbers(rng, "sd", 1)


@habit("numbers: no variance")
def _no_variance(rng: random.Random) -> Claim:
    truth, guess = fitted(rng, rng.randint(8, 300))
    found = errors(truth, guess)
    d = some_decimals(rng)
    return {
        "experiment": {"samples": len(truth)},
        "scores": {name: fixed(found[name], d) for name in ("mae", "rmse", "max_error")},
    }


@habit("numbers: means over folds")
def _number_folds(rng: random.Random) -> Claim:
    k = 5
    size = rng.randint(4, 30)
    scale = rng.random()
    runs = [errors(*_scaled(rng, size, scale)) for _ in range(k)]
    scores = {name: fixed(mean([run[name] for run in runs]), 3) for name in ("mae", "rmse", "r2")}
    return {"experiment": {"samples": k * size, "folds": k}, "scores": scores}


def _scaled(rng: random.Random, size: int, noise: float) -> tuple[list[float], list[float]]:
    truth = [rng.gauss(2, 1) for _ in range(size)]
    return truth, [value + rng.gauss(0, noise + 0.05) for value in truth]


@habit("numbers: R² as a squared correlation", known=False)
def _squared_correlation(rng: random.Random) -> Claim:
    """caret's Rsquared and a spreadsheet's RSQ."""
    truth, guess = fitted(rng, rng.randint(20, 200))
    found = errors(truth, guess)
    a, b = mean(truth), mean(guess)
    shared = mean([(x - a) * (y - b) for x, y in zip(truth, guess, strict=True)])
    found["r2"] = (shared / (deviation(truth, 0) * deviation(guess, 0))) ** 2
    experiment = {"samples": len(truth), "variance": fixed(deviation(truth, 0) ** 2, 4)}
    return {"experiment": experiment, "scores": {name: fixed(found[name], 3) for name in ("rmse", "r2")}}
