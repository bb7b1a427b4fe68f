"""The application: routes, guard, and the life of the worker processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from scoreproof.web import api, bundling, many, pages
from scoreproof.web.answers import Refused
from scoreproof.web.guard import Guard
from scoreproof.web.settings import Settings
from scoreproof.web.store import Store
from scoreproof.web.work import Pool


def make_app(settings: Settings | None = None) -> Starlette:
    """The web application with these settings."""
    settings = settings or Settings()

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        app.state.settings = settings
        app.state.pool = Pool(quick=settings.workers, slow=settings.workers, patience=settings.patience)
        app.state.store = Store()
        await app.state.pool.open()
        try:
            yield
        finally:
            await app.state.store.close()
            await app.state.pool.close()

    return Starlette(
        routes=[*api.ROUTES, *pages.ROUTES, *bundling.ROUTES, *many.ROUTES],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={HTTPException: _not_served},
        lifespan=life,
    )


async def _not_served(request: Request, error: Exception) -> Response:
    """A wrong address or method, said in the language of the place."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {404: "there is nothing at this address", 405: "this address does not take such requests"}
    message = words.get(status, "this cannot be done")
    if request.url.path.startswith("/api/"):
        response = api.as_json(Refused(status, "request", message).to_dict(), status)
    else:
        response = pages.page("error", status, message=message)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)
    return response
