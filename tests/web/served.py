"""A real server on this machine for as long as a test needs it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import uvicorn

from scoreproof.web.app import make_app
from scoreproof.web.settings import Settings


@contextmanager
def serving(settings: Settings | None = None) -> Iterator[str]:
    """The address of a server, which is ended afterwards."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    config = uvicorn.Config(
        make_app(settings), log_level="warning", ws="none", lifespan="on", timeout_graceful_shutdown=2
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        until = time.monotonic() + 120
        while not server.started:
            assert thread.is_alive() and time.monotonic() < until, "the server did not start"
            time.sleep(0.05)
        yield address
    finally:
        server.should_exit = True
        thread.join(60)
        listening.close()


def finished(client: httpx.Client, page: httpx.Response | str) -> httpx.Response:
    """The page once it no longer says that it is still working, however long that takes."""
    answer = client.get(page) if isinstance(page, str) else page
    while answer.status_code == 202:
        answer = client.get(str(answer.url))
    return answer
