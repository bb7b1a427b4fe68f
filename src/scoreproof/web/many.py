"""Whole tables: uploaded, checked row by row in the background, downloaded with their verdicts."""

from __future__ import annotations

import csv
import io
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.errors import shorten
from scoreproof.web.desk import Job, Refused, Unfit, desk_of
from scoreproof.web.form import Form, set_up, typed
from scoreproof.web.links import Asked
from scoreproof.web.pages import attachment, page

ENDINGS = (".csv", ".tsv", ".jsonl", ".xlsx", ".md", ".tex", ".html", ".txt")
#: Seconds a table may take, and how long its verdicts are kept if nobody looks.
LONGEST = 6 * 3600.0
PATIENCE = 1800.0
MOST_SHOWN = 50


def show(form: Form, request: Request, status: int = 200) -> Response:
    return page("batch", status, form=form, limit=desk_of(request).settings.largest_upload // 2**20)


async def ask(request: Request) -> Response:
    return show(Form(), request)


async def take(request: Request) -> Response:
    try:
        sent = await request.form(max_files=1, max_fields=60)
    except HTTPException:
        raise Unfit("file", "the form could not be read; choose one file and send it again") from None
    form = typed([(key, value) for key, value in sent.multi_items() if isinstance(value, str)])
    file = sent.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        form.complain("file", "choose a file with a table")
        return show(form, request, 422)
    ending = Path(file.filename).suffix.lower()
    if ending not in ENDINGS:
        form.complain("file", f"expected a file that ends in {', '.join(ENDINGS)}; save the table as CSV")
    claim, settings = set_up(form), desk_of(request).settings
    most = settings.most_rows
    data = await file.read()
    await file.close()
    if data.count(b"\n") > most:
        form.complain("file", f"more than {most} rows; use `scoreproof batch` on the command line")
    with ExitStack() as used:
        # The folder is the server's: it goes away even if the process that writes into it is ended.
        folder = used.enter_context(TemporaryDirectory(prefix="scoreproof-"))
        table, output = Path(folder) / f"table{ending}", Path(folder) / "verdicts.csv"
        if not form.errors:
            table.write_bytes(data)
            await understand(request, table, form, list(claim["experiment"]))
        if form.errors:
            return show(form, request, 422)
        given = {"table": str(table), "output": str(output), "timeout": settings.timeout, "effort": form.effort}
        given |= {"experiment": claim["experiment"], "rounding": claim.get("rounding")}
        about = Asked(f"{shorten(file.filename, 80)}\n{uuid4()}")
        job = desk_of(request).start("batch", about, LONGEST, given, PATIENCE, long=True)
        kept = used.pop_all()
        job.task.add_done_callback(lambda task: kept.close())
    return RedirectResponse(f"/batch/{job.name}", 303)


async def understand(request: Request, table: Path, form: Form, given: list[str]) -> None:
    """Complain at once about a table that cannot be read, or has no scores."""
    desk = desk_of(request)
    try:
        await desk.compute("headings", desk.settings.hard_limit(10), table=str(table), given=given)
    except Refused as refused:
        # The user's file has another name than ours.
        words = refused.detail.replace(str(table), "the file")
        form.complain("file", words.removeprefix(f"{refused.field}: "))


def job_of(request: Request) -> Job:
    job = desk_of(request).get(request.path_params["name"], "batch")
    if job is None:
        raise Refused(404, "link", "this table is no longer kept; upload it again")
    return job


async def look(request: Request) -> Response:
    job = job_of(request)
    name = job.about.text.partition("\n")[0]
    if not await desk_of(request).wait(job, 0.5):
        return page("batch_running", 202, job=job, name=name)
    found = job.answer()
    mark = found["csv"].partition("\n")[0].rpartition("conflict")[0][-1:] or ","  # as in the table itself
    headings, *rows = list(csv.reader(io.StringIO(found["csv"], newline=""), delimiter=mark)) or [[]]
    at = headings.index("status") if "status" in headings else -1
    other = [row for row in rows if at >= 0 and row[at] != "consistent"]
    return page(
        "batch_done",
        job=job,
        name=name,
        audit=found["audit"],
        reading={each["column"]: each["read_as"] for each in found["audit"]["columns"]},
        notes=found["audit"]["notes"],
        headings=headings,
        rows=other[:MOST_SHOWN],
        cut=len(other) > MOST_SHOWN,
    )


async def download(request: Request) -> Response:
    job = job_of(request)
    if job.running:
        raise Unfit("file", "the table is not done yet")
    return attachment("verdicts.csv", "text/csv; charset=utf-8", job.answer()["csv"])


ROUTES = [
    Route("/batch", ask),
    Route("/batch", take, methods=["POST"]),
    Route("/batch/{name}", look),
    Route("/batch/{name}/verdicts.csv", download),
]
