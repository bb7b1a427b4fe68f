"""The published cases as a gallery: what was printed, and what came of checking it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scoreproof.insight.display.html import Html
from scoreproof.web.api import as_json
from scoreproof.web.desk import Job, desk_of
from scoreproof.web.links import Asked, pack
from scoreproof.web.pages import WAIT, page
from scoreproof.web.tools.fields import worded

#: What the severity of an inconsistency means.
SEVERITIES = {
    "last-digit": "within one unit of the last digit",
    "beyond": "beyond a slip of the last digit",
}
ORDER = ("inconsistent", "undecided", "consistent")


def job_of(request: Request) -> Job:
    desk = desk_of(request)
    timeout = desk.settings.timeout
    return desk.start(
        "cases", Asked("the published cases"), desk.settings.hard_limit(timeout, "scan"), {"timeout": timeout}
    )


def _card(name: str, verdict: dict[str, Any], picture: str) -> dict[str, Any]:
    claim = verdict["claim"]
    sentence = verdict["sentence"]
    title = str(claim.get("title", "")) or name
    return {
        "name": name,
        "title": title,
        "verdict": verdict["verdict"],
        "severity": SEVERITIES.get(verdict["severity"] or "", verdict["severity"] or ""),
        "sentence": worded(sentence.removeprefix(f"{title}: ")),
        "source": claim.get("citation", ""),
        "note": claim.get("note", ""),
        "picture": Html(picture) if picture else "",
        "link": f"/claim?c={pack(claim)}",
    }


async def look(request: Request) -> Response:
    job = job_of(request)
    found = await desk_of(request).found(job, WAIT)
    counted = Counter(verdict["verdict"] for verdict in found["json"].values())
    wanted = request.query_params.get("show", "")
    cards = [
        _card(name, verdict, found["pictures"].get(name, ""))
        for name, verdict in found["json"].items()
        if wanted in ("", verdict["verdict"])
    ]
    return page(
        "tools/cases",
        cards=cards,
        counted=counted,
        total=len(found["json"]),
        order=ORDER,
        wanted=wanted,
        job=job,
        here="/tools",
    )


async def as_data(request: Request) -> Response:
    desk, job = desk_of(request), job_of(request)
    while not await desk.wait(job, 5):
        pass  # the job has its own limit
    return as_json(job.answer()["json"])


ROUTES = [Route("/cases", look), Route("/api/cases", as_data)]
