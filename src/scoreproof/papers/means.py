"""A row of means, or of totals, against the rows above it: intervals of exact numbers must meet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.papers.claims import Claimed, Read
from scoreproof.papers.shapes import At
from scoreproof.reading.prose.phrases import side
from scoreproof.reading.tables.claims import DOUBTFUL

_FIGURE = re.compile(r"\s*([-−+]?\d+(?:[.,·]\d+)?)\s*(%?)")


@dataclass(frozen=True, slots=True)
class Mean:
    """What a mean row prints for one score, and where the mean of the rows can lie."""

    row: str
    score: str
    printed: str
    low: Fraction
    high: Fraction
    rows: int
    fits: bool
    at: At

    @property
    def sentence(self) -> str:
        digits = len(self.printed.partition(".")[2].split()[0].rstrip("%)±(")) + 2 if "." in self.printed else 2
        low, high = (f"{float(each):.{digits}f}" for each in (self.low, self.high))
        how = "meets" if self.fits else "cannot be"
        what = f"{self.row}: {self.score} {self.printed}"
        return f"{what} {how} the mean of the {self.rows} rows, which is {low} to {high}"


def means_of(read: Read) -> Iterator[Mean]:
    """Every figure of every mean row that can be compared with the rows above it."""
    if read.layout is None:
        return
    names = {column.key: column.score for column in read.layout.scores}
    for mean in read.means:
        above = [row for row in read.rows if row.row < mean.row]
        before = max((other.row for other in read.means if other.row < mean.row), default=-1)
        nearest = [row for row in above if row.row > before]
        for key, at in mean.cells.items():
            if key not in names:
                continue
            found = [
                compared
                for rows in (nearest, above)
                if (compared := _compared(read, mean, key, at, rows)) is not None
            ]
            if found:
                yield next((each for each in found if each.fits), found[0])


def _compared(read: Read, mean: Claimed, key: str, at: At, rows: Sequence[Claimed]) -> Mean | None:
    """The mean beside its rows; None where it cannot be told what it is the mean of."""
    printed = read.table.cells[at[0]][at[1]]
    cells = [row.cells[key] for row in rows if key in row.cells]
    own, figures = _interval(printed), [_interval(read.table.cells[r][c]) for r, c in cells]
    known = [each for each in figures if each is not None]
    if own is None or len(known) < max(2, len(rows)):
        return None
    if len({each[0] >= DOUBTFUL for each in (*known, own)}) > 1:
        return None  # shares among percentages
    low, high = _span(known, any(side(row.name) for row in rows))
    fits = low <= own[1] and own[0] <= high
    if not fits and _other_mean(read, key):
        return None
    return Mean(mean.name, key, printed, low, high, len(known), fits, at)


def _span(rows: Sequence[tuple[Fraction, Fraction]], weighted: bool) -> tuple[Fraction, Fraction]:
    """Where the mean of the rows can lie; where their weights are not known, anywhere between them."""
    if weighted:
        return min(low for low, _ in rows), max(high for _, high in rows)
    lows, highs = zip(*rows, strict=True)
    return sum(lows, Fraction(0)) / len(rows), sum(highs, Fraction(0)) / len(rows)


def _other_mean(read: Read, key: str) -> bool:
    """Whether the score has means of its own kind: an F-measure of mean precision and recall."""
    scores: Mapping[str, str] = (
        {column.key: column.score for column in read.layout.scores} if read.layout else {}
    )
    return scores.get(key) in ("f1", "f1p", "fbp", "f1n", "fbn", "lrp", "lrn", "dor", "gm", "fm")


def _interval(text: str) -> tuple[Fraction, Fraction] | None:
    """The values a printed figure can stand for, whatever the rounding: one unit either way."""
    mark = _FIGURE.match(text)
    if mark is None:
        return None
    digits = mark[1].replace(",", ".").replace("·", ".").replace("−", "-")
    value, unit = Fraction(digits), Fraction(1, 10 ** len(digits.partition(".")[2]))
    return value - unit, value + unit
