"""The known traps of a benchmark: the figures under every evaluation that is common."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.bundles import known_bundles
from scoreproof.claim.fields import BUNDLED
from scoreproof.insight.display.html import Html
from scoreproof.web.desk import Unfit, desk_of
from scoreproof.web.form import Form, readable_scores, typed
from scoreproof.web.links import Asked
from scoreproof.web.pages import WAIT, fields_of, page


def show(form: Form, status: int = 200) -> Response:
    listed = [(each.name, each.title, each.field) for each in known_bundles()]
    return page("bundle", status, form=form, bundles=listed, bundled=BUNDLED)


async def look(request: Request) -> Response:
    if "b" not in request.query_params:
        return show(Form())
    asked = Asked.of(request.query_params, "b")

    form = _filled(asked)
    try:
        job = desk_of(request).ask("bundle", asked, html=True)
        found = await desk_of(request).found(job, WAIT)
    except Unfit as refused:
        form.refuse(refused.field, refused.detail)
        return show(form, 422)
    return page("survey", title=found["title"], body=Html(found["html"]), figures=form.scores, job=job)


async def ask(request: Request) -> Response:
    form = typed(await fields_of(request))
    scores = readable_scores(form)
    if not form.values.get("bundle"):
        form.complain("bundle", "choose a dataset from the list")
    if form.errors:
        return show(form, 422)
    given: dict[str, Any] = {key: form.values[key] for key in BUNDLED if form.values.get(key)}
    for key in ("folds", "repeats"):
        if str(given.get(key, "")).isdecimal() and len(given[key]) < 10:
            given[key] = int(given[key])
    wish = {"bundle": form.values["bundle"], "scores": scores, "given": given}
    if form.values.get("rounding"):
        wish["rounding"] = form.values["rounding"]
    asked = Asked(json.dumps(wish, ensure_ascii=False), form.effort)
    return RedirectResponse(f"/bundle?{asked.query('b')}", 303)


def _filled(asked: Asked) -> Form:
    """The form as it was when it was sent."""
    form = Form({"effort": asked.effort})
    try:
        wish = json.loads(asked.text)
        form.values |= {key: str(value) for key, value in dict(wish.get("given", {})).items()}
        form.values |= {key: str(wish[key]) for key in ("bundle", "rounding") if key in wish}
        form.scores = [(str(name), str(figure)) for name, figure in dict(wish.get("scores", {})).items()]
    except (ValueError, AttributeError, TypeError, RecursionError):
        pass  # a link nobody made here; the form starts empty
    return form


ROUTES = [Route("/bundle", look), Route("/bundle", ask, methods=["POST"])]
