"""What proves a verdict on each kind of question: one row per kind.

A row reads a certificate from data and replays it, reads a witness from data and confirms it, and
recounts what fits where that is a small matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from scoreproof.budget import ENDLESS, Budget
from scoreproof.errors import UnreadableVerdict
from scoreproof.proof import witness
from scoreproof.proof.codec import Written, read
from scoreproof.proof.recount import Recount, recount
from scoreproof.question.question import Labels, Problem, Question, Ranked, Residuals, TwoByTwo, WithoutCounts


@dataclass(frozen=True, slots=True)
class Kind:
    """How verdicts on one kind of question are proven."""

    name: str
    certificate: Any  # what a certificate is
    replay: Callable[[Any, Any, Budget], bool]
    confirms: Callable[[Any, Any], bool]
    count: Callable[[Any, Budget, int | None], Recount] | None = None  # None: nothing is counted
    read_witness: Callable[[Mapping[str, Any]], Any] = witness.read_witness  # None: it contradicts itself

    def read(self, data: Mapping[str, Any]) -> Any:
        """The certificate that was written down as this data."""
        return read(self.certificate, data)


def kind_of(question: Question) -> Kind:
    """The row of the question; what only it needs is imported here."""
    match question:
        case Problem(single=True):
            from scoreproof.proof import certificate, one_matrix

            return Kind("one matrix", certificate.NoMatrix, one_matrix.replay, witness.give_one, recount)
        case Problem():
            from scoreproof.proof import class_matrices as many
            from scoreproof.proof.sums import nodes, replay

            if not question.matrices:
                return Kind("sums", nodes.Certificate, replay.replay, witness.confirms_parts)
            return Kind("classes", nodes.Certificate, replay.replay, many.confirms, None, many.read_witness)
        case Labels():
            from scoreproof.proof import labels

            return Kind("labels", labels.Certificate, labels.replay, labels.confirms)
        case WithoutCounts():
            from scoreproof.proof.narrow import no_counts

            return Kind("without counts", no_counts.Certificate, no_counts.replay, no_counts.confirms)
        case TwoByTwo():
            from scoreproof.proof import two_by_two as table

            return Kind("2x2 table", table.Certificate, table.replay, table.confirms, table.recounted)
        case Residuals():
            from scoreproof.proof.narrow import no_residuals as own

            return Kind("regression", own.NoResiduals, own.replay, own.confirms, read_witness=own.read_witness)
        case Ranked():
            from scoreproof.proof.ranking import no_ranking as none
            from scoreproof.proof.ranking.witness import confirms, read_witness

            return Kind("ranking", none.NoRanking, none.replay, confirms, none.recounted, read_witness)
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
