"""``scoreproof reconstruct``: what a claim leaves open."""

from __future__ import annotations

from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import scoreproof
from scoreproof.cli.claims import claim_of
from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import limits, set_up
from scoreproof.cli.terminal import BELOW, headline, say, say_all, table_of, working
from scoreproof.cli.verdicts import list_matrices
from scoreproof.reading.load import is_text
from scoreproof.scores.names import UnknownScore

if TYPE_CHECKING:
    from scoreproof.insight.reconstruction import Attainable, Reconstruction

EXAMPLES = """
\b
Examples:
  scoreproof reconstruct --p 994 --n 1006 acc=0.898 f1=0.8968
  scoreproof reconstruct --p 994 --n 1006 acc=0.898 mcc kappa
  scoreproof reconstruct claim.toml mcc f1
  scoreproof reconstruct --p 994 --n 1006 acc=0.898 f1=0.8968 --list 10
  scoreproof reconstruct claim.toml --csv table.csv

A word without = that names a score asks for that score; without any, all are shown. The
CSV is a 2x2 table for meta-analysis: the lowest and the highest of each count, and the
matrix if only one fits. Exit code: 0 ranges found, 1 inconsistent, 2 bad input, 3 undecided.
"""


@command(json="the ranges with their matrices", epilog=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[CLAIM | - | SCORE=FIGURE…] [SCORE…]")
@set_up
@limits()
@click.option("--list", "most", type=click.IntRange(min=1), help="List the matrices, if at most so many fit.")
@click.option("--csv", help="Write the 2x2 table as CSV to this file; - writes it here.")
@click.option("--plot", type=click.Path(), help="Also draw the ranges as bars (.png, .svg, .pdf).")
def reconstruct(
    words: tuple[str, ...],
    options: dict[str, Any],
    most: int | None,
    plot: str | None,
    **work: Any,
) -> Answer:
    """Find the lowest and highest value of every score, and the counts, that a claim leaves open.

    The claim is a file or scores as NAME=FIGURE, as for `scoreproof check`. Both ends of every
    range are taken by matrices that fit; a range that could not be settled is said to be an
    outer bound.
    """
    rest, wanted = split(words)
    with working("reconstructing"):
        claim = claim_of(rest, options, needs_scores=False)
        found = scoreproof.reconstruct(claim, wanted, most=most or 1000, **work)
    if plot is not None:
        from scoreproof.plots.ranges import plot_ranges

        plot_ranges(found, plot, field="--plot")

    def csv() -> str:
        if found.cells:
            return found.to_csv(every_matrix=most is not None)
        why = "nothing fits" if found.status == "inconsistent" else "no class counts are known"
        click.echo(f"scoreproof: --csv: no 2x2 table is written, since {why}", err=True)
        return ""

    return Answer(found.to_dict, lambda: show(found, most), found.status, csv)


def split(words: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """The words that make up the claim, and the scores that are asked for."""
    rest, wanted = [], []
    for word in words:
        if "=" in word or word == "-" or exists(word) or is_text(word):
            rest.append(word)
            continue
        try:
            scoreproof.scores.names.look_up(word)
        except UnknownScore:
            if Path(word).suffix or "/" in word:  # a file that is not there
                rest.append(word)
                continue
            raise
        wanted.append(word)
    return tuple(rest), wanted


def show(found: Reconstruction, most: int | None) -> None:
    say_all((found.verdict.claim.title, "bold"))
    say(headline(found.status, found.sentence))
    if not found.ranges:
        return
    lines = [
        (label, "", "undefined", "", "", "for all that fits")
        if each is None
        else (label, each.reported or "", *row(each))
        for label, each in found.ranges.items()
    ]
    lines += [(label.upper(), "", *row(each, 0)) for label, each in found.cells.items()]
    headings = ("score", "reported", "lowest", "highest", "width", "")
    say(table_of(headings, lines, margins=BELOW))
    if most is not None:
        if found.matrices is None:
            say("  there are more matrices, or more than one matrix is meant: none are listed")
        list_matrices(found.matrices or ())
    for note in found.verdict.notes:
        say(f"  note: {note}")


def row(each: Attainable, places: int = 6) -> list[str]:
    """Lowest, highest, width and a remark; bounds that nothing reaches are rounded outwards."""
    from scoreproof.insight.reconstruction import outward
    from scoreproof.writing import show as digits

    ends = []
    for value, exact, sign in ((each.lowest, each.lowest_exact, -1), (each.highest, each.highest_exact, 1)):
        if value is None:
            ends.append("none" if sign < 0 else "no bound")
        else:
            ends.append(digits(value, places) if exact else outward(value, places, sign))
    width = each.width
    remarks = []
    if not each.exact:
        which = "highest is" if each.lowest_exact else "lowest is" if each.highest_exact else "both are"
        remarks.append(f"{which} only bounded" if width is not None else "no bound found")
    if each.undefined is not None:
        remarks.append("or undefined")
    return [*ends, "" if width is None else digits(width, places), ", ".join(remarks)]
