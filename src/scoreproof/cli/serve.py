"""``scoreproof serve``: the page in the browser, and the JSON API."""

from __future__ import annotations

import click

from scoreproof.api import TIMEOUT
from scoreproof.cli.command import command
from scoreproof.errors import BadClaim

EXAMPLES = """
\b
Examples:
  scoreproof serve
  scoreproof serve --port 9000 --no-browser
  scoreproof serve --timeout 60 --workers 4

The page is reached at http://127.0.0.1:8765/ from this machine only; nothing leaves it, nothing is
recorded, and no network is needed. The JSON API stands beside it, described at /openapi.json.
Ctrl-C ends it.
"""

HOST = "127.0.0.1"


@command(epilog=EXAMPLES)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes any free port."
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@click.option("--timeout", type=float, default=TIMEOUT, show_default=True, help="Seconds a claim may take.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Processes for quick work, and as many for slow.",
)
def serve(port: int, no_browser: bool, timeout: float, workers: int) -> None:
    """Start a local web page to check claims, and a JSON API.

    Only this machine can reach it. It needs the web extra: pip install "scoreproof[web]".
    """
    import socket
    import threading
    import webbrowser

    if not 0 < timeout < 10**6:
        raise BadClaim("--timeout", f"expected a number of seconds above 0, found {timeout}")
    try:
        import uvicorn

        from scoreproof.web.app import make_app
        from scoreproof.web.settings import Settings
    except ImportError as error:
        why = f'the page needs more packages ({error.name}): pip install "scoreproof[web]"'
        raise BadClaim("serve", why) from None
    try:
        listening = socket.create_server((HOST, port))  # this machine alone
    except OSError as error:
        why = f"cannot use port {port} ({error.strerror}); choose another, or 0 for any"
        raise BadClaim("--port", why) from None
    address = f"http://{HOST}:{listening.getsockname()[1]}/"
    click.echo(f"scoreproof: open {address} in a browser; Ctrl-C ends it")
    if not no_browser:
        # A little later, when the server answers; it must not wait for the browser.
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    app = make_app(Settings(timeout=timeout, workers=workers))
    config = uvicorn.Config(
        app, log_level="warning", ws="none", server_header=False, timeout_graceful_shutdown=3
    )
    uvicorn.Server(config).run(sockets=[listening])
