"""Conventions and assumptions in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.decision import Decision

#: What it takes, by convention and the beginning of its value.
TAKES: dict[tuple[str, str], str] = {
    ("undefined", "zero"): "a score of 0/0 counts as 0 (scikit-learn's default)",
    ("undefined", "skip"): "folds in which a score is 0/0 are left out of its mean",
    ("f_mean", "of_means"): "a mean F-measure was computed from mean precision and mean recall",
    ("folds", "caret"): "the stratified folds were dealt as by R's caret",
    ("folds", "in order"): "the folds were cut in order from data sorted by class",
    ("averages", "macro"): "precision, recall and F1 are averages over both classes (macro)",
    (
        "averages",
        "weighted",
    ): "precision, recall and F1 are averages over both classes, weighted by their items",
    ("averages", "micro"): "precision, recall and F1 are those of all items together (micro)",
    ("plus_minus", "se"): "the number after ± is the standard error of the mean",
    ("plus_minus", "ci"): "the number after ± is half of a 95 % interval of the mean",
    ("plus_minus", "repeats"): "the number after ± is the deviation over the repeats",
    ("quartiles", ""): "the quartiles were computed by another rule ({})",
    ("runs", ""): "the figures are means over several runs on the test set, such as {}",
    ("percent", ""): "{} is in percent as well",
    ("variance", "sample"): "the variance of the targets has the divisor N - 1",
    ("r2", "squared"): "R² is the squared correlation (as R's caret prints it)",
    ("intervals", "different"): "the confidence intervals were computed by different methods",
    ("intervals", "another method: "): "the confidence interval of {} comes from a method not known here",
    ("intervals", "another"): "the confidence intervals come from a method not known here",
    ("counts meant", ""): "the counts are {}, as other numbers of it may say",
    ("zero_cells", "half"): "0.5 was added to each cell of a table with a zero cell",
}
#: What a reading takes for granted, likewise, where its key and value would say little.
SAID: dict[tuple[str, str], str] = {
    ("aggregate", "mean"): "scores were averaged",
    ("aggregate", "pooled"): "counts were pooled",
    ("figures", "of one matrix"): "the figures are of one test set",
    ("figures", "means"): "the figures are means over several test sets",
    ("counts", ""): "the counts were {}",
    ("rounding", "down"): "digits were cut off",
    ("rounding", "up"): "figures were rounded up",
}
#: What was tried in other ways, by convention.
TRIED = {
    "counts meant": "other numbers of the text as counts",
    "undefined": "a score of 0/0",
    "f_mean": "F of means",
    "folds": "other ways to deal the folds",
    "percent": "percent without a sign",
    "averages": "averages over both classes",
    "plus_minus": "other meanings of ±",
    "quartiles": "other rules for quartiles",
    "runs": "several runs on one test set",
    "variance": "the divisor of the variance",
    "r2": "R² as a squared correlation",
    "intervals": "other methods of intervals",
    "zero_cells": "0.5 added to zero cells",
}
#: What is taken for granted, by assumption; {} stands for its value.
ASSUMED = {
    "percent": "{} read as percent",
    "machine numbers": "{} read as computed in binary, a few units of the last place off",
    "fold sizes": "sizes of folds that {}",
    "beta_positive": "an F-beta with beta = {}",
    "beta_negative": "an F-beta of negatives with beta = {}",
}


def takes(conventions: Mapping[str, str]) -> str:
    """What a fit takes, as a condition: "a score of 0/0 counts as 0"."""
    return " and ".join(_taken(what, value) for what, value in conventions.items())


def said(what: str, value: str) -> str:
    """What a reading takes for granted, as a condition: "counts were pooled"."""
    return _taken(what, value, {**SAID, **TAKES})


def _taken(what: str, value: str, known: Mapping[tuple[str, str], str] = TAKES) -> str:
    rows = (
        (start, words) for (name, start), words in known.items() if name == what and value.startswith(start)
    )
    start, words = next(rows, ("", f"{what} = {{}}"))
    return words.format(value.removeprefix(start))


def tried(verdict: Decision) -> str:
    """The common conventions that do not help either, in brackets after a clash; nothing if there are none."""
    whats = dict.fromkeys(what for each in verdict.outcomes for what, _ in each.reading.takes)
    said = ", ".join(TRIED.get(what, what) for what in whats)
    return f", also with other common conventions ({said})" if said else ""


def assumed(assumptions: Sequence[Mapping[str, Any]]) -> str:
    """Assumptions that a reader would not expect, after the rounding rule."""
    unsaid = [each for each in assumptions if each["what"] in ASSUMED and not each["stated"]]
    return "".join(f", {ASSUMED[each['what']].format(each['value'])}" for each in unsaid)
