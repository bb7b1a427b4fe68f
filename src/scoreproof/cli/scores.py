"""``scoreproof scores``: the registry as a table."""

from __future__ import annotations

import json
from typing import Any

import click

from scoreproof.cli.command import Answer, command
from scoreproof.cli.terminal import say
from scoreproof.errors import BadClaim
from scoreproof.hints import nearest


@command(json="the table")
@click.argument("words", nargs=-1, metavar="[WORD…]")
def scores(words: tuple[str, ...]) -> Answer:
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
    return Answer(lambda: rows, lambda: _show(rows))


def _show(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("score", "formula", "also called", "its complement (1 - score)"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "score")
    for row in rows:
        title = f"{row['title']}, " if row["title"] not in row["synonyms"] else ""
        also = title + ", ".join(row["synonyms"])
        table.add_row(str(row["name"]), str(row["formula"]), also.rstrip(", "), ", ".join(row["complements"]))
    say(table)
