"""What a pasted text was read as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from scoreproof.claim.claim import Claim
from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.reading.trees import prints_something

Kind = Literal["claim", "report", "table", "folds", "sentence", "verdict", "nothing"]
Named = tuple[str, dict[str, Any]]
CLASSES_MISSING = "the number of items of each class"
#: How a note begins that says what a sentence was read as.
READ_AS = "read as: "
NO_FIGURES = "a score with its figure, such as accuracy 0.95"


class Span(NamedTuple):
    """Characters of the text that were read: as which key of the claim, as what value, in which words."""

    start: int
    end: int
    key: str  # such as "scores.sens", "experiment.p"
    value: Any
    words: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """The claims that a text makes, and how it was read.

    ``claims`` are in the shape of claim files, each with its name.  ``spans`` are the characters of a sentence
    that were read, ``columns`` what the headings of a table were read as.  ``notes`` hold what was doubtful and
    all that was not used, ``missing`` what is needed for a verdict, in plain words.
    """

    kind: Kind
    claims: tuple[Named, ...] = ()
    spans: tuple[Span, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON-able data."""
        return {
            "format": 1,
            "kind": self.kind,
            "claims": [{"name": name, "claim": claim} for name, claim in self.claims],
            "spans": [each._asdict() for each in self.spans],
            "columns": [{"column": header, "read_as": words} for header, words in self.columns.items()],
            "notes": list(self.notes),
            "missing": list(self.missing),
        }

    def loaded(self, **figures: Any) -> list[Claim]:
        """Every claim, ready to be checked; what was said about the reading is among its notes.

        ``figures`` says how bare numbers were printed, as for :func:`scoreproof.load`.
        """
        from scoreproof.reading.load import load

        if CLASSES_MISSING in self.missing:  # the figures of two classes obey other rules
            raise self._incomplete(BadClaim("claim", "several classes"))
        found = []
        for name, data in self.claims:
            if len(self.claims) > 1 and "title" not in data:
                data = {"title": name, **data}
            try:
                claim = load(data, **figures)
            except ScoreproofError as error:
                raise self._incomplete(error) from None
            if NO_FIGURES in self.missing and not prints_something(claim.experiment):
                raise self._incomplete(BadClaim("scores", "nothing is reported"))
            notes = () if self.kind in ("claim", "report") else (*self._read(data), *self.notes)
            found.append(replace(claim, notes=(*notes, *claim.notes)) if notes else claim)
        if not found:
            raise self._incomplete(BadClaim("claim", "nothing was found that could be checked"))
        return found

    def one(self, **figures: Any) -> Claim:
        """The one claim of the text."""
        if len(self.claims) > 1:
            how = "give them one by one"
            raise BadClaim("claims", f"there are {len(self.claims)} claims, where one is expected; {how}")
        return self.loaded(**figures)[0]

    def _incomplete(self, error: ScoreproofError) -> ScoreproofError:
        """Why there is no claim: what is missing, where that is known."""
        if self.kind in ("claim", "verdict") or not self.missing:
            return error
        more = f"; {self.notes[0]}" if self.notes and not self.claims else ""
        field = "scores" if NO_FIGURES in self.missing else "claim"
        return BadClaim(field, f"the text lacks {'; and '.join(self.missing)}{more}")

    def _read(self, claim: Mapping[str, Any]) -> tuple[str, ...]:
        """What a sentence was read as, in one line."""
        if self.kind != "sentence":
            return ()
        said = [f"{name} {figure}" for name, figure in claim.get("scores", {}).items()]
        said += [f"{key.upper()} {count}" for key, count in claim.get("matrix", {}).items()]
        said += told(claim.get("experiment", {}))
        return (f"{READ_AS}{shorten(', '.join(said), 300)}",)


def told(experiment: Mapping[str, Any]) -> Iterable[str]:
    """An experiment in a few words."""
    for key, value in experiment.items():
        if key in ("about", "otherwise"):
            continue  # what the choice is about stands in a note, other counts in the verdict
        if key == "one_of":
            yield " or ".join(_told_choice(each) for each in value)
            continue
        if isinstance(value, Mapping):
            value = ", ".join(f"{name} {count}" for name, count in value.items())
        elif isinstance(value, list):
            value = (", " if key == "classes" else " or ").join(
                " ".join(told(each)) if isinstance(each, Mapping) else str(each) for each in value
            )
        yield f"{key.replace('_', ' ')} = {'yes' if value is True else value}"


def _told_choice(choice: Mapping[str, Any]) -> str:
    """One of several experiments, by its name first."""
    words = " and ".join(told({key: value for key, value in choice.items() if key != "name"}))
    return f"{choice['name']} ({words})" if "name" in choice else words
