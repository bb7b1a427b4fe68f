"""Tables from files: CSV, TSV, JSON lines, Parquet, Excel and documents, a row at a time, text as printed."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from itertools import islice
from os.path import exists
from pathlib import Path
from typing import Any, ClassVar

from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.reading.files import listed, parse, read_file
from scoreproof.reading.tables.claims import shortest
from scoreproof.reading.tables.grid import delimiter_of, rejoined, with_corner
from scoreproof.reading.tables.heading import REPORT, Shaped, read_document, shape

#: Lines that are looked at to find the headers, and rows of a table that is turned or put together.
LOOKED_AT = 40
MOST_SHAPED = 100_000
LARGEST_DOCUMENT = 16 * 2**20
#: Merged cells are seen in sheets up to this size.
SMALL = 2**20

#: A cell that a row of JSON lines does not have.
ABSENT = object()


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, in the order of the headers, and what is wrong with it, if anything."""

    cells: list[Any]
    broken: str = ""
    claim: Mapping[str, Any] | None = None  # the row is a whole claim


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some rows of a table, column by column; ``broken`` says what is wrong with which row.

    ``claims`` holds, for rows that are whole claims, the claim itself.
    """

    size: int
    columns: Mapping[str, Sequence[Any]]
    broken: Mapping[int, str] = field(default_factory=dict)
    claims: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    def row(self, at: int) -> dict[str, Any]:
        """The cells of one row, by their headers."""
        return {header: cells[at] for header, cells in self.columns.items()}


class Source(ABC):
    """A file with a table in it."""

    kinds: ClassVar[tuple[str, ...]]
    claims = False  # rows can be whole claims
    delimiter = ","
    notes: tuple[str, ...] = ()  # what was done to get at the rows
    shaped: Shaped | None = None  # the table, where it was read as a whole

    def __init__(self, path: Path) -> None:
        self.path = path
        self.headers = self.read_headers()

    @abstractmethod
    def read_headers(self) -> list[str]: ...

    @abstractmethod
    def rows(self) -> Iterator[Row]: ...

    def used_headers(self) -> list[str]:
        """The headers that can say something about a claim."""
        return self.headers

    def stretches(self, size: int) -> Iterator[tuple[int, Stretch]]:
        """The rows in numbered stretches of equal size."""
        rows = self.rows()
        yield from enumerate(map(self._stretch, iter(lambda: list(islice(rows, size)), [])))

    def _stretch(self, rows: list[Row]) -> Stretch:
        columns = {
            header: [None if (cell := row.cells[i]) is ABSENT else cell for row in rows]
            for i, header in enumerate(self.headers)
        }
        return Stretch(
            len(rows),
            columns,
            {at: row.broken for at, row in enumerate(rows) if row.broken},
            {at: row.claim for at, row in enumerate(rows) if row.claim is not None},
        )

    def bad(self, problem: str) -> BadClaim:
        return BadClaim("table", f"{shorten(self.path)} {problem}")


class Gridded(Source):
    """Lines of cells.  The first holds the headers; else the table is read as a whole, as far as that goes."""

    nothing: ClassVar[str]  # what to say of a file without lines

    @abstractmethod
    def lines(self) -> Iterator[list[Any]]: ...

    def read_headers(self) -> list[str]:
        first = self._texts(LOOKED_AT)
        if not first:
            raise self.bad(self.nothing)
        with suppress(BadClaim):
            shaped = shape(first)
            if shaped is not None and not shaped.plain:  # the headers are not the first line
                every = self._texts(MOST_SHAPED + 1)
                self.shaped = shape(every) if len(every) <= MOST_SHAPED else None
        if self.shaped is not None:
            self.notes = self.shaped.notes
            return self.shaped.headers
        headers = first[0]
        while len(headers) > 1 and not headers[-1]:
            headers.pop()
        return headers

    def _texts(self, most: int) -> list[list[str]]:
        return with_corner([[plain(cell).strip() for cell in line] for line in islice(self.lines(), most)])

    def rows(self) -> Iterator[Row]:
        if self.shaped is not None:
            yield from map(Row, self.shaped.rows)
            return
        for line in islice(self.lines(), 1, None):
            yield self.row(line, len(self.headers))

    @abstractmethod
    def row(self, line: list[Any], width: int) -> Row: ...


class Delimited(Gridded):
    """CSV and TSV: what separates the cells is seen in the header."""

    kinds = (".csv", ".tsv", ".tab")
    nothing = "is empty; a table starts with a line of headers"

    def read_headers(self) -> list[str]:
        try:
            with open(self.path, encoding="utf-8-sig", newline="") as file:
                first = [line for _ in range(LOOKED_AT) if (line := file.readline(1 << 20))]
        except UnicodeDecodeError as error:
            raise self.bad(f"is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
        unquoted = re.sub(r'"[^"]*"?', "", first[0]) if first else ""
        self.delimiter = "\t"
        if self.path.suffix.lower() == ".csv":
            found = max("\t;,|", key=unquoted.count)
            self.delimiter = found if found in unquoted else delimiter_of(first) or ","
        return super().read_headers()

    def lines(self) -> Iterator[list[str]]:
        with open(self.path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=self.delimiter)
            try:
                yield from rejoined((line for line in reader if line), self.delimiter)
            except UnicodeDecodeError:
                raise self.bad(f"is not UTF-8 text after line {reader.line_num}; save it as UTF-8") from None
            except csv.Error as error:
                raise self.bad(f"cannot be read at line {reader.line_num}: {error}") from None

    def row(self, line: list[str], width: int) -> Row:
        if len(line) > width and not any(cell.strip() for cell in line[width:]):
            line = line[:width]
        if len(line) == width:
            return Row(line)
        extra = f" (the last: {shorten(line[-1])!r})" if len(line) > width else ""
        if len(line) < width and "\n" in line[-1]:
            extra = "; a quotation mark may be open, so that the lines below it became one cell"
        have = "1 cell" if len(line) == 1 else f"{len(line)} cells"
        problem = f"the row has {have}, but the header has {width}{extra}"
        return Row((line + [""] * width)[:width], problem)


class Document(Source):
    """Markdown, LaTeX, HTML and plain text: the first table that names scores, or a printed report."""

    kinds = (".md", ".markdown", ".tex", ".html", ".htm", ".txt")
    claims = True

    def read_headers(self) -> list[str]:
        if self.path.stat().st_size > LARGEST_DOCUMENT:
            raise self.bad(f"is larger than {LARGEST_DOCUMENT // 2**20} MB; save the table as CSV")
        table = read_document(read_file(self.path))
        if isinstance(table, dict):
            self.report, self.notes = table, (REPORT,)
            return ["report"]
        self.shaped, self.notes = table, table.notes
        return table.headers

    def used_headers(self) -> list[str]:
        return [] if self.shaped is None else self.headers

    def rows(self) -> Iterator[Row]:
        if self.shaped is None:
            yield Row([""], claim=self.report)
        else:
            yield from map(Row, self.shaped.rows)


class Lines(Source):
    """JSON lines: each an object with cells, or a whole claim."""

    kinds: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    claims = True

    def read_headers(self) -> list[str]:
        headers: dict[str, None] = {}
        self._used: dict[str, None] = {}
        for data, _ in self._objects():
            headers.update(dict.fromkeys(data))
            if not is_claim(data):
                self._used.update(dict.fromkeys(data))
        return list(headers)

    def used_headers(self) -> list[str]:
        return list(self._used)

    def _objects(self) -> Iterator[tuple[dict[str, Any], str]]:
        number = 0
        try:
            with open(self.path, encoding="utf-8-sig") as file:
                for number, line in enumerate(file, 1):
                    if not line.strip():
                        continue
                    try:
                        if not line.lstrip().startswith("{"):
                            raise BadClaim("claim", "expected an object, which starts with {")
                        yield parse(line), ""
                    except ScoreproofError as error:
                        yield {}, f"line {number}: {error}"
        except UnicodeDecodeError:
            raise self.bad(f"is not UTF-8 text after line {number}; save it as UTF-8") from None

    def rows(self) -> Iterator[Row]:
        for data, broken in self._objects():
            cells = [data.get(header, ABSENT) for header in self.headers]
            yield Row(cells, broken, data if not broken and is_claim(data) else None)


class Claims(Lines):
    """TOML or JSON with several claims in it, as `scoreproof scan` writes them."""

    kinds = (".toml",)

    def _objects(self) -> Iterator[tuple[dict[str, Any], str]]:
        data = parse(read_file(self.path))
        for claim in listed(data) or [data]:
            yield claim, ""


def is_claim(data: Mapping[str, Any]) -> bool:
    """Whether an object is a whole claim, not a row of cells."""
    return isinstance(data.get("scores"), Mapping) or isinstance(data.get("experiment"), Mapping)


class Parquet(Source):
    """Parquet: text and decimals keep their digits, floating-point columns have lost them."""

    kinds = (".parquet", ".pq")

    def _file(self) -> Any:
        try:
            import pyarrow.parquet as pq
        except ImportError:
            raise self.bad("needs the package pyarrow: install scoreproof[batch]") from None
        try:
            return pq.ParquetFile(self.path)
        except (OSError, ValueError) as error:
            raise self.bad(f"cannot be read: {shorten(error, 120)}") from None

    def read_headers(self) -> list[str]:
        return [str(name) for name in self._file().schema_arrow.names]

    def rows(self) -> Iterator[Row]:
        for batch in self._file().iter_batches(batch_size=2048):
            columns = [column.to_pylist() for column in batch.columns]
            for i, column in enumerate(batch.columns):
                if str(column.type) == "float":  # 32 bits
                    columns[i] = [shortest(cell) for cell in columns[i]]
            for cells in zip(*columns, strict=True):
                yield Row(list(cells))


class Excel(Gridded):
    """Excel: the first sheet; a number is shown as its cell is formatted."""

    kinds = (".xlsx", ".xlsm")
    nothing = "has an empty first sheet; a table starts with a line of headers"

    def lines(self) -> Iterator[list[Any]]:
        try:
            from openpyxl import load_workbook
            from openpyxl.utils.exceptions import InvalidFileException
        except ImportError:
            raise self.bad("needs the package openpyxl: install scoreproof[batch]") from None
        import zipfile

        small = self.path.stat().st_size < SMALL
        try:
            book = load_workbook(self.path, read_only=not small, data_only=True)
        except (OSError, ValueError, KeyError, InvalidFileException, zipfile.BadZipFile) as error:
            raise self.bad(f"cannot be read: {shorten(error, 120)}") from None
        sheet = book.worksheets[0]
        merged = merged_cells(sheet) if small else {}
        try:
            for line in sheet.iter_rows():
                found = [merged.get(getattr(cell, "coordinate", ""), cell) for cell in line]
                cells = [shown(cell.value, getattr(cell, "number_format", "")) for cell in found]
                if any(cell is not None for cell in cells):
                    yield cells
        finally:
            book.close()

    def row(self, line: list[Any], width: int) -> Row:
        extra = [cell for cell in line[width:] if cell is not None]
        problem = f"the row has a cell without a header: {shorten(extra[0])!r}" if extra else ""
        return Row((line + [None] * width)[:width], problem)


def merged_cells(sheet: Any) -> dict[str, Any]:
    """The cell that shows in every place that merged cells cover; a number shows in its own only."""
    found = {}
    for area in sheet.merged_cells.ranges:
        first = sheet.cell(area.min_row, area.min_col)
        for row, column in area.cells:
            if column == area.min_col or isinstance(first.value, str):
                found[sheet.cell(row, column).coordinate] = first
    return found


_FIXED = re.compile(r"[#,]*0(?:\.(0+))?(%?)")


def shown(value: Any, number_format: str) -> Any:
    """The cell as its sheet shows it; a number whose format fixes no digits stays a number.

    >>> shown(0.9, "0.000"), shown(0.9, "0.0%"), shown(0.9, "General")
    ('0.900', '90.0%', 0.9)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    fixed = _FIXED.fullmatch((number_format or "").split(";")[0].strip())
    if fixed is None:
        return value
    places, percent = len(fixed[1] or ""), bool(fixed[2])
    number = Decimal(repr(value)) * (100 if percent else 1)
    # a sheet shows ties away from zero
    text = format(number.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP), "f")
    return f"{text}%" if percent else text


