"""A table with few rules or none: its columns are what stands between the gaps that run through its rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from scoreproof.papers.document import Grid
from scoreproof.papers.readers.pdf.grid import in_cell
from scoreproof.papers.readers.pdf.letters import Rule
from scoreproof.papers.readers.pdf.lines import Line, Word, lines_of
from scoreproof.papers.readers.pdf.regions import Region
from scoreproof.papers.readers.words import tidy
from scoreproof.printed.marks import blank
from scoreproof.reading.tables.aligned import is_figure

#: In sizes of the letters: no narrower gap parts two columns; one at least as wide as the second always does.
TIGHTEST = 0.18  # ... between figures under headings of their own
NARROWEST = 0.36
CLEAR = 0.62
_GOES_ON = re.compile(r"[(\[±;,/–—%\]]|\+/-|to\b|95\s*%|vs\b")
_OPEN = re.compile(r".*[(\[±;,/–—<>=≤≥]$")


@dataclass(slots=True)
class Column:
    """Where the words of a column stand, at most."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Shape:
    """A table's lines, heads first, its columns, and the rules under headings."""

    heads: list[Line]
    body: list[Line]
    columns: list[Column]
    under: list[Rule]


def shape_of(region: Region) -> Shape | None:
    """The columns of a table; None where its words have none."""
    lines = lines_of([word for word in region.words if not word.turned])
    turned = [word for word in region.words if word.turned]
    if not lines:
        return None
    split = _below_heads(region, lines, turned)
    heads = [line for line in lines if line.base > split]
    body = [line for line in lines if line.base <= split]
    if not body:
        heads, body = lines[:1], lines[1:]
    columns = _columns(body, heads, region.standing)
    if turned:
        _add_turned(columns, turned)
        heads = [*heads, Line(sorted(turned, key=lambda word: word.x0))]
    if len(columns) < 2:
        return None
    full = 0.9 * (region.x1 - region.x0)
    under = [rule for rule in region.lying if rule.x1 - rule.x0 < full]
    return Shape(heads, body, columns, under)


def _below_heads(region: Region, lines: list[Line], turned: list[Word]) -> float:
    """The height below which the rows begin: a rule right across, or the first line of figures."""
    full = 0.9 * (region.x1 - region.x0)
    across = sorted({rule.y for rule in region.lying if rule.x1 - rule.x0 >= full}, reverse=True)
    tops = [line.base for line in lines] + [word.base for word in turned]
    for y in across:
        if any(top > y for top in tops) and any(line.base < y for line in lines):
            above = [line for line in lines if line.base > y]
            if not any(_is_row(line) for line in above):
                return y
            break
    first = next((at for at, line in enumerate(lines) if _is_row(line)), 1)
    if turned and not across:
        return min(word.base for word in turned)
    return lines[first].base + 0.5 if first < len(lines) else lines[-1].base + 0.5


def _is_row(line: Line) -> bool:
    """Whether figures stand in a line, more than words beside the first."""
    pieces = [piece.text for piece in line.pieces()]
    figures = sum(is_figure(piece) and not re.fullmatch(r"(?:19|20)\d\d", piece) for piece in pieces)
    return figures > 0 and figures * 2 >= len(pieces) - 1


# -- columns ---------------------------------------------------------------------------------------------


def _columns(body: list[Line], heads: list[Line], standing: list[Rule]) -> list[Column]:
    """The columns of the rows; a heading that stands in none is a column of its own."""
    rows = [line for line in body if len(line.pieces()) > 1] or body
    size = median(line.size for line in rows)
    edges = _inked(rows)
    columns = [Column(*edges[0])] if edges else []
    for left, right in pairwise(edges):
        ruled = any(left[1] - 1 <= rule.x <= right[0] + 1 for rule in standing)
        if ruled or _parted(rows, heads, left, right, size):
            columns.append(Column(*right))
        else:
            columns[-1].x1 = right[1]
    for pieces in (line.pieces(0.5) for line in heads):
        for piece in pieces if len(pieces) > 1 else ():
            if not any(_overlap(piece.x0, piece.x1, each) > 0 for each in columns):
                columns = _with_heading(columns, piece, size)
    return columns


def _parted(
    rows: list[Line], heads: list[Line], left: tuple[float, float], right: tuple[float, float], size: float
) -> bool:
    """Whether a gap parts two columns: the narrower it is, the more the words beside it must say so."""
    gap = right[0] - left[1]
    if gap >= CLEAR * size:
        return True
    wide = gap >= NARROWEST * size and not _one(rows, left, right)
    tight = gap >= TIGHTEST * size and _figures_apart(rows, left, right)
    return (wide or tight) and _headed(heads, left, right)


def _with_heading(columns: list[Column], piece: Line, size: float) -> list[Column]:
    """The columns with one more, where a heading stands far from the others and over none of them."""
    nearest = min((max(each.x0 - piece.x1, piece.x0 - each.x1) for each in columns), default=0.0)
    outside = piece.x0 > columns[-1].x1 or piece.x1 < columns[0].x0
    if nearest > 0.6 * size and outside:
        return sorted([*columns, Column(piece.x0, piece.x1)], key=lambda column: column.x0)
    return columns


