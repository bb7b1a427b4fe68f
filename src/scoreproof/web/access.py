"""Who asks, whether they may, and how much: the token of a shared server, and limits for each client."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import Request, cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from scoreproof.web.desk import CLIENT, Refused, desk_of
from scoreproof.web.pages import fields_of, page
from scoreproof.web.settings import Settings

#: The name of the cookie of those who signed in, and for how many seconds it holds.
COOKIE, HOLDS = "scoreproof", 30 * 24 * 3600
#: What can be had without signing in.
OPEN = ("/sign-in", "/static/")
#: Requests that a wrong token counts for.
WRONG = 20
#: Clients that are remembered.
MOST_CLIENTS = 10_000


def client_of(scope: Scope, headers: Headers, settings: Settings) -> str:
    """The address of the client; behind a proxy it is the one that the proxy saw, which it adds last."""
    told = headers.getlist("x-forwarded-for") if settings.proxy else []
    last = told[-1].rpartition(",")[2].strip() if told else ""
    return last[:64] or (scope.get("client") or ("", 0))[0]


def pass_of(token: str) -> str:
    """What the cookie holds: it shows that its owner knew the token, and does not tell it."""
    return hmac.new(token.encode(), b"scoreproof: signed in", "sha256").hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two texts are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def known(headers: Headers, settings: Settings) -> bool:
    """Whether the request carries the token, or the cookie of those who signed in with it."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return same(given.strip(), settings.token)
    return same(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""), pass_of(settings.token))


def sign_in_first(path: str, query: str) -> Response:
    """The way to the sign-in form, and back to where one wanted to go."""
    wanted = path + (f"?{query}" if query else "")
    return RedirectResponse(f"/sign-in?to={quote(wanted, safe='')}", 303)


@dataclass(slots=True)
class Buckets:
    """How many requests each client may send: so many a second, and a number at once after a pause."""

    a_second: float
    at_once: float
    held: dict[str, tuple[float, float]] = field(default_factory=dict)  # what was left, and when

    def take(self, client: str, requests: float = 1) -> float:
        """Count requests; the seconds to wait where they are too many, else 0."""
        now = monotonic()
        left, since = self.held.pop(client, (self.at_once, now))
        left = min(self.at_once, left + (now - since) * self.a_second) - requests
        self.held[client] = max(left, -self.at_once), now
        if len(self.held) > MOST_CLIENTS:
            del self.held[next(iter(self.held))]
        return 0.0 if left >= 0 else -left / self.a_second


# -- signing in ----------------------------------------------------------------


def _inside(address: str) -> str:
    """The address if it is one of this server, else the first page."""
    inside = address.startswith("/") and not address.startswith(("//", "/\\", "/sign-in"))
    return address if inside and address.isprintable() else "/"


async def ask(request: Request) -> Response:
    if not desk_of(request).settings.token:
        return RedirectResponse("/", 303)
    return page("sign_in", to=_inside(request.query_params.get("to", "/")), wrong=False)


async def take(request: Request) -> Response:
    settings = desk_of(request).settings
    if not settings.token:
        raise Refused(404, "request", "there is nothing to sign in to: this server is for this machine alone")
    given = dict(await fields_of(request))
    to = _inside(given.get("to", "/"))
    if not same(given.get("token", "").strip(), settings.token):
        request.state.buckets.take(CLIENT.get(), WRONG)
        return page("sign_in", 403, to=to, wrong=True)
    answer = RedirectResponse(to, 303)
    secure = request.headers.get("x-forwarded-proto") == "https" if settings.proxy else False
    answer.set_cookie(COOKIE, pass_of(settings.token), HOLDS, httponly=True, samesite="strict", secure=secure)
    return answer


async def leave(request: Request) -> Response:
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer


ROUTES = [
    Route("/sign-in", ask),
    Route("/sign-in", take, methods=["POST"]),
    Route("/sign-out", leave, methods=["POST"]),
]
