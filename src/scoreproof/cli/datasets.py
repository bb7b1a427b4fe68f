"""``scoreproof datasets``: what is known by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import from_option
from scoreproof.cli.terminal import BELOW, say, table_of
from scoreproof.errors import BadClaim
from scoreproof.hints import nearest

if TYPE_CHECKING:
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


@command(json="what is known", epilog=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[NAME [IMAGE] | WORD…]")
@from_option
def datasets(words: tuple[str, ...]) -> Answer:
    """List the datasets whose class counts are known, or show one of them.

    A dataset can be named in place of the class counts: --dataset on the command line,
    "dataset" in a claim file.
    """
    from scoreproof.reading.datasets import known_datasets, plain

    every = known_datasets()
    names = {plain(name): entry for entry in every for name in (entry.name, *entry.aliases)}
    one = names.get(plain(words[0])) if words else None
    if one is not None and (len(words) == 1 or all(one.image(word) for word in words[1:])):
        return _one(one, words[1:])
    found = known_datasets(" ".join(words))
    if not found:
        hint = nearest(" ".join(words), [e.name for e in every]) or "; `scoreproof datasets` lists them all"
        raise BadClaim("words", f"no dataset has the words {' '.join(words)!r}{hint}")
    if len(found) == 1 and words:
        return _one(found[0], ())
    rows = [(entry.name, entry.title, entry.field, _total(entry)) for entry in found]
    return Answer(
        lambda: [entry.brief() for entry in found],
        lambda: say(table_of(("dataset", "what it is", "field", "counts"), rows)),
    )


def _total(entry: Dataset) -> str:
    if len(entry.counts) == 1 and entry.counts[0].pair:
        return "p={}, n={}".format(*entry.counts[0].pair)
    if len(entry.counts) == 1 and len(entry.counts[0].classes) <= 4:
        return ", ".join(str(count) for _, count in entry.counts[0].classes)
    choices = ", ".join(key for key, values in entry.keys.items() if len(values) > 1)
    return f"{entry.kind}{f' (by {choices})' if choices else ''}"


def _one(entry: Dataset, images: tuple[str, ...]) -> Answer:
    from scoreproof.reading.datasets.expand import pictured

    rows = list(entry.counts)
    if images:
        rows = pictured(entry, rows, list(images), "image")
    return Answer(
        lambda: {**entry.to_dict(), "counts": [row.to_dict() for row in rows]}, lambda: _show(entry, rows)
    )


def _show(entry: Dataset, rows: list[Counts]) -> None:
    from rich.text import Text

    say(Text.assemble((entry.name, "bold"), f"  {entry.title}"))
    about = {
        "also called": ", ".join(entry.aliases),
        "positive class": entry.positive,
        "note": entry.note,
        "citation": entry.citation,
        "source": entry.source,
    }
    for what, text in about.items():
        if text:
            say(Text.assemble((f"{what}:", "dim"), f" {text}"))
    meanings = [
        (key, value, entry.meaning(key, value))
        for key, values in {**entry.keys, "threshold": tuple(entry.thresholds)}.items()
        for value in values
        if entry.meaning(key, value)
    ]
    if meanings:
        say(table_of(("key", "value", "meaning"), meanings, margins=BELOW))
    lines = [{**dict(row.chosen), **line} for row in rows for line in _lines(entry, row)]
    say(table_of(list(lines[0]), [list(line.values()) for line in lines], margins=BELOW))


def _lines(entry: Dataset, row: Counts) -> list[dict[str, str]]:
    """The counts of a row, by their headings."""
    if row.classes:
        return [{"class": name, entry.unit: str(count)} for name, count in row.classes]
    if row.pair:
        return [dict(zip("pn", map(str, row.pair), strict=True))]
    names = row.names()
    counts = {"images": names[0] if len(names) == 1 else str(len(names))}
    if row.images:
        sums = {"p": sum(p for _, p, _ in row.images), "n": sum(n for _, _, n in row.images)}
    else:
        sums = {entry.unit: sum(p + n for _, p, n in row.at(0))}
        sums |= {f"p at {value}": sum(p for _, p, _ in row.at(int(value))) for value in entry.thresholds}
    return [counts | {heading: str(count) for heading, count in sums.items()}]
