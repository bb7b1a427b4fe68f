"""The known traps of a benchmark: the figures under every evaluation that is common."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.bundles import known_bundles
from scoreproof.insight.display.html import Html
from scoreproof.web.answers import Refused
from scoreproof.web.form import Form, place_of, readable_scores, typed
from scoreproof.web.links import pack, unpack
from scoreproof.web.pages import WAIT, fields_of, page, showing, start, store_of, waiting

#: What may be known of the evaluation; the rest is tried.
KNOWN = ("split", "region", "annotator", "image", "folds", "repeats", "aggregate")


def show(form: Form, status: int = 200) -> Response:
    listed = [(each.name, each.title, each.field) for each in known_bundles()]
    return page("bundle", status, form=form, bundles=listed)


@showing
async def look(request: Request) -> Response:
    code = request.query_params.get("b")
    if code is None:
        return show(Form())
    ask = unpack(code)
    job = start(request, "bundle", ask, html=True)
    if not await store_of(request).wait(job, WAIT):
        return waiting(request, job)
    try:
        found = job.answer()
    except Refused as refused:
        if refused.status != 422:
            raise
        form = _filled(ask)
        name, message = place_of(form, refused.field, refused.message)
        form.complain("bundle" if refused.field == "bundle" else name, message)
        return show(form, 422)
    return page("survey", title=found["title"], body=Html(found["html"]), figures=_filled(ask).scores)


@showing
async def ask(request: Request) -> Response:
    form = typed(await fields_of(request))
    scores = readable_scores(form)
    if not form.values.get("bundle"):
        form.complain("bundle", "choose a dataset from the list")
    if form.errors:
        return show(form, 422)
    given: dict[str, Any] = {key: form.values[key] for key in KNOWN if form.values.get(key)}
    for key in ("folds", "repeats"):
        if str(given.get(key, "")).isdecimal() and len(given[key]) < 10:
            given[key] = int(given[key])
    wish = {"bundle": form.values["bundle"], "scores": scores, "given": given}
    if form.values.get("rounding"):
        wish["rounding"] = form.values["rounding"]
    return RedirectResponse(f"/bundle?b={pack(json.dumps(wish, ensure_ascii=False))}", 303)


def _filled(text: str) -> Form:
    """The form as it was when it was sent."""
    form = Form()
    try:
        wish = json.loads(text)
        form.values = {key: str(value) for key, value in dict(wish.get("given", {})).items()}
        form.values |= {key: str(wish[key]) for key in ("bundle", "rounding") if key in wish}
        form.scores = [(str(name), str(figure)) for name, figure in dict(wish.get("scores", {})).items()]
    except (ValueError, AttributeError, TypeError, RecursionError):
        pass  # a link nobody made here; the form starts empty
    return form


ROUTES = [Route("/bundle", look), Route("/bundle", ask, methods=["POST"])]
