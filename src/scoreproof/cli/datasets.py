"""``scoreproof datasets``: what is known by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from scoreproof.cli.data import from_option
from scoreproof.cli.terminal import Failing, console_here, plain_table
from scoreproof.errors import BadClaim, nearest

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.reading.datasets import Counts, Dataset

EXAMPLES = """
\b
Examples:
  scoreproof datasets                    all of them
  scoreproof datasets retina vessels     those with these words
  scoreproof datasets drive              one of them, with its counts
  scoreproof datasets drive 03           one of its images
  scoreproof datasets --from my.toml     with datasets of your own
  scoreproof check --dataset isic2016 acc=0.855 sens=0.507 spec=0.941
"""


@click.command(epilog=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[NAME [IMAGE] | WORD…]")
@from_option
@click.option("--json", "as_json", is_flag=True, help="Print what is known as JSON.")
def datasets(words: tuple[str, ...], as_json: bool) -> None:
    """List the datasets whose class counts are known, or show one of them.

    A dataset can be named in place of the class counts: --dataset on the command line,
    "dataset" in a claim file.
    """
    from scoreproof.reading.datasets import known_datasets, plain

    with Failing(as_json):
        every = known_datasets()
        names = {plain(name): entry for entry in every for name in (entry.name, *entry.aliases)}
        one = names.get(plain(words[0])) if words else None
        if one is not None and (len(words) == 1 or all(one.image(word) for word in words[1:])):
            show_one(one, words[1:], as_json)
            return
        found = known_datasets(" ".join(words))
        if not found:
            hint = nearest(" ".join(words), [e.name for e in every]) or "; `scoreproof datasets` lists them all"
            raise BadClaim("words", f"no dataset has the words {' '.join(words)!r}{hint}")
        if len(found) == 1 and words:
            show_one(found[0], (), as_json)
        elif as_json:
            click.echo(json.dumps([entry.brief() for entry in found], ensure_ascii=False, indent=2))
        else:
            table = plain_table("dataset", "what it is", "field", "counts")
            for entry in found:
                table.add_row(entry.name, entry.title, entry.field, _total(entry))
            console_here().print(table)


def _total(entry: Dataset) -> str:
    if len(entry.counts) == 1 and entry.counts[0].pair:
        return "p={}, n={}".format(*entry.counts[0].pair)
    if len(entry.counts) == 1 and len(entry.counts[0].classes) <= 4:
        return ", ".join(str(count) for _, count in entry.counts[0].classes)
    choices = ", ".join(key for key, values in entry.keys.items() if len(values) > 1)
    return f"{entry.kind}{f' (by {choices})' if choices else ''}"


def show_one(entry: Dataset, images: tuple[str, ...], as_json: bool) -> None:
    from scoreproof.reading.datasets.expand import pictured

    rows = list(entry.counts)
    if images:
        rows = pictured(entry, rows, list(images), "image")
    if as_json:
        data = entry.to_dict()
        data["counts"] = [row.to_dict() for row in rows]
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    from rich.markup import escape
    from rich.padding import Padding

    console = console_here()
    console.print(f"[bold]{escape(entry.name)}[/]  {escape(entry.title)}")
    about = {
        "also called": ", ".join(entry.aliases),
        "positive class": entry.positive,
        "note": entry.note,
        "citation": entry.citation,
        "source": entry.source,
    }
    for what, text in about.items():
        if text:
            console.print(f"[dim]{what}:[/] {escape(text)}")
    _choices(console, entry)
    table = plain_table(*entry.keys, *_headings(entry))
    for row in rows:
        for line in _lines(entry, row):
            table.add_row(*(escape(value) for _, value in row.chosen), *line)
    console.print(Padding(table, (1, 0, 0, 2)))


def _choices(console: Console, entry: Dataset) -> None:
    from rich.padding import Padding

    meanings = [
        (key, value, entry.meaning(key, value))
        for key, values in {**entry.keys, "threshold": tuple(entry.thresholds)}.items()
        for value in values
        if entry.meaning(key, value)
    ]
    if meanings:
        table = plain_table("key", "value", "meaning")
        for line in meanings:
            table.add_row(*line)
        console.print(Padding(table, (1, 0, 0, 2)))


def _headings(entry: Dataset) -> list[str]:
    if entry.thresholds:
        return ["images", entry.unit, *(f"p at {value}" for value in entry.thresholds)]
    if entry.images:
        return ["images", "p", "n"]
    return ["class", entry.unit] if entry.counts[0].classes else ["p", "n"]


def _lines(entry: Dataset, row: Counts) -> list[list[str]]:
    if row.classes:
        return [[name, str(count)] for name, count in row.classes]
    if row.pair:
        return [[str(count) for count in row.pair]]
    names = row.names()
    which = names[0] if len(names) == 1 else str(len(names))
    if row.images:
        return [[which, str(sum(p for _, p, _ in row.images)), str(sum(n for _, _, n in row.images))]]
    total = sum(p + n for _, p, n in row.at(0))
    positives = [str(sum(p for _, p, _ in row.at(int(value)))) for value in entry.thresholds]
    return [[which, str(total), *positives]]
