"""Which single figure, changed in the fewest digits, mends the claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoreproof.claim.counts import exact_number
from scoreproof.decision import INCONSISTENT, UNDECIDED
from scoreproof.effort import spent_up
from scoreproof.insight import slips
from scoreproof.insight.places import Place, Source, changed, look
from scoreproof.insight.trial import Trial, Trials
from scoreproof.printed import read
from scoreproof.writing import show

#: Figures that are tried one by one instead of being ruled out together.
FEW = 2
#: Trials without an answer before the search for a figure's value is given up.
MOST_DOUBTS = 8

Span = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Mend:
    """Another value of one figure with which the claim fits."""

    label: str
    printed: str
    value: str
    change: int  # digits that differ
    kind: str
    claim: Source = field(repr=False)

    @property
    def words(self) -> str:
        return f"{self.label} {self.printed} should read {self.value}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "score": self.label,
            "printed": self.printed,
            "value": self.value,
            "change": self.change,
            "kind": self.kind,
            "claim": dict(self.claim),
        }


@dataclass(slots=True)
class Mender:
    """Looks for figures that mend one claim."""

    source: Source
    trials: Trials
    free: dict[Place, bool] = field(default_factory=dict)
    doubts: dict[Place, int] = field(default_factory=dict)
    known: dict[tuple[Place, str], Trial | None] = field(default_factory=dict)
    refuted: dict[Place, list[Span]] = field(default_factory=dict)  # where no value of a figure fits

    def mends(self, place: Place, texts: Iterable[str]) -> Iterator[Trial]:
        """The trials that fit with one of the texts in the place of the figure, by value.

        A range of values that cannot hold rules out all figures within.
        """
        rows = sorted((figure.value, figure.unit, text) for text in set(texts) for figure in (read(text),))
        if rows and self.others_fit(place):
            yield from self._between(place, rows)

    def look_again(self, trials: Trials) -> bool:
        """Try the figures that were left undecided with more work; whether there were any."""
        doubtful = [key for key, trial in self.known.items() if trial is not None and trial.status == UNDECIDED]
        figures = [(place, text) for place, text in doubtful if "[" not in text]
        for place, text in figures:
            if not spent_up(trials.budget):
                trial = trials.attempt(changed(self.source, place.path, text))
                self.known[place, text] = None if trial is None or trial.status == INCONSISTENT else trial
        self.doubts.clear()
        return bool(figures)

    def others_fit(self, place: Place) -> bool:
        """Whether the claim could hold without the figure: else no value of it mends the claim."""
        if place not in self.free:
            table = {key: each for key, each in look(self.source, place.table).items() if key != place.path[-1]}
            trial = self.trials.attempt(changed(self.source, place.table, table))
            self.free[place] = trial is not None and trial.status != INCONSISTENT
        return self.free[place]

    def _with(self, place: Place, text: str) -> Trial | None:
        """The trial with another text in the place of the figure; None where it is refuted."""
        if (place, text) not in self.known:
            trial = self.trials.attempt(changed(self.source, place.path, text))
            if trial is not None and trial.status == INCONSISTENT:
                trial = None
            elif trial is not None and not trial.fits:
                self.doubts[place] = self.doubts.get(place, 0) + 1
            self.known[place, text] = trial
        return self.known[place, text]

    def _fitting(self, place: Place, text: str) -> Iterator[Trial]:
        """The trial with the text, if it fits."""
        figure = read(text)
        if self._within(place, self._span(figure.value, figure.value, figure.unit)):
            return
        trial = self._with(place, text)
        if trial is not None and self.trials.fits(trial):
            yield trial

    def _span(self, lowest: Fraction, highest: Fraction, unit: Fraction) -> Span:
        """A range that holds everything the figures from lowest to highest can stand for."""
        slack = 2 * max(unit, _eps(self.source.get("rounding")))
        return lowest - slack, highest + slack

    def _within(self, place: Place, span: Span) -> bool:
        """Whether all of a range is known to be ruled out."""
        return any(lo <= span[0] and span[1] <= hi for lo, hi in self.refuted.get(place, ()))

    def _ruled_out(self, place: Place, span: Span) -> bool:
        """Whether no value of the figure in the range mends the claim, as far as that is decided."""
        if self._within(place, span):
            return True
        out = self._with(place, f"[{show(span[0])}, {show(span[1])}]") is None
        if out:
            self.refuted.setdefault(place, []).append(span)
        return out

    def _gives_up(self, place: Place) -> bool:
        enough = spent_up(self.trials.budget) or self.doubts.get(place, 0) > MOST_DOUBTS
        self.trials.complete = self.trials.complete and not enough
        return enough

    def _between(self, place: Place, rows: list[tuple[Fraction, Fraction, str]]) -> Iterator[Trial]:
        if self._gives_up(place):
            return
        if len(rows) <= FEW:
            for *_, text in rows:
                yield from self._fitting(place, text)
            return
        if self._ruled_out(place, self._span(rows[0][0], rows[-1][0], max(unit for _, unit, _ in rows))):
            return
        middle = len(rows) // 2
        yield from self._between(place, rows[:middle])
        yield from self._between(place, rows[middle:])

    def every(self, figures: Sequence[Place], most: int | None = None) -> tuple[Mend, ...]:
        """The nearest value of every figure that mends the claim on its own, fewest digits first."""
        found = [self.nearest(place, figures, len(place.text) if most is None else most) for place in figures]
        return tuple(sorted(filter(None, found), key=lambda mend: mend.change))

    def nearest(self, place: Place, figures: Sequence[Place], most: int) -> Mend | None:
        """The value of the same shape that differs in the fewest digits (at most ``most``),
        then by least; None if no value mends."""
        where = slips.digits(place.text)
        if not where or not self.others_fit(place):
            return None
        for count in range(1, min(most, len(where)) + 1):
            fitting = list(self._spelled(place, place.text, where, count))
            if fitting:
                texts = {look(trial.source, place.path): trial for trial in fitting}
                values = {text: read(text).value for text in texts}
                best = min(texts, key=lambda text: (abs(values[text] - place.figure.value), values[text]))
                kind = "digit" if count == 1 else "nearest value"
                if any(each.text.strip() == place.text.strip() for each in figures if each is not place):
                    kind = "another column"
                elif best in slips.two_swapped(place.text):
                    kind = "digits swapped"
                return Mend(place.label, place.text.strip(), best.strip(), count, kind, texts[best].source)
        return None

    def _spelled(self, place: Place, text: str, where: list[int], count: int) -> Iterator[Trial]:
        """The trials that fit with exactly so many of the digits at these places changed, digit by
        digit: what starts with digits that rule out any value is not followed further."""
        if self._gives_up(place) or count > len(where):
            return
        if not where:
            if not slips.padded(text):
                yield from self._fitting(place, text)
            return
        lowest, highest = (_filled(text, where, digit) for digit in "09")
        low, high = sorted(read(each).value for each in (lowest, highest))
        span = self._span(low, high, place.figure.unit)
        if len(where) < len(slips.digits(text)) and self._ruled_out(place, span):
            return
        at, *rest = where
        for digit in "0123456789":
            changed_here = digit != place.text[at]
            if count >= changed_here:
                again = text[:at] + digit + text[at + 1 :]
                yield from self._spelled(place, again, rest, count - changed_here)


def _filled(text: str, where: list[int], digit: str) -> str:
    return "".join(digit if i in where else character for i, character in enumerate(text))


def _eps(rounding: object) -> Fraction:
    """The largest distance a claim's rounding allows, where it is given as one."""
    if not isinstance(rounding, Mapping):
        return Fraction(0)
    own = [exact_number(rounding["eps"], "eps")] if "eps" in rounding else []
    return max([*own, *(_eps(each) for each in rounding.values())], default=Fraction(0))
