"""Which engine decides a reading."""

from __future__ import annotations

from scoreproof.experiment.claim import Reading
from scoreproof.experiment.flatten import NotFlat, flatten
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome, Witness
from scoreproof.solve import one_matrix


def decide(reading: Reading, index: int, deadline: float | None) -> tuple[Outcome, tuple[str, ...]]:
    """The verdict on one reading, and remarks about figures that were not used."""
    try:
        problem, notes = flatten(reading)
    except NotFlat as error:
        return Outcome(reading, UNDECIDED, reason=str(error)), ()
    if not problem.single:
        reason = "averages over several parts are not decided yet"
        return Outcome(reading, UNDECIDED, reason=reason, problem=problem), notes
    answer = one_matrix.decide(problem, deadline=deadline)
    if answer.witness is not None:
        witness = Witness((answer.witness,), index)
        return Outcome(reading, CONSISTENT, answer.count, answer.count_exact, witness, problem=problem), notes
    if answer.certificate is not None:
        return Outcome(reading, INCONSISTENT, 0, certificate=answer.certificate, problem=problem), notes
    return Outcome(reading, UNDECIDED, reason=answer.reason, problem=problem), notes
