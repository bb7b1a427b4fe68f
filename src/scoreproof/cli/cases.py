"""``scoreproof cases``: the published cases."""

from __future__ import annotations

import click

import scoreproof
from scoreproof.cli.command import command, json_option, print_json
from scoreproof.cli.terminal import console_here, working
from scoreproof.cli.verdicts import show
from scoreproof.errors import BadClaim


@command()
@click.argument("name", required=False)
@json_option("the verdicts")
def cases(name: str | None, as_json: bool) -> None:
    """Check the published cases that come with scoreproof.

    Without a NAME all of them are checked, each with its citation.
    """
    from scoreproof.cases import published

    found = published()
    if name is not None and name not in found:
        raise BadClaim("name", f"no published case is called {name!r} (there are: {', '.join(found)})")
    chosen = found if name is None else {name: found[name]}
    if as_json:
        with working("checking the published cases"):
            print_json({key: scoreproof.check(path).to_dict() for key, path in chosen.items()})
        return
    from rich.text import Text

    console = console_here()
    for key, path in chosen.items():
        console.rule(Text(key, "bold"), align="left", style="dim")
        with working("checking"):  # each is shown as soon as it is decided
            verdict = scoreproof.check(path)
        show(console, verdict)
        console.print()
