"""Several classes by plain enumeration: every confusion matrix, every figure from its definition."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

Rows = tuple[tuple[int, ...], ...]
Value = Fraction | None


def shared_out(count: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every way to put so many items into so many places."""
    if places == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in shared_out(count - first, places - 1):
            yield (first, *rest)


def every_matrix(counts: tuple[int, ...]) -> Iterator[Rows]:
    """Every confusion matrix with these row sums."""
    return product(*(list(shared_out(count, len(counts))) for count in counts))


def ratio(up: int, down: int) -> Value:
    return Fraction(up, down) if down else None


def halved(one: Value, two: Value, less: int = 0) -> Value:
    return None if one is None or two is None else (one + two - less) / (1 if less else 2)


def binary_kappa(tp: int, fp: int, fn: int, tn: int) -> Value:
    total = tp + fp + fn + tn
    chance = (tp + fn) * (tp + fp) + (tn + fp) * (tn + fn)
    return ratio(total * (tp + tn) - chance, total * total - chance)


# fmt: off
BINARY: dict[str, Callable[[int, int, int, int], Value]] = {
    "acc":   lambda tp, fp, fn, tn: ratio(tp + tn, tp + fp + fn + tn),
    "sens":  lambda tp, fp, fn, tn: ratio(tp, tp + fn),
    "spec":  lambda tp, fp, fn, tn: ratio(tn, tn + fp),
    "ppv":   lambda tp, fp, fn, tn: ratio(tp, tp + fp),
    "npv":   lambda tp, fp, fn, tn: ratio(tn, tn + fn),
    "f1":    lambda tp, fp, fn, tn: ratio(2 * tp, 2 * tp + fp + fn),
    "f1n":   lambda tp, fp, fn, tn: ratio(2 * tn, 2 * tn + fp + fn),
    "fbp":   lambda tp, fp, fn, tn: ratio(5 * tp, 5 * tp + 4 * fn + fp),  # beta 2
    "bacc":  lambda tp, fp, fn, tn: halved(ratio(tp, tp + fn), ratio(tn, tn + fp)),
    "bm":    lambda tp, fp, fn, tn: halved(ratio(tp, tp + fn), ratio(tn, tn + fp), 1),
    "mk":    lambda tp, fp, fn, tn: halved(ratio(tp, tp + fp), ratio(tn, tn + fn), 1),
    "ji":    lambda tp, fp, fn, tn: ratio(tp, tp + fp + fn),
    "kappa": binary_kappa,
}
# fmt: on


def split(rows: Rows) -> list[tuple[int, int, int, int]]:
    """tp, fp, fn, tn of every class against the rest."""
    total = sum(map(sum, rows))
    found = []
    for c in range(len(rows)):
        tp = rows[c][c]
        fn = sum(rows[c]) - tp
        fp = sum(row[c] for row in rows) - tp
        found.append((tp, fp, fn, total - tp - fp - fn))
    return found


def mean(values: list[tuple[Value, int]], undefined: str) -> Value:
    """The mean with weights; a weight of 0 has no say."""
    kept: list[tuple[Fraction, int]] = []
    for value, weight in values:
        if not weight:
            continue
        if value is None and undefined == "skip":
            continue
        if value is None and undefined == "impossible":
            return None
        kept.append((value or Fraction(0), weight))
    return sum(v * w for v, w in kept) / sum(w for _, w in kept) if kept else None


def one_value(rows: Rows, label: str, undefined: str, f_mean: str) -> Value:
    """The figure of one matrix; labels are "f1_macro", "f1 (b)", "acc" and the like."""
    parts = split(rows)
    total = sum(map(sum, rows))
    correct = sum(part[0] for part in parts)
    if "(" in label:
        name, _, of = label.partition(" (")
        value = BINARY[name](*parts["abcdef".index(of[0])])
    elif "_" not in label:
        if label == "acc":
            value = Fraction(correct, total)
        elif label == "bacc":
            recalls = [Fraction(tp, tp + fn) for tp, _, fn, _ in parts if tp + fn]
            value = sum(recalls, Fraction(0)) / len(recalls)
        else:  # kappa; mcc is squared, with its sign
            chance = sum((tp + fn) * (tp + fp) for tp, fp, fn, _ in parts)
            if label == "kappa":
                value = ratio(total * correct - chance, total * total - chance)
            else:
                up = total * correct - chance
                called = total * total - sum((tp + fp) ** 2 for tp, fp, _, _ in parts)
                items = total * total - sum((tp + fn) ** 2 for tp, _, fn, _ in parts)
                value = ratio(up * abs(up), called * items)
    else:
        name, how = label.split("_")
        if how == "micro":
            value = BINARY[name](*map(sum, zip(*parts, strict=True)))
        else:
            weights = [part[0] + part[2] if how == "weighted" else 1 for part in parts]
            if f_mean == "of_means" and name in ("f1", "fbp"):
                p = mean([(BINARY["ppv"](*part), w) for part, w in zip(parts, weights, strict=True)], undefined)
                r = mean(
                    [(BINARY["sens"](*part), w) for part, w in zip(parts, weights, strict=True)], undefined
                )
                square = 1 if name == "f1" else 4
                if p is None or r is None or not square * p + r:
                    value = None
                else:
                    value = (1 + square) * p * r / (square * p + r)
            else:
                values = [(BINARY[name](*part), w) for part, w in zip(parts, weights, strict=True)]
                value = mean(values, undefined)
    return Fraction(0) if value is None and undefined == "zero" else value


