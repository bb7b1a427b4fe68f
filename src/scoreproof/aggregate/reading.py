"""From a table to folds: CSV, TSV, JSON, or Python values.

Two of tp, fn, p settle the positives, two of tn, fp, n the negatives; what is left over is
checked.  Column names are matched without regard to case, spaces and punctuation.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from scoreproof.aggregate.ways import Fold
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.reading.tables.words import MATRIX, SET_UP
from scoreproof.scores import Matrix

# fmt: off
COLUMNS: dict[str, tuple[str, ...]] = {
    **{cell: (*MATRIX[cell], f"{cell} i") for cell in ("tp", "fp", "fn", "tn")},
    "p":       (*SET_UP["p"], "positive", "num pos", "n positive", "actual positives", "condition positive",
                "p i"),
    "n":       (*SET_UP["n"], "negative", "num neg", "n negative", "actual negatives", "condition negative",
                "n i"),
    "dataset": ("datasets", "data set", "data", "database", "corpus", "task", "test set"),
    "run":     ("repeat", "repeats", "runs", "repetition", "repetitions", "rep", "seed"),
    "fold":    ("folds", "fold i", "fold id", "split", "k"),
}
# fmt: on

COUNTS = ("tp", "fp", "fn", "tn", "p", "n")
SIDES = (("tp", "fn", "p"), ("tn", "fp", "n"))
NEEDED = "needed are tp, fp, fn, tn (or p, n, tp, tn)"

#: A row that starts like this sums up the others; read as a fold it would spoil every figure.
SUMMING_UP = {"total", "totals", "sum", "sums", "mean", "means", "average", "averages", "avg", "sd", "std"}

LARGEST_COUNT = 10**18
#: A number longer than this is none.
MOST_DIGITS = 300

#: A fold as it is given: where it stands, and its cells with their headings; or the fold itself.
Row = tuple[str, Fold | Sequence[tuple[Any, Any]]]


class Table(NamedTuple):
    """The folds of a table, and what should be said about how it was read."""

    folds: tuple[Fold, ...]
    notes: tuple[str, ...] = ()


def _key(name: object) -> str:
    return "".join(c for c in str(name).casefold() if c.isalnum())


_KNOWN = {_key(word): column for column, words in COLUMNS.items() for word in (column, *words)}


def read(source: Path) -> Table:
    """The folds in a CSV, TSV or JSON file."""
    try:
        return parse(source.read_text(encoding="utf-8-sig"), source.name)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadClaim(source.name, f"cannot be read: {reason}") from None


def parse(text: str, name: str = "table") -> Table:
    """The folds in the text of a table.

    >>> parse("fold;TP;FP;positives;negatives\\n1;3;0;3;373\\n").folds[0].matrix
    Matrix(tp=3, fp=0, fn=0, tn=373)
    """
    text = text.lstrip("\ufeff")
    if not text.strip():
        raise BadClaim(name, f"is empty; the first line names the columns, {NEEDED}")
    if text.lstrip()[0] not in "[{":
        return _delimited(text, name)
    try:
        return from_values(json.loads(text), name)
    except RecursionError:
        raise BadClaim(name, "is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadClaim(name, f"is not JSON: {error}") from None


def from_values(values: object, name: str = "matrices") -> Table:
    """The folds in a list of matrices, mappings, tuples (tp, fp, fn, tn) or 2 x 2 arrays."""
    if isinstance(values, Mapping):
        values = values.get("folds", [values])
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise BadClaim(name, f"expected a list of confusion matrices, found {quoted(values)}")
    rows = list(values)
    if not rows:
        raise BadClaim(name, "is empty; give one confusion matrix per fold")
    found: list[Row] = []
    for number, row in enumerate(rows, 1):
        where = f"{name}, fold {number}"
        if isinstance(row, Mapping):
            row = list(row.items())
        elif not isinstance(row, Fold):
            row = list(zip(COUNTS, _four(row, where), strict=False))
        found.append((where, row))
    return _table(name, found)


def _four(row: object, where: str) -> Sequence[object]:
    """The counts (tp, fp, fn, tn) of a tuple, or of scikit-learn's [[tn, fp], [fn, tp]]."""
    row = row.tolist() if hasattr(row, "tolist") else row
    if isinstance(row, Sequence) and not isinstance(row, str):
        if len(row) == 4:
            return row
        if len(row) == 2 and all(isinstance(line, Sequence) and len(line) == 2 for line in row):
            (tn, fp), (fn, tp) = row
            return tp, fp, fn, tn
    raise BadClaim(
        where,
        "expected a Matrix, a mapping, a tuple (tp, fp, fn, tn) or scikit-learn's [[tn, fp], [fn, tp]], "
        f"found {quoted(row)}",
    )


