"""What a verdict means, put together: clashes, ranges, mends, causes, and how strong the test was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, FORMAT, INCONSISTENT
from scoreproof.insight import report
from scoreproof.insight.causes import CAUSES, Slip, figures
from scoreproof.insight.conflict import every_clash
from scoreproof.insight.judged import Judged
from scoreproof.insight.nearest import Mend
from scoreproof.insight.places import signed
from scoreproof.insight.ranges import Range
from scoreproof.insight.ranking import CauseSearch, Possible, ranked_by_weight
from scoreproof.insight.strength import Strength, strength
from scoreproof.question.question import Problem

#: Digits that may differ in a mended figure, where trials take a while.
FEW_DIGITS = 2
#: Kinds of mended figures that are causes of their own.
SLIPS = {cause.name for cause in CAUSES if isinstance(cause.rewrite, Slip)}


@dataclass(frozen=True)
class Explanation:
    """Why a claim may not fit, or how much it says that it does.  Built by :func:`scoreproof.explain`."""

    verdict: Judged = field(repr=False)
    clashes: tuple[tuple[str, ...], ...] = ()
    clashes_complete: bool = True
    ranges: Mapping[str, Range | None] = field(default_factory=dict)
    nearest: tuple[Mend, ...] = ()
    causes: tuple[Possible, ...] = ()
    explanations: tuple[Possible, ...] = ()  # causes and mended figures, the most telling first
    complete: bool = True
    strength: Strength | None = None
    cut_short: bool = False  # the clock ran out: another machine may find more

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
            "cut_short": self.cut_short,
        }

    def __repr__(self) -> str:
        return f"<Explanation of an {self.verdict.status} claim: {len(self.explanations)} found>"


def explained(verdict: Judged, budget: Budget) -> Explanation:
    """The explanation of a verdict."""
    if verdict.status == CONSISTENT:
        strong = strength(verdict, budget)
        return Explanation(verdict, ranges=verdict.ranges, strength=strong, cut_short=budget.cut_short)
    if verdict.status != INCONSISTENT:
        return Explanation(verdict)
    # what clashes is one question among several: a quarter of the work is its share
    clashes = every_clash(verdict.outcomes, budget.share(4))
    source = signed(verdict.claim.source)
    search = CauseSearch(source, budget)
    causes = search.run()
    nearest = search.mender.every(figures(source), None if _single(verdict) else FEW_DIGITS)
    told = [each.claim for each in causes]
    mended = [mend for mend in nearest if mend.kind not in SLIPS and mend.claim not in told]
    ranked = ranked_by_weight([*causes, *filter(None, map(search.mended, mended))])
    return Explanation(
        verdict,
        clashes.sets,
        clashes.complete,
        verdict.ranges,
        nearest,
        causes,
        ranked,
        search.complete and not budget.cut_short,
        cut_short=budget.cut_short,
    )


def _single(verdict: Judged) -> bool:
    return all(isinstance(o.problem, Problem) and o.problem.single for o in verdict.outcomes)
