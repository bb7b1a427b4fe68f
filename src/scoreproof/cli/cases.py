"""``scoreproof cases``: the published cases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

import scoreproof
from scoreproof.cli.command import Answer, command
from scoreproof.cli.terminal import say, working
from scoreproof.cli.verdicts import show
from scoreproof.errors import BadClaim


@command(json="the verdicts")
@click.argument("name", required=False)
def cases(name: str | None) -> Answer:
    """Check the published cases that come with scoreproof.

    Without a NAME all of them are checked, each with its citation.
    """
    from scoreproof.cases import published

    found = published()
    if name is not None and name not in found:
        raise BadClaim("name", f"no published case is called {name!r} (there are: {', '.join(found)})")
    chosen = found if name is None else {name: found[name]}

    def data() -> object:
        with working("checking the published cases"):
            return {key: scoreproof.check(path).to_dict() for key, path in chosen.items()}

    return Answer(data, lambda: _show(chosen))


def _show(chosen: Mapping[str, Path]) -> None:
    from rich.rule import Rule
    from rich.text import Text

    for key, path in chosen.items():
        say(Rule(Text(key, "bold"), align="left", style="dim"))
        with working("checking"):  # each is shown as soon as it is decided
            verdict = scoreproof.check(path)
        show(verdict)
        say()
