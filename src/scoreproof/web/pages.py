"""The HTML pages: the verdict, and what goes with it.  All of them work without scripts."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import jinja2
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import scoreproof
from scoreproof.decision import UNDECIDED
from scoreproof.insight.display.html import Html, badge, tag
from scoreproof.insight.display.report import style
from scoreproof.reading.datasets import known_datasets
from scoreproof.reading.notation import FURTHER, write
from scoreproof.scores.listing import listing
from scoreproof.scores.names import COMPLEMENTS, SYNONYMS
from scoreproof.web.desk import Found, Job, Refused, Unfit, desk_of
from scoreproof.web.form import ASKED, Form, filled, label_of, name_of
from scoreproof.web.links import Asked
from scoreproof.web.openapi import ADDRESSES

#: Seconds a page waits for its answer before it says that it is still working.
WAIT = 2.5
WAIT_FOR_TABLE = 12.0

Endpoint = Callable[[Request], Awaitable[Response]]


class Part(NamedTuple):
    """A piece of a result that takes longer: its address (and job), heading, and the words of its link."""

    name: str
    heading: str
    invitation: str
    folded: bool = False


#: What a result page fetches: once it is there, or once it is unfolded.
PARTS = (
    Part("explain", "What may have happened, and a letter", "Find out, and how strong the test was"),
    Part("reconstruct", "What the other scores can be", "Find the range of every score", folded=True),
)
#: What a result is called.
TITLES = {
    "consistent": "Figures and set-up fit together",
    "inconsistent": "Figures and set-up do not fit together",
    "undecided": "Not decided",
}
#: How far figures are off, in words.
OFF = {"last digit": "by one unit of the last digit", "beyond": "by more than one unit of the last digit"}
NAVIGATION = (
    ("/", "Check figures"),
    ("/scan", "A paper"),
    ("/batch", "A spreadsheet"),
    ("/tables", "2×2 tables"),
    ("/verify", "Verify"),
    ("/datasets", "Datasets"),
    ("/tools", "All tools"),
)


@cache
def templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("scoreproof.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        version=scoreproof.__version__,
        badge=badge,
        navigation=NAVIGATION,
        blank=Form(),
        label_of=label_of,
        name_of=name_of,
        further_keys=FURTHER,
        written=write,
        fields=ASKED,
        score_names=_score_names(),
        dataset_names=lambda: [(each.name, each.title) for each in known_datasets()],
    )
    return environment


def _score_names() -> list[str]:
    """Names of scores a paper may use, for the list beside the field."""
    found = [name for group in (SYNONYMS, COMPLEMENTS) for names in group.values() for name in names]
    return sorted({name for name in [*SYNONYMS, *found] if "_" not in name}, key=str.casefold)


def page(template: str, status: int = 200, **given: Any) -> Response:
    # Lone surrogates cannot be sent, and stand for nothing.
    text = templates().get_template(f"{template}.html").render(**given)
    return Response(text.encode("utf-8", "replace"), status, media_type="text/html; charset=utf-8")


async def fields_of(request: Request) -> list[tuple[str, str]]:
    """The fields of a form that was sent."""
    data = await request.body()
    try:
        return parse_qsl(
            data.decode("utf-8", "replace"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="replace",
            max_num_fields=400,
        )
    except ValueError:
        raise Unfit("form", "the form has more fields than this page knows") from None


def rows_of_jobs(jobs: Iterable[tuple[str, Asked, Job]]) -> list[dict[str, Any]]:
    """Verdicts row by row, as far as they are there."""
    rows = []
    for name, each, job in jobs:
        row: dict[str, Any] = {"name": name, "link": f"/claim?{each.query()}"}
        row |= dict.fromkeys(("status", "severity", "words"), "")
        if job.running:
            row["words"] = "still working; open it to wait"
        else:
            try:
                verdict = job.answer()["json"]
                row |= {"status": verdict["verdict"], "severity": OFF.get(verdict["severity"], "")}
                row["words"] = verdict["sentence"].partition(": ")[2].partition("; figures ")[0]
            except Refused as refused:
                row["words"] = refused.detail
        rows.append(row)
    return rows


# -- the verdict ---------------------------------------------------------------


def short(request: Request, asked: Asked) -> bool:
    """Whether the claim can stand in an address; else its result is kept under a name."""
    return len(asked.query()) <= desk_of(request).settings.longest_link


async def verdict(request: Request) -> Response:
    return await _verdict(request, desk_of(request).ask("check", Asked.of(request.query_params), html=True))


async def result(request: Request) -> Response:
    return await _verdict(request, kept(request, request.path_params["name"]))


async def _verdict(request: Request, job: Job) -> Response:
    try:
        found = await desk_of(request).found(job, WAIT)
    except Unfit as refused:
        form = filled(job.about.text)
        form.values["effort"] = job.about.effort
        form.refuse(refused.field, refused.detail)
        return page("form", 422, form=form)
    query = job.about.query() if short(request, job.about) else ""
    said = found["json"]
    return page(
        "result",
        title=str(said["claim"].get("title", "")) or TITLES[said["verdict"]],
        body=Html(found["glance"] + found["html"]),
        rest=Html(found["rest"]),
        files=[(name, words) for name, (_, _, words, _) in FILES.items()],
        change=f"/?{query}" if query else "",
        query=query or f"r={job.name}",
        parts=PARTS,
        link=f"{str(request.base_url).rstrip('/')}/claim?{query}" if query else "",
        job=job,
    )


def asked_of(request: Request) -> Asked:
    """What a part of a result, or a file, is about."""
    named = request.query_params.get("r")
    return kept(request, named).about if named is not None else Asked.of(request.query_params)


def part_page(part: Part) -> Endpoint:
    """A page with one part of a result; a result page takes the part out of it."""

    async def endpoint(request: Request) -> Response:
        asked = asked_of(request)
        more = {"decided": True} if part.name == "explain" and _decided(request, asked) else {}
        job = desk_of(request).ask(part.name, asked, html=True, **more)
        back = "/" if "r" in request.query_params else f"/claim?{asked.query()}"
        status = 200
        try:
            body = Html((await desk_of(request).found(job, WAIT))["html"])
        except Unfit as refused:
            # Not every kind of claim has every part, which is no mistake of whoever asks.
            why = refused.detail.removeprefix(f"{refused.field}: ")
            status, body = 422, tag("p", why[:1].upper() + why[1:] + ".", class_="hint")
        return page("part", status, part=part, body=body, back=back, job=job)

    return endpoint


def _decided(request: Request, asked: Asked) -> bool:
    """Whether a page has shown a verdict about the claim that is not \"undecided\"."""
    job = desk_of(request).about("check", asked)
    with suppress(Refused):
        return job is not None and not job.running and job.answer()["json"]["verdict"] != UNDECIDED
    return False


