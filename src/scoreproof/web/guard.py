"""Who may ask, how much may be sent in what time, and what every answer carries."""

from __future__ import annotations

import asyncio
import json
import logging
from math import ceil
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scoreproof.web.access import OPEN, Buckets, client_of, known, sign_in_first
from scoreproof.web.desk import CLIENT
from scoreproof.web.pages import page
from scoreproof.web.settings import Settings

#: One line for each request, at level INFO, and for what went wrong.
logger = logging.getLogger("scoreproof.web")

#: Names this machine goes by when it talks to itself.  A page elsewhere that makes its own name
#: point here (DNS rebinding) still sends that name, and is refused.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
#: Addresses that take files, and where their forms stand.
UPLOADS = ("/batch", "/review", "/scan", "/api/scan", "/verify", "/api/verify")
#: What is thrown away of a body that is too large, so that a client reads why: bytes and seconds.
MOST_UNREAD, LONGEST_UNREAD = 2**28, 20.0
#: The status that is logged for a client that went away.
GONE = 499

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


class _TooSlow(Exception):
    pass


class Guard:
    """Refuses whoever may not ask, and bodies that are too large or too slow; adds headers to the rest."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.names = LOOPBACK | settings.hosts
        self.buckets = Buckets(settings.requests_a_second, settings.requests_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visit = _Visit(scope, receive, send, self.settings)
        CLIENT.set(visit.client)
        scope.setdefault("state", {})["buckets"] = self.buckets
        refused = self.refused(visit)
        try:
            if refused is not None:
                await visit.answer(refused)
            else:
                await self.app(scope, visit.receive, visit.send)
        except (_TooLarge, _TooSlow) as error:
            if not visit.status:
                await visit.answer(visit.too_large() if isinstance(error, _TooLarge) else visit.too_slow())
        except ClientDisconnect:
            visit.status = visit.status or GONE
        finally:
            # The query of an address may hold a claim, which is nobody's business.
            took = 1000 * (monotonic() - visit.began)
            path = "".join(c if c.isprintable() and c != " " else "?" for c in scope["path"][:200])
            logger.info("%s %s %d %.0f ms", scope["method"], path, visit.status or GONE, took)

    def refused(self, visit: _Visit) -> Response | None:
        """The answer to a request that is not let through."""
        settings, headers, scope = self.settings, visit.headers, visit.scope
        length = headers.get("content-length", "0")
        if _name(f"//{headers.get('host', '')}") not in self.names:
            known_as = " and ".join(sorted(settings.hosts)) or "127.0.0.1 and localhost"
            port = (scope.get("server") or ("", 0))[1]
            home = "/" if settings.hosts else f"http://127.0.0.1:{port}/"
            return visit.refusal(400, f"this server answers only to {known_as}", home)
        if settings.requests_a_second and (wait := self.buckets.take(visit.client)):
            seconds = ceil(wait)
            more = f"that were too many requests at once; wait {seconds} seconds, then look again"
            answer = visit.refusal(429, more)
            answer.headers["retry-after"] = str(seconds)
            return answer
        if settings.token and not scope["path"].startswith(OPEN) and not known(headers, settings):
            if scope["method"] in ("GET", "HEAD") and not visit.for_program:
                return sign_in_first(scope["path"], scope["query_string"].decode("latin-1"))
            answer = visit.refusal(401, "this needs the server's token; sign in", "/sign-in")
            answer.headers["www-authenticate"] = "Bearer"
            return answer
        if scope["method"] not in ("GET", "HEAD") and _foreign(headers, self.names):
            return visit.refusal(403, "requests from other sites are refused")
        if not length.isdecimal() or len(length) > 15 or int(length) > visit.limit:
            return visit.too_large()
        return None


class _Visit:
    """One request and its answer: what has come, what was sent, and how long it took."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, settings: Settings) -> None:
        self.scope, self.settings, self._receive, self._send = scope, settings, receive, send
        self.headers = Headers(scope=scope)
        self.client = client_of(scope, self.headers, settings)
        self.limit = settings.largest_upload if scope["path"] in UPLOADS else settings.largest_body
        self.began = monotonic()
        self.seen = 0
        self.complete = False  # whether the whole body has come
        self.status = 0  # of the answer, once it has begun

    @property
    def for_program(self) -> bool:
        """Whether the answer is for a program, and not for a person's eyes."""
        return is_api(self.scope["path"]) or "text/html" not in self.headers.get("accept", "text/html")

    async def receive(self) -> Message:
        """The next piece of the body, as long as it comes soon and is not too much."""
        if self.complete:
            return await self._receive()  # that the client went away
        try:
            message = await asyncio.wait_for(self._receive(), self.settings.longest_pause)
        except TimeoutError:
            raise _TooSlow from None
        self.complete = not message.get("more_body", False)
        self.seen += len(message.get("body", b""))
        if self.seen > self.limit:
            raise _TooLarge
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)

    def refusal(self, status: int, message: str, back: str = "/") -> Response:
        """Why the request is refused, in the language of the place."""
        if is_api(self.scope["path"]):
            return Response(json.dumps(refusal("request", message)), status, media_type="application/json")
        if "text/html" in self.headers.get("accept", ""):
            return page("error", status, message=message[:1].upper() + message[1:] + ".", back=back)
        return Response(f"scoreproof: {message}\n", status, media_type="text/plain")

    def too_large(self) -> Response:
        path = self.scope["path"]
        more = f"more than {self.limit // 2**20} MiB were sent, which is more than this page takes"
        return self.refusal(413, more, path if path in UPLOADS and not is_api(path) else "/")

    def too_slow(self) -> Response:
        more = f"nothing came for {self.settings.longest_pause:.0f} seconds; send it again"
        return self.refusal(408, more)

    async def answer(self, response: Response) -> None:
        """Send what is not the application's, once a client that still sends is able to read it."""
        if response.status_code == 413:
            await self._throw_away()
        if response.status_code in (408, 413):
            response.headers["connection"] = "close"
        await response(self.scope, self._receive, self.send)

    async def _throw_away(self) -> None:
        until = self.began + LONGEST_UNREAD
        while not self.complete and self.seen < MOST_UNREAD and (left := until - monotonic()) > 0:
            try:
                message = await asyncio.wait_for(self._receive(), left)
            except TimeoutError:
                return
            self.complete = not message.get("more_body", False)
            self.seen += len(message.get("body", b""))


def _foreign(headers: Headers, names: frozenset[str]) -> bool:
    """Whether a page of another site sent this."""
    origin = headers.get("origin", "")
    elsewhere = origin not in ("", "null") and _name(origin) not in names
    return elsewhere or headers.get("sec-fetch-site") == "cross-site"


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
