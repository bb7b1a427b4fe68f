"""Precision, recall and F1 of two classes, averaged over both: rows like those of the scores.

With weights u and v of the positive and the negative class, N = p + n and t = u + v:

    precision   (u·tp/pp + v·tn/pn) / t
    recall      (u·tp/p + v·tn/n) / t
    F1          (u·2tp/(N+tp-tn) + v·2tn/(N+tn-tp)) / t

They rise with tp and with tn, as each summand does.  The precision of a class that is never called counts
as 0, as in scikit-learn; matrices with such a class have a row of their own, undefined elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scoreproof.scores.binary import BORDER, NOTHING_CALLED_NEGATIVE, NOTHING_CALLED_POSITIVE, SCORES
from scoreproof.scores.score import Betas, Matrix, Polynomial, Score, Terms

Weights = Callable[[int, int], tuple[int, int]]

#: What the classes count for, from their items.
WEIGHTS: dict[str, Weights] = {"macro": lambda p, n: (1, 1), "weighted": lambda p, n: (p, n)}
ONE_CLASS = NOTHING_CALLED_POSITIVE | NOTHING_CALLED_NEGATIVE
#: Added to the kind of average: for matrices with a class that is never called.
NEVER = ", one class never predicted"


def _precision(weights: Weights) -> Score:
    def terms(m: Matrix, _: Betas) -> Terms:
        u, v = weights(m.p, m.n)
        return u * m.tp * m.pn + v * m.tn * m.pp, (u + v) * m.pp * m.pn

    def numerator(p: int, n: int, _: Betas) -> Polynomial:
        u, v = weights(p, n)
        return -u, u + v, -v, u * p, v * n, 0

    def denominator(p: int, n: int, _: Betas) -> Polynomial:
        t = sum(weights(p, n))
        return -t, 2 * t, -t, t * (p - n), t * (n - p), t * n * p

    return Score("", "", "", terms, numerator, denominator, ONE_CLASS)


def _precision_of_one(weights: Weights) -> Score:
    """All items are called the same, so the precision of that class is its share of the items."""

    def terms(m: Matrix, _: Betas) -> Terms:
        u, v = weights(m.p, m.n)
        return (0, 0) if m.pp and m.pn else (u * m.tp + v * m.tn, (u + v) * sum(m))

    def numerator(p: int, n: int, _: Betas) -> Polynomial:
        return 0, 0, 0, *weights(p, n), 0

    def denominator(p: int, n: int, _: Betas) -> Polynomial:
        return 0, 0, 0, 0, 0, sum(weights(p, n)) * (p + n)

    holes = (BORDER | {(1, 1)}) - ONE_CLASS
    return Score("", "", "", terms, numerator, denominator, holes)


def _f1(weights: Weights) -> Score:
    def terms(m: Matrix, _: Betas) -> Terms:
        u, v = weights(m.p, m.n)
        wrong = m.fp + m.fn
        one, other = 2 * m.tp + wrong, 2 * m.tn + wrong
        return 2 * (u * m.tp * other + v * m.tn * one), (u + v) * one * other

    def numerator(p: int, n: int, _: Betas) -> Polynomial:
        u, v = weights(p, n)
        return -2 * u, 2 * (u + v), -2 * v, 2 * u * (p + n), 2 * v * (p + n), 0

    def denominator(p: int, n: int, _: Betas) -> Polynomial:
        t = sum(weights(p, n))
        return -t, 2 * t, -t, 0, 0, t * (p + n) ** 2

    return Score("", "", "", terms, numerator, denominator)


def _named(name: str, how: str, row: Score) -> Score:
    title = f"{SCORES[name].title} ({how})"
    return replace(row, name=f"{name}|{how}", title=title, formula=f"{how} average of {name}")


def _rows(how: str) -> dict[str, Score]:
    """The rows of one kind of average, by the name of the plain score."""
    kind = how.removesuffix(NEVER)
    if kind == "micro":
        rows = {name: _named(name, how, SCORES["acc"]) for name in ("ppv", "sens", "f1")}
    else:
        precision = _precision if kind == how else _precision_of_one
        recall = SCORES["bacc" if kind == "macro" else "acc"]
        rows = {
            "ppv": _named("ppv", how, precision(WEIGHTS[kind])),
            "sens": _named("sens", how, recall),
            "f1": _named("f1", how, _f1(WEIGHTS[kind])),
        }
    return rows | {"f1": replace(rows["f1"], means=(rows["ppv"].name, rows["sens"].name))}


#: By the kind of average and the name of the plain score.
AVERAGED: dict[str, dict[str, Score]] = {
    how: _rows(how) for how in ("macro", "weighted", "micro", "macro" + NEVER, "weighted" + NEVER)
}