def _delimited(text: str, name: str) -> Table:
    numbered = enumerate(text.splitlines(), 1)
    lines = [(i, line) for i, line in numbered if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise BadClaim(name, f"holds no data; the first line names the columns, {NEEDED}")
    delimiter = max("\t;,", key=lines[0][1].count)
    try:
        cells_of = [next(csv.reader([line], delimiter=delimiter)) for _, line in lines]
    except csv.Error as error:
        raise BadClaim(name, f"cannot be read as a table: {error}") from None
    header, *rows = [[cell.strip() for cell in cells] for cells in cells_of]
    if not any(_number(cell).is_nan() for cell in header):
        raise BadClaim(name, f"the first line holds numbers; it must name the columns, {NEEDED}")
    _columns(name, header)
    if not rows:
        raise BadClaim(name, "names its columns but has no rows; give one row per fold")
    found: list[Row] = []
    for number, (cells, (line, _)) in enumerate(zip(rows, lines[1:], strict=True), 1):
        where = f"{name}, row {number} (line {line})"
        if any(cells[len(header) :]) or len(cells) < len(header):
            raise BadClaim(where, f"has {len(cells)} cells, but the header has {len(header)}")
        if _key(cells[0]) in SUMMING_UP:
            raise BadClaim(where, f"{cells[0]!r} sums up the other rows; remove it, every row must be one fold")
        found.append((where, list(zip(header, cells, strict=False))))
    return _table(name, found)


def _table(name: str, rows: Sequence[Row]) -> Table:
    """The folds of the rows, which may have different columns."""
    folds: list[Fold] = []
    unused: dict[str, None] = {}
    for where, row in rows:
        if not isinstance(row, Fold):
            columns = _columns(name, [heading for heading, _ in row])
            unused |= {shorten(heading): None for heading, _ in row if heading not in columns}
            cells = {columns[heading]: cell for heading, cell in row if heading in columns}
            row = _fold(cells, where, len(folds) + 1)
        folds.append(row)
    if not any(any(fold.matrix) for fold in folds):
        raise BadClaim(name, "counts no item in any fold, so every score is undefined everywhere")
    notes = [f"columns not used: {', '.join(unused)}"] if unused else []
    twice = next((fold for fold, times in Counter(map(str, folds)).items() if times > 1), None)
    if twice is not None:
        notes.append(f"{twice} occurs more than once; if these are several runs, add a column run")
    return Table(tuple(folds), tuple(notes))


def _columns(name: str, header: Sequence[Any]) -> dict[Any, str]:
    """What each column is, where it is anything; the four counts must follow from them."""
    found: dict[Any, str] = {}
    for heading in header:
        column = _KNOWN.get(_key(heading))
        if column in found.values():
            raise BadClaim(name, f"has two columns for {column}; keep one")
        if column is not None:
            found[heading] = column
    have = set(found.values())
    sides = [side for side in SIDES if len(have.intersection(side)) < 2]
    if not sides:
        return found
    lacking = [column for side in sides for column in side if column not in have]
    wanted = " and ".join(
        f"{'one' if have.intersection(side) else 'two'} of {', '.join(c for c in side if c not in have)}"
        for side in sides
    )
    spellings = {_key(word): column for column in lacking for word in (column, *COLUMNS[column])}
    hints = []
    for heading in (h for h in header if _key(h) not in _KNOWN):
        close = get_close_matches(_key(heading)[:40], spellings, n=1, cutoff=0.6)
        if close:
            hints.append(f"; did you mean {spellings[close[0]]!r} by {shorten(heading, 30)!r}?")
    listed = shorten(", ".join(map(str, header)), 80)
    raise BadClaim(name, f"lacks {wanted} among its columns; {NEEDED}, found {listed}{''.join(hints[:2])}")


def _fold(row: Mapping[str, Any], where: str, number: int) -> Fold:
    counts = {column: _count(row[column], f"{where}, {column}") for column in COUNTS if column in row}
    (tp, fn), (tn, fp) = (_side(counts, side, where) for side in SIDES)
    dataset, run = (_label(row, column, where) for column in ("dataset", "run"))
    return Fold(Matrix(tp, fp, fn, tn), dataset, run, str(row.get("fold", "")) or str(number))


def _side(counts: Mapping[str, int], side: tuple[str, str, str], where: str) -> tuple[int, int]:
    """The items of one class called right and wrong."""
    right, wrong, whole = (counts.get(column) for column in side)
    if right is None or wrong is None:
        known, column = (wrong, side[1]) if right is None else (right, side[0])
        assert known is not None and whole is not None  # two of the three are always given
        if known > whole:
            raise BadClaim(f"{where}, {column}", f"{known} is more than {side[2]} = {whole}")
        right, wrong = (whole - known, known) if right is None else (known, whole - known)
    elif whole is not None and right + wrong != whole:
        raise BadClaim(
            f"{where}, {side[2]}",
            f"{whole} is not {side[0]} + {side[1]} = {right + wrong}; correct one, or leave {side[2]} out",
        )
    return right, wrong


def _number(value: object) -> Decimal:
    """The number a cell holds, if it does."""
    try:
        return Decimal(str(value).strip().replace("−", "-"))
    except InvalidOperation:
        return Decimal("nan")


def _count(value: object, where: str) -> int:
    if value is None or not str(value).strip():
        raise BadClaim(where, "is empty; expected a whole number, 0 or more")
    number = _number(value)
    if not number.is_finite() or number.adjusted() > MOST_DIGITS or number != number.to_integral_value():
        raise BadClaim(where, f"{quoted(value)} is not a whole number; counts are 0, 1, 2, …")
    if number < 0:
        raise BadClaim(where, f"{shorten(value)} is negative; counts are 0, 1, 2, …")
    if number > LARGEST_COUNT:
        raise BadClaim(where, f"{shorten(value)} is larger than 10^18, the largest count taken")
    return int(number)


def _label(row: Mapping[str, Any], column: str, where: str) -> str:
    if column not in row:
        return ""
    label = str(row[column]).strip() if row[column] is not None else ""
    if not label:
        raise BadClaim(f"{where}, {column}", "is empty; name it on every row, or leave the column out")
    return label
