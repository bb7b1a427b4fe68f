"""Whole tables: uploaded, checked row by row in the background, downloaded with their verdicts."""

from __future__ import annotations

import csv
import io
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from uuid import uuid4

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.errors import shorten
from scoreproof.web.desk import Found, Job, Refused, Unfit, desk_of
from scoreproof.web.form import Form, set_up, typed
from scoreproof.web.links import Asked
from scoreproof.web.pages import attachment, page

ENDINGS = (".csv", ".tsv", ".jsonl", ".xlsx", ".md", ".tex", ".html", ".txt")
#: Seconds a table may take, and how long its verdicts are kept if nobody looks.
LONGEST = 6 * 3600.0
PATIENCE = 1800.0
MOST_SHOWN = 50
#: What is done with tables: the command that does it without limits, and whether it needs columns of scores.
KINDS = {"batch": ("scoreproof batch", True), "review": ("scoreproof tables", False)}


def show(form: Form, request: Request, status: int = 200) -> Response:
    return page("batch", status, form=form, limit=desk_of(request).settings.largest_upload // 2**20)


async def ask(request: Request) -> Response:
    return show(Form(), request)


class Table(NamedTuple):
    """A table that was sent: the field it stood in, what to call it, the end of its name, and its bytes."""

    field: str
    name: str
    ending: str
    data: bytes


async def sent(request: Request) -> tuple[Form, Table | None]:
    """The form as it was sent, and the table in it: a file, or what was pasted."""
    try:
        found = await request.form(max_files=1, max_fields=60)
    except HTTPException:
        raise Unfit(
            "file", "the form could not be read; choose one file, or paste less, and send it again"
        ) from None
    form = typed([(key, value) for key, value in found.multi_items() if isinstance(value, str)])
    file = found.get("file")
    if isinstance(file, UploadFile) and file.filename:
        data = await file.read()
        await file.close()
        return form, Table("file", file.filename, Path(file.filename).suffix.lower(), data)
    if form.table.strip():
        ending = ".jsonl" if form.table.lstrip().startswith("{") else ".txt"
        return form, Table("table", "what was pasted", ending, form.table.encode("utf-8", "replace"))
    return form, None


async def take(request: Request) -> Response:
    form, table = await sent(request)
    if table is None or table.field != "file":
        form.complain("file", "choose a file with a table")
        return show(form, request, 422)
    job = await started(request, "batch", form, table)
    return show(form, request, 422) if job is None else RedirectResponse(f"/batch/{job.name}", 303)


async def started(request: Request, kind: str, form: Form, table: Table, **more: Any) -> Job | None:
    """The job of this kind about the rows of a table; None where the form says what is wrong with it."""
    command, needs_scores = KINDS[kind]
    if table.ending not in ENDINGS:
        words = f"expected a file that ends in {', '.join(ENDINGS)}; save the table as CSV"
        form.complain(table.field, words)
    claim, settings = set_up(form), desk_of(request).settings
    most = settings.most_rows
    if table.data.count(b"\n") > most:
        form.complain(table.field, f"more than {most} rows; use `{command}` on the command line")
    with ExitStack() as used:
        # The folder is the server's: it goes away even if the process that writes into it is ended.
        folder = used.enter_context(TemporaryDirectory(prefix="scoreproof-"))
        path, output = Path(folder) / f"table{table.ending}", Path(folder) / "output.csv"
        if not form.errors:
            path.write_bytes(table.data)
            asked = {"given": list(claim["experiment"]), "needs_scores": needs_scores, "same": more.get("same")}
            await understand(request, path, form, table.field, asked)
        if form.errors:
            return None
        given = {"table": str(path), "output": str(output), "timeout": settings.timeout, "effort": form.effort}
        given |= {"experiment": claim["experiment"], "rounding": claim.get("rounding"), **more}
        about = Asked(f"{shorten(table.name, 80)}\n{uuid4()}")
        job = desk_of(request).start(kind, about, LONGEST, given, PATIENCE, long=True)
        kept = used.pop_all()
        job.task.add_done_callback(lambda task: kept.close())
    return job


async def understand(request: Request, table: Path, form: Form, field: str, asked: dict[str, Any]) -> None:
    """Complain at once, beside its field, about a table that cannot be read, or has no scores."""
    desk = desk_of(request)
    try:
        await desk.compute("headings", desk.settings.hard_limit(10), table=str(table), **asked)
    except Refused as refused:
        # The user's file has another name than ours.
        words = refused.detail.replace(str(table), "the file" if field == "file" else "the text")
        form.complain("same" if refused.field == "--same" else field, words.removeprefix(f"{refused.field}: "))


def job_of(request: Request, kind: str) -> Job:
    job = desk_of(request).get(request.path_params["name"], kind)
    if job is None:
        raise Refused(404, "link", "this table is no longer kept; send it again")
    return job


async def found_of(request: Request, job: Job) -> Found | Response:
    """What was found about a table, or the page that says how far it is."""
    if not await desk_of(request).wait(job, 0.5):
        return page("batch_running", 202, job=job, name=name_of(job))
    return job.answer()


def name_of(job: Job) -> str:
    return job.about.text.partition("\n")[0]


async def look(request: Request) -> Response:
    job = job_of(request, "batch")
    found = await found_of(request, job)
    if isinstance(found, Response):
        return found
    mark = found["csv"].partition("\n")[0].rpartition("conflict")[0][-1:] or ","  # as in the table itself
    headings, *rows = list(csv.reader(io.StringIO(found["csv"], newline=""), delimiter=mark)) or [[]]
    at = headings.index("status") if "status" in headings else -1
    other = [row for row in rows if at >= 0 and row[at] != "consistent"]
    return page(
        "batch_done",
        job=job,
        name=name_of(job),
        audit=found["audit"],
        reading={each["column"]: each["read_as"] for each in found["audit"]["columns"]},
        notes=found["audit"]["notes"],
        headings=headings,
        rows=other[:MOST_SHOWN],
        cut=len(other) > MOST_SHOWN,
    )


async def download(request: Request) -> Response:
    return rows_of(job_of(request, "batch"), "verdicts.csv")


def rows_of(job: Job, name: str) -> Response:
    """The rows of a table with what was found, to be saved."""
    if job.running:
        raise Unfit("file", "the table is not done yet")
    return attachment(name, "text/csv; charset=utf-8", job.answer()["csv"])


ROUTES = [
    Route("/batch", ask),
    Route("/batch", take, methods=["POST"]),
    Route("/batch/{name}", look),
    Route("/batch/{name}/verdicts.csv", download),
]
