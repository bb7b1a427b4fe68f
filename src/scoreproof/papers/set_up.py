"""What a document says about its experiments, and the readings this leaves for a row of a table.

What stands in the row, its caption or an instruction comes first.  What the running text says is certain only
where it is the only thing said and nothing speaks against it; else it is one reading among others, the last of
which leaves the counts open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.papers.data import counts_of_table
from scoreproof.papers.document import Document, Place, Table
from scoreproof.papers.settings import Setting, setting_of
from scoreproof.reading.prose.lexicon import (
    BINARY,
    CROSS,
    DRAWN,
    OTHERS,
    PIECES,
    PIXELS,
    RUNS,
    SEVERAL,
    TO_COME,
)
from scoreproof.reading.prose.named import datasets_in
from scoreproof.reading.prose.phrases import (
    Said,
    counts_in,
    leaves_items_out,
    positives_in,
    sentences,
    totals_in,
    with_place,
)
from scoreproof.reading.prose.protocols import averaging_in, folds_in, speaks_of_a_split

#: Other counts that are tried where several are said, and items up to which a number of all items is looked at.
MOST_CANDIDATES = 4
MOST_ITEMS = 5_000


@dataclass(frozen=True, slots=True)
class Facts:
    """All that was found in the words of a document."""

    counts: tuple[Said, ...] = ()
    totals: tuple[Said, ...] = ()
    folds: tuple[Said, ...] = ()
    averaging: tuple[Said, ...] = ()
    datasets: tuple[Said, ...] = ()
    settings: tuple[Setting, ...] = ()
    split: str = ""  # the words that speak of a split
    drawn: str = ""  # ... of one that was made, not there
    left_out: str = ""  # ... of items left out
    several: str = ""  # ... of more than two classes
    crossed: str = ""  # ... of cross-validation
    runs: str = ""  # ... of means over runs
    pieces: str = ""  # ... of items cut into pieces
    pixels: str = ""  # ... of pixels as items
    binary: bool = False
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to take what the document says: the set-up of a claim, and the words behind it."""

    experiment: Mapping[str, Any]
    said: tuple[Said, ...] = ()
    conventions: Mapping[str, Any] | None = None
    rounding: Any = None
    bare: bool = False  # without the counts of the row itself

    @property
    def words(self) -> str:
        """The set-up in a few words."""
        return (
            ", ".join(f"{key} = {_shown(value)}" for key, value in self.experiment.items())
            or "counts left open"
        )


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of a row, the likeliest first; ``certain`` where no other set-up makes sense."""

    readings: tuple[Reading, ...]
    certain: bool
    why: str = ""  # why it is not certain
    unread: str = ""  # why the row is not checked at all


def facts_of(document: Document) -> Facts:
    """What the words of a document say."""
    counts: list[Said] = []
    totals: list[Said] = []
    folds: list[Said] = []
    averaging: list[Said] = []
    named: list[Said] = []
    settings: list[Setting] = []
    problems: list[str] = []
    texts: list[str] = []
    positive: frozenset[str] = frozenset().union(*(positives_in(each.words) for each in document.passages))

    def classes_in(words: str) -> list[Said]:
        return counts_in(words, positive)

    for passage in document.passages:
        if passage.kind == "comment":
            try:
                settings.append(setting_of(passage.words, passage, "comment"))
            except ScoreproofError as error:
                problems.append(f"{_at(passage.place)}{error}")
            continue
        texts.append(passage.words)
        for found, reader in (
            (counts, classes_in),
            (totals, totals_in),
            (folds, folds_in),
            (averaging, averaging_in),
            (named, datasets_in),
        ):
            said = with_place(reader(passage.words), passage.place, "text")
            others = re.compile(r"\bet al\b") if found is named else OTHERS
            found += [replace(each, scope="before") if others.search(each.words) else each for each in said]
    for table in document.tables:
        counts += counts_of_table(table, positive)
        texts += [table.caption, *table.notes]
    everything = [sentence for text in texts for sentence in sentences(text)]

    def first(test: Any) -> str:
        return next((sentence for sentence in everything if test(sentence)), "")

    everything = [each for each in everything if not OTHERS.search(each) and not TO_COME.search(each)]

    return Facts(
        tuple(counts), tuple(totals), tuple(folds), tuple(averaging), tuple(named), tuple(settings),
        first(speaks_of_a_split), first(DRAWN.search), first(leaves_items_out), first(SEVERAL.search),
        first(CROSS.search), first(RUNS.search), first(PIECES.search), first(PIXELS.search),
        bool(first(BINARY.search)), tuple(problems),
    )  # fmt: skip


def _at(place: Place) -> str:
    return f"line {place.line}: " if place.line else ""


def instructions(facts: Facts, table: Table) -> list[Setting]:
    """The comments that hold for a table: the last above it, or those that name it or stand in it."""
    found: list[Setting] = []
    last: Setting | None = None
    for each in facts.settings:
        line = each.passage.place.line if each.passage else None
        first = table.place.line or (table.lines[0] if table.lines else None)
        end = table.lines[-1] if table.lines else first
        if each.table:
            found.append(each)
        elif line and first and end:
            if line <= end:
                last = each
        else:
            last = each
    return [*([last] if last else []), *found]