SOURCES: dict[str, type[Source]] = {
    kind: source for source in (Delimited, Lines, Claims, Parquet, Excel, Document) for kind in source.kinds
}


def open_table(path: Path) -> Source:
    """The table in a file, by the end of its name."""
    if not exists(path):  # unlike the path's own, False for a name no file can have
        raise BadClaim("table", f"there is no file {shorten(path)}")
    if path.is_dir():
        raise BadClaim("table", f"{shorten(path)} is a folder; name a file")
    if path.suffix.lower() not in SOURCES:
        raise unknown_ending(path, "table", SOURCES)
    return SOURCES[path.suffix.lower()](path)


def unknown_ending(path: Path, field: str, known: Iterable[str]) -> BadClaim:
    return BadClaim(field, f"{shorten(path)} has no ending known here (known: {', '.join(known)})")


def digest(path: Path) -> str:
    """What tells whether a file has changed."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def plain(cell: Any) -> str:
    """A cell as text, for files that hold nothing else."""
    if cell is None or cell is ABSENT:
        return ""
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, Decimal):
        return format(cell, "f")
    if isinstance(cell, (dict, list)):
        return json.dumps(jsonable(cell), ensure_ascii=False)
    return str(cell)


def jsonable(cell: Any) -> Any:
    """A cell as JSON-able data; a number keeps its text where a float would lose it."""
    if isinstance(cell, dict):
        return {key: jsonable(value) for key, value in cell.items()}
    if isinstance(cell, list):
        return [jsonable(value) for value in cell]
    if isinstance(cell, str) and type(cell) is not str:  # a bare number of a JSON file
        return float(cell) if repr(float(cell)) == str(cell) else str(cell)
    if cell is None or isinstance(cell, (bool, int, float, str)):
        return cell
    return plain(cell)
