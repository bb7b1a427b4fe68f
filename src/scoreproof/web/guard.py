"""Who may ask, how much may be sent, and what every answer carries."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scoreproof.web.settings import Settings

#: Names this machine goes by when it talks to itself.  A page elsewhere that makes its own name
#: point here (DNS rebinding) still sends that name, and is refused.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def is_api(path: str) -> bool:
    return path.startswith("/api/")


def refusal(field: str, message: str) -> dict[str, Any]:
    """What is refused, as the command line words it."""
    return {"format": 1, "error": {"field": field, "message": message}}


class _TooLarge(Exception):
    pass


class Guard:
    """Refuses foreign hosts and origins and bodies that are too large; adds headers to the rest."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        uploads = scope["path"] in ("/batch", "/review", "/scan", "/api/scan")
        limit = self.settings.largest_upload if uploads else self.settings.largest_body
        seen = 0
        started = False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise _TooLarge
            return message

        async def dressed(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        async def refuse(status: int, message: str) -> None:
            if is_api(scope["path"]):
                body, kind = json.dumps(refusal("request", message)), "application/json"
            else:
                body, kind = f"scoreproof: {message}\n", "text/plain"
            await Response(body, status, media_type=kind)(scope, receive, dressed)

        too_large = 413, f"more than {limit // 2**20} MiB were sent, which is more than this page takes"
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if _name(f"//{headers.get('host', '')}") not in LOOPBACK:
            await refuse(400, "this server answers only to 127.0.0.1 and localhost")
        elif scope["method"] not in ("GET", "HEAD") and _foreign(headers):
            await refuse(403, "requests from other sites are refused")
        elif not length.isdecimal() or len(length) > 15 or int(length) > limit:
            await refuse(*too_large)
        else:
            try:
                await self.app(scope, counted, dressed)
            except _TooLarge:
                if started:
                    raise
                await refuse(*too_large)


def _foreign(headers: Headers) -> bool:
    """Whether a page of another site sent this."""
    origin = headers.get("origin", "")
    elsewhere = origin not in ("", "null") and _name(origin) not in LOOPBACK
    return elsewhere or headers.get("sec-fetch-site") == "cross-site"


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
