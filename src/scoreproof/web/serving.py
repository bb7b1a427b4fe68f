"""The server under the application: connections that must not dawdle, and one line for each event."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from traceback import extract_tb
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds for the head of a request (also the first, of a new connection), for all of a request, and for a
#: client to take what it is sent.
HEAD, WHOLE, TAKING = 15.0, 600.0, 120.0


class Patient(H11Protocol):
    """HTTP for clients that keep to the time; others are cut off, at whatever stage they dawdle."""

    head, whole, taking = HEAD, WHOLE, TAKING
    reading: asyncio.TimerHandle | None = None
    writing: asyncio.TimerHandle | None = None
    stage: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._stage("head")

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        state = self.conn.their_state
        self._stage("head" if state is h11.IDLE else "body" if state is h11.SEND_BODY else None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE:
            self._stage(None)  # the time between two requests is looked after already

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stage(None)
        self._taken()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.writing = self.writing or self.loop.call_later(self.taking, self._cut_off)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken()

    def _stage(self, stage: object) -> None:
        """Start the clock of a new stage; within one it goes on."""
        if stage == self.stage:
            return
        self.stage = stage
        if self.reading is not None:
            self.reading.cancel()
        seconds = {"head": self.head, "body": self.whole}.get(str(stage))
        self.reading = None if seconds is None else self.loop.call_later(seconds, self._cut_off)

    def _taken(self) -> None:
        if self.writing is not None:
            self.writing.cancel()
            self.writing = None

    def _cut_off(self) -> None:
        logging.getLogger("scoreproof.web").info("a connection that took too long was closed")
        self.transport.abort()


class OneLine(logging.Formatter):
    """An event in a line: when, and what; of an exception its place as well."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%S%z")

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(super().format(record).split("\n"))

    def formatException(self, ei: Any) -> str:
        kind, error, trace = ei
        last = extract_tb(trace)[-1:]
        place = f" ({last[0].filename}, line {last[0].lineno})" if last else ""
        return f"{kind.__name__}: {error}{place}" if kind else ""


def log(requests: bool) -> None:
    """Write what goes wrong, and each request if wanted, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # what is sent may be any nonsense
    for name, level in (("uvicorn.error", logging.ERROR), ("scoreproof.web", logging.INFO)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level if name == "uvicorn.error" or requests else logging.WARNING)


def server(app: Starlette, grace: int = 3) -> uvicorn.Server:
    """A server for the application; it trusts no header that says who the client is."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Patient,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=grace,
        )
    )


def serve(app: Starlette, listening: socket.socket, requests: bool = False) -> None:
    """Answer until Ctrl-C."""
    log(requests)
    server(app).run(sockets=[listening])
