"""Confusion matrices as programs print them, and what they say about the classes beside a report."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scoreproof.errors import BadClaim
from scoreproof.reading.reports.found import Report

Grid = tuple[tuple[int, ...], ...]  # rows are the true classes

MOST_CLASSES = 1000
#: What figures are called that the counts of a matrix give; a printed one keeps the shorter name.
RECALL, PRECISION = "true positive rate", "positive predictive value"
_COUNT = re.compile(r"[0-9]{1,18}(?:\.0{0,3})?", re.ASCII)


def count(word: str) -> int | None:
    """A count: 23, 23. or 23.0."""
    return int(word.partition(".")[0]) if _COUNT.fullmatch(word) else None


def bracketed(lines: Sequence[str]) -> Grid | None:
    """The first square matrix printed in brackets, as numpy and Python do."""
    for part in "\n".join(lines).split("[[")[1:]:
        inside, closed, _ = part.partition("]]")
        rows = [row.replace(",", " ").split() for row in inside.replace("[", " ").split("]")]
        grid = _square([[count(word) for word in row] for row in rows]) if closed else None
        if grid is not None:
            return grid
    return None


def plain(lines: Sequence[str]) -> Grid | None:
    """The square matrix of counts in the lines up to the first that holds anything else."""
    rows = []
    for line in lines:
        words = [count(word) for word in line.split()]
        if None in words:
            break
        if words:
            rows.append(words)
        elif rows:
            break
    return _square(rows)


def named(lines: Sequence[str]) -> dict[str, tuple[int, ...]] | None:
    """The first square table of counts with a name before every row, as R prints it: rows by name."""
    block: list[list[str]] = []
    for line in [*lines, ""]:
        words = line.split()
        if len(words) > 2 and count(words[-1]) is not None and count(words[-2]) is not None:
            block.append(words)
            continue
        # the first line may be the names of the columns, which can be numbers
        found = _by_name(block) or _by_name(block[1:])
        if found is not None:
            return found
        block = []
    return None


def _by_name(block: Sequence[Sequence[str]]) -> dict[str, tuple[int, ...]] | None:
    size = len(block)
    if not 2 <= size <= MOST_CLASSES or any(
        len(row) <= size or None in map(count, row[-size:]) for row in block
    ):
        return None
    found = {" ".join(row[:-size]): tuple(count(word) or 0 for word in row[-size:]) for row in block}
    return found if len(found) == size else None


def _square(rows: Sequence[Sequence[int | None]]) -> Grid | None:
    size = len(rows)
    if not 2 <= size <= MOST_CLASSES or any(len(row) != size or None in row for row in rows):
        return None
    return tuple(tuple(each for each in row if each is not None) for row in rows)


def transposed(grid: Grid) -> Grid:
    return tuple(zip(*grid, strict=True))


def add_matrix(report: Report, grid: Grid) -> None:
    """Add what a matrix of the listed classes says, exactly, about each of them."""
    items = tuple(report.counts.values())
    if tuple(map(sum, grid)) != items and tuple(map(sum, transposed(grid))) == items:
        grid = transposed(grid)
    if tuple(map(sum, grid)) != items:
        report.remarks.append("the confusion matrix beside it has other sums than the supports: left out")
        return
    for c, name in enumerate(report.counts):
        called = sum(row[c] for row in grid)
        if items[c]:
            report.per_class[name][RECALL] = f"{grid[c][c]}/{items[c]}"
        if called:
            report.per_class[name][PRECISION] = f"{grid[c][c]}/{called}"


def counted(names: Sequence[str], grid: Grid) -> Report:
    """A report whose classes have the items of a matrix."""
    if len(set(names)) != len(names):
        raise BadClaim("report", "two classes of the confusion matrix have the same name")
    report = Report(apart=False)
    for name, row in zip(names, grid, strict=True):
        report.counts[name], report.per_class[name] = sum(row), {}
    add_matrix(report, grid)
    return report
