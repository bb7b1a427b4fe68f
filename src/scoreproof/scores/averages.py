"""Precision, recall and F1 of two classes, averaged over both: rows like those of the scores.

With weights u and v of the positive and the negative class, each is (u·x + v·y)/(u + v) of its values x and y
for the two classes.  It rises with tp and with tn, as x and y do.  The precision of a class that is never
called counts as 0, as in scikit-learn; matrices with such a class have a row of their own, undefined elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scoreproof.scores.binary import BORDER, INNER, ONE_CLASS, SCORES, where
from scoreproof.scores.score import Betas, Matrix, Score, Terms

Weights = Callable[[int, int], tuple[int, int]]

#: What the classes count for, from their items.
WEIGHTS: dict[str, Weights] = {"macro": lambda p, n: (1, 1), "weighted": lambda p, n: (p, n)}
#: Added to the kind of average: for matrices with a class that is never called.
NEVER = ", one class never predicted"


def _precision(weights: Weights) -> Score:
    def terms(m: Matrix, _: Betas) -> Terms:
        u, v = weights(m.p, m.n)
        return u * m.tp * m.pn + v * m.tn * m.pp, (u + v) * m.pp * m.pn

    return replace(SCORES["ppv"], terms=terms, holes=ONE_CLASS)


def _precision_of_one(weights: Weights) -> Score:
    """All items are called the same, so the precision of that class is its share of the items."""

    def ratio(m: Matrix, _: Betas) -> Terms:
        u, v = weights(m.p, m.n)
        return u * m.tp + v * m.tn, (u + v) * (m.p + m.n)

    more_called = (BORDER | INNER) - ONE_CLASS
    return where(SCORES["ppv"], NEVER, lambda m: not (m.pp and m.pn), more_called, ratio=ratio)


def _f1(weights: Weights) -> Score:
    def terms(m: Matrix, _: Betas) -> Terms:
        u, v = weights(m.p, m.n)
        one, other = 2 * m.tp + m.fp + m.fn, 2 * m.tn + m.fp + m.fn
        return 2 * (u * m.tp * other + v * m.tn * one), (u + v) * one * other

    return replace(SCORES["f1"], terms=terms)


def _rows(how: str) -> dict[str, Score]:
    """The rows of one kind of average, by the name of the plain score."""
    kind = how.removesuffix(NEVER)
    rows = dict.fromkeys(("ppv", "sens", "f1"), SCORES["acc"])  # micro
    if kind in WEIGHTS:
        precision = (_precision if kind == how else _precision_of_one)(WEIGHTS[kind])
        recall = SCORES["bacc" if kind == "macro" else "acc"]
        rows = {"ppv": precision, "sens": recall, "f1": _f1(WEIGHTS[kind])}
    found = {
        name: replace(row, name=f"{name}|{how}", title=f"{SCORES[name].title} ({how})", formula=how)
        for name, row in rows.items()
    }
    return found | {"f1": replace(found["f1"], means=(found["ppv"].name, found["sens"].name))}


#: By the kind of average and the name of the plain score.
AVERAGED: dict[str, dict[str, Score]] = {
    how: _rows(how) for how in ("macro", "weighted", "micro", "macro" + NEVER, "weighted" + NEVER)
}
