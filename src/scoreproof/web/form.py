"""What was typed into the form, as a claim; and every complaint at the field it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoreproof.claim.files import parse
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.printed import RULES, read
from scoreproof.printed.rounding import MEANING
from scoreproof.scores import look_up
from scoreproof.web.paste import PastedRow, read_table

ROWS = 8
MOST_ROWS = 60


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form: where it stands in a claim, and how it is shown."""

    name: str
    label: str
    hint: str = ""
    path: tuple[str, ...] = ()
    whole: bool = False  # a number, a range, or words
    choices: tuple[tuple[str, str], ...] = ()


UNSAID = ("", "not said: try both")

# fmt: off
FIELDS: dict[str, Field] = {each.name: each for each in (
    Field("title", "Title", "Anything that helps you find it again.", ("title",)),
    Field("p", "Positive items (p)", "A number, a range 30-45, or “about 300”.", ("experiment", "p"),
          whole=True),
    Field("n", "Negative items (n)", "Likewise.", ("experiment", "n"), whole=True),
    Field("total", "All items", "Where p or n is not known.", ("experiment", "total"), whole=True),
    Field("prevalence", "Share of positives", "As printed, such as 12.7 %.", ("experiment", "prevalence")),
    Field("dataset", "Dataset", "Its counts are known: choose a name instead of typing them.",
          ("experiment", "dataset")),
    Field("split", "Split", "Such as test.", ("experiment", "split")),
    Field("region", "Region", "Such as fov or all.", ("experiment", "region")),
    Field("annotator", "Annotator", "Such as 1.", ("experiment", "annotator"), whole=True),
    Field("image", "Image", "Such as 03, for scores of one image.", ("experiment", "image")),
    Field("folds", "Folds", "Number of cross-validation folds; empty for a single test set.",
          ("experiment", "folds"), whole=True),
    Field("repeats", "Repeats", "How often the cross-validation was repeated.", ("experiment", "repeats"),
          whole=True),
    Field("stratified", "Stratified folds", "", ("experiment", "stratified"),
          choices=(("", "not said: any folds"), ("yes", "yes"), ("no", "no"))),
    Field("aggregate", "Over the folds", "", ("experiment", "aggregate"),
          choices=(UNSAID, ("mean", "scores were averaged"), ("pooled", "counts were pooled"))),
    Field("rounding", "Rounding", "", ("rounding",),
          choices=(("", "assume: nearest"), *((rule, f"{rule}: {MEANING[rule]}") for rule in RULES),
                   ("open", "not said: try every rule"))),
    Field("undefined", "A score of 0/0", "", ("conventions", "undefined"),
          choices=(("", "assume: does not happen"), ("zero", "counts as 0"), ("skip", "is left out"),
                   ("open", "not said: try all"))),
)}
# fmt: on


