"""What proves a verdict on each kind of question: one row per kind.

A row reads a certificate from data and replays it, reads a witness from data and confirms it, and
recounts what fits where that is a small matter.  The rows are built when they are first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Generic, TypeVar, assert_never

from scoreproof.budget import ENDLESS, Budget
from scoreproof.errors import UnreadableVerdict
from scoreproof.proof.codec import Written, read
from scoreproof.proof.recount import Recount
from scoreproof.proof.witness import Witness
from scoreproof.question.question import (
    Labels,
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


@dataclass(frozen=True, slots=True)
class Kind(Generic[Asked, Proof, Shown]):
    """How verdicts on one kind of question are proven."""

    name: str
    read: Callable[[Data], Proof]
    replay: Callable[[Asked, Proof, Budget], bool]
    read_witness: Callable[[Data], Shown | None]  # None: it contradicts itself
    confirms: Callable[[Asked, Shown], bool]
    count: Callable[[Asked, Budget, int | None], Recount] | None = None  # None: nothing is counted


def kind_of(question: Question) -> Kind[Any, Any, Any]:
    """The row of the question."""
    match question:
        case Problem():
            return _one_matrix() if question.single else _classes() if question.matrices else _sums()
        case Labels():
            return _labels()
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
    if isinstance(certificate, Written):
        certificate = certificate.data
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


# -- the rows ------------------------------------------------------------------------------------


@cache
def _one_matrix() -> Kind[Problem, Any, Witness]:
    from scoreproof.proof import certificate, matrices, one_matrix, recount

    return Kind(
        "one matrix",
        partial(read, certificate.NoMatrix),
        one_matrix.replay,
        matrices.read_witness,
        matrices.give_one,
        recount.recount,
    )


@cache
def _sums() -> Kind[Problem, Any, Any]:
    from scoreproof.proof import matrices
    from scoreproof.proof.sums import nodes, replay

    reader = partial(read, nodes.Certificate)
    return Kind("sums", reader, replay.replay, matrices.read_witness, matrices.confirms_parts)


@cache
def _two_by_two() -> Kind[TwoByTwo, Any, Witness]:
    from scoreproof.proof import matrices, two_by_two

    reader = partial(read, two_by_two.Certificate)
    return Kind("2x2 table", reader, two_by_two.replay, matrices.read_witness, two_by_two.confirms)


@cache
def _classes() -> Kind[Problem, Any, Any]:
    from scoreproof.proof import class_matrices as several
    from scoreproof.proof.sums import nodes, replay

    reader = partial(read, nodes.Certificate)
    return Kind("classes", reader, replay.replay, several.read_class_witness, several.confirms_classes)


@cache
def _labels() -> Kind[Labels, Any, Witness]:
    from scoreproof.proof import labels as own
    from scoreproof.proof import matrices

    return Kind("labels", partial(read, own.Certificate), own.replay, matrices.read_witness, own.confirms)


@cache
def _without_counts() -> Kind[WithoutCounts, Any, Witness]:
    from scoreproof.proof import matrices
    from scoreproof.proof.narrow import no_counts as own

    return Kind("without counts", partial(read, own.Certificate), own.replay, matrices.read_witness, own.gives)


@cache
def _with_intervals() -> Kind[WithIntervals, Any, Witness]:
    from scoreproof.proof import intervals as own
    from scoreproof.proof import matrices

    reader = partial(read, own.Certificate)
    return Kind("with intervals", reader, own.replay, matrices.read_witness, own.confirms, own.recounted)


@cache
def _residuals() -> Kind[Residuals, Any, Any]:
    from scoreproof.proof.narrow import no_residuals as own

    return Kind("regression", partial(read, own.NoResiduals), own.replay, own.read_witness, own.confirms)


@cache
def _ranked() -> Kind[Ranked, Any, Any]:
    from scoreproof.proof.ranking import no_ranking as own
    from scoreproof.proof.ranking import witness

    reader = partial(read, own.NoRanking)
    return Kind("ranking", reader, own.replay, witness.read_witness, witness.confirms, own.recounted)
