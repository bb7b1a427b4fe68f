"""The words around a pasted table, such as its caption: what they say of the experiment holds for its rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoreproof.claim.fields import COUNTS
from scoreproof.errors import shorten
from scoreproof.printed.marks import plain
from scoreproof.reading.pasting.found import SetUp, squeezed
from scoreproof.reading.pasting.result import told
from scoreproof.reading.pasting.set_ups import set_up_in
from scoreproof.reading.tables.heading import Shaped
from scoreproof.scores.names import family

#: Keys of an experiment that say how many items there are.
COUNTED = frozenset({"p", "classes", "labels", "dataset", "one_of", "parts", "samples"})
#: A caption in LaTeX or HTML, what stands between cells, a word, and as many as a sentence has.
_CAPTION = re.compile(r"\\caption\*?\{([^{}]*)\}|<caption[^>]*>([^<]*)</caption>", re.IGNORECASE)
_BETWEEN = re.compile(r"[\t|&\\<>{}]|\S {3,}\S")
_WORD = re.compile(r"[^\W\d_]{2,}")
SENTENCE = 4
#: "P = 38", "300 images"; and what is only the number of a table.
_STATES = re.compile(r"[=:]\s*\d|\d\s+[^\W\d_]{3,}")
_NUMBERED = re.compile(r"(?:table|tab\.?|fig(?:ure|\.)?)\s*[\w.-]{1,8}[.:]?", re.IGNORECASE)
_N = re.compile(r"\b[nN]\s?=\s?\d[\d,]*")
#: Lines that are looked at, and counts that are named because they were not used.
MOST_LINES = 40
MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Around:
    """The lines around a table, what they say, and counts in the table that say nothing to it."""

    lines: tuple[str, ...]
    said: SetUp
    counts: tuple[str, ...]

    def more(self, own: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
        """What the words add to the experiment of a row: counts only where it has none of its own."""
        known = own.keys() | beside.keys()
        counted = {*COUNTS, *COUNTED, "about"} if known & {*COUNTS, *COUNTED} else set()
        return {
            key: value for key, value in self.said.experiment.items() if key not in known and key not in counted
        }

    def notes(self, used: bool) -> Iterator[str]:
        """How the words were read; all that was not used is named."""
        quote = shorten(" ".join(self.lines), 160)
        if used and self.said.experiment:
            yield f"read from the words around the table: {', '.join(told(self.said.experiment))} (“{quote}”)"
            yield from self.said.notes
        elif self.lines:
            yield f"beside the table, and not used: “{quote}”; give counts that it states as well"
        if self.counts:
            named = ", ".join(self.counts[:MOST_NAMED])
            yield f"not used: {named} in the table; give the counts of the rows it is about as well"


def around(lines: Sequence[str], table: Shaped) -> Around:
    """The words around the cells of a table."""
    found = tuple(_prose(lines, table))[:MOST_LINES]
    numbers = any(family(header) == "regression" for header in table.headers)
    text = "\n".join(squeezed(plain(line))[0] for line in found)
    cells = (cell for row in (table.headers, *table.rows) for cell in row if len(cell) < 80)
    counts = dict.fromkeys(mark[0] for cell in cells for mark in _N.finditer(cell))
    return Around(found, set_up_in(text, numbers) if found else SetUp(), tuple(counts))


def _prose(lines: Sequence[str], table: Shaped) -> Iterator[str]:
    """Sentences and counts above and below the cells."""
    rows = [[cell.strip() for cell in row if cell.strip()] for row in (table.headers, *table.rows)]
    for line in lines:
        caption = _CAPTION.search(line)
        said = (caption[1] or caption[2] or "").strip() if caption else line.strip()
        if not caption and _BETWEEN.search(line):
            continue
        tells = len(_WORD.findall(said)) >= SENTENCE or _STATES.search(said)
        in_cells = any(row and all(cell in line for cell in row) for row in rows)
        if tells and not in_cells and not _NUMBERED.fullmatch(said):
            yield said
