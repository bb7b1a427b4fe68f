"""The scores of a confusion matrix from their textbook definitions, and what they are called."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from .numbers import Number, root


class Counts(NamedTuple):
    """A confusion matrix of two classes."""

    tp: int
    fp: int
    fn: int
    tn: int

    def plus(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)


def over(up: Fraction | int, down: Fraction | int) -> Fraction | None:
    return Fraction(up) / Fraction(down) if down else None


def f_measure(precision: Fraction | None, recall: Fraction | None, beta: Fraction) -> Fraction | None:
    """F-beta of a precision and a recall."""
    if precision is None or recall is None:
        return None
    return over((1 + beta**2) * precision * recall, beta**2 * precision + recall)


#: The F-measures: their precision, their recall, and whether they have a beta of their own.
F_MEASURES = {
    "f1": ("ppv", "sens", None),
    "fbp": ("ppv", "sens", "beta_positive"),
    "f1n": ("npv", "spec", None),
    "fbn": ("npv", "spec", "beta_negative"),
}
NAMES = (
    "acc", "sens", "spec", "ppv", "npv", "bacc", "f1", "f1n", "fbp", "fbn", "fm", "upm", "gm", "mk", "bm",
    "mcc", "lrp", "lrn", "pt", "dor", "ji", "kappa",
)  # fmt: skip
#: Other names in use: (score, whether one minus the score is meant).
OTHER_NAMES = {
    "accuracy": ("acc", False), "recall": ("sens", False), "precision": ("ppv", False),
    "F1-score": ("f1", False), "IoU": ("ji", False), "Youden's J": ("bm", False), "LR+": ("lrp", False),
    "error rate": ("acc", True), "fnr": ("sens", True), "fpr": ("spec", True), "fdr": ("ppv", True),
    "false omission rate": ("npv", True), "balanced error rate": ("bacc", True), "dice loss": ("f1", True),
    "Jaccard distance": ("ji", True),
}  # fmt: skip
#: What a score is at most; None where there is no limit.
UNLIMITED = frozenset({"lrp", "lrn", "dor"})


def meaning(label: str) -> tuple[str, bool]:
    return OTHER_NAMES[label] if label in OTHER_NAMES else (NAMES[NAMES.index(label)], False)


@lru_cache(maxsize=200_000)
def score(name: str, m: Counts, beta: Fraction = Fraction(1)) -> Number | None:
    """The score of a matrix; None where it is undefined (docs/reference/scores.md has the table)."""
    tp, fp, fn, tn = m
    p, n = tp + fn, tn + fp
    sens, spec = over(tp, p), over(tn, n)
    ppv, npv = over(tp, tp + fp), over(tn, tn + fn)
    b = beta**2
    match name:
        case "acc":
            return over(tp + tn, p + n)
        case "sens":
            return sens
        case "spec":
            return spec
        case "ppv":
            return ppv
        case "npv":
            return npv
        case "bacc":
            return None if sens is None or spec is None else (sens + spec) / 2
        case "bm":
            return None if sens is None or spec is None else sens + spec - 1
        case "mk":
            return None if ppv is None or npv is None else ppv + npv - 1
        case "f1":
            return over(2 * tp, 2 * tp + fp + fn)
        case "f1n":
            return over(2 * tn, 2 * tn + fp + fn)
        case "fbp":
            return over((1 + b) * tp, (1 + b) * tp + b * fn + fp)
        case "fbn":
            return over((1 + b) * tn, (1 + b) * tn + b * fp + fn)
        case "ji":
            return over(tp, tp + fp + fn)
        case "fm":
            return None if ppv is None or sens is None else root(ppv * sens)
        case "gm":
            return None if sens is None or spec is None else root(sens * spec)
        case "upm":
            f1, f1n = over(2 * tp, 2 * tp + fp + fn), over(2 * tn, 2 * tn + fp + fn)
            return None if f1 is None or f1n is None else over(2 * f1 * f1n, f1 + f1n)
        case "mcc":
            under = p * n * (tp + fp) * (tn + fn)
            # x/√u = x·√(1/u)
            return root(Fraction(1, under)) * Fraction(tp * tn - fp * fn) if under else None
        case "lrp":
            return None if sens is None or spec is None else over(sens, 1 - spec)
        case "lrn":
            return None if sens is None or spec is None else over(1 - sens, spec)
        case "dor":
            return over(tp * tn, fp * fn)
        case "kappa":
            chance = Fraction(p * (tp + fp) + n * (tn + fn), (p + n) ** 2)
            return over(Fraction(tp + tn, p + n) - chance, 1 - chance)
        case "pt":
            return None if sens is None or spec is None else threshold(sens, 1 - spec)
    raise KeyError(name)


def threshold(sens: Fraction, fpr: Fraction) -> Number | None:
    """√fpr/(√sens+√fpr), made a sum of roots: (√(sens·fpr) - fpr)/(sens - fpr)."""
    if sens == fpr:
        return Fraction(1, 2) if sens else None
    return (root(sens * fpr) - fpr) / (sens - fpr)
