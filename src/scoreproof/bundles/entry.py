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

from scoreproof.errors import BadClaim, UnknownScore, nearest, quoted
from scoreproof.reading.datasets.entry import plain
from scoreproof.reading.datasets.sources import Keys, Source
from scoreproof.scores.names import Name, look_up

TEXTS = ("title", "field", "citation", "note")
KNOWN = (*TEXTS, "experiment", "ask", "open", "given", "conventions", "rounding")
CHOICE = ("words", "note", "set", "suffix", "exchange")
#: Keys of a question that are not choices: it is asked only when, or not when, these are given.
CONDITIONS = ("when", "unless")
MOST_EVALUATIONS = 500


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: in words, what it does to the experiment, and what it means for the reader."""

    name: str
    words: str
    note: str = ""
    set: Mapping[str, Any] = kept(default_factory=dict, hash=False)
    suffix: str = ""  # every score is this kind of it, such as "_weighted"
    exchange: tuple[str, ...] = ()  # two scores whose figures are in each other's place
    place: Keys = ()  # where in its file it stands


@dataclass(frozen=True, slots=True)
class Question:
    """What a paper does not say, with the answers to try."""

    name: str
    choices: tuple[Choice, ...]
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One way the figures may have come about: an answer to every question, and the claim it makes."""

    choices: tuple[Choice, ...]
    claim: Mapping[str, Any]
    said: Mapping[str, Keys] = kept(default_factory=dict, hash=False)  # what the bundle says itself, and where


@dataclass(frozen=True, slots=True)
class Bundle:
    """The known traps of a benchmark: which evaluations to try."""

    name: str
    questions: tuple[Question, ...]
    title: str = ""
    field: str = ""
    citation: str = ""
    note: str = ""
    experiment: Mapping[str, Any] = kept(default_factory=dict, hash=False)
    given: Mapping[str, Any] = kept(default_factory=dict, hash=False)
    conventions: Mapping[str, Any] = kept(default_factory=dict, hash=False)
    rounding: object = None
    origin: str = ""
    source: Source | None = kept(default=None, repr=False, compare=False)

    def evaluations(
        self, scores: Mapping[str, object], known: Mapping[str, Any], more: Mapping[str, Any]
    ) -> tuple[tuple[Question, ...], list[Evaluation]]:
        """The questions that remain and every evaluation to try.

        ``known`` is what the paper tells of its experiment; ``more`` what else the claims say
        (rounding, conventions).
        """
        told = {key: value for key, value in known.items() if key not in self.given}
        values = {**self.given, **{key: value for key, value in known.items() if key in self.given}}
        questions = tuple(self._asked(told, values, scores))
        every = list(product(*(question.choices for question in questions)))
        if len(every) > MOST_EVALUATIONS:
            raise BadClaim("bundle", f"{self.name} asks for {len(every)} evaluations, more than can be handled")
        return questions, [self._evaluation(choices, scores, told, values, more) for choices in every]

    def _asked(
        self, told: Mapping[str, Any], values: Mapping[str, Any], scores: Mapping[str, object]
    ) -> Iterator[Question]:
        for question in self.questions:
            if any(key not in told for key in question.when) or any(key in told for key in question.unless):
                continue
            left = []
            for choice in question.choices:
                fixed = _filled(choice.set, values)
                if all(key not in told or _same(told[key], value) for key, value in fixed.items()):
                    left.append(choice)
            if not left:
                choices = " or ".join(choice.name for choice in question.choices)
                key = next(key for choice in question.choices for key in choice.set if key in told)
                raise BadClaim(key, f"{quoted(told[key])} is none of the answers {self.name} knows: {choices}")
            told_apart = tuple(choice for choice in left if _printed(choice, scores))
            yield Question(question.name, told_apart or (left[0],))

    def _evaluation(
        self,
        choices: tuple[Choice, ...],
        scores: Mapping[str, object],
        told: Mapping[str, Any],
        values: Mapping[str, Any],
        more: Mapping[str, Any],
    ) -> Evaluation:
        experiment = {**self.experiment, **told}
        figures = dict(scores)
        for choice in choices:
            experiment.update(_filled(choice.set, values))
            one, other = (_label(name, scores) for name in choice.exchange or (None, None))
            if one is not None and other is not None:
                figures[one], figures[other] = figures[other], figures[one]
        suffix = "".join(choice.suffix for choice in choices)
        figures = {f"{name}{suffix}": figure for name, figure in figures.items()}
        claim: dict[str, Any] = {"experiment": experiment, "scores": figures}
        if self.rounding is not None:
            claim["rounding"] = self.rounding
        conventions = {**self.conventions, **more.get("conventions", {})}
        claim |= {key: value for key, value in more.items() if key != "conventions"}
        if conventions:
            claim["conventions"] = conventions
        return Evaluation(choices, claim, self._said(choices, told, more))

    def _said(
        self, choices: tuple[Choice, ...], told: Mapping[str, Any], more: Mapping[str, Any]
    ) -> dict[str, Keys]:
        """The fields of the claim that come from the file of the bundle, and where they stand in it."""
        here: Keys = ("bundles", self.name)
        found: dict[str, Keys] = {
            f"experiment.{key}": (*here, "experiment", key) for key in self.experiment if key not in told
        }
        for choice in choices:
            for key, value in choice.set.items():
                if key not in told and not (isinstance(value, str) and value.startswith("$")):
                    found[f"experiment.{key}"] = (*choice.place, "set", key)
        if self.rounding is not None and "rounding" not in more:
            found["rounding"] = (*here, "rounding")
        for key in self.conventions:
            if key not in more.get("conventions", {}):
                found[f"conventions.{key}"] = (*here, "conventions", key)
        return found

    def blame(self, evaluation: Evaluation, error: BadClaim) -> BadClaim:
        """The complaint about a claim, pointing at the line of the bundle where that is its fault."""
        steps = re.findall(r"[^.\[\]]+", error.field)
        for end in range(len(steps), 0, -1):
            place = evaluation.said.get(".".join(steps[:end]))
            if place is not None and self.source is not None:
                deeper = (int(step) if step.isdecimal() else step for step in steps[end:])
                return self.source.wrong((*place, *deeper), error.problem)
        return error


