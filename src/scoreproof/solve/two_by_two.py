"""One 2x2 table, of known counts or not, decided by the search for all tables of a study."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from scoreproof.budget import Budget, TooMuch
from scoreproof.proof.confidence import METHODS, OPEN
from scoreproof.proof.two_by_two import NoTable
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Problem, TwoByTwo
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.one_matrix import decide as one_matrix
from scoreproof.solve.studies.facts import Ends
from scoreproof.solve.studies.search import rebuild

#: Work of counting the tables of a verdict again, at most, and of counting those of one pair of class counts.
MOST_WORK, PAIR = 10_000_000_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables by one method; ``complete``: there are no others, of any size."""

    question: TwoByTwo
    count: int
    tables: tuple[Matrix, ...]
    cells: Mapping[str, Ends]  # bounds, where not all tables were looked at
    complete: bool
    reason: str = ""
    certificate: NoTable | None = None  # proves that there is none
    method: str = ""

    @property
    def answer(self) -> Answer:
        """What the tables say about the question, to be confirmed."""
        if self.count:
            return Fits(Witness(self.tables[:1]), self.count if self.few else None)
        return Refuted(NoTable()) if self.complete else Open(self.reason)

    @property
    def few(self) -> bool:
        """Whether there is not much to go through for who counts the tables again."""
        if not self.complete or self.question.sample is not None:
            return self.complete
        ends = [self.cells[name] for name in Matrix._fields]
        tp, fp, fn, tn = ((high or low) - low for low, high in ends)
        sizes, pairs = tp + fn + tn + fp + 2, (tp + fn + 1) * (tn + fp + 1)
        if "total" in dict(self.question.counts):
            pairs = min(tp + fn, tn + fp) + 1
        items = max(high or low for low, high in ends)
        return sizes * 20 * METHODS["clopper-pearson"].work(items) + pairs * PAIR <= MOST_WORK


def decide(question: TwoByTwo, budget: Budget) -> Answer:
    """A table with these figures and intervals, that there is none, or neither."""
    plain = question.plain
    if isinstance(plain, Problem):
        alone = one_matrix.decide(plain, budget, counting=False)
    else:
        from scoreproof.solve.narrow import no_counts

        alone = Open("") if question.counts else no_counts.decide(plain, budget)
    if isinstance(alone, Refuted):
        return alone
    try:
        found = tables(question, budget.at_most(budget.left - budget.left // 4)).answer
    except TooMuch:
        return Open("what is printed does not bound the table")
    if not isinstance(found, Open):
        return found
    # a table by some one method is one, too, and quicker to find
    for way in METHODS:
        with suppress(TooMuch):
            single = tables(by_method(question, way), budget.share(2)).answer
            if isinstance(single, Fits):
                return Fits(single.witness)
    return found


def by_method(question: TwoByTwo, way: str) -> TwoByTwo:
    """The question with this method for the intervals whose own is open."""
    limited = {each.label for each in question.limited if each.method in OPEN and way in METHODS}
    return replace(
        question,
        figures=tuple(replace(f, method=way) if f.label in limited else f for f in question.figures),
    )


def tables(question: TwoByTwo, budget: Budget, *, largest: int | None = None, most: int = 1) -> Tables:
    """Every table, up to ``most`` of them listed; raises TooMuch where nothing bounds them."""
    found = rebuild(question, budget, most, largest=largest)
    reason = (
        "the search was cut short" if found.reason else "; ".join(cap.words for cap in found.capped.values())
    )
    reason = reason or ("not all methods could be tried" if found.left_out and not found.one.count else "")
    listed = tuple(sorted(found.tables, key=lambda m: (m.p, m.n, m.tp, m.tn))[:most])
    return Tables(question, found.one.count, listed, found.ends if found.one.count else {}, not reason, reason)
