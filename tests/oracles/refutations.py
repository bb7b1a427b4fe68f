"""Claims of every kind in which one figure is off, drawn at random: most of them clash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from random import Random
from typing import Any

import scoreproof

Cells = tuple[int, int, int, int]  # tp, fp, fn, tn
Claim = dict[str, Any]
SCORES = ("f1", "ppv", "npv", "sens", "spec", "acc", "mcc", "ji", "gm", "kappa")


def score(name: str, cells: Cells) -> float | None:
    tp, fp, fn, tn = cells
    p, n = tp + fn, fp + tn
    ratios: dict[str, tuple[float, float]] = {
        "acc": (tp + tn, p + n),
        "sens": (tp, p),
        "spec": (tn, n),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "bacc": (tp * n + tn * p, 2 * p * n),
        "ji": (tp, tp + fp + fn),
        "mcc": (tp * tn - fp * fn, sqrt(p * n * (tp + fp) * (tn + fn))),
        "gm": (sqrt(tp * tn), sqrt(p * n)),
        "kappa": (2 * (tp * tn - fp * fn), (tp + fp) * n + p * (fn + tn)),
    }
    up, down = ratios[name]
    return up / down if down else None


def cells(chance: Random, p: int, n: int) -> Cells:
    tp, tn = (round(size * chance.uniform(0.5, 1)) for size in (p, n))
    return tp, n - tn, p - tp, tn


def text(value: float, digits: int) -> str:
    return f"{min(max(value, 0), 1):.{digits}f}"


def claim(experiment: Claim | None, scores: dict[str, str], **more: Any) -> Claim:
    found: Claim = {"scores": scores, "conventions": {"strict": True, **more.pop("conventions", {})}, **more}
    return found if experiment is None else {"experiment": experiment, **found}


def means(chance: Random, sizes: list[tuple[int, int]], names: list[str], off: float) -> dict[str, str] | None:
    """Means over matrices of these sizes, the first one off."""
    matrices = [cells(chance, *size) for size in sizes]
    digits = chance.choice((2, 3, 4))
    scores = {}
    for k, name in enumerate(names):
        values = [score(name, each) for each in matrices]
        if None in values:
            return None
        mean = sum(v for v in values if v is not None) / len(values)
        scores[name] = text(
            mean + (chance.choice((-1, 1)) * chance.uniform(0.005, off) if k == 0 else 0), digits
        )
    return scores


def curved_means(chance: Random) -> Claim | None:
    k, p, n = chance.randint(2, 5), chance.randint(4, 14), chance.randint(6, 20)
    more = chance.choice((0, 1))
    sizes = [(p + chance.randint(0, more), n + chance.randint(0, more)) for _ in range(k)]
    names = chance.sample(
        ["f1", "ppv", "npv", "sens", "spec", "acc", "mcc", "ji", "gm", "kappa"], chance.randint(2, 4)
    )
    scores = means(chance, sizes, names, 0.2)
    folds = [{"p": a, "n": b} for a, b in sizes]
    return scores and claim({"folds": folds, "aggregate": "mean"}, scores)


def deviations(chance: Random) -> Claim | None:
    k, p, n = chance.randint(3, 5), chance.randint(4, 14), chance.randint(6, 20)
    matrices = [cells(chance, p, n) for _ in range(k)]
    digits, scores = chance.choice((3, 4)), {}
    for name in chance.sample(["f1", "ppv", "sens", "spec", "acc", "mcc"], chance.randint(1, 2)):
        values = [value for each in matrices if (value := score(name, each)) is not None]
        if len(values) < k:
            return None
        mean = sum(values) / k
        sd = sqrt(sum((v - mean) ** 2 for v in values) / (k - 1))
        sd = max(0, sd + chance.choice((-1, 1)) * chance.choice((0, 0.002, 0.01, 0.1, 0.3)))
        scores[name] = f"{mean:.{digits}f} ± {sd:.{digits}f}"
    return claim({"folds": [{"p": p, "n": n}] * k, "aggregate": "mean"}, scores)


def unknown_folds(chance: Random) -> Claim | None:
    p, n, k = chance.randint(10, 40), chance.randint(20, 90), chance.choice((3, 5))
    names = chance.sample(["acc", "sens", "spec", "f1", "ppv", "bacc"], chance.randint(1, 4))
    scores = means(chance, [(p, n)], names, 0.25)
    return scores and claim({"p": p, "n": n, "folds": k, "aggregate": "mean"}, scores)


def classes(chance: Random) -> Claim | None:
    many = chance.randint(3, 4)
    items = [chance.randint(5, 30) for _ in range(many)]
    grid = [[0] * many for _ in items]
    for true, count in enumerate(items):
        for _ in range(count):
            grid[true][true if chance.random() < 0.8 else chance.randrange(many)] += 1
    right = [grid[c][c] for c in range(many)]
    called = [sum(row[c] for row in grid) for c in range(many)]
    if 0 in called:
        return None
    total = sum(items)
    recall = [a / b for a, b in zip(right, items, strict=True)]
    precision = [a / b for a, b in zip(right, called, strict=True)]
    f1 = [2 * a / (b + c) for a, b, c in zip(right, items, called, strict=True)]
    values = {
        "acc": sum(right) / total,
        "recall_macro": sum(recall) / many,
        "precision_macro": sum(precision) / many,
        "f1_macro": sum(f1) / many,
        "f1_weighted": sum(a * b for a, b in zip(f1, items, strict=True)) / total,
        "precision_weighted": sum(a * b for a, b in zip(precision, items, strict=True)) / total,
    }
    digits = chance.choice((3, 4))
    names = chance.sample(list(values), chance.randint(2, 4))
    off = chance.choice((-1, 1)) * chance.uniform(0.005, 0.15)
    scores = {name: text(values[name] + (off if k == 0 else 0), digits) for k, name in enumerate(names)}
    if chance.random() < 0.6:
        return claim({"classes": items}, scores)
    own = {
        "f1": text(f1[0], digits),
        "precision": text(precision[1], digits),
        "recall": text(recall[0], digits),
    }
    named = {f"c{c}": count for c, count in enumerate(items)}
    return claim({"classes": named}, scores, per_class={"c0": own})


def no_counts(chance: Random) -> Claim | None:
    names = chance.sample([*SCORES, "bacc"], chance.randint(3, 4))
    scores = means(chance, [(chance.randint(20, 200), chance.randint(20, 300))], names, 0.25)
    return scores and claim(None, scores)


def regression(chance: Random) -> Claim | None:
    count = chance.randint(5, 100)
    errors, targets = ([chance.gauss(0, s) for _ in range(count)] for s in (1, 3))
    mse = sum(e * e for e in errors) / count
    mean = sum(targets) / count
    variance = sum((y - mean) ** 2 for y in targets) / count
    values = {
        "mae": sum(map(abs, errors)) / count,
        "mse": mse,
        "rmse": sqrt(mse),
        "r2": 1 - mse / variance,
        "max_error": max(map(abs, errors)),
    }
    names = chance.sample(list(values), chance.randint(2, 4))
    times = chance.choice((0.5, 0.8, 1.25, 1.6))
    scores = {name: f"{values[name] * (times if k == 0 else 1):.3f}" for k, name in enumerate(names)}
    experiment: Claim = {"samples": count}
    if chance.random() < 0.6:
        experiment["variance"] = f"{variance:.4f}"
    return {"experiment": experiment, "scores": scores}


def rankings(chance: Random) -> Claim | None:
    p, n = chance.randint(5, 40), chance.randint(5, 60)
    tp, _, _, tn = cells(chance, p, n)
    scores = {"auc": f"{chance.uniform(0.3, 0.99):.3f}", "sens": f"{tp / p:.3f}", "spec": f"{tn / n:.3f}"}
    match chance.randrange(4):
        case 0:
            small = {"p": chance.randint(3, 9), "n": chance.randint(3, 9)}
            return claim(small, {"auc": f"{chance.uniform(0.5, 1):.4f}"})
        case 1:
            folds = {"p": 5 * p, "n": 5 * n, "folds": 5, "stratified": True, "aggregate": "mean"}
            return claim(folds, scores)
        case 2:
            return claim(None, scores)
    return claim({"p": p, "n": n}, scores)


def wilson(x: int, m: int) -> tuple[float, float]:
    z, q = 1.959963984540054, x / m
    centre, half = q + z * z / (2 * m), z * sqrt(q * (1 - q) / m + z * z / (4 * m * m))
    return (centre - half) / (1 + z * z / m), (centre + half) / (1 + z * z / m)


def intervals(chance: Random) -> Claim | None:
    p, n = chance.randint(20, 80), chance.randint(20, 80)
    tp, _, _, tn = cells(chance, p, n)
    lower, upper = wilson(tp, p)
    off = chance.choice((0, 0.02, 0.05, -0.03))
    acc = (tp + tn) / (p + n) + chance.choice((0, 0, 0.01))
    scores = {
        "sens": f"{tp / p:.3f} ({text(lower + off, 3)}-{text(upper + off, 3)})",
        "spec": f"{tn / n:.3f}",
        "acc": text(acc, 3),
    }
    return claim({"p": p, "n": n}, scores, conventions={"ci": "wilson"})


def bounded(chance: Random) -> Claim | None:
    sizes = [(chance.randint(5, 12), chance.randint(8, 20)) for _ in range(chance.randint(2, 4))]
    name = chance.choice(("acc", "sens", "f1", "bacc"))
    scores = {name: f"{chance.uniform(0.45, 0.9):.3f}"}
    scores[chance.choice(("spec", "ppv", "acc", "f1"))] = f"{chance.uniform(0.1, 0.9):.3f}"
    folds = [{"p": a, "n": b} for a, b in sizes]
    return claim({"folds": folds, "aggregate": "mean", "bounds": {name: [0.2, 0.5]}}, scores)


def extremes(chance: Random) -> Claim | None:
    k, p, n = chance.randint(3, 5), chance.randint(5, 16), chance.randint(5, 16)
    name = chance.choice(("acc", "sens", "f1"))
    values = [value for _ in range(k) if (value := score(name, cells(chance, p, n))) is not None]
    if len(values) < k:
        return None
    within = {
        "min": text(min(values) + chance.choice((0, 0.03, 0.1)), 3),
        "max": text(max(values) - chance.choice((0, 0.03, 0.1)), 3),
    }
    experiment = {"folds": [{"p": p, "n": n}] * k, "aggregate": "mean", "within": {name: within}}
    return claim(experiment, {name: text(sum(values) / k + chance.uniform(-0.2, 0.2), 3)})


def datasets(chance: Random) -> Claim | None:
    sizes = [(chance.randint(5, 25), chance.randint(5, 40)) for _ in range(chance.randint(2, 4))]
    names = chance.sample(["acc", "sens", "spec", "f1", "ppv"], chance.randint(2, 4))
    scores = means(chance, sizes, names, 0.2)
    parts = [{"p": a, "n": b} for a, b in sizes]
    return scores and claim({"parts": parts, "aggregate": "mean"}, scores)


def labels(chance: Random) -> Claim | None:
    items = {f"l{k}": chance.randint(5, 40) for k in range(chance.randint(2, 4))}
    rows = {}
    for k, (name, count) in enumerate(items.items()):
        tp, fp = chance.randint(1, count), chance.randint(0, 20)
        off = chance.uniform(0.02, 0.2) if k == 0 else 0
        rows[name] = {
            "precision": text(tp / (tp + fp), 3),
            "recall": text(tp / count, 3),
            "f1": text(2 * tp / (count + tp + fp) + off, 3),
        }
    return claim({"labels": items}, {}, per_class=rows)


KINDS: dict[str, Callable[[Random], Claim | None]] = {
    each.__name__: each
    for each in (
        curved_means, deviations, unknown_folds, classes, no_counts, regression, rankings, intervals, bounded,
        extremes, datasets, labels,
    )
}  # fmt: skip


def refuted(kind: str, count: int, seed: int = 1) -> Iterator[tuple[Claim, Any]]:
    """So many inconsistent claims of a kind, with their verdicts."""
    chance = Random(f"{kind} {seed}")
    found = 0
    while found < count:
        made = KINDS[kind](chance)
        if made is None:
            continue
        verdict = scoreproof.check(made, effort="low", timeout=None)
        if verdict.status == "inconsistent":
            found += 1
            yield made, verdict
