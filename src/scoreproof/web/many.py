"""Whole tables: sent, checked row by row in the background, shown with a way to each claim, and saved."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.batch.run import NOT_CHECKED
from scoreproof.frames.verdicts import STATUSES
from scoreproof.web.desk import Job, Refused, desk_of
from scoreproof.web.form import Form, set_up
from scoreproof.web.links import Asked
from scoreproof.web.pages import page
from scoreproof.web.uploads import Sent, folder, found_of, job_of, name_of, saved, sent

ENDINGS = (".csv", ".tsv", ".jsonl", ".xlsx", ".md", ".tex", ".html", ".txt")
#: Seconds a table may take.
LONGEST = 6 * 3600.0
#: Rows on one page.
MOST_SHOWN = 50
#: What can be shown of a table: rows of one verdict, all but those that fit, or all of them.
NOT_FITTING, EVERY = "not consistent", "all"
SHOWN = (NOT_FITTING, *STATUSES[1:], NOT_CHECKED[0], STATUSES[0], EVERY)
#: The verdicts in the order in which rows are worth a look.
WORST_FIRST = {status: place for place, status in enumerate([*STATUSES[1:], NOT_CHECKED[0], STATUSES[0]])}
#: What is done with tables: the command that does it without limits, and whether it needs columns of scores.
KINDS = {"batch": ("scoreproof batch", True), "review": ("scoreproof tables", False)}


def show(form: Form, request: Request, status: int = 200) -> Response:
    settings = desk_of(request).settings
    limits = {"limit": settings.largest_upload // 2**20, "most": settings.most_rows}
    return page("batch", status, form=form, endings=ENDINGS, **limits)


async def ask(request: Request) -> Response:
    return show(Form(), request)


async def take(request: Request) -> Response:
    form, table = await sent(request)
    if table is None:
        form.complain("file", "choose a file with a table, or paste its cells")
    job = None if table is None or form.errors else await started(request, "batch", form, table)
    return show(form, request, 422) if job is None else RedirectResponse(f"/batch/{job.name}", 303)


async def started(request: Request, kind: str, form: Form, table: Sent, **more: Any) -> Job | None:
    """The job of this kind about the rows of a table; None where the form says what is wrong with it."""
    desk = desk_of(request)
    _, needs_scores = KINDS[kind]
    if table.ending not in ENDINGS:
        form.complain(table.field, f"expected a file that ends in {', '.join(ENDINGS)}; save the table as CSV")
    claim = set_up(form)
    if form.errors:
        return None
    with folder() as place:
        path = place.lay(f"table{table.ending}", table.data)
        asked: dict[str, Any] = {
            "given": list(claim["experiment"]),
            "needs_scores": needs_scores,
            "same": more.get("same"),
            "most": desk.settings.most_rows,
        }
        try:
            # What cannot be read is said at once, beside its field.
            limit = desk.settings.hard_limit(10)
            await desk.compute("headings", limit, table=str(path), **asked)
        except Refused as refused:
            # The user's file has another name than ours, and the command its own.
            words = refused.detail.replace(str(path), "the file" if table.field == "file" else "the text")
            words = words.replace("`scoreproof`", f"`{KINDS[kind][0]}`").removeprefix(f"{refused.field}: ")
            form.complain("same" if refused.field == "same" else table.field, words)
            return None
        output = str(place.path / "output.csv")
        given = {"table": str(path), "output": output, "timeout": desk.settings.timeout, "effort": form.effort}
        given |= {"experiment": claim["experiment"], "rounding": claim.get("rounding"), **more}
        return place.begin(desk, kind, table, LONGEST, given)


async def look(request: Request) -> Response:
    job = job_of(request, "batch")
    found = await found_of(request, job)
    mark = found["csv"].partition("\n")[0].rpartition("conflict")[0][-1:] or ","  # as in the table itself
    headings, *rows = list(csv.reader(io.StringIO(found["csv"], newline=""), delimiter=mark)) or [[]]
    at = len(headings) - len(NOT_CHECKED)
    counts = Counter(row[at] for row in rows)
    counts |= {NOT_FITTING: len(rows) - counts[STATUSES[0]], EVERY: len(rows)}
    wanted = request.query_params.get("show", "")
    if wanted not in SHOWN:
        wanted = NOT_FITTING if counts[NOT_FITTING] else EVERY
    numbered = [
        (number, row)
        for number, row in enumerate(rows)
        if row[at] == wanted or wanted == EVERY or (wanted == NOT_FITTING and row[at] != STATUSES[0])
    ]
    numbered.sort(key=lambda each: WORST_FIRST.get(each[1][at], 0))
    last = max(0, len(numbered) - 1) // MOST_SHOWN
    asked = request.query_params.get("page", "")
    here = min(int(asked) - 1, last) if asked.isdecimal() and 0 < len(asked) < 7 and int(asked) else 0
    shown = numbered[here * MOST_SHOWN : (here + 1) * MOST_SHOWN]
    longest, more = desk_of(request).settings.longest_link, Asked("", job.about.effort).more

    def link(code: str) -> str:
        return f"/claim?c={code}{more}" if code and len(code) <= longest else ""

    return page(
        "batch_done",
        job=job,
        name=name_of(job),
        audit=found["audit"],
        reading={each["column"]: each["read_as"] for each in found["audit"]["columns"]},
        notes=found["audit"]["notes"],
        headings=headings,
        at=at,
        rows=[(n + 1, link(found["claims"][n]), row) for n, row in shown],
        wanted=wanted,
        choices=[(word, counts[word]) for word in SHOWN if counts[word]],
        counts=counts,
        here=here + 1,
        last=last + 1,
        in_all=len(rows),
        left_out=counts[NOT_CHECKED[0]],
    )


async def download(request: Request) -> Response:
    return saved(request, "batch", "csv", "verdicts.csv", "text/csv")


ROUTES = [
    Route("/batch", ask),
    Route("/batch", take, methods=["POST"]),
    Route("/batch/{name}", look),
    Route("/batch/{name}/verdicts.csv", download),
]
