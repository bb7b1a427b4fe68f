"""What the worker of the static page asks: a text goes in, an answer as JSON comes out."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

import scoreproof
from scoreproof.insight.display.html import Html, table, tag, text
from scoreproof.insight.display.report import fragment, report
from scoreproof.reading.pasting import Pasted

#: Seconds a claim may take: a browser computes more slowly, and nobody else waits for it.
TIMEOUT = 60.0
#: Rows of a table that are checked at once.
MOST_CLAIMS = 20
BEYOND = (
    "This page computes without numpy and scipy. An installed scoreproof has them (pip install scoreproof) and "
    "decides such claims, too."
)


def answer(kind: str, words: str) -> str:
    """The answer to one question of the page: "check" or "verify"."""
    try:
        found = replayed(words) if kind == "verify" else checked(words)
    except scoreproof.ScoreproofError as error:
        found = {"error": str(error)}
    except Exception as error:
        logging.getLogger("scoreproof").exception("the page could not answer")
        found = {
            "error": f"this could not be answered ({type(error).__name__}); please report it with the text"
        }
    return json.dumps(found)


def checked(words: str) -> dict[str, Any]:
    """What was read, and the verdict on every claim."""
    pasted = scoreproof.read_text(words)
    if pasted.kind == "verdict":
        return replayed(words)
    try:
        claims = pasted.loaded()
    except scoreproof.ScoreproofError as error:
        return {"read": told(pasted), "error": str(error)}
    verdicts = [scoreproof.check(claim, timeout=TIMEOUT) for claim in claims[:MOST_CLAIMS]]
    shown = [shown_verdict(each) for each in verdicts]
    left = len(claims) - len(shown)
    more = f"Only the first {MOST_CLAIMS} of {len(claims)} claims were checked." if left else ""
    return {"read": told(pasted), "verdicts": shown, "more": more}


def shown_verdict(verdict: scoreproof.Verdict) -> dict[str, Any]:
    """A verdict for the page: at a glance and in full, and its two files."""
    data = verdict.to_dict()
    why = [tag("ol", [tag("li", step.words) for step in each.steps]) for each in verdict.why]
    return {
        "status": verdict.status,
        "title": verdict.claim.title,
        "html": fragment(verdict, level=3),
        "why": text(why),
        "json": json.dumps(data, indent=2, ensure_ascii=False),
        "report": report(verdict),
        "beyond": BEYOND if "takes numpy" in verdict.sentence or "takes scipy" in verdict.sentence else "",
    }


def told(pasted: Pasted) -> Html:
    """What the text was read as: its words beside their meaning, then what was doubtful or is missing."""
    parts: list[Html] = []
    if pasted.spans:
        rows = [[each.words, meaning(each.key, each.value)] for each in pasted.spans]
        parts.append(table(["in the text", "read as"], rows, label="What was read"))
    elif pasted.columns:
        rows = [list(each) for each in pasted.columns.items()]
        parts.append(table(["column", "read as"], rows, label="What was read"))
    elif pasted.claims:
        kinds = {"claim": "a claim file", "report": "a printed report"}
        parts.append(tag("p", f"Read as {kinds.get(pasted.kind, pasted.kind)}."))
        parts.append(tag("pre", json.dumps(pasted.claims[0][1], indent=1, ensure_ascii=False), tabindex="0"))
    parts += [tag("p", note, class_="hint note") for note in pasted.notes]
    parts += [tag("p", f"Not said: {need}", class_="missing") for need in pasted.missing]
    return text(parts)


def meaning(key: str, value: Any) -> str:
    """What words of the text mean, in the words of a claim file."""
    if isinstance(value, Mapping):
        return ", ".join(meaning(name, each) for name, each in value.items())
    return f"{key.rpartition('.')[2]} = {value}"


def replayed(words: str) -> dict[str, Any]:
    """Whether a verdict is proven by what it carries."""
    if not words.lstrip().startswith("{"):
        return {"error": "paste the JSON of a verdict, which begins with a brace"}
    holds = scoreproof.verify(words, timeout=TIMEOUT)
    data = json.loads(words)
    return {"verified": holds, "verdict": data.get("verdict"), "proof": bool(data.get("certificate"))}
