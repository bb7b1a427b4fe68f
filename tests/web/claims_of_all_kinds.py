"""Claims of every kind, quick to decide on any machine, with the verdicts they get."""

from __future__ import annotations

from typing import Any

YES, NO = "consistent", "inconsistent"
ONE = {"p": 100, "n": 200}
FOLDS = {"p": 20, "n": 30, "folds": 5, "stratified": True}
CLASSES = {"classes": {"a": 10, "b": 12, "c": 8}}

KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "one matrix": ({"experiment": ONE, "scores": {"accuracy": "95.67 %", "fpr": "0.02"}}, YES),
    "one matrix, inconsistent": ({"experiment": ONE, "scores": {"acc": "0.9567", "sens": "0.8500"}}, NO),
    "outside its range": ({"experiment": ONE, "scores": {"acc": "94.47"}}, NO),
    "a million items": ({"experiment": {"p": 10**6, "n": 10**6}, "scores": {"mcc": "0.812", "f1": "0.9"}}, YES),
    "one item each": ({"experiment": {"p": 1, "n": 1}, "scores": {"acc": "0.5"}}, YES),
    "undefined as zero": (
        {"experiment": ONE, "scores": {"ppv": "0.00"}, "conventions": {"undefined": "zero"}},
        YES,
    ),
    "every rounding": ({"experiment": ONE, "scores": {"acc": "0.9566"}, "rounding": "open"}, YES),
    "a distance": ({"experiment": ONE, "scores": {"acc": "0.9566"}, "rounding": {"eps": "0.0001"}}, YES),
    "one of two": ({"experiment": {"one_of": [ONE, {"p": 7, "n": 7}]}, "scores": {"acc": "0.9567"}}, YES),
    "only the total": ({"experiment": {"total": 30}, "scores": {"acc": "0.9567"}}, NO),
    "a dataset": ({"experiment": {"dataset": "isic2016"}, "scores": {"acc": "0.855", "sens": "0.507"}}, YES),
    "stratified folds": (
        {"experiment": {**FOLDS, "aggregate": "mean"}, "scores": {"acc": "0.9000", "sens": "0.8500"}},
        YES,
    ),
    "folds, inconsistent": ({"experiment": {**FOLDS, "aggregate": "mean"}, "scores": {"sens": "0.8512"}}, NO),
    "folds left open": ({"experiment": {"p": 20, "n": 30, "folds": 5}, "scores": {"acc": "0.9012"}}, NO),
    "parts with their own figures": (
        {
            "experiment": {
                "parts": [{"p": 10, "n": 20, "name": "A", "scores": {"acc": "0.9"}}, {"p": 30, "n": 20}],
                "aggregate": "mean",
            },
            "scores": {"acc": "0.86"},
        },
        YES,
    ),
    "an interval": (
        {"experiment": ONE, "scores": {"sens": "0.92 (0.85-0.96)"}, "conventions": {"ci": "wilson"}},
        YES,
    ),
    "an interval, inconsistent": (
        {"experiment": ONE, "scores": {"sens": "0.92 (0.74-0.97)"}, "conventions": {"ci": "wilson"}},
        NO,
    ),
    "several classes": ({"experiment": CLASSES, "scores": {"acc": "0.90"}}, YES),
    "several classes, inconsistent": ({"experiment": CLASSES, "scores": {"acc": "0.95"}}, NO),
    "residuals": ({"experiment": {"samples": 100}, "scores": {"mae": "0.12", "rmse": "0.16"}}, YES),
    "residuals, inconsistent": (
        {"experiment": {"samples": 100}, "scores": {"mae": "0.22", "rmse": "0.16"}},
        NO,
    ),
    "a ranking": ({"experiment": {"p": 30, "n": 70}, "scores": {"auc": "0.91", "sens": "0.90"}}, YES),
    "a ranking, inconsistent": (
        {"experiment": {"p": 30, "n": 70}, "scores": {"auc": "0.512", "sens": "0.90", "spec": "0.99"}},
        NO,
    ),
}
