"""The description of the JSON API, in the words of OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

import scoreproof
from scoreproof.claim.fields import Key, Kind, keys_of
from scoreproof.printed import RULES
from scoreproof.scores import SCORES

Schema = dict[str, Any]

FIGURE: Schema = {"type": "string", "description": 'A figure exactly as printed: "0.90" is not "0.9".'}
FIGURES: Schema = {
    "type": "object",
    "properties": dict.fromkeys(SCORES, FIGURE),
    "additionalProperties": FIGURE,
    "example": {"acc": "0.9567", "sens": "85.00 %"},
}
WHOLE: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"anyOf": [{"type": "number"}, {"type": "string"}]}
EXPERIMENTS: Schema = {"type": "array", "items": {"$ref": "#/components/schemas/Experiment"}}
AGGREGATE: Schema = {"enum": ["mean", "pooled"]}


def _each(schema: Schema) -> Schema:
    """One of these by the name of every score or class."""
    return {"type": "object", "additionalProperties": schema}


def _keys(place: str) -> dict[str, Schema]:
    """The keys of one place of the claim file, each with its meaning."""
    return {name: {**_schema(key), "description": key.meaning} for name, key in keys_of(place).items()}


def _schema(key: Key) -> Schema:
    return {"enum": list(key.values)} if key.kind is Kind.CHOICE else SCHEMA_OF[key.kind]


#: What the value of a key can be.
SCHEMA_OF: dict[Kind, Schema] = {
    Kind.TEXT: {"type": "string"},
    Kind.COUNT: {
        "anyOf": [WHOLE, {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}, {"type": "string"}],
    },
    Kind.WHOLE: WHOLE,
    Kind.FIGURE: {"type": "string"},
    Kind.NUMBER: NUMBER,
    Kind.YES_NO: {"type": "boolean"},
    Kind.FORMAT: {"const": 1},
    Kind.EXPERIMENT: {"$ref": "#/components/schemas/Experiment"},
    Kind.EXPERIMENTS: EXPERIMENTS,
    Kind.FOLDS: {"anyOf": [{"type": "integer", "minimum": 1}, EXPERIMENTS]},
    Kind.FIGURES: FIGURES,
    Kind.BOUNDS: _each({"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}),
    Kind.POINTS: {"type": "array", "items": FIGURES},
    Kind.CLASSES: {"anyOf": [_each(WHOLE), {"type": "array", "items": WHOLE}]},
    Kind.PER_CLASS: _each(FIGURES),
    Kind.NAMES: {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    Kind.REMARK: _each({}),
}
RULE: Schema = {"enum": [*RULES, "open"]}
SCHEMA_OF[Kind.AGGREGATE] = {"anyOf": [AGGREGATE, {**_each(AGGREGATE), "properties": _keys("aggregate")}]}
SCHEMA_OF[Kind.ROUNDING] = {
    "anyOf": [RULE, {"type": "object", "properties": _keys("rounding"), "additionalProperties": {}}]
}
SCHEMA_OF[Kind.CONVENTIONS] = {
    "type": "object",
    "properties": _keys("conventions"),
    "additionalProperties": False,
}
SCHEMA_OF[Kind.WITHIN] = _each({"type": "object", "properties": _keys("within"), "additionalProperties": False})

SCHEMAS: dict[str, Schema] = {
    "Experiment": {
        "type": "object",
        "description": "What was evaluated; the claim file's page describes every key.",
        "properties": _keys("experiment"),
        "example": {"p": 100, "n": 200},
    },
    "Claim": {
        "type": "object",
        "description": "What a paper says of its experiment, and its figures: the claim file as JSON.",
        "properties": _keys(""),
        "additionalProperties": False,
        "example": {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8500"}},
    },
    "Verdict": {
        "type": "object",
        "description": "What `scoreproof check --json` prints.",
        "required": ["format", "claim", "verdict", "sentence", "readings"],
        "properties": {
            "format": {"const": 1},
            "claim": {"type": "object"},
            "verdict": {"enum": ["consistent", "inconsistent", "undecided"]},
            "sentence": {"type": "string"},
            "count": {"type": ["integer", "null"]},
            "count_exact": {"type": "boolean"},
            "witness": {"type": ["object", "null"]},
            "certificate": {"type": ["object", "null"]},
            "conflict": {"type": ["array", "null"], "items": {"type": "string"}},
            "reason": {"type": "string"},
            "readings": {"type": "array", "items": {"type": "object"}},
            "untried": {"type": "integer"},
            "other_readings": {"type": "array", "items": {"type": "object"}},
            "notes": {"type": "array", "items": {"type": "string"}},
        },
    },
    "Reconstruction": {
        "type": "object",
        "description": "What `scoreproof reconstruct --json` prints.",
        "required": ["format", "claim", "verdict", "sentence", "ranges", "cells"],
        "properties": {
            "format": {"const": 1},
            "claim": {"type": "object"},
            "verdict": {"enum": ["consistent", "inconsistent", "undecided"]},
            "sentence": {"type": "string"},
            "count": {"type": ["integer", "null"]},
            "ranges": {"type": "object", "additionalProperties": {"type": ["object", "null"]}},
            "cells": {"type": "object"},
            "matrices": {"type": "array", "items": {"type": "object"}},
        },
    },
    "Explanation": {
        "type": "object",
        "description": "What `scoreproof explain --json` prints.",
        "required": ["format", "claim", "verdict", "sentence", "paragraph", "clashes", "causes"],
        "properties": {
            "format": {"const": 1},
            "claim": {"type": "object"},
            "verdict": {"enum": ["consistent", "inconsistent", "undecided"]},
            "sentence": {"type": "string"},
            "paragraph": {"type": "string"},
            "clashes": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
            "nearest": {"type": "array", "items": {"type": "object"}},
            "causes": {"type": "array", "items": {"type": "object"}},
            "strength": {"type": ["object", "null"]},
        },
    },
    "Wish": {
        "type": "object",
        "required": ["bundle", "scores"],
        "properties": {
            "bundle": {"type": "string"},
            "scores": FIGURES,
            "given": {"type": "object", "description": "What the paper tells, such as an image or a region."},
            "rounding": RULE,
            "eps": FIGURE,
        },
        "example": {"bundle": "drive", "scores": {"acc": "0.9478", "sens": "0.8532", "spec": "0.9801"}},
    },
    "Survey": {
        "type": "object",
        "description": "What `scoreproof bundle --json` prints.",
        "required": ["format", "bundle", "verdict", "sentence", "readings"],
        "properties": {
            "format": {"const": 1},
            "bundle": {"type": "string"},
            "verdict": {"enum": ["consistent", "inconsistent", "undecided"]},
            "sentence": {"type": "string"},
            "readings": {"type": "array", "items": {"type": "object"}},
        },
    },
    "Confirmation": {
        "type": "object",
        "required": ["format", "confirmed"],
        "properties": {"format": {"const": 1}, "confirmed": {"type": "boolean"}},
    },
    "Refusal": {
        "type": "object",
        "description": "One sentence that names the field and says what to do.",
        "required": ["format", "error"],
        "properties": {
            "format": {"const": 1},
            "error": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
}

REFUSALS = {
    "400": "The request did not come from this machine under its own name.",
    "403": "The request comes from another site.",
    "413": "The body is too large.",
    "422": "The input was refused; the sentence names the field.",
    "429": "Too much is waiting already.",
}
TIMEOUT: Schema = {
    "name": "timeout",
    "in": "query",
    "description": "Seconds before giving up, up to the server's own limit.",
    "schema": {"type": "number", "exclusiveMinimum": 0},
}
FIRST_FIT: Schema = {
    "name": "first_fit",
    "in": "query",
    "description": "Stop at the first reading that fits.",
    "schema": {"type": "boolean"},
}

SCORES_WANTED: Schema = {
    "name": "scores",
    "in": "query",
    "description": "Names of scores, with commas between them; without, all of them.",
    "schema": {"type": "string"},
    "example": "mcc,f1",
}
SEARCH: Schema = {
    "name": "search",
    "in": "query",
    "description": "Words the name, title, field or citation must hold.",
    "schema": {"type": "string"},
}
NAME: Schema = {
    "name": "name",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
    "example": "drive",
}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _responses(answer: Schema, *more: str) -> Schema:
    found: Schema = {"200": {"description": "The answer.", "content": _json(answer)}}
    for status in ("400", "403", "413", "422", "429", *more):
        words = REFUSALS.get(status, "There is nothing of that name.")
        found[status] = {"description": words, "content": _json(_ref("Refusal"))}
    return found


def _post(
    summary: str, body: Schema, answer: Schema, *parameters: Schema, more: tuple[str, ...] = ()
) -> Schema:
    return {
        "post": {
            "summary": summary,
            "parameters": list(parameters),
            "requestBody": {"required": True, "content": _json(body)},
            "responses": _responses(answer, *more),
        }
    }


def _get(summary: str, answer: Schema, *parameters: Schema, more: tuple[str, ...] = ()) -> Schema:
    return {"get": {"summary": summary, "parameters": list(parameters), "responses": _responses(answer, *more)}}


LISTING: Schema = {"type": "array", "items": {"type": "object"}}

# fmt: off
PATHS: dict[str, Schema] = {
    "/api/check": _post("Could any confusion matrices give these figures?", _ref("Claim"), _ref("Verdict"),
                        TIMEOUT, FIRST_FIT),
    "/api/reconstruct": _post("What can each score be, given all figures?", _ref("Claim"),
                              _ref("Reconstruction"), TIMEOUT, SCORES_WANTED),
    "/api/explain": _post("What may have happened, and how strong was the test?", _ref("Claim"),
                          _ref("Explanation"), TIMEOUT),
    "/api/bundle": _post("Figures under every evaluation that is common for a benchmark.", _ref("Wish"),
                         _ref("Survey"), TIMEOUT),
    "/api/datasets": _get("The datasets known by name.", LISTING, SEARCH),
    "/api/datasets/{name}": _get("One dataset with its counts.", {"type": "object"}, NAME, more=("404",)),
    "/api/verify": _post("Replay a verdict.", {"type": "object"}, _ref("Confirmation")),
    "/api/scores": _get("The scores with their formulas and synonyms.", LISTING),
}
# fmt: on


def description() -> dict[str, Any]:
    """The OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "scoreproof",
            "version": scoreproof.__version__,
            "description": "Could any confusion matrices give the scores a paper prints? Decided exactly.",
        },
        "paths": PATHS,
        "components": {"schemas": SCHEMAS},
    }
