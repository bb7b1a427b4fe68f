"""``scoreproof scores``: the registry as a table."""

from __future__ import annotations

import json

import click

from scoreproof.cli.command import command, json_option, print_json
from scoreproof.cli.terminal import console_here
from scoreproof.errors import BadClaim, nearest


@command()
@click.argument("words", nargs=-1, metavar="[WORD…]")
@json_option("the table")
def scores(words: tuple[str, ...], as_json: bool) -> None:
    """List the scores with their formulas, synonyms and complements.

    With words, only the scores whose names contain all of them.
    """
    from scoreproof.scores.listing import listing

    every = listing()
    wanted = [word.casefold() for word in words]
    rows = [
        row for row in every if all(word in json.dumps(row, ensure_ascii=False).casefold() for word in wanted)
    ]
    if not rows:
        known = [str(name) for row in every for name in (row["name"], *row["synonyms"])]
        hint = nearest(" ".join(wanted), known) or "; `scoreproof scores` lists them all"
        raise BadClaim("words", f"no score is called {' '.join(words)!r}{hint}")
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("score", "formula", "also called", "its complement (1 - score)"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "score")
    for row in rows:
        title = f"{row['title']}, " if row["title"] not in row["synonyms"] else ""
        also = title + ", ".join(row["synonyms"])
        table.add_row(str(row["name"]), str(row["formula"]), also.rstrip(", "), ", ".join(row["complements"]))
    console_here().print(table)
