"""``scoreproof explain``: what may have happened, and how much a fit says."""

from __future__ import annotations

import textwrap
from typing import Any

import click

import scoreproof
from scoreproof.cli.claims import claim_of
from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import limits, set_up
from scoreproof.cli.terminal import columns, working

EXAMPLES = """
\b
Examples:
  scoreproof explain --p 38 --n 262 accuracy=94.83% recall=92.11% specificity=94.66%
  scoreproof explain claim.toml
  scoreproof explain claim.toml --format markdown > report.md
  scoreproof explain claim.toml --json

For an inconsistent claim: every smallest set of figures that clash, what the other figures
leave for each, which single figure would mend it, and what else may have happened. Each
explanation is a claim that fits, and comes with the share of similar figures it would have
explained as well. For a consistent claim: how many slips of one digit the test would have
caught, and which further score would have helped most. Exit codes are those of `check`.
"""


@command(epilog=EXAMPLES)
@click.argument("claim_or_scores", nargs=-1, metavar="[CLAIM | - | SCORE=FIGURE…]")
@set_up
@limits(30.0)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How to print it.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def explain(claim_or_scores: tuple[str, ...], options: dict[str, Any], form: str, **work: Any) -> Answer:
    """Explain a verdict: what clashes, what may have happened, how strong the test was."""
    with working("explaining"):
        claim = claim_of(claim_or_scores, options)
        found = scoreproof.explain(claim, **work)
        words = found.markdown() if form == "markdown" else found.text()
    return Answer(found.to_dict, lambda: _show(words, form), found.verdict.status)


def _show(words: str, form: str) -> None:
    """Markdown as it is, plain text for the terminal: long lines are broken under their first word."""
    if form == "markdown":
        click.echo(words, nl=False)
        return
    width = columns()
    for line in words.splitlines():
        start = len(line) - len(line.lstrip(" -"))
        click.echo(textwrap.fill(line, width, subsequent_indent=" " * start, break_on_hyphens=False))
