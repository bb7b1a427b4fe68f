"""What is read from a document, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scoreproof.reading.prose.phrases import Place as Place

Grid = list[list[str]]
NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Table:
    """A table: cells as text, merged cells in every place they cover, with all that was said about it.

    ``label`` is as printed ("Table 2"), ``caption`` and ``notes`` (footnotes) in the document's words, in which
    a footnote's mark no longer stands in a cell.  ``order`` is the number of passages before it.
    """

    cells: Grid
    label: str = ""
    caption: str = ""
    notes: tuple[str, ...] = ()
    place: Place = NOWHERE
    order: int = 0
    lines: tuple[int, ...] = ()  # the line in the source of every row of cells, where known


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, a heading, or an instruction to scoreproof in a comment of the source.

    The words of a comment are what stands after "scoreproof:".
    """

    words: str
    place: Place = NOWHERE
    kind: Literal["text", "heading", "abstract", "comment"] = "text"


@dataclass(frozen=True, slots=True)
class Document:
    """Tables and passages in the order of the document; ``remarks`` say what could not be read, and why.

    ``refused`` says in a sentence why nothing at all was read.
    """

    name: str
    tables: tuple[Table, ...] = ()
    passages: tuple[Passage, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    pages: int | None = None
    refused: str = ""
