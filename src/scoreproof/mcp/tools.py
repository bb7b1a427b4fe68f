"""The tools, one row each, and how what a model sends becomes a job of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from scoreproof.claim.fields import EFFORT
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import nearest
from scoreproof.web.openapi import (
    DOCUMENT,
    FIRST_FIT,
    LIMITS,
    NAMES,
    OBJECT,
    PASTED,
    SEARCH,
    STUDY,
    TABLE,
    TEXT,
    Schema,
    alone,
)
from scoreproof.web.openapi import NAME as DATASET_NAME

Arguments = Mapping[str, Any]
#: Characters that a dataset is looked for by.
LONGEST_WORDS = 200


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is asked; ``about`` is the text that the job reads."""

    do: str
    about: str
    more: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it is good for, what it takes, and the job that finds it."""

    name: str
    description: str
    keys: Mapping[str, Schema]
    job: Callable[[Arguments], Job]
    needs: tuple[str, ...] = ()

    def schema(self) -> Schema:
        """What may be sent, with everything it refers to."""
        required = {"required": list(self.needs)} if self.needs else {}
        return alone({**OBJECT, "properties": dict(self.keys), **required, "additionalProperties": False})

    def ask(self, arguments: Arguments) -> Job:
        """The job; what is wrong with the arguments raises BadClaim."""
        for key in arguments:
            if key not in self.keys:
                known = f"known: {', '.join(self.keys)}"
                raise BadClaim(
                    shorten(key), f"is not an argument of {self.name}{nearest(key, self.keys)} ({known})"
                )
        for key in self.needs:
            if key not in arguments:
                raise BadClaim(key, f"is missing; {self.name} needs it")
        return self.job(arguments)


def written(field: str, value: object) -> str:
    """What was sent, as the text that it came as."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise BadClaim(field, "has a number that is none (NaN or infinite), or of too many digits") from None
    except RecursionError:
        raise BadClaim(field, "too deep or too large to be handled") from None


def _text(arguments: Arguments, field: str) -> str:
    value = arguments[field]
    if not isinstance(value, str):
        raise BadClaim(field, f"expected text, found {quoted(value)}")
    return value


def _object(arguments: Arguments, field: str) -> Mapping[str, Any]:
    value = arguments[field]
    if not isinstance(value, Mapping):
        raise BadClaim(field, f"expected an object, found {quoted(value)}")
    return value


def _claim(arguments: Arguments) -> str:
    """The claim as text: as it was pasted, or as an object in the shape of the claim file."""
    given = [key for key in ("text", "claim") if key in arguments]
    if len(given) != 1:
        raise BadClaim("claim", "give either claim (an object like the claim file) or text (what was printed)")
    if isinstance(arguments.get("claim"), str):
        raise BadClaim(
            "claim", "is an object like the claim file; a text, of a claim file too, is given as text"
        )
    return _text(arguments, "text") if "text" in arguments else written("claim", _object(arguments, "claim"))


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
        raise BadClaim("timeout", f"expected a number of seconds above 0, found {quoted(value)}")
    return float(min(value, 10**9))


def _limits(arguments: Arguments) -> dict[str, Any]:
    effort = arguments.get("effort", EFFORT.default)
    if not isinstance(effort, str):
        raise BadClaim("effort", f"expected one of {', '.join(EFFORT.values)}, found {quoted(effort)}")
    return {"effort": effort, "timeout": _seconds(arguments.get("timeout", 10**9))}


def _about_claim(do: str) -> Callable[[Arguments], Job]:
    def job(arguments: Arguments) -> Job:
        more = _limits(arguments)
        if "known" in arguments:
            more["known"] = json.loads(written("known", _object(arguments, "known")))
        if "first_fit" in arguments:
            more["first_fit"] = arguments["first_fit"]
            if not isinstance(more["first_fit"], bool):
                raise BadClaim("first_fit", f"expected true or false, found {quoted(more['first_fit'])}")
        if "scores" in arguments:
            more["scores"] = arguments["scores"]
            if not isinstance(more["scores"], list) or not all(
                isinstance(each, str) for each in more["scores"]
            ):
                raise BadClaim("scores", f"expected a list of names, found {quoted(more['scores'])}")
        return Job(do, _claim(arguments), more)

    return job