@dataclass(slots=True)
class Form:
    """The form with what was typed, and what is wrong with it."""

    values: dict[str, str] = field(default_factory=dict)
    scores: list[tuple[str, str]] = field(default_factory=list)
    table: str = ""
    claim: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The scores, with empty rows to go on."""
        return [*self.scores, *[("", "")] * max(2, ROWS - len(self.scores))]

    def complain(self, name: str, message: str) -> None:
        self.errors.setdefault(name, message)


def typed(pairs: Sequence[tuple[str, str]]) -> Form:
    """The form as it was sent."""
    form = Form()
    names = [value for key, value in pairs if key == "score"][:MOST_ROWS]
    figures = [value for key, value in pairs if key == "figure"][:MOST_ROWS]
    figures += [""] * (len(names) - len(figures))
    form.scores = [
        (name.strip(), figure.strip())
        for name, figure in zip(names, figures, strict=False)
        if name.strip() or figure.strip()
    ]
    for key, value in pairs:
        if key in FIELDS or key == "bundle":
            form.values[key] = value.strip()
        elif key == "table":
            form.table = value.strip("\r\n")
        elif key == "claim":
            form.claim = value.strip()
    return form


def claims(form: Form) -> list[tuple[str, dict[str, Any]]]:
    """The claims the form stands for: one, or one per row of a pasted table.

    Complaints are left in ``form.errors``; then the list is of no use.
    """
    if form.claim:
        try:
            return [("", parse(form.claim))]
        except ScoreproofError as error:
            form.complain("claim", said(error))
            return []
    base = set_up(form)
    if form.table.strip():
        return _pasted(form, base)
    return [("", {**base, "scores": readable_scores(form)})]


def readable_scores(form: Form) -> dict[str, str]:
    """The scores that were typed, each complaint at its row."""
    scores: dict[str, str] = {}
    for index, (name, figure) in enumerate(form.scores):
        if not name:
            form.complain(f"score-{index}", "name the score, such as accuracy")
        elif not figure:
            form.complain(f"figure-{index}", "type the figure as printed, such as 0.9567, or empty the row")
        elif name in scores:
            form.complain(f"score-{index}", "is given twice; keep one")
        else:
            _readable(form, index, name, figure)
            scores[name] = figure
    if not form.scores:
        form.complain("score-0", "type at least one score and its figure, or paste a table below")
    return scores


def _readable(form: Form, index: int, name: str, figure: str) -> None:
    """Complain at once about what can be seen without the rest: all rows, not only the first."""
    try:
        bounded = look_up(name).score.highest is not None
    except ScoreproofError as error:
        # Words for rankings and several classes depend on the experiment: the loader knows.
        if not any(word in name.casefold() for word in ("auc", "roc", "macro", "weighted", "micro")):
            form.complain(f"score-{index}", str(error))
        return
    try:
        read(figure, bounded=bounded)
    except ScoreproofError as error:
        form.complain(f"figure-{index}", str(error))


def set_up(form: Form) -> dict[str, Any]:
    """The claim without its scores."""
    claim: dict[str, Any] = {"experiment": {}}
    for each in FIELDS.values():
        text = form.values.get(each.name, "")
        if not text:
            continue
        if each.choices and text not in dict(each.choices):
            form.complain(each.name, "choose one of the list")
            continue
        place = claim
        for key in each.path[:-1]:
            place = place.setdefault(key, {})
        place[each.path[-1]] = (
            {"yes": True, "no": False}.get(text, text) if each.choices else _value(each, text)
        )
    if not form.values.get("folds"):
        for name in ("repeats", "stratified"):
            if form.values.get(name):
                form.complain(name, "has no meaning without the number of folds; give it, or leave this empty")
        if form.values.get("aggregate") and {"p", "n", "total"} & claim["experiment"].keys():
            claim["experiment"].pop("aggregate")  # one test set: there is nothing to aggregate
    return claim


def _value(each: Field, text: str) -> object:
    """A count as the claim file would have it: a number, a range, or words."""
    if not each.whole:
        return text
    ends = [end.strip() for end in text.replace("–", "-").split("-")]
    if len(ends) == 2 and all(end.isdecimal() and len(end) < 80 for end in ends):
        return [int(end) for end in ends]
    bare = text.replace("\u202f", "").replace("\u00a0", "").replace(" ", "")
    if bare.isdecimal() and bare.isascii() and len(bare) < 80:
        return int(bare)
    return text


def _pasted(form: Form, base: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    try:
        rows, _ = read_table(form.table)
    except ScoreproofError as error:
        form.complain("table", said(error))
        return []
    return [(row.name, _with(base, row, len(rows) > 1)) for row in rows]


def _with(base: dict[str, Any], row: PastedRow, titled: bool) -> dict[str, Any]:
    """The set-up of the form with the figures (and counts) of one row."""
    claim = json.loads(json.dumps(base))
    for key, text in row.counts.items():
        claim["experiment"][key] = _value(FIELDS[key], text)
    if {"p", "n"} <= row.counts.keys():
        for key in ("total", "prevalence"):
            claim["experiment"].pop(key, None)
    if titled:
        claim["title"] = f"{claim['title']}: {row.name}" if claim.get("title") else row.name
    claim["scores"] = dict(row.scores)
    return dict(claim)


def said(error: ScoreproofError) -> str:
    """The complaint without the name of the field it stands beside."""
    return error.problem if isinstance(error, BadClaim) else str(error)


def place_of(form: Form, refused_field: str, message: str) -> tuple[str, str]:
    """Where in the form a complaint about a claim belongs, and its words there."""
    words = message.removeprefix(f"{refused_field}: ")
    if form.claim:
        return "claim", message
    if form.table.strip():
        for name, each in FIELDS.items():
            if refused_field == ".".join(each.path) and form.values.get(name):
                return name, words
        return "table", message
    for name, each in FIELDS.items():
        if refused_field in (".".join(each.path), name):
            return name, words
    if refused_field.startswith("scores"):
        label = refused_field.partition(".")[2]
        for index, (name, _) in enumerate(form.scores):
            if name == label:
                return f"figure-{index}", words
        for index, (name, _) in enumerate(form.scores):
            if name and repr(name) in message:
                return f"score-{index}", words
        return "score-0", words
    if refused_field.startswith("experiment"):
        return "p", words
    return "form", message


def filled(text: str) -> Form:
    """The form with a claim in it: in its fields where they can hold it, else as the text of a claim file."""
    form = Form()
    try:
        data = json.loads(text)
        rest = _fill(form, data) if isinstance(data, Mapping) else data
    except (ValueError, RecursionError):
        rest = text
    return Form(claim=text) if rest else form


def _fill(form: Form, data: Mapping[str, Any]) -> object:
    """Fill in what the fields can hold; what is left over is returned."""
    left = json.loads(json.dumps(data))
    left.pop("format", None)
    for each in FIELDS.values():
        place = left
        for key in each.path[:-1]:
            place = place.get(key, {}) if isinstance(place, dict) else {}
        value = place.get(each.path[-1]) if isinstance(place, dict) else None
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, list) and len(value) == 2 and all(type(end) is int for end in value):
            value = f"{value[0]}-{value[1]}"
        if value is None or isinstance(value, (dict, list)):
            continue
        if each.choices and str(value) not in dict(each.choices):
            continue
        form.values[each.name] = str(value)
        place.pop(each.path[-1])
    scores = left.pop("scores", {})
    if isinstance(scores, dict) and all(isinstance(figure, str) for figure in scores.values()):
        form.scores = list(scores.items())
    else:
        left["scores"] = scores
    return {key: value for key, value in left.items() if value not in ({}, None)}
