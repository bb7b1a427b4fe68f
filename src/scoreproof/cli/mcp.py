"""``scoreproof mcp``: tools for an assistant, over standard input and output."""

from __future__ import annotations

import asyncio

import click

from scoreproof.api import TIMEOUT
from scoreproof.cli.command import command
from scoreproof.errors import BadClaim

EXAMPLES = """
\b
Examples:
  scoreproof mcp
  scoreproof mcp --files papers
  scoreproof mcp --timeout 60 --workers 2

\b
An assistant starts it by itself; in the file with its servers this stands:
  {"mcpServers": {"scoreproof": {"command": "scoreproof", "args": ["mcp"]}}}

It speaks the Model Context Protocol over standard input and output, opens no port and no file
outside the folder of --files, and writes nothing. It ends when its input ends.
"""


@command(epilog=EXAMPLES)
@click.option("--timeout", type=float, default=TIMEOUT, show_default=True, help="Seconds a claim may take.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes for quick work, and as many for slow.",
)
@click.option(
    "--files",
    type=click.Path(exists=True, file_okay=False),
    help="A folder whose documents the tool scan may open by their name.",
)
def mcp(timeout: float, workers: int, files: str | None) -> None:
    """Give an assistant the tools to check scores with a proof.

    It needs the mcp extra: pip install "scoreproof[mcp]".
    """
    if not 0 < timeout < 10**6:
        raise BadClaim("--timeout", f"expected a number of seconds above 0, found {timeout}")
    try:
        from scoreproof.mcp.server import serve
        from scoreproof.web.settings import Settings
    except ImportError as error:
        why = f'it needs more packages ({error.name}): pip install "scoreproof[mcp]"'
        raise BadClaim("mcp", why) from None
    asyncio.run(serve(Settings(timeout=timeout, workers=workers, files=files or "")))
