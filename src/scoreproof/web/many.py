"""Whole tables: uploaded, checked row by row in the background, downloaded with their verdicts."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.errors import shorten
from scoreproof.web.answers import Refused, compute, pool_of, settings_of
from scoreproof.web.form import Form, set_up, typed
from scoreproof.web.links import Asked
from scoreproof.web.pages import attachment, page, showing, store_of
from scoreproof.web.store import Job

ENDINGS = (".csv", ".tsv", ".jsonl", ".xlsx", ".md", ".tex", ".html", ".txt")
#: Seconds a table may take, and how long its verdicts are kept if nobody looks.
LONGEST = 6 * 3600.0
PATIENCE = 1800.0
MOST_SHOWN = 50


def show(form: Form, request: Request, status: int = 200) -> Response:
    return page("batch", status, form=form, limit=settings_of(request).largest_upload // 2**20)


@showing
async def ask(request: Request) -> Response:
    return show(Form(), request)


@showing
async def take(request: Request) -> Response:
    try:
        await request.form(max_files=1, max_fields=60)
    except HTTPException:
        raise Refused(422, "file", "the form could not be read; choose one file and send it again") from None
    async with request.form() as sent:
        form = typed([(key, value) for key, value in sent.multi_items() if isinstance(value, str)])
        file = sent.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            form.complain("file", "choose a file with a table")
            return show(form, request, 422)
        ending = Path(file.filename).suffix.lower()
        if ending not in ENDINGS:
            form.complain("file", f"expected a file that ends in {', '.join(ENDINGS)}; save the table as CSV")
        claim = set_up(form)
        data = await file.read()
        if data.count(b"\n") > settings_of(request).most_rows:
            form.complain(
                "file",
                f"more than {settings_of(request).most_rows} rows; use `scoreproof batch` on the command line",
            )
        if not form.errors:
            try:
                await understand(request, data, ending, list(claim["experiment"]))
            except Refused as refused:
                form.complain("file", refused.message)
        if form.errors:
            return show(form, request, 422)
        job = begin(request, data, ending, form, claim, shorten(file.filename, 80))
    return RedirectResponse(f"/batch/{job.name}", 303)


async def understand(request: Request, data: bytes, ending: str, given: list[str]) -> None:
    """Complain at once about a table that cannot be read, or has no scores."""
    with tempfile.TemporaryDirectory(prefix="scoreproof-") as folder:
        table = Path(folder) / f"table{ending}"
        table.write_bytes(data)
        try:
            limit = settings_of(request).hard_limit(10)
            await compute(pool_of(request), "table", limit, table=str(table), given=given)
        except Refused as refused:
            # The user's file has another name than ours.
            words = refused.message.replace(str(table), "the file").removeprefix(f"{refused.field}: ")
            raise Refused(422, "file", words) from None


def begin(request: Request, data: bytes, ending: str, form: Form, claim: dict[str, Any], name: str) -> Job:
    """Check the rows in the background."""
    settings, pool = settings_of(request), pool_of(request)

    async def work(notify: Callable[[Any], None]) -> dict[str, Any]:
        # The folder is the server's: it goes away even if the process that writes into it is ended.
        with tempfile.TemporaryDirectory(prefix="scoreproof-") as folder:
            table, output = Path(folder) / f"table{ending}", Path(folder) / "verdicts.csv"
            table.write_bytes(data)
            found = await compute(
                pool,
                "batch",
                LONGEST,
                notify,
                long=True,
                table=str(table),
                output=str(output),
                experiment=claim["experiment"],
                rounding=claim.get("rounding"),
                effort=form.effort,
                timeout=settings.timeout,
            )
            return {**found, "csv": output.read_text(encoding="utf-8")}

    return store_of(request).start("batch", Asked(f"{name}\n{uuid4()}"), work, PATIENCE)


def job_of(request: Request) -> Job:
    job = store_of(request).get(request.path_params["name"], "batch")
    if job is None:
        raise Refused(404, "link", "this table is no longer kept; upload it again")
    return job


@showing
async def look(request: Request) -> Response:
    job = job_of(request)
    name = job.about.text.partition("\n")[0]
    if not await store_of(request).wait(job, 0.5):
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


@showing
async def download(request: Request) -> Response:
    job = job_of(request)
    if job.running:
        raise Refused(422, "file", "the table is not done yet")
    return attachment("verdicts.csv", "text/csv; charset=utf-8", job.answer()["csv"])


ROUTES = [
    Route("/batch", ask),
    Route("/batch", take, methods=["POST"]),
    Route("/batch/{name}", look),
    Route("/batch/{name}/verdicts.csv", download),
]
