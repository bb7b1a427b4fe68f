"""``scoreproof verify``: replay a verdict."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

import scoreproof
from scoreproof.cli.command import Failing
from scoreproof.cli.data import from_option
from scoreproof.errors import BadClaim


@click.command()
@click.argument("verdict", metavar="VERDICT.json")
@from_option
def verify(verdict: str) -> None:
    """Replay a verdict printed by `scoreproof check --json`.

    The verifier knows nothing of the engines: it recomputes every figure of a witness, and
    every step of a proof, in exact arithmetic. - reads standard input. Exit code: 0 if the
    verdict is confirmed, 1 if it is refused, 2 if it cannot be read.
    """
    with Failing():
        if verdict == "-":
            text = sys.stdin.read()
        else:
            try:
                text = Path(verdict).read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                raise BadClaim("verdict", f"cannot read {verdict}: {error}") from None
        text = text.lstrip("\ufeff \t\r\n")
        if not text.startswith("{"):
            raise BadClaim("verdict", "expected the JSON printed by `scoreproof check --json`")
        confirmed = scoreproof.verify(text)
        said = json.loads(text)["verdict"]
    if not confirmed:
        click.echo(f"Refused: what this file carries does not prove that the claim is {said}.")
        sys.exit(1)
    if said == "undecided":
        click.echo("Confirmed: the verdict is undecided and claims nothing.")
    else:
        how = "its witness gives every figure" if said == "consistent" else "every step of its proof holds"
        click.echo(f"Confirmed: {said}; {how}.")
