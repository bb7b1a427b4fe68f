"""The HTML pages: the form, the verdict, and what goes with it.  All of them work without scripts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache, wraps
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl

import jinja2
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

import scoreproof
from scoreproof.decision import UNDECIDED
from scoreproof.errors import BadClaim
from scoreproof.insight.display.html import Html, badge, tag
from scoreproof.insight.display.report import style
from scoreproof.reading.datasets import known_datasets
from scoreproof.scores.listing import listing
from scoreproof.scores.names import COMPLEMENTS, SYNONYMS
from scoreproof.web.answers import Refused, compute, pool_of, settings_of
from scoreproof.web.form import ASKED, Form, claims, filled, place_of, typed
from scoreproof.web.links import Asked
from scoreproof.web.openapi import PATHS
from scoreproof.web.store import Job, Store

#: Seconds a page waits for its answer before it says that it is still working.
WAIT = 2.5
WAIT_FOR_TABLE = 12.0

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a result that takes longer: its address (and job), heading, and the words of its link."""

    name: str
    heading: str
    invitation: str


#: What a result page fetches once it is there.
PARTS = (
    Part("explain", "For a review", "Find out what may have happened, and how strong the test was"),
    Part("reconstruct", "What the other scores can be", "Find the range of every score"),
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


def store_of(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def showing(handler: Endpoint) -> Endpoint:
    """What is refused becomes a page that says so."""

    @wraps(handler)
    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except BadClaim as error:
            return page("error", 400, message=error.problem)
        except Refused as refused:
            return page("error", refused.status, message=refused.message)

    return endpoint


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
        raise Refused(422, "form", "the form has more fields than this page knows") from None


# -- the form ------------------------------------------------------------------


def show_form(form: Form, status: int = 200) -> Response:
    return page("form", status, form=form)


@showing
async def home(request: Request) -> Response:
    return show_form(_filled(Asked.of(request.query_params)) if "c" in request.query_params else Form())


def _filled(asked: Asked) -> Form:
    form = filled(_pretty(asked.text))
    form.values["effort"] = asked.effort
    return form


@showing
async def check(request: Request) -> Response:
    form = typed(await fields_of(request))
    found = claims(form)
    if len(found) > 1 and len(found) > settings_of(request).most_pasted:
        form.complain(
            "table",
            f"{len(found)} rows are more than can be checked here; upload the table as a file (Many claims)",
        )
    asked = [(name, Asked(_compact(claim), form.effort)) for name, claim in found]
    if not form.errors:
        try:
            # Reading the first claim says what is wrong with the set-up they share.
            limit = settings_of(request).hard_limit(5)
            await compute(pool_of(request), "read", limit, claim=asked[0][1].text)
        except Refused as refused:
            form.complain(*place_of(form, refused.field, refused.message))
    if form.errors:
        return show_form(form, 422)
    if form.reading or form.notes:
        return await _table(request, asked, form)
    (_, one), *_ = asked
    if short(request, one):
        return RedirectResponse(f"/claim?{one.query()}", 303)
    return RedirectResponse(f"/result/{start(request, 'check', one, html=True).name}", 303)


async def _table(request: Request, asked: list[tuple[str, Asked]], form: Form) -> Response:
    jobs = [(name, each, start(request, "check", each, html=True)) for name, each in asked]
    await asyncio.wait({job.task for _, _, job in jobs}, timeout=WAIT_FOR_TABLE)
    rows = []
    for name, each, job in jobs:
        row: dict[str, Any] = {"name": name, "link": f"/claim?{each.query()}"}
        row |= dict.fromkeys(("status", "severity", "words"), "")
        if job.running:
            row["words"] = "still working; open it to wait"
        else:
            try:
                verdict = job.answer()["json"]
                row |= {"status": verdict["verdict"], "severity": verdict["severity"] or ""}
                row["words"] = verdict["sentence"].partition(": ")[2]
            except Refused as refused:
                row["words"] = refused.message
        rows.append(row)
    return page("table", rows=rows, reading=form.reading, notes=form.notes)


# -- the verdict ---------------------------------------------------------------


def short(request: Request, asked: Asked) -> bool:
    """Whether the claim can stand in an address; else its result is kept under a name."""
    return len(asked.query()) <= settings_of(request).longest_link


def start(request: Request, kind: str, asked: Asked, **more: Any) -> Job:
    """The job that computes what a page of this kind shows."""
    settings, pool = settings_of(request), pool_of(request)
    timeout = settings.explaining if kind in ("explain", "bundle") else settings.timeout
    limit = settings.hard_limit(2 * timeout if kind == "report" else timeout)
    given = {"claim": asked.text, "effort": asked.effort, "timeout": timeout, **more}
    return store_of(request).start(kind, asked, lambda notify: compute(pool, kind, limit, notify, **given))


async def when_done(
    request: Request,
    job: Job,
    show: Callable[[dict[str, Any]], Response],
    refuse: Callable[[Refused], Response],
) -> Response:
    """The page of what a job found, or of why its input is refused; of its waiting until then."""
    if not await store_of(request).wait(job, WAIT):
        passed = asyncio.get_running_loop().time() - job.started
        here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return page("waiting", 202, job=job, seconds=int(passed), here=here)
    try:
        found = job.answer()
    except Refused as refused:
        if refused.status != 422:
            raise
        return refuse(refused)
    return show(found)


@showing
async def verdict(request: Request) -> Response:
    return await _verdict(request, start(request, "check", Asked.of(request.query_params), html=True))


@showing
async def result(request: Request) -> Response:
    return await _verdict(request, kept(request, request.path_params["name"]))


async def _verdict(request: Request, job: Job) -> Response:
    def show(found: dict[str, Any]) -> Response:
        query = job.about.query() if short(request, job.about) else ""
        said = found["json"]
        return page(
            "result",
            title=str(said["claim"].get("title", "")) or f"Verdict: {said['verdict']}",
            body=Html(found["html"]),
            change=f"/?{query}" if query else "",
            query=query or f"r={job.name}",
            parts=PARTS,
            link=f"{str(request.base_url).rstrip('/')}/claim?{query}" if query else "",
        )

    def refuse(refused: Refused) -> Response:
        form = _filled(job.about)
        form.complain(*place_of(form, refused.field, refused.message))
        return show_form(form, 422)

    return await when_done(request, job, show, refuse)


def asked_of(request: Request) -> Asked:
    """What a part of a result, or a file, is about."""
    named = request.query_params.get("r")
    return kept(request, named).about if named is not None else Asked.of(request.query_params)


def part_page(part: Part) -> Endpoint:
    """A page with one part of a result; a result page takes the part out of it."""

    @showing
    async def endpoint(request: Request) -> Response:
        asked = asked_of(request)
        more = {"decided": True} if part.name == "explain" and _decided(request, asked) else {}
        job = start(request, part.name, asked, html=True, **more)
        back = "/" if "r" in request.query_params else f"/claim?{asked.query()}"

        def show(found: dict[str, Any]) -> Response:
            return page("part", part=part, body=Html(found["html"]), back=back)

        def refuse(refused: Refused) -> Response:
            # Not every kind of claim has every part, which is no mistake of whoever asks.
            why = refused.message.removeprefix(f"{refused.field}: ")
            body = tag("p", why[:1].upper() + why[1:] + ".", class_="hint")
            return page("part", 422, part=part, body=body, back=back)

        return await when_done(request, job, show, refuse)

    return endpoint


def _decided(request: Request, asked: Asked) -> bool:
    """Whether a page has shown a verdict about the claim that is not \"undecided\"."""
    job = store_of(request).about("check", asked)
    if job is None or job.running:
        return False
    try:
        return bool(job.answer()["json"]["verdict"] != UNDECIDED)
    except Refused:
        return False


def kept(request: Request, name: str) -> Job:
    """The result a claim too long for an address is kept under."""
    job = store_of(request).get(name, "check")
    if job is None:
        raise Refused(404, "link", "this result is no longer kept; check the claim again")
    return job


@showing
async def cancel(request: Request) -> Response:
    """Stop the work and go back to the form, as it was filled in."""
    job = store_of(request).get(request.path_params["name"])
    if job is not None:
        await store_of(request).stop(job)
        if short(request, job.about) and job.about.text.lstrip().startswith("{"):
            return RedirectResponse(f"/?{job.about.query()}", 303)
    return RedirectResponse("/", 303)


# -- files ---------------------------------------------------------------------

#: What can be saved: the job it comes from, its type, and how it comes out of the answer.
FILES: dict[str, tuple[str, str, Callable[[dict[str, Any]], str]]] = {
    "claim.json": ("check", "application/json", lambda found: _indented(found["json"]["claim"])),
    "verdict.json": ("check", "application/json", lambda found: _indented(found["json"])),
    "report.html": ("report", "text/html; charset=utf-8", lambda found: str(found["report"])),
    "report.md": ("report", "text/markdown; charset=utf-8", lambda found: str(found["markdown"])),
}


@showing
async def save(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in FILES:
        raise Refused(404, "file", "there is no such file")
    kind, media, made = FILES[name]
    job = start(request, kind, asked_of(request), **({"html": True} if kind == "check" else {}))
    while not await store_of(request).wait(job, 5):
        pass  # the job has its own limit
    return attachment(name, media, made(job.answer()))


def attachment(name: str, media: str, text: str) -> Response:
    """A file to be saved."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8", "replace"), media_type=media, headers=headers)


def _indented(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _pretty(text: str) -> str:
    """The claim as one would write it."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text


@showing
async def about(request: Request) -> Response:
    addresses = [
        (path, method.upper(), each["summary"])
        for path, methods in PATHS.items()
        for method, each in methods.items()
    ]
    return page("about", addresses=addresses, base=str(request.base_url), scores=listing())


# -- what pages need -----------------------------------------------------------

STATIC = {
    "style.css": "text/css; charset=utf-8",
    "script.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


async def static(request: Request) -> Response:
    name = request.path_params["file"]
    if name not in STATIC:
        return page("error", 404, message="there is no such file")
    body = (resources.files("scoreproof.web") / "static" / name).read_text(encoding="utf-8")
    if name == "style.css":
        body = style() + body
    return Response(body, media_type=STATIC[name], headers={"cache-control": "max-age=300"})


ROUTES = [
    Route("/", home),
    Route("/check", check, methods=["POST"]),
    Route("/claim", verdict),
    *(Route(f"/{part.name}", part_page(part)) for part in PARTS),
    Route("/result/{name}", result),
    Route("/jobs/{name}/cancel", cancel, methods=["POST"]),
    Route("/save/{file}", save),
    Route("/about", about),
    Route("/static/{file}", static),
]
