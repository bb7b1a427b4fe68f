"""Deciding: ask the engine, then confirm its example or replay its proof, once and here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from scoreproof.asking.figures import labels_of
from scoreproof.asking.flatten import flatten
from scoreproof.budget import ENDLESS, Budget, OutOfBudget
from scoreproof.claim.confidence import intervals
from scoreproof.claim.conventions import Conventions, Reading
from scoreproof.claim.telling import interval_of
from scoreproof.claim.tree import every_figure
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED, Certificate, Outcome
from scoreproof.missing import Missing, told
from scoreproof.proof.kinds import confirms, kind_of, replays
from scoreproof.question.question import Problem, Question
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.registry import ask

#: Work of telling which interval it was.
LITTLE = 500_000_000
NOT_PROVEN = "the proof that was found did not survive its replay; please report this claim"


def decide(question: Question, budget: Budget, *, counting: bool = True, unlikely: bool = False) -> Answer:
    """What proves that the question has a solution, or that it has none, or why neither was found.

    No engine is trusted: an example is confirmed and a proof replayed before it counts.
    """
    return confirmed(question, ask(question, budget, counting=counting, unlikely=unlikely), budget)


def confirmed(question: Question, answer: Answer, budget: Budget) -> Answer:
    """The answer, if its example is confirmed or its proof replayed; else that it is open."""
    try:
        # What was found is not given up for lack of work, only for lack of time.
        with told("a proof was found, but replaying it"):
            if proven(question, answer, Budget(ENDLESS, deadline=budget.deadline)):
                return answer
    except Missing as without:
        return Open(str(without))
    except OutOfBudget as end:
        return Open.ended(end, "a proof was found, but could not be confirmed")
    from scoreproof.logs import logger

    logger.error("a proof did not survive its own replay: %r, %r", question, answer)
    return Open(NOT_PROVEN)


def proven(question: Question, answer: Answer, budget: Budget) -> bool:
    """Whether what the answer carries proves it."""
    match answer:
        case Fits(witness):
            return confirms(question, witness)
        case Refuted(certificate):
            return replays(question, certificate, budget)
        case Open():
            return True


def unexplained(reading: Reading, stated: Conventions) -> tuple[str, ...]:
    """A remark that names the intervals no known method gives, for a reading that fits without them."""
    names = [(each.label, each.name.score.name) for each in intervals(reading.experiment)]
    unknown = [label for label, name in names if reading.conventions.method(name) != stated.method(name)]
    left = [interval_of(label) for label in unknown if reading.conventions.ci != "each"]
    were = "it was" if len(left) == 1 else "they were"
    return (f"no known method gives the {' with the '.join(left)}; {were} not used",) if left else ()


def _refuted_alike(question: Question, proofs: Sequence[Certificate], budget: Budget) -> Refuted | None:
    """The first of some proofs that holds for this question, too."""
    for proof in proofs:
        with suppress(OutOfBudget, Missing), told():
            if isinstance(proof, kind_of(question).certificate) and replays(
                question, proof, budget.at_most(LITTLE)
            ):
                return Refuted(proof)
    return None


def _fits_in_part(question: Question, reading: Reading) -> str:
    """That the figures fit which could be used, and which could not."""
    used = labels_of(question)
    left: dict[str, None] = {}
    for printed in every_figure(reading.experiment):
        if printed.label not in used:
            left[printed.label] = None
        if printed.figure.spread is not None and f"{printed.label} ±" not in used:
            left[f"the ± of {printed.label}"] = None
    rest = f"{', '.join(left)} could not be checked" if left else "not all that is known could be used"
    return f"the figures that could be checked fit, but {rest}" if used else rest


def decide_reading(
    reading: Reading, index: int, budget: Budget, proofs: Sequence[Certificate] = ()
) -> tuple[Outcome, tuple[str, ...]]:
    """The verdict on one reading of a claim, and remarks about figures that were not used.

    What refuted other readings often refutes this one, too: such ``proofs`` are tried first.
    """
    question, notes = flatten(reading)
    if isinstance(question, Problem) and question.foldings and reading.takes:
        # tables of unknown folds take long, and only a score that counts as 0 leaves their rows what they were
        proofs = proofs[:1] if question.undefined == "zero" else ()
    answer = _refuted_alike(question, proofs, budget) or decide(question, budget, unlikely=bool(reading.takes))
    if question.partial and isinstance(answer, Fits):
        answer = Open(_fits_in_part(question, reading))
    match answer:
        case Fits(witness, count, exact):
            example: Any = witness
            shown = replace(example, reading=index)
            outcome = Outcome(reading, CONSISTENT, count, exact, shown, problem=question)
        case Refuted(certificate):
            none = 0 if isinstance(question, Problem) and question.single else None
            outcome = Outcome(reading, INCONSISTENT, none, certificate=certificate, problem=question)
        case Open():
            outcome = Outcome(
                reading, UNDECIDED, reason=answer.reason, problem=question, late=answer.late, short=answer.short
            )
    return outcome, notes
