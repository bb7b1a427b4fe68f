"""The three verdicts, with what proves them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Protocol

from scoreproof.claim.claim import Claim, Reading
from scoreproof.question.question import Question
from scoreproof.scores import Matrix

CONSISTENT, INCONSISTENT, UNDECIDED = "consistent", "inconsistent", "undecided"
FORMAT = 1


class Certificate(Protocol):
    """A proof that no matrices fit one reading; plain data."""

    def to_dict(self) -> dict[str, Any]: ...


class Example(Protocol):
    """Something concrete that gives the printed figures under one reading; plain data."""

    @property
    def reading(self) -> int: ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Witness:
    """Confusion matrices that give the printed figures, one per evaluation set.

    With a single evaluation set, ``tp``, ``fp``, ``fn`` and ``tn`` are those of its matrix.
    """

    parts: tuple[Matrix, ...]
    reading: int = 0

    @property
    def matrix(self) -> Matrix:
        """The summed matrix; the only one where there is a single evaluation set."""
        return Matrix(*(sum(column) for column in zip(*self.parts, strict=True)))

    @property
    def tp(self) -> int:
        return self.matrix.tp

    @property
    def fp(self) -> int:
        return self.matrix.fp

    @property
    def fn(self) -> int:
        return self.matrix.fn

    @property
    def tn(self) -> int:
        return self.matrix.tn

    def __getitem__(self, key: str) -> int:
        return int(self.matrix._asdict()[key])

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"reading": self.reading, **self.matrix._asdict()}
        if len(self.parts) > 1:
            found["parts"] = [part._asdict() for part in self.parts]
        return found


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
    confirmed: bool = field(default=False, repr=False)  # the engine had the verifier confirm the witness

    def row(self) -> dict[str, Any]:
        """The line of the readings table."""
        found: dict[str, Any] = {"assuming": dict(self.reading.assuming), "verdict": self.status}
        if self.count is not None:
            found["count"] = self.count
        if self.reason:
            found["reason"] = self.reason
        return found


@dataclass(frozen=True)
class Verdict:
    """What ``check`` says about a claim, and why it can be believed.

    ``status`` is "consistent", "inconsistent" or "undecided"; use ``match`` on it, the
    verdict itself is neither true nor false.
    """

    claim: Claim
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()
    untried: int = 0  # readings left aside because one that fits was enough
    insight: Mapping[str, Callable[[Verdict], Any]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def status(self) -> str:
        found = {outcome.status for outcome in self.outcomes}
        if CONSISTENT in found:
            return CONSISTENT
        return UNDECIDED if UNDECIDED in found else INCONSISTENT

    @property
    def _decisive(self) -> Outcome:
        return next(outcome for outcome in self.outcomes if outcome.status == self.status)

    @property
    def witness(self) -> Any:
        """An :class:`Example` that gives the figures (a :class:`Witness` where these are
        confusion matrices of two classes), if the claim is consistent."""
        return self._decisive.witness

    @property
    def certificate(self) -> Certificate | None:
        """The proof that no matrices give the figures, if the claim is inconsistent."""
        if self.status != INCONSISTENT:
            return None
        if len(self.outcomes) == 1:
            return self.outcomes[0].certificate
        return EveryReading(tuple(o.certificate for o in self.outcomes if o.certificate is not None))

    @property
    def count(self) -> int | None:
        """The number of (tp, tn) pairs that fit, where one matrix is meant."""
        return self._decisive.count

    @property
    def count_exact(self) -> bool:
        """Whether ``count`` is exact; else it is a certified lower bound."""
        return self._decisive.count_exact

    @property
    def reason(self) -> str:
        """Why nothing was decided, and what was tried."""
        return self._decisive.reason

    def _see(self, what: str) -> Any:
        look = self.insight.get(what)
        return None if look is None else look(self)

    @cached_property
    def conflict(self) -> tuple[str, ...] | None:
        """Scores that clash: without any one of them the rest would fit."""
        found = self._see("conflict")
        return None if found is None else tuple(found)

    @cached_property
    def ranges(self) -> Any:
        """For each score, the values that the other scores leave possible."""
        return self._see("ranges")

    def matrices(self, limit: int = 1000) -> list[Matrix]:
        """The matrices that fit, at most ``limit``, over all readings about one matrix."""
        return list(islice(self._see("matrices") or (), limit))

    @cached_property
    def other_readings(self) -> list[dict[str, Any]]:
        """Readings outside the claim under which the figures would fit."""
        return list(self._see("other_readings") or [])

    @cached_property
    def sentence(self) -> str:
        """The verdict in plain words."""
        return str(self._see("sentence") or self.status)

    def __bool__(self) -> bool:
        raise TypeError("a verdict is neither true nor false; look at .status")

    def __repr__(self) -> str:
        return f"<Verdict {self.status}: {self.sentence}>"

    def _repr_html_(self) -> str | None:
        """What a notebook shows."""
        found = self._see("html")
        return None if found is None else str(found)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON-able data; ``verify`` needs nothing else."""
        return {
            "format": FORMAT,
            "claim": dict(self.claim.source),
            "verdict": self.status,
            "sentence": self.sentence,
            "count": self.count,
            "count_exact": self.count_exact,
            "witness": None if self.witness is None else self.witness.to_dict(),
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
            "conflict": None if self.conflict is None else list(self.conflict),
            "reason": self.reason,
            "readings": [outcome.row() for outcome in self.outcomes],
            "untried": self.untried,
            "other_readings": self.other_readings,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class EveryReading:
    """A certificate for every reading, in their order."""

    readings: tuple[Certificate, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "every-reading", "readings": [each.to_dict() for each in self.readings]}