def _inked(rows: list[Line]) -> list[tuple[float, float]]:
    """Where words stand in any of the rows; in a long table a row that goes across is left out."""
    spans = sorted((word.x0, word.x1) for line in rows for word in line.words)
    found: list[tuple[float, float]] = []
    for x0, x1 in spans:
        if found and x0 <= found[-1][1] + 0.3:
            found[-1] = (found[-1][0], max(found[-1][1], x1))
        else:
            found.append((x0, x1))
    return found


def _one(rows: list[Line], left: tuple[float, float], right: tuple[float, float]) -> bool:
    """Whether a narrow gap goes through cells, not between them."""
    lefts = [_last(line, left) for line in rows]
    rights = [_first(line, right) for line in rows]
    both = [(a, b) for a, b in zip(lefts, rights, strict=True) if a and b]
    if not both:
        return False
    if all(_GOES_ON.match(b) or _OPEN.match(a) for a, b in both):
        return True
    return not all(map(is_figure, (b for _, b in both))) and not any(map(is_figure, (a for a, _ in both)))


def _headed(heads: list[Line], left: tuple[float, float], right: tuple[float, float]) -> bool:
    """Whether words of the headings stand over both of two neighbours, or over neither."""
    words = [word for line in heads for word in line.words]
    over = [[word for word in words if word.x0 < span[1] and word.x1 > span[0]] for span in (left, right)]
    return bool(over[0]) is bool(over[1])


def _figures_apart(rows: list[Line], left: tuple[float, float], right: tuple[float, float]) -> bool:
    """Whether figures stand right of a very narrow gap in all rows, and nothing there goes on from the left."""
    rights = [_first(line, right) for line in rows]
    lefts = [_last(line, left) for line in rows]
    said = [(a, b) for a, b in zip(lefts, rights, strict=True) if b]
    return len(said) > 1 and all(is_figure(b) and not _GOES_ON.match(b) and not _OPEN.match(a) for a, b in said)


def _last(line: Line, span: tuple[float, float]) -> str:
    inside = [word.text for word in line.words if span[0] - 0.5 <= word.middle <= span[1] + 0.5]
    return inside[-1] if inside else ""


def _first(line: Line, span: tuple[float, float]) -> str:
    inside = [word.text for word in line.words if span[0] - 0.5 <= word.middle <= span[1] + 0.5]
    return inside[0] if inside else ""


def _add_turned(columns: list[Column], turned: list[Word]) -> None:
    """A turned heading over no column has one of its own."""
    for word in turned:
        if not any(_overlap(word.x0 - 2, word.x1 + 2, each) > 0 for each in columns):
            columns.append(Column(word.x0, word.x1))
    columns.sort(key=lambda column: column.x0)


def _overlap(x0: float, x1: float, column: Column) -> float:
    return min(x1, column.x1) - max(x0, column.x0)


def column_of(x0: float, x1: float, columns: list[Column]) -> int:
    """The column in which something stands: the one it lies over most, else the nearest."""
    return max(range(len(columns)), key=lambda at: _overlap(x0, x1, columns[at]))


# -- rows ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Row:
    """The words of a row, by columns, and the heights of its lines."""

    cells: list[list[Word]]
    bases: list[float]
    size: float

    def text(self, at: int) -> str:
        return tidy(" ".join(line.text for line in in_cell(self.cells[at])))


def rows_of(shape: Shape) -> Grid:
    """The rows below the headings: wrapped cells put together, a name beside several rows in each of them."""
    rows: list[Row] = []
    shared: list[Row] = []  # at a height between the last row and the next
    for at, line in enumerate(shape.body):
        row = _row(line, shape.columns)
        if is_between(shape.body, at, shape.columns) and not _whole(shape, at):
            _take(rows[-1], row)
            shared = [row]
        elif rows and not shared and (_belongs(rows, row, shape) or _begun(rows[-1], row)):
            _take(rows[-1], row)
        else:
            for each in shared:
                for column, words in enumerate(each.cells):
                    row.cells[column] += words
            shared = []
            rows.append(row)
    return _labelled([[row.text(at) for at in range(len(shape.columns))] for row in rows])


def _row(line: Line, columns: list[Column]) -> Row:
    """The words of a line by columns; words that stand alone and go across several are in each of them."""
    row = Row([[] for _ in columns], [line.base], line.size)
    if len(line.pieces()) == 1 and _across(line, columns):
        row.cells = [list(line.words) for _ in columns]
        return row
    for word in line.words:
        row.cells[column_of(word.x0, word.x1, columns)].append(word)
    return row


def _across(line: Line, columns: list[Column]) -> bool:
    """Whether a line of words goes over the gap between two columns."""
    over = [column for column in columns if _overlap(line.x0, line.x1, column) > 0.5]
    return len(over) > 1 and not any(is_figure(word.text) for word in line.words[1:])


