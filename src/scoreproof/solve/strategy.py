"""Which engine decides a reading."""

from __future__ import annotations

from scoreproof.experiment.claim import Reading
from scoreproof.experiment.flatten import flatten
from scoreproof.experiment.problem import Loose, Problem
from scoreproof.metrics import Matrix
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome, Witness
from scoreproof.solve import one_matrix


def decide(reading: Reading, index: int, deadline: float | None) -> tuple[Outcome, tuple[str, ...]]:
    """The verdict on one reading, and remarks about figures that were not used."""
    problem, notes = flatten(reading)
    outcome = decide_problem(problem, reading, index, deadline)
    if problem.partial and outcome.status == CONSISTENT:
        reason = "matrices fit all figures that could be used, but some had to be left out (see the notes)"
        outcome = Outcome(reading, UNDECIDED, reason=reason, problem=problem)
    return outcome, notes


def decide_problem(
    problem: Problem | Loose, reading: Reading, index: int = 0, deadline: float | None = None
) -> Outcome:
    """The verdict on a flat problem of the reading."""
    if isinstance(problem, Loose):
        return _foldings(problem, reading, index, deadline)
    if problem.single:
        return _one_matrix(problem, reading, index, deadline)
    return _averages(problem, reading, index, deadline)


def _one_matrix(problem: Problem, reading: Reading, index: int, deadline: float | None) -> Outcome:
    answer = one_matrix.decide(problem, deadline=deadline)
    if answer.witness is not None:
        witness = Witness((answer.witness,), index)
        return Outcome(reading, CONSISTENT, answer.count, answer.count_exact, witness, problem=problem)
    if answer.certificate is not None:
        return Outcome(reading, INCONSISTENT, 0, certificate=answer.certificate, problem=problem)
    return Outcome(reading, UNDECIDED, reason=answer.reason, problem=problem)


def _averages(problem: Problem, reading: Reading, index: int, deadline: float | None) -> Outcome:
    from scoreproof.solve import averages

    answer = averages.decide(problem, deadline=deadline)
    match answer:
        case averages.Consistent():
            matrices = tuple(
                Matrix.of(tp, tn, part.p, part.n)
                for (tp, tn), part in zip(answer.witness, problem.parts, strict=True)
            )
            return Outcome(reading, CONSISTENT, witness=Witness(matrices, index), problem=problem)
        case averages.Inconsistent():
            return Outcome(reading, INCONSISTENT, certificate=answer.certificate, problem=problem)
        case averages.Undecided():
            return Outcome(reading, UNDECIDED, reason=_tried(answer.reason, answer.tried), problem=problem)


def _foldings(problem: Loose, reading: Reading, index: int, deadline: float | None) -> Outcome:
    reason = "the folds are not described, and foldings that are not known are not decided yet"
    return Outcome(reading, UNDECIDED, reason=reason, problem=problem)


def _tried(reason: str, tried: tuple[str, ...]) -> str:
    return f"{reason} (tried: {', '.join(tried)})" if tried else reason
