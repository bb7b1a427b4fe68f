"""The 2x2 tables of a whole review: pasted or uploaded, one study a row, as `scoreproof tables` finds them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.errors import ScoreproofError
from scoreproof.insight.display.html import Html
from scoreproof.reading.tables.columns import recognise
from scoreproof.web.desk import desk_of
from scoreproof.web.form import Form, on_page, set_up
from scoreproof.web.many import started
from scoreproof.web.pages import page
from scoreproof.web.uploads import found_of, job_of, name_of, saved, sent

KIND = "review"
#: Characters of a line of headings that are looked at before the table is read.
LONGEST_HEADING = 10_000


def show(form: Form, request: Request, status: int = 200) -> Response:
    settings = desk_of(request).settings
    return page(KIND, status, form=form, limit=settings.largest_upload // 2**20, most=settings.most_rows)


async def ask(request: Request) -> Response:
    return show(Form(), request)


async def take(request: Request) -> Response:
    form, table = await sent(request)
    if table is None:
        form.complain("table", "paste a table with one study per row, or choose a file")
    if table is None or form.errors:
        return show(form, request, 422)
    if table.field == "table" and (mark := mark_of_counts(form.table)):
        table = table._replace(ending=".tsv" if mark == "\t" else ".csv")
    conventions, longest = set_up(form).get("conventions"), desk_of(request).settings.longest_link
    more = {"conventions": conventions, "longest": longest, "same": form.values.get("same") or None}
    job = await started(request, KIND, form, table, **more)
    return show(form, request, 422) if job is None else RedirectResponse(f"/review/{job.name}", 303)


def mark_of_counts(text: str) -> str:
    """What separates the cells of a text whose headings name counts only; else nothing.

    A text is searched for names of scores, which such a table does without.
    """
    first = text.lstrip().partition("\n")[0].strip("\r")
    mark = next((each for each in "\t;," if each in first), "")
    if not mark or len(first) > LONGEST_HEADING:
        return ""
    try:
        layout = recognise([cell.strip(' "') for cell in first.split(mark)], say=on_page)
    except ScoreproofError:  # said with the rest
        return ""
    return mark if layout.matrix and not layout.scores else ""


async def look(request: Request) -> Response:
    job = job_of(request, KIND)
    found = await found_of(request, job)
    return page("review_done", job=job, name=name_of(job), body=Html(found["html"]))


async def download(request: Request) -> Response:
    return saved(request, KIND, "csv", "tables.csv", "text/csv")


ROUTES = [
    Route("/review", ask),
    Route("/review", take, methods=["POST"]),
    Route("/review/{name}", look),
    Route("/review/{name}/tables.csv", download),
]
