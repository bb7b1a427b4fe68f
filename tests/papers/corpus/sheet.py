"""A table as it stands in a paper, a paper as a list of blocks, and the truth about both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Experiment = dict[str, Any]


@dataclass
class Cell:
    """A cell: ``text`` is the truth, ``mark`` a footnote's mark printed behind it."""

    text: str
    mark: str = ""
    bold: bool = False
    rows: int = 1
    cols: int = 1
    head: bool = False
    rotated: bool = False


@dataclass(frozen=True)
class Figure:
    """Where a figure of a claim stands (row and column of the grid) and what sign its text lacks."""

    score: str
    row: int
    col: int
    unit: str = ""
    sd: int | None = None  # the column of the standard deviation, where it has one of its own
    label: str = ""  # the class it belongs to, where each has its own


@dataclass(frozen=True)
class Claimed:
    """One row (or column) of scores: its figures and the experiment they come from."""

    experiment: Experiment
    figures: tuple[Figure, ...]


@dataclass
class Sheet:
    """A table: rows of cells as in HTML (a covered place has no cell), what is said about it, how it looks."""

    layout: str
    rows: list[list[Cell]]
    head: int
    caption: str
    notes: list[str] = field(default_factory=list)
    claims: list[Claimed] = field(default_factory=list)
    stated: bool = True
    above: bool = True
    rules: str = "booktabs"  # or "hline", "grid"
    tiny: bool = False
    wide: bool = False
    landscape: bool = False
    long: bool = False
    number: int = 0
    says: list[str] = field(default_factory=list)  # sentences of the methods section that this table needs

    def grid(self) -> list[list[str]]:
        """The texts in every place, merged cells wherever they cover."""
        return [[cell.text if cell else "" for cell in row] for row in self.places()]

    def places(self) -> list[list[Cell | None]]:
        found: dict[tuple[int, int], Cell] = {}
        for i, row in enumerate(self.rows):
            j = 0
            for cell in row:
                while (i, j) in found:
                    j += 1
                for a in range(cell.rows):
                    for b in range(cell.cols):
                        assert (i + a, j + b) not in found, (self.layout, i, j)
                        found[i + a, j + b] = cell
                j += cell.cols
        height = len(self.rows)
        width = 1 + max(j for _, j in found)
        assert all((i, j) in found for i in range(height) for j in range(width)), self.layout
        assert 1 + max(i for i, _ in found) == height, self.layout
        return [[found.get((i, j)) for j in range(width)] for i in range(height)]

    def alike(self) -> tuple[list[list[str]], list[tuple[int, int, str]]]:
        """What looks the same on paper: units under the headings as one heading, blanks where cells are merged.

        A grid in place of the true one (or none), and places with the text that may stand there too.
        """
        grid = self.grid()
        other: list[list[str]] = []
        if self.layout == "units_in_a_row" and self.rules != "grid":
            other = [[f"{a} {b}".strip() for a, b in zip(*grid[:2], strict=True)], *grid[2:]]
        either, places = [], self.places()
        for i in range(self.head, len(grid)):
            for j, cell in enumerate(places[i]):
                if cell and cell.cols > 1 and j:
                    either.append((i, j, ""))
                if not grid[i][j] and self.layout == "groups_of_rows_by_blanks":
                    above = next(row[j] for row in reversed(grid[:i]) if row[j])
                    either.append((i, j, above))
        return other, either

    def width(self) -> int:
        return sum(cell.cols for cell in self.rows[0])

    def truth(self) -> dict[str, Any]:
        claims = [
            {
                "experiment": claim.experiment,
                "figures": [[f.score, f.row, f.col, f.unit, f.sd, f.label] for f in claim.figures],
            }
            for claim in self.claims
        ]
        return {
            "layout": self.layout,
            "number": self.number,
            "caption": self.caption,
            "cells": self.grid(),
            "scores": bool(self.claims) or self.layout == "literature",
            "stated": self.stated,
            "claims": claims,
        }


@dataclass
class Heading:
    words: str


@dataclass
class Paragraph:
    words: str


Block = Heading | Paragraph | Sheet


@dataclass
class Paper:
    """A paper: ``blocks`` in order; tables carry their numbers."""

    seed: int
    title: str
    authors: str
    abstract: str
    blocks: list[Block]
    dataset: str = ""  # the public set all of it is about, by the name it is known under

    @property
    def sheets(self) -> list[Sheet]:
        return [block for block in self.blocks if isinstance(block, Sheet)]

    def truth(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "title": self.title,
            "dataset": self.dataset,
            "tables": [sheet.truth() for sheet in self.sheets],
        }


def heads(texts: Sequence[str], **how: Any) -> list[Cell]:
    return [Cell(text, head=True, **how) for text in texts]


def cells(texts: Sequence[str]) -> list[Cell]:
    return [Cell(text) for text in texts]
