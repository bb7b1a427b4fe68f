"""How strong the test of a consistent claim was: what slips it would have caught."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.exact import show
from scoreproof.insight import slips
from scoreproof.insight.causes import figures
from scoreproof.insight.judged import Judged
from scoreproof.insight.places import Place, Source, changed, printed_in
from scoreproof.insight.trial import attempt
from scoreproof.printed import read
from scoreproof.question.question import Problem
from scoreproof.scores import SCORES, Betas

#: Slips tried where each takes a while: about several parts, spread evenly over all.
MOST_SLIPS = 48
#: Slips for which a further score is tried.
MOST_OPEN = 120
OTHER_BETAS = Betas(Fraction(4), Fraction(4))


@dataclass(frozen=True, slots=True)
class Strength:
    """Of ``slips`` changes of one digit, ``caught`` would have made the claim inconsistent.

    ``undecided`` of them were not decided.  ``helps`` is the score whose printing would have
    caught most of the rest, with what it would have read and what would then be caught.
    """

    slips: int
    caught: int
    undecided: int = 0
    helps: str | None = None
    value: str | None = None
    caught_then: int | None = None

    @property
    def share(self) -> float:
        return self.caught / self.slips if self.slips else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "slips": self.slips,
            "caught": self.caught,
            "undecided": self.undecided,
            "share": round(self.share, 4),
            "helps": None
            if self.helps is None
            else {"score": self.helps, "value": self.value, "caught": self.caught_then},
        }


def strength(verdict: Judged, budget: Budget) -> Strength | None:
    """What the test of a consistent claim would have caught; None where no figure has digits to change.

    None, too, where only some figures can be changed here: slips in the others would go uncounted.
    """
    source = verdict.claim.source
    known = {place.label for place in figures(source)}
    if any(each.label not in known for each in printed_in(verdict.outcomes[0].reading.experiment)):
        return None
    single = all(isinstance(o.problem, Problem) and o.problem.single for o in verdict.outcomes)
    slipped = [changed(source, place.path, text) for place in figures(source) for text in _visible(place)]
    if not single:
        slipped = _spread(slipped, MOST_SLIPS)
    ends: list[str] = []
    for each in slipped:
        if budget.spent_up:
            break
        trial = attempt(each, budget)
        ends.append(INCONSISTENT if trial is None else trial.status)
    if not ends:
        return None
    found = Strength(len(ends), ends.count(INCONSISTENT), ends.count(UNDECIDED))
    unnoticed = [each for each, end in zip(slipped, ends, strict=False) if end == CONSISTENT]
    return _helped(verdict, found, unnoticed, budget) if single and unnoticed else found


def _spread(sources: list[Source], most: int) -> list[Source]:
    """At most so many of them, spread evenly over all."""
    count = len(sources)
    return sources if count <= most else [sources[i * count // most] for i in range(most)]


def _visible(place: Place) -> list[str]:
    """The figure with one digit changed, without values that no score of this name can take."""
    lowest, highest = place.name.score.lowest, place.name.score.highest
    return [
        text
        for text in slips.one_changed(place.text)
        if (lowest is None or read(text).value >= lowest) and (highest is None or read(text).value <= highest)
    ]


def _helped(verdict: Judged, so_far: Strength, unnoticed: list[Source], budget: Budget) -> Strength:
    """The score among those not printed that would have caught most of the slips left."""
    places = figures(verdict.claim.source)
    chosen = _spread(unnoticed, MOST_OPEN)
    finest = min(places, key=lambda place: place.figure.unit)
    decimals = len(str(1 / finest.figure.unit)) - 1
    printed = {place.name.score.name for place in places}
    best: tuple[int, str, str] | None = None
    for name, score in SCORES.items():
        value = score.value(verdict.witness.matrix) if score.highest is not None else None
        usual = score.beta(OTHER_BETAS) == 1  # an F-beta score repeats the F1 score
        if name in printed or value is None or not usual or budget.spent_up:
            continue
        text = show(value, decimals)
        seen = 0
        for source in chosen:
            trial = attempt(changed(source, (*places[0].table, name), text), budget)
            seen += trial is not None and trial.status == INCONSISTENT
        if seen and (best is None or seen > best[0]):
            best = seen, name, text
    if best is None:
        return so_far
    then = so_far.caught + best[0] * len(unnoticed) // len(chosen)
    return replace(so_far, helps=best[1], value=best[2], caught_then=then)
