"""What was decided about a claim, and what proves it: plain data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from scoreproof.claim.assumptions import assumptions
from scoreproof.claim.claim import Claim, Reading
from scoreproof.question.question import Question

CONSISTENT, INCONSISTENT, UNDECIDED = "consistent", "inconsistent", "undecided"
FORMAT = 1


def joint(statuses: Collection[str]) -> str:
    """The verdict on several readings: one that fits is enough, and all must be refuted."""
    return next((status for status in (CONSISTENT, UNDECIDED) if status in statuses), INCONSISTENT)


class Certificate(Protocol):
    """A proof that no matrices fit one reading; plain data."""

    def to_dict(self) -> dict[str, Any]: ...


class Example(Protocol):
    """Something concrete that gives the printed figures under one reading; plain data."""

    @property
    def reading(self) -> int: ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on one reading of a claim."""

    reading: Reading
    status: str
    count: int | None = None
    count_exact: bool = True
    witness: Any = None  # an Example: matrices, or what the kind of question calls for
    certificate: Certificate | None = None
    reason: str = ""
    problem: Question | None = field(default=None, repr=False)
    late: bool = field(default=False, repr=False)  # undecided because the clock ran out
    short: bool = field(default=False, repr=False)  # ... because the work did

    def row(self) -> dict[str, Any]:
        """The line of the readings table."""
        found: dict[str, Any] = {"assuming": dict(self.reading.assuming), "verdict": self.status}
        if self.count is not None:
            found["count"] = self.count
        if self.reason:
            found["reason"] = self.reason
        return found


@dataclass(frozen=True)
class Decision:
    """The proven part of a verdict.

    ``status`` is "consistent", "inconsistent" or "undecided"; use ``match`` on it, the
    decision itself is neither true nor false.
    """

    claim: Claim
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    untried: int = 0  # readings left aside because one that fits was enough

    @cached_property
    def status(self) -> str:
        return joint({outcome.status for outcome in self.outcomes})

    @property
    def decisive(self) -> Outcome:
        """The first reading that has the status of the whole."""
        return next(outcome for outcome in self.outcomes if outcome.status == self.status)

    @property
    def usual(self) -> tuple[Outcome, ...]:
        """The readings that take no convention beyond the stated and usual ones."""
        return tuple(outcome for outcome in self.outcomes if not outcome.reading.takes)

    @property
    def witness(self) -> Any:
        """An :class:`Example` that gives the figures (a :class:`Witness` where these are
        confusion matrices of two classes), if the claim is consistent."""
        return self.decisive.witness

    @property
    def certificate(self) -> Certificate | None:
        """The proof that no matrices give the figures, if the claim is inconsistent."""
        if self.status != INCONSISTENT:
            return None
        if len(self.outcomes) == 1:
            return self.outcomes[0].certificate
        return EveryReading(tuple(o.certificate for o in self.outcomes if o.certificate is not None))

    @property
    def takes(self) -> dict[str, str]:
        """The common conventions, neither stated nor usual, that a consistent claim needs."""
        return dict(self.decisive.reading.takes) if self.status == CONSISTENT else {}

    @property
    def assumptions(self) -> list[dict[str, Any]]:
        """What the verdict takes for granted: in the reading that fits, else in all usual ones."""
        if self.status == CONSISTENT:
            return assumptions([self.decisive.reading], self.claim.rounding_assumed)
        return assumptions([each.reading for each in self.outcomes], self.claim.rounding_assumed)

    @property
    def count(self) -> int | None:
        """The number of (tp, tn) pairs that fit, where one matrix is meant."""
        return self.decisive.count

    @property
    def total_count(self) -> int | None:
        """The number of matrices over all readings that are not refuted, where it is known of each."""
        left = [each for each in self.outcomes if each.status != INCONSISTENT]
        known = [each.count for each in left if each.status == CONSISTENT and each.count_exact and each.count]
        return sum(known) if len(known) == len(left) else None

    @property
    def count_exact(self) -> bool:
        """Whether ``count`` is exact; else it is a certified lower bound."""
        return self.decisive.count_exact

    @property
    def reason(self) -> str:
        """Why nothing was decided."""
        return self.decisive.reason

    def __bool__(self) -> bool:
        raise TypeError("a verdict is neither true nor false; look at .status")

    def to_dict(self) -> dict[str, Any]:
        """The decision as JSON-able data."""
        return self.proven()

    def proven(self) -> dict[str, Any]:
        """What was decided and what proves it, as JSON-able data; ``verify`` needs nothing else."""
        return {
            "format": FORMAT,
            "claim": dict(self.claim.counted),
            "verdict": self.status,
            "count": self.count,
            "count_exact": self.count_exact,
            "witness": None if self.witness is None else self.witness.to_dict(),
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
            "reason": self.reason,
            "takes": self.takes,
            "assumptions": self.assumptions,
            "readings": [outcome.row() for outcome in self.outcomes],
            "untried": self.untried,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class EveryReading:
    """A certificate for every reading, in their order."""

    readings: tuple[Certificate, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "every-reading", "readings": [each.to_dict() for each in self.readings]}
