"""2x2 tables of unknown size: found by going through all of them, as far as the work allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoreproof.asking.figures import margins
from scoreproof.budget import Budget, OutOfBudget, TooMuch
from scoreproof.proof.two_by_two import NoTable, Search
from scoreproof.proof.witness import Witness
from scoreproof.question.question import TwoByTwo
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.narrow import no_counts

#: Items up to which a table is looked for, before all sizes are.
STEPS = (64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables by one method; ``complete``: there are no others, of any size."""

    question: TwoByTwo
    count: int
    tables: tuple[Matrix, ...]
    cells: Mapping[str, tuple[int, int]]
    complete: bool
    sizes: Mapping[str, int]  # by figure, up to which number of items it was looked at
    reason: str = ""
    certificate: NoTable | None = None  # proves that there is none
    method: str = ""

    @property
    def answer(self) -> Answer:
        """What the tables say about the question, to be confirmed."""
        if self.count:
            return Fits(Witness(self.tables[:1]), self.count, self.complete)
        return Refuted(NoTable()) if self.complete else Open(self.reason)


def decide(question: TwoByTwo, budget: Budget) -> Answer:
    """A table with these figures and intervals, that there is none of any size, or neither."""
    if not margins(question):
        alone = no_counts.decide(question.plain, budget)
        if isinstance(alone, Refuted):
            return alone
    reason = "the search was cut short"
    try:
        for largest in (*STEPS, None):
            search = Search(question, budget, largest)
            matrix = next(search.tables(), None)
            if matrix is not None:
                return Fits(Witness((matrix,)))
            if not search.capped:
                return Refuted(NoTable())
            reason = "; ".join(search.capped.values())
    except TooMuch:
        reason = "the intervals do not bound the table"
    except OutOfBudget as end:
        return Open.ended(end)
    return Open(reason)


def tables(question: TwoByTwo, budget: Budget, *, largest: int | None = None, most: int = 1) -> Tables:
    """Every table, up to ``most`` of them listed; raises TooMuch where nothing bounds them."""
    search = Search(question, budget, largest)
    found: list[Matrix] = []
    low: list[int] = []
    high: list[int] = []
    count, reason = 0, ""
    try:
        for matrix in search.tables():
            low = [min(pair) for pair in zip(low or matrix, matrix, strict=True)]
            high = [max(pair) for pair in zip(high or matrix, matrix, strict=True)]
            count += 1
            if count <= most:
                found.append(matrix)
    except OutOfBudget:
        reason = "the search was cut short"
    reason = reason or "; ".join(search.capped.values())
    cells = dict(zip(Matrix._fields, zip(low, high, strict=True), strict=True)) if count else {}
    return Tables(question, count, tuple(found), cells, not reason, dict(search.sizes), reason)
