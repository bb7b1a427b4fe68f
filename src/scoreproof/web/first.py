"""The first page: one box for anything, what was read of it beside, and the verdict with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.insight.display.html import Html, tag, text
from scoreproof.web.desk import Job, Refused, Unfit, desk_of
from scoreproof.web.form import ASKED, Form, claims, filled, set_up, typed
from scoreproof.web.links import Asked
from scoreproof.web.named_files import CLOSED, named, opened, read_whole
from scoreproof.web.pages import WAIT_FOR_TABLE, fields_of, page, rows_of_jobs, short
from scoreproof.web.progress import told

#: Seconds a verdict may take to be shown with what was read; later it is asked for again.
AT_ONCE = 0.4
READING = 5.0
NEEDED = "this is still needed: {}"


@dataclass(frozen=True, slots=True)
class Example:
    """Something to try: what it shows, and what is pasted."""

    words: str
    text: str


EXAMPLES = (
    Example(
        "a sentence that cannot be",
        "accuracy 94.47 %, sensitivity 91.39 %, specificity 97.33 %, "
        "5-fold cross-validation, 38 positive and 262 negative records",
    ),
    Example(
        "a table",
        "model\tp\tn\taccuracy\tsensitivity\tF1\n"
        "Trees\t100\t200\t0.9567\t0.9100\t0.9333\n"
        "Network\t100\t200\t0.9567\t0.8500\t0.9333\n",
    ),
    Example("precision, recall and F1 only", "precision 0.83, recall 0.75, F1 0.82"),
)


@dataclass(slots=True)
class Read:
    """What was read: the claims, how, and the form that holds the one claim, to be changed cell by cell."""

    form: Form
    claims: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    kind: str = ""
    echo: Html = field(default_factory=Html)
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    missing: Sequence[str] = ()
    grid: Mapping[str, Any] | None = None
    whole: bool = False  # whether the text says everything, without a field beside it

    @property
    def asked(self) -> list[tuple[str, Asked]]:
        """What is asked about each claim: the text itself where it says everything, to tell its reading."""
        if self.whole:
            rows = range(len(self.claims)) if len(self.claims) > 1 else [None]
            names = [name for name, _ in self.claims]
            return [
                (name, Asked(self.form.text, self.form.effort, row))
                for name, row in zip(names, rows, strict=True)
            ]
        return [
            (name, Asked(json.dumps(claim, ensure_ascii=False, separators=(",", ":")), self.form.effort))
            for name, claim in self.claims
        ]


async def read(request: Request, form: Form) -> Read:
    """What the form stands for: the text in its box, else its fields; what is wrong is left in its errors."""
    desk = desk_of(request)
    if not form.text.strip():
        found = Read(form, claims(form))
    else:
        known = set_up(form)
        found = Read(form)
        if not form.errors:
            try:
                answer = await desk.compute(
                    "paste", desk.settings.hard_limit(READING), text=form.text, known=known
                )
                found = _of_text(form, answer)
            except Refused as refused:
                form.refuse(refused.field, refused.detail)
    most = desk.settings.most_pasted
    if len(found.claims) > max(most, 1):
        more = "rows are more than can be checked here; send the table as a file (A spreadsheet)"
        form.complain("text" if form.text.strip() else "table", f"{len(found.claims)} {more}")
    if found.kind and not any(_says_something(claim) for _, claim in found.claims) and not form.errors:
        form.complain("text", NEEDED.format("; ".join(found.missing) or "a score with its figure"))
    if found.claims and not form.errors:
        try:
            # Reading the first claim says what is wrong with the set-up they share.
            claim = json.dumps(found.claims[0][1])
            await desk.compute("read", desk.settings.hard_limit(READING), claim=claim)
        except Refused as refused:
            if found.missing:
                form.complain("text", NEEDED.format("; ".join(found.missing)))
            else:
                found.form.refuse(refused.field, refused.detail)
                form.errors.update(found.form.errors)
    return found


def _says_something(claim: Mapping[str, Any]) -> bool:
    """Whether there is any figure in a claim, of the whole or of a part."""
    kept = claim.keys() & {"scores", "matrix", "per_class", "within", "points"}
    return any(claim[key] for key in kept) or "scores" in str(claim.get("experiment", ""))


def _of_text(form: Form, answer: Mapping[str, Any]) -> Read:
    said = answer["json"]
    found = [(each["name"], each["claim"]) for each in said["claims"]]
    held = form
    if len(found) == 1:
        held = filled(json.dumps(found[0][1]))
        held.values["effort"] = form.effort
        held.text = form.text
    return Read(
        held,
        found,
        said["kind"],
        marked(form.text, said["spans"]),
        {each["column"]: each["read_as"] for each in said["columns"]},
        said["notes"],
        said["missing"],
        answer["grid"] if len(found) > 1 else None,
        whole=not any(form.values.get(name) for name in ASKED if name != "effort"),
    )


def marked(words: str, spans: Sequence[Mapping[str, Any]]) -> Html:
    """The text with what was read of it marked."""
    parts: list[object] = []
    at = 0
    for span in sorted(spans, key=lambda span: span["start"]):
        if span["start"] >= at:
            parts += [
                words[at : span["start"]],
                tag("mark", words[span["start"] : span["end"]], title=span["words"]),
            ]
            at = span["end"]
    return text([*parts, words[at:]]) if spans else Html()


# -- pages ---------------------------------------------------------------------


async def home(request: Request) -> Response:
    query = request.query_params
    if "c" in query:
        form = filled_of(Asked.of(query))
        return page("form" if form.claim else "first", form=form, **_first())
    form = Form()
    if "dataset" in query:
        form.values["dataset"] = query["dataset"][:100]
    form.text = query.get("text", "")[:20_000]
    return page("first", form=form, **_first())


def _first(**more: Any) -> dict[str, Any]:
    return {"examples": EXAMPLES, "found": None, **more}


def filled_of(asked: Asked) -> Form:
    """The form with a claim in it, or with the text that makes it."""
    form = filled(asked.text)
    if form.claim and not form.claim.lstrip().startswith(("{", "[")):
        form = Form(text=asked.text)
    form.values["effort"] = asked.effort
    return form


async def full(request: Request) -> Response:
    """The form that knows every key, with what the box or the fields say so far."""
    if request.method == "GET":
        query = request.query_params
        return page("form", form=filled_of(Asked.of(query)) if "c" in query else Form())
    form = typed(await fields_of(request))
    if form.text.strip():
        found = await read(request, form)
        if len(found.claims) == 1:
            form = found.form
    form.errors.clear()
    form.text = ""
    return page("form", form=form)


async def check(request: Request) -> Response:
    form = typed(await fields_of(request))
    if name := named(form.text):
        try:
            whole = await read_whole(request, form, opened(request, name))
        except Unfit as refused:
            form.complain("text", refused.detail)
            return page("first", 422, form=form, **_first())
        if whole is not None:
            return whole
    found = await read(request, form)
    if form.errors:
        if form.full:
            return page("form", 422, form=form)
        return page("first", 422, form=form, **_first(found=found if found.kind else None))
    asked = found.asked
    if len(asked) > 1 or form.reading or form.notes or found.notes or found.columns:
        jobs = await _ask(request, asked, WAIT_FOR_TABLE)
        reading, notes = found.columns or form.reading, found.notes or form.notes
        return page("table", rows=rows_of_jobs(jobs), reading=reading, notes=notes, echo=found.echo)
    one = asked[0][1]
    if short(request, one):
        return RedirectResponse(f"/claim?{one.query()}", 303)
    return RedirectResponse(f"/result/{desk_of(request).ask('check', one, html=True).name}", 303)


async def _ask(
    request: Request, asked: Sequence[tuple[str, Asked]], seconds: float
) -> list[tuple[str, Asked, Job]]:
    jobs = [(name, each, desk_of(request).ask("check", each, html=True)) for name, each in asked]
    await asyncio.wait({job.task for _, _, job in jobs}, timeout=seconds)
    return jobs


async def live(request: Request) -> Response:
    """What was read, and the verdict as far as it is there: pieces for the first page."""
    form = typed(await fields_of(request))
    file = named(form.text)
    found = Read(form) if file else await read(request, form)
    if file and not desk_of(request).settings.files:
        form.complain("text", CLOSED)
    given: dict[str, Any] = {
        "form": found.form,
        "found": found,
        "problems": form.errors,
        "pending": False,
        "file": file,
    }
    given |= {"rows": [], "verdict": "", "link": "", "word": "", "says": "", "glance": ""}
    if found.claims and not form.errors:
        jobs = await _ask(request, found.asked, AT_ONCE)
        given["rows"] = rows_of_jobs(jobs)
        given["pending"] = any(job.running for _, _, job in jobs)
        if len(jobs) == 1:
            _, asked, job = jobs[0]
            given["link"] = f"/claim?{asked.query()}" if short(request, asked) else f"/result/{job.name}"
            if job.running:
                given["says"] = told(job)["says"]
            else:
                try:
                    answer = job.answer()
                    given |= {
                        "glance": Html(answer["glance"]),
                        "verdict": Html(answer["html"]),
                        "word": answer["json"]["verdict"],
                    }
                except Unfit as refused:
                    given["problems"] = {"form": refused.detail}
    return page("live", **given)


ROUTES = [
    Route("/", home),
    Route("/form", full, methods=["GET", "POST"]),
    Route("/check", check, methods=["POST"]),
    Route("/live", live, methods=["POST"]),
]
