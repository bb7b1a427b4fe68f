"""A table whose cells are all ruled: what no rule parts is one cell."""

from __future__ import annotations

from itertools import pairwise

from scoreproof.papers.document import Grid
from scoreproof.papers.readers.pdf.letters import Rule
from scoreproof.papers.readers.pdf.lines import Line, Word, lines_of
from scoreproof.papers.readers.pdf.regions import Region
from scoreproof.reading.tables.aligned import is_figure

#: Points: places of rules that are one.
SAME = 3.0
MOST_PLACES = 20_000


def places(values: list[float]) -> list[float]:
    """The places without those that are the same, in order."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > SAME:
            found.append(value)
    return found


def ruled_grid(region: Region, words: list[Word], rules: list[Rule]) -> Grid | None:
    """The cells of a table that is ruled throughout; None where it is not."""
    inside = [rule for rule in rules if _within(rule, region)]
    lying, standing = ([rule for rule in inside if rule.lies is lies] for lies in (True, False))
    xs, ys = _edges(region, lying, standing)
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > MOST_PLACES:
        return None
    owner = _merged(xs, ys, lying, standing)
    held: dict[int, list[Word]] = {}
    for word in words:
        column, row = _column(word, xs), _row(word, ys)
        if column is None or row is None:
            return None
        held.setdefault(owner[row][column], []).append(word)
    lines = {cell: in_cell(inside) for cell, inside in held.items()}
    if not all(map(_one_cell, lines.values())):
        return None
    texts = {cell: " ".join(line.text for line in each) for cell, each in lines.items()}
    return [[texts.get(cell, "") for cell in row] for row in owner]


def _edges(region: Region, lying: list[Rule], standing: list[Rule]) -> tuple[list[float], list[float]]:
    """Where cells can begin and end, from left to right and from top to bottom."""
    xs = places([rule.x for rule in standing])
    if len(xs) > 2 and (xs[0] > region.x0 + 12 or xs[-1] < region.x1 - 12):
        xs = places([*xs, region.x0, region.x1])  # a table that is open at its sides
    return xs, places([rule.y for rule in lying])[::-1]


def _column(word: Word, xs: list[float]) -> int | None:
    return next((at for at, (x0, x1) in enumerate(pairwise(xs)) if x0 - 1 <= word.middle <= x1 + 1), None)


def _row(word: Word, ys: list[float]) -> int | None:
    height = word.base + 0.3 * (0 if word.turned else word.size)
    return next((at for at, (top, bottom) in enumerate(pairwise(ys)) if bottom <= height <= top), None)


def in_cell(words: list[Word]) -> list[Line]:
    """The lines of a cell; turned words each make one, from left to right."""
    flat = [word for word in words if not word.turned]
    turned = sorted((word for word in words if word.turned), key=lambda word: word.x0)
    return [*([Line([word]) for word in turned]), *(lines_of(flat) if flat else [])]


def _within(rule: Rule, region: Region) -> bool:
    return region.x0 - SAME <= rule.x <= region.x1 + SAME and region.y0 - SAME <= rule.y <= region.y1 + SAME


def _merged(xs: list[float], ys: list[float], lying: list[Rule], standing: list[Rule]) -> list[list[int]]:
    """Which cell every place belongs to."""
    wide, tall = len(xs) - 1, len(ys) - 1
    owner = [[row * wide + column for column in range(wide)] for row in range(tall)]

    def union(a: int, b: int) -> None:
        for line in owner:
            for column, each in enumerate(line):
                if each == b:
                    line[column] = a

    for row in range(tall):
        middle = (ys[row] + ys[row + 1]) / 2
        for column in range(wide - 1):
            x = xs[column + 1]
            if not any(abs(rule.x - x) <= SAME and rule.y0 - 1 <= middle <= rule.y1 + 1 for rule in standing):
                union(owner[row][column], owner[row][column + 1])
    for row in range(tall - 1):
        for column in range(wide):
            middle = (xs[column] + xs[column + 1]) / 2
            y = ys[row + 1]
            if not any(abs(rule.y - y) <= SAME and rule.x0 - 1 <= middle <= rule.x1 + 1 for rule in lying):
                union(owner[row][column], owner[row + 1][column])
    return owner


def _one_cell(lines: list[Line]) -> bool:
    """Whether lines can be those of one cell: not several figures one below the other or far apart."""
    figures = sum(is_figure(line.text) for line in lines)
    gaps = any(
        len(pieces := line.pieces(1.3)) > 1 and any(is_figure(piece.text) for piece in pieces) for line in lines
    )
    return not gaps and (figures < 2 or (figures == 2 and lines[1].text[:1] in "([±"))
