"""``scoreproof serve``: the page in the browser, and the JSON API."""

from __future__ import annotations

from dataclasses import replace

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
  scoreproof serve --allow-host lab.example.org --proxy --log   (token in SCOREPROOF_TOKEN)

The page is reached at http://127.0.0.1:8765/ from this machine only; nothing leaves it, nothing is
recorded, and no network is needed. The JSON API stands beside it, described at /openapi.json.
Others can reach it only with a token: --host, --allow-host and --proxy need one. Ctrl-C ends it.
"""

HOST = "127.0.0.1"
LOCAL, EVERYWHERE = ("127.0.0.1", "localhost", "::1"), ("0.0.0.0", "::")
#: The shortest token that nobody guesses.
SHORTEST = 16
#: What one client of a shared server may ask for: requests a second, and pieces of work at a time.
A_SECOND, AT_A_TIME = 10.0, 80


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
@click.option(
    "--files",
    type=click.Path(exists=True, file_okay=False),
    help="A folder whose files may be opened by typing their name into the page.",
)
@click.option("--host", default=HOST, show_default=True, help="The address to listen at.")
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="A name the server goes by, such as the proxy's."
)
@click.option(
    "--token", envvar="SCOREPROOF_TOKEN", default="", help="What others must know (or SCOREPROOF_TOKEN)."
)
@click.option("--proxy", is_flag=True, help="A proxy is in front: believe its X-Forwarded-For.")
@click.option("--log", is_flag=True, help="One line for each request, without the claim in it.")
def serve(
    port: int,
    no_browser: bool,
    timeout: float,
    workers: int,
    files: str | None,
    host: str,
    allow_host: tuple[str, ...],
    token: str,
    proxy: bool,
    log: bool,
) -> None:
    """Start a local web page to check claims, and a JSON API.

    Only this machine can reach it, unless a token is given. It needs the web extra: pip install
    "scoreproof[web]".
    """
    import socket
    import threading
    import webbrowser

    if not 0 < timeout < 10**6:
        raise BadClaim("--timeout", f"expected a number of seconds above 0, found {timeout}")
    elsewhere = host not in LOCAL
    if files and token:
        raise BadClaim("--files", "is for a page that only this machine can reach: leave it out beside a token")
    _let_in(host, allow_host, token, proxy)
    try:
        from scoreproof.web import serving
        from scoreproof.web.app import make_app
        from scoreproof.web.settings import Settings
    except ImportError as error:
        why = f'the page needs more packages ({error.name}): pip install "scoreproof[web]"'
        raise BadClaim("serve", why) from None
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        why = f"cannot use port {port} of {host} ({error.strerror}); choose another, or 0 for any"
        raise BadClaim("--port", why) from None
    names = frozenset(name.lower() for name in (*allow_host, *([host] if elsewhere else [])))
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}/"
    click.echo(f"scoreproof: open {address} in a browser; Ctrl-C ends it")
    if not no_browser and not elsewhere:
        # A little later, when the server answers; it must not wait for the browser.
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    settings = Settings(
        timeout=timeout, workers=workers, files=files or "", hosts=names, token=token, proxy=proxy
    )
    if token:
        settings = replace(settings, requests_a_second=A_SECOND, most_under_way=AT_A_TIME)
    serving.serve(make_app(settings), listening, requests=log)


def _let_in(host: str, allow_host: tuple[str, ...], token: str, proxy: bool) -> None:
    """Refuse what would let in others without a token that nobody guesses."""
    elsewhere = host not in LOCAL
    if (elsewhere or allow_host or proxy) and not token:
        option = "--host" if elsewhere else "--allow-host" if allow_host else "--proxy"
        raise BadClaim(option, "lets others in, so it needs a token: set SCOREPROOF_TOKEN, or give --token")
    if host in EVERYWHERE and not allow_host:
        raise BadClaim("--host", "is every address of this machine: say with --allow-host how it is called")
    if token and len(token) < SHORTEST:
        raise BadClaim("--token", f"expected at least {SHORTEST} characters, found {len(token)}")
