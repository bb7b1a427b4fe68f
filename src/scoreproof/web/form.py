"""What was typed into the form, as a claim; and every complaint at the field it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from scoreproof.claim.counts import count, span_of, whole
from scoreproof.claim.fields import EFFORT, LEAVE_ONE_OUT, SPOKEN, Key, Kind, placed
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.printed import read
from scoreproof.reading.counts import said_count, said_folds
from scoreproof.reading.notation import FURTHER, Unwritten
from scoreproof.reading.notation import read as read_line
from scoreproof.reading.notation import write as write_line
from scoreproof.reading.report import text_data
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.pasted import read_pasted
from scoreproof.scores.names import family, look_up

ROWS = 4
#: Fields that the first page always has.
USUAL = ("p", "n", "folds")
MOST_ROWS = 60
#: Every field that is made from the table of keys.
ASKED: dict[str, Key] = {**SPOKEN, EFFORT.id: EFFORT, **FURTHER}

_COUNTED = (Kind.COUNT, Kind.WHOLE)


@dataclass(slots=True)
class Form:
    """The form with what was typed, and what is wrong with it."""

    values: dict[str, str] = field(default_factory=dict)
    scores: list[tuple[str, str]] = field(default_factory=list)
    text: str = ""  # what was pasted into the box of the first page
    full: bool = False  # whether it is the form with every field
    table: str = ""
    reading: dict[str, str] = field(default_factory=dict)  # what the columns of the table were read as
    notes: tuple[str, ...] = ()
    claim: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The scores, with empty rows to go on."""
        return [*self.scores, *[("", "")] * max(2, ROWS - len(self.scores))]

    @property
    def shown(self) -> list[str]:
        """The fields of the first page: the usual ones, and those that say something."""
        return [
            name
            for name, key in ASKED.items()
            if name in USUAL
            or name in self.errors
            or self.values.get(name, key.default) not in ("", None, key.default)
        ]

    @property
    def effort(self) -> str:
        """How much work to spend."""
        return self.values.get("effort") or EFFORT.default

    def uses(self, group: str) -> bool:
        """Whether something is typed into, or wrong with, a field of the group."""
        names = [name for name, key in ASKED.items() if key.group == group]
        return any(self.values.get(name) or name in self.errors for name in names)

    @property
    def uses_further(self) -> bool:
        """Whether a key that few claims have is typed, or wrong."""
        return any(self.values.get(name) or name in self.errors for name in FURTHER)

    def complain(self, name: str, message: str) -> None:
        self.errors.setdefault(name, message)

    def refuse(self, field: str, message: str) -> None:
        """Complain about a field of the claim, at the place in the form where it belongs."""
        place = self._place(field, message)
        whole = place in ("claim", "table", "form", "bundle", "text")
        self.complain(place, message if whole else message.removeprefix(f"{field}: "))

    def _place(self, field: str, message: str) -> str:
        if self.claim:
            return "claim"
        if self.text.strip() and field not in ASKED:
            return "text"
        inside = (name for name, key in FURTHER.items() if f"{field}.".startswith(f"{'.'.join(key.path)}."))
        if not self.table.strip() and (further := next(inside, "")):
            return further
        fields = {path: name for name, key in ASKED.items() for path in (".".join(key.path), name)}
        name = fields.get(field, "")
        if self.table.strip():
            return name if self.values.get(name) else "table"
        if name or field == "bundle":
            return name or field
        if field.startswith("scores"):
            return self._row(field.partition(".")[2], message)
        return "p" if field.startswith("experiment") else "form"

    def _row(self, label: str, message: str) -> str:
        """The row of the score that a complaint is about."""
        names = [name for name, _ in self.scores]
        if label in names:
            return f"figure-{names.index(label)}"
        quoted = (index for index, name in enumerate(names) if name and repr(name) in message)
        return f"score-{next(quoted, 0)}"


def label_of(name: str) -> str:
    """What a field is called on the page."""
    key = ASKED[name]
    return key.label or key.name.replace("_", " ").capitalize()


def typed(pairs: Sequence[tuple[str, str]]) -> Form:
    """The form as it was sent."""
    names, figures = (
        [value.strip() for key, value in pairs if key == wanted][:MOST_ROWS] for wanted in ("score", "figure")
    )
    sent = dict(pairs)
    return Form(
        {key: value.strip() for key, value in pairs if key in ASKED or key in ("bundle", "same", "set")},
        [row for row in zip_longest(names, figures[: len(names)], fillvalue="") if any(row)],
        text="" if sent.get("source") == "fields" else sent.get("text", "").strip("\r\n"),
        full=bool({"full", "table"} & sent.keys()),
        table=sent.get("table", "").strip("\r\n"),
        claim=sent.get("claim", "").strip(),
    )


def claims(form: Form) -> list[tuple[str, dict[str, Any]]]:
    """The claims the form stands for: one, or one per row of a pasted table.

    Complaints are left in ``form.errors``; then the list is of no use.
    """
    if form.claim:
        try:
            return [("", dict(text_data(form.claim)))]
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
        form.complain("score-0", "type at least one score and its figure, or paste a table")
    return scores


def _readable(form: Form, index: int, name: str, figure: str) -> None:
    """Complain at once about what can be seen without the rest: all rows, not only the first."""
    try:
        bounded = look_up(name).score.highest is not None
    except ScoreproofError as error:
        # Names for rankings, predicted numbers and several classes depend on the experiment: the loader knows.
        if not family(name) and not any(word in name.casefold() for word in ("macro", "weighted", "micro")):
            form.complain(f"score-{index}", str(error))
        return
    try:
        read(figure, bounded=bounded)
    except ScoreproofError as error:
        form.complain(f"figure-{index}", str(error))


