"""``scoreproof dossier``: a verdict with all that it takes to believe it, in one archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import scoreproof
from scoreproof.cli.claims import claim_of
from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import limits, set_up
from scoreproof.cli.terminal import headline, say, working
from scoreproof.errors import BadClaim, shorten

EXAMPLES = """
\b
Examples:
  scoreproof dossier claim.toml -o case.zip
  scoreproof dossier --p 100 --n 200 acc=0.9567 sens=0.8500 -o case.zip
  scoreproof verify case.zip

The archive holds the claim with every count in it, the verdict with its proof, why in steps, a report
with its picture, the version, and the commands that replay it. The same claim gives the same bytes.
Exit codes are those of `check`.
"""


@command(json="the verdict with its proof", epilog=EXAMPLES)
@click.argument("claim_or_scores", nargs=-1, metavar="[CLAIM | - | SCORE=FIGURE…]")
@set_up
@limits(None, "Seconds before giving up; none, so that every machine makes the same archive.")
@click.option(
    "-o", "--output", required=True, type=click.Path(), help="The archive to write, such as case.zip."
)
def dossier(claim_or_scores: tuple[str, ...], options: dict[str, Any], output: str, **work: Any) -> Answer:
    """Put a verdict and all that it takes to believe it into one archive."""
    from scoreproof.insight.display.dossier import dossier as archive

    with working("checking"):
        verdict = scoreproof.check(claim_of(claim_or_scores, options), **work)
        made = archive(verdict)
    try:
        Path(output).write_bytes(made)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else shorten(error)
        raise BadClaim("--output", f"cannot write {shorten(output)} ({why})") from None

    def show() -> None:
        say(headline(verdict.status, verdict.sentence))
        say(f"  The dossier is in {output}.")

    return Answer(verdict.to_dict, show, verdict.status)
