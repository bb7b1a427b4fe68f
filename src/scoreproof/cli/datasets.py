"""``scoreproof datasets``: what is known by name."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import from_option
from scoreproof.cli.terminal import BELOW, say, table_of
from scoreproof.errors import BadClaim
from scoreproof.reading.datasets.listing import lines_of, total_of

if TYPE_CHECKING:
    from scoreproof.reading.datasets import Counts, Dataset

EXAMPLES = """
\b
Examples:
  scoreproof datasets                    all of them
  scoreproof datasets retina vessels     those with these words, in any order
  scoreproof datasets breast cancer      those that a name may stand for
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
    from scoreproof.reading.datasets import known_datasets, meant, unknown

    said = " ".join(words)
    for name, images in ((said, ()), (words[0], words[1:])) if words else ():
        with suppress(BadClaim):
            found = meant(name)
            if len(found) == 1 and all(found[0].image(each) for each in images):
                return _one(found[0], images)
    found = known_datasets(said)
    if not found:
        told = f"no dataset known here has the words {said!r}; give its class counts instead{unknown(said)}"
        raise BadClaim("words", told)
    if len(found) == 1 and words:
        return _one(found[0], ())
    rows = [(entry.name, entry.title, entry.field, total_of(entry)) for entry in found]
    return Answer(
        lambda: [entry.brief() for entry in found],
        lambda: say(table_of(("dataset", "what it is", "field", "counts"), rows)),
    )


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
        "also called": ", ".join(entry.called[1:]),
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
    lines = [{**dict(row.chosen), **line} for row in rows for line in lines_of(entry, row)]
    say(table_of(list(lines[0]), [list(line.values()) for line in lines], margins=BELOW))
