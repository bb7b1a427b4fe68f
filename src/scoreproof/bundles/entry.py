"""A bundle: the questions papers of a field leave open, and what each answer means.

It is data (``[bundles.x]`` in a TOML file), never code:

    experiment    what all evaluations have in common
    open, ask     the questions: ``open.NAME`` its own, ``ask`` those under ``[questions]`` of the file
    given         what a paper may tell, with its usual value; ``"$name"`` in a choice stands for it
    conventions   as in a claim
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as kept
from itertools import product
from typing import Any

from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.reading.datasets.entry import plain
from scoreproof.reading.datasets.sources import Keys, Source
from scoreproof.scores.names import UnknownScore, look_up
from scoreproof.scores.names import known as known_score

TEXTS = ("title", "field", "citation", "note")
KNOWN = (*TEXTS, "experiment", "ask", "open", "given", "conventions", "rounding")
CHOICE = ("words", "note", "set", "suffix", "exchange")
#: Keys of a question that are not choices: it is asked only when, or not when, these are given.
CONDITIONS = ("when", "unless")
MOST_EVALUATIONS = 500

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: in words, what it does to the experiment, and what it means for the reader."""

    name: str
    words: str
    note: str = ""
    set: Data = kept(default_factory=dict, hash=False)
    suffix: str = ""  # every score is this kind of it, such as "_weighted"
    exchange: tuple[str, ...] = ()  # two scores whose figures are in each other's place
    place: Keys = ()  # where in its file it stands

    def filled(self, values: Data) -> dict[str, Any]:
        """What it sets, with "$name" replaced by what was given."""
        return {key: values[value[1:]] if _refers(value) else value for key, value in self.set.items()}

    def exchanged(self, scores: Data) -> list[str]:
        """The scores it exchanges, as the paper calls them; those that are not printed are left out."""
        meant = [look_up(name) for name in self.exchange]
        return [label for name in meant for label in scores if known_score(label) == name]


def _refers(value: object) -> bool:
    """Whether a setting stands for what is given."""
    return isinstance(value, str) and value.startswith("$")


@dataclass(frozen=True, slots=True)
class Question:
    """What a paper does not say, with the answers to try."""

    name: str
    choices: tuple[Choice, ...]
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


Choices = tuple[Choice, ...]
#: One way the figures may have come about: an answer to every question, and the claim it makes.
Evaluation = tuple[Choices, Data]


@dataclass(frozen=True, slots=True)
class Bundle:
    """The known traps of a benchmark: which evaluations to try."""

    name: str
    questions: tuple[Question, ...]
    source: Source = kept(repr=False, compare=False)
    title: str = ""
    field: str = ""
    citation: str = ""
    note: str = ""
    experiment: Data = kept(default_factory=dict, hash=False)
    given: Data = kept(default_factory=dict, hash=False)
    conventions: Data = kept(default_factory=dict, hash=False)
    rounding: object = None

    def evaluations(
        self, scores: Data, known: Data, more: Data
    ) -> tuple[tuple[Question, ...], list[Evaluation]]:
        """The questions that remain and every evaluation to try.

        ``known`` is what the paper tells of its experiment; ``more`` what else the claims say
        (rounding, conventions).
        """
        questions = tuple(self._asked(scores, known))
        every = list(product(*(question.choices for question in questions)))
        if len(every) > MOST_EVALUATIONS:
            raise BadClaim("bundle", f"{self.name} asks for {len(every)} evaluations, more than can be handled")
        return questions, [(choices, self._claim(choices, scores, known, more)) for choices in every]

    def _told(self, known: Data) -> dict[str, Any]:
        """What the paper tells that is a key of the experiment."""
        return {key: value for key, value in known.items() if key not in self.given}

    def _asked(self, scores: Data, known: Data) -> Iterator[Question]:
        told, values = self._told(known), {**self.given, **known}
        for question in self.questions:
            if any(key not in told for key in question.when) or any(key in told for key in question.unless):
                continue
            left = [
                choice
                for choice in question.choices
                if all(_same(told.get(key, value), value) for key, value in choice.filled(values).items())
            ]
            if not left:
                choices = " or ".join(choice.name for choice in question.choices)
                key = next(key for choice in question.choices for key in choice.set if key in told)
                raise BadClaim(key, f"{quoted(told[key])} is none of the answers {self.name} knows: {choices}")
            printed = [each for each in left if len(each.exchanged(scores)) == len(each.exchange)]
            yield Question(question.name, tuple(printed or left[:1]))

    def _claim(self, choices: Choices, scores: Data, known: Data, more: Data) -> dict[str, Any]:
        experiment, figures = {**self.experiment, **self._told(known)}, dict(scores)
        for choice in choices:
            experiment |= choice.filled({**self.given, **known})
            if len(pair := choice.exchanged(scores)) == 2:
                figures |= {pair[0]: figures[pair[1]], pair[1]: figures[pair[0]]}
        suffix = "".join(choice.suffix for choice in choices)
        claim = {
            "experiment": experiment,
            "scores": {f"{name}{suffix}": figure for name, figure in figures.items()},
            "rounding": more.get("rounding", self.rounding),
            "conventions": {**self.conventions, **more.get("conventions", {})} or None,
        }
        return {key: value for key, value in claim.items() if value is not None}

    def blame(self, choices: Choices, known: Data, more: Data, error: BadClaim) -> BadClaim:
        """The complaint about a claim, pointing at the line of the bundle where that is its fault."""
        steps = [int(step) if step.isdecimal() else step for step in re.findall(r"[^.\[\]]+", error.field)]
        table, key = (*map(str, steps), "")[:2]
        theirs = {"experiment": known, **more}
        if (table == "rounding" and table in theirs) or key in theirs.get(table, ()):
            return error
        for choice in reversed(choices) if table == "experiment" else ():
            if key in choice.set and not _refers(choice.set[key]):
                return self.source.wrong((*choice.place, "set", *steps[1:]), error.problem)
        if table == "rounding" or (table in ("experiment", "conventions") and key in getattr(self, table)):
            return self.source.wrong(("bundles", self.name, *steps), error.problem)
        return error