def is_between(lines: list[Line], at: int, columns: list[Column]) -> bool:
    """Whether a line stands at a height between two others, in columns where they have nothing."""
    if not 0 < at < len(lines) - 1:
        return False
    above, line, below = lines[at - 1 : at + 2]
    if above.base - below.base > 2.1 * line.size:
        return False
    own, *others = (
        {column_of(piece.x0, piece.x1, columns) for piece in each.pieces(0.5)} for each in (line, above, below)
    )
    return not own & (others[0] | others[1])


def _whole(shape: Shape, at: int) -> bool:
    """Whether a line between two others makes one row with them: figures beside a name of two lines."""
    above, line, below = ([piece.text for piece in each.pieces()] for each in shape.body[at - 1 : at + 2])
    figures = [text for text in below if is_figure(text)]
    if figures and all(text[:1] in "([±" for text in figures):
        return True  # an interval below its figure
    return any(map(is_figure, line)) and not any(map(is_figure, (*above, *below)))


def _take(above: Row, row: Row) -> None:
    for at, words in enumerate(row.cells):
        above.cells[at] += words
    above.bases += row.bases


def _belongs(rows: list[Row], row: Row, shape: Shape) -> bool:
    """Whether a line goes on with the row above it: words that would not have fit, or in its very line."""
    above = rows[-1]
    step = above.bases[-1] - row.bases[0]
    if step < 0.72 * row.size and not _beside(above, row):
        return True
    said = [at for at, words in enumerate(row.cells) if words]
    ruled = any(row.bases[0] < rule.y < above.bases[-1] for rule in shape.under)
    if not said or len(said) == len(row.cells) or ruled or step > 1.45 * row.size or _new_figures(row):
        return False
    if not all(above.cells[at] for at in said):
        return False
    if said == [0] and not any(above.cells[1:]):
        return row.text(0)[:1].islower()
    return all(_wraps(above, row, at, shape.columns[at]) for at in said)


def _new_figures(row: Row) -> bool:
    """Whether a line holds figures of its own, not only intervals to those above."""
    texts = [row.text(at) for at in range(1, len(row.cells))]
    return any(is_figure(text) and text[:1] not in "([±" for text in texts if text)


def _begun(above: Row, row: Row) -> bool:
    """Whether a line of words is the beginning of a name whose figures stand beside its next line."""
    alone = above.cells[0] and not any(above.cells[1:])
    near = above.bases[-1] - row.bases[0] < 1.45 * row.size
    return bool(alone) and near and row.text(0)[:1].islower() and any(row.cells[1:])


def _beside(above: Row, row: Row) -> bool:
    """Whether two lines at nearly the same height are rows all the same: figures in the same column of both."""
    return any(
        is_figure(above.text(at)) and is_figure(row.text(at))
        for at in range(1, len(row.cells))
        if row.cells[at]
    )


def _wraps(above: Row, row: Row, at: int, column: Column) -> bool:
    """Whether the first word of a line would not have fit into the line above it."""
    words = sorted(row.cells[at], key=lambda word: word.x0)
    last = max(word.x1 for word in above.cells[at] if abs(word.base - above.bases[-1]) < word.size)
    text = row.text(at)
    if text[:1] in "([±" and is_figure(text):
        return True
    full = last + 0.25 * row.size + (words[0].x1 - words[0].x0) > column.x1 + 0.5
    follows = (
        text[:1].islower() or text[:1] in "(/&–-+" or above.text(at).endswith(("-", ",", "/", "(", "and", "of"))
    )
    return follows or (
        full and bool(above.cells[at]) and len(above.text(at)) > 8 and len(row.cells) > 1 and at > 0
    )


def _labelled(grid: Grid) -> Grid:
    """The rows; where the first column's words all stand in the middle of so many rows, they are in each."""
    first = [row[0] for row in grid]
    named = [at for at, cell in enumerate(first) if cell]
    if len(first) > 1 and first[0] and not first[1]:
        return grid  # names stand beside the first of their rows
    if (
        not named
        or len(named) == len(first)
        or len(grid[0]) < 3
        or any(map(blank, (first[at] for at in named)))
    ):
        return grid
    start = 0
    spans: list[tuple[int, int]] = []
    for at in _middles(first, named):
        end = round(2 * at - start)
        if end < at or end >= len(first):
            return grid
        spans.append((start, end))
        start = end + 1
    if start != len(first):
        return grid
    for (begin, end), at in zip(spans, _distinct(first, named), strict=True):
        for row in range(begin, end + 1):
            grid[row][0] = first[at]
    return grid


def _distinct(first: list[str], named: list[int]) -> list[int]:
    """The places of names, one for two neighbours that share a name."""
    return [at for at in named if not (at and first[at - 1] == first[at])]


def _middles(first: list[str], named: list[int]) -> list[float]:
    return [
        at + (0.5 if at + 1 < len(first) and first[at + 1] == first[at] else 0.0)
        for at in _distinct(first, named)
    ]
