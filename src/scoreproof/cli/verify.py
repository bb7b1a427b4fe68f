"""``scoreproof verify``: replay a verdict, and say what was confirmed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import from_option
from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.errors import BadClaim, shorten
from scoreproof.insight.replaying import replay
from scoreproof.verifier import LONGEST as LARGEST_VERDICT
from scoreproof.verifier import read_verdict


@command(json="what was confirmed")
@click.argument("verdict", metavar="VERDICT.json | CASE.zip")
@click.option(
    "--against", metavar="CLAIM", help="The claim you hold, JSON or TOML: a verdict about another is refused."
)
@from_option
def verify(verdict: str, against: str | None) -> Answer:
    """Replay a verdict printed by `scoreproof check --json`, or put into an archive by `scoreproof dossier`.

    The verifier knows nothing of the engines: it recomputes every figure of a witness, and
    every step of a proof, in exact arithmetic. It then says what it confirmed: the counts and
    figures that stand in the verdict, and what was assumed; with --against CLAIM it compares
    them with yours. - reads standard input. Exit code: 0 if the verdict is confirmed, 1 if it is
    refused, 2 if it cannot be read or its proof takes too long to follow.
    """
    mine: Path | str | None = Path(against) if against else None
    if verdict.endswith(".zip"):
        from scoreproof.insight.display.dossier import CLAIM, VERDICT

        data = read_verdict(_packed(verdict, VERDICT))
        mine = _packed(verdict, CLAIM) if against is None else mine
    else:
        data = read_verdict(_text(verdict))
    found = replay(data, mine)

    def show() -> None:
        click.echo(found.sentence)
        for line in found.about:
            click.echo(f"  {line}")

    return Answer(found.to_dict, show, CONSISTENT if found.confirmed else INCONSISTENT)


def _packed(path: str, name: str) -> str:
    """A file of a dossier, which holds the verdict beside the claim it is about."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive, archive.open(name) as file:
            return file.read(LARGEST_VERDICT + 1).decode()
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise BadClaim(
            "verdict", f"cannot read {name} in {path}: {getattr(error, 'strerror', None) or shorten(error)}"
        ) from None


def _text(verdict: str) -> str:
    if verdict == "-":
        text = sys.stdin.read(LARGEST_VERDICT + 1)
    else:
        try:
            with Path(verdict).open(encoding="utf-8") as file:
                text = file.read(LARGEST_VERDICT + 1)
        except (OSError, ValueError) as error:
            raise BadClaim("verdict", f"cannot read {verdict}: {error}") from None
    text = text.lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        raise BadClaim("verdict", "expected the JSON printed by `scoreproof check --json`")
    return text
