"""Who may ask, how much may be sent, and what every answer carries."""

from __future__ import annotations

import json
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scoreproof.web.settings import Settings

#: Names this machine goes by when it talks to itself.  A page elsewhere that makes its own name
#: point here (DNS rebinding) still sends that name, and is refused.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

#: Where more than a claim is uploaded.
UPLOADS = ("/batch",)


class Guard:
    """Refuses foreign hosts and origins and bodies that are too large; adds headers to the rest."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {key.lower(): value for key, value in scope["headers"]}
        fault = self._fault(scope, headers)
        if fault is not None:
            await _refuse(scope, send, *fault)
            return
        limit = self._limit(scope["path"])
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
                given = {key.lower() for key, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in HEADERS if each[0] not in given)]
            await send(message)

        try:
            await self.app(scope, counted, dressed)
        except _TooLarge:
            if started:
                raise
            await _refuse(scope, send, 413, _too_large(limit))

    def _limit(self, path: str) -> int:
        return self.settings.largest_upload if path in UPLOADS else self.settings.largest_body

    def _fault(self, scope: Scope, headers: MutableMapping[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if _name(f"//{host}") not in LOOPBACK:
            return 400, "this server answers only to 127.0.0.1 and localhost"
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get(b"origin", b"").decode("latin-1")
            if origin and origin != "null" and _name(origin) not in LOOPBACK:
                return 403, "requests from other sites are refused"
            if headers.get(b"sec-fetch-site", b"") == b"cross-site":
                return 403, "requests from other sites are refused"
        length = headers.get(b"content-length", b"0").decode("latin-1")
        limit = self._limit(scope["path"])
        if not length.isdecimal() or len(length) > 15 or int(length) > limit:
            return 413, _too_large(limit)
        return None


class _TooLarge(Exception):
    pass


def _too_large(limit: int) -> str:
    return f"more than {limit // 2**20} MiB were sent, which is more than this page takes"


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _refuse(scope: Scope, send: Send, status: int, message: str) -> None:
    as_json = scope["path"].startswith("/api/")
    refusal: dict[str, Any] = {"format": 1, "error": {"field": "request", "message": message}}
    body = (json.dumps(refusal) if as_json else f"scoreproof: {message}\n").encode()
    kind = b"application/json" if as_json else b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
