"""What a verdict means, put together: clashes, ranges, mends, causes, and how strong the test was."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, FORMAT, INCONSISTENT
from scoreproof.effort import spent_up
from scoreproof.insight import report
from scoreproof.insight.causes import CAUSES, Cause, Slip, figures
from scoreproof.insight.conflict import every_clash
from scoreproof.insight.nearest import Mend, Mender
from scoreproof.insight.places import Place, Source, look, signed
from scoreproof.insight.slips import digits
from scoreproof.insight.strength import Strength, Surprise, strength
from scoreproof.insight.table import Range, one_matrix_problems
from scoreproof.insight.trial import MORE, Trial, Trials, attempt
from scoreproof.verdict import Verdict

#: From this share on a cause would explain too much to mean much.
WEAK = 0.2
LEAST = 1e-12
#: How readings are called that take all figures from one matrix, or average them.
POOLED, AVERAGED = "with all counts in one matrix", "with averaged scores"
#: How often a figure is simply another, compared with the causes of the table.
MENDED = 0.1
#: Fitting rewritings of one cause that are told beside the first.
MOST_TOLD = 3
#: Rewritings that are looked at a second time if their cause is not rare.
SECOND_LOOKS = 5
#: Digits that may differ in a mended figure, where trials take a while.
FEW_DIGITS = 2
#: Kinds of mended figures that are causes of their own.
SLIPS = {cause.name for cause in CAUSES if isinstance(cause.rewrite, Slip)}


@dataclass(frozen=True, slots=True)
class Possible:
    """A cause with which the claim fits.

    ``share`` is the share of comparable figures for which some rewriting of the same cause
    would have fitted as well; from ``WEAK`` on its fit says little.
    """

    cause: str
    words: str
    claim: Source = field(repr=False)
    share: float
    prior: float
    tried: int = 1
    also: tuple[str, ...] = ()

    @property
    def weak(self) -> bool:
        return self.share >= WEAK

    @property
    def weight(self) -> float:
        """How much the cause is to be preferred: met often, and fitting little else."""
        return self.prior / max(self.share, LEAST)

    def taking(self, words: str) -> Possible:
        """The same, with words about the reading it is of."""
        return replace(self, words=f"{self.words}, {words}") if words else self

    def to_dict(self) -> dict[str, Any]:
        return {
            "cause": self.cause,
            "words": self.words,
            "claim": dict(self.claim),
            "share": float(f"{self.share:.3g}"),
            "weak": self.weak,
            "tried": self.tried,
            "also": list(self.also),
        }


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


def explained(verdict: Verdict, budget: Budget) -> Explanation:
    """The explanation of a verdict."""
    if verdict.status == CONSISTENT:
        strong = strength(verdict, budget)
        return Explanation(verdict, ranges=verdict.ranges, strength=strong, cut_short=budget.cut_short)
    if verdict.status != INCONSISTENT:
        return Explanation(verdict)
    # what clashes is one question among several: a quarter of the work is its share
    clashes, all_found = every_clash(verdict.outcomes, budget.share(4))
    source = signed(verdict.claim.source)
    causes: list[Possible] = []
    mended: list[Possible] = []
    nearest: dict[str, Mend] = {}
    complete = True
    for words, way in _ways(source, verdict):
        if any(not each.weak for each in causes + mended):
            complete = False  # what explains little beside it is not looked for
            break
        search = _Search(way, budget)
        causes += [each.taking(words) for each in search.causes()]
        digits = None if words == POOLED or one_matrix_problems(verdict) else FEW_DIGITS
        mends = search.mender.every(figures(way), digits)
        told = [each.claim for each in causes]
        new = (mend for mend in mends if mend.kind not in SLIPS and mend.claim not in told)
        mended += [each.taking(words) for each in map(search.mended, new) if each is not None]
        nearest = {**{mend.label: mend for mend in mends}, **nearest}
        complete = complete and search.trials.complete and search.mender.trials.complete
    return Explanation(
        verdict,
        clashes,
        all_found,
        verdict.ranges,
        tuple(sorted(nearest.values(), key=lambda mend: mend.change)),
        _by_weight(causes),
        _by_weight([*causes, *mended]),
        complete and not budget.cut_short,
        cut_short=budget.cut_short,
    )


def _ways(source: Source, verdict: Verdict) -> list[tuple[str, Source]]:
    """The claim file as it is; where it does not say whether counts were pooled or scores averaged, either way.

    Pooled counts come first: they are quickly tried, and a fit with them says more.  Without any counts a
    fit of means says nothing, and is not looked for.
    """
    assumed = {what for outcome in verdict.usual for what, _ in outcome.reading.assuming}
    node = source.get("experiment", {})
    if not assumed & {"aggregate", "figures"} or not isinstance(node, Mapping) or "aggregate" in node:
        return [("", source)]
    ways = {POOLED: "pooled"} if "figures" in assumed else {POOLED: "pooled", AVERAGED: "mean"}
    return [(words, {**source, "experiment": {**node, "aggregate": how}}) for words, how in ways.items()]


class _Search:
    """Goes through the table of causes, and the nearest values of single figures."""

    def __init__(self, source: Source, budget: Budget) -> None:
        self.source = source
        self.budget = budget
        self.trials = Trials(budget, SECOND_LOOKS)
        self.mender = Mender(source, Trials(budget))
        self.surprise = Surprise(budget)
        self.seen = {_key(source)}

    def causes(self) -> tuple[Possible, ...]:
        """One explanation for every cause that fits, by weight."""
        found = []
        for cause in CAUSES:
            tried, fitting = self.slipped(cause) if cause.name in SLIPS else self.rewritten(cause)
            if fitting:
                words, trial = fitting[0]
                also = tuple(each for each, _ in fitting[1 : MOST_TOLD + 1])
                share = self.coincidence(trial, tried)
                found.append(Possible(cause.name, words, trial.source, share, cause.prior, tried, also))
        return _by_weight(found)

    def mended(self, mend: Mend) -> Possible | None:
        """A mended figure as an explanation: any value of any figure might have mended the claim."""
        trial = attempt(mend.claim, self.budget, MORE)
        if trial is None or not trial.fits:
            return None
        tried = sum(_values(place) for place in figures(self.source))
        share = self.coincidence(trial, tried)
        return Possible(mend.kind, mend.words, mend.claim, share, MENDED, tried)

    def coincidence(self, trial: Trial, tried: int) -> float:
        """The share of comparable figures that one of so many rewritings would explain."""
        return 1 - (1 - self.surprise.share(trial)) ** tried

    def slipped(self, cause: Cause) -> tuple[int, list[tuple[str, Trial]]]:
        slip = cause.rewrite
        assert isinstance(slip, Slip)
        tried = 0
        fitting = []
        for place in figures(self.source):
            texts = slip.texts(place.text)
            tried += len(texts)
            for trial in self.mender.mends(place, texts):
                fitting.append((slip.words(place, look(trial.source, place.path)), trial))
        return tried, fitting

    def rewritten(self, cause: Cause) -> tuple[int, list[tuple[str, Trial]]]:
        tried = 0
        fitting = []
        for words, source in cause.rewritings(self.source):
            if _key(source) in self.seen:
                continue
            self.seen.add(_key(source))
            if spent_up(self.budget):
                self.trials.complete = False
                break
            trial = self.trials.attempt(source, again=cause.prior >= 1)
            tried += trial is not None
            if trial is not None and self.trials.fits(trial):
                fitting.append((words or cause.words, trial))
        return tried, fitting


def _values(place: Place) -> int:
    """How many other figures with as many digits there are."""
    score = place.name.score
    if score.highest is None or score.lowest is None:
        return int(10 ** len(digits(place.text)))
    return max(1, int((score.highest - score.lowest) / place.figure.unit))


def _by_weight(found: Iterable[Possible]) -> tuple[Possible, ...]:
    return tuple(sorted(found, key=lambda each: (each.weak, -each.weight)))


def _key(source: Source) -> str:
    return json.dumps(source, sort_keys=True, default=str)