def value_of(sets: tuple[Rows, ...], label: str, undefined: str, f_mean: str) -> Value:
    """The mean over the evaluation sets."""
    values = [one_value(rows, label, undefined, f_mean) for rows in sets]
    if undefined == "skip" and len(values) > 1:
        values = [value for value in values if value is not None]
    if not values or any(value is None for value in values):
        return None
    return sum(values, Fraction(0)) / len(values)  # type: ignore[arg-type]


def possible(claim: dict[str, Any]) -> bool:
    """Whether any matrices give the figures, by trying them all."""
    experiment = claim["experiment"]
    folds = experiment.get("folds") or [experiment]
    counts = [tuple(fold["classes"].values()) for fold in folds]
    conventions = claim.get("conventions", {})
    undefined, f_mean = conventions.get("undefined", "impossible"), conventions.get("f_mean", "mean")
    wanted = {label: bounds(text, label) for label, text in figures(claim).items()}
    for sets in product(*(list(every_matrix(each)) for each in counts)):
        for label, (low, high) in wanted.items():
            value = value_of(sets, label, undefined, f_mean)
            if value is None or not low <= value <= high:
                break
        else:
            return True
    return False


def figures(claim: dict[str, Any]) -> dict[str, str]:
    found = dict(claim["scores"])
    for of, own in claim.get("per_class", {}).items():
        found.update({f"{label} ({of})": text for label, text in own.items()})
    return found


def bounds(text: str, label: str) -> tuple[Fraction, Fraction]:
    unit = Fraction(1, 10 ** len(text.split(".")[1]))
    low, high = Fraction(text) - unit / 2, Fraction(text) + unit / 2
    return (low * abs(low), high * abs(high)) if label == "mcc" else (low, high)


NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "f1n", "fbp", "bacc", "bm", "mk", "ji", "kappa")
STRAIGHT = tuple(name for name in NAMES if name != "ji")


def random_claim(seed: int) -> dict[str, Any]:
    """A small claim with true or moved figures; every kind of average, convention and set-up."""
    draw = random.Random(seed)
    classes = draw.choice((3, 3, 4))
    folded = classes == 3 and draw.random() < 0.2
    sets = []
    for _ in range(2 if folded else 1):
        size = draw.randint(3, 5) if folded else draw.randint(4, 12 if classes == 3 else 8)
        cuts = sorted(draw.randint(0, size) for _ in range(classes - 1))
        counts = [b - a for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
        sets.append(tuple(counts))
    undefined = draw.choice(("impossible", "impossible", "zero", "skip"))
    f_mean = "mean" if folded or draw.random() < 0.85 else "of_means"
    labels = set()
    for _ in range(draw.randint(1, 4)):
        kind = draw.random()
        if kind < 0.2:
            labels.add(draw.choice(("acc", "bacc") if folded else ("acc", "bacc", "kappa", "mcc")))
        elif kind < 0.35:
            labels.add(f"{draw.choice(STRAIGHT if folded else NAMES)}_micro")
        elif kind < 0.5:
            labels.add(f"{draw.choice(NAMES)} ({draw.choice('abcd'[:classes])})")
        else:
            name = draw.choice(("ppv", "sens", "f1", *NAMES))
            labels.add(f"{name}_{draw.choice(('macro', 'weighted'))}")
    if any(count == sum(each) for each in sets for count in each):
        labels -= {"kappa", "mcc"}
    labels = labels or {"acc"}
    if f_mean == "of_means":
        labels = {label.replace("f1n", "f1") for label in labels}
    true = tuple(tuple(tuple(_deal(draw, count, classes, c)) for c, count in enumerate(each)) for each in sets)
    printed = {}
    for label in sorted(labels):
        value = value_of(true, label, undefined, f_mean)
        exact = Fraction(draw.randint(0, 100), 100) if value is None else value
        number = float(exact) if label != "mcc" else (1 if exact > 0 else -1) * abs(float(exact)) ** 0.5
        places = draw.randint(1, 3)
        if draw.random() < 0.3:
            number += draw.choice((-1, 1)) * draw.randint(1, 9) / 10**places
        printed[label] = f"{number:.{places}f}"
    claim: dict[str, Any] = {"scores": {}, "conventions": {"undefined": undefined, "f_mean": f_mean}}
    claim["conventions"]["beta_positive"] = 2
    rows = [{"classes": dict(zip("abcd", each, strict=False))} for each in sets]
    claim["experiment"] = {"folds": rows, "aggregate": "mean"} if folded else rows[0]
    for label, text in printed.items():
        if "(" in label:
            name, _, of = label.partition(" (")
            claim.setdefault("per_class", {}).setdefault(of[0], {})[name] = text
        else:
            claim["scores"][label] = text
    return claim


def _deal(draw: random.Random, count: int, classes: int, own: int) -> list[int]:
    row = [0] * classes
    for _ in range(count):
        row[own if draw.random() < 0.6 else draw.randrange(classes)] += 1
    return row
