"""The verdict: what was decided, why it can be believed, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, INCONSISTENT, Decision
from scoreproof.effort import allowed
from scoreproof.scores import Matrix
from scoreproof.version import __version__

if TYPE_CHECKING:
    from scoreproof.insight.strength import Strength
    from scoreproof.insight.table import Range
    from scoreproof.insight.why.steps import Derivation

#: How far the figures of an inconsistent claim are off: up to one unit of the last digit, or more.
LAST_DIGIT, BEYOND = "last digit", "beyond"


@dataclass(frozen=True)
class Verdict(Decision):
    """What ``check`` says about a claim, and why it can be believed.

    ``status`` is "consistent", "inconsistent" or "undecided"; use ``match`` on it, the
    verdict itself is neither true nor false.  What it means is found when it is first asked
    for, each with a budget of its own (``effort``, and ``timeout`` seconds as a last resort),
    so that a verdict alone stays quick.
    """

    effort: str = field(default="normal", repr=False, compare=False)
    timeout: float | None = field(default=None, repr=False, compare=False)

    def budget(self) -> Budget:
        """What may be spent on one further question about the claim."""
        budget = allowed(self.effort, self.timeout)
        self._budgets.append(budget)
        return budget

    @cached_property
    def _budgets(self) -> list[Budget]:
        return []

    @property
    def cut_short(self) -> bool:
        """Whether the clock ran out while it was looked for what the verdict means.

        Everything else is the same on every machine; what was cut short may be less than there is.
        """
        return any(budget.cut_short for budget in self._budgets)

    @cached_property
    def conflict(self) -> tuple[str, ...] | None:
        """Scores that clash: without any one of them the rest would fit."""
        if self.status != INCONSISTENT:
            return None
        from scoreproof.insight.conflict import clashing

        return clashing(self.outcomes, self.budget())

    @cached_property
    def ranges(self) -> Mapping[str, Range | None]:
        """For each score, the values that the other scores leave possible."""
        from scoreproof.insight.table import ranges

        return ranges(self)

    @cached_property
    def other_readings(self) -> list[dict[str, Any]]:
        """Readings outside the claim under which the figures would fit."""
        if self.status != INCONSISTENT:
            return []
        from scoreproof.insight.trial import quick_causes

        return list(quick_causes(self.claim.source, self.budget()))

    @cached_property
    def severity(self) -> str | None:
        """How far the figures of an inconsistent claim are off.

        "last digit" if they would fit with each up to one unit of its last digit away, "beyond" if not,
        "undecided" if that is not known; None for other claims, and where a distance was stated.
        """
        found = (each["verdict"] for each in self.other_readings if each["reading"] == "rounding any")
        said = next(found, None)
        return {CONSISTENT: LAST_DIGIT, INCONSISTENT: BEYOND}.get(said, said) if said else None

    @cached_property
    def why(self) -> tuple[Derivation, ...]:
        """Why the claim is inconsistent, in steps to be checked by hand, for each of its first readings."""
        from scoreproof.insight.why.telling import why

        return why(self)

    @cached_property
    def unevenness(self) -> str:
        """What is unusual about the folds that a consistent claim needs, in words; mostly empty."""
        from scoreproof.insight.evenness import unevenness

        return unevenness(self)

    @cached_property
    def strength(self) -> Strength | None:
        """How many slips of one digit would have gone unnoticed, where a fit is about one matrix."""
        if self.status != CONSISTENT:
            return None
        from scoreproof.insight.strength import quick_strength

        return quick_strength(self, self.budget())

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes of the verdict, what is unusual about the folds it needs, and how strong the test is."""
        more = (self.unevenness, "" if self.strength is None else self.strength.words)
        return (*self.notes, *filter(None, more))

    @cached_property
    def would_settle(self) -> tuple[str, ...]:
        """What may decide an undecided claim: facts about the set-up, more work, more time; often nothing."""
        from scoreproof.insight.settling import would_settle

        return would_settle(self)

    @cached_property
    def sentence(self) -> str:
        """The verdict in plain words."""
        from scoreproof.insight.sentence import sentence

        return sentence(self)

    def matrices(self, limit: int = 1000) -> list[Matrix]:
        """The matrices that fit, at most ``limit``, over all readings about one matrix."""
        from scoreproof.insight.table import matrices

        return list(islice(matrices(self), limit))

    def __repr__(self) -> str:
        return f"<Verdict {self.status}: {self.sentence}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from scoreproof.insight.display import notebook

        return notebook(self)

    def _repr_markdown_(self) -> str:
        """The same where there is no HTML."""
        from scoreproof.insight.display import markdown

        return markdown(self)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON-able data; ``verify`` needs nothing else."""
        found = {
            **self.proven(),
            "version": __version__,
            "sentence": self.sentence,
            "conflict": None if self.conflict is None else list(self.conflict),
            "severity": self.severity,
            "other_readings": self.other_readings,
            "would_settle": list(self.would_settle),
        }
        order = (
            "format", "version", "claim", "verdict", "sentence", "count", "count_exact", "witness",
            "certificate", "conflict", "severity", "reason", "would_settle", "takes", "assumptions", "readings",
            "untried", "other_readings", "notes",
        )  # fmt: skip
        said = {key: found[key] for key in order}
        if self.unevenness:
            said["unevenness"] = self.unevenness
        return {**said, "cut_short": True} if self.cut_short else said
