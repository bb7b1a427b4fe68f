"""What a verdict means, put together: clashes, ranges, mends, causes, and how strong the test was."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scoreproof.insight import report
from scoreproof.insight.causes import CAUSES, Slip, figures
from scoreproof.insight.conflict import Clashes, every_clash
from scoreproof.insight.nearest import Mend
from scoreproof.insight.ranges import Range
from scoreproof.insight.ranking import Possible, Search, ranked_by_weight
from scoreproof.insight.strength import Strength, strength
from scoreproof.proof.verdict import CONSISTENT, FORMAT, INCONSISTENT, Verdict
from scoreproof.question.question import Problem

#: Digits that may differ in a mended figure, where trials take a while.
FEW_DIGITS = 2
#: Kinds of mended figures that are causes of their own.
SLIPS = {cause.name for cause in CAUSES if isinstance(cause.rewrite, Slip)}


@dataclass(frozen=True)
class Explanation:
    """Why a claim may not fit, or how much it says that it does.  Built by :func:`scoreproof.explain`."""

    verdict: Verdict = field(repr=False)
    clashes: tuple[tuple[str, ...], ...] = ()
    clashes_complete: bool = True
    ranges: Mapping[str, Range | None] = field(default_factory=dict)
    nearest: tuple[Mend, ...] = ()
    causes: tuple[Possible, ...] = ()
    explanations: tuple[Possible, ...] = ()  # causes and mended figures, the most telling first
    complete: bool = True
    strength: Strength | None = None

    @cached_property
    def paragraph(self) -> str:
        """A neutral paragraph for a report."""
        return report.paragraph(self)

    def text(self) -> str:
        """The explanation as plain text."""
        return report.text(self)

    def markdown(self) -> str:
        """The explanation as Markdown."""
        return report.markdown(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from scoreproof.insight.display.explanation import notebook

        return notebook(self)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as JSON-able data."""
        return {
            "format": FORMAT,
            "claim": dict(self.verdict.claim.source),
            "verdict": self.verdict.status,
            "sentence": self.verdict.sentence,
            "paragraph": self.paragraph,
            "clashes": [list(each) for each in self.clashes],
            "clashes_complete": self.clashes_complete,
            "ranges": {label: None if each is None else each.to_dict() for label, each in self.ranges.items()},
            "nearest": [mend.to_dict() for mend in self.nearest],
            "causes": [each.to_dict() for each in self.explanations],
            "complete": self.complete,
            "strength": None if self.strength is None else self.strength.to_dict(),
        }

    def __repr__(self) -> str:
        return f"<Explanation of an {self.verdict.status} claim: {len(self.explanations)} found>"


def explained(verdict: Verdict, until: float | None) -> Explanation:
    """The explanation of a verdict; ``until`` is a ``time.monotonic()`` value."""
    if verdict.status == CONSISTENT:
        return Explanation(verdict, ranges=verdict.ranges or {}, strength=strength(verdict, until))
    if verdict.status != INCONSISTENT:
        return Explanation(verdict)
    clashes = _clashes(verdict, until)
    search = Search(verdict.claim.source, until)
    causes = search.run()
    nearest = search.mender.every(figures(verdict.claim.source), None if _single(verdict) else FEW_DIGITS)
    told = [each.claim for each in causes]
    mended = [mend for mend in nearest if mend.kind not in SLIPS and mend.claim not in told]
    ranked = ranked_by_weight([*causes, *filter(None, map(search.mended, mended))])
    return Explanation(
        verdict,
        clashes.sets,
        clashes.complete,
        verdict.ranges or {},
        nearest,
        causes,
        ranked,
        search.complete and search.mender.complete,
    )


def _single(verdict: Verdict) -> bool:
    return all(isinstance(o.problem, Problem) and o.problem.single for o in verdict.outcomes)


def _clashes(verdict: Verdict, until: float | None) -> Clashes:
    if _single(verdict):
        return every_clash(verdict.outcomes)
    now = time.monotonic()
    # what clashes is one question among several: a quarter of the time is its share
    return every_clash(verdict.outcomes, now + 10 if until is None else now + max(0.0, until - now) / 4)
