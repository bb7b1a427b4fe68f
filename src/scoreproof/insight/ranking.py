"""The explanations that fit, the most telling first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from scoreproof.budget import Budget
from scoreproof.insight.causes import CAUSES, Cause, Slip, figures
from scoreproof.insight.nearest import Mend, Mender
from scoreproof.insight.places import Place, Source, look
from scoreproof.insight.slips import digits
from scoreproof.insight.surprise import Surprise
from scoreproof.insight.trial import MORE, Trial, Trials, attempt

#: From this share on a cause would explain too much to mean much.
WEAK = 0.2
LEAST = 1e-12
#: How often a figure is simply another, compared with the causes of the table.
MENDED = 0.1
#: Fitting rewritings of one cause that are told beside the first.
MOST_TOLD = 3
#: Rewritings that are looked at a second time if their cause is not rare.
SECOND_LOOKS = 5


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


@dataclass(slots=True)
class CauseSearch:
    """Goes through the table of causes, and the nearest values of single figures."""

    source: Source
    budget: Budget
    trials: Trials = field(init=False)
    mender: Mender = field(init=False)
    surprise: Surprise = field(init=False)

    def __post_init__(self) -> None:
        self.trials = Trials(self.budget, SECOND_LOOKS)
        self.mender = Mender(self.source, Trials(self.budget))
        self.surprise = Surprise(self.budget)

    @property
    def complete(self) -> bool:
        """Whether everything was decided."""
        return self.trials.complete and self.mender.trials.complete

    def run(self) -> tuple[Possible, ...]:
        """One explanation for every cause that fits, by weight."""
        seen = {_key(self.source)}
        found = []
        for cause in CAUSES:
            if isinstance(cause.rewrite, Slip):
                tried, fitting = self.slipped(cause.rewrite)
            else:
                tried, fitting = self.rewritten(cause, seen)
            if fitting:
                words, trial = fitting[0]
                coincidence = 1 - (1 - self.surprise.share(trial)) ** tried
                also = tuple(each for each, _ in fitting[1 : MOST_TOLD + 1])
                found.append(Possible(cause.name, words, trial.source, coincidence, cause.prior, tried, also))
        return ranked_by_weight(found)

    def mended(self, mend: Mend) -> Possible | None:
        """A mended figure as an explanation: any value of any figure might have mended the claim."""
        trial = attempt(mend.claim, self.budget, MORE)
        if trial is None or not trial.fits:
            return None
        tried = sum(_values(place) for place in figures(self.source))
        coincidence = 1 - (1 - self.surprise.share(trial)) ** tried
        return Possible(mend.kind, mend.words, mend.claim, coincidence, MENDED, tried)

    def slipped(self, slip: Slip) -> tuple[int, list[tuple[str, Trial]]]:
        tried = 0
        fitting = []
        for place in figures(self.source):
            texts = slip.texts(place.text)
            tried += len(texts)
            for trial in self.mender.mends(place, texts):
                fitting.append((slip.words(place, look(trial.source, place.path)), trial))
        return tried, fitting

    def rewritten(self, cause: Cause, seen: set[str]) -> tuple[int, list[tuple[str, Trial]]]:
        tried = 0
        fitting = []
        for words, source in _new(cause, self.source, seen):
            if self.budget.spent_up:
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


def ranked_by_weight(found: Iterable[Possible]) -> tuple[Possible, ...]:
    return tuple(sorted(found, key=lambda each: -each.weight))


def _new(cause: Cause, source: Source, seen: set[str]) -> Iterator[tuple[str, Source]]:
    for words, again in cause.rewritings(source):
        key = _key(again)
        if key not in seen:
            seen.add(key)
            yield words, again


def _key(source: Source) -> str:
    return json.dumps(source, sort_keys=True, default=str)
