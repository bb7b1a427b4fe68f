"""The description of the JSON API, in the words of OpenAPI 3.1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import scoreproof
from scoreproof.claim.fields import EFFORT, LEAVE_ONE_OUT, SPOKEN, Key, Kind, keys_of
from scoreproof.printed import RULES
from scoreproof.scores import SCORES

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
OBJECT: Schema = {"type": "object"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
COUNTED: Schema = {"type": "integer", "minimum": 1}
NUMBER: Schema = {"anyOf": [{"type": "number"}, TEXT]}
FIGURE: Schema = {**TEXT, "description": 'A figure exactly as printed: "0.90" is not "0.9".'}
FIGURES: Schema = {
    **OBJECT,
    "properties": dict.fromkeys(SCORES, FIGURE),
    "additionalProperties": FIGURE,
    "example": {"acc": "0.9567", "sens": "85.00 %"},
}


def _list(schema: Schema, length: int | None = None) -> Schema:
    exactly = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": schema, **exactly}


def _each(schema: Schema) -> Schema:
    """One of these by the name of every score or class."""
    return {**OBJECT, "additionalProperties": schema}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _keys(place: str) -> dict[str, Schema]:
    """The keys of one place of the claim file, each with its meaning."""
    return {name: {**_schema(key), "description": key.meaning} for name, key in keys_of(place).items()}


def _known(place: str) -> Schema:
    return {**OBJECT, "properties": _keys(place), "additionalProperties": False}


EXPERIMENTS = _list(_ref("Experiment"))
#: What the value of a key can be.
SCHEMA_OF: dict[Kind, Schema] = {
    Kind.TEXT: TEXT,
    Kind.COUNT: {"anyOf": [WHOLE, _list(WHOLE, 2), TEXT]},
    Kind.WHOLE: WHOLE,
    Kind.FIGURE: TEXT,
    Kind.NUMBER: NUMBER,
    Kind.YES_NO: {"type": "boolean"},
    Kind.FORMAT: {"const": 1},
    Kind.EXPERIMENT: _ref("Experiment"),
    Kind.EXPERIMENTS: EXPERIMENTS,
    Kind.PAIRS: EXPERIMENTS,
    Kind.FOLDS: {
        "anyOf": [{"type": "integer", "minimum": 1}, {"const": LEAVE_ONE_OUT}, _list(WHOLE), EXPERIMENTS]
    },
    Kind.HELD_OUT: {"anyOf": [NUMBER, TEXT]},
    Kind.SIZES: {"anyOf": [{"enum": ["equal", "any"]}, WHOLE, TEXT]},
    Kind.FIGURES: _ref("Figures"),
    Kind.BOUNDS: _each(_list({"anyOf": [NUMBER, {"type": "null"}]}, 2)),
    Kind.POINTS: _list(_ref("Figures")),
    Kind.CLASSES: {"anyOf": [_each(WHOLE), _list(WHOLE)]},
    Kind.PER_CLASS: _each(_ref("Figures")),
    Kind.NAMES: {"anyOf": [TEXT, _list(TEXT)]},
    Kind.REMARK: _each({}),
}


def _schema(key: Key) -> Schema:
    word = {"enum": list(key.values)}
    match key.kind:
        case Kind.CHOICE:
            return word
        case Kind.AGGREGATE:
            return {"anyOf": [word, {**_each(word), "properties": _keys("aggregate")}]}
        case Kind.ROUNDING:
            return {"anyOf": [word, {**_each({}), "properties": _keys("rounding")}]}
        case Kind.METHOD:
            return {"anyOf": [word, _each(word)]}
        case Kind.CONVENTIONS:
            return _known("conventions")
        case Kind.MATRIX:
            return _known("matrix")
        case Kind.WITHIN:
            return _each(_known("within"))
        case _:
            return SCHEMA_OF[key.kind]


def _answer(description: str, **properties: Schema) -> Schema:
    known = {"format": {"const": 1}, **properties}
    # matrices are listed only where they are few
    required = [name for name in known if name != "matrices"]
    return {**OBJECT, "description": description, "required": required, "properties": known}


YES_NO = SCHEMA_OF[Kind.YES_NO]
VERDICT: Schema = {"enum": ["consistent", "inconsistent", "undecided"]}
ABOUT: dict[str, Schema] = {"claim": OBJECT, "verdict": VERDICT, "sentence": TEXT}
COUNT: Schema = {"type": ["integer", "null"]}
MAYBE: Schema = {"type": ["object", "null"]}
#: What is asked about a bundle.
WISH: dict[str, Schema] = {
    "bundle": TEXT,
    "scores": _ref("Figures"),
    "given": {**OBJECT, "description": "What the paper tells, such as an image or a region."},
    "rounding": {"enum": list(SPOKEN["rounding"].values)},
    "eps": FIGURE,
}
#: What is asked about a table.
TABLE: dict[str, Schema] = {
    "table": {**TEXT, "description": "As copied: CSV, tabs, Markdown, LaTeX, HTML or plain columns."},
    "columns": _each({"type": ["string", "null"]}) | {"description": "What headings stand for; null: nothing."},
    "experiment": _ref("Experiment"),
    "rounding": _keys("")["rounding"],
    "conventions": _keys("")["conventions"],
    "same": {**TEXT, "description": "Of studies: the column in which rows about the same patients are alike."},
}
#: What is asked about a document.
DOCUMENT: dict[str, Schema] = {
    "name": {**TEXT, "description": "Its name; the ending says what it is.", "example": "paper.pdf"},
    "text": {**TEXT, "description": "What it holds, where that is text."},
    "base64": {**TEXT, "contentEncoding": "base64", "description": "What it holds, where that is not text."},
    "set": {
        "anyOf": [TEXT, _list(TEXT)],
        "description": "What corrects the reading, such as p=38 n=262 table=2.",
    },
}
#: What is asked about one study.
STUDY: dict[str, Schema] = {
    "scores": {**FIGURES, "example": {"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}},
    "p": COUNTED,
    "n": COUNTED,
    "total": COUNTED,
    "prevalence": FIGURE,
    "ci": {"enum": sorted({"open", *SPOKEN["ci"].values})},
    "level": {"enum": list(SPOKEN["ci_level"].values)},
    "rounding": {"enum": list(RULES)},
    "largest": COUNTED,
    "most": {"type": "integer", "minimum": 1, "maximum": 1000},
}
NAMES: Schema = _list(TEXT)
#: What is asked about folds.
FOLDS: dict[str, Schema] = {
    "table": {**TEXT, "description": "One fold a row: CSV with tp, fp, fn, tn (or p, n, tp, tn), or JSON."},
    "scores": {**NAMES, "description": "Only these scores."},
    "decimals": {"type": "integer", "minimum": 0, "maximum": 50},
    "beta_positive": NUMBER,
    "beta_negative": NUMBER,
}
TRIALS: dict[str, Schema] = {"trials": {"type": "integer", "minimum": 1}, "seed": WHOLE}
#: What is asked about slips.
POWER: dict[str, Schema] = {
    "setup": {**OBJECT, "description": "An experiment, or a claim, whose figures are not used."},
    "scores": {**NAMES, "description": "The names of the printed scores."},
    "models": {**NAMES, "description": "What went wrong, such as typo, oversampled or dropped:3."},
    "decimals": _list({"type": "integer", "minimum": 1, "maximum": 12}),
    "draw": {"enum": ["uniform", "classifier"]},
    **TRIALS,
}
NUMBERS: Schema = {"anyOf": [{"type": "number"}, _list({"type": "number"})]}
#: What is asked about averages over folds.
SIMULATION: dict[str, Schema] = {
    "what": {"enum": ["fmeasure", "auc"]},
    "positives": NUMBERS,
    "truth": NUMBERS,
    "shift": NUMBERS,
    "stratified": {"type": ["boolean", "null"]},
    "cases": {"type": "integer", "minimum": 2, "maximum": 100_000},
    "folds": {"type": "integer", "minimum": 2, "maximum": 1000},
    **TRIALS,
}
# fmt: off
SCHEMAS: dict[str, Schema] = {
    "Figures": FIGURES,
    "Experiment": {
        **OBJECT, "properties": _keys("experiment"), "example": {"p": 100, "n": 200},
        "description": "What was evaluated; the claim file's page describes every key.",
    },
    "Claim": {
        **_known(""),
        "description": "What a paper says of its experiment, and its figures: the claim file as JSON.",
        "example": {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8500"}},
    },
    "Verdict": _answer(
        "What check finds, as plain data.", **ABOUT, count=COUNT, count_exact=YES_NO, witness=MAYBE,
        certificate=MAYBE, conflict={"type": ["array", "null"], "items": TEXT}, reason=TEXT,
        would_settle=_list(TEXT),
        readings=_list(OBJECT), untried={"type": "integer"}, other_readings=_list(OBJECT), notes=_list(TEXT),
    ),
    "Verdicts": _answer("One for each claim of a text of several.", verdicts=_list(_ref("Verdict"))),
    "Pasted": _answer(
        "What `scoreproof.read_text` returns.",
        kind={"enum": ["claim", "report", "table", "folds", "sentence", "verdict", "nothing"]},
        claims=_list(OBJECT), spans=_list(OBJECT), columns=_list(OBJECT), notes=_list(TEXT),
        missing=_list(TEXT),
    ),
    "Reconstruction": _answer(
        "What reconstruct finds, as plain data.", **ABOUT, count=COUNT,
        ranges=_each(MAYBE), cells=OBJECT, matrices=_list(OBJECT),
    ),
    "Explanation": _answer(
        "What explain finds, as plain data.", **ABOUT, paragraph=TEXT, clashes=_list(_list(TEXT)),
        nearest=_list(OBJECT), causes=_list(OBJECT), strength=MAYBE,
    ),
    "Wish": {
        **OBJECT, "properties": WISH, "required": ["bundle", "scores"],
        "example": {"bundle": "drive", "scores": {"acc": "0.9478", "sens": "0.8532", "spec": "0.9801"}},
    },
    "Survey": _answer(
        "What bundle finds, as plain data.", bundle=TEXT, verdict=VERDICT, sentence=TEXT,
        readings=_list(OBJECT),
    ),
    "Table": {
        **OBJECT, "properties": TABLE, "required": ["table"],
        "example": {"table": "model,p,n,acc\nours,100,200,0.9567", "columns": {"model": None}},
    },
    "Rows": _answer(
        "A verdict a row, and how the table was read.", columns=_list(OBJECT), notes=_list(TEXT),
        rows=_list(OBJECT),
    ),
    "Document": {
        **OBJECT, "properties": DOCUMENT, "required": ["name"],
        "example": {"name": "a.md", "text": "| p | n | acc |\n|---|---|---|\n| 100 | 200 | 0.9567 |\n"},
    },
    "Scan": _answer(
        "What scan finds, as plain data.", document=TEXT, status=VERDICT, sentence=TEXT,
        remarks=_list(TEXT), tables=_list(OBJECT),
    ),
    "Replay": {
        **OBJECT, "description": "A verdict; or, in `verdict`, one with the claim to hold it `against`.",
    },
    "Confirmation": _answer(
        "What verify finds, as plain data.", confirmed=YES_NO, same_claim=YES_NO, sentence=TEXT,
        about=_list(TEXT),
    ),
    "Study": {**OBJECT, "properties": STUDY, "required": ["scores"]},
    "Tables": _answer(
        "What tables finds for one study, as plain data.", scores=FIGURES, verdict=VERDICT,
        complete=YES_NO, methods=_each(OBJECT),
    ),
    "Folds": {
        **OBJECT, "properties": FOLDS, "required": ["table"],
        "example": {"table": "tp,fp,fn,tn\n9,5,1,15\n5,0,5,20\n", "scores": ["f1"]},
    },
    "Averages": _answer(
        "What aggregate finds, as plain data.", decimals=WHOLE, folds=_list(OBJECT), scores=_each(OBJECT),
        disagreements=_each(OBJECT), sentences=_list(TEXT), advice=_list(TEXT), notes=_list(TEXT),
    ),
    "Slips": {
        **OBJECT, "properties": POWER, "required": ["setup"],
        "example": {"setup": {"p": 75, "n": 304}, "scores": ["acc", "sens"], "decimals": [2, 3], "trials": 20},
    },
    "Power": _answer("What power finds, as plain data.", power=_list(OBJECT)),
    "Settings": {
        **OBJECT, "properties": SIMULATION,
        "example": {"what": "fmeasure", "positives": [0.01, 0.05], "truth": 0.8, "trials": 1000},
    },
    "Simulation": _answer(
        "What simulate finds, as plain data.", simulation=TEXT, cases=WHOLE, folds=WHOLE, trials=WHOLE,
        seed=WHOLE, rows=_list(OBJECT),
    ),
    "Refusal": _answer(
        "One sentence that names the field and says what to do.",
        error={**OBJECT, "required": ["field", "message"], "properties": {"field": TEXT, "message": TEXT}},
    ),
}


def _parameter(name: str, description: str, schema: Schema, **more: Any) -> Schema:
    return {"name": name, "in": "query", "description": description, "schema": schema, **more}


LIMITS = (
    _parameter("timeout", "Seconds before giving up, up to the server's own limit.",
               {"type": "number", "exclusiveMinimum": 0}),
    _parameter(EFFORT.name, EFFORT.meaning, _schema(EFFORT)),
)
KNOWN = _parameter("known", "What is said beside the text, as a claim or an experiment (JSON or TOML).", TEXT,
                   example='{"p": 38, "n": 262}')
FIRST_FIT = _parameter("first_fit", "Stop at the first reading that fits.", YES_NO)
WANTED = _parameter("scores", "Names of scores, with commas between them; without, all of them.", TEXT,
                    example="mcc,f1")
SEARCH = _parameter("search", "Words the name, title, field or citation must hold.", TEXT)
NAME = _parameter("name", "The name of a dataset.", TEXT, example="drive", required=True) | {"in": "path"}
REFUSALS = {
    "400": "The request did not come from this machine under its own name.",
    "403": "The request comes from another site.",
    "404": "There is nothing of that name.",
    "413": "The body is too large.",
    "422": "The input was refused; the sentence names the field.",
    "429": "Too much is waiting already.",
}


PASTED = "What a check takes: figures in a sentence, a table, a printed report, a claim file."


@dataclass(frozen=True, slots=True)
class Address:
    """One address of the API; what is sent to ``/api/x`` is given to the job ``x``."""

    path: str
    summary: str
    body: Schema | None
    answer: Schema
    parameters: tuple[Schema, ...] = ()
    job: str = ""  # where it is called otherwise
    text: bool = False  # whether any text will do

    @property
    def method(self) -> str:
        return "get" if self.body is None else "post"

    def describe(self) -> Schema:
        refused = {
            status: _content(words, _ref("Refusal"))
            for status, words in REFUSALS.items()
            if status != "404" or NAME in self.parameters
        }
        asked = {"required": True, **_content("What is asked.", self.body)} if self.body is not None else None
        if asked and self.text:
            asked["content"]["text/plain"] = {"schema": {**TEXT, "description": PASTED}}
        return {
            "summary": self.summary,
            "parameters": list(self.parameters),
            "responses": {"200": _content("The answer.", self.answer), **refused},
            **({"requestBody": asked} if asked else {}),
        }


def _content(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


ADDRESSES = (
    Address("/api/check", "Could any confusion matrices give these figures?",
            _ref("Claim"), {"anyOf": [_ref("Verdict"), _ref("Verdicts")]}, (*LIMITS, FIRST_FIT, KNOWN),
            text=True),
    Address("/api/reconstruct", "What can each score be, given all figures?",
            _ref("Claim"), _ref("Reconstruction"), (*LIMITS, WANTED, KNOWN), text=True),
    Address("/api/explain", "What may have happened, and how strong was the test?",
            _ref("Claim"), _ref("Explanation"), (*LIMITS, KNOWN), text=True),
    Address("/api/read", "What a pasted text is read as.",
            _ref("Claim"), _ref("Pasted"), (KNOWN,), job="text", text=True),
    Address("/api/bundle", "Figures under every evaluation that is common for a benchmark.",
            _ref("Wish"), _ref("Survey"), LIMITS),
    Address("/api/table", "Every row of a table.", _ref("Table"), _ref("Rows"), LIMITS),
    Address("/api/tables", "The 2x2 tables of every study of a table.", _ref("Table"), _ref("Rows"), LIMITS),
    Address("/api/scan", "Every table of a document.", _ref("Document"), _ref("Scan"), LIMITS),
    Address("/api/datasets", "The datasets known by name.", None, _list(OBJECT), (SEARCH,)),
    Address("/api/datasets/{name}", "One dataset with its counts.", None, OBJECT, (NAME,)),
    Address("/api/verify", "Replay a verdict.", _ref("Replay"), _ref("Confirmation")),
    Address("/api/study", "The 2x2 tables of one study.", _ref("Study"), _ref("Tables"), LIMITS),
    Address("/api/aggregate", "Folds, averaged in every way.", _ref("Folds"), _ref("Averages")),
    Address("/api/power", "How often would a slip be caught?", _ref("Slips"), _ref("Power"), LIMITS),
    Address("/api/simulate", "Which average over folds is biased?", _ref("Settings"), _ref("Simulation"),
            LIMITS[:1]),
    Address("/api/cases", "The published cases with their verdicts.", None, _each(_ref("Verdict"))),
    Address("/api/scores", "The scores with their formulas and synonyms.", None, _list(OBJECT)),
)
PATHS: dict[str, Schema] = {each.path: {each.method: each.describe()} for each in ADDRESSES}
# fmt: on


def alone(schema: Schema) -> Schema:
    """The schema with everything it refers to inside it, for those who see no other part of the API."""
    inside: dict[str, Schema] = {}

    def told(part: Any) -> Any:
        if isinstance(part, list):
            return [told(each) for each in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in inside:
            inside[name] = {}  # one that refers to itself is told once
            inside[name] = told(SCHEMAS[name])
        return {key: f"#/$defs/{name}" if key == "$ref" else told(each) for key, each in part.items()}

    return {**told(schema), **({"$defs": inside} if inside else {})}


def description() -> dict[str, Any]:
    """The OpenAPI document."""
    about = {
        "title": "scoreproof",
        "version": scoreproof.__version__,
        "description": "Could any confusion matrices give the scores a paper prints? Decided exactly.",
    }
    return {"openapi": "3.1.0", "info": about, "paths": PATHS, "components": {"schemas": SCHEMAS}}
