"""What proves a verdict on each kind of question: one row per kind.

A row reads a certificate from data and replays it, reads a witness from data and confirms it, and
recounts what fits where that is a small matter.  The rows are built when they are first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Generic, TypeVar, assert_never

from scoreproof.budget import ENDLESS, Budget, OutOfBudget
from scoreproof.errors import UnreadableVerdict
from scoreproof.proof.decision import Witness
from scoreproof.question.question import (
    Problem,
    Question,
    Ranked,
    Residuals,
    TwoByTwo,
    WithIntervals,
    WithoutCounts,
)

Asked = TypeVar("Asked")
Proof = TypeVar("Proof")
Shown = TypeVar("Shown")

Data = Mapping[str, Any]


def _uncounted(question: object, budget: Budget) -> int | None:
    return None


@dataclass(frozen=True, slots=True)
class Kind(Generic[Asked, Proof, Shown]):
    """How verdicts on one kind of question are proven."""

    name: str
    read: Callable[[Data], Proof]
    replay: Callable[[Asked, Proof, Budget], bool]
    read_witness: Callable[[Data], Shown | None]  # None: it contradicts itself
    confirms: Callable[[Asked, Shown], bool]
    count: Callable[[Asked, Budget], int | None] = _uncounted  # None: that would take too long


def kind_of(question: Question) -> Kind[Any, Any, Any]:
    """The row of the question."""
    match question:
        case Problem():
            return _one_matrix() if question.single else _classes() if question.matrices else _sums()
        case WithoutCounts():
            return _without_counts()
        case WithIntervals():
            return _with_intervals()
        case TwoByTwo():
            return _two_by_two()
        case Residuals():
            return _residuals()
        case Ranked():
            return _ranked()
    assert_never(question)


def replays(question: Question | None, certificate: object, budget: Budget | None = None) -> bool:
    """Whether the certificate (an object, or its data) proves that the question has no solution.

    The question says which kind of proof it needs.
    """
    if question is None or certificate is None:
        return False
    kind = kind_of(question)
    if not hasattr(certificate, "to_dict"):
        if not isinstance(certificate, Mapping):
            raise UnreadableVerdict("certificate: expected an object")
        try:
            certificate = kind.read(certificate)
        except RecursionError:
            raise UnreadableVerdict("certificate: nested too deeply") from None
    return kind.replay(question, certificate, budget or Budget(ENDLESS))


def confirms(question: Question | None, witness: Any) -> bool:
    """Whether the witness is of the kind the question asks for and hits every target."""
    return question is not None and witness is not None and kind_of(question).confirms(question, witness)


def recounted(question: Question, budget: Budget) -> int | None:
    """How many matrices fit, where that is asked and found within the budget."""
    try:
        return kind_of(question).count(question, budget)
    except OutOfBudget:
        return None


# -- the rows ------------------------------------------------------------------------------------


@cache
def _one_matrix() -> Kind[Problem, Any, Witness]:
    from scoreproof.proof import matrices, one_matrix

    def confirms(problem: Problem, witness: Witness) -> bool:
        return len(witness.parts) == 1 and one_matrix.confirms(problem, witness.parts[0])

    return Kind(
        "one matrix", one_matrix.from_dict, one_matrix.replay, matrices.read_witness, confirms, one_matrix.count
    )


@cache
def _sums() -> Kind[Problem, Any, Witness]:
    from scoreproof.proof import codec, matrices
    from scoreproof.proof.sums import nodes, replay

    def read(data: Data) -> Any:
        return codec.read(nodes.Certificate, data)

    return Kind("sums", read, replay.replay, matrices.read_witness, matrices.confirms_parts)


@cache
def _without_counts() -> Kind[WithoutCounts, Any, Witness]:
    from scoreproof.proof import matrices, relations

    def confirms(question: WithoutCounts, witness: Witness) -> bool:
        return relations.confirms(question, witness.parts)

    return Kind("without counts", relations.from_dict, relations.replay, matrices.read_witness, confirms)


@cache
def _with_intervals() -> Kind[WithIntervals, Any, Witness]:
    from scoreproof.proof import intervals, matrices

    return Kind(
        "with intervals",
        intervals.from_dict,
        intervals.replay,
        matrices.read_witness,
        intervals.confirms,
        intervals.count,
    )


@cache
def _two_by_two() -> Kind[TwoByTwo, Any, Witness]:
    from scoreproof.proof import matrices, two_by_two

    return Kind(
        "2x2 table", two_by_two.from_dict, two_by_two.replay, matrices.read_witness, two_by_two.confirms
    )


@cache
def _classes() -> Kind[Problem, Any, Any]:
    from scoreproof.proof import class_matrices as several

    return replace(_sums(), read_witness=several.read_class_witness, confirms=several.confirms_classes)


@cache
def _residuals() -> Kind[Residuals, Any, Any]:
    from scoreproof.proof import regression

    return Kind(
        "regression", regression.from_dict, regression.replay, regression.read_witness, regression.confirms
    )


@cache
def _ranked() -> Kind[Ranked, Any, Any]:
    from scoreproof.proof import ranking

    return Kind("ranking", ranking.from_dict, ranking.replay, ranking.read_witness, ranking.confirms)
