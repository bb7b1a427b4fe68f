"""2x2 tables of which only some margins are known, decided by the search for all tables of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoreproof.asking.figures import margins
from scoreproof.budget import Budget, TooMuch
from scoreproof.proof.confidence import METHODS
from scoreproof.proof.two_by_two import NoTable
from scoreproof.proof.witness import Witness
from scoreproof.question.question import TwoByTwo
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.narrow import no_counts
from scoreproof.solve.studies.facts import Facts
from scoreproof.solve.studies.search import rebuild, ways


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables by one method; ``complete``: there are no others, of any size."""

    question: TwoByTwo
    count: int
    tables: tuple[Matrix, ...]
    cells: Mapping[str, tuple[int, int]]
    complete: bool
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
    try:
        found = tables(question, budget)
    except TooMuch:
        return Open("the intervals do not bound the table")
    # how many there are is no part of the verdict, which is proven without going through them
    return Fits(Witness(found.tables)) if found.count else found.answer


def facts_of(question: TwoByTwo, largest: int | None = None) -> Facts:
    """What is printed about the table, with the methods its intervals may be by."""
    known = {"p": question.p, "n": question.n, "total": question.total}
    counts = {name: (count, count) for name, count in known.items() if count is not None}
    used = {method for each in question.figures if each.limits is not None for method in ways(each)}
    return Facts(
        question.figures,
        counts,
        methods=tuple(name for name in METHODS if name in used) or ("any",),
        betas=question.betas,
        undefined=question.undefined,
        largest=largest,
    )


def tables(question: TwoByTwo, budget: Budget, *, largest: int | None = None, most: int = 1) -> Tables:
    """Every table, up to ``most`` of them listed; raises TooMuch where nothing bounds them."""
    found = rebuild(facts_of(question, largest), budget, most)
    reason = (
        "the search was cut short" if found.reason else "; ".join(cap.words for cap in found.capped.values())
    )
    listed = tuple(sorted((*found.tables, *found.others), key=lambda m: (m.p, m.n, m.tp, m.tn))[:most])
    return Tables(question, found.every.count, listed, found.every.cells, not reason, reason)
