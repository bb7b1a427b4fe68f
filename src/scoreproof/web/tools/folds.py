"""Folds, averaged in every way: a table of confusion matrices is pasted."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from scoreproof.aggregate.ways import F_WAYS, WAYS
from scoreproof.web.desk import Job, Refused, Unfit, desk_of
from scoreproof.web.form import Form
from scoreproof.web.links import Asked
from scoreproof.web.pages import WAIT, fields_of, page, short
from scoreproof.web.tools.fields import Field, count, in_words, worded

KIND = "aggregate"
#: Scores that are shown first; the others are folded away.
FIRST = ("acc", "sens", "spec", "ppv", "npv", "bacc", "f1", "mcc")
EXAMPLES = (
    ("two folds", "fold,tp,fp,fn,tn\n1,9,5,1,15\n2,5,0,5,20\n"),
    (
        "a rare class: one fold without a hit",
        "fold,p,n,tp,tn\n1,3,97,2,95\n2,3,97,0,97\n3,3,97,3,93\n4,2,98,1,96\n",
    ),
    (
        "two runs of three folds",
        "run,fold,p,n,tp,tn\n1,1,20,80,15,74\n1,2,20,80,17,70\n1,3,21,79,12,75\n"
        "2,1,20,80,16,71\n2,2,20,80,13,77\n2,3,21,79,18,69\n",
    ),
)
DECIMALS = Field("decimals", "Decimals", default="4", read=count(0, 50))
LABELS = {"table": "One fold a row", "decimals": "Decimals to show"}
#: Readings of 0/0, as they are worded in a row.
READINGS = (("impossible", ""), ("zero", "0/0 as zero"), ("skip", "0/0 left out"))


def show(form: Form, status: int = 200, shown: object = None, job: Job | None = None) -> Response:
    links = [(words, example(number)) for number, (words, _) in enumerate(EXAMPLES)]
    return page(
        "tools/aggregate", status, form=form, labels=LABELS, shown=shown, links=links, job=job, here="/tools"
    )


def example(number: int) -> str:
    """The address of an example with its answer."""
    return f"/aggregate?{Asked(_wish(EXAMPLES[number][1], 4)).query('t')}"


def _wish(table: str, decimals: int) -> str:
    return json.dumps({"table": table, "decimals": decimals}, ensure_ascii=False)


def start(request: Request, asked: Asked) -> Job:
    desk = desk_of(request)
    return desk.start(KIND, asked, desk.settings.hard_limit(10), {"claim": asked.text})


def _filled(asked: Asked) -> Form:
    form = Form(values={"decimals": "4"})
    try:
        wish = json.loads(asked.text)
        form.table = str(wish.get("table", ""))
        form.values["decimals"] = str(wish.get("decimals", 4))
    except (ValueError, AttributeError, RecursionError):
        pass  # a link nobody made here; the form starts empty
    return form


async def ask(request: Request) -> Response:
    query = request.query_params
    if "r" in query:
        job = desk_of(request).get(query["r"], KIND)
        if job is None:
            raise Refused(404, "link", "this table is no longer kept; send it again")
    elif "t" in query:
        job = start(request, Asked.of(query, "t"))
    else:
        return show(Form(values={"decimals": "4"}))
    form = _filled(job.about)
    try:
        found = await desk_of(request).found(job, WAIT)
    except Unfit as refused:
        place = refused.field if refused.field in LABELS else "table"
        form.complain(place, refused.detail.removeprefix(f"{refused.field}: "))
        return show(form, 422)
    return show(form, shown=_shown(found["json"]), job=job)


async def take(request: Request) -> Response:
    sent = dict(await fields_of(request))
    form = Form(
        values={"decimals": sent.get("decimals", "").strip() or "4"}, table=sent.get("table", "").strip("\r\n")
    )
    if not form.table.strip():
        form.complain(
            "table", "paste a table with one row per fold, under a line of headings such as tp, fp, fn, tn"
        )
    decimals = 4
    try:
        decimals = DECIMALS.read(form.values["decimals"])
    except ValueError as error:
        form.complain("decimals", getattr(error, "problem", str(error)))
    if form.errors:
        return show(form, 422)
    asked = Asked(_wish(form.table, decimals))
    if short(request, asked):
        return RedirectResponse(f"/aggregate?{asked.query('t')}", 303)
    return RedirectResponse(f"/aggregate?r={start(request, asked).name}", 303)


def _figure(value: dict[str, Any] | None) -> str:
    return "undefined" if value is None else str(value["shown"])


def _shown(said: dict[str, Any]) -> dict[str, Any]:
    """The answer as tables: over folds, over runs and datasets, and the F-measures."""
    scores = said["scores"]
    over = {name: _over_folds(name, found) for name, found in scores.items()}
    return {
        "folds": len(said["folds"]),
        "counted": sum(fold[cell] for fold in said["folds"] for cell in ("tp", "fp", "fn", "tn")),
        "first": [row for name in FIRST for row in over.get(name, ())],
        "rest": [row for name, rows in over.items() if name not in FIRST for row in rows],
        **_nested(scores),
        "measures": _measures(scores) if len(said["folds"]) > 1 else [],
        "f_ways": [(way.heading, way.words) for way in F_WAYS.values()],
        "sentence": _sentence(said),
        "sentences": [worded(sentence) for sentence in said["sentences"]],
        "advice": said["advice"],
        "notes": said["notes"],
    }


def _nested(scores: dict[str, Any]) -> dict[str, Any]:
    """The ways that average over runs and datasets, where there are any, and the usual scores by them."""
    ways = [way for way in WAYS if way != "pooled" and way in next(iter(scores.values()))]
    rows = [
        (in_words(name), [_figure(scores[name][way]["impossible"]["mean"]) for way in ways])
        for name in FIRST
        if name in scores
    ]
    return {"nested": [WAYS[way][1:3] for way in ways] if len(ways) > 1 else [], "by_level": rows}


def _measures(scores: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """The F-measures in their ways; with beta 1 the F-beta scores repeat the F1 scores."""
    found: dict[tuple[str, ...], str] = {}
    for name, score in scores.items():
        if score.get("f_measure"):
            found.setdefault(tuple(_figure(score["f_measure"][way]) for way in F_WAYS), in_words(name))
    return [(name, list(figures)) for figures, name in found.items()]


def _sentence(said: dict[str, Any]) -> str:
    """Whether it matters how the usual scores are averaged."""
    if len(said["folds"]) == 1:
        return "There is one fold, so every way gives the same figure."
    usual = [name for name in FIRST if name in said["scores"]]
    apart = [in_words(name) for name in usual if name in said["disagreements"]]
    places = f"at {said['decimals']} decimal{'' if said['decimals'] == 1 else 's'}"
    if not apart:
        return f"All usual scores come out the same in every way, {places}."
    return f"It matters how these are averaged, {places}: {', '.join(apart)}."


def _over_folds(name: str, found: dict[str, Any]) -> list[dict[str, Any]]:
    usual = found["mean"]["impossible"]
    readings = READINGS[:1] if usual["mean"] is not None else READINGS
    pooled = _figure(found["pooled"])
    rows = []
    for reading, words in readings:
        one = found["mean"][reading]
        mean = _figure(one["mean"])
        rows.append(
            {
                "name": words or in_words(name),
                "part": bool(words),
                "mean": mean,
                "pooled": "" if words else pooled,
                "differ": "undefined" not in (mean, pooled) and mean != pooled,
                "rest": [_figure(one[key]) for key in ("sd_sample", "sd_population", "min", "max")],
            }
        )
    return rows


ROUTES = [Route("/aggregate", ask), Route("/aggregate", take, methods=["POST"])]
