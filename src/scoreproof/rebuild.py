"""Rebuilding 2x2 tables from a printed line of diagnostic accuracy.

>>> found = tables({"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}, ci="agresti-coull")
>>> found.count, found.by_method[0].cells["tp"]
(450, (70, 74))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.budget import Budget, TooMuch
from scoreproof.claim.counts import exact_number
from scoreproof.claim.fields import one_of_words
from scoreproof.claim.telling import PROPORTIONS, RATIOS
from scoreproof.decision import FORMAT
from scoreproof.effort import allowed
from scoreproof.errors import BadClaim, quoted
from scoreproof.printed import LEVELS, Rounding, rounding
from scoreproof.proof.confidence import METHODS, PREDICTIVE
from scoreproof.proof.kinds import confirms, replays
from scoreproof.proof.two_by_two import NoTable
from scoreproof.proof.witness import Witness
from scoreproof.question.question import TableFigure, TwoByTwo
from scoreproof.reading.values import figure
from scoreproof.scores import Matrix
from scoreproof.scores.names import look_up
from scoreproof.solve import two_by_two
from scoreproof.solve.answer import Open, Refuted
from scoreproof.solve.decide import confirmed
from scoreproof.solve.two_by_two import Tables

TIMEOUT = 10.0
MOST = 1_000


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The 2x2 tables that give exactly the printed figures and intervals, method by method."""

    scores: Mapping[str, str]
    by_method: tuple[Tables, ...]

    @property
    def count(self) -> int:
        """How many tables there are, over all methods (a table may fit by several)."""
        return sum(each.count for each in self.by_method)

    @property
    def complete(self) -> bool:
        """Whether there are certainly no others, of any size."""
        return all(each.complete for each in self.by_method)

    @property
    def status(self) -> str:
        """consistent: some table fits; inconsistent: none of any size; undecided: none was found."""
        if self.count:
            return "consistent"
        return "inconsistent" if self.complete else "undecided"

    @property
    def tables(self) -> tuple[Matrix, ...]:
        """The listed tables, each once."""
        return tuple(dict.fromkeys(matrix for each in self.by_method for matrix in each.tables))

    def verify(self) -> bool:
        """Whether every listed table gives the line, and every proof that there is none holds; asked anew."""
        return all(
            all(confirms(each.question, Witness((matrix,))) for matrix in each.tables)
            and (each.certificate is None or replays(each.question, each.certificate))
            for each in self.by_method
        )

    def __bool__(self) -> bool:
        raise TypeError("rebuilt tables are neither true nor false; look at .status")

    def __repr__(self) -> str:
        words = ", ".join(f"{each.method} {each.count}" for each in self.by_method)
        return f"<Rebuilt {self.status}: {words}>"

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data."""
        return {
            "format": FORMAT,
            "scores": dict(self.scores),
            "verdict": self.status,
            "complete": self.complete,
            "methods": {
                each.method: {
                    "count": each.count,
                    "complete": each.complete,
                    "reason": each.reason,
                    "cells": {name: list(ends) for name, ends in each.cells.items()},
                    "tables": [matrix._asdict() for matrix in each.tables],
                    "certificate": None if each.certificate is None else each.certificate.to_dict(),
                }
                for each in self.by_method
            },
        }

    def to_csv(self) -> str:
        """The listed tables as CSV, one line each."""
        lines = ["method,TP,FP,FN,TN"]
        lines += [
            ",".join([each.method, *map(str, matrix)]) for each in self.by_method for matrix in each.tables
        ]
        return "\n".join(lines) + "\n"


def tables(
    scores: Mapping[str, object],
    *,
    p: int | None = None,
    n: int | None = None,
    total: int | None = None,
    ci: str = "open",
    level: object = "0.95",
    rounding_rule: object = "nearest",
    largest: int | None = None,
    most: int = MOST,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
) -> Rebuilt:
    """The 2x2 tables behind printed scores with confidence intervals, without counts if need be.

    ``scores`` maps names to figures as printed, such as "0.92 (0.84-0.97)".  Known margins are
    ``p``, ``n`` and ``total``.  Without ``ci`` each method is tried on its own.  An interval bounds how
    many items it was computed from, so the list is complete unless a result says otherwise;
    ``largest`` bounds it where the interval does not, or is very narrow.
    """
    p, n, total = (_count(value, name) for value, name in ((p, "p"), (n, "n"), (total, "total")))
    if p is not None and n is not None and total not in (None, p + n):
        raise BadClaim("total", f"is {total}, but p and n add up to {p + n}")
    agreed = _agreed(ci, level, {"largest": largest, "most": most})
    budget = allowed(effort, timeout)
    if not isinstance(scores, Mapping) or not scores:
        raise BadClaim("scores", 'give at least one figure, such as {"sens": "0.92 (0.84-0.97)"}')
    rule = rounding(rounding_rule)
    figures = tuple(_figure(label, text, rule, agreed) for label, text in scores.items())
    methods = _methods(ci, {each.score.name for each in figures if each.limits is not None})
    found = []
    for place, method in enumerate(methods):
        question = TwoByTwo(tuple(replace(each, method=method) for each in figures), p, n, total)
        try:
            share = budget.share(len(methods) - place)
            tables = two_by_two.tables(question, share, largest=largest, most=most)
        except TooMuch:
            tables = Tables(question, 0, (), {}, False, NOT_BOUNDED)
        found.append(replace(tables, method=method))
    if all(each.reason == NOT_BOUNDED for each in found):
        raise BadClaim("scores", NOT_ENOUGH)
    if not any(each.count for each in found):
        # that there is none at all is only said with a proof by each method
        found = [_proven(each, budget.share(len(found) - place)) for place, each in enumerate(found)]
    return Rebuilt({label: str(text) for label, text in scores.items()}, tuple(found))


def _agreed(ci: str, level: object, sizes: Mapping[str, object]) -> Fraction:
    """The level of intervals without one; what makes no sense is refused."""
    one_of_words(ci, tuple(METHODS), "ci")
    agreed = exact_number(level, "level")
    if agreed not in LEVELS:
        raise BadClaim("level", f"expected 0.90, 0.95 or 0.99, found {quoted(level)}")
    for name, value in sizes.items():
        if value is not None and (type(value) is not int or value < 1):
            raise BadClaim(name, f"expected a whole number of at least 1, found {quoted(value)}")
    return agreed


def _methods(ci: str, scores: set[str]) -> tuple[str, ...]:
    """The methods to try for the intervals of these scores."""
    if not scores & PROPORTIONS:
        return ("any",)
    every = METHODS[ci].one_of or (ci,)
    # what differs for predictive values only says nothing of its own without them
    return tuple(each for each in every if scores & PREDICTIVE or each == ci or METHODS[each].whole is None)


def _proven(found: Tables, budget: Budget) -> Tables:
    """No tables by one method, with the proof of it, replayed like that of any verdict."""
    match confirmed(found.question, found.answer, budget):
        case Refuted(NoTable() as certificate):
            return replace(found, certificate=certificate)
        case Open() as answer:
            return replace(found, complete=False, reason=answer.reason)
    return found


NOT_BOUNDED = "such intervals do not bound the table"
NOT_ENOUGH = (
    "these do not bound the table: give sens and spec (or ppv and npv) with their intervals, or p and n, or "
    "the total"
)


def _count(value: object, name: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadClaim(name, f"expected a whole number, found {quoted(value)}")
    return value


def _figure(label: str, text: object, rule: Rounding, agreed: Fraction) -> TableFigure:
    name = look_up(label)
    found = figure(text, field=f"scores.{label}")
    printed = found.interval(rule)
    limits = None
    if found.confidence is not None:
        if name.score.name not in PROPORTIONS | RATIOS:
            raise BadClaim(
                f"scores.{label}",
                f"an interval of {name.score.title} says nothing here; leave it out, or give one of "
                f"{', '.join(sorted(PROPORTIONS | RATIOS))}",
            )
        lower, upper = (end.interval(rule) for end in found.confidence)
        limits = (upper.reflected(), lower.reflected()) if name.complement else (lower, upper)
    printed = printed.reflected() if name.complement else printed
    return TableFigure(label, name.score, printed, limits, found.level or agreed, "open")