def kept(request: Request, name: str) -> Job:
    """The result a claim too long for an address is kept under."""
    job = desk_of(request).get(name, "check")
    if job is None:
        raise Refused(404, "link", "this result is no longer kept; check the claim again")
    return job


# -- files ---------------------------------------------------------------------

#: What can be saved: the job it comes from, its type, what it is, and how it comes out of the answer.
FILES: dict[str, tuple[str, str, str, Callable[[Found], str]]] = {
    "report.html": (
        "report",
        "text/html; charset=utf-8",
        "Report with letter and proof in words, one page (HTML)",
        lambda found: str(found["report"]),
    ),
    "report.md": (
        "report",
        "text/markdown; charset=utf-8",
        "The same as text (Markdown)",
        lambda found: str(found["markdown"]),
    ),
    "verdict.json": (
        "check",
        "application/json",
        "Verdict with its proof, which others can verify (JSON)",
        lambda found: _indented(found["json"]),
    ),
    "claim.json": (
        "check",
        "application/json",
        "What was checked (claim file, JSON)",
        lambda found: _indented(found["json"]["claim"]),
    ),
}


async def save(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in FILES:
        raise Refused(404, "file", "there is no such file")
    kind, media, _, made = FILES[name]
    job = desk_of(request).ask(kind, asked_of(request), **({"html": True} if kind == "check" else {}))
    while not await desk_of(request).wait(job, 5):
        pass  # the job has its own limit
    return attachment(name, media, made(job.answer()))


def attachment(name: str, media: str, text: str) -> Response:
    """A file to be saved."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8", "replace"), media_type=media, headers=headers)


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


async def about(request: Request) -> Response:
    addresses = [(each.path, each.method.upper(), each.summary) for each in ADDRESSES]
    return page("about", addresses=addresses, base=str(request.base_url), scores=listing())


# -- what pages need -----------------------------------------------------------

STATIC = {
    "style.css": "text/css; charset=utf-8",
    "tools.css": "text/css; charset=utf-8",
    "script.js": "text/javascript; charset=utf-8",
    "pointer.js": "text/javascript; charset=utf-8",
    "jobs.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


async def static(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in STATIC:
        raise Refused(404, "file", "there is no such file")
    body = (resources.files("scoreproof.web") / "static" / name).read_text(encoding="utf-8")
    if name == "style.css":
        body = style() + body
    return Response(body, media_type=STATIC[name], headers={"cache-control": "max-age=300"})


ROUTES = [
    Route("/claim", verdict),
    *(Route(f"/{part.name}", part_page(part)) for part in PARTS),
    Route("/result/{name}", result),
    Route("/save/{file}", save),
    Route("/about", about),
    Route("/static/{file}", static),
]
