"""The application: routes, guard, and the life of the worker processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from scoreproof.errors import BadClaim
from scoreproof.web import access, api, bundling, first, many, pages, papers, progress, review
from scoreproof.web.desk import Desk, Died, Refused, Working
from scoreproof.web.guard import Guard, is_api, refusal
from scoreproof.web.settings import Settings
from scoreproof.web.tools.routes import TOOL_ROUTES

WORDS = {404: "there is nothing at this address", 405: "this address does not take such requests"}


def make_app(settings: Settings | None = None) -> Starlette:
    """The web application with these settings."""
    settings = settings or Settings()

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[dict[str, Desk]]:
        async with Desk(settings) as desk:
            yield {"desk": desk}

    return Starlette(
        routes=[
            *(access.ROUTES + api.ROUTES + first.ROUTES + pages.ROUTES + progress.ROUTES),
            *(bundling.ROUTES + many.ROUTES + review.ROUTES + papers.ROUTES + TOOL_ROUTES),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={HTTPException: _refused, BadClaim: _damaged, Working: progress.waiting},
        lifespan=life,
    )


async def _refused(request: Request, error: Exception) -> Response:
    """What is not served, or wrong, said in the language of the place."""
    assert isinstance(error, HTTPException)
    status, field, message = error.status_code, "request", WORDS.get(error.status_code, "this cannot be done")
    if isinstance(error, Refused):
        field, message = error.field, error.detail
    if is_api(request.url.path):
        response = api.as_json(refusal(field, message), status)
    elif isinstance(error, Died):
        response = progress.ended_badly(error)
    else:
        response = pages.page("error", status, message=message)
    response.headers.update(error.headers or {})
    return response


async def _damaged(request: Request, error: Exception) -> Response:
    """An address that cannot be unpacked."""
    assert isinstance(error, BadClaim)
    return pages.page("error", 400, message=error.problem)