def _same(told: object, value: object) -> bool:
    return told == value or plain(str(told)) == plain(str(value))


# -- from files -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """A table in a file, and where it stands."""

    source: Source
    here: Keys
    data: Data

    @property
    def name(self) -> str:
        return str(self.here[-1])

    def wrong(self, problem: str, *below: str) -> BadClaim:
        return self.source.wrong((*self.here, *below), problem)

    def table(self, key: str, known: Sequence[str] = ()) -> _Table:
        """The table under a key, which has only ``known`` keys, if there are any."""
        data = self.data.get(key, {})
        if not isinstance(data, Mapping):
            raise self.wrong(f"expected a table, found {quoted(data)}", key)
        found = _Table(self.source, (*self.here, key), {str(name): value for name, value in data.items()})
        for name in found.data if known else ():
            if name not in known:
                hint = nearest(name, known) or f" (known: {', '.join(known)})"
                raise found.wrong(f"is not a key known here{hint}", name)
        return found

    def tables(self, known: Sequence[str] = (), besides: Sequence[str] = ()) -> Iterator[_Table]:
        """The tables under all keys but some."""
        return (self.table(key, known) for key in self.data if key not in besides)

    def text(self, key: str) -> str:
        found = self.data.get(key, "")
        if not isinstance(found, str):
            raise self.wrong(f"expected text, found {quoted(found)}", key)
        return found

    def names(self, key: str) -> tuple[str, ...]:
        found = self.data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self.wrong(f"expected a list of names, found {quoted(found)}", key)
        return tuple(found)


def bundles_of(source: Source) -> Iterator[Bundle]:
    """The bundles of a file, in order."""
    file = _Table(source, (), source.data)
    shared = {table.name: _question(table, {}) for table in file.table("questions").tables()}
    for table in file.table("bundles").tables(KNOWN):
        yield _bundle(table, shared)


def _bundle(table: _Table, shared: Mapping[str, Question]) -> Bundle:
    experiment, given, conventions = (table.table(key).data for key in ("experiment", "given", "conventions"))
    questions = [_question(each, given) for each in table.table("open").tables()]
    for asked in table.names("ask"):
        if asked not in shared:
            hint = nearest(asked, shared) or f" (known: {', '.join(shared) or 'none'})"
            raise table.wrong(f"no question {asked!r} stands under [questions]{hint}", "ask")
        questions.append(shared[asked])
    if not questions and not experiment:
        raise table.wrong('give an experiment, or questions under "open" or "ask"')
    said: dict[str, Any] = {key: table.text(key) for key in TEXTS}
    said |= {"experiment": experiment, "given": given, "conventions": conventions}
    return Bundle(table.name, tuple(questions), table.source, **said, rounding=table.data.get("rounding"))


def _question(table: _Table, given: Data) -> Question:
    choices = tuple(_choice(each, given) for each in table.tables(CHOICE, CONDITIONS))
    if not choices:
        raise table.wrong('a question needs answers, such as yes = {words = "…", set = {p = 100}}')
    return Question(table.name, choices, table.names("when"), table.names("unless"))


def _choice(table: _Table, given: Data) -> Choice:
    settings = table.table("set")
    for key, setting in settings.data.items():
        if _refers(setting) and setting[1:] not in given:
            raise settings.wrong(f"{setting!r} is not told under given{nearest(setting[1:], given)}", key)
    pair = table.names("exchange")
    if len(pair) not in (0, 2):
        raise table.wrong("expected two scores, whose figures are exchanged", "exchange")
    try:
        for score in pair:
            look_up(score)
    except UnknownScore as error:
        raise table.wrong(str(error), "exchange") from None
    words, note, suffix = (table.text(key) for key in ("words", "note", "suffix"))
    return Choice(table.name, words or table.name, note, settings.data, suffix, pair, table.here)
