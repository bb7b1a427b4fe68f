"""What is read of the corpus.

``PYTHONPATH=src:tests/oracles:tests/papers python -m corpus.measure cells FOLDER`` compares every table in a
folder that ``corpus.write`` has filled with its truth.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scoreproof.papers.readers.door import read_document

from . import alike

Truth = dict[str, Any]
#: The least share of cells that must be right, by format.
WANTED = {"latex-pdf": 0.95, "reportlab-pdf": 0.95}
ELSE = 0.99


def documents(folder: Path, part: str = "") -> Iterator[tuple[Path, Truth]]:
    for path in sorted(folder.glob("*.truth")):
        if part in path.name:
            truth = json.loads(path.read_text(encoding="utf-8"))
            yield folder / truth["file"], truth


@dataclass
class Share:
    """How many are right, of how many."""

    right: int = 0
    whole: int = 0

    def add(self, right: int, whole: int) -> None:
        self.right += right
        self.whole += whole

    @property
    def share(self) -> float:
        return self.right / self.whole if self.whole else 1.0

    def __str__(self) -> str:
        return f"{100 * self.share:6.2f} % ({self.right} of {self.whole})"


@dataclass
class Cells:
    """The cells read rightly, by format and by layout, and every fault in words."""

    by_format: dict[str, Share] = field(default_factory=dict)
    by_layout: dict[str, Share] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def short(self) -> dict[str, float]:
        """The formats that fall short of what is wanted."""
        found = {name: share.share for name, share in self.by_format.items()}
        return {name: share for name, share in found.items() if share < WANTED.get(name, ELSE)}


def cells(found: Iterable[tuple[Path, Truth]]) -> Cells:
    result = Cells()
    for path, truth in found:
        read = [table.cells for table in read_document(path).tables]
        known = [as_printed(table, read) for table in truth["tables"]]
        right, whole, pairs = alike.tables(known, read)
        result.by_format.setdefault(truth["format"], Share()).add(right, whole)
        for i, j in pairs:
            name = truth["tables"][i]["layout"] if i is not None else "no table"
            one = known[i] if i is not None else []
            other = read[j] if j is not None else []
            of_this = alike.right(one, other) if one and other else (0, sum(map(len, [*one, *other])))
            result.by_layout.setdefault(name, Share()).add(*of_this)
            if of_this[0] < of_this[1]:
                result.faults.append(fault(path, name, one, other, of_this))
    return result


def as_printed(table: Truth, read: list[alike.Grid]) -> alike.Grid:
    """The true grid, or one that looks the same on paper, whichever is nearest to what was read."""
    grids = [table["cells"], *([table["or"]] if table.get("or") else [])]
    for other in read:
        if [len(row) for row in other] == [len(row) for row in table["cells"]]:
            near = [list(row) for row in table["cells"]]
            for i, j, text in table.get("either", []):
                near[i][j] = text if alike.same(other[i][j]) == alike.same(text) else near[i][j]
            grids.append(near)
    return max(
        grids, key=lambda grid: max((alike.right(grid, other)[0] / len(grid) for other in read), default=0)
    )


def fault(path: Path, layout: str, known: alike.Grid, read: alike.Grid, share: tuple[int, int]) -> str:
    lines = [f"{path} {layout}: {share[0]} of {share[1]} cells right"]
    if not known or not read:
        lines.append("  a table that is not there was read" if not known else "  the table was not found")
    for grid, word in ((known, "expected"), (read, "read")):
        lines += [f"  {word:8} {list(row)}" for row in grid[:6]]
    return "\n".join(lines)


def main(what: str, folder: str, part: str = "") -> None:
    found = list(documents(Path(folder), part))
    if what == "cells":
        result = cells(found)
        print("\n".join(result.faults))
        for rows in (result.by_layout, result.by_format):
            print("\n".join(f"{name:32} {share}" for name, share in rows.items()), end="\n\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