def _filled(data: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with "$name" replaced by what was given."""
    return {
        key: values[value[1:]] if isinstance(value, str) and value.startswith("$") else value
        for key, value in data.items()
    }


def _same(told: object, value: object) -> bool:
    return told == value or plain(str(told)) == plain(str(value))


def _label(name: str | None, figures: Mapping[str, object]) -> str | None:
    """The score as the paper calls it; None where it is not printed."""
    if name is None:
        return None
    meant = look_up(name)
    return next((label for label in figures if _known(label) == meant), None)


def _known(label: str) -> Name | None:
    """The score of a matrix that is printed; None for others, such as auc, which nothing exchanges."""
    try:
        return look_up(label)
    except UnknownScore:
        return None


def _printed(choice: Choice, scores: Mapping[str, object]) -> bool:
    """Whether the scores the choice exchanges are printed at all."""
    return all(_label(name, scores) is not None for name in choice.exchange)


# -- from files -------------------------------------------------------------------------------


def bundles_of(source: Source) -> Iterator[Bundle]:
    """The bundles of a file, in order."""
    shared = {
        str(name): _question(source, ("questions", str(name)), str(name), data, {})
        for name, data in source.section("questions").items()
    }
    for name, data in source.section("bundles").items():
        yield _bundle(source, str(name), data, shared)


def _bundle(source: Source, name: str, data: object, shared: Mapping[str, Question]) -> Bundle:
    here: Keys = ("bundles", name)
    table = _table(source, here, data, KNOWN)
    texts = {}
    for key in TEXTS:
        texts[key] = table.get(key, "")
        if not isinstance(texts[key], str):
            raise source.wrong((*here, key), f"expected text, found {quoted(texts[key])}")
    given = _table(source, (*here, "given"), table.get("given", {}))
    own = _table(source, (*here, "open"), table.get("open", {}))
    questions = [
        _question(source, (*here, "open", str(key)), str(key), value, given) for key, value in own.items()
    ]
    for asked in _names(source, (*here, "ask"), table.get("ask", [])):
        if asked not in shared:
            hint = nearest(asked, shared) or f" (known: {', '.join(shared) or 'none'})"
            raise source.wrong((*here, "ask"), f"no question {asked!r} stands under [questions]{hint}")
        questions.append(shared[asked])
    if not questions and not table.get("experiment"):
        raise source.wrong(here, 'give an experiment, or questions under "open" or "ask"')
    return Bundle(
        name,
        tuple(questions),
        experiment=_table(source, (*here, "experiment"), table.get("experiment", {})),
        given=given,
        conventions=_table(source, (*here, "conventions"), table.get("conventions", {})),
        rounding=table.get("rounding"),
        origin=source.where,
        source=source,
        **texts,
    )


def _question(source: Source, here: Keys, name: str, data: object, given: Mapping[str, Any]) -> Question:
    table = _table(source, here, data)
    choices = []
    for key, value in table.items():
        if key in CONDITIONS:
            continue
        at = (*here, str(key))
        answer = _table(source, at, value, CHOICE)
        words, note, suffix = (answer.get(part, "") for part in ("words", "note", "suffix"))
        for part, text in (("words", words), ("note", note), ("suffix", suffix)):
            if not isinstance(text, str):
                raise source.wrong((*at, part), f"expected text, found {quoted(text)}")
        settings = _table(source, (*at, "set"), answer.get("set", {}))
        for field_, setting in settings.items():
            if isinstance(setting, str) and setting.startswith("$") and setting[1:] not in given:
                problem = f"{setting!r} is not told under given{nearest(setting[1:], given)}"
                raise source.wrong((*at, "set", str(field_)), problem)
        pair = _names(source, (*at, "exchange"), answer.get("exchange", []))
        if len(pair) not in (0, 2):
            raise source.wrong((*at, "exchange"), "expected two scores, whose figures are exchanged")
        for score in pair:
            try:
                look_up(score)
            except UnknownScore as error:
                raise source.wrong((*at, "exchange"), str(error)) from None
        choices.append(Choice(str(key), words or str(key), note, settings, suffix, pair, at))
    if not choices:
        raise source.wrong(here, 'a question needs answers, such as yes = {words = "…", set = {p = 100}}')
    conditions = {key: _names(source, (*here, key), table.get(key, [])) for key in CONDITIONS}
    return Question(name, tuple(choices), **conditions)


def _table(source: Source, here: Keys, data: object, known: Sequence[str] = ()) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise source.wrong(here, f"expected a table, found {quoted(data)}")
    for key in data:
        if known and key not in known:
            hint = nearest(str(key), known) or f" (known: {', '.join(known)})"
            raise source.wrong((*here, str(key)), f"is not a key known here{hint}")
    return data


def _names(source: Source, here: Keys, data: object) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(each, str) for each in data):
        raise source.wrong(here, f"expected a list of names, found {quoted(data)}")
    return tuple(data)
