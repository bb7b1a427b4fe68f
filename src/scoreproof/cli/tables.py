"""``scoreproof tables``: 2x2 tables from scores with confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import scoreproof
from scoreproof.claim.fields import SPOKEN
from scoreproof.cli.claims import scores_of
from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import limits, option_of
from scoreproof.cli.terminal import BELOW, say, table_of, working
from scoreproof.printed import RULES

if TYPE_CHECKING:
    from scoreproof.rebuild import Rebuilt

EXAMPLES = """
\b
Examples:
  scoreproof tables sens="0.92 (0.84-0.97)" spec="0.88 (0.83-0.92)"
  scoreproof tables sens="92 % (84 to 97)" spec="88 % (83 to 92)" --ci wilson
  scoreproof tables sens="0.92 (0.84-0.97)" spec="0.88 (0.83-0.92)" --total 296 --list 5
  scoreproof tables ppv="0.75 (0.65-0.84)" npv="0.97 (0.93-0.99)" --csv tables.csv

Exit code: 0 tables found, 1 none of any size fits, 2 bad input, 3 none found so far.
"""


@command(json="the tables", epilog=EXAMPLES)
@click.argument("scores", nargs=-1, metavar="SCORE=FIGURE…")
@click.option("--p", type=int, help="Number of positive items, if known.")
@click.option("--n", type=int, help="Number of negative items, if known.")
@click.option("--total", type=int, help="Number of all items, if known.")
@option_of(SPOKEN["ci"], default=SPOKEN["ci"].default)
@click.option("--level", default="0.95", show_default=True, help="Level of the intervals: 0.90, 0.95 or 0.99.")
@click.option(
    "--rounding", type=click.Choice(list(RULES)), default="nearest", show_default=True, help="As for check."
)
@click.option("--largest", type=int, help="Look at no figure of more items than this.")
@click.option("--list", "listed", type=click.IntRange(min=1), help="Show so many tables of each method.")
@click.option(
    "--most", type=click.IntRange(min=1), default=1000, show_default=True, help="Keep so many in JSON and CSV."
)
@click.option("--csv", help="Write the tables as CSV to this file; - writes them here.")
@limits()
def tables(scores: tuple[str, ...], rounding: str, listed: int | None, **options: Any) -> Answer:
    """Rebuild the 2x2 tables behind scores with confidence intervals; no counts are needed.

    Sensitivity, specificity, predictive values, accuracy, likelihood ratios and the odds ratio may carry an
    interval, as printed: "0.92 (0.84-0.97)". Any other score may be given without one.
    """
    given = scores_of(scores)
    with working("rebuilding"):
        found = scoreproof.tables(given, rounding_rule=rounding, **options)
    return Answer(found.to_dict, lambda: show(found, listed), found.status, found.to_csv)


def show(found: Rebuilt, listed: int | None) -> None:
    lines = []
    for each in found.by_method:
        ranges = [str(low) if low == high else f"{low} to {high}" for low, high in each.cells.values()]
        why = "" if each.complete else each.reason
        lines.append((each.method, str(each.count), *(ranges or [""] * 4), why))
    say(table_of(("method", "tables", "TP", "FP", "FN", "TN", ""), lines, margins=(0, 2)))
    if found.complete:
        say("  There are no other tables, of any size.")
    if listed is not None and found.count:
        rows = [(each.method, *map(str, matrix)) for each in found.by_method for matrix in each.tables[:listed]]
        say(table_of(("method", "TP", "FP", "FN", "TN"), rows, margins=BELOW))
