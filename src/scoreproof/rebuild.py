"""Rebuilding 2x2 tables from a printed line of diagnostic accuracy.

>>> found = tables({"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}, ci="agresti-coull")
>>> found.count, found.by_method[0].cells["tp"]
(450, (70, 74))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.budget import Budget, TooMuch
from scoreproof.decision import FORMAT
from scoreproof.effort import allowed
from scoreproof.errors import BadClaim, quoted
from scoreproof.proof.kinds import confirms, replays
from scoreproof.proof.two_by_two import NoTable
from scoreproof.proof.witness import Witness
from scoreproof.question.question import TwoByTwo
from scoreproof.reading.studies import study_of
from scoreproof.scores import Matrix
from scoreproof.solve import two_by_two
from scoreproof.solve.answer import Open, Refuted
from scoreproof.solve.decide import confirmed
from scoreproof.solve.studies.facts import methods_of
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
    prevalence: object = None,
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
    ``p``, ``n`` and ``total``, or a ``prevalence`` as printed.  Without ``ci`` each method is tried on its
    own.  An interval bounds how many items it was computed from, so the list is complete unless a result
    says otherwise; ``largest`` bounds it where the interval does not, or is very narrow.
    """
    for name, value in {"largest": largest, "most": most}.items():
        if value is not None and (type(value) is not int or value < 1):
            raise BadClaim(name, f"expected a whole number of at least 1, found {quoted(value)}")
    said_of_items = {"p": p, "n": n, "total": total, "prevalence": prevalence}
    margins = {name: value for name, value in said_of_items.items() if value is not None}
    said = {"conventions": {"ci": ci, "ci_level": level}, "rounding": rounding_rule}
    whole = _question(scores, margins, said)
    budget, methods = allowed(effort, timeout), methods_of(whole) or ("any",)
    found = []
    for place, method in enumerate(methods):
        question = two_by_two.by_method(whole, method)
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


def _question(scores: object, margins: Mapping[str, Any], said: Mapping[str, Any]) -> TwoByTwo:
    """What is printed, as a question; what makes no sense or says nothing is refused."""
    if not isinstance(scores, Mapping) or not scores:
        raise BadClaim("scores", 'give at least one figure, such as {"sens": "0.92 (0.84-0.97)"}')
    if {"p", "n", "total"} <= margins.keys() and margins["p"] + margins["n"] != margins["total"]:
        problem = f"is {margins['total']}, but p and n add up to {margins['p'] + margins['n']}"
        raise BadClaim("total", problem)
    study = study_of({"experiment": margins, "scores": scores, **said})
    if study is None or study.ignored:
        raise BadClaim("scores", study.ignored[0] if study is not None else NOT_ENOUGH)
    return study.question


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
