"""What a verdict means, put together: clashes, ranges, mends, causes, and how strong the test was."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, FORMAT, INCONSISTENT
from scoreproof.insight import report
from scoreproof.insight.conflict import Labels, every_clash
from scoreproof.insight.nearest import Mend
from scoreproof.insight.places import Source, signed
from scoreproof.insight.search import Possible, Search, by_weight
from scoreproof.insight.strength import Strength, strength
from scoreproof.insight.table import Range, one_matrix_problems
from scoreproof.verdict import Verdict

#: How readings are called that take all figures from one matrix, or average them.
POOLED, AVERAGED = "with all counts in one matrix", "with averaged scores"
#: Work for how much a fit says.
STRENGTH = 1_500_000_000
#: Digits that may differ in a mended figure, where trials take a while.
FEW_DIGITS = 2


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
    cut_short: bool = False  # the clock ran out: another machine may find more

    @cached_property
    def paragraph(self) -> str:
        """A neutral paragraph for a report."""
        return report.paragraph(self)

    def text(self) -> str:
        """The explanation as plain text: a head line, lists, and the paragraph at the end."""
        lines = [self.verdict.sentence]
        for heading, rows in report.sections(self):
            lines += ["", f"{heading}:", *(f"  - {row}" for row in rows)]
        lines += ["", "In words for a report:", f"  {self.paragraph}"]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """The same as Markdown."""
        title = self.verdict.claim.title or "The reported figures"
        lines = [f"## {title}: {self.verdict.status}", "", self.paragraph]
        for heading, rows in report.sections(self):
            lines += ["", f"### {heading}", "", *(f"- {row}" for row in rows)]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from scoreproof.insight.display.explanation import notebook

        return notebook(self)

    def _repr_markdown_(self) -> str:
        """The same where there is no HTML."""
        return self.markdown()

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


def explained(
    verdict: Verdict, budget: Budget, progress: Callable[[int, int], None] | None = None
) -> Explanation:
    """The explanation of a verdict."""
    if verdict.status == CONSISTENT:
        strong = strength(verdict, budget.at_most(STRENGTH))
        return Explanation(verdict, ranges=verdict.ranges, strength=strong, cut_short=budget.cut_short)
    if verdict.status != INCONSISTENT:
        return Explanation(verdict)
    # what clashes is one question among several: a quarter of the work is its share
    clashes, all_found = every_clash(verdict.outcomes, budget.share(4))
    told = verdict.conflict  # the easiest to follow comes first
    if told and not any(set(each) < set(told) for each in clashes):
        clashes = (told, *(each for each in clashes if set(each) != set(told)))
    found = _searched(verdict, clashes, budget, progress)
    return Explanation(
        verdict,
        clashes,
        all_found,
        verdict.ranges,
        tuple(sorted(found.nearest.values(), key=lambda mend: mend.change)),
        by_weight(found.causes),
        by_weight([*found.causes, *found.mended]),
        found.complete and not budget.cut_short,
        cut_short=budget.cut_short,
    )


@dataclass(slots=True)
class _Found:
    causes: list[Possible] = field(default_factory=list)
    mended: list[Possible] = field(default_factory=list)
    nearest: dict[str, Mend] = field(default_factory=dict)
    complete: bool = True


def _searched(
    verdict: Verdict,
    clashes: Sequence[Labels],
    budget: Budget,
    progress: Callable[[int, int], None] | None,
) -> _Found:
    """Causes and mended figures, reading by reading until something telling is found."""
    source = signed(verdict.claim.source)
    counted = bool(source.get("experiment"))  # without any counts a trial takes a while
    found = _Found()
    for words, way in _ways(source, verdict):
        if any(not each.weak for each in found.causes + found.mended):
            found.complete = False  # what explains little beside it is not looked for
            break
        quick = bool(one_matrix_problems(verdict)) or (words == POOLED and counted)
        search = Search(way, budget, single=quick, counted=counted, clashes=clashes, progress=progress)
        found.causes += [each.taking(words) for each in search.causes()]
        strong = any(not each.weak for each in found.causes)
        mends = search.nearest(None if quick else 1 if strong or not counted else FEW_DIGITS)
        told = [each.claim for each in found.causes]
        new = (mend for mend in mends if mend.kind == "nearest value" and mend.claim not in told)
        found.mended += [each.taking(words) for each in map(search.mended, new) if each is not None]
        found.nearest = {**{mend.label: mend for mend in mends}, **found.nearest}
        found.complete = found.complete and search.complete
    return found


def _ways(source: Source, verdict: Verdict) -> list[tuple[str, Source]]:
    """The claim file as it is; where it does not say whether counts were pooled or scores averaged, either way.

    Pooled counts come first: they are quickly tried, and a fit with them says more.  Without any counts a
    fit of means says nothing, and is not looked for.
    """
    assumed = {what for outcome in verdict.usual for what, _ in outcome.reading.assuming}
    node = source.get("experiment", {})
    if not assumed & {"aggregate", "figures"} or not isinstance(node, Mapping) or "aggregate" in node:
        return [("", source)]
    if "parts" in node and not source.get("scores") and not node.get("scores"):
        return [("", {**source, "experiment": {**node, "aggregate": "pooled"}})]  # no figure is about all parts
    ways = {POOLED: "pooled"} if "figures" in assumed else {POOLED: "pooled", AVERAGED: "mean"}
    return [(words, {**source, "experiment": {**node, "aggregate": how}}) for words, how in ways.items()]
