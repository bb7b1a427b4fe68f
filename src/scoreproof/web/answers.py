"""From a request to a worker and back."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from scoreproof.web.settings import Settings
from scoreproof.web.work import Busy, Pool, Stopped


@dataclass(frozen=True)
class Refused(Exception):
    """Something that gets no answer: an HTTP status, the field that is wrong, and the reason."""

    status: int
    field: str
    message: str
    position: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"format": 1, "error": {"field": self.field, "message": self.message}}


def pool_of(request: Request) -> Pool:
    pool: Pool = request.app.state.pool
    return pool


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def compute(
    pool: Pool, do: str, limit: float, notify: Any = None, long: bool = False, **given: Any
) -> dict[str, Any]:
    """What a worker found out, or Refused."""
    try:
        message = await pool.run({"do": do, "with": given}, limit=limit, notify=notify, long=long)
    except Busy:
        raise Refused(429, "request", "too much is waiting already; try again in a moment") from None
    except Stopped as stopped:
        raise Refused(
            422, "claim", f"claim: {stopped}; say more about the set-up, or use the command line with more time"
        ) from None
    if "error" in message:
        error = message["error"]
        raise Refused(422, error["field"], error["message"], error.get("position"))
    if "bug" in message:
        raise Refused(
            500, "scoreproof", f"scoreproof: an unexpected problem, please report the claim ({message['bug']})"
        )
    answer: dict[str, Any] = message["answer"]
    return answer


async def while_connected(request: Request, do: str, limit: float, **given: Any) -> dict[str, Any]:
    """The same, stopped when the one who asked goes away."""
    work = asyncio.ensure_future(compute(pool_of(request), do, limit, **given))
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise Refused(499, "request", "stopped, since nobody waits for the answer any more")
        return work.result()
    finally:
        gone.cancel()
        work.cancel()
        await asyncio.gather(work, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def text_of(request: Request) -> str:
    """The body as text."""
    data = await request.body()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(422, "claim", f"claim: not UTF-8 text (byte {error.start})") from None
