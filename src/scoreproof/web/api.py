"""The JSON API: the shapes of the command line, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scoreproof.claim.fields import EFFORT
from scoreproof.errors import BadClaim
from scoreproof.reading.datasets import dataset as known_dataset
from scoreproof.reading.datasets import known_datasets
from scoreproof.reading.files import parse
from scoreproof.scores.listing import listing
from scoreproof.web.desk import Refused, Unfit, desk_of, while_connected
from scoreproof.web.openapi import ADDRESSES, Address, description

Endpoint = Callable[[Request], Awaitable[Response]]


def as_json(value: object, status: int = 200) -> Response:
    """The value as the command line prints it."""
    body = json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace")
    return Response(body, status, media_type="application/json")


def _seconds(query: QueryParams) -> float:
    text = query.get("timeout") or "1e9"
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < inf:
        raise Unfit("timeout", f"timeout: expected a number of seconds above 0, found {text[:40]!r}")
    return value


def _first_fit(query: QueryParams) -> bool:
    text = query.get("first_fit", "false")
    if text not in ("true", "false"):
        raise Unfit("first_fit", f"first_fit: expected true or false, found {text[:40]!r}")
    return text == "true"


def _known(query: QueryParams) -> dict[str, Any] | None:
    try:
        return parse(query["known"]) if query.get("known", "").strip() else None
    except BadClaim as error:
        raise Unfit("known", f"known: {error.problem}") from None


#: How each parameter is read from an address.
PARAMETERS: dict[str, Callable[[QueryParams], Any]] = {
    "timeout": _seconds,
    "effort": lambda query: query.get("effort", EFFORT.default),
    "first_fit": _first_fit,
    "known": _known,
    "scores": lambda query: [word for word in ",".join(query.getlist("scores")).split(",") if word.strip()],
}


def working(address: Address) -> Endpoint:
    """What a worker finds out about what was sent."""
    job = address.job or address.path.rpartition("/")[2]

    async def endpoint(request: Request) -> Response:
        desk = desk_of(request)
        given = {each["name"]: PARAMETERS[each["name"]](request.query_params) for each in address.parameters}
        timeout = 10.0
        if "timeout" in given:  # up to the server's own
            timeout = given["timeout"] = min(given["timeout"], desk.settings.seconds(job))
        try:
            given["claim"] = (await request.body()).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Unfit("claim", f"claim: not UTF-8 text (byte {error.start})") from None
        work = desk.compute(job, desk.settings.hard_limit(timeout, job), **given)
        return as_json((await while_connected(request, work))["json"])

    return endpoint


async def datasets(request: Request) -> Response:
    return as_json([each.brief() for each in known_datasets(request.query_params.get("search", "")[:200])])


async def dataset(request: Request) -> Response:
    try:
        return as_json(known_dataset(request.path_params["name"]).to_dict())
    except BadClaim as error:
        raise Refused(404, "dataset", str(error)) from None


async def scores(request: Request) -> Response:
    return as_json(listing())


async def openapi(request: Request) -> Response:
    return as_json(description())


ROUTES = [
    Route("/openapi.json", openapi),
    *(Route(each.path, working(each), methods=["POST"]) for each in ADDRESSES if each.method == "post"),
    Route("/api/datasets", datasets),
    Route("/api/datasets/{name}", dataset),
    Route("/api/scores", scores),
]
