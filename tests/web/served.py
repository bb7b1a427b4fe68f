"""A real server on this machine for as long as a test needs it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from scoreproof.web.app import make_app
from scoreproof.web.serving import server as made
from scoreproof.web.settings import Settings


@contextmanager
def serving(settings: Settings | None = None) -> Iterator[str]:
    """The address of a server, which is ended afterwards."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = made(make_app(settings), grace=2)
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


@contextmanager
def program(*options: str, **environment: str) -> Iterator[tuple[str, Path]]:
    """The address of `scoreproof serve`, and where its messages go."""
    folder = tempfile.TemporaryDirectory()
    log = Path(folder.name) / "log"
    command = [sys.executable, "-m", "scoreproof", "serve", "--port", "0", "--no-browser", *options]
    with open(log, "wb") as errors:
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **environment}
        )
    assert server.stdout is not None
    try:
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address is not None, log.read_text()
        yield address.group().rstrip("/"), log
    finally:
        server.terminate()
        server.wait(30)
        server.stdout.close()
        folder.cleanup()


def until_it_answers(address: str) -> None:
    """Come back once a server that was just started answers."""
    end = time.monotonic() + 120
    while True:
        try:
            httpx.get(address, timeout=10)
            return
        except httpx.HTTPError:
            assert time.monotonic() < end
            time.sleep(0.1)
