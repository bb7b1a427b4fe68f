"""Whole papers: a document is uploaded or pasted, its tables are found and checked in the background."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.errors import ScoreproofError
from scoreproof.insight.display.html import Html
from scoreproof.papers.scanning import settings_of
from scoreproof.web.desk import Job, Unfit, desk_of
from scoreproof.web.form import Form
from scoreproof.web.pages import page
from scoreproof.web.uploads import Sent, folder, found_of, job_of, name_of, saved, sent

#: What a job about a document is called.
KIND = "document"
#: Seconds a document may take.
LONGEST = 1800.0


def show(form: Form, request: Request, status: int = 200) -> Response:
    return page("scan", status, form=form, limit=desk_of(request).settings.largest_upload // 2**20)


async def ask(request: Request) -> Response:
    return show(Form(), request)


async def take(request: Request) -> Response:
    form, document = await sent(request)
    if document is None:
        form.complain("file", "choose a document, or paste its text below")
    try:
        settings_of(form.values.get("set") or None)
    except ScoreproofError as error:
        form.complain("set", str(error).removeprefix("set: "))
    if document is None or form.errors:
        return show(form, request, 422)
    job = started(request, form, document)
    return RedirectResponse(f"/scan/{job.name}", 303)


def started(request: Request, form: Form, document: Sent) -> Job:
    """The job about a document."""
    name = document.name
    if document.field == "table":
        name = "pasted.html" if "<table" in form.table.lower() else "pasted.txt"
    desk = desk_of(request)
    with folder() as place:
        path = place.lay("document", document.data)
        asked = {"path": str(path), "name": Path(name).name, "given": form.values.get("set", "")}
        given = {**asked, "timeout": desk.settings.timeout, "effort": form.effort}
        return place.begin(desk, KIND, document, LONGEST, given)


async def look(request: Request) -> Response:
    job = job_of(request, KIND)
    try:
        found = await found_of(request, job)
    except Unfit as refused:
        form = Form()
        form.complain("file", refused.detail.removeprefix(f"{refused.field}: "))
        return show(form, request, 422)
    return page("scan_done", job=job, name=name_of(job), body=Html(found["html"]))


async def whole(request: Request) -> Response:
    return saved(request, KIND, "page", "scan.html", "text/html")


async def claims(request: Request) -> Response:
    return saved(request, KIND, "claims", "claims.toml", "application/toml")


ROUTES = [
    Route("/scan", ask),
    Route("/scan", take, methods=["POST"]),
    Route("/scan/{name}", look),
    Route("/scan/{name}/scan.html", whole),
    Route("/scan/{name}/claims.toml", claims),
]