def set_up(form: Form) -> dict[str, Any]:
    """The claim without its scores."""
    said: dict[str, object] = {}
    more: dict[str, object] = {}
    for name, key in ASKED.items():
        text = form.values.get(name, "")
        if not text:
            continue
        other = next((each for each in key.against if form.values.get(each)), None)
        if key.choices and text not in key.values:
            form.complain(name, "choose one of the list")
        elif "folds" in key.needs and not (form.values.get("folds") or form.values.get("holdout")):
            form.complain(name, "has no meaning without the number of folds; give it, or leave this empty")
        elif other is not None:
            form.complain(name, f"does not go together with {label_of(other)}; keep one")
        elif name in SPOKEN:
            said[name] = _value(key, text)
            _countable(form, name, key, said[name])
        elif name in FURTHER:
            try:
                more[name] = read_line(key, text)
            except Unwritten as wrong:
                form.complain(name, str(wrong))
    if not said.keys() & {"folds", "holdout"} and {"p", "n", "total"} & said.keys():
        said.pop("aggregate", None)  # one test set: there is nothing to aggregate
    claim = placed(said)
    for name, value in more.items():
        (claim["experiment"] if FURTHER[name].place else claim)[name] = value
    return claim


def _countable(form: Form, name: str, key: Key, value: object) -> None:
    """Complain at once about what is no count: the loader would stop at the first."""
    try:
        if key.kind is Kind.COUNT:
            span_of(value, name)
        elif key.kind is Kind.WHOLE:
            whole(value, name)
        elif key.kind is Kind.FOLDS and not isinstance(value, list) and value != LEAVE_ONE_OUT:
            count(value, name, 1)
    except BadClaim as error:
        form.complain(name, error.problem)


def _value(key: Key, text: str) -> object:
    """What was typed, as the claim file would have it."""
    if key.kind is Kind.YES_NO:
        return text == "yes"
    if key.kind is Kind.FOLDS:
        return said_folds(text)
    return said_count(text) if key.kind in _COUNTED else text


def _pasted(form: Form, base: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The claims of the rows, with the set-up of the form; how the table was read is left in the form."""
    common = Settings(base["experiment"], base.get("rounding"), base.get("conventions", {}))
    found = []
    try:
        table = read_pasted(form.table, common, on_page)
        for name, claim in table.claims():
            title = ": ".join(filter(None, [base.get("title", ""), name if len(table.names) > 1 else ""]))
            found.append((name, {**({"title": title} if title else {}), **claim}))
    except ScoreproofError as error:
        form.complain("table", said(error))
        return []
    if table.layout.headers:  # a report is shown as the one claim it is
        form.reading, form.notes = table.layout.meanings(), table.layout.notes
    return found


def on_page(header: str, meaning: str) -> str:
    """How to say on the page what a column is: by another heading."""
    return f"“{MEANT.get(meaning, meaning)}” above it instead of “{header}”"


#: Headings that mean one thing only.
MEANT = {"n": "number of negatives", "p": "number of positives", "acc": "accuracy", "total": "total",
         "predicted_positive": "predicted positives", "predicted_negative": "predicted negatives"}  # fmt: skip


def said(error: ScoreproofError) -> str:
    """The complaint without the name of the field it stands beside."""
    return error.problem if isinstance(error, BadClaim) else str(error)


def filled(text: str) -> Form:
    """The form with a claim in it: in its fields where they can hold it, else as the text of a claim file."""
    form = Form()
    try:
        data = json.loads(text)
        if isinstance(data, Mapping) and not _fill(form, data):
            return form
        return Form(claim=json.dumps(data, ensure_ascii=False, indent=2))
    except (ValueError, RecursionError):
        return Form(claim=text)


def _fill(form: Form, data: Mapping[str, Any]) -> object:
    """Fill in what the fields can hold; what is left over is returned."""
    left = deepcopy(dict(data))
    left.pop("format", None)
    for name, key in (SPOKEN | FURTHER).items():
        *places, last = key.path
        inside = left
        for place in places:
            inside = inside.get(place, {}) if isinstance(inside, dict) else {}
        text = _typed(key, inside.get(last)) if isinstance(inside, dict) else None
        if text is not None and (not key.choices or text in key.values):
            form.values[name] = text
            inside.pop(last)
    scores = left.pop("scores", {})
    if isinstance(scores, dict) and all(isinstance(figure, str) for figure in scores.values()):
        form.scores = list(scores.items())
    else:
        left["scores"] = scores
    return {key: value for key, value in left.items() if value not in ({}, None)}


def _typed(key: Key, value: object) -> str | None:
    """What to type into a field for a value; None where the field cannot hold it."""
    if key.name in FURTHER:
        return None if value is None else write_line(key, value)
    if isinstance(value, bool):
        return ("yes" if value else "no") if key.kind is Kind.YES_NO else None
    if isinstance(value, list) and key.kind is Kind.FOLDS and all(type(size) is int for size in value):
        return ",".join(map(str, value))
    if isinstance(value, list) and len(value) == 2 and all(type(end) is int for end in value):
        return f"{value[0]}-{value[1]}"
    # a number in place of a printed figure is exact, which the field cannot say
    numbers = isinstance(value, (int, float)) and key.kind is not Kind.FIGURE
    return str(value) if numbers or isinstance(value, str) else None


def name_of(field: str) -> str:
    """What a place that needs another look is called: a field, or a row of scores."""
    kind, _, number = field.partition("-")
    if kind in ("score", "figure") and number.isdigit():
        return f"{'Name' if kind == 'score' else 'Figure'} {int(number) + 1}"
    words = {"text": "The text", "table": "The table", "claim": "The claim file", "file": "The file"}
    return words.get(field) or (label_of(field) if field in ASKED else field.capitalize())