def _asked(do: Callable[[Arguments], str]) -> Callable[[Arguments], Job]:
    """What is asked in one object, which the job reads itself, and limits beside it."""

    def job(arguments: Arguments) -> Job:
        wish = {key: value for key, value in arguments.items() if key not in ("effort", "timeout")}
        return Job(do(arguments), written(do(arguments), wish), _limits(arguments))

    return job


def _tables(arguments: Arguments) -> str:
    return "tables" if "table" in arguments else "study"


def _datasets(arguments: Arguments) -> Job:
    for key in arguments:
        if len(_text(arguments, key)) > LONGEST_WORDS:
            raise BadClaim(key, f"more than {LONGEST_WORDS} characters")
    if len(arguments) > 1:
        raise BadClaim("name", "does not go together with search; keep one")
    return Job("datasets", written("datasets", dict(arguments)), {})


def _verify(arguments: Arguments) -> Job:
    verdict = arguments["verdict"]
    about = verdict if isinstance(verdict, str) else written("verdict", _object(arguments, "verdict"))
    held = arguments.get("against")
    if held is None:
        return Job("verify", about, {})
    against = held if isinstance(held, str) else written("against", _object(arguments, "against"))
    return Job("verify", about, {"against": against})


def _described(parameter: Schema) -> Schema:
    """A parameter of the API, as a key of an object."""
    return {parameter["name"]: {**parameter["schema"], "description": parameter["description"]}}


WORK: dict[str, Schema] = {name: schema for each in LIMITS for name, schema in _described(each).items()}
#: The shape of a claim is told once, with the tool check: what is listed is read by a model every time.
LIKE_CHECK: Schema = {**OBJECT, "description": "In the same shape as for the tool check."}
CLAIM: dict[str, Schema] = {
    "claim": LIKE_CHECK,
    "text": {**TEXT, "description": f"Instead of claim. {PASTED}"},
    "known": {
        **OBJECT,
        "description": "What is known beside the text: a claim, or the experiment alone.",
        "examples": [{"p": 38, "n": 262}],
    },
    **WORK,
}
FILE: Schema = {**TEXT, "description": "Instead of text: a file in the folder that the user allowed."}
VERDICT: Schema = {
    "anyOf": [OBJECT, TEXT],
    "description": "A verdict as check gave it: the object, its JSON text, or the address of the resource.",
}
AGAINST: Schema = {
    "anyOf": [OBJECT, TEXT],
    "description": "The claim one holds, to compare with the verdict's.",
}


# fmt: off
TOOLS: dict[str, Tool] = {tool.name: tool for tool in (
    Tool("check",
         "Decide exactly whether any confusion matrices (or rankings, or residuals) could give the printed "
         "scores. Takes a claim, or any pasted text: a sentence, a table, a program's report. Figures are text "
         "exactly as printed, with their trailing zeros. Quote the sentence of the answer as it stands; the "
         "proof is attached.",
         {**CLAIM, "claim": {"$ref": "#/components/schemas/Claim"}, **_described(FIRST_FIT)},
         _about_claim("check")),
    Tool("explain",
         "Say which scores clash, what innocent slips would explain it, and how strong the test was, with a "
         "paragraph for a review.",
         CLAIM, _about_claim("explain")),
    Tool("reconstruct",
         "The lowest and highest value of every score and of tp, fp, fn and tn that the printed figures leave.",
         {**CLAIM, "scores": {**NAMES, "description": "Names of scores; without, all of them."}},
         _about_claim("reconstruct")),
    Tool("tables",
         "Every 2x2 table behind the scores and confidence intervals of a study (scores), or of each study of "
         "a pasted table (table).",
         {**STUDY, **TABLE, "experiment": LIKE_CHECK, "conventions": LIKE_CHECK, **WORK}, _asked(_tables)),
    Tool("scan",
         "Find the tables of a document (LaTeX, HTML, Markdown, PDF, Word …), read them with what its words "
         "say, and check every row.",
         {**DOCUMENT, "file": FILE, **WORK}, _asked(lambda arguments: "scan")),
    Tool("datasets",
         "The datasets whose class counts are known by name: those with some words (search), or one with its "
         "counts (name).",
         {**_described(SEARCH), **_described(DATASET_NAME)}, _datasets),
    Tool("verify",
         "Replay the proof of a verdict in exact arithmetic, without the engines that found it.",
         {"verdict": VERDICT, "against": AGAINST}, _verify, needs=("verdict",)),
)}
# fmt: on
