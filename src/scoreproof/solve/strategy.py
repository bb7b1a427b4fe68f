"""Which engine decides a reading."""

from __future__ import annotations

from importlib import import_module

from scoreproof.claim.claim import Reading
from scoreproof.claim.folds import Sample
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome, Witness
from scoreproof.question.flatten import flatten
from scoreproof.question.question import Problem, Question, WithoutCounts
from scoreproof.scores import Matrix
from scoreproof.solve.one_matrix import decide as one_matrix
from scoreproof.solve.outcome import Found, Inconsistent, Undecided

#: Questions that are not about confusion matrices of two classes: the name of their type, and the
#: module that decides them.  Its ``decide(problem, reading_index, deadline)`` gives a Found, an
#: Inconsistent or an Undecided of ``solve.outcome``.
OTHERS: dict[str, str] = {
    "ClassProblem": "classes",
    "WithIntervals": "intervals",
    "Residuals": "regression",
    "Ranked": "ranking",
}


def decide(reading: Reading, index: int, deadline: float | None) -> tuple[Outcome, tuple[str, ...]]:
    """The verdict on one reading, and remarks about figures that were not used."""
    problem, notes = flatten(reading)
    outcome = decide_problem(problem, reading, index, deadline)
    if problem.partial and outcome.status == CONSISTENT:
        reason = "matrices fit all figures that could be used, but some had to be left out (see the notes)"
        outcome = Outcome(reading, UNDECIDED, reason=reason, problem=problem)
    return outcome, notes


def decide_problem(
    problem: Question, reading: Reading, index: int = 0, deadline: float | None = None
) -> Outcome:
    """The verdict on a flat problem of the reading."""
    if type(problem).__name__ in OTHERS:
        return _other(problem, reading, index, deadline)
    if isinstance(problem, WithoutCounts):
        return _relations(problem, reading, index, deadline)
    if isinstance(problem, Problem) and problem.foldings:
        return _foldings(problem, reading, index, deadline)
    assert isinstance(problem, Problem)
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
            witness = _witness(answer.witness, problem.parts, index)
            return Outcome(reading, CONSISTENT, witness=witness, problem=problem, confirmed=True)
        case averages.Inconsistent():
            return Outcome(reading, INCONSISTENT, certificate=answer.certificate, problem=problem)
        case averages.Undecided():
            return Outcome(reading, UNDECIDED, reason=_tried(answer.reason, answer.tried), problem=problem)


def _foldings(loose: Problem, reading: Reading, index: int, deadline: float | None) -> Outcome:
    from scoreproof.solve import foldings

    answer = foldings.decide(loose, deadline=deadline)
    match answer:
        case foldings.Consistent():
            parts = loose.with_folds(answer.folds).parts
            return Outcome(reading, CONSISTENT, witness=_witness(answer.witness, parts, index), problem=loose)
        case foldings.Inconsistent():
            return Outcome(reading, INCONSISTENT, certificate=answer.certificate, problem=loose)
        case foldings.Undecided():
            return Outcome(reading, UNDECIDED, reason=_tried(answer.reason, answer.tried), problem=loose)


def _relations(countless: WithoutCounts, reading: Reading, index: int, deadline: float | None) -> Outcome:
    from scoreproof.solve import relations

    answer = relations.decide(countless, deadline=deadline)
    match answer:
        case relations.Consistent():
            return Outcome(reading, CONSISTENT, witness=Witness(answer.matrices, index), problem=countless)
        case relations.Inconsistent():
            return Outcome(reading, INCONSISTENT, certificate=answer.certificate, problem=countless)
        case relations.Undecided():
            return Outcome(reading, UNDECIDED, reason=_tried(answer.reason, answer.tried), problem=countless)


def _other(problem: Question, reading: Reading, index: int, deadline: float | None) -> Outcome:
    engine = import_module(f"scoreproof.solve.{OTHERS[type(problem).__name__]}")
    answer = engine.decide(problem, index, deadline)
    match answer:
        case Found():
            return Outcome(reading, CONSISTENT, answer.count, witness=answer.witness, problem=problem)
        case Inconsistent():
            return Outcome(reading, INCONSISTENT, certificate=answer.certificate, problem=problem)
        case Undecided():
            return Outcome(reading, UNDECIDED, reason=_tried(answer.reason, answer.tried), problem=problem)
    raise TypeError(f"{engine.__name__} answered {answer!r}")


def _witness(pairs: tuple[tuple[int, int], ...], parts: tuple[Sample, ...], index: int) -> Witness:
    """The matrices of (tp, tn) pairs, one per part."""
    matrices = [Matrix(tp, part.n - tn, part.p - tp, tn) for (tp, tn), part in zip(pairs, parts, strict=True)]
    return Witness(tuple(matrices), index)


def _tried(reason: str, tried: tuple[str, ...]) -> str:
    return f"{reason} (tried: {', '.join(tried)})" if tried else reason
