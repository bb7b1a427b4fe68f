"""``scoreproof cases``: the published cases."""

from __future__ import annotations

import json

import click

import scoreproof
from scoreproof.cli.terminal import Failing, console_here, working
from scoreproof.cli.verdicts import show
from scoreproof.errors import BadClaim


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def cases(name: str | None, as_json: bool) -> None:
    """Check the published cases that come with scoreproof.

    Without a NAME all of them are checked, each with its citation.
    """
    from scoreproof.cases import published

    with Failing(as_json):
        found = published()
        if name is not None and name not in found:
            raise BadClaim("name", f"no published case is called {name!r} (there are: {', '.join(found)})")
        chosen = found if name is None else {name: found[name]}
        if as_json:
            with working("checking the published cases"):
                verdicts = {key: scoreproof.check(path).to_dict() for key, path in chosen.items()}
            click.echo(json.dumps(verdicts, ensure_ascii=False, indent=2))
            return
        console = console_here()
        for key, path in chosen.items():
            console.rule(f"[bold]{key}", align="left", style="dim")
            with working("checking"):  # each is shown as soon as it is decided
                verdict = scoreproof.check(path)
            show(console, verdict)
            console.print()
