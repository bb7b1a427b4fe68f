"""The result of aggregating: every score in every way, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.aggregate.numbers import Shown
from scoreproof.aggregate.prose import AUC_ADVICE, F_ADVICE, OTHER_ADVICE, different_figures, heading
from scoreproof.aggregate.ways import SUFFIX, UNDEFINED, WAYS, Averages, Fold, Summary, text
from scoreproof.errors import BadClaim
from scoreproof.scores.names import look_up

#: A fraction longer than this is not written out.
LONGEST_FRACTION = 1000  # bits


@dataclass(frozen=True, slots=True, repr=False)
class Aggregate:
    """Every score in every way of averaging; ``result["f1"]["pooled"]`` is one figure, exactly."""

    folds: tuple[Fold, ...]
    scores: Mapping[str, Averages]
    decimals: int = 4
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Averages:
        if name in self.scores:
            return self.scores[name]
        found = look_up(str(name))
        if found.complement:
            raise BadClaim("score", f"{name!r} is one minus {found.score.name}; ask for {found.score.name!r}")
        if found.score.name not in self.scores:
            raise BadClaim("score", f"{name!r} was left out; there are {', '.join(self.scores)}")
        return self.scores[found.score.name]

    def shown(self, score: str, way: str) -> str:
        """One figure, correctly rounded to the result's decimals."""
        return text(self[score][way], self.decimals)

    @property
    def disagreements(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The scores whose ways differ at the shown precision: figure -> the ways that give it."""
        found = {name: different_figures(each, self.decimals) for name, each in self.scores.items()}
        return {name: figures for name, figures in found.items() if len(figures) > 1}

    @property
    def sentences(self) -> tuple[str, ...]:
        """What should be noticed: undefined scores, and where the ways disagree."""
        said = self._undefined()
        differing = self.disagreements
        places = f"at {self.decimals} decimals"
        if len(self.folds) == 1 and not differing:
            said.append("There is one fold only, so every way gives the same figure.")
        elif not differing:
            said.append(f"All ways agree {places} for every score.")
        else:
            defined = [
                name for name, each in self.scores.items() if (each["mean"], each.pooled) != (None, None)
            ]
            agreeing = [name for name in defined if name not in differing]
            same = f"; they agree for {', '.join(agreeing)}" if agreeing else ""
            said.append(f"The ways disagree {places} for {', '.join(differing)}{same}.")
            few = len(self.scores) <= 3
            for name in (name for name in differing if few or name in ("f1", "auc")):
                parts = [
                    f"{shown} ({'; '.join(map(heading, ways))})" for shown, ways in differing[name].items()
                ]
                said.append(f"{name} is {', '.join(parts[:-1])} or {parts[-1]}.")
        return tuple(said)

    def _undefined(self) -> list[str]:
        """Which scores are undefined in which folds, those with the same folds together."""
        groups: dict[tuple[int, ...], list[str]] = {}
        for name, found in self.scores.items():
            if None in found.folds:
                where_not = tuple(i for i, value in enumerate(found.folds) if value is None)
                groups.setdefault(where_not, []).append(name)
        said = []
        for folds, names in groups.items():
            if len(folds) == len(self.folds):
                where = "in every fold" if len(folds) > 1 else "here"
            else:
                listed = "; ".join(str(self.folds[i]) for i in folds[:4])
                where = f"in {listed}" + (f" and {len(folds) - 4} more" if len(folds) > 4 else "")
            verb = "is" if len(names) == 1 else "are"
            said.append(f"{', '.join(names)} {verb} undefined (division by zero) {where}.")
        return said

    @property
    def advice(self) -> tuple[str, ...]:
        """Which way Forman & Scholz recommend, and why; nothing where there is nothing to choose."""
        if len(self.folds) == 1:
            return ()
        kinds = {
            F_ADVICE if found.f_measure else AUC_ADVICE if name == "auc" else OTHER_ADVICE
            for name, found in self.scores.items()
        }
        return tuple(words for words in (F_ADVICE, AUC_ADVICE, OTHER_ADVICE) if words in kinds)

    def __repr__(self) -> str:
        items = sum(sum(fold.matrix) for fold in self.folds)
        one = "f1" if "f1" in self.scores else next(iter(self.scores))
        figures = f"{one} mean {self.shown(one, 'mean')}, pooled {self.shown(one, 'pooled')}"
        return f"Aggregate({len(self.folds)} folds, {items} items: {len(self.scores)} scores; {figures})"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values: what ``scoreproof aggregate --json`` prints."""
        return {
            "format": 1,
            "decimals": self.decimals,
            "folds": [
                {"dataset": fold.dataset, "run": fold.run, "fold": fold.name, **fold.matrix._asdict()}
                for fold in self.folds
            ],
            "scores": {name: self._score(found) for name, found in self.scores.items()},
            "disagreements": {
                name: {shown: list(ways) for shown, ways in figures.items()}
                for name, figures in self.disagreements.items()
            },
            "sentences": list(self.sentences),
            "advice": list(self.advice),
            "notes": list(self.notes),
        }

    def _score(self, found: Averages) -> dict[str, Any]:
        averaged = {}
        for way in (way for way in WAYS if way in found.summaries):
            usual = self._summary(found.summaries[way])
            averaged[way] = {
                # with every part defined the readings are one and the same summary
                how: usual
                if found.summaries[way + SUFFIX[how]] is found.summaries[way]
                else self._summary(found.summaries[way + SUFFIX[how]])
                for how in UNDEFINED
            }
        data: dict[str, Any] = {"title": found.title, "pooled": self._figure(found.pooled), **averaged}
        if found.f_measure:
            data["f_measure"] = {way: self._figure(value) for way, value in found.f_measure.items()}
        data["folds"] = [self._figure(value) for value in found.folds]
        return data

    def _summary(self, summary: Summary) -> dict[str, Any]:
        return {
            "mean": self._figure(summary.mean),
            "sd_sample": self._figure(summary.sd_sample),
            "sd_population": self._figure(summary.sd_population),
            "min": self._figure(summary.lowest),
            "max": self._figure(summary.highest),
            "count": summary.count,
        }

    def _figure(self, value: Shown | None) -> dict[str, Any] | None:
        """The figure as shown, and as a fraction where it is one of bearable length."""
        if value is None:
            return None
        brief = isinstance(value, Fraction) and value.denominator.bit_length() <= LONGEST_FRACTION
        return {"shown": text(value, self.decimals), "exact": str(value) if brief else None}
