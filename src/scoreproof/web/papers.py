"""Whole papers: a document is uploaded or pasted, its tables are found and checked in the background."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.errors import ScoreproofError, shorten
from scoreproof.insight.display.html import Html
from scoreproof.papers.scanning import settings_of
from scoreproof.web.desk import Job, Refused, Unfit, desk_of
from scoreproof.web.form import Form
from scoreproof.web.links import Asked
from scoreproof.web.many import PATIENCE, Table, found_of, job_of, name_of, sent
from scoreproof.web.pages import attachment, page

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
    elif document.field == "file" and form.table.strip():
        form.complain("table", "a file was chosen as well; empty this field, or choose no file")
    try:
        settings_of(form.values.get("set") or None)
    except ScoreproofError as error:
        form.complain("set", str(error).removeprefix("set: ").removeprefix("--set: "))
    if document is None or form.errors:
        return show(form, request, 422)
    job = started(request, form, document)
    return RedirectResponse(f"/scan/{job.name}", 303)


def started(request: Request, form: Form, document: Table) -> Job:
    """The job about a document."""
    settings = desk_of(request).settings
    name = document.name
    if document.field == "table":
        name = "pasted.html" if "<table" in form.table.lower() else "pasted.txt"
    with ExitStack() as used:
        # The folder is the server's: it goes away even if the process that reads in it is ended.
        path = Path(used.enter_context(TemporaryDirectory(prefix="scoreproof-"))) / "document"
        path.write_bytes(document.data)
        asked = {"path": str(path), "name": Path(name).name, "given": form.values.get("set", "")}
        given = {**asked, "timeout": settings.timeout, "effort": form.effort}
        about = Asked(f"{shorten(document.name, 80)}\n{uuid4()}")
        job = desk_of(request).start(KIND, about, LONGEST, given, PATIENCE, long=True)
        kept = used.pop_all()
        job.task.add_done_callback(lambda task: kept.close())
    return job


async def look(request: Request) -> Response:
    job = job_of(request, KIND)
    try:
        found = await found_of(request, job)
    except Refused as refused:
        form = Form()
        form.complain("file", refused.detail.removeprefix(f"{refused.field}: "))
        return show(form, request, 422)
    if isinstance(found, Response):
        return found
    return page("scan_done", job=job, name=name_of(job), body=Html(found["html"]))


def kept_of(request: Request, what: str) -> str:
    """What was found about a document, to be saved."""
    job = job_of(request, KIND)
    if job.running:
        raise Unfit("file", "the document is not done yet")
    return str(job.answer()[what])


async def whole(request: Request) -> Response:
    return attachment("scan.html", "text/html; charset=utf-8", kept_of(request, "page"))


async def claims(request: Request) -> Response:
    return attachment("claims.toml", "application/toml; charset=utf-8", kept_of(request, "claims"))


ROUTES = [
    Route("/scan", ask),
    Route("/scan", take, methods=["POST"]),
    Route("/scan/{name}", look),
    Route("/scan/{name}/scan.html", whole),
    Route("/scan/{name}/claims.toml", claims),
]
