"""A verdict as the modules of this package see it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scoreproof.budget import Budget
from scoreproof.decision import Decision

if TYPE_CHECKING:
    from scoreproof.insight.ranges import Range


class Judged(Decision):
    """A decision together with what it means, each found when first asked for.

    The one that finds it, with the functions of this package, is ``scoreproof.verdict.Verdict``.
    """

    @property
    @abstractmethod
    def conflict(self) -> tuple[str, ...] | None:
        """Scores that clash: without any one of them the rest would fit."""

    @property
    @abstractmethod
    def ranges(self) -> Mapping[str, Range | None]:
        """For each score, the values that the other scores leave possible."""

    @property
    @abstractmethod
    def other_readings(self) -> list[dict[str, Any]]:
        """Readings outside the claim under which the figures would fit."""

    @property
    @abstractmethod
    def severity(self) -> str | None:
        """How far the figures of an inconsistent claim are off."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """The verdict in plain words."""

    @property
    @abstractmethod
    def cut_short(self) -> bool:
        """Whether the clock ran out while it was looked for what the verdict means."""

    @abstractmethod
    def budget(self) -> Budget:
        """What may be spent on one further question about the claim."""
