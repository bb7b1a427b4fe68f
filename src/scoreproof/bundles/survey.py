"""What a bundle found: which evaluations the figures can and cannot come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from scoreproof.bundles.entry import Bundle, Choice, Question
from scoreproof.decision import CONSISTENT, FORMAT, INCONSISTENT, UNDECIDED, Decision
from scoreproof.verdict import Verdict

#: More ways than this are counted in the sentence, not told one by one.
MOST_TOLD = 4


#: A verdict of a survey is its proof, without what would have to be searched for.
WORDLESS: dict[str, Any] = {"conflict": None, "other_readings": []}


@dataclass(frozen=True)
class Evaluated:
    """One evaluation with the verdict on it."""

    choices: tuple[Choice, ...]
    verdict: Verdict = field(repr=False)

    @property
    def status(self) -> str:
        return self.verdict.status

    @property
    def words(self) -> str:
        """The evaluation in words: "all pixels, averaged over images"."""
        return ", ".join(choice.words for choice in self.choices)


@dataclass(frozen=True)
class Survey:
    """The figures under every evaluation of a bundle.

    ``status`` is "consistent" if some evaluation fits, "inconsistent" if none does.
    """

    bundle: Bundle
    questions: tuple[Question, ...]
    scores: Mapping[str, object]
    rows: tuple[Evaluated, ...] = field(repr=False)
    unasked: tuple[str, ...] = ()  # keys that were not given, without which some questions were not asked
    looser: tuple[Evaluated, ...] = field(default=(), repr=False)  # with figures off by up to one unit

    @cached_property
    def status(self) -> str:
        found = {row.status for row in self.rows}
        if CONSISTENT in found:
            return CONSISTENT
        return UNDECIDED if UNDECIDED in found else INCONSISTENT

    @property
    def fits(self) -> tuple[Evaluated, ...]:
        """The evaluations that can give the figures."""
        return tuple(row for row in self.rows if row.status == CONSISTENT)

    @property
    def sentence(self) -> str:
        """What the figures can come from, in a sentence."""
        total, fits = len(self.rows), self.fits
        open_ = tuple(row for row in self.rows if row.status == UNDECIDED)
        tried = f"the {total} evaluations that were tried" if total > 1 else "the evaluation that was tried"
        if not fits and not open_:
            none = f"The figures fit none of {tried}" if total > 1 else f"The figures do not fit {tried}"
            loose = tuple(row for row in self.looser if row.status == CONSISTENT)
            if not loose:
                return f"{none}."
            which = self._told(loose) if 1 < total != len(loose) else "all of them" if total > 1 else "it"
            return f"{none}; if each may be off by one unit of its last digit, they fit {which}."
        if len(fits) == total:
            lot = ", so they do not tell which it was" if total > 1 else ""
            return f"The figures fit {'all ' if total > 1 else ''}{tried}{lot}."
        if not fits:
            return f"No evaluation was found to fit, but {self._told(open_)} could not be ruled out."
        if not open_:
            return f"The figures fit only {self._told(fits)}."
        return f"The figures fit {self._told(fits)}; undecided: {self._told(open_)}; the rest is ruled out."

    @property
    def rule(self) -> str:
        """How the figures were read, and whether that was said or assumed."""
        claim = self.rows[0].verdict.claim
        if claim.rounding is None:
            return "every rounding rule was tried"
        assumed = " (assumed)" if claim.rounding_assumed else ""
        return f"figures read as {claim.rounding.describe()}{assumed}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answers that the figures point to mean for the reader."""
        found = []
        if self.unasked:
            asked = f"{' and '.join(self.unasked)} not given, so the readings that depend on it were not tried."
            found.append(f"{asked} {self.bundle.note}".strip())
        for index, question in enumerate(self.questions):
            kept = {row.choices[index].name for row in self.fits}
            if kept and len(kept) < len(question.choices):
                chosen = [choice for choice in question.choices if choice.name in kept and choice.note]
                found += [f"{choice.words}: {choice.note}" for choice in chosen]
        return tuple(found)

    def _told(self, rows: tuple[Evaluated, ...]) -> str:
        """The evaluations in words, what makes no difference left aside."""
        kept = [
            tuple(choice for choice in question.choices if any(row.choices[index] is choice for row in rows))
            for index, question in enumerate(self.questions)
        ]
        if len(list(product(*kept))) != len(rows):
            if len(rows) > MOST_TOLD:
                return f"{len(rows)} of {len(self.rows)} evaluations"
            return "; or ".join(row.words for row in rows)
        said, any_ = [], []
        for question, choices in zip(self.questions, kept, strict=True):
            if len(choices) < len(question.choices) or len(question.choices) == 1:
                said.append(" or ".join(choice.words for choice in choices))
            else:
                any_.append(question.name)
        return ", ".join(said) + (f" (with any {' and '.join(any_)})" if any_ else "")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from scoreproof.bundles.display import notebook

        return notebook(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; ``result`` of every reading is a verdict that can be verified."""
        return {
            "format": FORMAT,
            "bundle": self.bundle.name,
            "title": self.bundle.title,
            "citation": self.bundle.citation,
            "verdict": self.status,
            "sentence": self.sentence,
            "rule": self.rule,
            "notes": list(self.notes),
            "readings": [
                {
                    "assuming": {
                        question.name: choice.name
                        for question, choice in zip(self.questions, row.choices, strict=True)
                    },
                    "words": row.words,
                    "verdict": row.status,
                    "count": row.verdict.count,
                    "result": {**Decision.to_dict(row.verdict), **WORDLESS, "sentence": row.status},
                }
                for row in self.rows
            ],
        }

    def __bool__(self) -> bool:
        raise TypeError("a survey is neither true nor false; look at .status or .fits")
