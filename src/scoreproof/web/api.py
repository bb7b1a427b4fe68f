"""The JSON API: the shapes of the command line, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scoreproof.claim.fields import EFFORT
from scoreproof.errors import BadClaim
from scoreproof.reading.datasets import dataset as known_dataset
from scoreproof.reading.datasets import known_datasets
from scoreproof.scores.listing import listing
from scoreproof.web.answers import Refused, settings_of, text_of, while_connected
from scoreproof.web.openapi import description

Handler = Callable[[Request], Awaitable[Any]]
Endpoint = Callable[[Request], Awaitable[Response]]


def as_json(value: object, status: int = 200) -> Response:
    """The value as the command line prints it."""
    body = json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace")
    return Response(body, status, media_type="application/json")


def answering(handler: Handler) -> Endpoint:
    """The handler's value as JSON; what is refused as the command line words it."""

    @wraps(handler)
    async def endpoint(request: Request) -> Response:
        try:
            return as_json(await handler(request))
        except Refused as refused:
            response = as_json(refused.to_dict(), refused.status)
            if refused.status == 429:
                response.headers["retry-after"] = "2"
            return response

    return endpoint


def seconds(request: Request, most: float) -> float:
    """The time limit that was asked for, up to the server's own."""
    text = request.query_params.get("timeout", "")
    if not text:
        return most
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise Refused(422, "timeout", f"timeout: expected a number of seconds above 0, found {text[:40]!r}")
    return min(value, most)


def flag(request: Request, name: str) -> bool:
    text = request.query_params.get(name, "false")
    if text not in ("true", "false"):
        raise Refused(422, name, f"{name}: expected true or false, found {text[:40]!r}")
    return text == "true"


async def work(request: Request, do: str, most: float, **given: Any) -> Any:
    """What a worker finds out about the claim that was sent."""
    timeout, claim = seconds(request, most), await text_of(request)
    given |= {"claim": claim, "timeout": timeout, "effort": request.query_params.get("effort", EFFORT.default)}
    return (await while_connected(request, do, settings_of(request).hard_limit(timeout), **given))["json"]


@answering
async def check(request: Request) -> Any:
    return await work(request, "check", settings_of(request).timeout, first_fit=flag(request, "first_fit"))


@answering
async def reconstruct(request: Request) -> Any:
    wanted = ",".join(request.query_params.getlist("scores")).split(",")
    scores = [word for word in wanted if word.strip()]
    return await work(request, "reconstruct", settings_of(request).timeout, scores=scores)


@answering
async def explain(request: Request) -> Any:
    return await work(request, "explain", settings_of(request).explaining)


@answering
async def bundle(request: Request) -> Any:
    return await work(request, "bundle", settings_of(request).explaining)


@answering
async def table(request: Request) -> Any:
    return await work(request, "rows", settings_of(request).timeout)


@answering
async def datasets(request: Request) -> list[dict[str, Any]]:
    return [each.brief() for each in known_datasets(request.query_params.get("search", "")[:200])]


@answering
async def dataset(request: Request) -> dict[str, Any]:
    try:
        return known_dataset(request.path_params["name"]).to_dict()
    except BadClaim as error:
        raise Refused(404, "dataset", str(error)) from None


@answering
async def verify(request: Request) -> Any:
    limit = settings_of(request).hard_limit(10)
    return (await while_connected(request, "verify", limit, verdict=await text_of(request)))["json"]


@answering
async def scores(request: Request) -> list[dict[str, Any]]:
    return listing()


@answering
async def openapi(request: Request) -> dict[str, Any]:
    return description()


ROUTES = [
    Route("/openapi.json", openapi),
    Route("/api/check", check, methods=["POST"]),
    Route("/api/verify", verify, methods=["POST"]),
    Route("/api/reconstruct", reconstruct, methods=["POST"]),
    Route("/api/explain", explain, methods=["POST"]),
    Route("/api/bundle", bundle, methods=["POST"]),
    Route("/api/table", table, methods=["POST"]),
    Route("/api/datasets", datasets),
    Route("/api/datasets/{name}", dataset),
    Route("/api/scores", scores),
]
